/*
 * kmeans_kernel.h: the loop that clustering spends its time in, by instruction set. Private to lib/math.
 */
#ifndef MATH_KMEANS_KERNEL_H
#define MATH_KMEANS_KERNEL_H

#include "base/base.h"

#define KMEANS_TILE 4                          /* points and centroids taken together: their products stay in registers */

struct kmeans_kernel {
	const char *name;
	bool (*usable)(void);
	/* out[i * k + j] = <x i, c j> for KMEANS_TILE points x and k centroids c, a multiple of KMEANS_TILE; rows of n_dims numbers */
	void (*products)(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out);
};

extern const struct kmeans_kernel kmeans_kernel_table[];      /* best last, name NULL at the end */
/* The one in use. */
const struct kmeans_kernel *kmeans_kernel(void);

#endif
