/*
 * steps.h: what the encoder computes in float between its matrix products, one row (token) at a
 * time, with the same bits for every instruction set.
 *
 * Steps on single elements are exactly the IEEE operations written in the source; sums over a row
 * run in sixteen lanes, which are added as a tree, whatever the processor's vector width.
 * steps_body.h is compiled once for each instruction set.
 */
#pragma once

#include "model/kernels/gemm.h"
#include "model/weights.h"

/* The largest quantised probability in attention. */
#define STEPS_PROB_MAX 32767

struct steps_heads {
	size_t width;                  /* elements of a head */
	int32_t limit;                 /* largest absolute value of a quantised element */
	size_t ld_scales;
};

/* Softmax takes so many rows at once, so that the processor need not wait for the sums of one. */
#define STEPS_SOFTMAX_ROWS 8

/* The scores of one head: some queries with all keys of their text. */
struct steps_scores {
	const int32_t *acc;            /* [rows][n rounded up to 16] products of queries and keys */
	const float *queries;          /* [rows] scales of the queries */
	float root;                    /* the factor 1 / sqrt(width) of attention */
	const float *keys, *values;    /* [n] scales of the keys, and of the values */
	size_t n;
};

struct steps {
	/* x [n] = word + position + type embedding, then LayerNorm. */
	void (*embed)(const struct weights *w, uint32_t id, size_t position, float *x);
	/*
	 * A [even n] = x / scale, rounded to the nearest integer, |a| <= limit. Returns scale: it
	 * puts nearly all elements of a row between low < 0 and low + GEMM_WINDOW - 1, or is larger
	 * if limit requires it. Returns 0, with a all zero, when an element is NaN or infinite or
	 * all are zero. The elements are divided among sixteen lanes, each with the scale that it
	 * needs, and the third largest of these is used, so that one or two outliers do not make
	 * the other elements coarse.
	 */
	float (*quantise)(const float *x, size_t n, int32_t low, int32_t limit, int16_t *a);
	/* out [n_out] = m->bias + what m->low adds for the row x [n_in]: the bias of this row. */
	void (*bias)(const struct weights_matrix *m, const float *x, float *out);
	/*
	 * Acc * a_scale * m->scale + m->bias, quantised for each head: out [heads][even width],
	 * scales [heads] ld_scales apart. tmp [m->n_out].
	 */
	void (*split)(const int32_t *acc, float a_scale, const struct weights_matrix *m,
	    const struct steps_heads *h, float *tmp, int16_t *out, float *scales);
	/*
	 * Pack n rows [width], ld apart, like the weights of a product: for keys each row is an
	 * output, for values an input.
	 */
	void (*pack_keys)(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *packed);
	void (
	    *pack_values)(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *packed);
	/*
	 * Softmax of the scores of n_rows queries, at most STEPS_SOFTMAX_ROWS; each probability
	 * times its value's scale becomes probs [rows][even n] <= STEPS_PROB_MAX. tmp [rows][n
	 * rounded up to 16]. scales [rows]: the factors for the sums of probs by values.
	 */
	void (*softmax)(const struct steps_scores *s, size_t n_rows, float *tmp, int16_t *probs,
	    float *scales);
	/* out [n] = acc * scale. */
	void (*context)(const int32_t *acc, float scale, size_t n, float *out);
	/* out = GELU (with erf) of acc * a_scale * m->scale + m->bias. */
	void (*gelu)(const int32_t *acc, float a_scale, const struct weights_matrix *m, float *out);
	/* x = LayerNorm(x + acc * a_scale * m->scale + m->bias). */
	void (*add_norm)(const int32_t *acc, float a_scale, const struct weights_matrix *m,
	    const struct weights_norm *norm, float eps, float *x);
	/*
	 * Out [n] = mean of the rows x [n_rows][n], scaled to length 1; zeros when its length is 0.
	 */
	void (*mean)(const float *x, size_t n_rows, size_t n, float *out);
};
