/*
 * gemm.h: the matrix products of the encoder: activations of at most 14 bits by 8-bit weights,
 * summed in int32, with the same bits from every kernel.
 *
 * Since |weight| <= 127 and |activation| <= gemm_activation_max(n_in), sums fit into int32 and
 * their order does not matter. What is done in float (steps.h) is done in one fixed order without
 * fused multiply-add.
 *
 * Nearly all activations of a row lie in a window of 256 values (quantise in steps.h). A kernel
 * that multiplies bytes takes these as bytes, twice as many at once, and the few outliers beyond
 * the window (called far) in pairs of int16; other kernels take the whole row as int16. The sums
 * are the same integers.
 *
 * Packed weights (drawn in gemm.c) are panels of GEMM_PANEL outputs; they are aligned to GEMM_ALIGN
 * bytes, in the model file too.
 */
#pragma once

#include "base/base.h"

#define GEMM_ACTIVATION_MAX 8191
#define GEMM_IN_MAX         16384
#define GEMM_PANEL          16
#define GEMM_ALIGN          64
#define GEMM_WINDOW         256
#define GEMM_ROWS           64

struct steps;                          /* steps.h */

struct gemm_rows {
	/* [n] rows of n_in elements, padded with a zero to an even number, ld elements apart */
	const int16_t *a;
	size_t ld, n;
	/* The rest is for kernels that multiply bytes; NULL or 0 where rows have no window. */
	/*
	 * [gemm_kept(n_in, n_out)] memory of the kernel, which computes it once for these weights
	 * and this window and uses it for all later products
	 */
	int32_t *kept;
	bool *has_kept;                /* whether kept is computed; false at first */
	uint8_t *bytes;                /* scratch [gemm_scratch_bytes(n, n_in)] */
	int16_t low;                   /* lower end of the window; |low| <= GEMM_ACTIVATION_MAX */
};

struct gemm_kernel {
	/* "scalar", "avx2", "avxvnni", "avx512vnni", "avx512vbmi", "neon" */
	const char *name;
	bool takes_bytes;
	/*
	 * The best number of rows for one product, at most GEMM_ROWS: their widest sums stay in the
	 * second-level cache.
	 */
	size_t n_rows;
	bool (*usable)(void);          /* whether this processor can run it */
	/*
	 * Acc [rows->n][gemm_padded(n_out)] = rows by w, in int32. Elements after the n_out sums of
	 * a row are 0.
	 */
	void (*product)(const struct gemm_rows *rows, const int8_t *packed, size_t n_in,
	    size_t n_out, int32_t *acc);
	/*
	 * The same with int16 in place of the int8 weights, packed alike, for a [m] rows that are
	 * lda apart; the caller ensures that sums fit.
	 */
	void (*product16)(const int16_t *a, size_t lda, size_t m, const int16_t *packed,
	    size_t n_in, size_t n_out, int32_t *acc);
	const struct steps *steps;     /* the float steps, compiled for the same instruction set */
};

/* All kernels that were compiled, best last, NULL at the end. */
extern const struct gemm_kernel *const gemm_kernels[];

/*
 * The best kernel that this processor can run, or the one that the environment variable MEM_KERNEL
 * names, if it can run. Chosen once a process.
 */
const struct gemm_kernel *gemm_kernel(void);

/*
 * The largest activation for which a sum of n_in products by 8-bit weights fits into int32, at most
 * GEMM_ACTIVATION_MAX.
 */
int32_t gemm_activation_max(size_t n_in);

static inline size_t
gemm_even(size_t n)
{
	return (n + 1) & ~(size_t)1;
}

/* n rounded up to whole panels: the length of a row of sums. */
static inline size_t
gemm_padded(size_t n)
{
	return (n + GEMM_PANEL - 1) / GEMM_PANEL * GEMM_PANEL;
}

/* The length of a row of bytes, rounded up to whole registers. */
static inline size_t
gemm_row_bytes(size_t n_in)
{
	return (n_in + 63) / 64 * 64;
}

static inline size_t
gemm_kept(size_t n_in, size_t n_out)
{
	return MAX(gemm_padded(n_out), gemm_row_bytes(n_in) / 4);
}

/*
 * Room for n rows of bytes, a quarter of that for starts, the products of outliers with a panel,
 * and a panel of weights.
 */
static inline size_t
gemm_scratch_bytes(size_t n, size_t n_in)
{
	return (n + n / 4 + 1 + GEMM_PANEL) * gemm_row_bytes(n_in) +
	    n * (GEMM_PANEL + 1) * sizeof(int32_t) + GEMM_ALIGN;
}

size_t gemm_packed_bytes(size_t n_in, size_t n_out);
/* Packs w [n_out][n_in] in the order that all kernels read. */
void gemm_pack(const int8_t *w, size_t n_in, size_t n_out, int8_t *packed);
