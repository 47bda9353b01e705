/*
 * encoder.c: the quantised encoder. The token rows of all texts of a batch stand one below the
 * other; products run over blocks of rows, attention within each text.
 *
 * Each row is quantised on its own (one scale, and a window in which nearly all of it lies), and so
 * are each head's query, key and value. No sum reaches beyond a row or a text, so a vector does not
 * depend on the other texts of its batch. Attention is two integer products as well:
 *
 *	scores = query [dh] by keys [dh][T]; softmax;
 *	times each value's scale, as 15-bit numbers whose sum is fixed; by values [T][dh]
 */
#include <math.h>

#include "base/alloc.h"
#include "model/encoder.h"
#include "model/encoder_f32.h"
#include "model/kernels/steps.h"


enum matrix { QKV, ATTENTION, IN, OUT, N_MATRICES };

/*
 * Lower ends of the window (gemm.h) of a row: in general, and after GELU, which is never below
 * -.17.
 */
#define LOW      (-128)
#define LOW_GELU (-32)

struct encoder {
	const struct weights *w;
	const struct gemm_kernel *kernel;
	size_t head, head_even;        /* width of a head, and the same rounded up to even */
	/*
	 * Limit of a head's quantised elements, with which a sum of products over a head fits into
	 * int32.
	 */
	int32_t head_max;
	size_t n_rows, n_text;         /* allocated rows, and rows of the longest text */

	float *x;                      /* [n_rows][D] the hidden state */
	float *context;                /* [n_rows][D] result of attention */
	int16_t *a;                    /* [n_rows][even D] quantised */
	float *a_scale;                /* [n_rows] */
	int16_t *qkv;                  /* [n_rows][3][heads][head_even] */
	float *qkv_scale;              /* [3][heads][n_rows] */
	int16_t *inner;                /* [GEMM_ROWS][even F] */
	/* Used by kernels that multiply bytes (gemm.h), for GEMM_ROWS rows of D or F elements. */
	uint8_t *bytes;
	int32_t *kept[WEIGHTS_LAYERS_MAX][N_MATRICES];
	bool has_kept[WEIGHTS_LAYERS_MAX][N_MATRICES];
	float *row;                    /* [largest width] */
	float *bias;                   /* [largest width] of a row, where there is weights_low */
	float *biases;                 /* [GEMM_ROWS][D] */
	int32_t *acc;                  /* [GEMM_ROWS][largest width or text, padded] */
	int16_t *keys, *values;        /* of one head of a text, packed like weights */
	int16_t *probs;                /* [GEMM_ROWS][even n_text] */
	float *context_scale;          /* [GEMM_ROWS] */
	float *tmp;                    /* [STEPS_SOFTMAX_ROWS][n_text padded] */
	struct encoder_f32 *f32;       /* runs the reference form */
};

struct encoder *
encoder_new(const struct weights *w)
{
	return encoder_new_with(w, gemm_kernel());
}

struct encoder *
encoder_new_with(const struct weights *w, const struct gemm_kernel *kernel)
{
	struct encoder *e = xcalloc(1, sizeof *e);

	e->w = w;
	if (w->words_f32) {
		e->f32 = encoder_f32_new(w);
		return e;
	}
	e->kernel = kernel;
	e->head = w->n_dims / w->n_heads;
	e->head_even = gemm_even(e->head);
	e->head_max = MIN(GEMM_ACTIVATION_MAX, (int32_t)sqrt((double)INT32_MAX / (double)e->head));
	e->inner = xcalloc(GEMM_ROWS * gemm_even(w->n_inner), sizeof *e->inner);
	if (kernel->takes_bytes)
		e->bytes = xmalloc(gemm_scratch_bytes(GEMM_ROWS, MAX(w->n_dims, w->n_inner)));
	e->row = xcalloc(MAX(3 * w->n_dims, w->n_inner), sizeof *e->row);
	e->bias = xcalloc(MAX(3 * w->n_dims, w->n_inner), sizeof *e->bias);
	e->biases = xcalloc(GEMM_ROWS * w->n_dims, sizeof *e->biases);
	e->context_scale = xcalloc(GEMM_ROWS, sizeof *e->context_scale);
	return e;
}

static void
release_rows(struct encoder *e)
{
	free(e->x);
	free(e->context);
	free(e->a);
	free(e->a_scale);
	free(e->qkv);
	free(e->qkv_scale);
}

static void
release_text(struct encoder *e)
{
	free(e->acc);
	free(e->keys);
	free(e->values);
	free(e->probs);
	free(e->tmp);
}

void
encoder_free(struct encoder *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < WEIGHTS_LAYERS_MAX * N_MATRICES; i++)
		free(e->kept[i / N_MATRICES][i % N_MATRICES]);
	release_rows(e);
	release_text(e);
	free(e->inner);
	free(e->bytes);
	free(e->row);
	free(e->bias);
	free(e->biases);
	free(e->context_scale);
	encoder_f32_free(e->f32);
	free(e);
}

/* Makes room for n_rows rows, the longest text among them of n_text rows. */
static void
make_room(struct encoder *e, size_t n_rows, size_t n_text)
{
	const struct weights *w = e->w;
	size_t d = w->n_dims, text;

	if (n_rows > e->n_rows) {
		release_rows(e);
		e->n_rows = n_rows;
		e->x = xcalloc(n_rows * d, sizeof *e->x);
		e->context = xcalloc(n_rows * d, sizeof *e->context);
		e->a = xcalloc(n_rows * gemm_even(d), sizeof *e->a);
		e->a_scale = xcalloc(n_rows, sizeof *e->a_scale);
		e->qkv = xcalloc(n_rows * 3 * w->n_heads * e->head_even, sizeof *e->qkv);
		e->qkv_scale = xcalloc(n_rows * 3 * w->n_heads, sizeof *e->qkv_scale);
	}
	if (n_text > e->n_text) {
		release_text(e);
		e->n_text = n_text;
		text = gemm_padded(n_text);
		e->acc = xcalloc(GEMM_ROWS * gemm_padded(MAX(MAX(3 * d, w->n_inner), text)),
		    sizeof *e->acc);
		e->keys = xcalloc(text * e->head_even, sizeof *e->keys);
		e->values = xcalloc(gemm_even(n_text) * gemm_padded(e->head), sizeof *e->values);
		e->probs = xcalloc(GEMM_ROWS * gemm_even(n_text), sizeof *e->probs);
		e->tmp = xcalloc(STEPS_SOFTMAX_ROWS * text, sizeof *e->tmp);
	}
}

/* Computes one head of attention for the text of n rows from first. */
static void
attend_head(struct encoder *e, size_t first, size_t n, size_t head)
{
	const struct gemm_kernel *kernel = e->kernel;
	size_t n_heads = e->w->n_heads, d = e->w->n_dims, ld = 3 * n_heads * e->head_even,
	       ld_probs = gemm_even(n), i, r, rows;
	const int16_t *from = e->qkv + first * ld + head * e->head_even;
	const float *scales = e->qkv_scale + head * e->n_rows + first;
	struct steps_scores s = { NULL, NULL, 1.f / sqrtf((float)e->head),
		scales + n_heads * e->n_rows, scales + 2 * n_heads * e->n_rows, n };

	kernel->steps->pack_keys(from + n_heads * e->head_even, ld, n, e->head, e->keys);
	kernel->steps->pack_values(from + 2 * n_heads * e->head_even, ld, n, e->head, e->values);
	for (i = 0; i < n; i += rows) {
		rows = MIN(kernel->n_rows, n - i);
		kernel->product16(from + i * ld, ld, rows, e->keys, e->head, n, e->acc);
		for (r = 0; r < rows; r += STEPS_SOFTMAX_ROWS) {
			s.acc = e->acc + r * gemm_padded(n);
			s.queries = scales + i + r;
			kernel->steps->softmax(&s, MIN(STEPS_SOFTMAX_ROWS, rows - r), e->tmp,
			    e->probs + r * ld_probs, e->context_scale + r);
		}
		kernel->product16(e->probs, ld_probs, rows, e->values, n, e->head, e->acc);
		for (r = 0; r < rows; r++)
			kernel->steps->context(e->acc + r * gemm_padded(e->head),
			    e->context_scale[r], e->head,
			    e->context + (first + i + r) * d + head * e->head);
	}
}

static void
quantise_rows(struct encoder *e, const float *from, size_t first, size_t n)
{
	size_t d = e->w->n_dims, i;

	for (i = first; i < first + n; i++)
		e->a_scale[i] = e->kernel->steps->quantise(from + i * d, d, LOW,
		    gemm_activation_max(d), e->a + i * gemm_even(d));
}

/* Multiplies n quantised rows by a matrix of a layer, into acc. */
static void
multiply(struct encoder *e, size_t layer, enum matrix which, const int16_t *a, size_t n)
{
	const struct weights_layer *l = &e->w->layers[layer];
	const struct weights_matrix *m = which == QKV ? &l->qkv
	    : which == ATTENTION		      ? &l->attention
	    : which == IN			      ? &l->in
						      : &l->out;
	int32_t **kept = &e->kept[layer][which];
	struct gemm_rows rows = { a, gemm_even(m->n_in), n, NULL, &e->has_kept[layer][which],
		e->bytes, which == OUT ? LOW_GELU : LOW };

	if (!*kept && e->kernel->takes_bytes)
		*kept = xcalloc(gemm_kept(m->n_in, m->n_out), sizeof **kept);
	rows.kept = *kept;
	e->kernel->product(&rows, m->packed, m->n_in, m->n_out, e->acc);
}

/* The same for quantised rows from first on. */
static void
multiply_rows(struct encoder *e, size_t layer, enum matrix which, size_t first, size_t n)
{
	multiply(e, layer, which, e->a + first * gemm_even(e->w->n_dims), n);
}

/* The matrix with the bias that its correction makes for the row x; bias [n_out] is filled. */
static struct weights_matrix
corrected(const struct encoder *e, const struct weights_matrix *m, const float *x, float *bias)
{
	struct weights_matrix own = *m;

	if (m->low != NULL) {
		e->kernel->steps->bias(m, x, bias);
		own.bias = bias;
	}
	return own;
}

/*
 * Adds the sums to the hidden rows, applies LayerNorm, and quantises for the next product. Where
 * the matrix has a correction, e->biases has the bias of each row.
 */
static void
add_rows(struct encoder *e, const struct weights_matrix *m, const float *scales,
	const struct weights_norm *norm, size_t first, size_t rows)
{
	struct weights_matrix own = *m;
	size_t d = e->w->n_dims, i;

	for (i = 0; i < rows; i++) {
		if (m->low != NULL)
			own.bias = e->biases + i * d;
		e->kernel->steps->add_norm(e->acc + i * gemm_padded(d), scales[i], &own, norm,
		    e->w->norm_eps, e->x + (first + i) * d);
	}
	quantise_rows(e, e->x, first, rows);
}

static void
feed_forward(struct encoder *e, size_t layer, size_t first, size_t rows)
{
	const struct weights_layer *l = &e->w->layers[layer];
	const struct gemm_kernel *kernel = e->kernel;
	size_t d = e->w->n_dims, f = l->in.n_out, ld = gemm_even(f), i;
	struct weights_matrix in;
	float scales[GEMM_ROWS];

	multiply_rows(e, layer, IN, first, rows);
	for (i = 0; i < rows; i++) {
		in = corrected(e, &l->in, e->x + (first + i) * d, e->bias);
		kernel->steps->gelu(e->acc + i * gemm_padded(f), e->a_scale[first + i], &in,
		    e->row);
		corrected(e, &l->out, e->row, e->biases + i * d);
		scales[i] = kernel->steps->quantise(e->row, f, LOW_GELU, gemm_activation_max(f),
		    e->inner + i * ld);
	}
	multiply(e, layer, OUT, e->inner, rows);
	add_rows(e, &l->out, scales, &l->norm, first, rows);
}

static void
run_layer(struct encoder *e, size_t layer, const uint32_t *lengths, size_t n, size_t n_rows)
{
	const struct weights_layer *l = &e->w->layers[layer];
	const struct steps_heads heads = { e->head, e->head_max, e->n_rows };
	struct weights_matrix qkv;
	size_t d = e->w->n_dims, i, r, rows, head, first;

	for (i = 0; i < n_rows; i += rows) {
		rows = MIN(e->kernel->n_rows, n_rows - i);
		multiply_rows(e, layer, QKV, i, rows);
		for (r = 0; r < rows; r++) {
			qkv = corrected(e, &l->qkv, e->x + (i + r) * d, e->bias);
			e->kernel->steps->split(e->acc + r * gemm_padded(qkv.n_out),
			    e->a_scale[i + r], &qkv, &heads, e->row,
			    e->qkv + (i + r) * 3 * e->w->n_heads * e->head_even,
			    e->qkv_scale + i + r);
		}
	}
	for (i = first = 0; i < n; first += lengths[i++])
		for (head = 0; head < e->w->n_heads; head++)
			attend_head(e, first, lengths[i], head);
	quantise_rows(e, e->context, 0, n_rows);
	for (i = 0; i < n_rows; i += rows) {
		rows = MIN(e->kernel->n_rows, n_rows - i);
		multiply_rows(e, layer, ATTENTION, i, rows);
		for (r = 0; r < rows; r++)
			corrected(e, &l->attention, e->context + (i + r) * d, e->biases + r * d);
		add_rows(e, &l->attention, e->a_scale + i, &l->attention_norm, i, rows);
		feed_forward(e, layer, i, rows);
	}
}

/* Runs the texts of one batch. */
static void
run_group(struct encoder *e, const uint32_t *ids, const uint32_t *lengths, size_t n, float *out)
{
	const struct weights *w = e->w;
	size_t n_rows = 0, longest = 0, i, k, row;

	for (i = 0; i < n; i++) {
		n_rows += lengths[i];
		longest = MAX(longest, lengths[i]);
	}
	make_room(e, n_rows, longest);
	for (i = row = 0; i < n; i++)
		for (k = 0; k < lengths[i]; k++, row++)
			e->kernel->steps->embed(w, ids[row], k, e->x + row * w->n_dims);
	quantise_rows(e, e->x, 0, n_rows);
	for (i = 0; i < w->n_layers; i++)
		run_layer(e, i, lengths, n, n_rows);
	for (i = row = 0; i < n; row += lengths[i++])
		e->kernel->steps->mean(e->x + row * w->n_dims, lengths[i], w->n_dims,
		    out + i * w->n_dims);
}

void
encoder_run(struct encoder *e, const uint32_t *ids, const uint32_t *lengths, size_t n, float *out)
{
	size_t i, k, sum;

	if (e->f32) {
		encoder_f32_run(e->f32, ids, lengths, n, out);
		return;
	}
	for (i = 0; i < n; i += k) {
		sum = lengths[i];
		for (k = 1; i + k < n && sum + lengths[i + k] <= ENCODER_TOKENS; k++)
			sum += lengths[i + k];
		run_group(e, ids, lengths + i, k, out + i * e->w->n_dims);
		ids += sum;
	}
}
