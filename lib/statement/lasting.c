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
#define RULE      3                        /* words that a rule takes: "never after" is none */

bool
lasting_denies(const struct cues *table, const struct cue *cues, size_t n, unsigned word)
{
	int denied = cues_class(table, "denied");

	for (size_t k = n; k-- > 0 && cues[k].at + DENIED_FAR >= word; )
		if ((int)cues[k].class == denied && cues[k].at < word)
			return true;
	return false;
}

/* Whether what is liked is something of the moment: "I like it", "I love that idea". */
static bool
is_of_now(const char *text, const struct cue *liked, const struct cue *cues, size_t n)
{
	int now = cues_class(cues_of(TABLE), "now");
	size_t at = liked->start + liked->len;

	while (ascii_is_space(text[at]))
		at++;
	for (size_t i = 0; i < n; i++)
		if ((int)cues[i].class == now && cues[i].start == at)
			return true;
	return false;
}

enum lasting
lasting_of(const char *text, size_t len, enum reading_kind *kind)
{
	static const struct {
		const char *class;
		enum lasting lasting;
		enum reading_kind kind;
		bool opens;                /* only in the first words */
	} rows[] = {
		{ "passing", LASTING_NOT, READ_FACT, false },
		{ "remind", LASTING_SAID, READ_TODO, true },
		{ "remember", LASTING_TOLD, READ_FACT, true },
		{ "decided", LASTING_SAID, READ_DECISION, false },
		{ "standard", LASTING_SAID, READ_RULE, false },
		{ "cause", LASTING_SAID, READ_FACT, false },
		{ "unable", LASTING_SAID, READ_FACT, false },
		{ "done", LASTING_SAID, READ_FACT, false },
		{ "habit", LASTING_OWN, READ_FACT, false },
		{ "goal", LASTING_OWN, READ_FACT, false },
		{ "henceforth", LASTING_TOLD, READ_RULE, true },
		{ "rule", LASTING_ORDER, READ_RULE, false },
		{ "prefer", LASTING_TOLD, READ_PREFERENCE, false },
		{ "want", LASTING_ORDER, READ_DECISION, false },
		{ "favourite", LASTING_OWN, READ_PREFERENCE, false },
		{ "own", LASTING_OWN, READ_FACT, false },
		{ "life", LASTING_LIFE, READ_FACT, false },
		{ "like", LASTING_LIKED, READ_PREFERENCE, true },
	};
	const struct cues *table = cues_of(TABLE);
	struct cue cues[CUES_MOST];
	unsigned n_words;
	size_t n = cues_find(table, text, len, cues, CUES_MOST, &n_words), best = NELEM(rows);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < best; k++)
			if ((int)cues[i].class == cues_class(table, rows[k].class) &&
			    (!rows[k].opens || cues[i].at < OPENING) &&
			    (rows[k].kind != READ_DECISION || rows[k].lasting != LASTING_SAID ||
				!lasting_denies(table, cues, i, cues[i].at)) &&
			    (rows[k].kind != READ_RULE || n_words >= RULE) &&
			    (rows[k].kind != READ_PREFERENCE ||
				!is_of_now(text, &cues[i], cues, n)))
				best = k;
	if (best == NELEM(rows))
		return LASTING_UNSAID;
	if (rows[best].lasting >= LASTING_LIKED)
		*kind = rows[best].kind;
	return rows[best].lasting;
}
