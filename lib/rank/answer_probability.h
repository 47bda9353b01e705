/*
 * answer_probability.h: estimates how probable it is that a hit answers the question.
 *
 * A score ranks the hits of one question; it says little about whether the best of them is any
 * good, because much of it is relative to that best. Two things are absolute. One is the share of
 * the question's idf found where the turn stands, in it or within ANSWER_NEAR turns of it in its
 * session, since what a question asks about is usually spoken of in several turns in a row. The
 * other is the calibrated similarity of its vector. Beside that similarity its z-score over the
 * memory counts: of two turns equally near, the one in a memory about such things is likelier to
 * answer than one among unrelated matters. By words alone the score counts, and length counts
 * against a turn, since a long text has any word.
 *
 * The model is logistic. It was learnt on the best hits of questions asked of chats, logs, diaries,
 * documents, functions, commands and mixtures of these, in English and Chinese, and on as many
 * questions that the memory cannot answer: with their evidence removed, asked of somebody else's
 * memory, or about nothing in it. So .5 is an even bet when half of the questions have no answer.
 * What was said by somebody else than the speaker named is less likely to answer, even where all
 * words agree, since it may be true of that other person only; half as much so where the question
 * stands in a prompt, which may name others beside whom it asks about. A question about a matter
 * has no such name, and its words are found in memories that have nothing to do with it, too.
 *
 * Neighbouring hits of one question share most of this evidence, so a hit is also less likely the
 * farther its score is below the best one's.
 */
#pragma once

#include <stdbool.h>

#define ANSWER_NEAR 5              /* turns on either side of the hit */

struct answer_evidence {
	/*
	 * 0-1: share of the question's idf found near the hit; where several things are asked, of
	 * the part that the hit covers best
	 */
	float near;
	/* the hit's score, and by how much the best hit's exceeds it */
	float score, behind;
	float length, code, date;          /* the signals of these names */
	/* the question names somebody who speaks in this memory, and somebody else said this */
	bool other;
	bool prompt;                       /* the question stands in a prompt */
	bool matter;                       /* it is about a matter, no person (question.h) */
	bool dense;                        /* vectors were used */
	/* calibrated similarity, and the signal dense; without a vector what is expected */
	float sim, z4;
	/* 0-1: it is in another language, and the words of the question are not found */
	float foreign;
};

/* Returns a probability, 0 to 1. */
float answer_probability(const struct answer_evidence *by);
