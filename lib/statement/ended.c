/*
 * ended.c: a sentence is cut into parts at its commas and "and"; in one of them must be said that
 * something has ended (ended_ways.c). It ends a statement that has all words by which that is
 * named, is about the same one, and says little else.
 */
#include "statement/ended.h"

#include <ctype.h>

#include "statement/ended_parts.h"
#include "statement/stance.h"
#include "statement/values.h"
#include "statement/vouch.h"
#include "statement/weigh.h"

#define SHARE_NAMED 3 /* of the things that the older names, the newer has one in so many */

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

/* ---- whether both are of one thing ---- */

/*
 * Whether the two are about the same: the first thing that the claim names is in the sentence, too;
 * or the speaker is the subject of the claim ("I row", "likes rowing"), and the sentence speaks of
 * the speaker as well, or names nobody else.
 */
static bool
has_lead(const struct said *claim, const struct said *sentence)
{
	const struct said_word *head = &claim->w[0];
	bool person = false, named = false;
	static const char *const is[] = { "is" };
	bool own = claim->n > 0 && (weigh_is_light(head) || weigh_is_any(head, is, NELEM(is)));

	/* the first word of "my sister" is the speaker in Chinese */
	if ((claim->stance & ~sentence->stance & STANCE_KIN) != 0)
		return false;
	for (size_t i = 0; i < sentence->n; i++) {
		const struct said_word *w = &sentence->w[i];

		person |= w->person || w->mine;
		named |= ended_is_thing(w) && w->name && !said_has(claim, w);
	}
	for (size_t i = 0; i < claim->n; i++) {
		own |= claim->w[i].person && !claim->w[i].mine;
		if (ended_is_thing(&claim->w[i]))
			return weigh_has(sentence, &claim->w[i]) || (own && (person || !named));
	}
	return false;
}

/* Whether enough of what the claim names is in the sentence, too. */
static bool
is_named_enough(const struct said *claim, const struct said *sentence)
{
	size_t common = ended_count_things(claim, sentence);

	return common > 0 && SHARE_NAMED * common >= ended_count_things(claim, NULL);
}

/* Whether the claim says of something else, too, of which the sentence says nothing. */
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
			shared |= ended_is_thing(&s.w[i]) && weigh_has(sentence, &s.w[i]);
		if (!shared && ended_count_things(&s, NULL) > 0)
			return true;
	}
	return false;
}

/* ---- the whole ---- */

/* Whether a statement is of what holds: an end, a wish or a question is not ended once more. */
static bool
is_standing(const struct said *claim)
{
	return (claim->stance & (STANCE_PAST | STANCE_ENDED | STANCE_WANTS | STANCE_TRIES |
	    STANCE_ASKS)) == 0;
}

bool
ended_by(const struct said *claim, const char *text, size_t text_len, const char *sentence,
	size_t len)
{
	static _Thread_local struct ending e;
	const char *at = sentence, *end = sentence + len;

	if (weigh_denies(claim) || (claim->stance & STANCE_ENDED) != 0)
		return false;
	e = (struct ending){ .claim = claim, .text = text, .len = text_len,
		.part = { sentence, len } };
	ending_read(&e);
	if (ending_find(&e, "while", 0) != NULL)
		return false;
	e.occasion = ending_find(&e, "occasion", 0) != NULL;
	e.now = ending_find(&e, "now", 0) != NULL && !ending_is_elsewhere(&e);
	for (e.part.len = 0; at < end;) {
		e.before = e.part;
		e.part = ended_next_part(&at, end);
		ending_read(&e);
		if (ending_ends(&e))
			return true;
	}
	return false;
}

bool
ended_text(const char *older, size_t older_len, const char *newer, size_t newer_len)
{
	const unsigned open = STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct said claim, said;

	said_read(&claim, older, older_len);
	said_read(&said, newer, newer_len);
	return is_standing(&claim) && (said.stance & open) == 0 && has_lead(&claim, &said) &&
	    is_named_enough(&claim, &said) && !says_more(older, older_len, &said) &&
	    vouch_is_own(newer, newer_len) && vouch_is_own(older, older_len) &&
	    ended_by(&claim, older, older_len, newer, newer_len);
}
