/*
 * vec.h: vectors of one to VEC_MAX_DIMS dimensions: products, eight bits a dimension, one bit a
 * dimension, and what a query says to either.
 *
 * One bit: the sign of each dimension after a fixed rotation. With s the signs (+1, -1) of Rv, the
 * inner product with any z is estimated as <v, z> ~ gain <s, Rz>, gain = |v|^2 / |Rv|_1: RaBitQ
 * (Gao and Long 2024), whose estimate has no bias for random R. z is cut to VEC_PLANES bits a
 * dimension, so that <s, Rz> is a handful of popcounts.
 *
 * All results are the same bits on every machine: integers where order would matter, floats summed
 * in one order.
 */
#ifndef MATH_VEC_H
#define MATH_VEC_H

#include "base/base.h"

#define VEC_MAX_DIMS 4096
#define VEC_PLANES   4
#define VEC_MAX_WORDS (VEC_MAX_DIMS / 64)

/* Summed in double, in order. */
double vec_dot(const float *a, const float *b, size_t n);
/* Makes v unit; a vector of zeros, or one that is not finite, gives false and stays as it is. */
bool vec_unit(float *v, size_t n);

/* ---- eight bits ---- */

/*
 * v [n] ~ scale * out [n], |out| <= 127; scale is the least-squares one, so that <v, scale * out> =
 * |scale * out|^2. Zeros: scale 0.
 */
void vec_quantise(const float *v, size_t n, int8_t *out, float *scale);

struct vec_query {
	size_t n;
	double step;                       /* <q, x> ~ step * vec_query_dot */
	int16_t q[VEC_MAX_DIMS];
};

/*
 * q [n] cut so finely that the products with n bytes cannot overflow int32: 14 bits up to 2064
 * dimensions, 13 beyond.
 */
void vec_query(struct vec_query *out, const float *q, size_t n);
int32_t vec_query_dot(const struct vec_query *q, const int8_t *x);

/* ---- one bit ---- */

static inline size_t vec_code_words(size_t n) { return (n + 63) / 64; }
static inline size_t vec_code_bytes(size_t n) { return vec_code_words(n) * 8; }

/*
 * The rotation, in place: rounds of fixed sign changes and Hadamard transforms of the first and the
 * last 2^k dimensions. Cost: 6 n log n.
 */
void vec_rotate(float *v, size_t n);
/*
 * Signs of the rotated vector x [n]: bit i % 8 of byte i / 8 is set where x[i] > 0; the rest of the
 * last word is 0.
 */
void vec_signs(const float *x, size_t n, uint8_t *code /* [vec_code_bytes(n)] */);
/* The code of v, given in eight bits, and its gain, for a scale of 1. */
void vec_code(const int8_t *v, size_t n, uint8_t *code, float *gain);

struct vec_planes {
	size_t n, n_words;
	float step;                        /* <s, x> ~ step * vec_planes_dot */
	uint64_t plane[VEC_PLANES][VEC_MAX_WORDS];     /* as bytes of a code; plane j weighs 2^j */
};

/* The rotated query x [n]: each dimension cut to an odd number of -15 ... 15 steps. */
void vec_planes(struct vec_planes *out, const float *x, size_t n);
/*
 * The products of codes [n_codes], stride bytes apart, with the query: out [n_codes]. Cost:
 * VEC_PLANES popcounts a word.
 */
void vec_planes_dot(const struct vec_planes *q, const uint8_t *codes, size_t stride, size_t n_codes,
	int32_t *out);

#endif
