/*
 * encoder.h: token ids to unit vectors: a BERT-family encoder with the mean of all tokens,
 * normalised to length 1.
 *
 * With quantised weights the bits are the same for every instruction set, thread count and batch
 * shape: integer sums are exact, and the float steps (softmax, GELU, LayerNorm, mean) run in one
 * fixed order for each token. Reference weights (float32) run through plain loops, for tests.
 */
#pragma once

#include "model/kernels/gemm.h"
#include "model/weights.h"

/* Scratch memory of one thread; grows to the largest batch so far. */
struct encoder;

/* w is borrowed and was checked when the file was opened. */
struct encoder *encoder_new(const struct weights *w);
/* With a given kernel in place of the best; for tests. */
struct encoder *encoder_new_with(const struct weights *w, const struct gemm_kernel *kernel);
void encoder_free(struct encoder *e);

/*
 * ids: the tokens of n texts one after the other, with the special tokens at both ends of each.
 * lengths [n]: each from 1 to n_positions; batches of about ENCODER_TOKENS tokens in all are the
 * fastest. out [n][D]: float32 vectors of length 1. No padding is computed.
 */
#define ENCODER_TOKENS 512
void
encoder_run(struct encoder *e, const uint32_t *ids, const uint32_t *lengths, size_t n, float *out);
