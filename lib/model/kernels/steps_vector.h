/*
 * steps_vector.h: what the float steps (steps_body.h) are made of: vectors of floats and integers
 * for the instruction set that a kernel's file is compiled for, sums and maxima of them, and
 * exponential, GELU and rounding with the same bits everywhere.
 *
 * A group is sixteen floats in one, two or four vectors of LANES. Loops run over whole groups, with
 * the last one filled up, so that every kernel computes the same lanes.
 */
#pragma once

#include <math.h>

#include "model/kernels/steps.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif
#define GROUP 16
#define PARTS (GROUP / LANES)

typedef float vf __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t vi __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int16_t vh __attribute__((vector_size(2 * LANES), aligned(2), may_alias));
typedef int16_t pair_of_vh __attribute__((vector_size(4 * LANES), aligned(2), may_alias));
typedef int8_t vb __attribute__((vector_size(LANES), aligned(1), may_alias));
/* a quarter of a group */
typedef float quarter __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t quarter_int __attribute__((vector_size(16), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define EACH_PART(k) _Pragma("GCC unroll 4") for (size_t k = 0; k < PARTS; k++)

/* ---- loading and storing, with the end of a row ---- */

/* Not inlined, so that the code for whole vectors stays short. */
#define AT_END static __attribute__((noinline, cold))

AT_END vf
load_end(const float *p, size_t i, size_t n)
{
	float tail[LANES] = { 0 };

	if (i < n)
		memcpy(tail, p + i, (n - i) * sizeof *p);
	return *(const vf *)tail;
}

/* LANES floats at p + i of an array of n; 0 beyond its end. */
INLINE vf
load(const float *p, size_t i, size_t n)
{
	return __builtin_expect(i + LANES <= n, 1) ? *(const vf *)(p + i) : load_end(p, i, n);
}

INLINE void
store(float *p, size_t i, size_t n, vf x)
{
	if (__builtin_expect(i + LANES <= n, 1))
		*(vf *)(p + i) = x;
	else if (i < n)
		memcpy(p + i, &x, (n - i) * sizeof *p);
}

AT_END vf
within_end(vf x, size_t i, size_t n, float fill)
{
	float tail[LANES];

	*(vf *)tail = x;
	for (size_t k = i < n ? n - i : 0; k < LANES; k++)
		tail[k] = fill;
	return *(const vf *)tail;
}

/* x, with fill in lanes beyond the n elements of the array. */
INLINE vf
within(vf x, size_t i, size_t n, float fill)
{
	return __builtin_expect(i + LANES <= n, 1) ? x : within_end(x, i, n, fill);
}

/* LANES bytes as floats. Compilers convert them one by one where this is not spelt out. */
INLINE vf
floats_of(const int8_t *p)
{
#if LANES == 16
	return (vf)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)p)));
#elif LANES == 8
	return (vf)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)p)));
#else
	return __builtin_convertvector(*(const vb *)p, vf);
#endif
}

INLINE vf
all(float x)
{
	return x - (vf){ 0 };
}

/*
 * Minimum and maximum; b where a is NaN. Compilers do not recognise the x86 instruction in the
 * comparison.
 */
#if LANES == 16
#define least(a, b) ((vf)_mm512_min_ps((__m512)(a), (__m512)(b)))
#define most(a, b) ((vf)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define most_int(a, b) ((vi)_mm512_max_epi32((__m512i)(a), (__m512i)(b)))
#elif LANES == 8
#define least(a, b) ((vf)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define most(a, b) ((vf)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define most_int(a, b) ((vi)_mm256_max_epi32((__m256i)(a), (__m256i)(b)))
#else
INLINE vf
least(vf a, vf b)
{
	vi which = a < b;

	return (vf)((which & (vi)a) | (~which & (vi)b));
}

INLINE vf
most(vf a, vf b)
{
	vi which = a > b;

	return (vf)((which & (vi)a) | (~which & (vi)b));
}

INLINE vi
most_int(vi a, vi b)
{
	vi which = a > b;

	return (which & a) | (~which & b);
}
#endif

/*
 * The sum of sixteen lanes as a tree: 0 + 8, 1 + 9 ...; of those 0 + 4 ...; then 0 + 2, 1 + 3; then
 * both.
 */
INLINE float
sum_of(const vf *lanes /* [PARTS] */)
{
	const quarter *q = (const quarter *)lanes;
	quarter s = (q[0] + q[2]) + (q[1] + q[3]);

	return (s[0] + s[2]) + (s[1] + s[3]);
}

#if defined(__AVX2__)
#define quarter_most(a, b)  ((quarter)_mm_max_ps((__m128)(a), (__m128)(b)))
#define quarter_least(a, b) ((quarter)_mm_min_ps((__m128)(a), (__m128)(b)))
#define quarter_most_int(a, b) ((quarter_int)_mm_max_epi32((__m128i)(a), (__m128i)(b)))
#else
INLINE quarter
quarter_most(quarter a, quarter b)
{
	quarter_int which = a > b;

	return (quarter)((which & (quarter_int)a) | (~which & (quarter_int)b));
}

INLINE quarter
quarter_least(quarter a, quarter b)
{
	quarter_int which = a < b;

	return (quarter)((which & (quarter_int)a) | (~which & (quarter_int)b));
}

INLINE quarter_int
quarter_most_int(quarter_int a, quarter_int b)
{
	quarter_int which = a > b;

	return (which & a) | (~which & b);
}
#endif

/* The largest of sixteen integers. */
INLINE int32_t
most_of(const vi *lanes /* [PARTS] */)
{
	const quarter_int *q = (const quarter_int *)lanes;
	quarter_int a = quarter_most_int(quarter_most_int(q[0], q[1]),
			quarter_most_int(q[2], q[3])),
		    b;

	b = (quarter_int){ a[2], a[3], a[0], a[1] };
	a = quarter_most_int(a, b);
	return MAX(a[0], a[1]);
}

INLINE float
most_float(const vf *lanes /* [PARTS] */)
{
	const quarter *q = (const quarter *)lanes;
	quarter a = quarter_most(quarter_most(q[0], q[1]), quarter_most(q[2], q[3])), b;

	b = (quarter){ a[2], a[3], a[0], a[1] };
	a = quarter_most(a, b);
	return MAX(a[0], a[1]);
}

/* Merges two such triples: the three largest in each lane. */
INLINE void
merge_thirds(quarter *a /* [3] */, const quarter *b)
{
	quarter first = quarter_most(a[0], b[0]),
		second = quarter_most(quarter_least(a[0], b[0]), quarter_most(a[1], b[1]));

	a[2] = quarter_most(quarter_most(a[2], b[2]),
	    quarter_most(quarter_least(a[0], b[1]), quarter_least(a[1], b[0])));
	a[0] = first;
	a[1] = second;
}

/* The third largest of sixteen floats, equal ones counted separately; none is negative. */
INLINE float
third_float(const vf *lanes /* [PARTS] */)
{
	const quarter *q = (const quarter *)lanes;
	quarter a[3] = { quarter_most(q[0], q[1]), quarter_least(q[0], q[1]), { 0 } },
		b[3] = { quarter_most(q[2], q[3]), quarter_least(q[2], q[3]), { 0 } };

	merge_thirds(a, b);
	for (int i = 0; i < 3; i++)
		b[i] = (quarter){ a[i][2], a[i][3], a[i][0], a[i][1] };
	merge_thirds(a, b);
	for (int i = 0; i < 3; i++)
		b[i] = (quarter){ a[i][1], a[i][0], a[i][3], a[i][2] };
	merge_thirds(a, b);
	return a[2][0];
}

/* ---- mathematical functions ---- */

/* Added to a float below 2^22, it leaves the nearest integer in the low bits. */
#define ROUNDER 12582912.f

/* The nearest integers of two vectors, all within 16 bits. */
INLINE pair_of_vh
nearest(vf x, vf y)
{
#if LANES == 16
	return (pair_of_vh)_mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0),
	    _mm512_packs_epi32(_mm512_cvtps_epi32((__m512)x), _mm512_cvtps_epi32((__m512)y)));
#elif LANES == 8
	return (
	    pair_of_vh)_mm256_permute4x64_epi64(_mm256_packs_epi32(_mm256_cvtps_epi32((__m256)x),
						    _mm256_cvtps_epi32((__m256)y)),
	    0xd8);
#else
	const vh h[2] = { __builtin_convertvector((vi)(x + ROUNDER) - (vi)all(ROUNDER), vh),
		__builtin_convertvector((vi)(y + ROUNDER) - (vi)all(ROUNDER), vh) };

	return *(const pair_of_vh *)h;
#endif
}

/* Stores the nearest integers at p + i of an array of n. */
INLINE void
store_nearest(int16_t *p, size_t i, size_t n, vf x, vf y)
{
	pair_of_vh h = nearest(x, y);

	if (__builtin_expect(i + 2 * LANES <= n, 1))
		*(pair_of_vh *)(p + i) = h;
	else
		memcpy(p + i, &h, (n - i) * sizeof *p);
}

/*
 * e^x for x <= 88; still above 0 for x below -87. x = n ln 2 + r with |r| <= ln 2 / 2; e^r is the
 * polynomial of degree 6 with the least relative error there; 2^n is applied by adding n, which is
 * in the low bits of the sum that rounds it, to the exponent. Error within 2 units in the last
 * place.
 */
INLINE vf
exponential(vf x)
{
	vf rounded, n, r, y;

	x = most(x, all(-87.f));
	rounded = x * 1.44269504f + ROUNDER;
	n = rounded - ROUNDER;
	r = x - n * 0.693359375f;
	r = r - n * -2.12194440e-4f;
	y = r * 1.38367421e-3f + 8.37489856e-3f;
	y = y * r + 4.16682318e-2f;
	y = y * r + 1.66664192e-1f;
	y = y * r + 4.9999992e-1f;
	y = y * r + 1.00000004f;
	y = y * r + 1.f;
	return (vf)((vi)y + ((vi)rounded << 23));
}

/*
 * X (1 + erf(x / sqrt 2)) / 2. The normal distribution minus a half is x P(x^2) / Q(x^2), with P
 * and Q fitted for the least error of the whole: 4e-7 up to 5.5, from where the distribution is 1
 * to the last place.
 */
INLINE vf
gelu_of(vf x)
{
	vf c = most(least(x, all(5.5f)), all(-5.5f)), u = c * c, p, q;

	p = u * 9.46407131e-06f + 5.27522722e-04f;
	p = p * u + 6.86989696e-03f;
	p = p * u + 6.82902045e-02f;
	p = p * u + 3.98941200e-01f;
	q = u * 7.62061586e-07f + 1.91933897e-04f;
	q = q * u + 3.91542187e-03f;
	q = q * u + 4.85651452e-02f;
	q = q * u + 3.37821321e-01f;
	q = q * u + 1.f;
	return x * (c * p / q + 0.5f);
}
