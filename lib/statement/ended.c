/*
 * ended.c: a sentence is cut into parts at its commas and "and". In each the words that end
 * something are looked for ("dropped", "is gone", "any more"); what stands behind them, before them
 * or around them is what ended. It ends a statement that has all of these words, and says little
 * else.
 */
#include "statement/ended.h"

#include <ctype.h>
#include <strings.h>

#include "statement/cues.h"
#include "statement/reading.h"
#include "statement/stance.h"
#include "statement/values.h"
#include "statement/vouch.h"
#include "statement/weigh.h"
#include "time/timewords.h"

#define SENTENCE_BYTES 2000
#define SPANS_MOST     8
#define CUES_MOST      96
#define THINGS_MOST    4                   /* words that name what ended */
#define THINGS_SHORT   4                   /* ... of all that a short statement names */
#define HAN_THINGS     3                   /* so many characters count as one of them */
#define SHARE_NAMED    3                   /* of the words of a longer one, one in so many */

/* ---- words ---- */

void
ended_read_untimed(struct said *s, const char *text, size_t len)
{
	struct time_span spans[SPANS_MOST];
	char bare[SENTENCE_BYTES];
	size_t n;

	len = MIN(len, sizeof(bare) - 1);
	memcpy(bare, text, len);
	bare[len] = '\0';
	n = timewords_find(bare, len, 0, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++)
		memset(bare + spans[i].start, ' ', spans[i].end - spans[i].start);
	said_read(s, bare, len);
}

/* A word that names something; "no", "more" and words of an end do not. */
static bool
is_thing(const struct said_word *w)
{
	return !weigh_is_silent(w) && !weigh_is_light(w) && !w->negates && w->pole == 0;
}

/* How many things a statement names. */
static size_t
count_things(const struct said *s)
{
	size_t n = 0, n_han = 0;

	for (size_t i = 0; i < s->n; i++)
		if (is_thing(&s->w[i]))
			*(s->w[i].half ? &n_han : &n) += 1;
	return n + (n_han + HAN_THINGS - 1) / HAN_THINGS;
}

/* Whether the claim has all things of s, and s has one; *n: how many. */
static bool
has_all(const struct said *claim, const struct said *s, size_t *n)
{
	*n = count_things(s);
	for (size_t i = 0; i < s->n; i++)
		if (is_thing(&s->w[i]) && !weigh_has(claim, &s->w[i]))
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

struct ended_part
ended_next_part(const char **at, const char *end)
{
	const char *start = *at, *p = start;
	size_t mark = 0;

	while (p < end && (mark = mark_at(p, end, p > start &&
	    isdigit((unsigned char)p[-1]))) == 0)
		p++;
	*at = p < end ? p + mark : end;
	while (start < p && *start == ' ')
		start++;
	return (struct ended_part){ start, (size_t)(p - start) };
}

/* A part with the words of schema/cues/ends.txt that are in it. */
struct ending {
	const struct ended_claim *c;
	struct ended_part part;
	struct cue cues[CUES_MOST];
	size_t n;
};

static bool
is_of(const struct cue *cue, const char *class)
{
	return (int)cue->class == cues_class(cues_of("schema/cues/ends.txt"), class);
}

/* The first and longest word of a class that begins at `from` or later; NULL: there is none. */
static const struct cue *
find_cue(const struct ending *e, const char *class, size_t from)
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
	static const char *const classes[] = { "aside", "whole", "once",
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
	ended_read_untimed(s, bare, to - from);
}

/* Where what begins at a byte of the part is over. */
static size_t
bound_of(const struct ending *e, size_t from)
{
	const struct cue *bound = find_cue(e, "bound", from);

	return bound != NULL ? bound->start : e->part.len;
}

/* Whether the end is only supposed, asked for or denied: such a word stands before it. */
static bool
is_hedged(const struct ending *e, size_t before)
{
	const struct cue *hedge = find_cue(e, "hedge", 0);

	return hedge != NULL && hedge->start < before;
}

/*
 * Whether the subject of a part, its words before an end, is the claim's: of the user's claims it
 * is the user, or nobody is named; of others what the claim has.
 */
static bool
is_subject(const struct ended_claim *c, const char *text, size_t len)
{
	static _Thread_local struct said s;
	bool person = false;
	size_t n;

	ended_read_untimed(&s, text, len);
	for (size_t i = 0; i < s.n; i++)
		person |= s.w[i].person;
	if (person && (s.stance & STANCE_KIN) == 0)
		return true;
	for (n = 0; n < s.n && !is_thing(&s.w[n]); n++)
		;
	return n == s.n || has_all(c->words, &s, &n);
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
	const struct cue *which = find_cue(e, "which", bound), *all = find_cue(e, "bound", bound);
	size_t n;

	if (which == NULL || which->start != bound || which->len != all->len)
		return false;
	read_named(e, end_of(which), e->part.len, &s);
	return count_things(&s) > 0 && !has_all(e->c->words, &s, &n);
}

/* "We dropped Redis": what stands behind the end, up to where something else begins. */
static bool
ends_behind(const struct ending *e)
{
	static _Thread_local struct said s;
	const char *text = e->part.text;
	const struct cue *end = find_cue(e, "behind", 0);
	size_t bound, n;

	if (end == NULL || is_hedged(e, end->start) ||
	    is_attribute(text, text + end->start, text + e->part.len))
		return false;
	bound = bound_of(e, end_of(end));
	read_named(e, end_of(end), bound, &s);
	return has_all(e->c->words, &s, &n) && !is_narrower(e, bound) &&
	    !(is_leaving(text + end->start) && has_subject(e->c->words)) &&
	    is_subject(e->c, text, end->start);
}

/* "Moving the blog off Heroku", "took the site off the Pi": what stands behind "off". */
static bool
ends_off(const struct ending *e)
{
	static _Thread_local struct said s;
	const struct cue *verb = find_cue(e, "takes", 0);
	const struct cue *off = verb != NULL ? find_cue(e, "off", end_of(verb)) : NULL;
	size_t n;

	if (off == NULL || is_hedged(e, verb->start))
		return false;
	read_named(e, end_of(off), bound_of(e, end_of(off)), &s);
	return has_all(e->c->words, &s, &n) && (is_subject(e->c, e->part.text, verb->start) ||
	    is_subject(e->c, e->part.text + end_of(verb), off->start - end_of(verb)));
}

/* "The gate: no longer an issue": what stands in the part before. */
static bool
ends_part_before(const struct ending *e, const struct ended_part *before)
{
	static _Thread_local struct said s;
	const struct cue *head = find_cue(e, "head", 0);
	size_t n;

	if (head == NULL || head->start > 0 || before->len == 0)
		return false;
	ended_read_untimed(&s, before->text, before->len);
	return has_all(e->c->words, &s, &n) && n > 1;
}

/* "Redis is gone": what stands before it. */
static bool
ends_before(const struct ending *e)
{
	static _Thread_local struct said s;
	const struct cue *end = find_cue(e, "before", 0);
	size_t n;

	if (end == NULL || is_hedged(e, end->start))
		return false;
	read_named(e, 0, end->start, &s);
	return has_all(e->c->words, &s, &n);
}

/* "Sian has no time": whether the only thing that is named is a name. */
static bool
is_name_alone(const struct said *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_thing(&s->w[i]) && !s->w[i].name && !s->w[i].first)
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

	const struct cue *once = find_cue(e, "once", 0);

	if (find_cue(e, "whole", 0) != NULL || (once != NULL && !is_hedged(e, once->start)))
		return true;
	for (size_t i = 0; i < NELEM(pairs); i++) {
		const struct cue *none = find_cue(e, pairs[i][0], 0), *than;
		const struct cue *more = none != NULL ? find_cue(e, pairs[i][1], end_of(none))
						      : NULL;

		if (more == NULL)
			continue;
		than = find_cue(e, "than", end_of(more));
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

	if (!says_no_more(e))
		return false;
	read_named(e, 0, e->part.len, &s);
	if (!has_all(e->c->words, &s, &n) || ((s.stance & STANCE_KIN) != 0 && e->c->user))
		return false;
	return n > 1 || !is_name_alone(&s) || !is_lasting(e->c->words);
}

/* "npm from now on instead of yarn": what stands behind "instead of". */
static bool
ends_instead(const struct ending *e, bool now)
{
	static _Thread_local struct said s;
	const struct cue *end = find_cue(e, "instead", 0);
	size_t n;

	if (end == NULL || !now || is_hedged(e, end->start))
		return false;
	read_named(e, end_of(end), bound_of(e, end_of(end)), &s);
	return has_all(e->c->words, &s, &n);
}

/* "Rent was raised to 1,240": of what stands before "to" the claim says another value. */
static bool
ends_moved(const struct ending *e)
{
	static _Thread_local struct said s, value, all;
	const char *text = e->part.text;
	const struct cue *moved = find_cue(e, "moved", 0), *to = find_cue(e, "to", 0);
	size_t start = 0, end, n;
	unsigned types;

	while (to != NULL && moved != NULL && to->start > moved->start &&
	    to->start < end_of(moved))
		to = find_cue(e, "to", end_of(moved));
	if (moved == NULL || to == NULL || is_hedged(e, MIN(moved->start, to->start)))
		return false;
	end = MIN(moved->start, to->start);
	if (to->start > end_of(moved)) {       /* "we moved the server to Stockholm" */
		read_named(e, end_of(moved), to->start, &s);
		if (count_things(&s) > 0) {
			start = end_of(moved);
			end = to->start;
		}
	}
	read_named(e, start, end, &s);
	if (!has_all(e->c->words, &s, &n))
		return false;
	said_read(&value, text + end_of(to), e->part.len - end_of(to));
	said_read(&all, text, e->part.len);
	types = values_own(&value, e->c->words, true);
	if (values_own_time(text + end_of(to), e->part.len - end_of(to), e->c->words))
		types |= VALUE_TIME;
	return (types & values_own(e->c->words, &all, false)) != 0 ||
	    ((types & VALUE_TIME) != 0 && values_own_time(e->c->text, e->c->len, &all));
}

/* ---- the whole ---- */

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

/*
 * Whether the two speak of the same: what the claim speaks of first is in the sentence, too; or
 * both are of the speaker, so that it need not be named again.
 */
static bool
has_lead(const struct said *claim, const struct said *sentence)
{
	bool own = false, person = false, named = false;

	/* "my sister smokes" does not end with "I quit smoking" */
	if ((claim->stance & STANCE_KIN) != 0 && (sentence->stance & STANCE_KIN) == 0)
		return false;

	for (size_t i = 0; i < sentence->n; i++) {
		const struct said_word *w = &sentence->w[i];

		person |= w->person || w->mine;
		named |= is_thing(w) && w->name && !said_has(claim, w);
	}
	for (size_t i = 0; i < claim->n; i++) {
		own |= claim->w[i].person && !claim->w[i].mine;
		if (is_thing(&claim->w[i]))
			return said_has(sentence, &claim->w[i]) || (own && (person || !named));
	}
	return false;
}

/* Whether what is in both is most of what the claim says, or the claim is short. */
static bool
is_named_enough(const struct said *claim, const struct said *sentence)
{
	size_t n = count_things(claim), common = 0, n_han = 0;

	for (size_t i = 0; i < claim->n; i++)
		if (is_thing(&claim->w[i]) && said_has(sentence, &claim->w[i]))
			*(claim->w[i].half ? &n_han : &common) += 1;
	common += (n_han + HAN_THINGS - 1) / HAN_THINGS;
	return n <= THINGS_SHORT ? common > 0 && common + 2 >= n
				 : common > 1 && SHARE_NAMED * common >= n;
}

/* Whether a value may be of somebody or somewhere else: "the salary of Tom is 4000". */
static bool
is_of_others(const struct said *claim, const struct said *sentence)
{
	bool valued = false, other = false;

	for (size_t i = 0; i < claim->n; i++) {
		valued |= claim->w[i].number;
		other |= claim->w[i].name && is_thing(&claim->w[i]) &&
		    !said_has(sentence, &claim->w[i]);
	}
	for (size_t i = 1; i < sentence->n; i++)
		other |= sentence->w[i].name && is_thing(&sentence->w[i]) &&
		    !said_has(claim, &sentence->w[i]);
	return valued && other;
}

/* Whether it says of something else, too, of which the sentence says nothing: "a cat and a dog". */
static bool
says_more(const char *claim, size_t len, const struct said *sentence)
{
	static _Thread_local struct said s;
	const char *at = claim, *end = claim + len;

	while (at < end) {
		struct ended_part p = ended_next_part(&at, end);
		bool shared = false;

		said_read(&s, p.text, p.len);
		for (size_t i = 0; i < s.n; i++)
			shared |= is_thing(&s.w[i]) && weigh_has(sentence, &s.w[i]);
		if (!shared && count_things(&s) > 0)
			return true;
	}
	return false;
}

/* Whether a statement is of what holds: an end, a wish or a question is not ended once more. */
static bool
is_standing(const struct said *claim)
{
	return (claim->stance & (STANCE_PAST | STANCE_ENDED | STANCE_WANTS | STANCE_TRIES |
	    STANCE_ASKS)) == 0;
}

bool
ended_by(const struct ended_claim *c, const char *sentence, size_t len)
{
	static _Thread_local struct ending e;
	const struct cues *table = cues_of("schema/cues/ends.txt");
	const char *at = sentence, *end = sentence + len;
	struct ended_part before = { sentence, 0 };
	bool now;

	if (weigh_denies(c->words) || (c->words->stance & STANCE_ENDED) != 0)
		return false;
	e.c = c;
	e.n = cues_find(table, sentence, len, e.cues, CUES_MOST, NULL);
	/* what is off today, or moved this week, goes on */
	if (find_cue(&e, "occasion", 0) != NULL)
		return false;
	now = find_cue(&e, "now", 0) != NULL;
	while (at < end) {
		e.part = ended_next_part(&at, end);
		e.n = cues_find(table, e.part.text, e.part.len, e.cues, CUES_MOST, NULL);
		if (!is_bare(&e.part) &&
		    (ends_behind(&e) || ends_before(&e) || ends_no_more(&e) || ends_off(&e) ||
			ends_part_before(&e, &before) || ends_instead(&e, now) ||
			ends_moved(&e)))
			return true;
		before = e.part;
	}
	return false;
}

bool
ended_text(const char *older, size_t older_len, const char *newer, size_t newer_len)
{
	const unsigned open = STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct said words, said;
	struct ended_claim c = { older, older_len, &words, "", false };
	struct reading r;

	said_read(&words, older, older_len);
	said_read(&said, newer, newer_len);
	if (!is_standing(&words) || (said.stance & open) != 0 || !has_lead(&words, &said) ||
	    !is_named_enough(&words, &said) || is_of_others(&words, &said) ||
	    says_more(older, older_len, &said))
		return false;
	if (!vouch_is_own(newer, newer_len) || !vouch_is_own(older, older_len))
		return false;
	reading_of(older, older_len, NULL, &r);
	c.about = r.about;
	c.user = strcmp(r.about, "user") == 0;
	return ended_by(&c, newer, newer_len);
}
