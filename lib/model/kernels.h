/*
 * kernels.h: the kernels by name, one a file; which of them are there is the compiler's target. And
 * what those for x86 share beside gemm_tile.h.
 */
#ifndef MODEL_KERNELS_H
#define MODEL_KERNELS_H

#include "model/gemm.h"

extern const struct gemm_kernel gemm_scalar, gemm_avx2, gemm_avxvnni, gemm_avx512, gemm_avx512vbmi,
	gemm_neon;

/*
 * Two activations, or four that are bytes, as the one number that the processor repeats over a
 * vector.
 */
static inline int
load_pair(const int16_t *p)
{
	int pair;

	memcpy(&pair, p, sizeof pair);
	return pair;
}

static inline int
load_quad(const uint8_t *p)
{
	int quad;

	memcpy(&quad, p, sizeof quad);
	return quad;
}

#endif
