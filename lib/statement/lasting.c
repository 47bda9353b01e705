/*
 * lasting.c: goes by classes of words. What passes comes first, then the class that stands first in
 * the table below.
 */
#include "statement/lasting.h"

#include "base/ascii.h"
#include "statement/cues.h"

#define TABLE     "schema/cues/lasting.txt"
#define CUES_MOST 64
#define OPENING   2                        /* "Please remind me to", not "I have a todo" */
#define DENIED_FAR 2                       /* words: "not yet agreed", "non abbiamo deciso" */

bool
lasting_denies(const struct cues *table, const struct cue *cues, size_t n, unsigned word)
{
	int denied = cues_class(table, "denied");

	for (size_t k = n; k-- > 0 && cues[k].at + DENIED_FAR >= word; )
		if ((int)cues[k].class == denied && cues[k].at < word)
			return true;
	return false;
}

/* Whether a word of that class stands right behind a cue: "I like it", "I love that idea". */
static bool
is_before(const char *text, const struct cue *cue, const char *class, const struct cue *cues,
	size_t n)
{
	size_t at = cue_end(cue);

	while (ascii_is_space(text[at]))
		at++;
	for (size_t i = 0; i < n; i++)
		if ((int)cues[i].class == cues_class(cues_of(TABLE), class) && cues[i].start == at)
			return true;
	return false;
}

/* Whether what a cue speaks of is a word for what stands before: "I know it is not supported". */
static bool
is_bare(const char *text, const struct cue *cue, const struct cue *cues, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((int)cues[i].class == cues_class(cues_of(TABLE), "bare") &&
		    cues[i].at + 1 == cue->at)
			return true;
	return is_before(text, cue, "bare", cues, n);
}

enum lasting
lasting_of(const char *text, size_t len, enum reading_kind *kind)
{
	static const struct {
		const char *class;
		enum lasting lasting;
		enum reading_kind kind;
		bool opens;                /* only in the first words */
		const char *not_before;    /* but not before a word of this class */
		bool whole;                /* nor where a bare pronoun is what it is of */
	} rows[] = {
		{ "passing", LASTING_NOT, READ_FACT, false, NULL, false },
		{ "remind", LASTING_SAID, READ_TODO, true, NULL, false },
		{ "remember", LASTING_TOLD, READ_FACT, true, NULL, false },
		{ "decided", LASTING_SAID, READ_DECISION, false, NULL, false },
		{ "standard", LASTING_SAID, READ_RULE, false, NULL, false },
		{ "cause", LASTING_SAID, READ_FACT, false, NULL, true },
		{ "unable", LASTING_SAID, READ_FACT, false, NULL, true },
		{ "done", LASTING_SAID, READ_FACT, false, NULL, false },
		{ "habit", LASTING_OWN, READ_FACT, false, NULL, false },
		{ "goal", LASTING_OWN, READ_FACT, false, NULL, false },
		{ "henceforth", LASTING_SAID, READ_RULE, false, NULL, false },
		{ "rule", LASTING_ORDER, READ_RULE, false, NULL, false },
		{ "prefer", LASTING_TOLD, READ_PREFERENCE, false, "now", false },
		{ "want", LASTING_ORDER, READ_DECISION, false, "wish", true },
		{ "favourite", LASTING_OWN, READ_PREFERENCE, false, "now", false },
		{ "own", LASTING_OWN, READ_FACT, false, NULL, false },
		{ "life", LASTING_LIFE, READ_FACT, false, NULL, false },
		{ "like", LASTING_LIKED, READ_PREFERENCE, true, "now", false },
	};
	const struct cues *table = cues_of(TABLE);
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table, text, len, cues, CUES_MOST, NULL), best = NELEM(rows);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < best; k++)
			if ((int)cues[i].class == cues_class(table, rows[k].class) &&
			    (!rows[k].opens || cues[i].at < OPENING) &&
			    (rows[k].kind != READ_DECISION || rows[k].lasting != LASTING_SAID ||
				!lasting_denies(table, cues, i, cues[i].at)) &&
			    (rows[k].not_before == NULL ||
				!is_before(text, &cues[i], rows[k].not_before, cues, n)) &&
			    (!rows[k].whole || !is_bare(text, &cues[i], cues, n)))
				best = k;
	if (best == NELEM(rows))
		return LASTING_UNSAID;
	if (rows[best].lasting >= LASTING_LIKED)
		*kind = rows[best].kind;
	return rows[best].lasting;
}
