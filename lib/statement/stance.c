/*
 * stance.c: looks for the words of each class. A past or a future tense speaks against a statement
 * that has no sign of it at all, so that "will move" and "is moving next week" may be the same.
 */
#include "statement/stance.h"

#include "base/alloc.h"
#include "statement/cues.h"
#include "statement/sentence.h"

enum { CUES_MOST = 64, KIN_WORD = 1 };

/* By the bits of enum stance. */
static const char *const names[] = { "past", "maybe_past", "future", "maybe_future", "ended",
	"happened", "wants", "tries", "kin", "self", "asks" };

static const struct cues *table;
static unsigned bits[CUE_CLASSES];             /* by class of the table */

static void
read_table(void)
{
	table = cues_of("schema/cues/stance.txt");
	for (size_t i = 0; i < NELEM(names); i++)
		bits[cues_class(table, names[i])] = 1u << i;
}

static struct alloc_once table_once = ALLOC_ONCE(read_table);

/* Whether nothing but a full stop stands behind byte `at`. */
static bool
is_last(const char *text, size_t at, size_t len)
{
	while (at < len && (text[at] == ' ' || text[at] == '\n'))
		at++;
	return at == len || (len - at == 3 && memcmp(text + at, "。", 3) == 0);
}

unsigned
stance_of(const char *text, size_t len)
{
	struct cue cues[CUES_MOST];
	unsigned all = 0;
	size_t n;

	alloc_once(&table_once);
	n = cues_find(table, text, len, cues, CUES_MOST, NULL);
	for (size_t i = 0; i < n; i++) {
		unsigned bit = bits[cues[i].class];
		if ((bit != STANCE_KIN || cues[i].at <= KIN_WORD) &&
		    (bit != STANCE_ASKS || is_last(text, cues[i].start + cues[i].len, len)))
			all |= bit;
	}
	return sentence_asks(text, len) ? all | STANCE_ASKS : all;
}

/* Whether one has the sign, and the other neither it nor one that may mean it. */
static bool
lacks(unsigned a, unsigned b, unsigned sign, unsigned maybe)
{
	return ((a & sign) != 0 && (b & (sign | maybe)) == 0) ||
	    ((b & sign) != 0 && (a & (sign | maybe)) == 0);
}

bool
stances_differ(unsigned a, unsigned b)
{
	const unsigned alone =
	    STANCE_ENDED | STANCE_HAPPENED | STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;

	return ((a ^ b) & alone) != 0 || lacks(a, b, STANCE_PAST, STANCE_MAYBE_PAST) ||
	    lacks(a, b, STANCE_FUTURE, STANCE_MAYBE_FUTURE) ||
	    ((a & STANCE_KIN) != 0 && (b & (STANCE_KIN | STANCE_SELF)) == STANCE_SELF) ||
	    ((b & STANCE_KIN) != 0 && (a & (STANCE_KIN | STANCE_SELF)) == STANCE_SELF);
}
