/*
 * kernels.h: the kernels by name, one a file; which of them exist depends on the compiler's target.
 * Also what the kernels for x86 share besides gemm_tile.h.
 */
#pragma once

#include "model/kernels/gemm.h"

extern const struct gemm_kernel gemm_scalar, gemm_avx2, gemm_avxvnni, gemm_avx512, gemm_avx512vbmi,
	gemm_neon;

/* Two activations, or four as bytes, as the one number that is broadcast to a vector's lanes. */
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
