/*
 * lasting.h: whether a clause says by its own words that it is to last (schema/cues/lasting.txt): a
 * rule, a decision, what somebody wants to be so, a cause, a change that is done. A learnt
 * probability alone does not tell it: of clauses of real histories that a head took for lasting one
 * in six was, of those with such words one in two.
 */
#ifndef STATEMENT_LASTING_H
#define STATEMENT_LASTING_H

#include "statement/reading.h"

enum lasting {
	LASTING_NOT,               /* it says that it passes, or asks for something */
	LASTING_UNSAID,            /* it says neither */
	LASTING_LIFE,              /* it is of what people's lives are made of: home, work, kin */
	LASTING_ORDER,             /* what is wanted, of whoever is told to do it: an assistant */
	LASTING_SAID               /* a decision, a standard, a cause */
};

/* *kind: set to what it says where that is more than LASTING_LIFE. Cost: some microseconds. */
enum lasting lasting_of(const char *text, size_t len, enum reading_kind *kind);

#endif
