/*
 * real.h: logarithms, exponentials and powers that have the same bits on every machine and with
 * every C library.
 *
 * The libm of a system is within an ulp of the exact value, but not always with the same number:
 * glibc chooses code with or without fused multiply-add by the processor; musl has one version.
 * Scores and all that depends on them are computed with these functions instead. What else mem uses
 * of <math.h> (sqrt, floor, ceil, rint, fabs) is exact and so the same everywhere. A unit test
 * compares the error with long double and the bits with a recorded hash.
 *
 * For zero, infinity and NaN, results are those that C defines for log and exp; errno and
 * floating-point flags are undefined.
 */
#pragma once

#include "base/base.h"

double real_log(double x);                     /* error below 1 ulp */
double real_log2(double x);                    /* below 2 ulp; powers of two are exact */
double real_exp(double x);                     /* below 1 ulp, subnormal results below 2 */
double real_exp2(double x);                    /* below 2 ulp; whole x are exact */
double real_pow(double x, double y);           /* x above 0; below 2 + 2 |y log x| ulp */

/*
 * Computed in double, and rounded: the float nearest to the exact value for all but one argument in
 * some ten million.
 */
float real_logf(float x);
float real_expf(float x);
