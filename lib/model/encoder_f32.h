/*
 * encoder_f32.h: the reference encoder: float32 weights, plain loops, the C library's erf and exp.
 * For tests; encoder.h runs it where the weights are float32.
 */
#ifndef MODEL_ENCODER_F32_H
#define MODEL_ENCODER_F32_H

#include "model/weights.h"

struct encoder_f32;

struct encoder_f32 *encoder_f32_new(const struct weights *w);          /* w borrowed */
void encoder_f32_free(struct encoder_f32 *e);
/* As encoder_run. */
void encoder_f32_run(struct encoder_f32 *e, const uint32_t *ids, const uint32_t *lengths, size_t n,
	float *out);

#endif
