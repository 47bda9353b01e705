/*
 * real.h: logarithms, exponentials and powers that have the same bits on every machine and with
 * every C library.
 *
 * The libm of a system is within an ulp of the truth, but not always the same number: glibc picks
 * code with or without fused multiply-add by the processor, musl has one. Scores, and what is
 * chosen by them, are made with these instead; the rest of <math.h> that mem uses (sqrt, floor,
 * ceil, rint, fabs) is exact, so it is the same everywhere. A unit test holds the error against
 * long double and the bits against a recorded hash.
 *
 * Zero, infinity and what is no number give what C says of log and exp; errno and the
 * floating-point flags mean nothing.
 */
#ifndef MATH_REAL_H
#define MATH_REAL_H

#include "base/base.h"

double real_log(double x);                     /* error below 1 ulp */
double real_log2(double x);                    /* below 2 ulp; powers of two are exact */
double real_exp(double x);                     /* below 1 ulp, subnormal results below 2 */
double real_exp2(double x);                    /* below 2 ulp; whole x are exact */
double real_pow(double x, double y);           /* x above 0; below 2 + 2 |y log x| ulp */

/* Computed in double: the float nearest to the truth but for one argument in some ten million. */
float real_logf(float x);
float real_expf(float x);

#endif
