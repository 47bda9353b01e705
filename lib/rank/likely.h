/*
 * likely.h: how probable it is that a hit answers the question.
 *
 * A score ranks the hits of one question; it says nothing of whether the best of them is any good, for much of it is relative to that best. What is
 * absolute is: the share of the question's words that the turn has, by their weight; its window's BM25 as a share of the most that the question could have, for what a question asks
 * about is spoken of by several turns in a row where it is spoken of at all; how near its vector is, as a similarity. A logistic model of these, learnt on the best hits of questions
 * asked of their own conversation and, as many, of one that cannot answer them: a probability of .5 is an even bet when half of what is asked has no answer. What was said by another than
 * the one named is less likely, also where all words agree: it may be true of that other alone. Among how many the hit
 * was chosen, and how far its vector stands out of all others, told nothing more that held on other conversations.
 */
#ifndef RANK_LIKELY_H
#define RANK_LIKELY_H

#include <stdbool.h>

struct likely_by {
	float coverage;                    /* 0-1; where several things are asked, of the one that it has most of */
	float window;                      /* BM25 of the turn with half its neighbours, 0-1, as a share of the most that the question, or that part of it, could have */
	float code, date;                  /* the signals of these names */
	bool other;                        /* the question names somebody who speaks here, and this was said by somebody else */
	bool dense;                        /* vectors took part */
	float sim;                         /* calibrated; 0 for a turn without a vector */
};

/* 0 to 1. */
float likely(const struct likely_by *by);

#endif
