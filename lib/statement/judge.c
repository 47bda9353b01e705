/* judge.c: of short statements that set one slot to another value it is told, too. */
#include "statement/judge.h"

#include "statement/cues.h"
#include "statement/end_part.h"
#include "statement/ended.h"
#include "statement/reading.h"
#include "statement/statement.h"
#include "statement/typed.h"
#include "statement/values.h"
#include "statement/vouch.h"

#define FRAME_KEPT    .5       /* of the words: of two that say another thing of one slot */
#define SHORT_WORDS   12       /* in a statement that sets a slot and says little else */

/* Whether they say it for two purposes: "Kafka for events", "Kafka for audits". */
static bool
are_for_two(const struct judge_side *a, const struct judge_side *b)
{
	static _Thread_local struct said x, y;

	end_aims(a->text, a->len, &x);
	end_aims(b->text, b->len, &y);
	return end_things(&x, &y, false) > 0 && end_things(&y, &x, false) > 0;
}

/*
 * Whether both set one slot, of which there is one value at a time, to another. A number that one
 * has alone is more of the same: "Python", "Python 3.11".
 */
static bool
sets_other(const struct judge_side *older, const struct judge_side *newer,
	const struct likeness *l)
{
	struct reading a, b;

	if (l->differs == NULL || l->exchanged < FRAME_KEPT ||
	    MAX(older->said->n, newer->said->n) > SHORT_WORDS ||
	    ((values_own(older->said, newer->said, false) ^
		 values_own(newer->said, older->said, false)) & VALUE_NUMBER) != 0 ||
	    typed_are_of_two(older, newer) || are_for_two(older, newer))
		return false;
	reading_of(older->bare, older->bare_len, NULL, &a);
	reading_of(newer->bare, newer->bare_len, NULL, &b);
	return !a.ends && !b.ends && a.single && b.single && strcmp(a.slot, b.slot) == 0 &&
	    strcmp(a.about, b.about) == 0 && a.polarity == POLARITY_HOLDS &&
	    b.polarity == POLARITY_HOLDS;
}

struct judge_side
judge_side(const char *text, size_t len, const struct said *said)
{
	static _Thread_local struct end_part p;
	struct judge_side s = { .text = text, .len = len, .said = said };
	size_t head = statement_head(text, len, NULL);

	end_part_read(&p, (struct end_span){ text, len });
	s.may_end = end_part_may_end(&p);
	s.bare = text + head;
	s.bare_len = len - head;
	s.values = typed_values(&s);
	return s;
}

const char *
judge_values(const struct judge_side *older, const struct judge_side *newer)
{
	return typed_differ(older, newer) && vouch_is_own(newer->text, newer->len)
	    ? "each gives another value to what has one" : NULL;
}

/* Whether one is of the old place and the other of the new: "npm in the old project" holds on. */
static bool
are_at_two(const struct judge_side *a, const struct judge_side *b)
{
	static _Thread_local struct cue_text x, y;
	bool old[2], new[2];

	cue_text_read(&x, "schema/cues/apart.txt", a->text, a->len);
	cue_text_read(&y, "schema/cues/apart.txt", b->text, b->len);
	old[0] = cue_text_find(&x, "in_old", 0) != NULL;
	old[1] = cue_text_find(&y, "in_old", 0) != NULL;
	new[0] = cue_text_find(&x, "in_new", 0) != NULL;
	new[1] = cue_text_find(&y, "in_new", 0) != NULL;
	return old[0] != old[1] && new[0] != new[1] && old[0] != new[0];
}

void
judge(const struct judge_side *older, const struct judge_side *newer, struct judged *out)
{
	*out = (struct judged){ .against = NULL };
	likeness(older->said, newer->said, &out->like);
	out->ends = newer->may_end &&
	    ended_text(older->text, older->len, newer->text, newer->len);
	if (out->like.opposite && vouch_is_own(newer->text, newer->len))
		out->against = "one says the opposite of the other";
	else if (sets_other(older, newer, &out->like) && vouch_is_own(newer->text, newer->len))
		out->against = "each gives another value to what has one";
	else
		out->against = judge_values(older, newer);
	if ((out->ends || out->against != NULL) && are_at_two(older, newer))
		*out = (struct judged){ .like = out->like };
}
