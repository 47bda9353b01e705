/*
 * language.c: folds words as a language writes them, and stems by libstemmer. In Russian, folding
 * turns the short i into i.
 */
#include "text/language.h"

#include <libstemmer.h>

#include "base/alloc.h"

bool
language_is_stop(unsigned l, const char *word, size_t len)
{
	return l == LEX_EN ? words_is_stop(word, len)
			   : lex_word(word, len, LEX_FUNCTION, LEX_IN(l), NULL);
}

const char *
language_elided(unsigned l, int i)
{
	return lex_label(LEX_ELIDED, l, i);
}

/* ---- folding ---- */

/* Returns the bytes of an apostrophe at p; 0: there is none. */
static size_t
apostrophe_at(const char *p, const char *end)
{
	if (*p == '\'')
		return 1;
	return end - p >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

size_t
language_fold(unsigned l, const char *word, size_t len, char *out)
{
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t n, n_out = 0, mark;

	if (len > WORDS_TERM_BYTES)
		return 0;
	n = words_fold(word, len, folded);
	for (const char *p = folded, *end = folded + n; p < end; p += MAX(mark, 1u)) {
		mark = apostrophe_at(p, end);
		if (mark > 0 && (size_t)(end - p) >= mark + 2 &&
		    lex_word(out, n_out, LEX_TIED, LEX_IN(l), NULL))
			n_out = 0;
		else if (mark == 0 && n_out == WORDS_TERM_BYTES)
			return 0;
		else if (mark == 0)
			out[n_out++] = *p;
	}
	return n_out;
}

/* ---- stems ---- */

struct stemmer {
	struct sb_stemmer *snowball;
	bool short_i;                      /* it knows words by an i that folding changes */
};

struct stemmer *
stemmer_new(unsigned l)
{
	struct sb_stemmer *snowball;
	struct stemmer *s;

	if (lex_label(LEX_SNOWBALL, l, 0) == NULL ||
	    (snowball = sb_stemmer_new(lex_label(LEX_SNOWBALL, l, 0), "UTF_8")) == NULL)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->snowball = snowball;
	s->short_i = l == lex_language("ru");
	return s;
}

void
stemmer_free(struct stemmer *s)
{
	if (s == NULL)
		return;
	sb_stemmer_delete(s->snowball);
	free(s);
}

/*
 * Whether a Russian word ends in a vowel and i. Folding makes that of the short i with which
 * adjectives end, and the stemmer knows them by it.
 */
static bool
ends_in_short_i(const char *word, size_t len)
{
	static const char *const ends[] = { "\xd0\xb0\xd0\xb8", "\xd0\xb5\xd0\xb8",
		"\xd0\xb8\xd0\xb8", "\xd0\xbe\xd0\xb8", "\xd1\x8b\xd0\xb8" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (len > 4 && memcmp(word + len - 4, ends[i], 4) == 0)
			return true;
	return false;
}

const char *
stemmer_stem(struct stemmer *s, const char *word, size_t len, size_t *n_stem)
{
	char with_short_i[WORDS_TERM_BYTES];
	const char *of = word;
	const sb_symbol *stem;

	if (s->short_i && len <= sizeof(with_short_i) && ends_in_short_i(word, len)) {
		memcpy(with_short_i, word, len - 2);
		memcpy(with_short_i + len - 2, "\xd0\xb9", 2);
		of = with_short_i;
	}
	stem = sb_stemmer_stem(s->snowball, (const sb_symbol *)of, (int)len);
	if (stem == NULL) {                    /* there is no memory for it */
		*n_stem = len;
		return word;
	}
	*n_stem = (size_t)sb_stemmer_length(s->snowball);
	return (const char *)stem;
}
