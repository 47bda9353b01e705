/* lex_test.c: words of texts by class: tokens, phrases, what an apostrophe does, languages. */
#include "lexicon/lex.h"
#include "text/words.h"

#include "tap.h"

/* The folded words of a text, with "|" between them. */
static const char *
words_of(const char *text)
{
	static char out[400];
	struct lex_token t;
	size_t n = 0;

	for (size_t at = 0; lex_next(text, strlen(text), at, &t); at = t.end)
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%.*s", n > 0 ? "|" : "", t.len,
		    t.folded);
	return n > 0 ? out : "";
}

static void
test_tokens(void)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "What did Zo\xc3\xab say?", "what|did|zoe|say" },
		{ "I don't know", "i|dont|know" },
		{ "l\xe2\x80\x99""ann\xc3\xa9""e d'hier", "l|annee|d|hier" },
		{ "aujourd'hui", "aujourdhui" },
		{ "3rd of May, q2", "3rd|of|may|q2" },
		{ "'quoted' rock 'n' roll", "quoted|rock|n|roll" },
		{ "\xe4\xb8\x8a\xe5\x91\xa8""abc", "\xe4\xb8\x8a|\xe5\x91\xa8|abc" },
		{ "Stra\xc3\x9f""e \xc3\x89T\xc3\x89", "strasse|ete" },
		{ " -- ?", "" }, { "", "" },
	};

	for (size_t i = 0; i < NELEM(rows); i++)
		is_str(words_of(rows[i].text), rows[i].want, "the words of \"%s\"", rows[i].text);
}

static void
test_shape(void)
{
	static const char own[] = "Mum's cake, 12345678th";
	struct lex_token t;

	ok(lex_next(own, strlen(own), 0, &t) && t.owns && t.capital && t.end == 5,
	    "a word with 's is told, and its place has all of it");
	ok(lex_next(own, strlen(own), 10, &t) && t.number == 9999 && t.n_digits == 8,
	    "a long number is no greater than 9999");
	ok(lex_next("\xe4\xb8\x8a", 3, 0, &t) && t.unspaced, "a Chinese character is a word");
	ok(lex_next("\xe4\xb8", 2, 0, &t) == false, "half a character is none");
	ok(lex_next("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 58, 0, &t) &&
	    t.len == 0 && t.senses == NULL, "a word that is too long has no class");
}

static void
test_classes(void)
{
	static const char long_ago[] = "How long ago, and how many days ago?";
	size_t len = strlen(long_ago);
	struct lex_token t;
	int value = 0;

	ok(lex_next("M\xc3\xa4rz", 5, 0, &t) && !lex_is(&t, LEX_STOP, LEX_ANY, NULL),
	    "a word that has a class has not all");
	ok(lex_next("January", 7, 0, &t) && lex_is(&t, LEX_MONTH, LEX_ANY, &value) && value == 1,
	    "a class has a value");
	ok(!lex_is(&t, LEX_MONTH, LEX_IN(lex_language("zh")), NULL), "in its language alone");
	ok(lex_next(long_ago, len, 0, &t) &&
	    lex_phrase(long_ago, len, &t, LEX_DATE_QUESTION, LEX_ANY, NULL) == 12,
	    "a phrase is found at its first word");
	ok(lex_next(long_ago, len, 18, &t) &&
	    lex_phrase(long_ago, len, &t, LEX_DATE_QUESTION, LEX_ANY, NULL) == 35,
	    "and the longest");
	ok(lex_next(long_ago, 8, 0, &t) &&
	    lex_phrase(long_ago, 8, &t, LEX_DATE_QUESTION, LEX_ANY, NULL) == 0,
	    "half a phrase is none");
	ok(lex_word("der", 3, LEX_FUNCTION, LEX_IN(lex_language("de")), NULL), "a word at hand");
	is_int((int)lex_language("en"), LEX_EN, "English is the first");
	is_int((int)lex_language("qq"), LEX_EN, "a language that there is not is English");
	is_str(lex_label(LEX_SNOWBALL, lex_language("nl"), 0), "dutch",
	    "a name is as it is written");
	ok(lex_label(LEX_SNOWBALL, LEX_EN, 0) == NULL, "and may be missing");
}

/* lex.awk folds words as texts are folded, or no text would have them. */
static void
count_unlike(void *arg, const char *word, size_t len, unsigned lang, int value)
{
	char folded[3 * LEX_BYTES + 1];
	unsigned *n = arg;

	(void)lang;
	(void)value;
	if (words_fold(word, len, folded) == len && memcmp(folded, word, len) == 0)
		return;
	tap_note("%.*s", (int)len, word);
	++*n;
}

static void
test_folded(void)
{
	unsigned n = 0;

	for (enum lex class = 0; class < LEX_CLASSES_N; class++)
		lex_each(class, count_unlike, &n);
	is_int((int)n, 0, "every word stands as it is folded");
}

int
main(void)
{
	test_tokens();
	test_shape();
	test_classes();
	test_folded();
	return tap_done();
}
