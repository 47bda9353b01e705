/*
 * encoder_test.c: the encoder on random weights: the float32 path against an own one in double, the
 * quantised path against the same on its own weights, and every kernel, batch and thread against
 * each other, bit by bit.
 */
#include <math.h>
#include <pthread.h>

#include "base/alloc.h"
#include "model/encoder.h"
#include "model/kernels/kernels.h"
#include "model/kernels/steps.h"
#include "tap.h"

static uint64_t seed = 7;

/* uniform in [-1, 1] */
static float
noise(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (float)((double)(seed >> 33) / (double)(1u << 30) - 1);
}

/* ---- random models ---- */

struct shape {
	uint32_t d, layers, heads, inner, vocab, positions;
	uint32_t rank;                 /* of a correction of all matrices but the first layer's */
};

struct sample {
	struct weights f32, q8;        /* the same weights: f32 has what q8's numbers stand for */
	void *owned[2000];
	size_t n_owned;
};

static void *
own(struct sample *s, size_t n, size_t size)
{
	return s->owned[s->n_owned++] = aligned_alloc(GEMM_ALIGN,
		   (n * size + GEMM_ALIGN - 1) / GEMM_ALIGN * GEMM_ALIGN + GEMM_ALIGN);
}

static float *
random_floats(struct sample *s, size_t n, float middle, float spread)
{
	float *x = own(s, n, sizeof *x);
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = middle + spread * noise();
	return x;
}

/* rows of int8 with a scale each, and the floats that they stand for */
static int8_t *
random_rows(struct sample *s, size_t n_rows, size_t n, float spread, float **scale, float **f32)
{
	int8_t *w = own(s, n_rows * n, 1);
	size_t i;

	*scale = random_floats(s, n_rows, spread / 127, spread / 400);
	*f32 = own(s, n_rows * n, sizeof **f32);
	for (i = 0; i < n_rows * n; i++) {
		w[i] = (int8_t)(noise() * 127);
		(*f32)[i] = (float)w[i] * (*scale)[i / n];
	}
	return w;
}

static void
random_matrix(struct sample *s, uint32_t n_in, uint32_t n_out, struct weights_matrix *q8,
	struct weights_matrix *f32)
{
	float *scale, *values, *bias = random_floats(s, n_out, 0, .2f);
	int8_t *w = random_rows(s, n_out, n_in, 2.5f / sqrtf((float)n_in), &scale, &values),
	       *packed = own(s, gemm_packed_bytes(n_in, n_out), 1);

	gemm_pack(w, n_in, n_out, packed);
	*q8 = (struct weights_matrix){ .n_in = n_in,
		.n_out = n_out,
		.packed = packed,
		.scale = scale,
		.bias = bias };
	*f32 = (struct weights_matrix){ .n_in = n_in, .n_out = n_out, .bias = bias, .f32 = values };
}

static const struct weights_low *
random_low(struct sample *s, const struct weights_matrix *m, uint32_t rank)
{
	struct weights_low *low = own(s, 1, sizeof *low);
	float *down_scale, *up_scale, *ignored;

	*low = (struct weights_low){ .rank = rank };
	low->down = random_rows(s, rank, m->n_in, 1 / sqrtf((float)m->n_in), &down_scale, &ignored);
	low->up = random_rows(s, rank, m->n_out, .2f, &up_scale, &ignored);
	low->down_scale = down_scale;
	low->up_scale = up_scale;
	return low;
}

static struct weights_norm
random_norm(struct sample *s, size_t d)
{
	return (struct weights_norm){ random_floats(s, d, 1, .5f), random_floats(s, d, 0, .2f) };
}

static void
sample_init(struct sample *s, const struct shape *h)
{
	struct weights_layer *q, *f;
	float *scale, *values;
	uint32_t i;

	memset(s, 0, sizeof *s);
	s->q8 = (struct weights){ .n_dims = h->d,
		.n_layers = h->layers,
		.n_heads = h->heads,
		.n_inner = h->inner,
		.n_vocab = h->vocab,
		.n_positions = h->positions,
		.norm_eps = 1e-12f };
	s->q8.positions = random_floats(s, (size_t)h->positions * h->d, 0, .1f);
	s->q8.type = random_floats(s, h->d, 0, .1f);
	s->q8.norm = random_norm(s, h->d);
	s->f32 = s->q8;
	s->q8.words = random_rows(s, h->vocab, h->d, .3f, &scale, &values);
	s->q8.word_scale = scale;
	s->f32.words_f32 = values;
	for (i = 0; i < h->layers; i++) {
		q = &s->q8.layers[i], f = &s->f32.layers[i];
		random_matrix(s, h->d, 3 * h->d, &q->qkv, &f->qkv);
		random_matrix(s, h->d, h->d, &q->attention, &f->attention);
		random_matrix(s, h->d, h->inner, &q->in, &f->in);
		random_matrix(s, h->inner, h->d, &q->out, &f->out);
		if (h->rank > 0 && i > 0) {
			f->qkv.low = q->qkv.low = random_low(s, &q->qkv, h->rank);
			f->attention.low = q->attention.low = random_low(s, &q->attention, h->rank);
			f->in.low = q->in.low = random_low(s, &q->in, h->rank);
			f->out.low = q->out.low = random_low(s, &q->out, h->rank);
		}
		f->attention_norm = q->attention_norm = random_norm(s, h->d);
		f->norm = q->norm = random_norm(s, h->d);
	}
}

static void
sample_release(struct sample *s)
{
	while (s->n_owned > 0)
		free(s->owned[--s->n_owned]);
}

/* ---- the encoder once more, in double and as plainly as can be ---- */

static void
plain_norm(double *x, size_t d, const struct weights_norm *norm, double eps)
{
	double mean = 0, var = 0;
	size_t i;

	for (i = 0; i < d; i++)
		mean += x[i] / (double)d;
	for (i = 0; i < d; i++)
		var += (x[i] - mean) * (x[i] - mean) / (double)d;
	for (i = 0; i < d; i++)
		x[i] = (x[i] - mean) / sqrt(var + eps) * norm->weight[i] + norm->bias[i];
}

static double *
plain_product(const double *in, size_t n, const struct weights_matrix *m)
{
	double *out = xcalloc(n * m->n_out, sizeof *out);
	size_t i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < m->n_out; j++) {
			for (k = 0; k < m->n_in; k++)
				out[i * m->n_out + j] +=
				    in[i * m->n_in + k] * m->f32[j * m->n_in + k];
			out[i * m->n_out + j] += m->bias[j];
		}
	for (i = 0; m->low != NULL && i < n * m->low->rank; i++) {
		const struct weights_low *low = m->low;
		size_t r = i % low->rank, row = i / low->rank;
		double along = 0;
		for (k = 0; k < m->n_in; k++)
			along += in[row * m->n_in + k] * low->down[r * m->n_in + k];
		along *= (double)low->down_scale[r] * low->up_scale[r];
		for (j = 0; j < m->n_out; j++)
			out[row * m->n_out + j] += along * low->up[r * m->n_out + j];
	}
	return out;
}

static double *
plain_attention(const double *qkv, size_t n, size_t d, size_t heads)
{
	double *out = xcalloc(n * d, sizeof *out), *s = xcalloc(n, sizeof *s), sum, top;
	size_t width = d / heads, i, j, k, c;

	for (c = 0; c < d; c++)
		for (i = 0; i < n; i++) {
			for (sum = 0, top = -INFINITY, j = 0; j < n; j++) {
				for (s[j] = 0, k = c / width * width; k < c / width * width + width;
				     k++)
					s[j] += qkv[i * 3 * d + k] * qkv[j * 3 * d + d + k] /
					    sqrt((double)width);
				top = fmax(top, s[j]);
			}
			for (j = 0; j < n; j++)
				sum += exp(s[j] - top);
			for (j = 0; j < n; j++)
				out[i * d + c] +=
				    exp(s[j] - top) / sum * qkv[j * 3 * d + 2 * d + c];
		}
	free(s);
	return out;
}

/* x = LayerNorm(x + product of in); frees in */
static void
plain_add(double *x, double *in, size_t n, const struct weights_matrix *m,
	const struct weights_norm *norm, double eps)
{
	double *y = plain_product(in, n, m);
	size_t d = m->n_out, i;

	for (i = 0; i < n * d; i++)
		x[i] += y[i];
	for (i = 0; i < n; i++)
		plain_norm(x + i * d, d, norm, eps);
	free(y);
	free(in);
}

static void
plain_run(const struct weights *w, const uint32_t *ids, size_t n, double *out)
{
	size_t d = w->n_dims, i, l;
	double *x = xcalloc(n * d, sizeof *x), *y, norm = 0, eps = (double)w->norm_eps;

	for (i = 0; i < n * d; i++)
		x[i] =
		    (double)w->words_f32[ids[i / d] * d + i % d] + w->positions[i] + w->type[i % d];
	for (i = 0; i < n; i++)
		plain_norm(x + i * d, d, &w->norm, eps);
	for (l = 0; l < w->n_layers; l++) {
		y = plain_product(x, n, &w->layers[l].qkv);
		plain_add(x, plain_attention(y, n, d, w->n_heads), n, &w->layers[l].attention,
		    &w->layers[l].attention_norm, eps);
		free(y);
		y = plain_product(x, n, &w->layers[l].in);
		for (i = 0; i < n * w->n_inner; i++)
			y[i] = y[i] / 2 * (1 + erf(y[i] / sqrt(2)));
		plain_add(x, y, n, &w->layers[l].out, &w->layers[l].norm, eps);
	}
	memset(out, 0, d * sizeof *out);
	for (i = 0; i < n * d; i++)
		out[i % d] += x[i];
	for (i = 0; i < d; i++)
		norm += out[i] * out[i];
	for (i = 0; i < d; i++)
		out[i] /= sqrt(norm);
	free(x);
}

/* ---- comparisons ---- */

static const struct shape shapes[] = {
	{ 64, 2, 2, 256, 50, 80, 0 },
	{ 48, 3, 3, 80, 50, 80, 0 },           /* one panel a head */
	{ 112, 3, 2, 144, 50, 80, 3 },         /* corrections of low rank */
	{ 30, 2, 3, 50, 50, 80, 0 },           /* nothing fills a vector */
	{ 35, 2, 5, 37, 50, 80, 0 },           /* odd widths, odd heads */
	{ 3, 1, 3, 1, 50, 80, 0 },             /* heads of one element */
};

/* Lengths of the texts of a batch, and their tokens. */
static const uint32_t lengths[] = { 1, 2, 3, 16, 17, 31, 64, 70, 8, 80, 5, 80, 80, 80, 33, 80 };
#define N_TEXTS  NELEM(lengths)
#define N_TOKENS 1000

static void
random_ids(uint32_t *ids, uint32_t vocab)
{
	size_t i;

	for (i = 0; i < N_TOKENS; i++)
		ids[i] = (uint32_t)((noise() + 1) * .4999f * (float)vocab);
}

static void
test_values(const struct shape *h)
{
	struct sample s;
	struct encoder *exact, *quantised;
	uint32_t ids[N_TOKENS];
	float *got, *near;
	double *want, cosine, far_f32 = 0, least_cosine = 1, diff;
	size_t i, k, at = 0;

	sample_init(&s, h);
	random_ids(ids, h->vocab);
	exact = encoder_new(&s.f32);
	quantised = encoder_new(&s.q8);
	got = xcalloc(N_TEXTS * h->d, sizeof *got);
	near = xcalloc(N_TEXTS * h->d, sizeof *near);
	want = xcalloc(h->d, sizeof *want);
	encoder_run(exact, ids, lengths, N_TEXTS, got);
	encoder_run(quantised, ids, lengths, N_TEXTS, near);
	for (i = 0; i < N_TEXTS; at += lengths[i++]) {
		plain_run(&s.f32, ids + at, lengths[i], want);
		for (cosine = 0, k = 0; k < h->d; k++) {
			diff = fabs(got[i * h->d + k] - want[k]);
			far_f32 = diff > far_f32 || isnan(diff) ? diff : far_f32;
			cosine += near[i * h->d + k] * want[k];
		}
		least_cosine = cosine < least_cosine || isnan(cosine) ? cosine : least_cosine;
	}
	ok(far_f32 < 2e-6, "width %u: float32 is within %.1e of double", h->d, far_f32);
	ok(least_cosine > .9996, "width %u: the cosine of quantised and double is at least %.7f",
	    h->d, least_cosine);
	encoder_free(exact);
	encoder_free(quantised);
	free(got);
	free(near);
	free(want);
	sample_release(&s);
}

struct job {
	const struct weights *w;
	const uint32_t *ids;
	size_t first, step;            /* the texts that are its, one a call */
	float *out;
};

static void *
run_job(void *arg)
{
	struct job *j = arg;
	struct encoder *e = encoder_new(j->w);
	size_t i, at = 0;

	for (i = 0; i < N_TEXTS; at += lengths[i++])
		if (i % j->step == j->first)
			encoder_run(e, j->ids + at, lengths + i, 1, j->out + i * j->w->n_dims);
	encoder_free(e);
	return NULL;
}

static void
test_batches(const struct shape *h)
{
	struct sample s;
	struct encoder *e;
	uint32_t ids[N_TOKENS];
	float *together, *alone;
	struct job jobs[2];
	pthread_t threads[2];
	size_t bytes = N_TEXTS * h->d * sizeof *alone, i;

	sample_init(&s, h);
	random_ids(ids, h->vocab);
	together = xcalloc(1, bytes);
	alone = xcalloc(1, bytes);
	e = encoder_new(&s.q8);
	encoder_run(e, ids, lengths, N_TEXTS, together);
	run_job(&(struct job){ &s.q8, ids, 0, 1, alone });
	ok(memcmp(together, alone, bytes) == 0, "width %u: one by one as together", h->d);
	encoder_run(e, ids, lengths, 3, alone);
	encoder_run(e, ids + 6, lengths + 3, N_TEXTS - 3, alone + 3 * h->d);
	ok(memcmp(together, alone, bytes) == 0,
	    "width %u: in two batches, with what was left in the scratch", h->d);
	memset(alone, 0, bytes);
	for (i = 0; i < 2; i++) {
		jobs[i] = (struct job){ &s.q8, ids, i, 2, alone };
		pthread_create(&threads[i], NULL, run_job, &jobs[i]);
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ok(memcmp(together, alone, bytes) == 0, "width %u: by two threads", h->d);
	encoder_free(e);
	free(together);
	free(alone);
	sample_release(&s);
}

static void
test_kernels(const struct shape *h)
{
	struct sample s;
	struct encoder *e;
	uint32_t ids[N_TOKENS];
	size_t bytes = N_TEXTS * h->d * sizeof(float), i;
	float *plain = xcalloc(1, bytes), *out = xcalloc(1, bytes);

	sample_init(&s, h);
	random_ids(ids, h->vocab);
	for (i = 0; gemm_kernels[i]; i++) {
		if (!gemm_kernels[i]->usable()) {
			skip("not on this processor");
			continue;
		}
		e = encoder_new_with(&s.q8, gemm_kernels[i]);
		encoder_run(e, ids, lengths, N_TEXTS, i ? out : plain);
		if (i > 0)
			ok(memcmp(out, plain, bytes) == 0,
			    "width %u: %s gives the bits that plain C gives", h->d,
			    gemm_kernels[i]->name);
		encoder_free(e);
	}
	free(plain);
	free(out);
	sample_release(&s);
}

/*
 * The bits are the same on every machine, not only by every kernel of this one: they have this
 * hash. Whoever changes the arithmetic makes all models' vectors new.
 */
static void
test_bits(void)
{
	struct sample s;
	struct encoder *e;
	uint32_t ids[N_TOKENS];
	float out[N_TEXTS * 64];
	uint64_t hash = 14695981039346656037u;
	const unsigned char *p = (const unsigned char *)out;
	size_t i;

	sample_init(&s, &shapes[0]);
	seed = 11;
	random_ids(ids, shapes[0].vocab);
	e = encoder_new(&s.q8);
	encoder_run(e, ids, lengths, N_TEXTS, out);
	for (i = 0; i < sizeof out; i++)
		hash = (hash ^ p[i]) * 1099511628211u;
	is_int((int64_t)hash, (int64_t)-3849156006425868871, "the bits of every machine");
	encoder_free(e);
	sample_release(&s);
}

/* ---- single steps, at the edges ---- */

#define N_STEP 100

/* The third of the scales of sixteen lanes, by sorting them. */
static float
third_of_lanes(const float *x, size_t n, int32_t low)
{
	float lanes[16] = { 0 }, t;
	size_t i, j;

	for (i = 0; i < n; i++)
		lanes[i % 16] = fmaxf(lanes[i % 16],
		    x[i] > 0 ? x[i] / (float)(low + 255) : x[i] / (float)(low + 1));
	for (i = 0; i < 3; i++)
		for (j = 15; j > i; j--)
			if (lanes[j] > lanes[j - 1])
				t = lanes[j], lanes[j] = lanes[j - 1], lanes[j - 1] = t;
	return lanes[2];
}

static void
test_quantise(const struct gemm_kernel *kernel)
{
	const struct steps *s = kernel->steps;
	float x[N_STEP], scale, want, worst = 0, worst_scale = 0;
	int16_t a[N_STEP + 2];
	size_t i, n_bad = 0, n_far = 0, n;
	int32_t low;

	for (n = 1; n < N_STEP; n++) {
		low = n % 2 ? -128 : -32;
		for (i = 0; i < n; i++)
			x[i] = noise() * 3;
		if (n % 3 == 0)
			x[n / 2] = 40;                 /* one that stands out */
		for (i = n; i < N_STEP; i++)
			x[i] = 1e9f;                   /* not looked at */
		a[n + 1] = a[n] = 77;
		scale = s->quantise(x, n, low, 8191, a);
		want = fmaxf(third_of_lanes(x, n, low), (n % 3 == 0 ? 40 : 0) / 8191.f);
		worst_scale = fmaxf(worst_scale, n > 2 ? fabsf(scale / want - 1) : 0);
		for (i = 0; i < n; i++) {
			worst = fmaxf(worst, fabsf(x[i] / scale - a[i]));
			n_bad += abs(a[i]) > 8191 ||
			    (x[i] <= want * (float)(low + 255) && x[i] >= want * (float)(low + 1) &&
				(a[i] < low || a[i] > low + 255));
			n_far += n % 3 == 0 && n > 32 && i == n / 2 && a[i] > low + 255;
		}
		n_bad += a[n] != (n % 2 ? 0 : 77) || a[n + 1] != 77;
	}
	ok(worst < .502f && n_bad == 0,
	    "%s: quantised to the nearest, in the window, padded to even, no more written",
	    kernel->name);
	ok(worst_scale < 1e-5f && n_far == 23, "%s: the window is what all lanes but two lie in",
	    kernel->name);
	memset(x, 0, sizeof x);
	ok(s->quantise(x, 33, -128, 8191, a) == 0 && a[0] == 0 && a[32] == 0, "%s: zeros",
	    kernel->name);
	x[3] = 1e-40f;
	a[3] = 5;
	ok(s->quantise(x, 33, -128, 8191, a) == 0 && a[3] == 0, "%s: next to nothing is nothing",
	    kernel->name);
	x[3] = -1e38f;
	scale = s->quantise(x, 33, -128, 8191, a);
	ok(a[3] == -8191 && fabsf(scale * 8191 / 1e38f - 1) < 1e-6f, "%s: huge, and alone",
	    kernel->name);
	for (i = 0; i < 33; i++)
		x[i] = i % 2 ? 3e38f : -3e38f;
	scale = s->quantise(x, 33, -128, 8191, a);
	ok(a[0] == -127 && a[1] == 127 && scale < INFINITY, "%s: huge all over", kernel->name);
	x[4] = NAN;
	ok(s->quantise(x, 33, -128, 8191, a) == 0 && a[3] == 0 && a[4] == 0, "%s: no number",
	    kernel->name);
	x[4] = -INFINITY;
	ok(s->quantise(x, 33, -128, 8191, a) == 0 && a[3] == 0 && a[4] == 0, "%s: infinite",
	    kernel->name);
}

/* GELU over [-12, 12] and beyond against the C library. */
static void
test_gelu(const struct gemm_kernel *kernel)
{
	enum { N = 24001 };
	static int32_t acc[N + 32];
	static float out[N], scale[N], bias[N];
	struct weights_matrix m = { .n_in = 1, .n_out = N, .scale = scale, .bias = bias };
	double worst = 0, x;
	size_t i;

	for (i = 0; i < N; i++) {
		acc[i] = (int32_t)i - 12000;
		scale[i] = 2e-3f;
	}
	kernel->steps->gelu(acc, .5f, &m, out);
	for (i = 0; i < N; i++) {
		x = (double)((float)acc[i] * (2e-3f * .5f));
		worst =
		    fmax(worst, fabs(out[i] - x / 2 * (1 + erf(x / sqrt(2)))) / fmax(1, fabs(x)));
	}
	ok(worst < 6e-7, "%s: GELU is within %.1e", kernel->name, worst);
	acc[0] = 2000000000;
	acc[1] = -2000000000;
	kernel->steps->gelu(acc, 1e3f, &m, out);
	ok(fabsf(out[0] / 4e9f - 1) < 1e-6f && fabsf(out[1]) < 4e9f * 1e-6f,
	    "%s: GELU of huge numbers", kernel->name);
}

static void
test_softmax(const struct gemm_kernel *kernel)
{
	enum { N = 37, ROWS = 3, LD = 48 };
	int32_t acc[ROWS * LD] = { 0 };
	float keys[N], values[N], tmp[ROWS * LD], got, scale[ROWS],
	    queries[ROWS] = { .5f, .25f, .125f };
	int16_t probs[ROWS * (N + 1)];
	double e[N], sum, worst = 0, off;
	struct steps_scores s = { acc, queries, .5f, keys, values, N };
	size_t i, r, n_pad = 0;

	for (i = 0; i < N; i++) {
		for (r = 0; r < ROWS; r++)
			acc[r * LD + i] = (int32_t)(noise() * 5000);
		keys[i] = 1e-3f * (2 + noise());
		values[i] = 2 + noise();
	}
	kernel->steps->softmax(&s, ROWS, tmp, probs, scale);
	for (r = 0; r < ROWS; r++) {
		for (sum = 0, i = 0; i < N; i++)
			sum += e[i] =
			    exp((double)(float)acc[r * LD + i] * keys[i] * queries[r] * .5);
		for (i = 0; i < N; i++) {
			got = (float)probs[r * (N + 1) + i] * scale[r];
			off = fabs(got - e[i] / sum * values[i]) / (double)scale[r];
			worst = fmax(worst, off);
		}
		n_pad += probs[r * (N + 1) + N] != 0;
	}
	ok(worst < .51 && n_pad == 0, "%s: softmax by values to %.3f of a step of %.1e",
	    kernel->name, worst, scale[0]);
	for (i = 0; i < N; i++)
		values[i] = 0;
	kernel->steps->softmax(&s, 1, tmp, probs, scale);
	ok(scale[0] == 0 && probs[5] == 0, "%s: no values, no context", kernel->name);
	values[3] = 1;
	queries[0] = 3e38f;
	keys[3] = 3e38f;
	acc[3] = 1;
	kernel->steps->softmax(&s, 1, tmp, probs, scale);
	ok(isfinite(scale[0]), "%s: scores beyond a float stay numbers", kernel->name);
}

/*
 * Weights that are all zero, and a state that overflows: a vector of numbers, and the same with
 * every kernel.
 */
static void
test_edges(const struct gemm_kernel *kernel)
{
	struct sample s;
	struct encoder *e;
	const uint32_t id = 0, n = 1;
	float out[64], *word_scale, sum = 0;
	size_t i;

	sample_init(&s, &shapes[0]);
	e = encoder_new_with(&s.q8, kernel);
	word_scale = (float *)(uintptr_t)s.q8.word_scale;
	word_scale[0] = INFINITY;
	encoder_run(e, &id, &n, 1, out);
	for (i = 0; i < 64; i++)
		sum += fabsf(out[i]);
	ok(sum == 0, "%s: what overflows has the zero vector", kernel->name);
	word_scale[0] = 1e30f;
	encoder_run(e, &id, &n, 1, out);
	for (sum = 0, i = 0; i < 64; i++)
		sum += out[i] * out[i];
	ok(sum == 0 || fabsf(sum - 1) < 1e-5f, "%s: huge words have a unit vector or none",
	    kernel->name);
	encoder_free(e);
	sample_release(&s);
}

int
main(void)
{
	size_t i;

	test_bits();
	for (i = 0; i < NELEM(shapes); i++) {
		test_values(&shapes[i]);
		test_batches(&shapes[i]);
		test_kernels(&shapes[i]);
	}
	for (i = 0; gemm_kernels[i]; i++) {
		if (!gemm_kernels[i]->usable())
			continue;
		test_quantise(gemm_kernels[i]);
		test_gelu(gemm_kernels[i]);
		test_softmax(gemm_kernels[i]);
		test_edges(gemm_kernels[i]);
	}
	encoder_free(NULL);
	return tap_done();
}
