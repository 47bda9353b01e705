/*
 * lsa.h: rows of a large sparse matrix as short dense vectors whose products are nearly the rows':
 * latent semantic analysis (Deerwester and others 1990).
 */
#ifndef MATH_LSA_H
#define MATH_LSA_H

#include "base/base.h"

struct sparse {
	const uint32_t *starts;            /* [n + 1] of each row in columns and values */
	const uint32_t *columns;
	const float *values;
	size_t n, n_columns;
};

/*
 * out [n][rank]: the rows in an orthonormal basis of nearly the best subspace of so many
 * dimensions, by subspace iteration from a fixed start (Halko, Martinsson and Tropp 2011). Where
 * the matrix has fewer, the rest is zeros. Deterministic. Cost: a few times (rank x values + rank^2
 * x columns).
 */
void lsa_reduce(const struct sparse *a, size_t rank, float *out);

#endif
