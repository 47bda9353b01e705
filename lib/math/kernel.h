/*
 * kernel.h: the loops that scans and clustering spend their time in, by instruction set: which
 * there are, and which is used. Private to lib/math and its tests.
 */
#ifndef MATH_KERNEL_H
#define MATH_KERNEL_H

#include "base/base.h"

/* points and centroids taken together: their products stay in registers */
#define KERNEL_TILE 4

struct kernel {
	const char *name;
	bool (*usable)(void);                  /* on this processor */
	/* sum of q[i] x[i]; the caller sees to it that it fits */
	int32_t (*dot)(const int16_t *q, const int8_t *x, size_t n);
	/*
	 * out[i] = sum over j of 2^j popcount(code i ^ plane j) for n codes, stride bytes apart;
	 * planes VEC_PLANES times pitch words
	 */
	void (*differ)(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes,
	    size_t stride, size_t n, int32_t *out);
	/*
	 * out[i * k + j] = <x i, c j> for KERNEL_TILE points x and k centroids c, a multiple of
	 * KERNEL_TILE; rows of n_dims numbers, of unit vectors
	 */
	void (*products)(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out);
};

/*
 * The best that this machine can run, or the one that kernel_use named. All give the same numbers.
 */
const struct kernel *kernel(void);
/* Those that it can run, by name, best last, NULL at the end. */
const char *const *kernel_names(void);
/* For tests. False, and the best is used, when there is none of that name, or it cannot run. */
bool kernel_use(const char *name);

/* ---- what the table is made of ---- */

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

#endif
