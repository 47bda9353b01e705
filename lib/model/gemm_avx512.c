/*
 * gemm_avx512.c: AVX-512 VNNI: vpdpwssd on 512 bits, twelve rows by two panels in 24 registers of sums.
 */
#include "model/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "model/steps_body.h"

#define ROWS   12
#define PANELS 2
#define VECS   1
#define vec    __m512i
#define VEC_ZERO         _mm512_setzero_si512()
#define VEC_STORE(p, v)  _mm512_storeu_si512(p, v)
#define VEC_PAIR(p)      _mm512_set1_epi32(load_pair(p))
#define VEC_WIDEN(p)     _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define VEC_LOAD(p)      _mm512_loadu_si512(p)
#define VEC_DOT(s, a, w) _mm512_dpwssd_epi32(s, a, w)

static inline int
load_pair(const int16_t *p)
{
	int pair;

	memcpy(&pair, p, sizeof pair);
	return pair;
}

#include "model/gemm_tile.h"

static bool
usable(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni");
}

const struct gemm_kernel gemm_avx512 = { "avx512vnni", usable, product, product16, &STEPS };
#endif
