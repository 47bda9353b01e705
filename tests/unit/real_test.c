/*
 * real_test.c: real.h against the C library's long double functions, and its bits against a
 * recorded hash.
 */
#include "math/real.h"

#include <math.h>

#include "tap.h"

#define MANY 20000

/* A fixed sequence from 0 to 1. */
static double
uniform(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) * 0x1p-53;
}

static double
error_ulp(double got, long double want)
{
	double near = fabs((double)want);

	return (double)(fabsl((long double)got - want) /
	    (long double)(nextafter(near, INFINITY) - near));
}

static double from_0_to_20(void) { return uniform() * 20; }
static double near_1(void) { return 0.5 + uniform() * 1.5; }
static double of_any_size(void) { return ldexp(1 + uniform(), (int)(uniform() * 2090) - 1072); }
static double small(void) { return uniform() * 2 - 1; }
static double for_exp(void) { return uniform() * 1400 - 700; }
static double for_exp2(void) { return uniform() * 2000 - 1000; }
static double below_normal(void) { return -708 - uniform() * 37; }
static double of_cost(void) { return 1 + uniform() * 10000; }
static double pow_4(double x) { return real_pow(x, 0.4); }
static long double want_pow_4(long double x) { return powl(x, (long double)0.4); }

static void
test_errors(void)
{
	static const struct {
		const char *name;
		double (*f)(double);
		long double (*want)(long double);
		double (*arg)(void);
		double most;
	} rows[] = {
		{ "log from 0 to 20", real_log, logl, from_0_to_20, 1 },
		{ "log near 1", real_log, logl, near_1, 1 },
		{ "log of any size", real_log, logl, of_any_size, 1 },
		{ "log2 from 0 to 20", real_log2, log2l, from_0_to_20, 2 },
		{ "log2 near 1", real_log2, log2l, near_1, 2 },
		{ "log2 of any size", real_log2, log2l, of_any_size, 2 },
		{ "exp of any size", real_exp, expl, for_exp, 1 },
		{ "exp near 0", real_exp, expl, small, 1 },
		{ "exp that is subnormal", real_exp, expl, below_normal, 2 },
		{ "exp2 of any size", real_exp2, exp2l, for_exp2, 2 },
		{ "exp2 near 0", real_exp2, exp2l, small, 2 },
		{ "pow .4", pow_4, want_pow_4, of_cost, 2 + 2 * 0.4 * 9.22 },
	};

	for (size_t i = 0; i < NELEM(rows); i++) {
		double worst = 0;
		bool finer = false;
		for (int n = 0; n < MANY; n++) {
			double x = rows[i].arg();
			long double want = rows[i].want((long double)x);
			finer |= want != (long double)(double)want;
			worst = fmax(worst, error_ulp(rows[i].f(x), want));
		}
		/* musl's are those of double on machines without an extended format */
		if (finer)
			ok(worst < rows[i].most, "%s: %.3f ulp", rows[i].name, worst);
		else
			skip("the C library is not more exact here");
	}
}

static void
test_floats(void)
{
	int n_log = 0, n_exp = 0;

	for (int i = 1; i <= MANY; i++) {
		float x = (float)(uniform() * 40 - 20);
		n_log += real_logf((float)i) != (float)logl(i);
		n_log += real_logf(x * x) != (float)logl((long double)(x * x));
		n_exp += real_expf(x) != (float)expl((long double)x);
	}
	is_int(n_log, 0, "logarithms that are not the nearest float");
	is_int(n_exp, 0, "exponentials that are not the nearest float");
}

static void
test_edges(void)
{
	bool exact = true;

	for (int i = -1074; i < 1024; i++)
		exact &= real_exp2(i) == ldexp(1, i) && real_log2(ldexp(1, i)) == i;
	ok(exact, "powers of two are exact");
	ok(real_log(1) == 0 && real_logf(1) == 0, "log of 1");
	ok(real_exp(0) == 1 && real_expf(0) == 1 && real_pow(3, 0) == 1, "exp of 0");
	ok(real_log(0) == -INFINITY && real_log2(0) == -INFINITY && real_logf(0) == -INFINITY,
	    "log of 0");
	ok(isnan(real_log(-1)) && isnan(real_logf(-1)), "log of less");
	ok(isnan(real_log((double)NAN)) && isnan(real_logf(NAN)), "log of none");
	ok(real_log(INFINITY) == INFINITY && real_logf(INFINITY) == INFINITY, "log of infinity");
	ok(real_exp(INFINITY) == INFINITY && real_exp2(INFINITY) == INFINITY, "exp of infinity");
	ok(real_exp(-INFINITY) == 0 && real_exp2(-INFINITY) == 0, "exp of infinity below");
	ok(isnan(real_exp((double)NAN)) && isnan(real_expf(NAN)), "exp of none");
	ok(isfinite(real_exp(709.78)) && real_exp(709.79) == INFINITY, "where exp ends");
	ok(real_exp(-745.13) > 0 && real_exp(-745.14) == 0, "where exp ends below");
	ok(isfinite(real_expf(88.72f)) && real_expf(88.73f) == INFINITY, "where expf ends");
}

static void
mix(uint64_t *hash, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	*hash = (*hash ^ bits) * 0x100000001b3u;
	*hash ^= *hash >> 29;
}

/* The same on every machine, with every compiler and C library: a change of it changes scores. */
static void
test_bits(void)
{
	uint64_t hash = 0xcbf29ce484222325u;
	char text[20];

	for (int i = 1; i <= MANY; i++) {
		double x = i / 64., y = i / 1000. - 10;
		mix(&hash, real_log(x));
		mix(&hash, real_log2(x));
		mix(&hash, real_exp(y));
		mix(&hash, real_exp2(y));
		mix(&hash, real_pow(x, 0.4));
		mix(&hash, (double)real_logf((float)x));
		mix(&hash, (double)real_expf((float)y));
	}
	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	is_str(text, "652ca2a579c63d61", "bits");
}

int
main(void)
{
	test_bits();
	test_errors();
	test_floats();
	test_edges();
	return tap_done();
}
