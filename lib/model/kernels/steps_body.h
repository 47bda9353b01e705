/*
 * steps_body.h: the float steps (steps.h), written with the compiler's vector types: each kernel's
 * file includes it, which compiles it for that instruction set.
 */
#pragma once

#include "model/kernels/steps_vector.h"

static void
step_norm(float *x, size_t n, const struct weights_norm *norm, float eps)
{
	vf lanes[PARTS], d;

	EACH_PART(k) lanes[k] = all(0);
	for (size_t i = 0; i < n; i += GROUP)
		EACH_PART(k) lanes[k] += load(x, i + k * LANES, n);
	float mean = sum_of(lanes) / (float)n;
	EACH_PART(k) lanes[k] = all(0);
	for (size_t i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			size_t j = i + k * LANES;
			d = within(load(x, j, n) - mean, j, n, 0);
			lanes[k] += d * d;
		}
	float scale = 1.f / sqrtf(sum_of(lanes) / (float)n + eps);
	for (size_t i = 0; i < n; i += LANES)
		store(x, i, n,
		    (load(x, i, n) - mean) * scale * load(norm->weight, i, n) +
			load(norm->bias, i, n));
}

static void
step_embed(const struct weights *w, uint32_t id, size_t position, float *x)
{
	const int8_t *word = w->words + (size_t)id * w->n_dims;
	const float *at = w->positions + position * w->n_dims;
	float scale = w->word_scale[id];
	size_t i, n = w->n_dims;

	for (i = 0; i + LANES <= n; i += LANES)
		store(x, i, n,
		    floats_of(word + i) * scale + load(at, i, n) + load(w->type, i, n));
	for (; i < n; i++)
		x[i] = (float)word[i] * scale + at[i] + w->type[i];
	step_norm(x, n, &w->norm, w->norm_eps);
}

/*
 * The largest of floats that are not negative, compared by their bits, which have the same order.
 * Returns 0 when one is NaN or infinite, whose bits are above all others.
 */
INLINE float
largest_of(const vi *lanes /* [PARTS] */)
{
	int32_t top = most_of(lanes);
	float largest;

	memcpy(&largest, &top, sizeof largest);
	return largest > 1e-30f && largest < INFINITY ? largest : 0;
}

INLINE void
multiples(const float *x, size_t n, float inverse, int16_t *a)
{
	for (size_t i = 0; i < n; i += 2 * LANES)
		store_nearest(a, i, n, load(x, i, n) * inverse, load(x, i + LANES, n) * inverse);
}

static float
step_quantise(const float *x, size_t n, int32_t low, int32_t limit, int16_t *a)
{
	const float above = 1.f / (float)(low + GEMM_WINDOW - 1), below = -1.f / (float)(-low - 1);
	vi bits[PARTS];
	vf lanes[PARTS], v;

	EACH_PART(k) bits[k] = (vi){ 0 };
	EACH_PART(k) lanes[k] = all(0);
	for (size_t i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			v = load(x, i + k * LANES, n);
			bits[k] = most_int((vi)v & 0x7fffffff, bits[k]);
			lanes[k] = most(lanes[k], most(v * above, v * below));
		}
	if (n % 2)
		a[n] = 0;
	float largest = largest_of(bits);
	if (!(largest > 0)) {
		memset(a, 0, n * sizeof *a);
		return 0;
	}
	float scale = MAX(third_float(lanes), largest / (float)limit);
	multiples(x, n, 1.f / scale, a);
	return scale;
}

static void
step_bias(const struct weights_matrix *m, const float *x, float *out)
{
	const struct weights_low *low = m->low;
	size_t n_in = m->n_in, n_out = m->n_out;
	vf lanes[PARTS];

	memcpy(out, m->bias, n_out * sizeof *out);
	for (size_t r = 0; r < low->rank; r++) {
		const int8_t *down = low->down + r * n_in, *up = low->up + r * n_out;
		EACH_PART(k) lanes[k] = all(0);
		for (size_t i = 0; i < n_in; i += GROUP)
			EACH_PART(k) lanes[k] += load(x, i + k * LANES, n_in) *
			    floats_of(down + i + k * LANES);
		float along = sum_of(lanes) * low->down_scale[r] * low->up_scale[r];
		for (size_t i = 0; i < n_out; i += LANES)
			store(out, i, n_out, load(out, i, n_out) + floats_of(up + i) * along);
	}
}

INLINE vf
restored(const int32_t *acc, float a_scale, const struct weights_matrix *m, size_t i)
{
	vf x = __builtin_convertvector(*(const vi *)(acc + i), vf);

	return x * (load(m->scale, i, m->n_out) * a_scale) + load(m->bias, i, m->n_out);
}

/* Quantises a = x [n] / scale so that the largest element becomes limit. Returns scale. */
INLINE float
quantised(const float *x, size_t n, int32_t limit, int16_t *a)
{
	vi bits[PARTS];

	EACH_PART(k) bits[k] = (vi){ 0 };
	for (size_t i = 0; i < n; i += GROUP)
		EACH_PART(k)
		bits[k] = most_int((vi)load(x, i + k * LANES, n) & 0x7fffffff, bits[k]);
	float largest = largest_of(bits);
	if (n % 2)
		a[n] = 0;
	if (!(largest > 0)) {
		memset(a, 0, n * sizeof *a);
		return 0;
	}
	multiples(x, n, (float)limit / largest, a);
	return largest / (float)limit;
}

/* The width of a head in most models: such a head stays in registers. */
#define HEAD 32

INLINE float
split_head(const int32_t *acc, float a_scale, const struct weights_matrix *m, size_t i,
	int32_t limit, int16_t *a)
{
	vf x[HEAD / LANES];
	vi bits[PARTS];
	float largest, inverse;
	size_t k;

	EACH_PART(part) bits[part] = (vi){ 0 };
#pragma GCC unroll 8
	for (k = 0; k < HEAD / LANES; k++, i += LANES) {
		x[k] = __builtin_convertvector(*(const vi *)(acc + i), vf) *
			(*(const vf *)(m->scale + i) * a_scale) +
		    *(const vf *)(m->bias + i);
		bits[k % PARTS] = most_int((vi)x[k] & 0x7fffffff, bits[k % PARTS]);
	}
	largest = largest_of(bits);
	if (!(largest > 0)) {
		memset(a, 0, HEAD * sizeof *a);
		return 0;
	}
	inverse = (float)limit / largest;
#pragma GCC unroll 4
	for (k = 0; k < HEAD / LANES; k += 2)
		store_nearest(a, k * LANES, HEAD, x[k] * inverse, x[k + 1] * inverse);
	return largest / (float)limit;
}

static void
step_split(const int32_t *acc, float a_scale, const struct weights_matrix *m,
	const struct steps_heads *h, float *tmp, int16_t *out, float *scales)
{
	size_t n_parts = m->n_out / h->width, i;

	if (h->width == HEAD) {
		for (i = 0; i < n_parts; i++)
			scales[i * h->ld_scales] =
			    split_head(acc, a_scale, m, i * HEAD, h->limit, out + i * HEAD);
		return;
	}
	for (i = 0; i < m->n_out; i += LANES)
		store(tmp, i, m->n_out, restored(acc, a_scale, m, i));
	for (i = 0; i < n_parts; i++)
		scales[i * h->ld_scales] = quantised(tmp + i * h->width, h->width, h->limit,
		    out + i * gemm_even(h->width));
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
				memcpy(to + k * GEMM_PANEL + 2 * j, from + (panel + j) * ld + k,
				    2 * sizeof *to);
	}
}

static void
step_pack_values(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *to)
{
	int16_t rows[2][GEMM_PANEL] = { { 0 } };
	vi even, odd;

	for (size_t panel = 0; panel < width; panel += GEMM_PANEL) {
		size_t end = MIN(width - panel, GEMM_PANEL);
		for (size_t i = 0; i < n; i += 2, to += 2 * GEMM_PANEL) {
			memcpy(rows[0], from + i * ld + panel, end * sizeof *to);
			if (i + 1 < n)
				memcpy(rows[1], from + (i + 1) * ld + panel, end * sizeof *to);
			else
				memset(rows[1], 0, sizeof rows[1]);
			for (size_t k = 0; k < GEMM_PANEL; k += LANES) {
				even = __builtin_convertvector(*(const vh *)(rows[0] + k), vi) &
				    0xffff;
				odd = __builtin_convertvector(*(const vh *)(rows[1] + k), vi) *
				    0x10000;
				*(vi *)(void *)(to + 2 * k) = even | odd;
			}
		}
		memset(rows, 0, sizeof rows);
	}
}

static void
step_context(const int32_t *acc, float scale, size_t n, float *out)
{
	for (size_t i = 0; i < n; i += LANES)
		store(out, i, n, __builtin_convertvector(*(const vi *)(acc + i), vf) * scale);
}

static void
step_gelu(const int32_t *acc, float a_scale, const struct weights_matrix *m, float *out)
{
	for (size_t i = 0; i < m->n_out; i += LANES)
		store(out, i, m->n_out, gelu_of(restored(acc, a_scale, m, i)));
}

static void
step_add_norm(const int32_t *acc, float a_scale, const struct weights_matrix *m,
	const struct weights_norm *norm, float eps, float *x)
{
	for (size_t i = 0; i < m->n_out; i += LANES)
		store(x, i, m->n_out, load(x, i, m->n_out) + restored(acc, a_scale, m, i));
	step_norm(x, m->n_out, norm, eps);
}

/* Larger than any real score; keeps infinities out of differences. */
#define SCORE_MAX 1e30f

/* Writes the scores of a row as floats; returns the largest. */
INLINE float
scores_of(const struct steps_scores *s, const int32_t *acc, float scale, float *to)
{
	vf lanes[PARTS], x;
	size_t i, j, n = s->n;

	EACH_PART(k) lanes[k] = all(-SCORE_MAX);
	for (i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			j = i + k * LANES;
			x = __builtin_convertvector(*(const vi *)(acc + j), vf) *
			    (load(s->keys, j, n) * scale);
			x = most(within(least(x, all(SCORE_MAX)), j, n, -SCORE_MAX),
			    all(-SCORE_MAX));
			lanes[k] = most(lanes[k], x);
			*(vf *)(to + j) = x;
		}
	return most_float(lanes);
}

/*
 * Replaces x by e^(x - top) times the scales of the values; sum receives the sum without these
 * scales, weighed with them.
 */
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
	const float scale = STEPS_PROB_MAX / weighed;

	if (n % 2)
		probs[n] = 0;
	if (!(weighed > 1e-30f && weighed < INFINITY)) {
		memset(probs, 0, n * sizeof *probs);
		return 0;
	}
	for (size_t i = 0; i < n; i += 2 * LANES)
		store_nearest(probs, i, n, *(const vf *)(x + i) * scale,
		    load(x, i + LANES, gemm_padded(n)) * scale);
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
		scales[r] = probabilities_of(tmp + r * ld, s->n, sum[r], weighed[r],
		    probs + r * gemm_even(s->n));
}

static void
step_mean(const float *x, size_t n_rows, size_t n, float *out)
{
	vf lanes[PARTS], v;

	EACH_PART(k) lanes[k] = all(0);
	for (size_t i = 0; i < n; i += GROUP)
		EACH_PART(k) {
			v = all(0);
			for (size_t r = 0; r < n_rows; r++)
				v += load(x + r * n, i + k * LANES, n);
			v /= (float)n_rows;
			lanes[k] += v * v;
			store(out, i + k * LANES, n, v);
		}
	float sum = sum_of(lanes);
	if (!(sum > 1e-30f && sum < INFINITY)) {
		memset(out, 0, n * sizeof *out);
		return;
	}
	for (size_t i = 0; i < n; i += LANES)
		store(out, i, n, load(out, i, n) * (1.f / sqrtf(sum)));
}

static const struct steps STEPS = {
	step_embed,
	step_quantise,
	step_bias,
	step_split,
	step_pack_keys,
	step_pack_values,
	step_softmax,
	step_context,
	step_gelu,
	step_add_norm,
	step_mean,
};
