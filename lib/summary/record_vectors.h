/*
 * record_vectors.h: reads the stored vectors of records, given their rows. No model is needed.
 */
#ifndef SUMMARY_RECORD_VECTORS_H
#define SUMMARY_RECORD_VECTORS_H

#include "store/vectors.h"
#include "summary/summary.h"

struct record_vectors {
	size_t n_dims;                         /* 0: the store has no vectors */
	float unrelated; /* the model's mean cosine of unrelated texts, for calibration */
	/* the caller frees both */
	bool *has;                             /* [n] whether the record has a vector */
	float *v; /* [n][n_dims] of length 1, or zeros where there is none */
};

/*
 * Reads the vectors of the first chunks of the records rows [n], ascending, of a kind. Cost: a scan
 * of the user's vectors.
 */
int record_vectors(struct store *s, const struct scope *who, enum vector_kind kind,
	const int64_t *rows, size_t n, struct record_vectors *out, struct err *err);

#endif
