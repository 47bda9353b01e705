/*
 * gemm_avx512.c: AVX-512 VNNI without VBMI, for the first processors that had it.
 */
#include "model/kernels/kernels.h"

#if defined(__x86_64__)
#include "model/kernels/gemm_avx512.h"

static inline vec
load_quads(const int8_t *p)
{
	const vec order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9,
	    24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);

	return _mm512_permutexvar_epi16(order, VEC_LOAD(p));
}

#include "model/kernels/gemm_tile.h"

const struct gemm_kernel gemm_avx512 = { "avx512vnni", true, 48, avx512_usable, product, product16,
	&STEPS };
#endif
