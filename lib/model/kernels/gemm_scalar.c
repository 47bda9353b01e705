/*
 * gemm_scalar.c: the products in plain C: every processor runs them, and tests compare every other
 * kernel with them.
 */
#include "model/kernels/kernels.h"
#include "model/kernels/steps_body.h"

static bool
usable(void)
{
	return true;
}

/* The sums [GEMM_PANEL] of one row by one panel; weights are int8 or int16. */
#define DOT_PANEL(sums, a, w, n_pairs) \
	do { \
		memset(sums, 0, GEMM_PANEL * sizeof *(sums)); \
		for (size_t i_ = 0; i_ < (n_pairs); i_++) \
			for (size_t j_ = 0; j_ < GEMM_PANEL; j_++) \
				(sums)[j_] += (a)[2 * i_] * (w)[2 * (GEMM_PANEL * i_ + j_)] + \
				    (a)[2 * i_ + 1] * (w)[2 * (GEMM_PANEL * i_ + j_) + 1]; \
	} while (0)

static void
product(const struct gemm_rows *rows, const int8_t *packed, size_t n_in, size_t n_out, int32_t *acc)
{
	size_t n_pairs = gemm_even(n_in) / 2, ld = gemm_padded(n_out), n, i;

	for (n = 0; n < ld; n += GEMM_PANEL, packed += 2 * GEMM_PANEL * n_pairs)
		for (i = 0; i < rows->n; i++)
			DOT_PANEL(acc + i * ld + n, rows->a + i * rows->ld, packed, n_pairs);
}

static void
product16(const int16_t *a, size_t lda, size_t m, const int16_t *packed, size_t n_in, size_t n_out,
	int32_t *acc)
{
	size_t n_pairs = gemm_even(n_in) / 2, ld = gemm_padded(n_out), n, i;

	for (n = 0; n < ld; n += GEMM_PANEL, packed += 2 * GEMM_PANEL * n_pairs)
		for (i = 0; i < m; i++)
			DOT_PANEL(acc + i * ld + n, a + i * lda, packed, n_pairs);
}

const struct gemm_kernel gemm_scalar = { "scalar", false, 48, usable, product, product16, &STEPS };
