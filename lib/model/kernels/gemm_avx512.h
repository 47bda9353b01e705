/*
 * gemm_avx512.h: defines the macros of gemm_tile.h for vpdpwssd and vpdpbusd on 512 bits: tiles of
 * twelve rows by two panels, with their sums in 24 registers. The two files that include it differ
 * in load_quads, which interleaves the 16-bit words of two rows of pairs, so that they become quads
 * of weights.
 */
#pragma once

#if defined(__AVX512VNNI__)
#include <immintrin.h>

#include "base/cpu.h"
#include "model/kernels/kernels.h"
#include "model/kernels/steps_body.h"

#define ROWS   12
#define PANELS 2
#define VECS   1
#define vec    __m512i
#define VEC_ZERO         _mm512_setzero_si512()
#define VEC_STORE(p, v)  _mm512_storeu_si512(p, v)
#define VEC_PAIR(p)      _mm512_set1_epi32(load_pair(p))
#define VEC_WIDEN(p) _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define VEC_LOAD(p)      _mm512_loadu_si512(p)
#define VEC_DOT(s, a, w) _mm512_dpwssd_epi32(s, a, w)

#define VEC_QUAD(p)            _mm512_set1_epi32(load_quad(p))
#define VEC_DOT_BYTES(s, u, w) _mm512_dpbusd_epi32(s, u, w)
#define VEC_QUADS(p, v)        load_quads(p)
#define VEC_ORDERED(s, v)      ((s)[v])

static inline uint32_t
take_bytes(const int16_t *a, int16_t low, uint8_t *bytes)
{
	vec x = _mm512_sub_epi16(VEC_LOAD(a), _mm512_set1_epi16(low));
	__mmask32 is_far = _mm512_cmpgt_epu16_mask(x, _mm512_set1_epi16(GEMM_WINDOW - 1));

	_mm256_storeu_si256((__m256i *)(void *)bytes, _mm512_maskz_cvtepi16_epi8(~is_far, x));
	return is_far;
}

static inline bool
avx512_usable(void)
{
	return cpu_has(CPU_AVX512) && cpu_has(CPU_AVX512VNNI);
}

#endif
