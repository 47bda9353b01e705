/*
 * variants_test.c: the other forms of words, looked up by terms as the tokenizer makes them.
 */
#include "tap.h"

#include "text/variants.h"
#include "text/words.h"

static char got[1000];

static int
on_word(void *arg, const struct word *w)
{
	struct variant v[VARIANTS_MOST];
	size_t n = variants_of(w->term, w->len, v), at = 0;

	(void)arg;
	got[0] = '\0';
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%.*s", i ? " " : "", v[i].len,
		    v[i].term);
	return 1;
}

static const char *
of(const char *word)
{
	snprintf(got, sizeof(got), "no word");
	words_each(word, strlen(word), on_word, NULL);
	return got;
}

/*
 * Each form of each word has the word among its own: nothing is found one way only, and every entry
 * is a term of the tokenizer.
 */
static void
test_both_ways(void)
{
	static const char *const words[] = { "address", "Kubernetes", "configuration", "favourite",
		"synchronise", "year", "vapour", "initialize", "television", "temporary", "picture",
		"buy", "mom" };

	for (size_t i = 0; i < NELEM(words); i++) {
		struct variant v[VARIANTS_MOST], back[VARIANTS_MOST];
		char stem[64];
		size_t len = words_fold(words[i], strlen(words[i]), stem), n, there = 0;

		len = words_stem(stem, len);
		n = variants_of(stem, len, v);
		ok(n > 0, "%s: %zu", words[i], n);
		for (size_t k = 0; k < n; k++) {
			size_t m = variants_of(v[k].term, v[k].len, back);
			for (size_t j = 0; j < m; j++)
				there += back[j].len == len && memcmp(back[j].term, stem, len) == 0;
		}
		is_int((int)there, (int)n, "and back");
	}
}

int
main(void)
{
	static const char longest[] =
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	struct variant v[VARIANTS_MOST];

	is_str(of("configuration"), "config cfg conf", "a word that is cut short");
	is_str(of("cfg"), "configur config conf", "from a short form");
	is_str(of("Databases"), "db", "as the tokenizer makes it");
	is_str(of("colors"), "colour", "British and American");
	is_str(of("tv"), "televis", "of everyday words");
	is_str(of("temp"), "temperatur temporari tmp", "a short form of two words");
	is_str(of("min"), "minimum minut", "each in its own line");
	is_str(of("address"), "addr", "the first");
	is_str(of("written"), "write wrote", "the last");
	is_str(of("went"), "go gone", "irregular");
	is_str(of("children"), "child", "and plurals");
	is_str(of("heron"), "", "most words have one form");
	is_str(of("organ"), "organis org", "a stem of two words");
	is_int((int)variants_of("", 0, v), 0, "no word");
	is_int((int)variants_of(" ", 1, v), 0, "a blank");
	is_int((int)variants_of("|", 1, v), 0, "a bar");
	is_int((int)variants_of("db |", 4, v), 0, "what the table has besides");
	is_int((int)variants_of("addr | administr", 16, v), 0, "two lines of it");
	is_int((int)variants_of(longest, 64, v), 0, "the longest term");
	test_both_ways();
	return tap_done();
}
