/*
 * against.c: a rule is read sentence by sentence, and each part of one by itself: what is not to be
 * (against_not.c), and what is (against_value.c).
 */
#include "work/against.h"

#include "base/ascii.h"
#include "statement/sentence.h"
#include "text/words.h"
#include "work/against_parts.h"

#define TURN_BYTES    1500         /* of what was said */
#define SENTENCE_MOST 300
#define USED_NEAR     2            /* words from "we use" to what is used */
#define SHORT_TURN    40           /* words of a turn that says one thing */

bool
against_is_content(const struct against_sentence *j, const struct against_word *w)
{
	const unsigned small = SAYS(LIGHT) | SAYS(NOT) | SAYS(OUT) | SAYS(OR) | SAYS(WHERE) |
	    SAYS(ASIDE) | SAYS(WHY) | SAYS(WHEN);

	if (w->han || w->part)
		return false;
	if (w->sign || w->number)
		return true;
	return w->n == 1 ? j->text[w->start] < 'a' || (w->start > 0 && j->text[w->start - 1] == '-')
	    : !against_says(w, small) && !words_is_stop(w->term, w->n);
}

/* "There is no file", "I'm not on board": says what is so. */
static bool
is_report(const struct against_sentence *j, size_t from, size_t at)
{
	if (!against_says(&j->words.w[at], SAYS(BARE)) || !(j->words.w[at].begins & SAYS(NOT)))
		return false;
	for (size_t i = from; i < at; i++)
		if (!against_says(&j->words.w[i], SAYS(LEAD)))
			return !against_says(&j->words.w[at - 1], SAYS(LEAD));
	return false;
}

/* "SameSite=Strict": what is written so is meant so. */
static bool
is_set(const struct against_sentence *j, size_t at)
{
	return at > 0 && j->words.w[at].start > 0 && j->text[j->words.w[at].start - 1] == '=';
}

/* Whether the sentence begins as "use this". */
static bool
is_use(const struct against_sentence *j)
{
	size_t first = 0;

	while (first + 1 < j->words.n && against_says(&j->words.w[first], SAYS(LEAD)))
		first++;
	return (j->words.w[first].begins & SAYS(USE)) != 0;
}

/* "Don't use it", "please don't run it", "use this, not that": it is said to whoever works. */
static bool
is_order(const struct against_sentence *j, size_t from, size_t at)
{
	if (from > 0 && is_use(j))
		return true;
	for (size_t i = from; i < at; i++)
		if (!against_says(&j->words.w[i], SAYS(LEAD)))
			return false;
	return (j->words.w[at].begins &
	    (SAYS(DONT) | (j->says & SAYS(PLEASE) ? SAYS(BARE) : 0))) != 0;
}

/* What the word at `at` says is to be, in a part that has no word of what is not. */
static enum against
judge_value(const struct against_sentence *j, size_t from, size_t to, size_t at)
{
	const struct against_word *w = &j->words.w[at];
	bool rule = (j->says & SAYS(RULE)) != 0, lasts = rule || (j->says & SAYS(KEEP)) != 0,
	     name = w->sign || against_says(w, SAYS(SWITCH)) ||
	    (at > 0 && ascii_is_upper(j->text[w->start]));

	if (w->number)
		return lasts || against_says(w + (at + 1 < to), SAYS(NOW))
		    ? against_number(j, from, to, at) : AGAINST_NOT;
	if (w->kind != NULL && rule)
		return MAX(against_kind(j, w), against_value(j, from, to, at));
	return against_is_content(j, w) && (rule || (lasts && name) || is_set(j, at))
	    ? against_value(j, from, to, at) : AGAINST_NOT;
}

static enum against
judge_part(const struct against_sentence *j, size_t from, size_t to)
{
	bool rule = ((j->says | j->turn_says) & SAYS(RULE)) != 0, forbids = false, keeps = false;
	enum against all = AGAINST_NOT;

	for (size_t i = from; i < to; i++) {
		keeps |= against_says(&j->words.w[i], SAYS(KEEP));
		if (against_says(&j->words.w[i], SAYS(PASSING) | SAYS(WHEN)))
			return AGAINST_NOT;
	}
	for (size_t i = from; i < to; i++) {
		const struct against_word *w = &j->words.w[i];
		bool out = (w->begins & SAYS(OUT)) != 0;

		if (!(w->begins & (SAYS(NOT) | SAYS(OUT))) || is_report(j, from, i) ||
		    (i > from && against_says(w - 1, SAYS(THIRD))))
			continue;
		forbids |= !out || i > from;
		if ((rule || is_order(j, from, i)) && against_forbidden(j, from, to, i, out,
		    !rule && !(w->begins & SAYS(DONT)) && !is_use(j)))
			return AGAINST_GOES;
	}
	/* "never more than 3" forbids, and says a number */
	for (size_t i = from; i < to && (!forbids || keeps) && all != AGAINST_GOES; i++) {
		enum against one = forbids && !j->words.w[i].number ? AGAINST_NOT
		    : judge_value(j, from, to, i);

		all = MAX(all, one);
	}
	return all;
}

/* Whether a part of the sentence ends behind word i. */
static bool
is_end(const struct against_sentence *j, size_t i)
{
	const struct against_words *v = &j->words;

	if (i + 1 >= v->n)
		return true;
	for (size_t p = v->w[i].end; p < v->w[i + 1].start; p++) {
		const char *t = j->text + p;

		if (strchr(",;()", *t) != NULL || (*t == ':' && t[1] == ' ') ||
		    (*t == '-' && t[1] == ' ' && p > v->w[i].end) ||
		    sentence_mark(t, v->w[i + 1].start - p, "， ； ： 、 — – …") > 0)
			return true;
	}
	return false;
}

static enum against
judge_sentence(const struct against_sentence *j, struct against_said *said)
{
	enum against all = AGAINST_NOT;

	if (j->words.n == 0 || against_says(&j->words.w[0], SAYS(WHEN)))
		return AGAINST_NOT;
	for (size_t from = 0, to; from < j->words.n; from = to) {
		enum against one;

		for (to = from; !is_end(j, to); to++)
			continue;
		to++;
		one = judge_part(j, from, to);
		all = MAX(all, one);
		if (one != AGAINST_GOES)
			continue;
		said->part = j->words.w[from].start;
		said->part_len = j->words.w[to - 1].end - said->part;
		break;
	}
	return all;
}

/* The sentences of a line [start, end) of the text. */
static enum against
judge_line(struct against_sentence *j, struct against_own *own, const char *text, size_t start,
	size_t end, struct arena *a, struct against_said *said)
{
	const char *line = text + start;
	size_t line_len = end - start;
	enum against all = AGAINST_NOT, one;

	for (size_t stop; start < end && all != AGAINST_GOES; start = stop) {
		stop = sentence_end(text, start, end);
		if (stop <= start)
			break;
		if (stop - start > SENTENCE_MOST || sentence_asks(text + start, stop - start))
			continue;
		j->text = text + start;
		against_words_read(j->text, stop - start, false, a, &j->words);
		if (!against_own_sentence(own, line, line_len, start - (size_t)(line - text),
			&j->words))
			continue;
		for (size_t i = j->says = 0; i < j->words.n; i++)
			j->says |= j->words.w[i].says;
		one = judge_sentence(j, said);
		if (one == AGAINST_GOES)
			*said = (struct against_said){ start, stop - start, start + said->part,
				said->part_len };
		all = MAX(all, one);
	}
	return all;
}

enum against
against(const struct against_change *c, const char *text, size_t len, struct against_said *said)
{
	struct arena a = ARENA_INIT;
	struct against_sentence j = { .c = c };
	enum against all = AGAINST_NOT, one;
	struct against_own own = { '\0', 0 };

	len = MIN(len, (size_t)TURN_BYTES);
	against_words_read(text, len, false, &a, &j.words);
	for (size_t i = 0; i < j.words.n && j.words.n <= SHORT_TURN; i++)
		j.turn_says |= j.words.w[i].says;
	for (size_t start = 0, end; start < len && all != AGAINST_GOES; start = end + 1) {
		const char *nl = memchr(text + start, '\n', len - start);

		end = nl != NULL ? (size_t)(nl - text) : len;
		if (!against_own_line(&own, text, len, start, end))
			continue;
		one = judge_line(&j, &own, text, start, end, &a, said);
		all = MAX(all, one);
	}
	arena_release(&a);
	return all;
}

bool
against_lifts(const struct against_text *older, const struct against_text *newer, bool fits)
{
	const unsigned cues = SAYS(KEEP) | SAYS(RULE) | SAYS(LIFTS);
	struct arena a = ARENA_INIT;
	struct against_sentence old = { .text = older->text }, new = { .text = newer->text };
	bool lifts = fits, shares = false;
	size_t used = SIZE_MAX;                /* the last word that says what is used */

	against_words_read(older->text, older->len, false, &a, &old.words);
	against_words_read(newer->text, MIN(newer->len, (size_t)TURN_BYTES), false, &a, &new.words);
	for (size_t i = 0; i < new.words.n; i++) {
		const struct against_word *w = &new.words.w[i];

		lifts |= against_says(w, SAYS(LIFTS));
		if (w->begins & SAYS(USE))
			used = i > 0 && against_says(w - 1, SAYS(NOT)) ? SIZE_MAX : i;
		if (w->number || against_says(w, cues) || !against_is_content(&new, w))
			continue;
		for (size_t k = 0; k < old.words.n; k++) {
			if (!against_is_content(&old, &old.words.w[k]) ||
			    !against_same(w, &old.words.w[k], true))
				continue;
			shares = true;
			lifts |= used != SIZE_MAX && i <= used + USED_NEAR;
		}
	}
	arena_release(&a);
	return lifts && shares;
}
