/*
 * weigh.c: a thing weighs 1, a verb that goes with everything a quarter, and what is in many
 * records of a memory less than what is in few. Numbers weigh nothing: they are values.
 */
#include "statement/weigh.h"

#include "base/order.h"
#include "math/real.h"

#define LIGHT         .25
#define FEW           3                    /* records that a word may be in at its full weight */
#define RECORDS_LEAST 12
#define RARE_LEAST    .1

/* ---- words ---- */

bool
weigh_is_silent(const struct said_word *w)
{
	return !w->content || w->empty || w->person || w->mine || (w->marks & SAID_SILENT) != 0;
}

bool
weigh_is_light(const struct said_word *w)
{
	return w->pole != 0 || (w->marks & SAID_LIGHT) != 0;
}

/* Whether a stem with it is another form of the same word: "teach", "teacher". */
static bool
is_ending(const char *p, size_t len)
{
	static const char *const ends[] = { "e", "s", "i", "n", "d", "r", "er", "or", "en", "ed",
		"es", "li", "ing" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (strlen(ends[i]) == len && memcmp(p, ends[i], len) == 0)
			return true;
	return false;
}

bool
weigh_same(const struct said_word *a, const struct said_word *b)
{
	const struct said_word *s = a->len <= b->len ? a : b, *l = s == a ? b : a;

	if (said_same(a, b))
		return true;
	/* "iPhone" is an identifier, and not stemmed as "iphone" is */
	if (s->plain && l->whole)
		return s->len >= 4 && l->len - s->len <= 1 && memcmp(s->term, l->term, s->len) == 0;
	return s->plain && l->plain && !s->number && !l->number && s->content && l->content &&
	    s->len >= 4 && memcmp(s->term, l->term, s->len) == 0 && !said_endings_differ(a, b) &&
	    is_ending(l->term + s->len, l->len - s->len);
}

bool
weigh_has(const struct said *s, const struct said_word *w)
{
	for (size_t i = 0; i < s->n; i++)
		if (weigh_same(w, &s->w[i]))
			return true;
	return false;
}

double
weigh_rarity(const struct word_counts *c, uint64_t id)
{
	const struct word_count *w = NULL;
	double n;

	if (c != NULL && c->n > 0)             /* a count begins with its id */
		w = bsearch(&id, c->items, c->n, sizeof(*c->items), by_uint64);
	if (w == NULL || w->records <= FEW)
		return 1;
	n = (double)MAX(c->n_records, (size_t)RECORDS_LEAST);
	return MAX(1 - real_log2(w->records / (double)FEW) / real_log2(n / FEW),
	    RARE_LEAST);
}

double
weigh_word(const struct said_word *w)
{
	if (weigh_is_silent(w) || w->number || (w->negates && w->pole == 0))
		return 0;
	if (weigh_is_light(w))
		return LIGHT;
	return w->half ? .5 : 1;
}

double
weigh_all(const struct said *s, const struct word_counts *counts)
{
	double all = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!s->w[i].number && (s->w[i].marks & SAID_UNIT) == 0)
			all += weigh_word(&s->w[i]) * weigh_rarity(counts, s->w[i].id);
	return all;
}

bool
weigh_denies(const struct said *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->w[i].negates && s->w[i].pole == 0)
			return true;
	return false;
}
