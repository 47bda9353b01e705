/*
 * kmeans_kernel.c: products of int16 vectors, a tile of points against a tile of centroids at a time, so that each number read is used several times. Sums cannot overflow: the vectors
 * are unit, and so is every part of one at most.
 */
#include "math/kmeans_kernel.h"

#include "math/kmeans.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define X86 1
#endif

static bool
always(void)
{
	return true;
}

static int32_t
product(const int16_t *x, const int16_t *c, size_t n)
{
	int32_t sum = 0;

	for (size_t d = 0; d < n; d++)
		sum += x[d] * c[d];
	return sum;
}

static void
products_portable(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out)
{
	for (size_t j = 0; j < k; j++)
		for (size_t i = 0; i < KMEANS_TILE; i++)
			out[i * k + j] = product(x + i * n_dims, c + j * n_dims, n_dims);
}

#ifdef X86

static bool
has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

static bool
has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

__attribute__((target("avx2"), always_inline)) static inline int32_t
sum256(__m256i a)
{
	__m128i s = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
	return _mm_cvtsi128_si32(s);
}

__attribute__((target("avx2"))) static void
products_avx2(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out)
{
	size_t whole = n_dims / 16 * 16;

	for (size_t j = 0; j < k; j += 2, c += 2 * n_dims) {
		__m256i sum[KMEANS_TILE][2];

		for (size_t i = 0; i < KMEANS_TILE; i++)
			sum[i][0] = sum[i][1] = _mm256_setzero_si256();
		for (size_t d = 0; d < whole; d += 16) {
			__m256i c0 = _mm256_loadu_si256((const __m256i *)(const void *)(c + d));
			__m256i c1 = _mm256_loadu_si256((const __m256i *)(const void *)(c + n_dims + d));
			for (size_t i = 0; i < KMEANS_TILE; i++) {
				__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(x + i * n_dims + d));
				sum[i][0] = _mm256_add_epi32(sum[i][0], _mm256_madd_epi16(v, c0));
				sum[i][1] = _mm256_add_epi32(sum[i][1], _mm256_madd_epi16(v, c1));
			}
		}
		for (size_t i = 0; i < KMEANS_TILE; i++)
			for (size_t m = 0; m < 2; m++)
				out[i * k + j + m] = sum256(sum[i][m]) + product(x + i * n_dims + whole, c + m * n_dims + whole, n_dims - whole);
	}
}

__attribute__((target("avx512f,avx512bw"))) static void
products_avx512(const int16_t *x, const int16_t *c, size_t k, size_t n_dims, int32_t *out)
{
	size_t whole = n_dims / 32 * 32;

	for (size_t j = 0; j < k; j += KMEANS_TILE, c += KMEANS_TILE * n_dims) {
		__m512i sum[KMEANS_TILE][KMEANS_TILE];

		for (size_t i = 0; i < KMEANS_TILE; i++)
			for (size_t m = 0; m < KMEANS_TILE; m++)
				sum[i][m] = _mm512_setzero_si512();
		for (size_t d = 0; d < whole; d += 32) {
			__m512i v[KMEANS_TILE];
			for (size_t i = 0; i < KMEANS_TILE; i++)
				v[i] = _mm512_loadu_si512(x + i * n_dims + d);
			for (size_t m = 0; m < KMEANS_TILE; m++) {
				__m512i w = _mm512_loadu_si512(c + m * n_dims + d);
				for (size_t i = 0; i < KMEANS_TILE; i++)
					sum[i][m] = _mm512_add_epi32(sum[i][m], _mm512_madd_epi16(v[i], w));
			}
		}
		for (size_t i = 0; i < KMEANS_TILE; i++)
			for (size_t m = 0; m < KMEANS_TILE; m++)
				out[i * k + j + m] = _mm512_reduce_add_epi32(sum[i][m]) +
					product(x + i * n_dims + whole, c + m * n_dims + whole, n_dims - whole);
	}
}

#endif

const struct kmeans_kernel kmeans_kernel_table[] = {
	{ "portable", always, products_portable },
#ifdef X86
	{ "avx2", has_avx2, products_avx2 },
	{ "avx512", has_avx512, products_avx512 },
#endif
	{ NULL, NULL, NULL }
};

static const struct kmeans_kernel *forced;     /* for tests */

const struct kmeans_kernel *
kmeans_kernel(void)
{
	const struct kmeans_kernel *k = kmeans_kernel_table;

	if (forced != NULL)
		return forced;
	while (k[1].name != NULL && k[1].usable())
		k++;
	return k;
}

const char *const *
kmeans_kernels(void)
{
	static const char *names[NELEM(kmeans_kernel_table)];
	size_t n = 0;

	for (const struct kmeans_kernel *k = kmeans_kernel_table; k->name != NULL && k->usable(); k++)
		names[n++] = k->name;
	return names;
}

bool
kmeans_use(const char *name)
{
	forced = NULL;
	for (const struct kmeans_kernel *k = kmeans_kernel_table; k->name != NULL; k++)
		if (strcmp(k->name, name) == 0 && k->usable())
			forced = k;
	return forced != NULL;
}
