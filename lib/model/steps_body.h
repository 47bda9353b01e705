/*
 * steps_body.h: the float steps (steps.h) on the compiler's vectors: each kernel's file includes it and so compiles it for its own instruction set.
 *
 * A group is sixteen floats, held as one, two or four vectors of LANES. Loops go by whole groups, the last one filled up, so that every kernel computes the
 * same lanes.
 */
#ifndef MODEL_STEPS_BODY_H
#define MODEL_STEPS_BODY_H

#include <math.h>

#include "model/steps.h"

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
typedef int8_t vb __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef float quarter __attribute__((vector_size(16), aligned(4), may_alias));       /* of a group */
typedef int32_t quarter_int __attribute__((vector_size(16), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define EACH_PART(k) _Pragma("GCC unroll 4") for (size_t k = 0; k < PARTS; k++)

/* ---- loading and storing, the end of a row included ---- */

/* Out of line, so that what is done for whole vectors stays short. */
#define AT_END static __attribute__((noinline, cold))

AT_END vf
load_end(const float *p, size_t i, size_t n)
{
	float tail[LANES] = { 0 };

	if (i < n)
		memcpy(tail, p + i, (n - i) * sizeof *p);
	return *(const vf *)tail;
}

/* LANES floats at p + i, of an array of n; 0 behind its end. */
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

INLINE void
store_halves(int16_t *p, size_t i, size_t n, vi x)
{
	vh h = __builtin_convertvector(x, vh);

	if (__builtin_expect(i + LANES <= n, 1))
		*(vh *)(p + i) = h;
	else if (i < n)
		memcpy(p + i, &h, (n - i) * sizeof *p);
}

AT_END vf
within_end(vf x, size_t i, size_t n, float fill)
{
	float tail[LANES];
	size_t k;

	*(vf *)tail = x;
	for (k = i < n ? n - i : 0; k < LANES; k++)
		tail[k] = fill;
	return *(const vf *)tail;
}

/* x where lane i of the array's n is in it, else fill */
INLINE vf
within(vf x, size_t i, size_t n, float fill)
{
	return __builtin_expect(i + LANES <= n, 1) ? x : within_end(x, i, n, fill);
}

INLINE vf
all(float x)
{
	return x - (vf){ 0 };
}

/* The smaller and the larger; b where a is no number. The compilers do not see x86's own instruction in the comparison. */
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

/* Sixteen lanes as a tree: 0 + 8, 1 + 9 ...; of those 0 + 4 ...; 0 + 2, 1 + 3; both. */
INLINE float
sum_of(const vf *lanes /* [PARTS] */)
{
	const quarter *q = (const quarter *)lanes;
	quarter s = (q[0] + q[2]) + (q[1] + q[3]);

	return (s[0] + s[2]) + (s[1] + s[3]);
}

/* The largest of sixteen integers. */
INLINE int32_t
most_of(const vi *lanes /* [PARTS] */)
{
	const quarter_int *q = (const quarter_int *)lanes;
	quarter_int a = (q[0] > q[1]), b = (q[2] > q[3]), c;

	a = (q[0] & a) | (q[1] & ~a);
	b = (q[2] & b) | (q[3] & ~b);
	c = a > b;
	c = (a & c) | (b & ~c);
	return MAX(MAX(c[0], c[1]), MAX(c[2], c[3]));
}

INLINE float
most_float(const vf *lanes /* [PARTS] */)
{
	const quarter *q = (const quarter *)lanes;
	quarter_int a = (q[0] > q[1]), b = (q[2] > q[3]), c;
	quarter x;

	a = ((quarter_int)q[0] & a) | ((quarter_int)q[1] & ~a);
	b = ((quarter_int)q[2] & b) | ((quarter_int)q[3] & ~b);
	c = (quarter)a > (quarter)b;
	x = (quarter)((a & c) | (b & ~c));
	return MAX(MAX(x[0], x[1]), MAX(x[2], x[3]));
}

#if defined(__AVX2__)
#define quarter_most(a, b)  ((quarter)_mm_max_ps((__m128)(a), (__m128)(b)))
#define quarter_least(a, b) ((quarter)_mm_min_ps((__m128)(a), (__m128)(b)))
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
#endif

/* The three largest of each place of two such. */
INLINE void
merge_thirds(quarter *a /* [3] */, const quarter *b)
{
	quarter first = quarter_most(a[0], b[0]), second = quarter_most(quarter_least(a[0], b[0]), quarter_most(a[1], b[1]));

	a[2] = quarter_most(quarter_most(a[2], b[2]), quarter_most(quarter_least(a[0], b[1]), quarter_least(a[1], b[0])));
	a[0] = first;
	a[1] = second;
}

/* The third of sixteen floats by size, equal ones counted each; none is less than 0. */
INLINE float
third_float(const vf *lanes /* [PARTS] */)
{
	const quarter *q = (const quarter *)lanes;
	quarter a[3] = { quarter_most(q[0], q[1]), quarter_least(q[0], q[1]), { 0 } }, b[3] = { quarter_most(q[2], q[3]), quarter_least(q[2], q[3]), { 0 } };
	int i;

	merge_thirds(a, b);
	for (i = 0; i < 3; i++)
		b[i] = (quarter){ a[i][2], a[i][3], a[i][0], a[i][1] };
	merge_thirds(a, b);
	for (i = 0; i < 3; i++)
		b[i] = (quarter){ a[i][1], a[i][0], a[i][3], a[i][2] };
	merge_thirds(a, b);
	return a[2][0];
}

/* ---- functions ---- */

/* Added to a float of less than 2^22 it leaves the nearest integer in the low bits. */
#define ROUNDER 12582912.f

INLINE vi
nearest(vf x)
{
	return (vi)(x + ROUNDER) - (vi)all(ROUNDER);
}

/*
 * e^x for x <= 88, 0 < e^x from -87 downwards: x = n ln 2 + r with |r| <= ln 2 / 2, e^r by the polynomial of degree 6 with the least relative error there,
 * 2^n by its exponent. Within 2 units in the last place.
 */
INLINE vf
exponential(vf x)
{
	vf n, r, y;

	x = most(x, all(-87.f));
	n = (x * 1.44269504f + ROUNDER) - ROUNDER;
	r = x - n * 0.693359375f;
	r = r - n * -2.12194440e-4f;
	y = r * 1.38367421e-3f + 8.37489856e-3f;
	y = y * r + 4.16682318e-2f;
	y = y * r + 1.66664192e-1f;
	y = y * r + 4.9999992e-1f;
	y = y * r + 1.00000004f;
	y = y * r + 1.f;
	return y * (vf)((__builtin_convertvector(n, vi) + 127) << 23);
}

/*
 * x (1 + erf(x / sqrt 2)) / 2. The normal distribution less a half is x P(x^2) / Q(x^2), P and Q fitted so that the error of the whole is least: 4e-7 up to
 * 5.5, where the distribution is 1 to the last place.
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

/* ---- steps ---- */

static void
step_norm(float *x, size_t n, const struct weights_norm *norm, float eps)
{
	vf lanes[PARTS], d;
	float mean, scale;
	size_t i, j;

	EACH_PART(k) lanes[k] = all(0);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) lanes[k] += load(x, i + k * LANES, n);
	mean = sum_of(lanes) / (float)n;
	EACH_PART(k) lanes[k] = all(0);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			j = i + k * LANES;
			d = within(load(x, j, n) - mean, j, n, 0);
			lanes[k] += d * d;
		}
	scale = 1.f / sqrtf(sum_of(lanes) / (float)n + eps);
	for (i = 0; i < n; i += LANES)
		store(x, i, n, (load(x, i, n) - mean) * scale * load(norm->weight, i, n) + load(norm->bias, i, n));
}

static void
step_embed(const struct weights *w, uint32_t id, size_t position, float *x)
{
	const int8_t *word = w->words + (size_t)id * w->n_dims;
	const float *at = w->positions + position * w->n_dims;
	float scale = w->word_scale[id];
	size_t i, n = w->n_dims;
	vf v;

	for (i = 0; i + LANES <= n; i += LANES) {
		v = __builtin_convertvector(*(const vb *)(word + i), vf);
		store(x, i, n, v * scale + load(at, i, n) + load(w->type, i, n));
	}
	for (; i < n; i++)
		x[i] = (float)word[i] * scale + at[i] + w->type[i];
	step_norm(x, n, &w->norm, w->norm_eps);
}

/* The largest |x|; 0 where that is no number or vanishes. */
INLINE float
largest_of(const float *x, size_t n)
{
	vi most_bits[PARTS];
	int32_t top;
	float largest;
	size_t i;

	/* the bits of floats without sign are in the order of the floats, with what is no number above all */
	EACH_PART(k) most_bits[k] = (vi){ 0 };
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) most_bits[k] = most_int((vi)load(x, i + k * LANES, n) & 0x7fffffff, most_bits[k]);
	top = most_of(most_bits);
	memcpy(&largest, &top, sizeof largest);
	return largest > 1e-30f && largest < INFINITY ? largest : 0;
}

INLINE void
multiples(const float *x, size_t n, float inverse, int16_t *a)
{
	size_t i;

	for (i = 0; i < n; i += LANES)
		store_halves(a, i, n, nearest(load(x, i, n) * inverse));
}

/* a = x / scale, so that the largest takes limit. Returns scale. */
INLINE float
quantised(const float *x, size_t n, int32_t limit, int16_t *a)
{
	float largest = largest_of(x, n);

	if (n % 2)
		a[n] = 0;
	if (!(largest > 0)) {
		memset(a, 0, n * sizeof *a);
		return 0;
	}
	multiples(x, n, (float)limit / largest, a);
	return largest / (float)limit;
}

static float
step_quantise(const float *x, size_t n, int32_t low, int32_t limit, int16_t *a)
{
	const float above = 1.f / (float)(low + GEMM_WINDOW - 1), below = -1.f / (float)(-low - 1);
	float largest = largest_of(x, n), scale;
	vf lanes[PARTS], v;
	size_t i;

	if (n % 2)
		a[n] = 0;
	if (!(largest > 0)) {
		memset(a, 0, n * sizeof *a);
		return 0;
	}
	EACH_PART(k) lanes[k] = all(0);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			v = load(x, i + k * LANES, n);
			lanes[k] = most(lanes[k], most(v * above, v * below));
		}
	scale = MAX(third_float(lanes), largest / (float)limit);
	multiples(x, n, 1.f / scale, a);
	return scale;
}

INLINE vf
restored(const int32_t *acc, float a_scale, const struct weights_matrix *m, size_t i)
{
	vf x = __builtin_convertvector(*(const vi *)(acc + i), vf);

	return x * (load(m->scale, i, m->n_out) * a_scale) + load(m->bias, i, m->n_out);
}

static void
step_split(const int32_t *acc, float a_scale, const struct weights_matrix *m, const struct steps_heads *h, float *tmp, int16_t *out, float *scales)
{
	size_t n_parts = m->n_out / h->width, i;

	for (i = 0; i < m->n_out; i += LANES)
		store(tmp, i, m->n_out, restored(acc, a_scale, m, i));
	/* the width that most models have, once more for the compiler to unroll */
	if (h->width == 32)
		for (i = 0; i < n_parts; i++)
			scales[i * h->ld_scales] = quantised(tmp + i * 32, 32, h->limit, out + i * 32);
	else
		for (i = 0; i < n_parts; i++)
			scales[i * h->ld_scales] = quantised(tmp + i * h->width, h->width, h->limit, out + i * gemm_even(h->width));
}

static void
step_pack_keys(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *to)
{
	size_t panel, end, k, j;

	for (panel = 0; panel < n; panel += GEMM_PANEL, to += GEMM_PANEL * gemm_even(width)) {
		end = MIN(n - panel, GEMM_PANEL);
		if (end < GEMM_PANEL)
			memset(to, 0, GEMM_PANEL * gemm_even(width) * sizeof *to);
		for (j = 0; j < end; j++)
			for (k = 0; k < width; k += 2)
				memcpy(to + k * GEMM_PANEL + 2 * j, from + (panel + j) * ld + k, 2 * sizeof *to);
	}
}

static void
step_pack_values(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *to)
{
	int16_t rows[2][GEMM_PANEL] = { { 0 } };
	size_t panel, end, i, k;
	vi even, odd;

	for (panel = 0; panel < width; panel += GEMM_PANEL) {
		end = MIN(width - panel, GEMM_PANEL);
		for (i = 0; i < n; i += 2, to += 2 * GEMM_PANEL) {
			memcpy(rows[0], from + i * ld + panel, end * sizeof *to);
			if (i + 1 < n)
				memcpy(rows[1], from + (i + 1) * ld + panel, end * sizeof *to);
			else
				memset(rows[1], 0, sizeof rows[1]);
			for (k = 0; k < GEMM_PANEL; k += LANES) {
				even = __builtin_convertvector(*(const vh *)(rows[0] + k), vi) & 0xffff;
				odd = __builtin_convertvector(*(const vh *)(rows[1] + k), vi) * 0x10000;
				*(vi *)(void *)(to + 2 * k) = even | odd;
			}
		}
		memset(rows, 0, sizeof rows);
	}
}

static void
step_context(const int32_t *acc, float scale, size_t n, float *out)
{
	size_t i;

	for (i = 0; i < n; i += LANES)
		store(out, i, n, __builtin_convertvector(*(const vi *)(acc + i), vf) * scale);
}

static void
step_gelu(const int32_t *acc, float a_scale, const struct weights_matrix *m, float *out)
{
	size_t i;

	for (i = 0; i < m->n_out; i += LANES)
		store(out, i, m->n_out, gelu_of(restored(acc, a_scale, m, i)));
}

static void
step_add_norm(const int32_t *acc, float a_scale, const struct weights_matrix *m, const struct weights_norm *norm, float eps, float *x)
{
	size_t i;

	for (i = 0; i < m->n_out; i += LANES)
		store(x, i, m->n_out, load(x, i, m->n_out) + restored(acc, a_scale, m, i));
	step_norm(x, m->n_out, norm, eps);
}

/* Beyond any score that is meant; keeps infinities out of the differences. */
#define SCORE_MAX 1e30f

/* The scores of a row as floats; returns the largest. */
INLINE float
scores_of(const struct steps_scores *s, const int32_t *acc, float scale, float *to)
{
	vf lanes[PARTS], x;
	size_t i, j, n = s->n;

	EACH_PART(k) lanes[k] = all(-SCORE_MAX);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			j = i + k * LANES;
			x = __builtin_convertvector(*(const vi *)(acc + j), vf) * (load(s->keys, j, n) * scale);
			x = most(within(least(x, all(SCORE_MAX)), j, n, -SCORE_MAX), all(-SCORE_MAX));
			lanes[k] = most(lanes[k], x);
			*(vf *)(to + j) = x;
		}
	return most_float(lanes);
}

/* e^(x - top) by the values' scales, in place; sums without the scales and with them. */
INLINE void
exponentials_of(const struct steps_scores *s, float top, float *x, float *sum, float *weighed)
{
	vf lanes[PARTS], lanes_weighed[PARTS], e;
	size_t i, j, n = s->n;

	EACH_PART(k) lanes[k] = lanes_weighed[k] = all(0);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			j = i + k * LANES;
			e = exponential(*(const vf *)(x + j) - top);
			lanes[k] += e;
			e *= load(s->values, j, n);
			lanes_weighed[k] += e;
			*(vf *)(x + j) = e;
		}
	*sum = sum_of(lanes);
	*weighed = sum_of(lanes_weighed);
}

INLINE float
probabilities_of(const float *x, size_t n, float sum, float weighed, int16_t *probs)
{
	size_t i;

	if (n % 2)
		probs[n] = 0;
	if (!(weighed > 1e-30f && weighed < INFINITY)) {
		memset(probs, 0, n * sizeof *probs);
		return 0;
	}
	for (i = 0; i < n; i += LANES)
		store_halves(probs, i, n, nearest(*(const vf *)(x + i) * (STEPS_PROB_MAX / weighed)));
	return weighed / STEPS_PROB_MAX / sum;
}

static void
step_softmax(const struct steps_scores *s, size_t n_rows, float *tmp, int16_t *probs, float *scales)
{
	float top[STEPS_SOFTMAX_ROWS], sum[STEPS_SOFTMAX_ROWS], weighed[STEPS_SOFTMAX_ROWS];
	size_t ld = gemm_padded(s->n), r;

	for (r = 0; r < n_rows; r++)
		top[r] = scores_of(s, s->acc + r * ld, s->queries[r] * s->root, tmp + r * ld);
	for (r = 0; r < n_rows; r++)
		exponentials_of(s, top[r], tmp + r * ld, &sum[r], &weighed[r]);
	for (r = 0; r < n_rows; r++)
		scales[r] = probabilities_of(tmp + r * ld, s->n, sum[r], weighed[r], probs + r * gemm_even(s->n));
}

static void
step_mean(const float *x, size_t n_rows, size_t n, float *out)
{
	vf lanes[PARTS], v;
	float sum;
	size_t i, r;

	EACH_PART(k) lanes[k] = all(0);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			v = all(0);
			for (r = 0; r < n_rows; r++)
				v += load(x + r * n, i + k * LANES, n);
			v /= (float)n_rows;
			lanes[k] += v * v;
			store(out, i + k * LANES, n, v);
		}
	sum = sum_of(lanes);
	if (!(sum > 1e-30f && sum < INFINITY)) {
		memset(out, 0, n * sizeof *out);
		return;
	}
	for (i = 0; i < n; i += LANES)
		store(out, i, n, load(out, i, n) * (1.f / sqrtf(sum)));
}

static const struct steps STEPS = {
	step_embed, step_quantise, step_split, step_pack_keys, step_pack_values, step_softmax, step_context, step_gelu, step_add_norm, step_mean,
};

#endif
