/*
 * ended.c: a sentence is cut into parts at its commas and "and". One of them must have a word of
 * an end (schema/cues/ends.txt), or move a value; all that it names beside must be in the older
 * statement, which is of the same one and says little else.
 */
#include "statement/ended.h"

#include <strings.h>

#include "base/ascii.h"
#include "statement/end_part.h"
#include "statement/stance.h"
#include "statement/statement.h"
#include "statement/values.h"
#include "statement/vouch.h"
#include "statement/weigh.h"

#define SPELL_FAR   3 /* words behind "for" in which the time stands that it is for */
#define SHARE_NAMED 3 /* of the things that the older names, the newer has one in so many */

/* ---- things ---- */

/*
 * Whether the claim has all things of s. Unless lead, one must not merely be whom or what the claim
 * begins with: "Ruth has gone off tea" ends nothing else of Ruth. "The choir" is a thing. aims:
 * NULL, or what that is for which was decided: "the queue", of "Redis for the queue".
 */
static bool
has_all(const struct said *claim, const struct said *s, const struct said *aims, bool lead)
{
	size_t k = 0, n = 0;

	while (!lead && aims == NULL && k < s->n && k < claim->n && end_is_thing(&claim->w[k]) &&
	    s->w[k].id == claim->w[k].id)
		k++;
	for (size_t i = 0; i < s->n; i++) {
		if (!end_is_thing(&s->w[i]))
			continue;
		if (!weigh_has(claim, &s->w[i]))
			return false;
		n += i >= k;
	}
	return n > 0 && (aims == NULL || end_things(s, aims, false) > 0);
}

/* ---- three ways to say so ---- */

/* "Redis was replaced": what the part begins with is what has ended, and no person. */
static bool
is_passive(const struct end_part *p, const struct cue *end)
{
	const struct cue *by = end_part_find(p, "passive", end->start);

	return by != NULL && by->start == end->start;
}

/*
 * "For Valkey" is what took its place, "for 90 euros" what it was sold for; "for the queue", and
 * "for Asia" beside "for Europe", is what it is used for.
 */
static bool
is_instead(const struct end_part *p, const struct said *aims)
{
	const struct cue *aim = end_part_find(p, "aim", 0);
	const char *from = p->at.text + aim->start, *behind = p->at.text + cue_end(aim) + 1;
	bool inside = behind < p->at.text + p->at.len;
	bool name = inside && strncasecmp(from, "for ", 4) == 0 && *behind >= 'A' && *behind <= 'Z';

	for (size_t i = 0; i < aims->n; i++)
		name &= !aims->w[i].name;
	return name || (inside && ascii_is_digit(*behind));
}

/* Whether it has ended at a place of which the claim is not known to be: "on staging". */
static bool
is_elsewhere(const struct said *claim, const struct end_part *p)
{
	static _Thread_local struct said place;
	const struct cue *on = end_part_scope(p);

	if (on == NULL)
		return false;
	end_part_named(p, cue_end(on), end_part_bound(p, cue_end(on)), &place);
	return end_things(&place, claim, false) > 0;
}

/* Whether what stands behind a word, up to where something else begins, is less than the whole. */
static bool
is_less(const struct said *whole, const struct end_part *p, const struct cue *from)
{
	static _Thread_local struct said s;

	if (from == NULL)
		return false;
	end_part_named(p, cue_end(from), end_part_bound(p, cue_end(from)), &s);
	return end_things(&s, whole, true) > 0 && end_things(&s, whole, false) > 0;
}

/* Whether what it has ended for is one thing, or a time: "for the shop", "for two months". */
static bool
is_for_one(const struct end_part *p)
{
	const struct cue *aim = end_part_find(p, "aim", 0), *one = end_part_find(p, "aim_one", 0);
	const struct cue *spell = aim != NULL ? end_part_find(p, "spell", cue_end(aim)) : NULL;

	return (aim != NULL && one != NULL && one->start == aim->start) ||
	    (spell != NULL && spell->at <= aim->at + SPELL_FAR);
}

/*
 * Whether it has ended for something, and what it is for in the claim is more than that: "for the
 * queue of mails" is less than "for the queue", and "for the queue" less than nothing said of it.
 */
static bool
is_for_part(const char *claim, size_t len, const struct end_part *p)
{
	static _Thread_local struct said ended, aims, all;

	end_aims(p->at.text, p->at.len, &ended);
	if (end_things(&ended, NULL, true) == 0)
		return false;
	end_aims(claim, len, &aims);
	said_read(&all, claim, len);
	if (end_things(&aims, NULL, true) == 0)
		return is_for_one(p) && end_things(&ended, &all, false) > 0;
	return is_less(&aims, p, end_part_find(p, "aim", 0)) ||
	    (end_things(&aims, &ended, false) > 0 && !is_instead(p, &aims));
}

/* Whether it has ended with somebody whom the claim does not name: "I stopped rowing with Bea". */
static bool
is_with_another(const struct said *claim, const struct end_part *p, const struct cue *end)
{
	static _Thread_local struct said s;
	const struct cue *with = end_part_find(p, "company", cue_end(end));

	if (with == NULL || end_part_find(p, "traded", 0) != NULL)
		return false;
	end_part_named(p, cue_end(with), end_part_bound(p, cue_end(with)), &s);
	for (size_t i = 0; i < s.n; i++)
		if ((s.w[i].name || s.w[i].first) && !s.german && !weigh_has(claim, &s.w[i]))
			return true;
	return false;
}

/* Whether it is told of what "we" do: "we drop Redis", and not "they drop it". */
static bool
is_ours(const struct end_part *p)
{
	return cues_has("schema/cues/statement.txt", "first_plural", p->at.text, p->at.len);
}

/* Whether it names nothing but what one does, by a verb that goes with much: "I no longer run". */
static bool
does_alone(const struct said *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (end_is_thing(&s->w[i]))
			return false;
		n += s->w[i].content && weigh_is_light(&s->w[i]);
	}
	return n == 1;
}

/* Whether that is all that the claim says, but for when: "I run on Mondays", and no "bakery". */
static bool
does_it(const struct said *claim, const struct said *verb)
{
	for (size_t i = 0; i < claim->n; i++)
		if (end_is_thing(&claim->w[i]) && !claim->w[i].number)
			return false;
	for (size_t i = 0; i < verb->n; i++)
		if (verb->w[i].content && weigh_is_light(&verb->w[i]) &&
		    weigh_has(claim, &verb->w[i]))
			return true;
	return false;
}

/*
 * "We dropped Redis", "Redis is gone", "I don't drive any more": all that the part names, up to
 * where something else begins. occasion: the sentence says when. once: that, or what is
 * cancelled comes to pass again and again, so that "cancelled" is said of one time. habit: the
 * claim without words of how often and when (end_part_habit).
 */
static bool
ends_thing(const struct said *claim, const struct said *habit, const struct said *aims,
	const struct end_part *p, bool occasion, bool once)
{
	static _Thread_local struct said s;
	const struct cue *end = end_part_find(p, "end", 0);
	size_t to = p->at.len;

	end = end == NULL ? end_part_find(p, "lost", 0) : end;
	end = end == NULL && !once ? end_part_find(p, "cancel", 0) : end;
	end = end == NULL && is_ours(p) ? end_part_find(p, "drop", 0) : end;
	if (end != NULL && !end_part_hedged(p, end))
		to = end_part_bound(p, cue_end(end));
	else if (occasion || !end_part_no_more(p))
		return false;
	end_part_named(p, 0, to, &s);
	if (end == NULL && does_alone(&s))
		return does_it(habit, &s);
	return has_all(claim, &s, aims, end != NULL && is_passive(p, end)) &&
	    (end == NULL || !is_with_another(claim, p, end));
}

/* "We use npm instead of yarn from now on": what stands behind, and only one thing is new. */
static bool
ends_instead(const struct said *claim, const struct said *aims, const struct said *sentence,
	const struct end_part *p)
{
	static _Thread_local struct said s;
	const struct cue *end = end_part_find(p, "instead", 0);

	if (end == NULL || end_part_hedged(p, end) || end_things(sentence, claim, false) > 1)
		return false;
	end_part_named(p, cue_end(end), end_part_bound(p, cue_end(end)), &s);
	return has_all(claim, &s, aims, false);
}

/*
 * "Rent was raised to 1,240", "they moved the server to Graz": of what stands between both words,
 * or before them, the claim says another value. "Ines changed to day shifts" has nothing between.
 */
static bool
ends_moved(const struct said *claim, const char *text, size_t len, const struct end_part *p)
{
	static _Thread_local struct said s, value, all;
	const struct cue *to = NULL, *moved = end_part_find(p, "moved", 0);
	const struct cue *by = moved != NULL ? moved : end_part_find(p, "moves", 0);
	const char *behind;
	size_t left;
	unsigned types;

	for (size_t i = 0; i < p->found.n; i++)
		if (cue_text_is(&p->found, &p->found.cues[i], "to"))
			to = &p->found.cues[i];
	if (by == NULL || to == NULL || end_part_hedged(p, to) || end_part_hedged(p, by))
		return false;
	end_part_named(p, MIN(cue_end(by), to->start), to->start, &s);
	if (end_things(&s, NULL, true) == 0 && moved != NULL)
		end_part_named(p, 0, MIN(moved->start, to->start), &s);
	if (end_things(&s, NULL, true) == 0 || end_things(&s, claim, false) > 0)
		return false;
	behind = p->at.text + cue_end(to);
	left = p->at.len - cue_end(to);
	values_read_untimed(&value, behind, left);
	said_read(&all, p->at.text, p->at.len);
	types = values_own(&value, claim, true);
	if (values_own_time(behind, left, claim))
		types |= VALUE_TIME;
	/* "room 5" is no other value of "12 October" */
	values_read_untimed(&value, text, len);
	return (types & values_own(&value, &all, false)) != 0 ||
	    ((types & VALUE_TIME) != 0 && values_own_time(text, len, &all));
}

/* ---- the whole ---- */

/*
 * Whether both are of the same one. Where the newer one is of the speaker, the claim is, too: "I
 * row", "likes rowing", or "our boat" where the boat is spoken of. Else the first thing that the
 * claim names is in the newer, or the claim is the speaker's, as what was decided is. What is said
 * of a sister is hers.
 */
static bool
is_of_same(const struct said *claim, const struct said *said, bool decided)
{
	bool speaks = false, mine = false, lead = false;
	bool own = decided || (claim->n > 0 && ((claim->w[0].marks & SAID_COPULA) != 0 ||
	    weigh_is_light(&claim->w[0])));

	if ((claim->stance & ~said->stance & STANCE_KIN) != 0)
		return false;
	for (size_t i = 0; i < said->n; i++)
		speaks |= said->w[i].person || said->w[i].mine;
	for (size_t i = 0; i < claim->n; i++) {
		own |= claim->w[i].person && !claim->w[i].mine;
		mine |= claim->w[i].mine;
	}
	for (size_t i = 0; i < claim->n; i++)
		if (end_is_thing(&claim->w[i])) {
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
		struct end_span p = end_part_next(&at, end);

		said_read(&s, p.text, p.len);
		if (end_things(&s, NULL, true) > 0 && end_things(&s, said, true) == 0)
			return true;
	}
	return false;
}

/* Whether it speaks of others: what they dropped, we may use. */
static bool
is_of_others(const char *text, size_t len)
{
	static const char *const table = "schema/cues/statement.txt";

	return cues_has(table, "second", text, len) || cues_has(table, "third", text, len);
}

/* Of texts without labels; decided: the older one says what was decided; now: so does the newer. */
static bool
ends_bare(const char *older, size_t older_len, const char *newer, size_t newer_len, bool decided,
	bool now)
{
	const unsigned open = STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct said claim, said, named, aims, habit;
	static _Thread_local struct end_part p;
	const struct said *of = decided ? &aims : NULL;
	const char *at = newer, *end = newer + newer_len;
	bool occasion, once, bare;     /* bare: but for times it names nothing */

	end_part_read(&p, (struct end_span){ newer, newer_len });
	if (!end_part_may_end(&p) || end_part_find(&p, "while", 0) != NULL)
		return false;
	occasion = end_part_find(&p, "occasion", 0) != NULL;
	once = occasion || (end_part_find(&p, "recurs", 0) == NULL &&
	    cues_has("schema/cues/ends.txt", "recurs", older, older_len));
	now |= end_part_find(&p, "now", 0) != NULL;
	end_part_named(&p, 0, newer_len, &named);
	said_read(&claim, older, older_len);
	said_read(&said, newer, newer_len);
	end_part_habit(older, older_len, &habit);
	bare = end_things(&habit, NULL, true) == 0;
	if (!end_is_standing(&claim) || (said.stance & open) != 0 ||
	    !is_of_same(&claim, &said, decided) ||
	    (!bare && SHARE_NAMED * end_things(&claim, &said, true) <
		end_things(&claim, NULL, true)) ||
	    (decided && is_of_others(newer, newer_len)) ||
	    (!bare && says_more(older, older_len, &said)) || !vouch_is_own(newer, newer_len) ||
	    !vouch_is_own(older, older_len))
		return false;
	end_aims(older, older_len, &aims);
	end_part_read(&p, (struct end_span){ older, older_len });
	end_part_named(&p, 0, older_len, &said);
	if (end_things(&said, &aims, false) == 0)
		aims.n = 0;                    /* "we decided for Redis" */
	while (at < end) {
		end_part_read(&p, end_part_next(&at, end));
		if (is_for_part(older, older_len, &p) || is_elsewhere(&claim, &p))
			continue;
		if (ends_thing(&claim, &habit, of, &p, occasion, once) ||
		    (now && ends_instead(&claim, of, &named, &p)) ||
		    (!occasion && ends_moved(&claim, older, older_len, &p)))
			return true;
	}
	return false;
}

bool
ended_text(const char *older, size_t older_len, const char *newer, size_t newer_len)
{
	enum reading_kind a = READ_FACT, b = READ_FACT;
	size_t n = statement_head(older, older_len, &a);
	size_t m = statement_label(newer, newer_len, NULL);

	statement_head(newer, newer_len, &b);
	if (a == READ_TODO || b == READ_TODO)
		n = m = 0;
	return ends_bare(older + n, older_len - n, newer + m, newer_len - m, a == READ_DECISION,
	    b == READ_DECISION);
}

bool
ended_names(const char *text, size_t len)
{
	static _Thread_local struct end_part p;
	static _Thread_local struct said s;
	const struct cue *end;
	bool named = false;

	end_part_read(&p, (struct end_span){ text, len });
	end = end_part_find(&p, "end", 0);
	end = end == NULL ? end_part_find(&p, "drop", 0) : end;
	if (!is_ours(&p) || end_part_find(&p, "while", 0) != NULL || is_of_others(text, len) ||
	    (end != NULL ? end_part_hedged(&p, end) : !end_part_no_more(&p)))
		return false;
	end_part_named(&p, 0, end != NULL ? end_part_bound(&p, cue_end(end)) : len, &s);
	for (size_t i = 0; i < s.n; i++)
		named |= s.w[i].name || s.w[i].whole;
	return named && (s.stance & (STANCE_WANTS | STANCE_TRIES | STANCE_ASKS)) == 0;
}

bool
ended_moves(const char *text, size_t len)
{
	static _Thread_local struct end_part p;
	static const struct said nothing;
	const struct cue *moved, *to;

	end_part_read(&p, (struct end_span){ text, len });
	moved = end_part_find(&p, "moved", 0);
	to = moved != NULL ? end_part_find(&p, "to", cue_end(moved)) : NULL;
	return to != NULL && moved->at > 0 && !end_part_hedged(&p, moved) &&
	    end_part_find(&p, "while", 0) == NULL &&
	    values_own_time(text + cue_end(to), len - cue_end(to), &nothing);
}
