/*
 * record_vectors.h: vectors of records by their rows, where the store has them, and what follows
 * from them. No model is needed.
 */
#ifndef SUMMARY_RECORD_VECTORS_H
#define SUMMARY_RECORD_VECTORS_H

#include "store/vectors.h"
#include "summary/summary.h"

struct record_vectors {
	size_t n_dims;                         /* 0: the store has no vectors */
	float unrelated;                       /* of their model */
	bool *has;                             /* [n] */
	float *v;                              /* [n][n_dims] unit; of those that have none zeros */
};

/* The first vectors of records of a kind rows [n], ascending. Cost: the user's codes are read. */
int record_vectors(struct store *s, const struct scope *who, enum vector_kind kind,
	const int64_t *rows, size_t n, struct record_vectors *out, struct err *err);
void record_vectors_release(struct record_vectors *v);

/*
 * Fills near of said [n], whose messages are rows [n], ascending: the cosine with the mean of all.
 */
int record_vectors_nearness(struct store *s, const struct scope *who, const int64_t *rows,
	struct summary_said *said, size_t n, struct err *err);

#endif
