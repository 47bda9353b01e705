/*
 * gemm.h: the matrix products of the encoder: activations of at most 14 bits by 8-bit weights,
 * summed in int32, the same bits by every kernel.
 *
 * |weight| <= 127 and |activation| <= gemm_activation_max(n_in), so that sums fit in int32 and
 * their order does not matter. What is done in float (steps.h) is done in one fixed order without
 * fused multiply-add.
 *
 * Nearly all activations of a row lie in a window of 256 (steps.h, quantise). A kernel that
 * multiplies bytes takes these as bytes, twice as many at once, and the few beyond it pair by pair;
 * the others take the row as it is. The sums are the same integers.
 *
 * Packed weights (drawn in gemm.c) are panels of GEMM_PANEL outputs; they start at GEMM_ALIGN bytes
 * wherever they lie, in the model file too.
 */
#ifndef MODEL_GEMM_H
#define MODEL_GEMM_H

#include "base/base.h"

#define GEMM_ACTIVATION_MAX 8191
#define GEMM_IN_MAX         16384
#define GEMM_PANEL          16
#define GEMM_ALIGN          64
#define GEMM_WINDOW         256
#define GEMM_ROWS           64

struct steps;                          /* steps.h */

struct gemm_rows {
	/* rows of n_in, padded with a zero to an even number, ld apart */
	const int16_t *a;
	size_t ld, n;
	/* For kernels that take bytes, where there is a window; else NULL. */
	/*
	 * [gemm_kept(n_in, n_out)] the kernel's, zero at first; the same for all products by these
	 * weights in this window
	 */
	int32_t *kept;
	bool *has_kept;                /* false at first */
	uint8_t *bytes;                /* scratch [gemm_scratch_bytes(n, n_in)] */
	int16_t low;                   /* the least of the window; |low| <= GEMM_ACTIVATION_MAX */
};

struct gemm_kernel {
	/* "scalar", "avx2", "avxvnni", "avx512vnni", "avx512vbmi", "neon" */
	const char *name;
	bool takes_bytes;
	/*
	 * that a product is best given at once: their widest sums stay in the second-level cache;
	 * at most GEMM_ROWS
	 */
	size_t n_rows;
	bool (*usable)(void);          /* on this processor */
	/*
	 * acc [rows->n][gemm_padded(n_out)] = rows by w, all in int32. What stands behind the n_out
	 * sums of a row is 0.
	 */
	void (*product)(const struct gemm_rows *rows, const int8_t *packed, size_t n_in,
	    size_t n_out, int32_t *acc);
	/*
	 * a [m], lda apart, by int16 in place of the int8 weights, packed alike; the caller sees to
	 * it that sums fit.
	 */
	void (*product16)(const int16_t *a, size_t lda, size_t m, const int16_t *packed,
	    size_t n_in, size_t n_out, int32_t *acc);
	const struct steps *steps;     /* the float steps, compiled for the same instruction set */
};

/* All kernels compiled in, best last, NULL at the end. */
extern const struct gemm_kernel *const gemm_kernels[];

/*
 * The best usable one, or the one that the environment's MEM_KERNEL names when it is usable. Chosen
 * once a process.
 */
const struct gemm_kernel *gemm_kernel(void);

/*
 * The largest activation for which sums of n_in products by 8-bit weights fit in int32, at most
 * GEMM_ACTIVATION_MAX.
 */
int32_t gemm_activation_max(size_t n_in);

static inline size_t
gemm_even(size_t n)
{
	return (n + 1) & ~(size_t)1;
}

/* n rounded up to whole panels: the row length of a product's sums. */
static inline size_t
gemm_padded(size_t n)
{
	return (n + GEMM_PANEL - 1) / GEMM_PANEL * GEMM_PANEL;
}

/* Of a row's bytes; whole registers. */
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
 * Rows of bytes, a quarter as much again beside each, what is far of it by a panel, and a panel of
 * weights.
 */
static inline size_t
gemm_scratch_bytes(size_t n, size_t n_in)
{
	return (n + n / 4 + 1 + GEMM_PANEL) * gemm_row_bytes(n_in) +
	    n * (GEMM_PANEL + 1) * sizeof(int32_t) + GEMM_ALIGN;
}

size_t gemm_packed_bytes(size_t n_in, size_t n_out);
/* w [n_out][n_in] int8 into the order that all kernels read. */
void gemm_pack(const int8_t *w, size_t n_in, size_t n_out, int8_t *packed);

#endif
