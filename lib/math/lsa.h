/*
 * lsa.h: rows of a large sparse matrix as short dense vectors with nearly the same inner products:
 * latent semantic analysis (Deerwester and others 1990).
 */
#pragma once

#include "base/base.h"

struct sparse {
	const uint32_t *starts;            /* [n + 1] where each row begins in columns and values */
	const uint32_t *columns;
	const float *values;
	size_t n, n_columns;
};

/*
 * Out [n][rank]: the rows in an orthonormal basis of nearly the best subspace of rank dimensions,
 * found by subspace iteration from a fixed start (Halko, Martinsson and Tropp 2011). Where the
 * matrix has a lower rank, the rest is zeros. Deterministic. Cost: a few times (rank x values +
 * rank^2 x columns).
 */
void lsa_reduce(const struct sparse *a, size_t rank, float *out);
