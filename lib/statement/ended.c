/*
 * ended.c: a sentence is cut into parts at its commas and "and". One of them must have a word of
 * an end (schema/cues/ends.txt), or move a value; all that it names beside must be in the older
 * statement, which is of the same one and says little else.
 */
#include "statement/ended.h"

#include <ctype.h>
#include <strings.h>

#include "statement/cues.h"
#include "statement/stance.h"
#include "statement/values.h"
#include "statement/vouch.h"
#include "statement/weigh.h"

#define TABLE       "schema/cues/ends.txt"
#define PART_BYTES  2000
#define SHARE_NAMED 3 /* of the things that the older names, the newer has one in so many */
#define HAN_THING   3 /* so many characters count as one thing */

struct span { const char *text; size_t len; };

/* A part of a sentence with the words of the table that are in it. */
struct part {
	struct span at;
	struct cue_text found;
};

/* ---- parts ---- */

/* The bytes of the mark at p, perhaps behind a number, that ends a part; 0: none does. */
static size_t
mark_at(const char *p, const char *end, bool number)
{
	static const char *const marks[] = { ",", ";", ":", " and ", " but ", ". ", "! ", "，",
		"；", "。", "：", " und ", " aber ", " y ", " et " };

	for (size_t i = 0; i < NELEM(marks); i++) {
		size_t n = strlen(marks[i]);

		/* "at 10:30", "1,240", "am 3. April" */
		if ((size_t)(end - p) > n && memcmp(p, marks[i], n) == 0 &&
		    !(n == 1 && isdigit((unsigned char)p[1])) &&
		    !(*p == '.' && number))
			return n;
	}
	return 0;
}

static struct span
next_part(const char **at, const char *end)
{
	const char *start = *at, *p = start;
	size_t mark = 0;

	while (p < end && (mark = mark_at(p, end, p > start &&
	    isdigit((unsigned char)p[-1]))) == 0)
		p++;
	*at = p < end ? p + mark : end;
	while (start < p && *start == ' ')
		start++;
	return (struct span){ start, (size_t)(p - start) };
}

/* ---- words of the table ---- */

static void
read_part(struct part *p, struct span at)
{
	p->at = at;
	cue_text_read(&p->found, TABLE, at.text, at.len);
}

static const struct cue *
find(const struct part *p, const char *class, size_t from)
{
	return cue_text_find(&p->found, class, from);
}

/* Whether the end is only supposed, asked for or denied: such a word stands before it. */
static bool
is_hedged(const struct part *p, const struct cue *cue)
{
	const struct cue *hedge = find(p, "hedge", 0);

	return hedge != NULL && hedge->start < cue->start;
}

/* Whether a word of the table may name what has ended. */
static bool
is_named(const struct part *p, const struct cue *cue)
{
	static const char *const classes[] = { "to", "bound", "from", "otherwise" };

	for (size_t i = 0; i < NELEM(classes); i++)
		if (cue_text_is(&p->found, cue, classes[i]))
			return true;
	return false;
}

/* Reads bytes of the part, without the words of an end, and times. */
static void
read_named(const struct part *p, size_t from, size_t to, struct said *s)
{
	char bare[PART_BYTES];

	to = MIN(to, from + sizeof(bare) - 1);
	memcpy(bare, p->at.text + from, to - from);
	for (size_t i = 0; i < p->found.n; i++) {
		const struct cue *cue = &p->found.cues[i];

		if (!is_named(p, cue) && cue->start >= from && cue_end(cue) <= to)
			memset(bare + cue->start - from, ' ', cue->len);
	}
	values_read_untimed(s, bare, to - from);
}

/* Where what begins at a byte of the part is over: "for 300 euros", "because". */
static size_t
bound_of(const struct part *p, size_t from)
{
	const struct cue *bound = find(p, "bound", from);

	return bound != NULL ? bound->start : p->at.len;
}

/* ---- things ---- */

/* A word that names something; "no", "more" and verbs that go with everything do not. */
static bool
is_thing(const struct said_word *w)
{
	return !weigh_is_silent(w) && !weigh_is_light(w) && !w->negates && w->pole == 0;
}

/* How many things a statement names; of them, if other is not NULL, those that it has or lacks. */
static size_t
count_things(const struct said *s, const struct said *other, bool has)
{
	size_t n = 0, n_han = 0;

	for (size_t i = 0; i < s->n; i++)
		if (is_thing(&s->w[i]) && (other == NULL || weigh_has(other, &s->w[i]) == has))
			*(s->w[i].half ? &n_han : &n) += 1;
	return n + (n_han + HAN_THING - 1) / HAN_THING;
}

/*
 * Whether the claim has all things of s. Unless lead, one must not merely be whom or what the claim
 * begins with: "Ruth has gone off tea" ends nothing else of Ruth. "The choir" is a thing.
 */
static bool
has_all(const struct said *claim, const struct said *s, bool lead)
{
	size_t k = 0, n = 0;

	while (!lead && k < s->n && k < claim->n && is_thing(&claim->w[k]) &&
	    s->w[k].id == claim->w[k].id)
		k++;
	for (size_t i = 0; i < s->n; i++) {
		if (!is_thing(&s->w[i]))
			continue;
		if (!weigh_has(claim, &s->w[i]))
			return false;
		n += i >= k;
	}
	return n > 0;
}

/* ---- three ways to say so ---- */

/* "No more than two": such a word stands right behind. */
static bool
is_than(const struct part *p, const struct cue *more)
{
	const struct cue *than = find(p, "than", cue_end(more));

	return than != NULL && than->start == cue_end(more) + 1;
}

/* Whether a part says "no more", by one word or two that belong together: "keinen Kaffee mehr". */
static bool
says_no_more(const struct part *p)
{
	const struct cue *whole = find(p, "whole", 0), *once = find(p, "once", 0);
	static const char *const pairs[][2] = { { "none_de", "more_de" },
		{ "none_fr", "more_fr" }, { "none_es", "more_es" }, { "none_it", "more_it" },
		{ "none_pt", "more_pt" } };

	if ((whole != NULL && !is_than(p, whole)) || (once != NULL && !is_hedged(p, once)))
		return true;
	for (size_t i = 0; i < NELEM(pairs) && whole == NULL; i++) {
		const struct cue *none = find(p, pairs[i][0], 0);
		const struct cue *more = none != NULL ? find(p, pairs[i][1], cue_end(none)) : NULL;

		if (more != NULL && !is_than(p, more))
			return true;
	}
	return false;
}

/* "Redis was replaced": what the part begins with is what has ended, and no person. */
static bool
is_passive(const struct part *p, const struct cue *end)
{
	static const char *const starts[] = { "is ", "are ", "was ", "were ", "has been " };

	for (size_t i = 0; i < NELEM(starts); i++)
		if (strncasecmp(p->at.text + end->start, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

/*
 * "We dropped Redis", "Redis is gone", "I don't drive any more": all that the part names, up to
 * where something else begins. occasion: the sentence says when, so that "cancelled" is of once.
 */
static bool
ends_thing(const struct said *claim, const struct part *p, bool occasion)
{
	static _Thread_local struct said s;
	const struct cue *end = find(p, "end", 0);
	size_t to = p->at.len;

	end = end == NULL && !occasion ? find(p, "cancel", 0) : end;
	if (end != NULL && !is_hedged(p, end))
		to = bound_of(p, cue_end(end));
	else if (occasion || !says_no_more(p))
		return false;
	read_named(p, 0, to, &s);
	return has_all(claim, &s, end != NULL && is_passive(p, end));
}

/* "We use npm instead of yarn from now on": what stands behind, and only one thing is new. */
static bool
ends_instead(const struct said *claim, const struct said *sentence, const struct part *p)
{
	static _Thread_local struct said s;
	const struct cue *end = find(p, "instead", 0);

	if (end == NULL || is_hedged(p, end) || count_things(sentence, claim, false) > 1)
		return false;
	read_named(p, cue_end(end), bound_of(p, cue_end(end)), &s);
	return has_all(claim, &s, false);
}

/*
 * "Rent was raised to 1,240", "they moved the server to Graz": of what stands between both words,
 * or before them, the claim says another value. "Ines changed to day shifts" has nothing between.
 */
static bool
ends_moved(const struct said *claim, const char *text, size_t len, const struct part *p)
{
	static _Thread_local struct said s, value, all;
	const struct cue *to = NULL, *moved = find(p, "moved", 0);
	const struct cue *by = moved != NULL ? moved : find(p, "moves", 0);
	const char *behind;
	size_t left;
	unsigned types;

	for (size_t i = 0; i < p->found.n; i++)
		if (cue_text_is(&p->found, &p->found.cues[i], "to"))
			to = &p->found.cues[i];
	if (by == NULL || to == NULL || is_hedged(p, to) || is_hedged(p, by))
		return false;
	read_named(p, MIN(cue_end(by), to->start), to->start, &s);
	if (count_things(&s, NULL, true) == 0 && moved != NULL)
		read_named(p, 0, MIN(moved->start, to->start), &s);
	if (count_things(&s, NULL, true) == 0 || count_things(&s, claim, false) > 0)
		return false;
	behind = p->at.text + cue_end(to);
	left = p->at.len - cue_end(to);
	values_read_untimed(&value, behind, left);
	said_read(&all, p->at.text, p->at.len);
	types = values_own(&value, claim, true);
	if (values_own_time(behind, left, claim))
		types |= VALUE_TIME;
	return (types & values_own(claim, &all, false)) != 0 ||
	    ((types & VALUE_TIME) != 0 && values_own_time(text, len, &all));
}

/* ---- the whole ---- */

/*
 * Whether both are of the same one. Where the newer one is of the speaker, the claim is, too: "I
 * row", "likes rowing", or "our boat" where the boat is spoken of. Else the first thing that the
 * claim names is in the newer, or the claim is the speaker's. What is said of a sister is hers.
 */
static bool
is_of_same(const struct said *claim, const struct said *said)
{
	bool speaks = false, mine = false, lead = false;
	bool own = claim->n > 0 && ((claim->w[0].marks & SAID_COPULA) != 0 ||
	    weigh_is_light(&claim->w[0]));

	if ((claim->stance & ~said->stance & STANCE_KIN) != 0)
		return false;
	for (size_t i = 0; i < said->n; i++)
		speaks |= said->w[i].person || said->w[i].mine;
	for (size_t i = 0; i < claim->n; i++) {
		own |= claim->w[i].person && !claim->w[i].mine;
		mine |= claim->w[i].mine;
	}
	for (size_t i = 0; i < claim->n; i++)
		if (is_thing(&claim->w[i])) {
			lead = weigh_has(said, &claim->w[i]);
			break;
		}
	return speaks ? own || (mine && lead) : lead || own;
}

/* Whether the claim says of something else, too, of which the newer one says nothing. */
static bool
says_more(const char *claim, size_t len, const struct said *said)
{
	static _Thread_local struct said s;
	const char *at = claim, *end = claim + len;

	while (at < end) {
		struct span p = next_part(&at, end);

		said_read(&s, p.text, p.len);
		if (count_things(&s, NULL, true) > 0 && count_things(&s, said, true) == 0)
			return true;
	}
	return false;
}

/* Whether a statement is of what holds: an end, a wish or a question is not ended once more. */
static bool
is_standing(const struct said *claim)
{
	return !weigh_denies(claim) && (claim->stance & (STANCE_PAST | STANCE_ENDED |
	    STANCE_WANTS | STANCE_TRIES | STANCE_ASKS)) == 0;
}

bool
ended_text(const char *older, size_t older_len, const char *newer, size_t newer_len)
{
	const unsigned open = STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct said claim, said;
	static _Thread_local struct part p;
	const char *at = newer, *end = newer + newer_len;
	bool occasion, now;

	read_part(&p, (struct span){ newer, newer_len });
	if (p.found.n == 0 || find(&p, "while", 0) != NULL)
		return false;
	occasion = find(&p, "occasion", 0) != NULL;
	now = find(&p, "now", 0) != NULL;
	said_read(&claim, older, older_len);
	said_read(&said, newer, newer_len);
	if (!is_standing(&claim) || (said.stance & open) != 0 || !is_of_same(&claim, &said) ||
	    SHARE_NAMED * count_things(&claim, &said, true) < count_things(&claim, NULL, true) ||
	    says_more(older, older_len, &said) || !vouch_is_own(newer, newer_len) ||
	    !vouch_is_own(older, older_len))
		return false;
	while (at < end) {
		read_part(&p, next_part(&at, end));
		if (ends_thing(&claim, &p, occasion) || (now && ends_instead(&claim, &said, &p)) ||
		    (!occasion && ends_moved(&claim, older, older_len, &p)))
			return true;
	}
	return false;
}
