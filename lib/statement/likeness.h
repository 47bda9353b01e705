/*
 * likeness.h: whether a statement says the same as an older one.
 *
 * What looks alike most is not the same: "Anna reports to Peter" and "Peter reports to Anna", "the
 * gate opens at 8" and "the gate opens at 9". So some differences forbid taking two statements for
 * the same, whatever their vectors say, and the rest is judged by logistic regression on a few
 * figures of both statements (schema/likeness-weights.txt), among them the similarity of their
 * vectors where there are any.
 */
#ifndef STATEMENT_LIKENESS_H
#define STATEMENT_LIKENESS_H

#include "base/base.h"
#include "statement/likeness_words.h"

struct likeness {
	double same;               /* the probability that the newer says the same */
	bool is_same;              /* probable enough; nothing forbids taking them for the same */
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
 * older and newer are statements that were read; sim is the calibrated similarity of their vectors,
 * NAN when there are none; keyed: both say what one key is set to (statement/reading.h). Cost: the
 * product of the numbers of their words, some microseconds.
 */
void likeness(const struct said *older, const struct said *newer, double sim, bool keyed,
	struct likeness *out);

/* The figures that are judged, for who learns the weights. */
enum likeness_feature {
	LIKE_SIM,                  /* the similarity of their vectors */
	LIKE_DICE,                 /* Dice's coefficient of their content words */
	LIKE_FRAME,                /* the share of words that stand in both in one order */
	LIKE_REPLACED,             /* that share, when words between these are others */
	LIKE_LACKING,              /* the share of content words that only one has, at the least */
	LIKE_MOVED,                /* the share of common content words that stand elsewhere */
	LIKE_SHARED,               /* common words that name a thing, up to three, a third each */
	LIKE_OTHERS,               /* what one begins with is not in the other, on both sides */
	LIKE_CHANGE,               /* the newer one says that something changed, the older not */
	LIKE_HAN,                  /* both are Chinese, where unrelated texts have more in common */
	LIKE_KEYED,                /* both say what one key is set to */
	LIKE_FEATURES
};
extern const char *const likeness_names[];             /* by enum likeness_feature */
/* Fills x, and of out what needs no weights. */
void likeness_features(const struct said *older, const struct said *newer, double sim, bool keyed,
	float x[LIKE_FEATURES], struct likeness *out);

#endif
