/*
 * against_value.c: what is to be: "port is 8443 now", "we use pnpm", "dates are stored in UTC". A
 * change goes against it where it takes the value away and puts another in its place, gives the
 * thing another number, or brings in another thing of the kind.
 */
#include <stdlib.h>

#include "statement/typed.h"
#include "work/against_parts.h"

#define NAMED_MOST 3               /* words that say what a number is of */
#define BESIDE     2               /* words between a name and its number */

const double against_units[AGAINST_UNITS] = { 1, 60, 1000, 3600, 60000, 3600000, 1024, 1048576,
	1e6 };

bool
against_number_is(const struct against_word *a, const struct against_word *b)
{
	double x = strtod(a->term, NULL), y = strtod(b->term, NULL);

	if (a->n == b->n && memcmp(a->term, b->term, a->n) == 0)
		return true;
	for (size_t i = 0; i < AGAINST_UNITS; i++)
		if (x > 0 && (y == x * against_units[i] || x == y * against_units[i]))
			return true;
	return false;
}

static bool
has_number(const struct against_words *v, const struct against_word *w)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->w[i].number && against_number_is(w, &v->w[i]))
			return true;
	return false;
}

static bool
is_name(const struct against_sentence *j, size_t i)
{
	const struct against_word *w = &j->words.w[i];

	return !w->number && (w->han || (against_is_content(w) && (w->sign ||
	    !against_says(w, SAYS(KEEP) | SAYS(RULE) | SAYS(MOST) | SAYS(LEAST)))));
}

/* The words that say what the number at `at` of the part [from, to) is of. */
static size_t
named(const struct against_sentence *j, size_t from, size_t to, size_t at,
	const struct against_word *out[NAMED_MOST])
{
	size_t n = 0;

	for (size_t i = at; i-- > from && n < NAMED_MOST; )
		if (is_name(j, i))
			out[n++] = &j->words.w[i];
	if (n == 0 && at + 1 < to && is_name(j, at + 1))
		out[n++] = &j->words.w[at + 1];
	/* "do not bump it, we are stuck on 17" */
	for (size_t i = from; i-- > 0 && n == 0; )
		if (is_name(j, i))
			out[n++] = &j->words.w[i];
	return n;
}

/* Whether the other number is on the side that is allowed: less than "at most 50". */
static bool
is_allowed(const struct against_sentence *j, const struct against_word *rule,
	const struct against_word *w)
{
	double x = strtod(rule->term, NULL), y = strtod(w->term, NULL);

	return ((j->says & SAYS(MOST)) && y < x) || ((j->says & SAYS(LEAST)) && y > x);
}

/* How many of the words the line has, or the path. */
static size_t
n_named(const struct against_change *c, const struct against_line *l,
	const struct against_word *const *names, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += against_word_of(&l->words, names[i], true) != NULL ||
		    against_word_of(&c->path_words, names[i], true) != NULL;
	return all;
}

/* Another number of a gained line that no lost line has and that is not of the rule. */
static const struct against_word *
other_number(const struct against_sentence *j, size_t from, size_t to, const struct against_line *l)
{
	const struct against_words part = { j->words.w + from, to - from };

	for (size_t i = 0; i < l->words.n; i++) {
		const struct against_word *w = &l->words.w[i];

		if (w->number && !w->prose && !has_number(&part, w) && !against_was_there(j->c, w))
			return w;
	}
	return NULL;
}

/* "Only 429 and 408": a line that has both gets a number beside that no line had. */
bool
against_one_more(const struct against_sentence *j, size_t from, size_t to)
{
	for (size_t i = 0; i < j->c->n; i++) {
		const struct against_line *l = &j->c->lines[i];
		size_t n = 0, has = 0;

		for (size_t k = from; k < to; k++) {
			n += j->words.w[k].number;
			has += j->words.w[k].number && has_number(&l->words, &j->words.w[k]);
		}
		if (l->side == CHANGE_GAINED && n > 1 && has == n &&
		    other_number(j, from, to, l) != NULL)
			return true;
	}
	return false;
}

/* Whether one of the words stands right before or behind the number of the line. */
static bool
is_beside(const struct against_line *l, const struct against_word *number,
	const struct against_word *const *names, size_t n)
{
	size_t at = (size_t)(number - l->words.w), from = at, gap = 0;

	while (from > 0 && gap < BESIDE)
		gap += !l->words.w[--from].part;
	for (size_t k = from; k < MIN(at + 2, l->words.n); k++)
		for (size_t i = 0; i < n; i++)
			if (against_same(&l->words.w[k], names[i], true))
				return true;
	return false;
}

/*
 * Whether the words that a preposition behind the number leads to are of something else: "the port
 * is 8443 for staging".
 */
static bool
is_elsewhere(const struct against_sentence *j, size_t to, size_t at)
{
	bool behind = false, any = false;

	for (size_t i = at + 1; i < to; i++) {
		const struct against_word *w = &j->words.w[i];

		if (w->begins & (SAYS(WHERE) | SAYS(ASIDE) | SAYS(WHY))) {
			behind = (w->begins & SAYS(WHY)) == 0;
		} else if (behind && !w->number && is_name(j, i) && !against_says(w, SAYS(ALL))) {
			if (against_has(j->c, w))
				return false;
			any = true;
		}
	}
	return any;
}

/* Whether the change takes a number from the thing that is not the rule's, nor one it allows. */
static bool
is_of_another(const struct against_sentence *j, const struct against_word *rule,
	const struct against_word *const *names, size_t n)
{
	for (size_t i = 0; i < j->c->n; i++) {
		const struct against_line *l = &j->c->lines[i];

		for (size_t k = 0; k < l->words.n && l->side == CHANGE_LOST; k++)
			if (l->words.w[k].number && !is_allowed(j, rule, &l->words.w[k]) &&
			    is_beside(l, &l->words.w[k], names, n))
				return true;
	}
	return false;
}

enum against
against_number(const struct against_sentence *j, size_t from, size_t to, size_t at)
{
	const struct against_word *names[NAMED_MOST], *rule = &j->words.w[at], *other;
	const struct against_change *c = j->c;
	size_t n = named(j, from, to, at, names);
	bool lost = false, kept = false;
	enum against all = AGAINST_NOT;

	/* the first of a list counts nothing */
	if (n == 0 || (at == 0 && strchr(".)", j->text[rule->end]) != NULL))
		return AGAINST_NOT;
	for (size_t i = 0; i < c->n; i++) {
		bool has = has_number(&c->lines[i].words, rule) &&
		    n_named(c, &c->lines[i], names, n) > 0;

		lost |= has && c->lines[i].side == CHANGE_LOST;
		kept |= has && c->lines[i].side != CHANGE_LOST;
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct against_line *l = &c->lines[i];
		size_t has = n_named(c, l, names, n);

		if (l->side != CHANGE_GAINED || has == 0)
			continue;
		other = other_number(j, from, to, l);
		if (has_number(&l->words, rule) && has == n)
			all = MAX(all, AGAINST_FITS);
		else if (other != NULL && !is_allowed(j, rule, other) && !kept &&
		    (lost || (has == n && is_beside(l, other, names, n) &&
		    !is_elsewhere(j, to, at) && !is_of_another(j, rule, names, n))))
			return AGAINST_GOES;
	}
	return all;
}

/* Whether the line, or the path, has another word of the part. */
static bool
is_near(const struct against_sentence *j, size_t from, size_t to, size_t at,
	const struct against_line *l)
{
	for (size_t k = from; k < to; k++) {
		const struct against_word *w = &j->words.w[k];

		if (k != at && against_is_content(w) &&
		    !against_says(w, SAYS(KEEP) | SAYS(RULE)) &&
		    (against_word_of(&l->words, w, true) != NULL ||
		     against_word_of(&j->c->path_words, w, true) != NULL))
			return true;
	}
	return false;
}

/* A value in words: taken away where another one comes in its place. */
enum against
against_value(const struct against_sentence *j, size_t from, size_t to, size_t at)
{
	const struct against_word *rule = &j->words.w[at];
	const struct against_change *c = j->c;
	bool lost = false, gained = false;

	for (size_t i = 0; i < c->n; i++) {
		const struct against_line *l = &c->lines[i];
		bool has = against_word_of(&l->words, rule, false) != NULL;

		if (has && l->side != CHANGE_LOST)
			return l->side == CHANGE_GAINED && is_near(j, from, to, at, l)
			    ? AGAINST_FITS : AGAINST_NOT;
		lost |= has && is_near(j, from, to, at, l);
		gained |= l->side == CHANGE_GAINED;
	}
	return lost && gained ? AGAINST_GOES : AGAINST_NOT;
}

/* "We use pnpm": a change that brings in another thing of the kind. */
enum against
against_kind(const struct against_sentence *j, const struct against_word *rule)
{
	const struct against_change *c = j->c;
	bool goes = (c->spaces && memcmp(rule->term, "tab", 3) == 0) ||
	    (c->tabs && (memcmp(rule->term, "space", 5) == 0));

	for (size_t i = 0; i < c->n; i++) {
		const struct against_line *l = &c->lines[i];

		for (size_t k = 0; k < l->words.n; k++) {
			const struct against_word *w = &l->words.w[k];

			if (w->kind == rule->kind && l->side != CHANGE_LOST &&
			    typed_is_form(w->term, w->n, rule->term, rule->n))
				return l->side == CHANGE_GAINED ? AGAINST_FITS : AGAINST_NOT;
			goes |= l->side == CHANGE_GAINED && !w->prose && !c->prose && !c->looks &&
			    against_rivals(w, rule) && !against_was_there(c, w);
		}
	}
	return goes ? AGAINST_GOES : AGAINST_NOT;
}
