/*
 * stem.c: the Porter stemmer with the choices of the full-text engines that use it, so that a word
 * has the same stem here as there:
 *
 * - words under three letters are unchanged;
 * - y is a vowel behind a consonant, and, for "has a vowel", everywhere but at the start;
 * - "bli" becomes "ble" and "logi" becomes "log" (Porter's later changes to the paper);
 * - a suffix is tried only when something precedes it, and the first one that matches ends its
 *   step, whether its condition holds or not.
 *
 * A step's rules are rows of a table: suffix, replacement, condition on what precedes the suffix.
 */
#include "gen/stem_rows.h"
#include "text/words.h"

enum condition { M_OVER_0, M_OVER_1, M_OVER_1_ST, HAS_VOWEL };

struct rule {
	uint8_t n_suffix;
	char suffix[8];
	uint8_t n_put;
	char put[8];
	uint8_t condition;         /* enum condition */
};

static bool
is_vowel(char c, bool y_counts)
{
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || (c == 'y' && y_counts);
}

static bool
has_vowel(const char *w, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (is_vowel(w[i], i > 0))
			return true;
	return false;
}

/* Porter's m: how often a vowel is followed by a consonant; counts only up to 2. */
static unsigned
measure(const char *w, size_t len)
{
	bool consonant = false, before = true;
	unsigned m = 0;

	for (size_t i = 0; i < len && m < 2; i++) {
		consonant = !is_vowel(w[i], consonant);
		if (consonant && !before)
			m++;
		before = consonant;
	}
	return m;
}

/* Porter's *o: ends in consonant, vowel, consonant, where the last is not w, x or y. */
static bool
ends_cvc(const char *w, size_t len)
{
	bool consonant = false;
	unsigned pattern = 0;

	if (len == 0 || w[len - 1] == 'w' || w[len - 1] == 'x' || w[len - 1] == 'y')
		return false;
	for (size_t i = 0; i < len; i++) {
		consonant = !is_vowel(w[i], consonant);
		pattern = pattern << 1 | consonant;
	}
	return (pattern & 7) == 5;
}

static bool
holds(enum condition c, const char *w, size_t len)
{
	switch (c) {
	case M_OVER_0:
		return measure(w, len) > 0;
	case M_OVER_1:
		return measure(w, len) > 1;
	case M_OVER_1_ST:
		return (w[len - 1] == 's' || w[len - 1] == 't') && measure(w, len) > 1;
	case HAS_VOWEL:
		return has_vowel(w, len);
	}
	return false;
}

/*
 * Applies the first rule whose suffix matches; *changed tells whether its condition held too. No
 * replacement is longer than its suffix.
 */
static size_t
apply(const struct rule *rules, size_t n_rules, char *w, size_t len, bool *changed)
{
	*changed = false;
	for (const struct rule *r = rules; r < rules + n_rules; r++) {
		size_t n = r->n_suffix, stem = len - n;

		if (w[len - 1] != r->suffix[n - 1] || len <= n || w[stem] != r->suffix[0] ||
		    memcmp(w + stem, r->suffix, n) != 0)
			continue;
		if (!holds((enum condition)r->condition, w, stem))
			return len;
		memcpy(w + stem, r->put, r->n_put);
		*changed = true;
		return stem + r->n_put;
	}
	return len;
}

static const struct rule step_1b[] = { STEM_STEP_1B };
static const struct rule step_2[] = { STEM_STEP_2 };
static const struct rule step_3[] = { STEM_STEP_3 };
static const struct rule step_4[] = { STEM_STEP_4 };

/* Strips plurals: sses, ies and es lose "es"; a single s is dropped. */
static size_t
strip_plural(const char *w, size_t len)
{
	if (w[len - 1] != 's')
		return len;
	if (w[len - 2] == 'e') {
		if ((len > 4 && w[len - 3] == 's' && w[len - 4] == 's') ||
		    (len > 3 && w[len - 3] == 'i'))
			return len - 2;
		return len - 1;
	}
	return w[len - 2] == 's' ? len : len - 1;
}

/*
 * Restores a word after "-ed" or "-ing" was removed: "conflat" to conflate, "hopp" to hop, "fil" to
 * file.
 */
static size_t
restore(char *w, size_t len)
{
	static const char *const want_e[] = { "at", "bl", "iz" };
	char last = w[len - 1];

	for (size_t i = 0; i < NELEM(want_e); i++) {
		if (len > 2 && memcmp(w + len - 2, want_e[i], 2) == 0) {
			w[len] = 'e';
			return len + 1;
		}
	}
	if (len > 1 && last == w[len - 2] && !is_vowel(last, false) && last != 'l' && last != 's' &&
	    last != 'z')
		return len - 1;
	if (measure(w, len) == 1 && ends_cvc(w, len)) {
		w[len] = 'e';
		return len + 1;
	}
	return len;
}

size_t
words_stem(char *word, size_t len)
{
	bool changed;

	if (len < 3 || len > WORDS_TERM_BYTES)
		return len;
	len = strip_plural(word, len);

	size_t was = len;
	len = apply(step_1b, NELEM(step_1b), word, len, &changed);
	/* one letter less means eed became ee, which needs no restoring */
	if (changed && len != was - 1)
		len = restore(word, len);

	if (word[len - 1] == 'y' && has_vowel(word, len - 1))
		word[len - 1] = 'i';
	len = apply(step_2, NELEM(step_2), word, len, &changed);
	len = apply(step_3, NELEM(step_3), word, len, &changed);
	len = apply(step_4, NELEM(step_4), word, len, &changed);

	if (word[len - 1] == 'e') {
		unsigned m = measure(word, len - 1);

		if (m > 1 || (m == 1 && !ends_cvc(word, len - 1)))
			len--;
	}
	if (len > 1 && word[len - 1] == 'l' && word[len - 2] == 'l' && measure(word, len - 1) > 1)
		len--;
	return len;
}
