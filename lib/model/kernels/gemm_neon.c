/*
 * gemm_neon.c: NEON: multiply-accumulate of int16 by one lane, the two inputs of a pair one after
 * the other; tiles of four rows by one panel, with their sums in sixteen registers.
 */
#include "model/kernels/kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#include "model/kernels/steps_body.h"

#define ROWS 4

/* The weights of one input for the panel's outputs: [0] outputs 0-7, [1] 8-15. */
struct column { int16x8_t w[2]; };

static inline __attribute__((always_inline)) void
load_pair_columns(const void *packed, size_t at, bool is_wide, struct column *even,
	struct column *odd)
{
	if (is_wide) {
		int16x8x2_t lo = vld2q_s16((const int16_t *)packed + at),
			    hi = vld2q_s16((const int16_t *)packed + at + 16);

		even->w[0] = lo.val[0], even->w[1] = hi.val[0];
		odd->w[0] = lo.val[1], odd->w[1] = hi.val[1];
	} else {
		int8x16x2_t both = vld2q_s8((const int8_t *)packed + at);

		even->w[0] = vmovl_s8(vget_low_s8(both.val[0])),
		even->w[1] = vmovl_high_s8(both.val[0]);
		odd->w[0] = vmovl_s8(vget_low_s8(both.val[1])),
		odd->w[1] = vmovl_high_s8(both.val[1]);
	}
}

static inline __attribute__((always_inline)) void
add_column(int32x4_t *sums, const struct column *c, int16_t a)
{
	int v;

#pragma GCC unroll 2
	for (v = 0; v < 2; v++) {
		sums[2 * v] = vmlal_n_s16(sums[2 * v], vget_low_s16(c->w[v]), a);
		sums[2 * v + 1] = vmlal_high_n_s16(sums[2 * v + 1], c->w[v], a);
	}
}

static inline __attribute__((always_inline)) void
tile(const int16_t *a, size_t lda, const void *packed, bool is_wide, size_t n_pairs, size_t rows,
	int32_t *acc, size_t ld)
{
	int32x4_t sums[ROWS][4];
	struct column even, odd;
	size_t i, r, v;

#pragma GCC unroll 4
	for (r = 0; r < rows; r++)
#pragma GCC unroll 4
		for (v = 0; v < 4; v++)
			sums[r][v] = vdupq_n_s32(0);
	for (i = 0; i < n_pairs; i++) {
		load_pair_columns(packed, 2 * GEMM_PANEL * i, is_wide, &even, &odd);
#pragma GCC unroll 4
		for (r = 0; r < rows; r++) {
			add_column(sums[r], &even, a[r * lda + 2 * i]);
			add_column(sums[r], &odd, a[r * lda + 2 * i + 1]);
		}
	}
#pragma GCC unroll 4
	for (r = 0; r < rows; r++)
#pragma GCC unroll 4
		for (v = 0; v < 4; v++)
			vst1q_s32(acc + r * ld + 4 * v, sums[r][v]);
}

static inline __attribute__((always_inline)) void
multiply(const int16_t *a, size_t lda, size_t m, const void *packed, bool is_wide, size_t n_in,
	size_t n_out, int32_t *acc)
{
	size_t n_pairs = gemm_even(n_in) / 2, ld = gemm_padded(n_out), n, i;

	for (n = 0; n < ld; n += GEMM_PANEL) {
		const char *w = (const char *)packed + n * 2 * n_pairs * (is_wide ? 2 : 1);
		for (i = 0; i + ROWS <= m; i += ROWS)
			tile(a + i * lda, lda, w, is_wide, n_pairs, ROWS, acc + i * ld + n, ld);
		for (; i < m; i++)
			tile(a + i * lda, lda, w, is_wide, n_pairs, 1, acc + i * ld + n, ld);
	}
}

static void
product(const struct gemm_rows *rows, const int8_t *packed, size_t n_in, size_t n_out, int32_t *acc)
{
	multiply(rows->a, rows->ld, rows->n, packed, false, n_in, n_out, acc);
}

static void
product16(const int16_t *a, size_t lda, size_t m, const int16_t *packed, size_t n_in, size_t n_out,
	int32_t *acc)
{
	multiply(a, lda, m, packed, true, n_in, n_out, acc);
}

static bool
usable(void)
{
	return true;
}

const struct gemm_kernel gemm_neon = { "neon", false, 48, usable, product, product16, &STEPS };
#endif
