/*
 * dropped.c: all that a part with such a word names must be in the older sentence, but for what
 * takes the place of the thing. So must be what it is dropped for: "S3 instead of MongoDB for the
 * pictures" drops no MongoDB that is for sessions.
 */
#include "statement/dropped.h"

#include <strings.h>

#include "statement/end_part.h"
#include "statement/sentence.h"
#include "statement/stance.h"
#include "statement/statement.h"
#include "statement/vouch.h"
#include "statement/weigh.h"

#define BYTES     400                      /* of a sentence; of a longer one the rest counts not */
#define AIM_WORDS 3                        /* "for the readings", where a sentence begins with it */
#define OF_BYTES  3                        /* "de", "von": at most, while "from" is a time's */
#define ROOT      4                        /* bytes that two forms of a word share */

/* ---- what is said ---- */

/* As end_part_hedged, but "let's drop it" is decided. */
static bool
is_unsure(const struct end_part *p, const struct cue *cue)
{
	for (size_t i = 0; i < p->found.n; i++) {
		const struct cue *hedge = &p->found.cues[i];

		if (hedge->start < cue->start && cue_text_is(&p->found, hedge, "hedge") &&
		    strncasecmp(p->at.text + hedge->start, "let", 3) != 0)
			return true;
	}
	return false;
}

/* The first word of one of the classes; NULL: it has none. */
static const struct cue *
first_of(const struct end_part *p, const char *const classes[], size_t n)
{
	const struct cue *first = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct cue *cue = end_part_find(p, classes[i], 0);

		if (cue != NULL && (first == NULL || cue->start < first->start))
			first = cue;
	}
	return first;
}

/* Whether it tells what we do; Spanish, Portuguese and Italian have that in the verb. */
static bool
is_ours(const char *text, size_t len)
{
	static const char *const ends[] = { "amos", "emos", "imos", "iamo" };

	if (cues_has("schema/cues/statement.txt", "first_plural", text, len) ||
	    strncasecmp(text, "on ", 3) == 0 || strncasecmp(text, "nous ", 5) == 0)
		return true;
	for (size_t i = 4; i <= len; i++)
		for (size_t k = 0; k < NELEM(ends); k++)
			if ((i == len || strchr(" ,.", text[i]) != NULL) &&
			    memcmp(text + i - 4, ends[k], 4) == 0)
				return true;
	return false;
}

/* Whether "X instead of Y" is told of what is to be: "we use", "usamos", "on utilise", "use". */
static bool
is_own(const char *text, size_t len, bool ours)
{
	static _Thread_local struct cue_text use;
	const struct cue *cue;

	cue_text_read(&use, "schema/cues/against.txt", text, len);
	cue = cue_text_find(&use, "use", 0);
	return (stance_of(text, len) & STANCE_PAST) == 0 && (ours || (cue != NULL && cue->at < 2));
}

/* The start of the first word of the class at or behind a byte; the part's end: there is none. */
static size_t
start_of(const struct end_part *p, const char *class, size_t from)
{
	const struct cue *cue = end_part_find(p, class, from);

	return cue != NULL ? cue->start : p->at.len;
}

/* Where the thing that stands from a byte on is over: at what it is for, or where it is. */
static size_t
thing_end(const struct end_part *p, size_t from)
{
	return MIN(start_of(p, "aim", from), start_of(p, "within", from));
}

/* Whether the verb has its object before it: "Redis is gone", but not "the rate dropped to 4". */
static bool
is_behind(const struct end_part *p, const struct cue *end)
{
	const char *text = p->at.text + end->start;
	size_t n = end->len;

	return cue_text_is(&p->found, end, "swap") || cue_text_is(&p->found, end, "out") ||
	    (cue_text_is(&p->found, end, "end") && (memchr(text, ' ', n) != NULL ||
		(n > 3 && memcmp(text + n - 2, "ed", 2) != 0 &&
		    memcmp(text + n - 3, "ing", 3) != 0)));
}

/* Whether it is of others: "they dropped it", "you dropped it". "El" is an article, too. */
static bool
is_of_others(const char *text, size_t len)
{
	static _Thread_local struct cue_text who;

	cue_text_read(&who, "schema/cues/statement.txt", text, len);
	for (size_t i = 0; i < who.n; i++)
		if (cue_text_is(&who, &who.cues[i], "second") ||
		    (cue_text_is(&who, &who.cues[i], "third") &&
			strncasecmp(text + who.cues[i].start, "el", who.cues[i].len) != 0))
			return true;
	return false;
}

/* Adds bytes of the part to what stands beside its thing. */
static void
add_beside(char *beside, size_t *n, const struct end_part *p, size_t from, size_t to)
{
	if (from >= to || *n + to - from + 1 > BYTES)
		return;
	memcpy(beside + *n, p->at.text + from, to - from);
	*n += to - from;
	beside[(*n)++] = ' ';
}

/* Whether a word of the table only says of what the one before it is: "the queue of mails". */
static bool
is_of(const struct end_part *p, const struct cue *cue)
{
	return cue_text_is(&p->found, cue, "aside") || cue_text_is(&p->found, cue, "than") ||
	    cue_text_is(&p->found, cue, "onto") ||
	    (cue_text_is(&p->found, cue, "from") && cue->len <= OF_BYTES);
}

/* What is named where it says of what for, or where: up to the next such word. */
static void
add_aims(char *beside, size_t *n, const struct end_part *p, const char *class,
	const struct cue *but)
{
	for (const struct cue *aim = end_part_find(p, class, 0); aim != NULL;
	     aim = end_part_find(p, class, cue_end(aim))) {
		size_t end = p->at.len;

		if (but != NULL && aim->start >= but->start && aim->start < cue_end(but))
			continue;
		for (size_t i = 0; i < p->found.n; i++)
			if (p->found.cues[i].start >= cue_end(aim) &&
			    !is_of(p, &p->found.cues[i]))
				end = MIN(end, p->found.cues[i].start);
		add_beside(beside, n, p, cue_end(aim), end);
	}
}

/* Adds what it is for, and where, and reads all that stands beside the thing. */
static void
add_places(char *beside, size_t *n, const struct end_part *p, const struct cue *but,
	struct said *out)
{
	add_aims(beside, n, p, "aim", but);
	add_aims(beside, n, p, "within", but);
	if (end_part_scope(p) != NULL)
		add_aims(beside, n, p, "scope", but);
	said_read(out, beside, *n);
}

/* Reads what a part says is dropped; false: nothing is. */
static bool
read_thing(struct dropped_thing *d, const struct end_part *p, bool own)
{
	static const char *const ends[] = { "drop", "end", "swap", "out" };
	static const char *const moves[] = { "moved", "moves", "shift" };
	const struct cue *end = first_of(p, ends, NELEM(ends));
	const struct cue *instead = end_part_find(p, "instead", 0);
	const struct cue *from = end_part_find(p, "from", 0), *cue = NULL;
	char beside[BYTES];
	size_t n = 0;

	if (instead != NULL && own) {
		cue = instead;
		end_part_named(p, cue_end(cue), MIN(end_part_bound(p, cue_end(cue)),
		    thing_end(p, cue_end(cue))), &d->is);
	} else if (end != NULL) {
		size_t till = MIN(end_part_bound(p, cue_end(end)), thing_end(p, cue_end(end)));

		cue = end;
		end_part_named(p, cue_end(cue), till, &d->is);
		if (end_things(&d->is, NULL, true) == 0 && !is_behind(p, cue))
			return false;
		end_part_named(p, 0, cue_text_is(&p->found, cue, "swap") ? cue->start : till,
		    &d->is);
	} else if (end_part_no_more(p) && end_part_find(p, "once", 0) == NULL) {
		end_part_named(p, 0, thing_end(p, p->found.cues[0].start), &d->is);
	} else if (from != NULL && first_of(p, moves, NELEM(moves)) != NULL) {
		size_t till = MIN(end_part_bound(p, cue_end(from)), thing_end(p, cue_end(from)));

		cue = from;
		till = MIN(till, start_of(p, "to", cue_end(cue)));
		till = MIN(till, start_of(p, "onto", cue_end(cue)));
		end_part_named(p, cue_end(cue), till, &d->is);
		for (size_t i = 0, at = 0; i < p->found.n && at < from->start; i++) {
			add_beside(beside, &n, p, at, MIN(p->found.cues[i].start, from->start));
			at = cue_end(&p->found.cues[i]);
		}
	} else {
		return false;
	}
	add_places(beside, &n, p, cue, &d->beside);
	return end_things(&d->is, NULL, true) > 0 && (cue == NULL || !is_unsure(p, cue));
}

/* ---- what somebody will not have, and what is done in its place ---- */

/* The longest of the words that refuse something: "says no to", but also "says no". */
static const struct cue *
find_veto(const struct end_part *p)
{
	const struct cue *found = end_part_find(p, "veto", 0);

	for (size_t i = 0; i < p->found.n; i++)
		if (found != NULL && cue_text_is(&p->found, &p->found.cues[i], "veto") &&
		    p->found.cues[i].start == found->start && p->found.cues[i].len > found->len)
			found = &p->found.cues[i];
	return found;
}

/* Where what somebody says begins in a part: "Legal says Stripe is out". */
static size_t
said_from(const struct end_part *p, size_t before)
{
	static _Thread_local struct cue_text who;
	size_t from = 0;

	cue_text_read(&who, "schema/cues/vouch.txt", p->at.text, p->at.len);
	for (size_t i = 0; i < who.n; i++)
		if (cue_text_is(&who, &who.cues[i], "says") && cue_end(&who.cues[i]) <= before)
			from = cue_end(&who.cues[i]);
	return from;
}

/* Reads what a part says somebody will not have; *behind: where that is over. */
static bool
read_veto(struct dropped_thing *d, const struct end_part *p, size_t *behind)
{
	const struct cue *cue = find_veto(p), *out;
	char beside[BYTES];
	size_t n = 0;

	if (cue != NULL) {
		size_t from = cue_end(cue), bound = end_part_bound(p, from);

		*behind = MIN(thing_end(p, from), start_of(p, "so", from));
		if (bound < *behind && start_of(p, "reason", from) != bound &&
		    start_of(p, "scope", from) != bound)
			return false;          /* "no coffee after noon" */
		*behind = MIN(*behind, bound);
		end_part_named(p, from, *behind, &d->is);
	} else if ((out = end_part_find(p, "vetoed", 0)) != NULL ||
	    (out = end_part_find(p, "out", 0)) != NULL) {
		cue = out;
		*behind = cue_end(out);
		end_part_named(p, said_from(p, out->start), MIN(end_part_bound(p, *behind),
		    thing_end(p, *behind)), &d->is);
	} else {
		return false;
	}
	add_places(beside, &n, p, cue, &d->beside);
	return end_things(&d->is, NULL, true) > 0 && !is_unsure(p, cue);
}

/* Whether a part says, from a byte on, what is done: "we use Mollie", "so memcached it is". */
static bool
takes_other(const struct end_part *p, size_t from, const struct said *is)
{
	static _Thread_local struct said other;
	static const char *const how[] = { "it_is", "now", "other" };
	const struct cue *take = end_part_find(p, "take", from);
	const char *text = p->at.text + from;
	bool takes = take != NULL && (is_ours(text, p->at.len - from) ||
	    strncasecmp(p->at.text + take->start, "on ", 3) == 0);

	for (size_t i = 0; i < NELEM(how) && end_part_find(p, "so", from) != NULL; i++)
		takes |= end_part_find(p, how[i], from) != NULL;
	end_part_named(p, from, p->at.len, &other);
	return takes && end_things(&other, is, false) > 0;
}

/*
 * "Legal says Stripe is out, we use Mollie", "Priya says no to Redis, so memcached it is": others
 * refuse it, and we go by that.
 */
static bool
read_refused(struct dropped *d, const char *at, const char *end)
{
	static _Thread_local struct end_part p;
	bool refused = false;

	while (at < end) {
		size_t from = 0;

		end_part_read(&p, end_part_next(&at, end));
		if (!refused) {
			refused = read_veto(&d->of[0], &p, &from);
			if (!refused || (from = start_of(&p, "so", from)) == p.at.len)
				continue;
		}
		if (takes_other(&p, from, &d->of[0].is))
			return true;
	}
	return false;
}

/* ---- the whole ---- */

bool
dropped_read(struct dropped *d, const char *sentence, size_t len, bool decided)
{
	static _Thread_local struct end_part p;
	const char *at = sentence + statement_label(sentence, len, NULL);
	const char *end = sentence + MIN(len, BYTES);
	static const char *const open[] = { "while", "occasion", "unsure" };
	static const char *const refuse[] = { "veto", "vetoed", "out" };
	bool own, others, refused;

	d->n = 0;
	d->told = d->named = false;
	end_part_read(&p, (struct end_span){ sentence, (size_t)(end - sentence) });
	if (!end_part_may_end(&p))
		return false;
	d->ours = is_ours(sentence, (size_t)(end - sentence));
	own = decided || at > sentence || is_own(sentence, (size_t)(end - sentence), d->ours);
	if (first_of(&p, open, NELEM(open)) != NULL ||
	    sentence_asks(sentence, len) ||
	    (stance_of(sentence, len) & (STANCE_WANTS | STANCE_TRIES | STANCE_ASKS)) != 0)
		return false;
	refused = first_of(&p, refuse, NELEM(refuse)) != NULL;
	others = is_of_others(sentence, (size_t)(end - sentence));
	for (const char *part = at; part < end && !others && d->n < DROPPED_MOST;) {
		const struct said *is = &d->of[d->n].is;

		end_part_read(&p, end_part_next(&part, end));
		if (p.found.n == 0 || !read_thing(&d->of[d->n], &p, own))
			continue;
		for (size_t i = 0; i < is->n; i++)
			d->named |= is->w[i].name || is->w[i].whole;
		d->n++;
	}
	if (d->n > 0 && vouch_is_own(sentence, len))
		return true;
	d->told = refused && vouch_is_told(sentence, len) && read_refused(d, at, end);
	d->n = d->told;
	return d->told;
}

/* ---- what it is said of ---- */

/* Whether the text has the beginning of a thing's first word: others need not be read. */
static bool
may_have(const struct said *s, const char *text, size_t len)
{
	const struct said_word *w = s->w;

	while (!end_is_thing(w))
		w++;
	for (size_t i = 0, n = MIN(w->len, ROOT); i + n <= len; i++)
		if (strncasecmp(text + i, w->term, n) == 0)
			return true;
	return (unsigned char)w->term[0] >= 0x80;
}

/* Blanks out what the words of a class say. */
static void
blank(char *text, const char *from, size_t len, const char *table, const char *class)
{
	static _Thread_local struct cue_text found;

	cue_text_read(&found, table, from, len);
	for (size_t i = 0; i < found.n; i++)
		if (cue_text_is(&found, &found.cues[i], class))
			memset(text + found.cues[i].start, ' ', found.cues[i].len);
}

/*
 * Blanks out that it was decided to use it, what the thing of each part is for, and what was
 * dropped for it.
 */
static void
read_own(struct said *s, const char *text, size_t len)
{
	static const char *const others[] = { "aim", "instead", "drop", "end" };
	static _Thread_local struct end_part p;
	const char *at = text, *end = text + len;
	char own[BYTES];

	memcpy(own, text, len);
	blank(own, text, len, "schema/cues/lasting.txt", "decided");
	blank(own, text, len, "schema/cues/against.txt", "use");
	while (at < end) {
		const struct cue *cue;
		size_t from, to;

		end_part_read(&p, end_part_next(&at, end));
		if ((cue = first_of(&p, others, NELEM(others))) == NULL)
			continue;
		from = (size_t)(p.at.text - text) + cue->start;
		to = (size_t)(p.at.text - text) + p.at.len;
		for (size_t i = from, n = 0; cue->start == 0 && i < to; i++)
			if (own[i] == ' ' && n++ == AIM_WORDS - 1)
				to = i;
		memset(own + from, ' ', to - from);
	}
	said_read(s, own, len);
}

enum dropped_of
dropped_is(const struct dropped *d, const char *older, size_t len, bool decided)
{
	static _Thread_local struct said all, own, aims;
	size_t label = statement_label(older, len, NULL);
	bool may = false;

	len = MIN(len, BYTES);
	for (size_t i = 0; i < d->n && !may; i++)
		may = may_have(&d->of[i].is, older, len);
	if (!may)
		return DROPPED_NOT;
	said_read(&all, older, len);
	if (weigh_denies(&all) || (all.stance & (STANCE_WANTS | STANCE_TRIES | STANCE_ASKS)) != 0)
		return DROPPED_NOT;
	read_own(&own, older + label, len - label);
	end_aims(older, len, &aims);
	decided |= label > 0 || cues_has("schema/cues/lasting.txt", "decided", older, len);
	for (size_t i = 0; i < d->n; i++) {
		const struct dropped_thing *of = &d->of[i];

		if (end_things(&of->is, &own, false) > 0 ||
		    end_things(&of->beside, &all, false) > 0)
			continue;
		if (!decided)
			return DROPPED_NAMED;
		/* what it is for beside stays: "we dropped Redis for the queue" */
		return d->told || end_things(&own, &of->is, false) > 0 ||
			(end_things(&of->beside, NULL, true) > 0 &&
			    end_things(&aims, &of->beside, false) > 0)
		    ? DROPPED_DECIDED
		    : DROPPED_WHOLE;
	}
	return DROPPED_NOT;
}
