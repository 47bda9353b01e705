/*
 * encoder_f32.c: the encoder as published, in float32, one text after the other: the reference for
 * the quantised one.
 *
 * Sums of products run in LANES lanes, so that the compiler can use vectors and rounding errors
 * stay small; all else is as simple as possible.
 */
#include <math.h>

#include "base/alloc.h"
#include "model/encoder_f32.h"

#define LANES 16

struct encoder_f32 {
	const struct weights *w;
	size_t n_text;                         /* allocated tokens */
	/* [n_text][D], [n_text][3 D], [n_text][D], [n_text][F] */
	float *x, *qkv, *context, *inner;
	float *scores;                         /* [n_text] */
};

struct encoder_f32 *
encoder_f32_new(const struct weights *w)
{
	struct encoder_f32 *e = xcalloc(1, sizeof *e);

	e->w = w;
	return e;
}

static void
release(struct encoder_f32 *e)
{
	free(e->x);
	free(e->qkv);
	free(e->context);
	free(e->inner);
	free(e->scores);
}

void
encoder_f32_free(struct encoder_f32 *e)
{
	if (e == NULL)
		return;
	release(e);
	free(e);
}

static void
make_room(struct encoder_f32 *e, size_t n)
{
	size_t d = e->w->n_dims;

	if (n <= e->n_text)
		return;
	release(e);
	e->n_text = n;
	e->x = xcalloc(n * d, sizeof *e->x);
	e->qkv = xcalloc(n * 3 * d, sizeof *e->qkv);
	e->context = xcalloc(n * d, sizeof *e->context);
	e->inner = xcalloc(n * e->w->n_inner, sizeof *e->inner);
	e->scores = xcalloc(n, sizeof *e->scores);
}

static float
dot(const float *a, const float *b, size_t n)
{
	float lanes[LANES] = { 0 }, sum = 0;
	size_t i, k;

	for (i = 0; i + LANES <= n; i += LANES)
		for (k = 0; k < LANES; k++)
			lanes[k] += a[i + k] * b[i + k];
	for (; i < n; i++)
		sum += a[i] * b[i];
	for (k = 0; k < LANES; k++)
		sum += lanes[k];
	return sum;
}

/* Adds what a correction of low rank makes of the row x. */
static void
add_low(const struct weights_matrix *m, const float *x, float *out)
{
	const struct weights_low *low = m->low;

	for (size_t r = 0; r < low->rank; r++) {
		float along = 0;
		for (size_t i = 0; i < m->n_in; i++)
			along += x[i] * low->down[r * m->n_in + i];
		along *= low->down_scale[r] * low->up_scale[r];
		for (size_t j = 0; j < m->n_out; j++)
			out[j] += along * low->up[r * m->n_out + j];
	}
}

/*
 * Out [n][N] = in [n][K] W + bias. Each row of W is multiplied with all rows of in while it is in
 * the cache.
 */
static void
multiply(const float *in, size_t n, const struct weights_matrix *m, float *out)
{
	size_t i, j, k = m->n_in;

	for (j = 0; j < m->n_out; j++)
		for (i = 0; i < n; i++)
			out[i * m->n_out + j] = dot(in + i * k, m->f32 + j * k, k) + m->bias[j];
	for (i = 0; m->low != NULL && i < n; i++)
		add_low(m, in + i * k, out + i * m->n_out);
}

static void
normalise(float *x, size_t d, const struct weights_norm *norm, float eps)
{
	double mean = 0, var = 0;

	for (size_t i = 0; i < d; i++)
		mean += x[i];
	mean /= (double)d;
	for (size_t i = 0; i < d; i++)
		var += (x[i] - mean) * (x[i] - mean);
	float scale = (float)(1 / sqrt(var / (double)d + (double)eps));
	for (size_t i = 0; i < d; i++)
		x[i] = (x[i] - (float)mean) * scale * norm->weight[i] + norm->bias[i];
}

static void
softmax(float *s, size_t n)
{
	float top = s[0], sum = 0;

	for (size_t i = 1; i < n; i++)
		top = MAX(top, s[i]);
	for (size_t i = 0; i < n; i++)
		sum += s[i] = expf(s[i] - top);
	for (size_t i = 0; i < n; i++)
		s[i] /= sum;
}

static void
attend(struct encoder_f32 *e, size_t n)
{
	size_t d = e->w->n_dims, width = d / e->w->n_heads, h, i, j, k;
	float root = 1 / sqrtf((float)width), *out;
	const float *q, *v;

	for (h = 0; h < d; h += width)
		for (i = 0; i < n; i++) {
			q = e->qkv + i * 3 * d + h;
			for (j = 0; j < n; j++)
				e->scores[j] = dot(q, e->qkv + j * 3 * d + d + h, width) * root;
			softmax(e->scores, n);
			out = e->context + i * d + h;
			memset(out, 0, width * sizeof *out);
			for (j = 0; j < n; j++)
				for (v = e->qkv + j * 3 * d + 2 * d + h, k = 0; k < width; k++)
					out[k] += e->scores[j] * v[k];
		}
}

/* x = LayerNorm(x + y), for n rows. */
static void
add_norm(struct encoder_f32 *e, const float *y, size_t n, const struct weights_norm *norm)
{
	size_t d = e->w->n_dims, i;

	for (i = 0; i < n * d; i++)
		e->x[i] += y[i];
	for (i = 0; i < n; i++)
		normalise(e->x + i * d, d, norm, e->w->norm_eps);
}

static void
run_layer(struct encoder_f32 *e, const struct weights_layer *l, size_t n)
{
	multiply(e->x, n, &l->qkv, e->qkv);
	attend(e, n);
	multiply(e->context, n, &l->attention, e->qkv);
	add_norm(e, e->qkv, n, &l->attention_norm);
	multiply(e->x, n, &l->in, e->inner);
	for (size_t i = 0; i < n * l->in.n_out; i++)
		e->inner[i] *= 0.5f * (1 + erff(e->inner[i] * 0.70710678f));
	multiply(e->inner, n, &l->out, e->qkv);
	add_norm(e, e->qkv, n, &l->norm);
}

static void
run_text(struct encoder_f32 *e, const uint32_t *ids, size_t n, float *out)
{
	const struct weights *w = e->w;
	size_t d = w->n_dims, i, k;
	double norm = 0;

	make_room(e, n);
	for (i = 0; i < n; i++) {
		for (k = 0; k < d; k++)
			e->x[i * d + k] =
			    w->words_f32[ids[i] * d + k] + w->positions[i * d + k] + w->type[k];
		normalise(e->x + i * d, d, &w->norm, w->norm_eps);
	}
	for (i = 0; i < w->n_layers; i++)
		run_layer(e, &w->layers[i], n);
	memset(out, 0, d * sizeof *out);
	for (i = 0; i < n * d; i++)
		out[i % d] += e->x[i];
	for (k = 0; k < d; k++)
		norm += (double)out[k] * out[k];
	for (k = 0; k < d && norm > 0; k++)
		out[k] = (float)(out[k] / sqrt(norm));
}

void
encoder_f32_run(struct encoder_f32 *e, const uint32_t *ids, const uint32_t *lengths, size_t n,
	float *out)
{
	for (size_t i = 0; i < n; ids += lengths[i++])
		run_text(e, ids, lengths[i], out + i * e->w->n_dims);
}
