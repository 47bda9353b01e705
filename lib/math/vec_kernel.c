/*
 * vec_kernel.c: integer products, in plain C and with x86 instructions beyond the baseline. On
 * other machines the compiler's version of the plain loops is used; for AArch64 it is as good.
 */
#include "math/kernel.h"

#include "math/vec.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define X86 1
#endif

int32_t
vec_kernel_dot(const int16_t *q, const int8_t *x, size_t n)
{
	int32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (int32_t)q[i] * x[i];
	return sum;
}

static inline unsigned
bits_of(uint64_t v)
{
	v -= v >> 1 & 0x5555555555555555u;
	v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (unsigned)(v * 0x0101010101010101u >> 56);
}

void
vec_kernel_differ(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes,
	size_t stride, size_t n, int32_t *out)
{
	for (size_t i = 0; i < n; i++, codes += stride) {
		unsigned sum = 0;
		for (size_t w = 0; w < n_words; w++) {
			uint64_t code;
			memcpy(&code, codes + 8 * w, 8);
			for (size_t j = 0; j < VEC_PLANES; j++)
				sum += bits_of(code ^ planes[j * pitch + w]) << j;
		}
		out[i] = (int32_t)sum;
	}
}

#ifdef X86

__attribute__((target("avx2"))) int32_t
vec_kernel_dot_avx2(const int16_t *q, const int8_t *x, size_t n)
{
	__m256i a = _mm256_setzero_si256(), b = a;
	__m128i s;
	size_t i = 0;

	for (; i + 32 <= n; i += 32) {
		__m256i x0 =
		    _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(x + i)));
		__m256i x1 = _mm256_cvtepi8_epi16(
		    _mm_loadu_si128((const __m128i *)(const void *)(x + i + 16)));
		a = _mm256_add_epi32(a,
		    _mm256_madd_epi16(x0,
			_mm256_loadu_si256((const __m256i *)(const void *)(q + i))));
		b = _mm256_add_epi32(b,
		    _mm256_madd_epi16(x1,
			_mm256_loadu_si256((const __m256i *)(const void *)(q + i + 16))));
	}
	a = _mm256_add_epi32(a, b);
	s = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
	return _mm_cvtsi128_si32(s) + vec_kernel_dot(q + i, x + i, n - i);
}

__attribute__((target("popcnt"))) void
vec_kernel_differ_popcnt(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes,
	size_t stride, size_t n, int32_t *out)
{
	for (size_t i = 0; i < n; i++, codes += stride) {
		uint64_t sum[VEC_PLANES] = { 0 }, all = 0;
		for (size_t w = 0; w < n_words; w++) {
			uint64_t code;
			memcpy(&code, codes + 8 * w, 8);
			for (size_t j = 0; j < VEC_PLANES; j++)
				sum[j] += (uint64_t)_mm_popcnt_u64(code ^ planes[j * pitch + w]);
		}
		for (size_t j = 0; j < VEC_PLANES; j++)
			all += sum[j] << j;
		out[i] = (int32_t)all;
	}
}

/* Adds the popcounts of eight words, weighted by plane, to sum. */
__attribute__((target("avx512f,avx512vpopcntdq"), always_inline)) static inline __m512i
differ_eight(__m512i code, const __m512i plane[VEC_PLANES], __m512i sum)
{
	for (unsigned j = 0; j < VEC_PLANES; j++)
		sum = _mm512_add_epi64(sum,
		    _mm512_slli_epi64(_mm512_popcnt_epi64(_mm512_xor_si512(code, plane[j])), j));
	return sum;
}

__attribute__((target("avx512f,avx512vpopcntdq"))) void
vec_kernel_differ_avx512(const uint64_t *planes, size_t pitch, size_t n_words, const uint8_t *codes,
	size_t stride, size_t n, int32_t *out)
{
	for (size_t w = 0; w < n_words; w += 8) {
		__mmask8 m = (__mmask8)(n_words - w >= 8 ? 0xff : (1u << (n_words - w)) - 1);
		const uint8_t *code = codes + 8 * w;
		__m512i plane[VEC_PLANES];
		for (size_t j = 0; j < VEC_PLANES; j++)
			plane[j] = _mm512_maskz_loadu_epi64(m, planes + j * pitch + w);
		for (size_t i = 0; i < n; i++, code += stride) {
			__m512i sum = differ_eight(_mm512_maskz_loadu_epi64(m, code), plane,
			    _mm512_setzero_si512());
			out[i] = (int32_t)_mm512_reduce_add_epi64(sum) + (w > 0 ? out[i] : 0);
		}
	}
}

#endif
