/*
 * kmeans_kernel.c: products of int16 vectors, a tile of points with a tile of centroids at a time,
 * so that each number read is used several times. Sums cannot overflow: the vectors have length 1,
 * and so any part of them at most that.
 */
#include "math/kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define X86 1
#endif

static int32_t
product(const int16_t *x, const int16_t *c, size_t n)
{
	int32_t sum = 0;

	for (size_t d = 0; d < n; d++)
		sum += x[d] * c[d];
	return sum;
}

void
kmeans_kernel_products(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out)
{
	for (size_t j = 0; j < k; j++)
		for (size_t i = 0; i < KERNEL_TILE; i++)
			out[i * k + j] = product(x + i * n_dims, c + j * n_dims, n_dims);
}

#ifdef X86

__attribute__((target("avx2"), always_inline)) static inline int32_t
sum256(__m256i a)
{
	__m128i s = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
	return _mm_cvtsi128_si32(s);
}

__attribute__((target("avx2"))) void
kmeans_kernel_products_avx2(const int16_t *x, const int16_t *c, size_t k, size_t n_dims,
	int32_t *out)
{
	size_t whole = n_dims / 16 * 16;

	for (size_t j = 0; j < k; j += 2, c += 2 * n_dims) {
		__m256i sum[KERNEL_TILE][2];

		for (size_t i = 0; i < KERNEL_TILE; i++)
			sum[i][0] = sum[i][1] = _mm256_setzero_si256();
		for (size_t d = 0; d < whole; d += 16) {
			__m256i c0 = _mm256_loadu_si256((const __m256i *)(const void *)(c + d));
			__m256i c1 =
			    _mm256_loadu_si256((const __m256i *)(const void *)(c + n_dims + d));
			for (size_t i = 0; i < KERNEL_TILE; i++) {
				__m256i v = _mm256_loadu_si256(
				    (const __m256i *)(const void *)(x + i * n_dims + d));
				sum[i][0] = _mm256_add_epi32(sum[i][0], _mm256_madd_epi16(v, c0));
				sum[i][1] = _mm256_add_epi32(sum[i][1], _mm256_madd_epi16(v, c1));
			}
		}
		for (size_t i = 0; i < KERNEL_TILE; i++)
			for (size_t m = 0; m < 2; m++)
				out[i * k + j + m] = sum256(sum[i][m]) +
				    product(x + i * n_dims + whole, c + m * n_dims + whole,
					n_dims - whole);
	}
}

__attribute__((target("avx512f,avx512bw"))) void
kmeans_kernel_products_avx512(const int16_t *x, const int16_t *c, size_t k, size_t n_dims,
	int32_t *out)
{
	size_t whole = n_dims / 32 * 32;

	for (size_t j = 0; j < k; j += KERNEL_TILE, c += KERNEL_TILE * n_dims) {
		__m512i sum[KERNEL_TILE][KERNEL_TILE];

		for (size_t i = 0; i < KERNEL_TILE; i++)
			for (size_t m = 0; m < KERNEL_TILE; m++)
				sum[i][m] = _mm512_setzero_si512();
		for (size_t d = 0; d < whole; d += 32) {
			__m512i v[KERNEL_TILE];
			for (size_t i = 0; i < KERNEL_TILE; i++)
				v[i] = _mm512_loadu_si512(x + i * n_dims + d);
			for (size_t m = 0; m < KERNEL_TILE; m++) {
				__m512i w = _mm512_loadu_si512(c + m * n_dims + d);
				for (size_t i = 0; i < KERNEL_TILE; i++)
					sum[i][m] =
					    _mm512_add_epi32(sum[i][m], _mm512_madd_epi16(v[i], w));
			}
		}
		for (size_t i = 0; i < KERNEL_TILE; i++)
			for (size_t m = 0; m < KERNEL_TILE; m++)
				out[i * k + j + m] = _mm512_reduce_add_epi32(sum[i][m]) +
				    product(x + i * n_dims + whole, c + m * n_dims + whole,
					n_dims - whole);
	}
}

#endif
