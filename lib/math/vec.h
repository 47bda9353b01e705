/*
 * vec.h: vectors of one to VEC_MAX_DIMS dimensions: products, quantisation to eight bits and to one
 * bit a dimension, and products of a query with either.
 *
 * One bit: the sign of each dimension after a fixed rotation R. With s the signs (+1, -1) of Rv,
 * the inner product with any z is estimated as <v, z> ~ gain <s, Rz>, gain = |v|^2 / |Rv|_1. This
 * is RaBitQ (Gao and Long 2024), whose estimate is unbiased for random R. Rz is quantised to
 * VEC_PLANES bits a dimension, so that <s, Rz> is a handful of popcounts.
 *
 * All results have the same bits on every machine: integers where order would matter, floats summed
 * in a fixed order.
 */
#pragma once

#include "base/base.h"

#define VEC_MAX_DIMS 4096
#define VEC_PLANES   4
#define VEC_MAX_WORDS (VEC_MAX_DIMS / 64)

/* The inner product, summed in double and in order. */
double vec_dot(const float *a, const float *b, size_t n);
/*
 * Scales v to length 1. Returns false, with v unchanged, for zeros or numbers that are not finite.
 */
bool vec_unit(float *v, size_t n);

/* ---- eight bits ---- */

/*
 * V [n] ~ scale * out [n], |out| <= 127. scale is chosen by least squares, so that <v, scale * out>
 * = |scale * out|^2. For zeros it is 0.
 */
void vec_quantise(const float *v, size_t n, int8_t *out, float *scale);

struct vec_query {
	size_t n;
	double step;                       /* <q, x> ~ step * vec_query_dot */
	int16_t q[VEC_MAX_DIMS];
};

/*
 * Quantises q [n] as finely as int32 products with n bytes allow: to 14 bits up to 2064 dimensions,
 * to 13 beyond.
 */
void vec_query(struct vec_query *out, const float *q, size_t n);
int32_t vec_query_dot(const struct vec_query *q, const int8_t *x);

/* ---- one bit ---- */

static inline size_t vec_code_words(size_t n) { return (n + 63) / 64; }
static inline size_t vec_code_bytes(size_t n) { return vec_code_words(n) * 8; }

/*
 * Rotates v in place: rounds of fixed sign changes and of Hadamard transforms of the first and the
 * last 2^k dimensions. Cost: 6 n log n.
 */
void vec_rotate(float *v, size_t n);
/*
 * The signs of the rotated vector x [n]: bit i % 8 of byte i / 8 is set where x[i] > 0; the rest of
 * the last word is 0.
 */
void vec_signs(const float *x, size_t n, uint8_t *code /* [vec_code_bytes(n)] */);
/* The code of v, given in eight bits, and its gain for a scale of 1. */
void vec_code(const int8_t *v, size_t n, uint8_t *code, float *gain);

struct vec_planes {
	size_t n, n_words;
	float step;                        /* <s, x> ~ step * vec_planes_dot */
	/* in the byte order of codes; plane j weighs 2^j */
	uint64_t plane[VEC_PLANES][VEC_MAX_WORDS];
};

/* Quantises the rotated query x [n]: each dimension becomes an odd number of -15 ... 15 steps. */
void vec_planes(struct vec_planes *out, const float *x, size_t n);
/*
 * Out [n_codes] receives the products of the query with codes that are stride bytes apart. Cost:
 * VEC_PLANES popcounts a word.
 */
void vec_planes_dot(const struct vec_planes *q, const uint8_t *codes, size_t stride, size_t n_codes,
	int32_t *out);
