/*
 * against_things.c: no list of words knows how people take a rule back, so a later turn that only
 * names what a rule and a change are at odds over leaves it in doubt. That is: what both of them
 * name, things of a kind ("npm" and "pnpm"), and the numbers and values that were and that come.
 */
#include <stdlib.h>

#include "statement/sentence.h"
#include "text/words.h"
#include "work/against_parts.h"

#define THINGS_MOST  24
#define TERMS_MOST   64
#define NEW_MOST     4             /* words that an edit brings in, if it is as small as that */
#define PART_LEAST   4             /* bytes of a part of an identifier that names it */
#define SHORT_NUMBER 2             /* digits: many turns have such a number of something else */
#define USED_NEAR    2             /* words from "use" to what is used */
#define SHORT_WORDS  12            /* of a turn that is of its number */
#define WHOLE_MOST   1e15          /* a double has each whole number below */

struct against_things {
	struct against_word w[THINGS_MOST];    /* [n], those that the change brings in last */
	size_t n, n_common;
	bool number, forbids;                  /* it is of one; of what is not to be */
	struct index_words terms;
	struct arena *a;
};

/* ---- terms ---- */

static int
on_term(void *arg, const struct word *w)
{
	return w->kind != WORD_SYMBOL && w->kind != WORD_CHAR &&
	    !index_words_add(arg, w->term, w->len);
}

static void
add_term(struct against_things *t, const char *text)
{
	words_each(text, strlen(text), on_term, &t->terms);
}

/* "96k" is 96000, and "2 minutes" are 120 seconds. */
static void
add_number(struct against_things *t, const struct against_word *w)
{
	double x = strtod(w->term, NULL);

	for (size_t i = 0; i < AGAINST_UNITS && x > 0; i++) {
		double less = x / against_units[i];

		add_term(t, arena_printf(t->a, "%.0f", x * against_units[i]));
		if (less < WHOLE_MOST && less == (double)(int64_t)less)
			add_term(t, arena_printf(t->a, "%.0f", less));
	}
}

/* ---- things ---- */

static bool
is_known(const struct against_things *t, const struct against_word *w)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->w[i].n == w->n && memcmp(t->w[i].term, w->term, w->n) == 0)
			return true;
	return false;
}

/* Adds a word of the text as one. */
static void
add(struct against_things *t, const char *text, const struct against_word *w)
{
	const char *other;

	if (t->n == THINGS_MOST || is_known(t, w))
		return;
	t->w[t->n++] = *w;
	words_each(text + w->start, w->end - w->start, on_term, &t->terms);
	if (w->number) {
		add_number(t, w);
		t->number = true;
	}
	for (size_t i = 0; w->kind != 0 &&
	    (other = cues_word(AGAINST_THINGS, w->kind - 1, i)) != NULL; i++)
		add_term(t, other);
}

/* What is done, and places that are everywhere, do not say what a rule is of. */
static bool
is_object(const struct against_word *w)
{
	const unsigned none = AGAINST_CONCEPTS | SAYS(ALL) | SAYS(KEEP) | SAYS(RULE) |
	    SAYS(COMMIT);

	return w->kind != 0 || (against_is_content(w) && !against_says(w, none)) ||
	    (w->part && w->n >= PART_LEAST) || (w->han && w->n > 1);
}

static bool
is_strong(const struct against_word *w)
{
	return w->kind != 0 || w->sign;
}

/*
 * From which word on a ban says only where it holds, "in src/" of "never unwrap in src/": who names
 * the place speaks of much else; v->n: nowhere.
 */
static size_t
place_from(const struct against_words *v)
{
	size_t at = v->n;
	bool bans = false;

	for (size_t i = 0; i < v->n; i++) {
		if (against_says(&v->w[i], SAYS(EDIT) | SAYS(COMMIT)))
			return v->n;
		bans |= (v->w[i].begins & (SAYS(NOT) | SAYS(OUT))) != 0;
		if (bans && at == v->n && (v->w[i].begins & SAYS(WHERE)))
			at = i;
	}
	return at;
}

static bool
is_common_word(const struct against_change *c, const struct against_word *w)
{
	return !w->number && is_object(w) && (w->kind != 0 || against_has(c, w));
}

/*
 * Adds what both name: names and identifiers alone where there are some and it is of no number; any
 * word where nothing else is common, and a place where there is no other.
 */
static void
add_common(struct against_things *t, const struct against_change *c, const char *text,
	const struct against_words *v)
{
	bool strong = false, number = false, any = false;
	size_t end = place_from(v);

	for (size_t i = 0; i < end; i++)
		any |= is_common_word(c, &v->w[i]);
	end = any ? end : v->n;
	for (size_t i = 0; i < end; i++) {
		number |= v->w[i].number;
		strong |= is_strong(&v->w[i]) && (v->w[i].kind != 0 || against_has(c, &v->w[i]));
	}
	for (size_t i = 0; i < end; i++) {
		const struct against_word *w = &v->w[i];

		if (is_common_word(c, w) && (number || !strong || is_strong(w) || w->part))
			add(t, text, w);
	}
}

/* Adds what the change brings in: numbers, other things of a kind, the words of a small edit. */
static void
add_new(struct against_things *t, const struct against_change *c)
{
	const struct against_word *new[NEW_MOST];
	const char *of[NEW_MOST];
	size_t n = 0;
	bool lost = false;

	for (size_t i = 0; i < c->n; i++) {
		const struct against_line *l = &c->lines[i];

		lost |= l->side == CHANGE_LOST;
		for (size_t k = 0; k < l->words.n && l->side == CHANGE_GAINED; k++) {
			const struct against_word *w = &l->words.w[k];
			bool kind = false;

			for (size_t x = 0; x < t->n_common; x++)
				kind |= w->kind != 0 && w->kind == t->w[x].kind;
			if (against_was_there(c, w) || w->prose)
				continue;
			if (w->number ? t->number : kind) {
				add(t, l->text, w);
			} else if (!w->number && against_is_content(w) &&
			    !against_says(w, SAYS(SWITCH))) {
				if (n < NEW_MOST) {
					new[n] = w;
					of[n] = l->text;
				}
				n++;
			}
		}
	}
	for (size_t i = 0; i < n && n <= NEW_MOST && lost; i++)
		add(t, of[i], new[i]);
}

struct against_things *
against_things(const struct against_change *c, const char *text, const struct against_said *said,
	struct arena *a)
{
	const struct against_said spans[] = {
		{ said->part, said->part_len, 0, 0 }, { said->start, said->len, 0, 0 },
	};
	struct against_things *t = arena_zalloc(a, sizeof(*t));
	struct against_words v = { .n = 0 };
	const char *of = text;

	t->a = a;
	t->terms = (struct index_words){ arena_alloc(a, TERMS_MOST * sizeof(*t->terms.of)), 0,
		TERMS_MOST, a };
	/* of "do not bump it, we are stuck on 3" what is named stands in the other part */
	for (size_t i = 0; i < NELEM(spans) && t->n == 0; i++) {
		of = text + spans[i].start;
		against_words_read(of, spans[i].len, true, a, &v);
		add_common(t, c, of, &v);
	}
	for (size_t i = 0; i < v.n; i++) {
		t->forbids |= against_says(&v.w[i], SAYS(NOT) | SAYS(OUT));
		if ((v.w[i].number && !v.w[i].part) || (t->n == 0 && against_is_content(&v.w[i])))
			add(t, of, &v.w[i]);
	}
	t->n_common = t->n;
	add_new(t, c);
	return t;
}

const struct index_word *
against_things_terms(const struct against_things *t, size_t *n)
{
	*n = t->terms.n;
	return t->terms.of;
}

/* ---- a later turn ---- */

static bool
is_same(const struct against_word *thing, const struct against_word *w)
{
	if (thing->number || w->number)
		return thing->number && w->number && against_number_is(w, thing);
	return against_same(w, thing, true);
}

/*
 * A word that is one of the change, or another of its kind than the rule has: "never npm, use pnpm"
 * names what is to be in its place.
 */
static bool
is_new(const struct against_things *t, const struct against_word *w)
{
	for (size_t k = 0; k < t->n_common && !t->forbids; k++)
		if (against_rivals(w, &t->w[k]))
			return true;
	for (size_t k = t->n_common; k < t->n; k++)
		if (is_same(&t->w[k], w))
			return true;
	return false;
}

bool
against_swerves(const struct against_things *t, const char *text, const struct against_said *said)
{
	size_t at = said->part + said->part_len, end = said->start + said->len;
	struct against_words v;
	bool denied = false;

	against_words_read(text + at, end - at, false, t->a, &v);
	for (size_t i = 0; i < v.n; i++) {
		if (i > 0 && memchr(text + at + v.w[i - 1].end, ',', v.w[i].start - v.w[i - 1].end))
			denied = false;
		denied |= against_says(&v.w[i], SAYS(NOT));
		if (against_says(&v.w[i], SAYS(VOID)) || (!denied && is_new(t, &v.w[i])))
			return true;
	}
	return false;
}

/* Whether the word is one that the sentence has, and is not brought in. */
static bool
is_common(const struct against_things *t, const struct against_word *w)
{
	for (size_t k = 0; k < t->n_common; k++)
		if (against_same(w, &t->w[k], true))
			return !is_new(t, w);
	return false;
}

/* Whether a sentence tells to use what the rule wants, and nothing else: "use pnpm for that". */
static bool
repeats(const struct against_things *t, const struct against_words *v)
{
	const unsigned other = SAYS(NOT) | SAYS(OUT) | SAYS(VOID) | SAYS(PASSING);
	bool used = false;

	for (size_t i = 0; i < v->n && !t->forbids; i++) {
		if (against_says(&v->w[i], other) || is_new(t, &v->w[i]))
			return false;
		for (size_t k = i + 1; k < MIN(i + 1 + USED_NEAR, v->n); k++)
			used |= (v->w[i].begins & SAYS(USE)) && is_common(t, &v->w[k]) &&
			    (i == 0 || !against_says(&v->w[i - 1], SAYS(THIRD)));
	}
	return used;
}

/* Whether a sentence tells only to look: "show me src/lib.rs". */
static bool
only_looks(const struct against_words *v)
{
	size_t first = 0;

	while (first < v->n && against_says(&v->w[first], SAYS(LEAD)))
		first++;
	if (first == v->n || !(v->w[first].begins & SAYS(LOOK)))
		return false;
	for (size_t i = first; i < v->n; i++)
		if (against_says(&v->w[i], SAYS(OR) | SAYS(LEAD) | SAYS(USE) | SAYS(VOID)))
			return false;
	return true;
}

/* What a turn so far names: numbers by a bit each, those of few digits. */
struct naming { bool any; unsigned numbers, exact; size_t n_words; };

static void
name(const struct against_things *t, const struct against_words *v, struct naming *out)
{
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < t->n; k++) {
			const struct against_word *w = &v->w[i];

			if (!is_same(&t->w[k], w) && !against_rivals(&t->w[k], w))
				continue;
			out->any |= !w->number || w->n > SHORT_NUMBER;
			out->numbers |= 1u << k;
			out->exact |= w->n == t->w[k].n ? 1u << k : 0;
		}
	out->n_words += v->n;
}

bool
against_names(const struct against_things *t, const char *text, size_t len)
{
	struct naming is = { .any = false };
	LOCAL(arena) a = ARENA_INIT;
	struct against_words v;

	for (size_t at = 0, next; at < len && !is.any; at = next) {
		next = MAX(sentence_end(text, at, MIN(len, at + LINE_BYTES)), at + 1);
		against_words_read(text + at, next - at, true, &a, &v);
		if (sentence_asks(text + at, next - at) || !(repeats(t, &v) || only_looks(&v)))
			name(t, &v, &is);
		arena_reset(&a);
	}
	/* "96 is too much, 48 please" is of two of its numbers */
	return is.any || (is.numbers & (is.numbers - 1)) != 0 ||
	    (is.exact != 0 && is.n_words <= SHORT_WORDS);
}
