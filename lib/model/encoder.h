/*
 * encoder.h: token ids in, a unit vector out: a BERT-family encoder, mean of all tokens, L2.
 *
 * Quantised weights give the same bits on every instruction set, thread count and batch shape:
 * integer sums are exact and the float steps (softmax, GELU, LayerNorm, mean) run in one fixed
 * order per token. Reference weights (float32) run through plain loops, for tests.
 */
#ifndef MODEL_ENCODER_H
#define MODEL_ENCODER_H

#include "model/gemm.h"
#include "model/weights.h"

/* scratch for one thread; grows to the largest batch so far */
struct encoder;

/* w borrowed, checked when it was opened */
struct encoder *encoder_new(const struct weights *w);
/* another kernel than the best; for tests */
struct encoder *encoder_new_with(const struct weights *w, const struct gemm_kernel *kernel);
void encoder_free(struct encoder *e);

/*
 * ids: the tokens of n texts one after the other, with those around each; lengths [n], each 1 ..
 * n_positions; their sum at most ENCODER_TOKENS is what a batch does best with. out [n][D] float32
 * unit vectors. No padding is computed.
 */
#define ENCODER_TOKENS 512
void
encoder_run(struct encoder *e, const uint32_t *ids, const uint32_t *lengths, size_t n, float *out);

#endif
