/*
 * gemm_256.h: the macros of gemm_tile.h that AVX2 and AVX-VNNI share: 256-bit registers, and tiles
 * of six rows by one panel, with their sums in twelve registers.
 */
#pragma once

#include <immintrin.h>

#include "base/cpu.h"
#include "model/kernels/steps_body.h"

#define ROWS   6
#define PANELS 1
#define VECS   2
#define vec    __m256i
#define VEC_ZERO         _mm256_setzero_si256()
#define VEC_STORE(p, v)  _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define VEC_PAIR(p)      _mm256_set1_epi32(load_pair(p))
#define VEC_WIDEN(p)     _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define VEC_LOAD(p)      _mm256_loadu_si256((const __m256i *)(const void *)(p))
