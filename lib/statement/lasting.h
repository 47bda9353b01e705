/*
 * lasting.h: whether a clause says by its own words that it is to last (schema/cues/lasting.txt): a
 * rule, a decision, what somebody wants to be so, a cause, a change that is done. Of clauses of
 * real histories with such words two in three were marked as lasting; a learnt probability found
 * no more.
 */
#pragma once

#include "statement/cues.h"
#include "statement/reading.h"

enum lasting {
	LASTING_NOT,               /* it says that it passes, or asks for something */
	LASTING_UNSAID,            /* it says neither */
	LASTING_LIKED,             /* somebody likes or dislikes something */
	LASTING_LIFE,              /* it is of somebody's home, work, kin */
	LASTING_OWN,               /* likewise, of who says it */
	LASTING_ERRAND,            /* somebody has to do something */
	LASTING_ORDER,             /* what is wanted, of whoever is told to do it: an assistant */
	LASTING_TOLD,              /* what somebody is asked to remember, or do from now on */
	LASTING_SAID               /* a decision, a standard, a cause */
};

/* *kind: set to what it says where that is LASTING_LIKED or more. Cost: some microseconds. */
enum lasting lasting_of(const char *text, size_t len, enum reading_kind *kind);

/* Whether one of cues [n] of that table, right before a word, denies it: "not yet agreed". */
bool lasting_denies(const struct cues *table, const struct cue *cues, size_t n, unsigned word);
