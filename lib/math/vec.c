/*
 * vec.c: vectors quantised to eight bits and to one bit a dimension, and queries against them.
 *
 * The rotation spreads a vector's energy evenly over its dimensions, so that the signs say as much
 * as signs can. It is three rounds of sign changes (fixed, from hash64_mix) and Walsh-Hadamard
 * transforms, one of the first P dimensions and one of the last P, with P the largest power of two
 * that fits; for 384 dimensions the two share 128. Stored codes depend on it: another rotation
 * would make other codes.
 *
 * A code is computed from a vector's eight-bit form, not from its floats, so that anybody who has
 * those bytes can verify it.
 */
#include "math/vec.h"

#include <math.h>

#include "base/hash.h"
#include "math/kernel.h"

#define ROUNDS     3
#define SIGNS_SEED 0x6d656d2076656373u          /* "mem vecs" */

double
vec_dot(const float *a, const float *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)a[i] * (double)b[i];
	return sum;
}

bool
vec_unit(float *v, size_t n)
{
	double norm = sqrt(vec_dot(v, v, n));

	if (!(norm > 0) || !isfinite(norm))
		return false;
	for (size_t i = 0; i < n; i++)
		v[i] = (float)(v[i] / norm);
	return true;
}

static float
largest(const float *v, size_t n)
{
	float m = 0;

	for (size_t i = 0; i < n; i++)
		m = MAX(m, fabsf(v[i]));
	return m;
}

/* ---- eight bits ---- */

void
vec_quantise(const float *v, size_t n, int8_t *out, float *scale)
{
	float max = largest(v, n);
	double dot = 0;
	int64_t square = 0;

	for (size_t i = 0; i < n; i++) {
		out[i] = max > 0 ? (int8_t)lrint((double)v[i] / (double)max * 127) : 0;
		dot += (double)v[i] * out[i];
		square += out[i] * out[i];
	}
	*scale = square > 0 ? (float)(dot / (double)square) : 0;
}

void
vec_query(struct vec_query *out, const float *q, size_t n)
{
	double limit = MIN(8191.0, floor(2147483647.0 / (127.0 * (double)n)));
	float max = largest(q, n);

	out->n = n;
	out->step = (double)max / limit;
	for (size_t i = 0; i < n; i++)
		out->q[i] = max > 0 ? (int16_t)lrint((double)q[i] / (double)max * limit) : 0;
}

int32_t
vec_query_dot(const struct vec_query *q, const int8_t *x)
{
	return kernel()->dot(q->q, x, q->n);
}

/* ---- one bit ---- */

static void
hadamard(float *v, size_t n)
{
	float unit = (float)(1 / sqrt((double)n));

	for (size_t h = 1; h < n; h *= 2)
		for (size_t i = 0; i < n; i += 2 * h)
			for (size_t k = i; k < i + h; k++) {
				float a = v[k], b = v[k + h];
				v[k] = a + b;
				v[k + h] = a - b;
			}
	for (size_t i = 0; i < n; i++)
		v[i] *= unit;
}

void
vec_rotate(float *v, size_t n)
{
	size_t p = 1;

	while (2 * p <= n)
		p *= 2;
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < n; i += 64) {
			uint64_t flips =
			    hash64_mix(SIGNS_SEED + (uint64_t)round * VEC_MAX_WORDS + i / 64);
			for (size_t k = i; k < MIN(i + 64, n); k++, flips >>= 1)
				v[k] = flips & 1 ? -v[k] : v[k];
		}
		hadamard(v, p);
		if (p < n)
			hadamard(v + n - p, p);
	}
}

void
vec_signs(const float *x, size_t n, uint8_t *code)
{
	memset(code, 0, vec_code_bytes(n));
	for (size_t i = 0; i < n; i++)
		code[i / 8] |= (uint8_t)((x[i] > 0) << i % 8);
}

void
vec_code(const int8_t *v, size_t n, uint8_t *code, float *gain)
{
	float x[VEC_MAX_DIMS];
	int64_t square = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		x[i] = v[i];
		square += v[i] * v[i];
	}
	vec_rotate(x, n);
	vec_signs(x, n, code);
	for (size_t i = 0; i < n; i++)
		sum += (double)fabsf(x[i]);
	*gain = sum > 0 ? (float)((double)square / sum) : 0;
}

/* Rounds x to an odd number from -15 to 15. */
static int
odd_steps(double x)
{
	int u = (int)floor(x / 2) * 2 + 1;

	return MAX(-15, MIN(u, 15));
}

/*
 * Tries a few step sizes, from one that holds the largest number to one that cuts off a third of
 * it, and keeps the one with the smallest error.
 */
void
vec_planes(struct vec_planes *out, const float *x, size_t n)
{
	double max = (double)largest(x, n), best = -1, unit = 0;

	memset(out, 0, sizeof(*out));
	out->n = n;
	out->n_words = vec_code_words(n);
	for (int t = 0; max > 0 && t < 8; t++) {
		double u = max / 15.5 * (1 - .06 * t), dot = 0, square = 0;
		for (size_t i = 0; i < n; i++) {
			int k = odd_steps((double)x[i] / u);
			dot += (double)x[i] * k;
			square += k * k;
		}
		/* with the least-squares step the error is |x|^2 - dot^2 / square */
		if (dot * dot / square > best) {
			best = dot * dot / square;
			unit = u;
			out->step = (float)(dot / square);
		}
	}
	for (size_t i = 0; unit > 0 && i < n; i++) {
		unsigned u = (unsigned)(odd_steps((double)x[i] / unit) + 15) / 2;
		for (size_t j = 0; j < VEC_PLANES; j++)
			((uint8_t *)out->plane[j])[i / 8] |= (uint8_t)((u >> j & 1) << i % 8);
	}
}

void
vec_planes_dot(const struct vec_planes *q, const uint8_t *codes, size_t stride, size_t n_codes,
	int32_t *out)
{
	int32_t most = (int32_t)(((1 << VEC_PLANES) - 1) * q->n);

	kernel()->differ(q->plane[0], VEC_MAX_WORDS, q->n_words, codes, stride, n_codes, out);
	for (size_t i = 0; i < n_codes; i++)
		out[i] = most - 2 * out[i];
}
