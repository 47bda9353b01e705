/*
 * steps.h: what the encoder does in float between its products, a row (a token) at a time: the same
 * bits by every kernel.
 *
 * Steps on single elements are the IEEE operations written down, no more and no fewer; sums over a
 * row run in sixteen lanes that are added as a tree, whatever the processor's width. steps_body.h
 * is compiled once for each instruction set.
 */
#ifndef MODEL_STEPS_H
#define MODEL_STEPS_H

#include "model/gemm.h"
#include "model/weights.h"

/* The largest probability that attention multiplies values by. */
#define STEPS_PROB_MAX 32767

struct steps_heads {
	size_t width;                  /* elements of a head */
	int32_t limit;                 /* of a quantised element */
	size_t ld_scales;
};

/* Rows that softmax takes at once, so that the processor need not wait for the sums of one. */
#define STEPS_SOFTMAX_ROWS 8

/* One head of some queries against all keys of their text. */
struct steps_scores {
	const int32_t *acc;            /* [rows][n rounded up to 16] queries by keys */
	const float *queries;          /* [rows] scales of the queries */
	float root;                    /* what the scores are multiplied by besides */
	const float *keys, *values;    /* [n] scales of the keys and of the values */
	size_t n;
};

struct steps {
	/* x [n] = words + position + type, then LayerNorm. */
	void (*embed)(const struct weights *w, uint32_t id, size_t position, float *x);
	/*
	 * a [even n] = x / scale, rounded to the nearest, |a| <= limit. Returns scale, with which
	 * nearly all of a row lies from low < 0 to low + GEMM_WINDOW - 1, or the larger one that
	 * limit asks for; 0, and a all zero, where an element is no number or all vanish. The row
	 * is dealt out to sixteen lanes, each has the scale that it needs, and the third of these
	 * is taken: so one or two elements that stand out do not make the others coarse.
	 */
	float (*quantise)(const float *x, size_t n, int32_t low, int32_t limit, int16_t *a);
	/*
	 * acc * a_scale * m->scale + m->bias, quantised head by head: out [heads][even width],
	 * scales [heads] ld_scales apart. tmp [m->n_out].
	 */
	void (*split)(const int32_t *acc, float a_scale, const struct weights_matrix *m,
	    const struct steps_heads *h, float *tmp, int16_t *out, float *scales);
	/*
	 * n rows [width], ld apart, packed as a product's weights: keys with a row as an output,
	 * values with a row as an input.
	 */
	void (*pack_keys)(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *packed);
	void (
	    *pack_values)(const int16_t *from, size_t ld, size_t n, size_t width, int16_t *packed);
	/*
	 * Softmax of the scores of n_rows queries, at most STEPS_SOFTMAX_ROWS; each probability
	 * times its value's scale, as probs [rows][even n] <= STEPS_PROB_MAX. tmp [rows][n rounded
	 * up to 16]. scales [rows]: what the sum of a row's probs by values is to be multiplied by.
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
	 * out [n] = mean of the rows x [n_rows][n], made a unit vector; zero where it has no
	 * length.
	 */
	void (*mean)(const float *x, size_t n_rows, size_t n, float *out);
};

#endif
