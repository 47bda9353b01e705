/*
 * ended.c: a sentence is cut into parts at its commas and "and". In each the words that end
 * something are looked for ("dropped", "is gone", "any more"); what stands behind them, or before
 * them, is what ended. It ends a claim that has all of these words.
 */
#include "audit/ended.h"

#include <ctype.h>
#include <strings.h>

#include "audit/weigh.h"
#include "base/ascii.h"
#include "statement/reading.h"
#include "statement/stance.h"
#include "time/timewords.h"

#define SENTENCE_BYTES 2000
#define SPANS_MOST     8
#define THINGS_MOST    4                   /* words that name what ended */
#define SHARE_END      .5                  /* of the words of "I quit ...", that a claim has */

/* Behind these stands what ended. */
static const char *const enders[] = { "handed over ", "dropped ", "dropping ",
	"drop ", "cancelled ", "canceled ",
	"gave up on ", "gave up ", "given up on ", "given up ", "giving up ", "stopped using ",
	"stopped ", "stop using ", "quit ", "sold ", "got rid of ", "removed ", "retired ",
	"abandoned ", "ditched ", "scrapped ", "closed ", "closed down ", "shut down ",
	"finished with ", "done with ", "broke up with ", "moved away from ", "away from ",
	"moved off ", "migrated off ", "switched off ", "off of ", "left ", "leaving ",
	"replaced ", "replacing ", "swapped ", "exchanged ", "switched from ", "moved from ",
	"migrated from ", "changed from ", "went from ", "instead of ", "decommissioned ",
	"uninstalled ", "deleted ", "gave away ", "resigned from ", "retired from " };

/* Before these it stands. */
static const char *const endings[] = { " is gone", " are gone", " is dead", " is over",
	" is history", " is no more", " is closed", " is cancelled", " is canceled", " is out",
	" was cancelled", " was canceled", " was dropped", " was removed", " was retired",
	" was sold", " was closed", " was shut", " was replaced", " was abandoned",
	" was scrapped", " were cancelled", " were dropped", " were removed", " were replaced",
	" has been cancelled", " has been dropped", " has been removed", " has been replaced",
	" has been retired", " has been sold", " has been closed", " got cancelled",
	" retired", " has retired", " resigned", " has resigned", " has left", " died",
	" has died", " passed away", " has closed", " has gone" };

static const char *const no_more[] = { " any more", " anymore", " any longer", " no longer " };
/* what somebody leaves with all that they do there */
static const char *const places[] = { "company", "compani", "team", "firm", "project", "us",
	"job" };
/* ends what ended */
static const char *const bounds[] = { " to ", " for ", " with ", " by ", " because ", " since ",
	" in ", " at ", " on ", " last ", " after ", " when ", " so ", " from ", " as ",
	" this ", " at the ", " ago", " yesterday", " today", " before " };

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

/* Where the first of some words stands in a text, by itself; NULL: nowhere. *len its bytes. */
static const char *
find_first(const char *text, size_t n, const char *const words[], size_t n_words, size_t *len)
{
	size_t best = n, k_best = 0;

	for (size_t k = 0; k < n_words; k++) {
		size_t size = strlen(words[k]);

		for (size_t i = 0; i + size <= n && i <= best; i++)
			if (ascii_lower(text[i]) == words[k][0] &&
			    strncasecmp(text + i, words[k], size) == 0 &&
			    (i == 0 || words[k][0] == ' ' || !ascii_is_alnum(text[i - 1])) &&
			    (i + size == n || words[k][size - 1] == ' ' ||
				!ascii_is_alnum(text[i + size])) &&
			    (i < best || size > k_best)) {
				best = i;
				k_best = size;
			}
	}
	*len = k_best;
	return k_best > 0 ? text + best : NULL;
}

/* A word that names something; "no", "more" and words of an end do not. */
static bool
is_thing(const struct said_word *w)
{
	return !weigh_is_silent(w) && !weigh_is_light(w) && !w->negates && w->pole == 0;
}

/* Whether the claim has all things of s, and s has one; *n: how many. */
static bool
has_all(const struct said *claim, const struct said *s, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!is_thing(&s->w[i]))
			continue;
		++*n;
		if (!said_has(claim, &s->w[i]))
			return false;
	}
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

struct ended_part
ended_next_part(const char **at, const char *end)
{
	const char *start = *at, *p = start;

	while (p < end && *p != ',' && *p != ';' && *p != ':' &&
	    !(end - p > 5 && (strncmp(p, " and ", 5) == 0 || strncmp(p, " but ", 5) == 0)))
		p++;
	*at = p < end ? p + (*p == ' ' ? 5 : 1) : end;
	while (start < p && *start == ' ')
		start++;
	return (struct ended_part){ start, (size_t)(p - start) };
}

/*
 * Whether the subject of a part, its words before an end, is the claim's: of the user's claims it
 * is the user, or nobody is named; of others what the claim has.
 */
static bool
is_subject(const struct claim *c, const struct said *claim, const char *text, size_t len)
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
	return n == s.n || (!c->user && has_all(claim, &s, &n));
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
is_leaving(const char *end, size_t len)
{
	static const char *const words[] = { "left ", "leaving ", "quit ", "handed over ",
		"resigned from ", "retired from " };

	for (size_t i = 0; i < NELEM(words); i++)
		if (len == strlen(words[i]) && strncasecmp(end, words[i], len) == 0)
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

/* "We dropped Redis": what stands behind the end, up to where something else begins. */
static bool
ends_behind(const struct claim *c, const struct said *claim, const struct ended_part *p)
{
	static _Thread_local struct said s;
	size_t n_end, n_bound, n, len;
	const char *end = find_first(p->text, p->len, enders, NELEM(enders), &n_end), *bound;

	if (end == NULL || is_attribute(p->text, end, p->text + p->len))
		return false;
	len = p->len - (size_t)(end - p->text) - n_end;
	bound = find_first(end + n_end, len, bounds, NELEM(bounds), &n_bound);
	if (bound != NULL)
		len = (size_t)(bound - end) - n_end;
	ended_read_untimed(&s, end + n_end, len);
	if (has_all(claim, &s, &n))
		return !(is_leaving(end, n_end) && has_subject(claim)) &&
		    is_subject(c, claim, p->text, (size_t)(end - p->text));
	/* "Bram left the company" ends what Bram does there */
	for (size_t i = 0; i < s.n; i++)
		if (weigh_is_any(&s.w[i], places, NELEM(places))) {
			ended_read_untimed(&s, p->text, (size_t)(end - p->text));
			return !c->user && !is_lasting(claim) && has_all(claim, &s, &n);
		}
	return false;
}

/* "Moving the blog off Heroku", "took the site off the Pi": what stands behind "off". */
static bool
ends_off(const struct claim *c, const struct said *claim, const struct ended_part *p)
{
	static const char *const verbs[] = { "moving ", "moved ", "move ", "migrating ",
		"migrated ", "switching ", "switched ", "getting ", "taking ", "took ", "taken " };
	static const char *const off[] = { " off ", " away from " };
	static _Thread_local struct said s;
	size_t n_verb, n_off, n_bound, n, len;
	const char *verb = find_first(p->text, p->len, verbs, NELEM(verbs), &n_verb), *end, *bound;

	if (verb == NULL)
		return false;
	len = p->len - (size_t)(verb - p->text);
	end = find_first(verb, len, off, NELEM(off), &n_off);
	if (end == NULL)
		return false;
	end += n_off;
	len = p->len - (size_t)(end - p->text);
	bound = find_first(end, len, bounds, NELEM(bounds), &n_bound);
	ended_read_untimed(&s, end, bound != NULL ? (size_t)(bound - end) : len);
	return has_all(claim, &s, &n) && is_subject(c, claim, p->text, (size_t)(verb - p->text));
}

/* "The gate: no longer an issue": what stands in the part before. */
static bool
ends_part_before(const struct said *claim, const struct ended_part *p,
	const struct ended_part *before)
{
	static const char *const heads[] = { "no longer ", "not any more", "not anymore",
		"not happening", "gone", "cancelled", "canceled", "over and done", "no more" };
	static _Thread_local struct said s;
	size_t n;

	for (size_t i = 0; i < NELEM(heads) && before->len > 0; i++)
		if (p->len >= strlen(heads[i]) &&
		    strncasecmp(p->text, heads[i], strlen(heads[i])) == 0) {
			ended_read_untimed(&s, before->text, before->len);
			return has_all(claim, &s, &n) && n > 1;
		}
	return false;
}

/* "Redis is gone": what stands before it. */
static bool
ends_before(const struct said *claim, const struct ended_part *p)
{
	static _Thread_local struct said s;
	size_t n_end, n;
	const char *end = find_first(p->text, p->len, endings, NELEM(endings), &n_end);

	if (end == NULL)
		return false;
	ended_read_untimed(&s, p->text, (size_t)(end - p->text));
	return has_all(claim, &s, &n);
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

/* "I don't drive any more", "Sian has no time any more": all of the part. */
static bool
ends_no_more(const struct claim *c, const struct said *claim, const struct ended_part *p)
{
	static _Thread_local struct said s;
	size_t n_end, n;

	if (find_first(p->text, p->len, no_more, NELEM(no_more), &n_end) == NULL)
		return false;
	ended_read_untimed(&s, p->text, p->len);
	if (!has_all(claim, &s, &n) || ((s.stance & STANCE_KIN) != 0 && c->user))
		return false;
	return n > 1 || !is_name_alone(&s) || !is_lasting(claim);
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

/* ---- the whole ---- */

/*
 * Whether a clause that is read as an end by its words (statement/reading.h), in other languages
 * too, speaks of what the claim says: "I quit the clinic", and "works at a clinic".
 */
static bool
reads_as_end(const struct said *claim, const char *text, size_t len)
{
	static _Thread_local struct said s;
	struct reading r;
	size_t n = 0, common = 0;

	reading_of(text, len, NULL, &r);
	if (!r.ends || strcmp(r.about, "user") != 0)
		return false;
	ended_read_untimed(&s, text, len);
	if ((s.stance & STANCE_ENDED) == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		/* the word for the end itself stands for nothing of the claim */
		if (!s.w[i].content || s.w[i].empty || s.w[i].person || s.w[i].mine ||
		    s.w[i].negates)
			continue;
		n++;
		common += said_has(claim, &s.w[i]);
	}
	return common > 0 && (double)common >= SHARE_END * (double)n;
}

bool
ended_by(const struct claim *c, const struct said *claim, const char *sentence, size_t len)
{
	const char *at = sentence, *end = sentence + len;
	struct ended_part before = { sentence, 0 };
	size_t n;

	/* what a claim says has ended itself is not ended once more */
	if (find_first(c->said, c->said_len, enders, NELEM(enders), &n) != NULL ||
	    find_first(c->said, c->said_len, endings, NELEM(endings), &n) != NULL)
		return false;
	if (weigh_denies(claim))
		return false;
	while (at < end) {
		struct ended_part p = ended_next_part(&at, end);

		if (!is_bare(&p) &&
		    (ends_behind(c, claim, &p) || ends_before(claim, &p) ||
			ends_no_more(c, claim, &p) || ends_off(c, claim, &p) ||
			ends_part_before(claim, &p, &before) || (strcmp(c->about, "user") == 0 &&
			reads_as_end(claim, p.text, p.len))))
			return true;
		before = p;
	}
	return false;
}
