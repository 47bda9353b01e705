/*
 * head.h: a small logistic model that is read from a text: a yes or no about a sentence from named
 * features of its words and, where there is an encoder, from its vector.
 *
 *	p = 1 / (1 + exp(-(bias + sum of weight * feature + vector . v)))
 *
 * The text has a section for each encoder and one called "words", which needs no vector:
 *
 *	# a comment
 *	section words
 *	threshold 0.6          above it the answer is yes
 *	bias -1.25
 *	weight question -2.5   a weight a line; features that are not named have none
 *	section all-MiniLM-L6-v2
 *	...
 *	vector 0.12 -0.5 ...   any number of such lines, together one number a dimension
 *
 * Learners write it (tests/bench/gate.py, tests/bench/salience.py), nobody else does.
 */
#pragma once

#include "base/err.h"

#define HEAD_WORDS    "words"
#define HEAD_DIMS_MAX 1024

struct head {
	double bias, threshold;
	double *weights;           /* [n_features], in the caller's order */
	size_t n_features;
	float *vector;             /* [n_dims]; NULL where n_dims is 0 */
	size_t n_dims;
};

/*
 * Reads one section of text into h; names [n_names] are the caller's features. Returns false, with
 * h empty, when there is no such section (the caller takes HEAD_WORDS then). err is filled, and
 * false returned, when the text breaks the grammar or weighs a feature that is not in names.
 */
bool head_read(struct head *h, const char *text, size_t len, const char *section,
	const char *const *names, size_t n_names, struct err *err);
void head_release(struct head *h);

/* The probability of yes. x [n_features]; v [n_dims], NULL with n_dims 0. Borrowed. */
double head_probability(const struct head *h, const float *x, const float *v);
