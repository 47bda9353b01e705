/*
 * gemm_avxvnni.c: AVX-VNNI: vpdpwssd on 256 bits does both in one, six rows by one panel in twelve registers of sums.
 */
#include "model/kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
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
#define VEC_DOT(s, a, w) _mm256_dpwssd_avx_epi32(s, a, w)

static inline int
load_pair(const int16_t *p)
{
	int pair;

	memcpy(&pair, p, sizeof pair);
	return pair;
}

#include "model/gemm_tile.h"

/* Leaf 7.1 EAX bit 4, asked for by hand: clang 14 does not know it by name. AVX2 says that the system saves the registers. */
static bool
usable(void)
{
	unsigned a, b, c, d;

	return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 4 & 1) != 0;
}

const struct gemm_kernel gemm_avxvnni = { "avxvnni", usable, product, product16, &STEPS };
#endif
