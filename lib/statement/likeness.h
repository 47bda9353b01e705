/*
 * likeness.h: whether a statement says the same as an older one.
 *
 * What looks alike most is not the same: "Anna reports to Peter" and "Peter reports to Anna", "the
 * gate opens at 8" and "the gate opens at 9". So some differences forbid taking two statements for
 * the same, whatever their vectors say, and of the rest those are the same that have most of their
 * words in common, or words for the same.
 */
#pragma once

#include "base/base.h"
#include "statement/likeness_words.h"

struct likeness {
	double dice;               /* Dice's coefficient of their content words */
	bool is_same;              /* it is high enough; nothing forbids taking them for the same */
	/*
	 * what forbids taking them for the same, NULL: nothing does. "numbers": digits, words of
	 * numbers, hours before and after noon; "identifiers"; "negations": not, never, love and
	 * hate; "names": capitalised words; "order": who does what to whom, from where to where;
	 * "part": one lacks something that the other says; "words": only one thing is another;
	 * "time": what is, was, will be, ended or is only wanted (statement/stance.h)
	 */
	const char *differs;
	bool negated;              /* one denies what the other does not, whatever else differs */
	bool opposite;             /* they say the same, but for a negation */
	/* the share of words in one order, of two of which one thing is another; 0: none is */
	double exchanged;
};

/*
 * older and newer are statements that were read. Cost: the product of the numbers of their words,
 * some microseconds.
 */
void likeness(const struct said *older, const struct said *newer, struct likeness *out);
