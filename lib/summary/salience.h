/*
 * salience.h: how likely a piece of a sentence is to say what a summary of its session must carry:
 * a fact, a decision, a rule, a cause, a date, what is still open.
 *
 * A clause (statement/clause.h) is cut at its commas into pieces: "we ship on Tuesdays, because ops
 * goes home at four, which is early". A later piece means nothing without those before it. A
 * logistic head (math/head.h) weighs features of the piece: those of a statement
 * (statement/statement_features.h), its names, dates and numbers, who said it, and where. The
 * weights are in schema/heads/summary.txt; tests/bench/salience.py learns them.
 */
#ifndef SUMMARY_SALIENCE_H
#define SUMMARY_SALIENCE_H

#include "base/base.h"

/* A message: its place among the n of its session, and whether the one before it asks. */
struct salience_turn {
	const char *text;
	size_t len, at, n;
	bool by_user, asked, project;
};

struct salience {
	size_t start, len;             /* bytes of the text: the piece without lead-ins and stops */
	size_t clause, clause_len;     /* the clause that it is of */
	size_t sentence, sentence_len; /* and the sentence */
	size_t words;                  /* content words of the piece */
	/*
	 * it goes on with the piece before, or begins with "she", "that" and the like, or the piece
	 * before only names what this one speaks of ("My wrist.")
	 */
	bool leans;
	bool asks;                             /* it is a question */
	/* a question, a condition or a quotation: its author does not state it */
	bool open;
	double p;                              /* 0 to 1; 0: half of a condition, a quotation */
	bool sure;                             /* p is above the threshold of the head */
	const float *x;                        /* the features, borrowed until fn returns */
};

/*
 * Calls fn with each piece of a message that has a word, in order; code, tables and quoted lines
 * are left out. fn returns 0 to continue; any other value stops. Cost: about 3 us a word. Not for
 * threads.
 */
typedef int salience_fn(void *arg, const struct salience *s);
void salience_each(const struct salience_turn *t, salience_fn *fn, void *arg);

/* The names of the features: *names [returned], borrowed. */
size_t salience_features(const char *const **names);

#endif
