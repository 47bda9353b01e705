/*
 * lasting.c: goes by classes of words. What passes comes first, then the class that stands first in
 * the table below.
 */
#include "statement/lasting.h"

#include "statement/cues.h"

#define TABLE     "schema/cues/lasting.txt"
#define CUES_MOST 64
#define TODO_OPENS 2                   /* "Please remind me to", not "I have a todo" */

enum lasting
lasting_of(const char *text, size_t len, enum reading_kind *kind)
{
	static const struct {
		const char *class;
		enum lasting lasting;
		enum reading_kind kind;
	} rows[] = {
		{ "passing", LASTING_NOT, READ_FACT },
		{ "remind", LASTING_SAID, READ_TODO },
		{ "decided", LASTING_SAID, READ_DECISION },
		{ "standard", LASTING_SAID, READ_RULE },
		{ "cause", LASTING_SAID, READ_FACT },
		{ "unable", LASTING_SAID, READ_FACT },
		{ "done", LASTING_SAID, READ_FACT },
		{ "rule", LASTING_ORDER, READ_RULE },
		{ "prefer", LASTING_ORDER, READ_PREFERENCE },
		{ "want", LASTING_ORDER, READ_DECISION },
		{ "life", LASTING_LIFE, READ_FACT },
	};
	const struct cues *table = cues_of(TABLE);
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table, text, len, cues, CUES_MOST, NULL), best = NELEM(rows);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < best; k++)
			if ((int)cues[i].class == cues_class(table, rows[k].class) &&
			    (rows[k].kind != READ_TODO || cues[i].at < TODO_OPENS))
				best = k;
	if (best == NELEM(rows))
		return LASTING_UNSAID;
	if (rows[best].lasting == LASTING_SAID || rows[best].lasting == LASTING_ORDER)
		*kind = rows[best].kind;
	return rows[best].lasting;
}
