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
#define LEADS_FAR 2                        /* blanks up to it: "I have to also call" */
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

/*
 * Whether a word of that class is what cue i leads to: right behind it or one word on, in Chinese
 * anywhere, and where the verb stands last at the end of the clause; "every" stands anywhere. "I
 * must say that I pay" and "I have to call it a day" lead to none.
 */
static bool
leads_to(const char *text, size_t len, const struct cue *cues, size_t n, size_t i,
	const char *class)
{
	const struct cue *of = &cues[i];
	bool last = (int)of->class == cues_class(cues_of(TABLE), "must_last");

	if (strcmp(class, "every") == 0)
		return cues_has(TABLE, class, text, len);
	for (size_t k = i + 1; k < n; k++) {
		const struct cue *c = &cues[k];
		size_t end = cue_end(c), blanks = 0;

		if ((int)c->class != cues_class(cues_of(TABLE), class) || c->start < cue_end(of) ||
		    is_before(text, c, "bare", cues, n))
			continue;
		for (size_t p = cue_end(of); p < c->start; p++)
			blanks += text[p] == ' ';
		if (last ? end == len || strchr(",;", text[end]) != NULL
			 : blanks <= LEADS_FAR || (unsigned char)text[c->start] >= 0xe3)
			return true;
	}
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
		const char *not_before;    /* but not before a word of this class */
		bool whole;                /* nor where a bare pronoun is what it is of */
		const char *with;          /* and only with a word of this class behind it */
	} rows[] = {
		{ "passing", LASTING_NOT, READ_FACT, false, NULL, false, NULL },
		{ "remind", LASTING_SAID, READ_TODO, true, NULL, false, NULL },
		{ "must", LASTING_ERRAND, READ_TODO, true, NULL, false, "errand" },
		{ "must_last", LASTING_ERRAND, READ_TODO, true, NULL, false, "errand" },
		{ "remember", LASTING_TOLD, READ_FACT, true, NULL, false, NULL },
		{ "decided", LASTING_SAID, READ_DECISION, false, NULL, false, NULL },
		{ "standard", LASTING_SAID, READ_RULE, false, NULL, false, NULL },
		{ "use", LASTING_SAID, READ_DECISION, false, NULL, false, "contrast" },
		{ "cause", LASTING_SAID, READ_FACT, false, NULL, true, NULL },
		{ "done", LASTING_SAID, READ_FACT, false, NULL, false, NULL },
		{ "henceforth", LASTING_SAID, READ_RULE, false, NULL, false, NULL },
		{ "rule", LASTING_ORDER, READ_RULE, false, NULL, true, NULL },
		{ "should", LASTING_ORDER, READ_RULE, false, NULL, true, "every" },
		{ "prefer", LASTING_TOLD, READ_PREFERENCE, false, "now", true, NULL },
		{ "want", LASTING_ORDER, READ_DECISION, false, "wish", true, NULL },
		{ "favourite", LASTING_OWN, READ_PREFERENCE, true, "now", false, NULL },
		{ "own", LASTING_OWN, READ_FACT, false, NULL, true, NULL },
		{ "kin", LASTING_OWN, READ_FACT, true, NULL, false, "holds" },
		{ "life", LASTING_LIFE, READ_FACT, false, NULL, false, NULL },
		{ "like", LASTING_LIKED, READ_PREFERENCE, true, "now", false, NULL },
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
			    (rows[k].with == NULL ||
				leads_to(text, len, cues, n, i, rows[k].with)) &&
			    (!rows[k].whole || !is_bare(text, &cues[i], cues, n)))
				best = k;
	if (best == NELEM(rows))
		return LASTING_UNSAID;
	if (rows[best].lasting >= LASTING_LIKED)
		*kind = rows[best].kind;
	return rows[best].lasting;
}
