/*
 * kernel.h: the inner loops of vector scans and clustering for each instruction set, and the choice
 * among them. Private to lib/math and its tests.
 */
#pragma once

#include "base/base.h"

/*
 * So many points are multiplied with so many centroids at once, so that the products stay in
 * registers.
 */
#define KERNEL_TILE 4

struct kernel {
	const char *name;
	bool (*usable)(void);                  /* whether this processor has it */
	/* sum of q[i] x[i]; the caller ensures that it does not overflow */
	int32_t (*dot)(const int16_t *q, const int8_t *x, size_t n);
	/*
	 * out[i] = sum over j of 2^j popcount(code i ^ plane j), for n codes that are stride bytes
	 * apart; planes: VEC_PLANES planes of pitch words each
	 */
	void (*differ)(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes,
	    size_t stride, size_t n, int32_t *out);
	/*
	 * out[i * k + j] = <x i, c j> for KERNEL_TILE points x and k centroids c, k a multiple of
	 * KERNEL_TILE; rows are unit vectors of n_dims numbers
	 */
	void (*products)(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out);
};

/*
 * The best that this machine can run, or the one set by kernel_use. All compute the same numbers.
 */
const struct kernel *kernel(void);
/* The names of those that this machine can run, best last, NULL at the end. */
const char *const *kernel_names(void);
/*
 * For tests. Returns false, and the best is used, when there is none of that name or it cannot run.
 */
bool kernel_use(const char *name);

/* ---- the functions of the table ---- */

int32_t vec_kernel_dot(const int16_t *q, const int8_t *x, size_t n);
int32_t vec_kernel_dot_avx2(const int16_t *q, const int8_t *x, size_t n);
void vec_kernel_differ(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes,
	size_t stride, size_t n, int32_t *out);
void vec_kernel_differ_popcnt(const uint64_t *planes, size_t pitch, size_t n_words,
	const uint8_t *codes, size_t stride, size_t n, int32_t *out);
void vec_kernel_differ_avx512(const uint64_t *planes, size_t pitch, size_t n_words,
	const uint8_t *codes, size_t stride, size_t n, int32_t *out);
void
kmeans_kernel_products(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out);
void kmeans_kernel_products_avx2(const int16_t *x, const int16_t *c, size_t k, size_t n_dims,
	int32_t *out);
void kmeans_kernel_products_avx512(const int16_t *x, const int16_t *c, size_t k, size_t n_dims,
	int32_t *out);
