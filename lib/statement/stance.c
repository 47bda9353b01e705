/*
 * stance.c: looks for the words of each class. A past or a future tense speaks against a statement
 * that has no sign of it at all, so that "will move" and "is moving next week" may be the same.
 */
#include "statement/stance.h"

#include "base/alloc.h"
#include "statement/cues.h"

enum { CUES_MOST = 64, KIN_WORD = 1 };

/* By the bits of enum stance. */
static const char *const names[] = { "past", "maybe_past", "future", "maybe_future", "ended",
	"happened", "wants", "tries", "kin", "self" };

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

static bool
ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(text + len - n, end, n) == 0;
}

static bool
is_question(const char *text, size_t len)
{
	static const char *const ends[] = { "?", "？", "吗", "吗。" };
	bool is = false;

	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\n'))
		len--;
	for (size_t i = 0; i < NELEM(ends); i++)
		is |= ends_with(text, len, ends[i]);
	return is;
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
		if (bit != STANCE_KIN || cues[i].at <= KIN_WORD)
			all |= bit;
	}
	return is_question(text, len) ? all | STANCE_ASKS : all;
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
