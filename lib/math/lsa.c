/*
 * lsa.c: subspace iteration. Multiplying random vectors with the matrix again and again turns them
 * towards its largest components. They are made orthonormal after each round, or all would become
 * the same vector. Inner products in a subspace do not depend on its basis, so eigenvalues are not
 * needed.
 */
#include "math/lsa.h"

#include <math.h>

#include "base/alloc.h"
#include "base/hash.h"

#define ROUNDS 3
/* a vector that shrinks to this share of its length depended linearly on those before it */
#define GONE   1e-5

/* The inner product; the fixed order of its sums lets eight of them run side by side. */
static double
dot(const float *a, const float *b, size_t n)
{
	float sum[8] = { 0 };
	double all = 0;
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		for (size_t m = 0; m < 8; m++)
			sum[m] += a[i + m] * b[i + m];
	for (; i < n; i++)
		all += (double)a[i] * (double)b[i];
	for (size_t m = 0; m < 8; m++)
		all += (double)sum[m];
	return all;
}

/*
 * Makes the rows of q [rank][n] orthonormal, one after the other (modified Gram-Schmidt, twice for
 * each); rows that depend on earlier ones become zeros.
 */
static void
orthonormal(float *q, size_t rank, size_t n)
{
	for (size_t i = 0; i < rank; i++) {
		float *v = q + i * n;
		double before = sqrt(dot(v, v, n)), after;
		for (size_t j = 0; j < 2 * i; j++) {
			const float *w = q + j % i * n;
			float along = (float)dot(v, w, n);
			for (size_t k = 0; k < n; k++)
				v[k] -= along * w[k];
		}
		after = sqrt(dot(v, v, n));
		for (size_t k = 0; k < n; k++)
			v[k] = after > GONE * before && after > 0 ? (float)(v[k] / after) : 0;
	}
}

/* y [n][rank] = A q^T, q [columns][rank]. */
static void
multiply(const struct sparse *a, const float *q, size_t rank, float *y)
{
	memset(y, 0, a->n * rank * sizeof(*y));
	for (size_t i = 0; i < a->n; i++)
		for (uint32_t at = a->starts[i]; at < a->starts[i + 1]; at++) {
			const float *row = q + a->columns[at] * rank;
			for (size_t k = 0; k < rank; k++)
				y[i * rank + k] += a->values[at] * row[k];
		}
}

/* z [columns][rank] = A^T y. */
static void
multiply_transposed(const struct sparse *a, const float *y, size_t rank, float *z)
{
	memset(z, 0, a->n_columns * rank * sizeof(*z));
	for (size_t i = 0; i < a->n; i++)
		for (uint32_t at = a->starts[i]; at < a->starts[i + 1]; at++) {
			float *row = z + a->columns[at] * rank;
			for (size_t k = 0; k < rank; k++)
				row[k] += a->values[at] * y[i * rank + k];
		}
}

static void
transpose(const float *from, size_t rows, size_t columns, float *to)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t k = 0; k < columns; k++)
			to[k * rows + i] = from[i * columns + k];
}

void
lsa_reduce(const struct sparse *a, size_t rank, float *out)
{
	size_t n_basis = a->n_columns * rank;
	FREED float *q = xreallocarray(NULL, MAX(n_basis, 1), sizeof(*q));
	FREED float *turned = xreallocarray(NULL, MAX(n_basis, 1), sizeof(*turned));

	for (size_t i = 0; i < n_basis; i++)
		q[i] = (float)((double)(int64_t)hash64_mix(i + 1) / 9223372036854775808.0);
	for (unsigned round = 0; round < ROUNDS; round++) {
		multiply(a, q, rank, out);
		multiply_transposed(a, out, rank, q);
		transpose(q, a->n_columns, rank, turned);
		orthonormal(turned, rank, a->n_columns);
		transpose(turned, rank, a->n_columns, q);
	}
	multiply(a, q, rank, out);
}
