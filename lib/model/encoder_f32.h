/*
 * encoder_f32.h: the reference encoder: float32 weights, plain loops, erf and exp of the C library.
 * encoder.h uses it when the weights are float32, for tests.
 */
#pragma once

#include "model/weights.h"

struct encoder_f32;

struct encoder_f32 *encoder_f32_new(const struct weights *w);          /* w is borrowed */
void encoder_f32_free(struct encoder_f32 *e);
/* Like encoder_run. */
void encoder_f32_run(struct encoder_f32 *e, const uint32_t *ids, const uint32_t *lengths, size_t n,
	float *out);
