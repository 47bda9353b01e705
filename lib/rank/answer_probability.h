/*
 * answer_probability.h: how probable it is that a hit answers the question.
 *
 * A score ranks the hits of one question; it says little of whether the best of them is any good,
 * for much of it is relative to that best. What is absolute is: the share of the question's words,
 * by their weight, that are spoken of where the turn stands, in it or within ANSWER_NEAR turns of
 * it in its session, for what a question asks about is spoken of by several turns in a row where it
 * is spoken of at all; and how near its vector is, as a similarity. Beside that similarity its
 * z-score over the memory says how near to the question everything else is: of two turns as near,
 * the one in a memory that is about such things is likelier than the one among others' matters. By
 * words alone, a long text has any word, so its length is held against it, and the score counts. A
 * logistic model of these, learnt on the best hits of questions asked of chats, logs, diaries,
 * documents, functions, commands and memories of several of these, in English and Chinese, and, as
 * many, of questions that the memory cannot answer: their evidence taken out, asked of somebody
 * else's memory, about nothing in it. A probability of .5 is an even bet when half of what is asked
 * has no answer. What was said by another than the one named is less likely, also where all words
 * agree: it may be true of that other alone.
 *
 * Of one question's hits those near each other have much the same of all this, so a hit is less
 * likely the farther its score is behind that of the best.
 */
#ifndef RANK_ANSWER_PROBABILITY_H
#define RANK_ANSWER_PROBABILITY_H

#include <stdbool.h>

#define ANSWER_NEAR 5              /* turns on either side */

struct answer_evidence {
	/* 0-1; where several things are asked, of the one that the turn has most of */
	float near;
	float score, behind;               /* of the hit; how far the best hit's is above it */
	float length, code, date;          /* the signals of these names */
	/* the question names somebody who speaks here, and this was said by somebody else */
	bool other;
	bool dense;                        /* vectors took part */
	/* calibrated, and the signal dense; 0 for a turn without a vector */
	float sim, z4;
};

/* 0 to 1. */
float answer_probability(const struct answer_evidence *by);

#endif
