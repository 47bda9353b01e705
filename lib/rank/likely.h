/*
 * likely.h: how probable it is that a hit answers the question.
 *
 * A score ranks the hits of one question; it says nothing of whether the best of them is any good, for much of it is relative to that best. What is
 * absolute is: the share of the question's words that the turn has, by their weight; how near its vector is, both as a similarity and beside those of all other
 * turns; and among how many it was chosen, since of many the best looks good by chance. A logistic model of these, learnt on questions asked of their own
 * conversation and, as many, of one that cannot answer them: a probability of .5 is an even bet when half of what is asked has no answer.
 */
#ifndef RANK_LIKELY_H
#define RANK_LIKELY_H

#include <stdbool.h>
#include <stddef.h>

struct likely_by {
	float bm25;                        /* of the turn, 0-1, as a share of the most that the question could have */
	float head;                        /* of its beginning, as a share of the question's best */
	float coverage;                    /* 0-1 */
	float code, date;                  /* the signals of these names */
	bool dense;                        /* vectors took part */
	float sim;                         /* calibrated; 0 for a turn without a vector */
	float z4;                          /* the signal dense */
	size_t n_candidates;
};

/* 0 to 1. */
float likely(const struct likely_by *by);

#endif
