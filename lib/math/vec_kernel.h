/*
 * vec_kernel.h: the two loops of vec.h that a scan spends its time in, by instruction set. Private to lib/math.
 */
#ifndef MATH_VEC_KERNEL_H
#define MATH_VEC_KERNEL_H

#include "base/base.h"

struct vec_kernel {
	const char *name;
	bool (*usable)(void);
	int32_t (*dot)(const int16_t *q, const int8_t *x, size_t n);
	/* out[i] = sum over j of 2^j popcount(code i ^ plane j); planes VEC_PLANES times pitch words */
	void (*differ)(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes, size_t stride, size_t n, int32_t *out);
};

extern const struct vec_kernel vec_kernel_table[];     /* best last, name NULL at the end */

#endif
