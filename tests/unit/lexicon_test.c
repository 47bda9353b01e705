/*
 * lexicon_test.c: terms counted in documents, against counts kept beside them in a plain array;
 * terms that share a hash.
 */
#include "index/lexicon.h"

#include "base/hash.h"
#include "text/words.h"

#include "tap.h"

#define N_TERMS 9000               /* the table grows twice */
#define N_DOCS  40

static struct word_note notes[N_TERMS + 1];

/* In two of three cases the word has a note, as most of the tokenizer's have. */
static void
count(struct lexicon *l, const char *term, uint64_t hash, size_t note, bool in_head)
{
	struct word w = { .term = term,
		.len = (uint16_t)strlen(term),
		.hash = hash,
		.note = note % 3 ? &notes[note] : NULL };

	lexicon_word(l, &w, in_head);
}

static void
test_counts(struct lexicon *l, uint64_t seed)
{
	static uint16_t tf[N_TERMS], head[N_TERMS];
	bool once = true, right = true, spelt = true;
	char text[32];

	for (int d = 0; d < N_DOCS; d++) {
		const struct tally *t;
		size_t n, n_distinct = 0;

		memset(tf, 0, sizeof(tf));
		memset(head, 0, sizeof(head));
		for (int i = 0; i < 1500; i++) {
			uint32_t k =
			    (uint32_t)((seed = hash64_mix(seed + 1)) % (i % 3 ? N_TERMS : 50));
			int len = snprintf(text, sizeof(text),
			    k % 2 ? "%u" : "a longer term, number %u", k);

			count(l, text, hash64(text, (size_t)len, 0), k, i % 7 == 0);
			n_distinct += tf[k]++ == 0;
			head[k] = (uint16_t)(head[k] + (i % 7 == 0));
		}
		t = lexicon_doc(l, &n);
		once = once && n == n_distinct;
		for (size_t i = 0; i < n; i++) {
			const struct lexicon_term *term = lexicon_term(l, t[i].term);
			const char *digits;
			unsigned k;

			snprintf(text, sizeof(text), "%.*s", (int)term->len, lexicon_text(l, term));
			digits = strchr(text, ',');
			k = (unsigned)strtoul(digits != NULL ? digits + 9 : text, NULL, 10);
			spelt = spelt && k < N_TERMS && term->hash == hash64(text, term->len, 0);
			if (k >= N_TERMS)
				break;
			right = right && t[i].tf == tf[k] && t[i].head == head[k];
			tf[k] = 0;             /* a second tally of it would be wrong */
		}
	}
	ok(once, "each term of a document has one tally");
	ok(right, "with its counts");
	ok(spelt, "and its text");
}

static void
test_edges(struct lexicon *l)
{
	const struct tally *t;
	size_t n;

	lexicon_clear(l);
	is_int(lexicon_n_terms(l), 0, "cleared");
	lexicon_doc(l, &n);
	is_int(n, 0, "a document without words");
	count(l, "one", 7, 1, true);
	count(l, "two", 7, 2, false);
	count(l, "on", 7, 3, false);
	count(l, "one", 7, 1, true);
	t = lexicon_doc(l, &n);
	ok(n == 3 && t[0].tf == 2 && t[0].head == 2 && t[1].tf == 1 && t[1].head == 0 &&
		t[2].tf == 1,
	    "three terms of one hash are three");
	ok(lexicon_prefix(lexicon_term(l, t[0].term)) == 0x6f6e650000000000u,
	    "the prefix is the first eight bytes, the first the highest");
	for (int i = 0; i < 70000; i++)
		count(l, "one", 7, 1, false);
	t = lexicon_doc(l, &n);
	ok(n == 1 && t[0].tf == 65535 && t[0].head == 0, "70,000 times is 65,535");
}

/* The words of the tokenizer carry the hash that a lexicon wants. */
static int
on_word(void *arg, const struct word *w)
{
	*(bool *)arg = *(bool *)arg && w->hash == hash64(w->term, w->len, 0);
	return 0;
}

static void
test_hashes(void)
{
	static const char text[] = "Plain WORDS, internationalisation's and "
				   "counterrevolutionaries; getUserName 2,000 v1.2.3 don't #480 "
				   "\xe6\x88\x91\xe4\xbb\xac caf\xc3\xa9 \xf0\x9f\x98\x80 last";
	bool all = true;

	words_each(text, sizeof(text) - 1, on_word, &all);
	ok(all, "every word brings its hash");
}

int
main(void)
{
	struct lexicon *l = lexicon_new(), *other = lexicon_new();

	test_counts(l, 1);
	test_counts(other, 2);             /* the notes are the first one's */
	lexicon_clear(l);
	test_counts(l, 99);
	test_edges(l);
	test_hashes();
	lexicon_free(l);
	lexicon_free(other);
	return tap_done();
}
