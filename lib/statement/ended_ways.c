/*
 * ended_ways.c: in a part of a sentence the words that end something are looked for ("dropped", "is
 * gone", "any more"; schema/cues/ends.txt); what stands behind them, before them or around them is
 * what ended.
 */
#include "statement/ended_parts.h"

#include <ctype.h>
#include <strings.h>

#include "statement/stance.h"
#include "statement/values.h"
#include "statement/weigh.h"

#define TABLE          "schema/cues/ends.txt"
#define SENTENCE_BYTES 2000
#define THINGS_MOST    4                   /* words that name what ended */
#define HAN_THINGS     3                   /* so many characters count as one of them */

/* ---- words ---- */

bool
ended_is_thing(const struct said_word *w)
{
	return !weigh_is_silent(w) && !weigh_is_light(w) && !w->negates && w->pole == 0;
}

size_t
ended_count_things(const struct said *s, const struct said *other)
{
	size_t n = 0, n_han = 0;

	for (size_t i = 0; i < s->n; i++)
		if (ended_is_thing(&s->w[i]) && (other == NULL || weigh_has(other, &s->w[i])))
			*(s->w[i].half ? &n_han : &n) += 1;
	return n + (n_han + HAN_THINGS - 1) / HAN_THINGS;
}

/* Whether the claim has all things of s, and s has one; *n: how many. */
static bool
has_all(const struct said *claim, const struct said *s, size_t *n)
{
	*n = ended_count_things(s, NULL);
	for (size_t i = 0; i < s->n; i++)
		if (ended_is_thing(&s->w[i]) && !weigh_has(claim, &s->w[i]))
			return false;
	return *n > 0 && *n <= THINGS_MOST;
}

/* What somebody is, or is to others, does not end with what they do. */
static bool
is_lasting(const struct said *claim)
{
	static const char *const words[] = { "neighbour", "neighbor", "friend", "born", "come",
		"live", "speak", "enjoi", "alleg", "studi" };

	if ((claim->stance & STANCE_KIN) != 0)
		return true;
	for (size_t i = 0; i < claim->n; i++)
		if (weigh_is_any(&claim->w[i], words, NELEM(words)))
			return true;
	return false;
}

/* ---- ways ---- */

void
ending_read(struct ending *e)
{
	e->n = cues_find(cues_of(TABLE), e->part.text, e->part.len, e->cues, ENDING_CUES, NULL);
}

static bool
is_of(const struct cue *cue, const char *class)
{
	return (int)cue->class == cues_class(cues_of(TABLE), class);
}

const struct cue *
ending_find(const struct ending *e, const char *class, size_t from)
{
	const struct cue *best = NULL;

	for (size_t i = 0; i < e->n; i++)
		if (is_of(&e->cues[i], class) && e->cues[i].start >= from &&
		    (best == NULL || e->cues[i].start < best->start ||
			(e->cues[i].start == best->start && e->cues[i].len > best->len)))
			best = &e->cues[i];
	return best;
}

static size_t
end_of(const struct cue *cue)
{
	return cue->start + cue->len;
}

/* Whether a word of the table may name what has ended: it is none of "already", "no ... more". */
static bool
is_named(const struct cue *cue)
{
	static const char *const classes[] = { "aside", "whole", "once", "occasion",
		"none_de", "more_de", "none_fr", "more_fr",
		"none_es", "more_es", "none_it", "more_it", "none_pt", "more_pt" };

	for (size_t i = 0; i < NELEM(classes); i++)
		if (is_of(cue, classes[i]))
			return false;
	return true;
}

/* Reads bytes of the part, without words that name nothing that has ended ("already", times). */
static void
read_named(const struct ending *e, size_t from, size_t to, struct said *s)
{
	char bare[SENTENCE_BYTES];

	to = MIN(to, from + sizeof(bare) - 1);
	memcpy(bare, e->part.text + from, to - from);
	for (size_t i = 0; i < e->n; i++)
		if (!is_named(&e->cues[i]) && e->cues[i].start >= from &&
		    end_of(&e->cues[i]) <= to)
			memset(bare + e->cues[i].start - from, ' ', e->cues[i].len);
	values_read_untimed(s, bare, to - from);
}

/* Where what begins at a byte of the part is over. */
static size_t
bound_of(const struct ending *e, size_t from)
{
	const struct cue *bound = ending_find(e, "bound", from);

	return bound != NULL ? bound->start : e->part.len;
}

/* The first words of a class that end something for good: not "is cancelled" beside "today". */
static const struct cue *
find_end(const struct ending *e, const char *class)
{
	const struct cue *end = ending_find(e, class, 0);
	const struct cue *recurs = end != NULL ? ending_find(e, "recurs", end->start) : NULL;

	return e->occasion && recurs != NULL && recurs->start == end->start ? NULL : end;
}

/* Whether the end is only supposed, asked for or denied: such a word stands before it. */
static bool
is_hedged(const struct ending *e, size_t before)
{
	const struct cue *hedge = ending_find(e, "hedge", 0);

	return hedge != NULL && hedge->start < before;
}

/*
 * Whether the subject of a part, its words before an end, is the claim's: of the user's claims it
 * is the user, or nobody is named; of others what the claim has.
 */
static bool
is_subject(const struct said *claim, const char *text, size_t len)
{
	static _Thread_local struct said s;
	bool person = false;
	size_t n;

	values_read_untimed(&s, text, len);
	for (size_t i = 0; i < s.n; i++)
		person |= s.w[i].person;
	if (person && (s.stance & STANCE_KIN) == 0)
		return true;
	for (n = 0; n < s.n && !ended_is_thing(&s.w[n]); n++)
		;
	return n == s.n || has_all(claim, &s, &n);
}

/*
 * "My left arm": whether a word for an end says of a noun which one it is. Behind "left" as a verb
 * stands "the", "my" or a name.
 */
static bool
is_attribute(const char *text, const char *at, const char *end)
{
	static const char *const behind[] = { "the ", "my ", "his ", "her ", "our ", "their ",
		"a ", "us", "it" };
	static const char *const before[] = { "my ", "the ", "his ", "her ", "their ", "our ", "a ",
		"your ", "its " };

	for (size_t i = 0; i < NELEM(before); i++) {
		size_t n = strlen(before[i]);

		if ((size_t)(at - text) >= n && strncasecmp(at - n, before[i], n) == 0 &&
		    ((size_t)(at - text) == n || at[-(ptrdiff_t)n - 1] == ' '))
			return true;
	}
	if (strncasecmp(at, "left ", 5) != 0 || at + 5 >= end || isupper((unsigned char)at[5]))
		return false;
	for (size_t i = 0; i < NELEM(behind); i++)
		if ((size_t)(end - at) >= 5 + strlen(behind[i]) &&
		    strncasecmp(at + 5, behind[i], strlen(behind[i])) == 0)
			return false;
	return true;
}

/* Whether the end is one of the speaker's part in something, which may go on without them. */
static bool
is_leaving(const char *end)
{
	static const char *const words[] = { "left ", "leaving ", "quit ", "handed over ",
		"resigned from ", "retired from " };

	for (size_t i = 0; i < NELEM(words); i++)
		if (strncasecmp(end, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* "The choir meets on Mondays": whether it is of something else than who keeps the memory. */
static bool
has_subject(const struct said *claim)
{
	return claim->n > 0 && (claim->w[0].article ||
	    (claim->w[0].len == 3 && memcmp(claim->w[0].term, "the", 3) == 0));
}

/* Whether the words behind a bound say which one is meant, and the claim does not have them. */
static bool
is_narrower(const struct ending *e, size_t bound)
{
	static _Thread_local struct said s;
	const struct cue *which = ending_find(e, "which", bound);
	const struct cue *all = ending_find(e, "bound", bound);
	size_t n;

	if (which == NULL || which->start != bound || which->len != all->len)
		return false;
	read_named(e, end_of(which), e->part.len, &s);
	return ended_count_things(&s, NULL) > 0 && !has_all(e->claim, &s, &n);
}

/* Whether a word of the table is a part of a longer one: "from" of "from now on". */
static bool
is_within(const struct ending *e, const struct cue *cue)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->cues[i].len > cue->len && e->cues[i].start <= cue->start &&
		    end_of(&e->cues[i]) >= end_of(cue))
			return true;
	return false;
}

/* Where the words about a place that begin at a byte of the part are over. */
static size_t
place_end(const struct ending *e, size_t from)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->cues[i].start >= from && !is_of(&e->cues[i], "aside"))
			return e->cues[i].start;
	return e->part.len;
}

bool
ending_is_elsewhere(const struct ending *e)
{
	static _Thread_local struct said s;

	for (size_t i = 0; i < e->n; i++) {
		size_t from = end_of(&e->cues[i]);

		if (!(is_of(&e->cues[i], "which") || is_of(&e->cues[i], "place")) ||
		    is_within(e, &e->cues[i]))
			continue;
		read_named(e, from, place_end(e, from), &s);
		/* "in the mill project we use git" */
		for (size_t k = 0; k < s.n && !s.w[k].person; k++)
			if (ended_is_thing(&s.w[k]) && !weigh_has(e->claim, &s.w[k]))
				return true;
	}
	return false;
}

/* "We dropped Redis": what stands behind the end, up to where something else begins. */
static bool
ends_behind(const struct ending *e)
{
	static _Thread_local struct said s;
	const char *text = e->part.text;
	const struct cue *end = find_end(e, "behind");
	size_t bound, n;

	if (end == NULL || is_hedged(e, end->start) ||
	    is_attribute(text, text + end->start, text + e->part.len))
		return false;
	bound = bound_of(e, end_of(end));
	read_named(e, end_of(end), bound, &s);
	return has_all(e->claim, &s, &n) && !is_narrower(e, bound) &&
	    !(is_leaving(text + end->start) && has_subject(e->claim)) &&
	    is_subject(e->claim, text, end->start);
}

/* "Moving the blog off Heroku", "took the site off the Pi": what stands behind "off". */
static bool
ends_off(const struct ending *e)
{
	static _Thread_local struct said s;
	const struct cue *verb = ending_find(e, "takes", 0);
	const struct cue *off = verb != NULL ? ending_find(e, "off", end_of(verb)) : NULL;
	size_t n;

	if (off == NULL || is_hedged(e, verb->start))
		return false;
	read_named(e, end_of(off), bound_of(e, end_of(off)), &s);
	if (!has_all(e->claim, &s, &n))
		return false;
	/* "moving the blog off", "the nurse took me off", "Tom moved off" */
	values_read_untimed(&s, e->part.text + end_of(verb), off->start - end_of(verb));
	return s.n > 0
	    ? is_subject(e->claim, e->part.text + end_of(verb), off->start - end_of(verb))
	    : is_subject(e->claim, e->part.text, verb->start);
}

/* "The gate: no longer an issue": what stands in the part before. */
static bool
ends_part_before(const struct ending *e)
{
	static _Thread_local struct said s;
	const struct cue *head = find_end(e, "head");
	size_t n;

	if (head == NULL || head->start > 0 || e->before.len == 0)
		return false;
	values_read_untimed(&s, e->before.text, e->before.len);
	return has_all(e->claim, &s, &n) && n > 1;
}

/* "Redis is gone": what stands before it. */
static bool
ends_before(const struct ending *e)
{
	static _Thread_local struct said s;
	const struct cue *end = find_end(e, "before");
	size_t n;

	if (end == NULL || is_hedged(e, end->start))
		return false;
	read_named(e, 0, end->start, &s);
	return has_all(e->claim, &s, &n);
}

/* "Sian has no time": whether the only thing that is named is a name. */
static bool
is_name_alone(const struct said *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (ended_is_thing(&s->w[i]) && !s->w[i].name && !s->w[i].first)
			return false;
	return true;
}

/* Whether a part says "no more" by one word, or by two that belong together. */
static bool
says_no_more(const struct ending *e)
{
	static const char *const pairs[][2] = { { "none_de", "more_de" },
		{ "none_fr", "more_fr" }, { "none_es", "more_es" }, { "none_it", "more_it" },
		{ "none_pt", "more_pt" } };

	const struct cue *once = ending_find(e, "once", 0);

	if (ending_find(e, "whole", 0) != NULL || (once != NULL && !is_hedged(e, once->start)))
		return true;
	for (size_t i = 0; i < NELEM(pairs); i++) {
		const struct cue *none = ending_find(e, pairs[i][0], 0), *than;
		const struct cue *more = none != NULL ? ending_find(e, pairs[i][1], end_of(none))
						      : NULL;

		if (more == NULL)
			continue;
		than = ending_find(e, "than", end_of(more));
		if (than == NULL || than->at != more->at + 1)
			return true;
	}
	return false;
}

/* "I don't drive any more", "Sian has no time any more": all of the part. */
static bool
ends_no_more(const struct ending *e)
{
	static _Thread_local struct said s;
	size_t n;

	if (e->occasion || !says_no_more(e))
		return false;
	read_named(e, 0, e->part.len, &s);
	if (!has_all(e->claim, &s, &n) || (s.stance & ~e->claim->stance & STANCE_KIN) != 0)
		return false;
	return n > 1 || !is_name_alone(&s) || !is_lasting(e->claim);
}

/* "npm from now on instead of yarn": what stands behind "instead of". */
static bool
ends_instead(const struct ending *e)
{
	static _Thread_local struct said s;
	const struct cue *end = ending_find(e, "instead", 0);
	size_t n;

	if (end == NULL || !e->now || is_hedged(e, end->start))
		return false;
	read_named(e, end_of(end), bound_of(e, end_of(end)), &s);
	return has_all(e->claim, &s, &n);
}

/* Whether a value may be of somebody or somewhere else: "the salary of Tom is 4000". */
static bool
is_of_others(const struct ending *e)
{
	static _Thread_local struct said claim, part;
	bool other = false;

	values_read_untimed(&claim, e->text, e->len);
	values_read_untimed(&part, e->part.text, e->part.len);
	for (size_t i = 0; i < claim.n; i++)
		other |= claim.w[i].name && ended_is_thing(&claim.w[i]) &&
		    !said_has(&part, &claim.w[i]) && !weigh_is_unit(&claim.w[i]);
	for (size_t i = 1; i < part.n; i++)
		other |= part.w[i].name && ended_is_thing(&part.w[i]) &&
		    !said_has(&claim, &part.w[i]) && !weigh_is_unit(&part.w[i]);
	return other;
}

/* "Rent was raised to 1,240": of what stands before "to" the claim says another value. */
static bool
ends_moved(const struct ending *e)
{
	static _Thread_local struct said s, value, all;
	const char *text = e->part.text;
	const struct cue *moved = ending_find(e, "moved", 0), *to = ending_find(e, "to", 0);
	size_t start = 0, end, n;
	unsigned types;

	while (to != NULL && moved != NULL && to->start > moved->start &&
	    to->start < end_of(moved))
		to = ending_find(e, "to", end_of(moved));
	if (e->occasion || moved == NULL || to == NULL ||
	    is_hedged(e, MIN(moved->start, to->start)))
		return false;
	end = MIN(moved->start, to->start);
	if (to->start > end_of(moved)) {       /* "we moved the server to Stockholm" */
		read_named(e, end_of(moved), to->start, &s);
		if (ended_count_things(&s, NULL) > 0) {
			start = end_of(moved);
			end = to->start;
		}
	}
	read_named(e, start, end, &s);
	if (!has_all(e->claim, &s, &n))
		return false;
	said_read(&value, text + end_of(to), e->part.len - end_of(to));
	said_read(&all, text, e->part.len);
	types = values_own(&value, e->claim, true);
	if (values_own_time(text + end_of(to), e->part.len - end_of(to), e->claim))
		types |= VALUE_TIME;
	if ((types & (VALUE_NUMBER | VALUE_TIME)) != 0 && is_of_others(e))
		return false;
	return (types & values_own(e->claim, &all, false)) != 0 ||
	    ((types & VALUE_TIME) != 0 && values_own_time(e->text, e->len, &all));
}

/*
 * "A cot, drop side", "stop using it": a verb without an ending at the start of a part names what
 * something is like, or asks for it. Nothing has ended.
 */
static bool
is_bare(const struct ended_part *p)
{
	static const char *const verbs[] = { "drop ", "stop ", "remove ", "delete ", "sell ",
		"cancel ", "close ", "replace ", "retire ", "leave " };

	for (size_t i = 0; i < NELEM(verbs); i++)
		if (p->len > strlen(verbs[i]) &&
		    strncasecmp(p->text, verbs[i], strlen(verbs[i])) == 0)
			return true;
	return false;
}

bool
ending_ends(const struct ending *e)
{
	return !is_bare(&e->part) && (ends_behind(e) || ends_before(e) || ends_no_more(e) ||
	    ends_off(e) || ends_part_before(e) || ends_instead(e) || ends_moved(e));
}
