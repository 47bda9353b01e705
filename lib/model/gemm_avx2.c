/*
 * gemm_avx2.c: AVX2: vpmaddwd on 256 bits and an addition, six rows by one panel in twelve registers of sums.
 */
#include "model/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "model/steps_body.h"

#define ROWS   6
#define PANELS 1
#define VECS   2
#define vec    __m256i
#define VEC_ZERO         _mm256_setzero_si256()
#define VEC_STORE(p, v)  _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define VEC_PAIR(p)      _mm256_set1_epi32(load_pair(p))
#define VEC_WIDEN(p)     _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define VEC_LOAD(p)      _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define VEC_DOT(s, a, w) _mm256_add_epi32(s, _mm256_madd_epi16(a, w))

#include "model/gemm_tile.h"

static bool
usable(void)
{
	return __builtin_cpu_supports("avx2");
}

const struct gemm_kernel gemm_avx2 = { "avx2", false, usable, product, product16, &STEPS };
#endif
