/*
 * summary_later.c: which sentence tells what became of what another says, so that a summary does
 * not tell the one alone. Of what gives a figure it is the last that has this beside another one
 * and a word of it: "the deadline is 28 November", "we miss the 28, it is 5 December". Of a
 * decision it is the last that names its thing, and behind that what who decided says next: it
 * may be given up in any words.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/order.h"
#include "lexicon/lex.h"
#include "statement/details.h"
#include "statement/sentence.h"
#include "statement/statement.h"
#include "summary/summary_parts.h"
#include "text/words.h"

#define FIGURE_TURNS 4                 /* most that say a figure which stands for one thing */
#define WORD_TURNS   8                 /* and a word */
#define ANSWER_TURNS 3                 /* behind a mention */

/* name: it may be the thing of a decision */
struct term { uint64_t hash; uint32_t unit, turn; bool figure, name; };

struct terms {
	const struct digest_unit *units;
	const struct summary_said *said;
	uint32_t at;
	bool names;                            /* a capital makes one in its language */
	struct term_set speakers;
	struct term *of, *by;                  /* [n] by unit; by hash, and of one by unit */
	size_t n, cap;
	size_t *from;                          /* [units + 1] where those of a unit begin */
};

ORDER_BY_TWO(by_hash, struct term, hash, unit)

static int
add_term(void *arg, const struct word *w)
{
	struct terms *t = arg;
	const struct digest_unit *u = &t->units[t->at];
	/* one of an address or a name is not changed by another */
	bool figure = w->kind == WORD_NUMBER &&
	    (w->start == 0 || strchr(" \n(", u->text[w->start - 1]) != NULL);

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR || w->kind == WORD_SYMBOL)
		return 0;
	*xpush(t->of, t->n, t->cap) = (struct term){ w->hash, t->at, u->turn, figure,
		!figure && t->names && w->start > 0 && ascii_is_upper(u->text[w->start]) &&
		    !term_set_has(&t->speakers, u->text + w->start, w->end - w->start) };
	return 0;
}

static void
read_terms(struct terms *t, size_t n)
{
	t->from = xcalloc(n + 1, sizeof(*t->from));
	for (size_t i = 0; i <= t->units[n - 1].turn; i++)
		term_set_add(&t->speakers, t->said[i].speaker, strlen(t->said[i].speaker));
	for (t->at = 0; t->at < n; t->at++) {
		const struct digest_unit *u = &t->units[t->at];
		t->names = lex_label(LEX_NOUN_CAPITAL, lex_language_of(u->text, u->len), 0) == NULL;
		t->from[t->at] = t->n;
		words_each(u->text, u->len, add_term, t);
	}
	t->from[n] = t->n;
	t->by = xreallocarray(NULL, t->n + 1, sizeof(*t->by));
	if (t->n > 0)
		memcpy(t->by, t->of, t->n * sizeof(*t->by));
	qsort(t->by, t->n, sizeof(*t->by), by_hash);
}

/* Where the terms of that hash end, and of how many turns they are. */
static size_t
places_of(const struct terms *t, uint64_t hash, size_t *n_turns)
{
	const struct term key = { hash, 0, 0, false, false };
	size_t first = order_place(&key, t->by, t->n, sizeof(key), by_hash), end = first;

	for (*n_turns = 0; end < t->n && t->by[end].hash == hash; end++)
		*n_turns += end == first || t->by[end].turn != t->by[end - 1].turn;
	return end;
}

static bool
has(const struct terms *t, size_t unit, uint64_t hash)
{
	size_t i = t->from[unit];

	while (i < t->from[unit + 1] && t->of[i].hash != hash)
		i++;
	return i < t->from[unit + 1];
}

/* Whether unit b has a word of unit a, and a figure that a lacks. */
static bool
gives_other(const struct terms *t, size_t a, size_t b)
{
	bool word = false, figure = false;
	size_t n_turns;

	for (size_t i = t->from[b]; i < t->from[b + 1]; i++) {
		bool both = has(t, a, t->of[i].hash);
		figure |= !both && t->of[i].figure;
		if (both && !t->of[i].figure && !word) {
			places_of(t, t->of[i].hash, &n_turns);
			word = n_turns <= WORD_TURNS;
		}
	}
	return word && figure;
}

/* The last unit of a later turn that has the term; only one with another figure; 0: none. */
static uint32_t
last_of(const struct terms *t, const struct term *of, bool figure)
{
	size_t n_turns, i = places_of(t, of->hash, &n_turns);

	if (n_turns < 2 || (figure && n_turns > FIGURE_TURNS))
		return 0;
	for (; t->by[i - 1].turn > of->turn; i--) {
		const struct digest_unit *u = &t->units[t->by[i - 1].unit];
		if (u->value > 0 && !sentence_asks(u->text, u->len) &&
		    (!figure || gives_other(t, of->unit, t->by[i - 1].unit)))
			return t->by[i - 1].unit;
	}
	return 0;
}

static int
on_decision(void *arg, const struct statement *s)
{
	*(bool *)arg |= s->read.kind == READ_DECISION;
	return 0;
}

/* What the speaker of unit a says soon behind unit b, of another; 0: nothing. */
static uint32_t
answer_to(const struct terms *t, size_t n, size_t a, size_t b)
{
	const char *who = t->said[t->units[a].turn].speaker;

	if (strcmp(t->said[t->units[b].turn].speaker, who) == 0)
		return 0;
	for (size_t i = b + 1; i < n && t->units[i].turn <= t->units[b].turn + ANSWER_TURNS; i++)
		if (t->units[i].turn > t->units[b].turn && t->units[i].value > 0 &&
		    strcmp(t->said[t->units[i].turn].speaker, who) == 0)
			return (uint32_t)i;
	return 0;
}

void
summary_later(struct digest_unit *units, size_t n, const struct summary_said *said)
{
	struct terms t = { .units = units, .said = said };

	read_terms(&t, n);
	for (size_t i = 0; i < n; i++) {
		struct digest_unit *u = &units[i];
		uint32_t last = 0;
		bool decides = false;

		if (u->value <= 0 || sentence_asks(u->text, u->len))
			continue;
		statements_each(u->text, u->len, on_decision, &decides);
		for (size_t k = t.from[i]; k < t.from[i + 1]; k++)
			if (t.of[k].figure || (decides && t.of[k].name))
				last = MAX(last, last_of(&t, &t.of[k], t.of[k].figure));
		if (last == 0)
			continue;
		u->later = last;
		if (decides && units[last].later == 0)
			units[last].later = answer_to(&t, n, i, last);
	}
	term_set_release(&t.speakers);
	free(t.of);
	free(t.by);
	free(t.from);
}
