/*
 * real.c: each function reduces its argument to near 1 or 0 by whole powers of two and sums a
 * Taylor series there, using only sums, products and quotients of doubles, which IEEE 754 defines
 * to the bit, in an order fixed by the source (-ffp-contract=off).
 *
 * A series ends where its next term is below 2^-58 of the sum. It runs as two chains, of even and
 * odd powers, which a processor computes in parallel. Reducing by a logarithm of 2 in two parts,
 * and adding the large first term of a sum last, are from Cody and Waite (Software Manual for the
 * Elementary Functions, 1980); the form of the logarithm is that of FreeBSD's msun.
 */
#include "math/real.h"

#include <math.h>

#define LN2       0x1.62e42fefa39efp-1
#define LN2_HI    0x1.62e42feep-1 /* has few bits, so its product with an exponent is exact */
#define LN2_LO    0x1.a39ef35793c76p-33        /* the rest of the logarithm of 2 */
#define LOG2_E    0x1.71547652b82fep0
#define ROOT_HALF 0x3fe6a09e667f3bcd           /* the bits of the square root of a half */
#define EXPONENT  52 /* position of the exponent in the bits of a double */
#define TO_WHOLE  0x1.8p52 /* adding and subtracting it rounds to a whole number */

static uint64_t
bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static double
of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * Writes x, above 0 and finite, as (1 + f) 2^k with 1 + f from sqrt(1/2) to sqrt(2): near 1, k is 0
 * and nothing cancels. Returns f.
 */
static double
fraction(double x, double *k)
{
	uint64_t bits = bits_of(x), above;

	*k = 0;
	if (bits >> EXPONENT == 0) {
		bits = bits_of(x * 0x1p54);
		*k = -54;
	}
	above = bits - ROOT_HALF;
	*k += (double)((int64_t)above >> EXPONENT);
	return of_bits(bits - (above >> EXPONENT << EXPONENT)) - 1;
}

/* The logarithm of 0, of negative numbers, of infinity and of NaN. */
static double
log_of_special(double x)
{
	return x == 0 ? -INFINITY : x > 0 ? x : NAN;
}

/*
 * With s = f / (2 + f), log(1 + f) = 2 s + 2 s^3 / 3 + 2 s^5 / 5 ..., and 2 s = f - f^2 / 2 + s f^2
 * / 2, so that f, which is exact, is added last. Returns what has to be subtracted from f; low is a
 * small term that the caller wants added to the logarithm.
 */
static double
log_below(double f, double low)
{
	double s = f / (2 + f), z = s * s, w = z * z, half = 0.5 * f * f;
	double odd = z * (2. / 3 + w * (2. / 7 + w * (2. / 11 +
	    w * (2. / 15 + w * (2. / 19 + w * (2. / 23))))));
	double even = w * (2. / 5 + w * (2. / 9 + w * (2. / 13 + w * (2. / 17 + w * (2. / 21)))));

	return half - (s * (half + (odd + even)) + low);
}

double
real_log(double x)
{
	double f, k;

	if (!(x > 0 && x < INFINITY))
		return log_of_special(x);
	f = fraction(x, &k);
	return k * LN2_HI - (log_below(f, k * LN2_LO) - f);
}

double
real_log2(double x)
{
	double f, k;

	if (!(x > 0 && x < INFINITY))
		return log_of_special(x);
	f = fraction(x, &k);
	return k + (f - log_below(f, 0)) * LOG2_E;
}

float
real_logf(float x)
{
	double f, k, s, z, w, even, odd;

	if (!(x > 0 && x < INFINITY))
		return (float)log_of_special((double)x);
	f = fraction((double)x, &k);
	s = f / (2 + f);
	z = s * s;
	w = z * z;
	even = 2 + w * (2. / 5 + w * (2. / 9 + w * (2. / 13 + w * (2. / 17))));
	odd = z * (2. / 3 + w * (2. / 7 + w * (2. / 11 + w * (2. / 15))));
	return (float)(k * LN2 + s * (even + odd));
}

static double
two_to(int k)
{
	return of_bits((uint64_t)(1023 + k) << EXPONENT);
}

/*
 * 2^k (1 + hi - lo + r^2 / 2 + r^3 / 6 ...), with r = hi - lo from -.35 to .35. 2^k is multiplied
 * in two steps, as it may be below any normal number, or above.
 */
static double
exp_of(double hi, double lo, double k)
{
	double r = hi - lo, w = r * r;
	double even = 1. / 2 + w * (1. / 24 + w * (1. / 720 + w * (1. / 40320 +
	    w * (1. / 3628800 + w * (1. / 479001600)))));
	double odd = 1. / 6 + w * (1. / 120 + w * (1. / 5040 + w * (1. / 362880 +
	    w * (1. / 39916800 + w * (1. / 6227020800)))));
	int first = (int)k / 2;

	return (1 + (hi - (lo - w * (even + r * odd)))) * two_to(first) * two_to((int)k - first);
}

double
real_exp(double x)
{
	if (x > 710)
		return INFINITY;
	if (x < -746)
		return 0;
	if (x != x)
		return x;
	double k = (x * LOG2_E + TO_WHOLE) - TO_WHOLE;
	return exp_of(x - k * LN2_HI, k * LN2_LO, k);
}

double
real_exp2(double x)
{
	if (x > 1025)
		return INFINITY;
	if (x < -1076)
		return 0;
	if (x != x)
		return x;
	double k = (x + TO_WHOLE) - TO_WHOLE;
	return exp_of((x - k) * LN2, 0, k);
}

float
real_expf(float x)
{
	return (float)real_exp((double)x);
}

double
real_pow(double x, double y)
{
	return real_exp(y * real_log(x));
}
