/*
 * vec_test.c: vectors cut to bytes and to bits, and questions to them: against values from another
 * implementation (Python, by the definition of the Hadamard matrix), against plain sums, and each
 * kernel against the others.
 */
#include <math.h>

#include "tap.h"

#include "math/kernel.h"
#include "math/vec.h"

static uint64_t seed = 7;

static double
uniform(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static void
random_unit(float *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (float)(uniform() + uniform() + uniform() + uniform() - 2);
	vec_unit(v, n);
}

static bool
near(double a, double b, double most)
{
	return fabs(a - b) <= most;
}

static uint64_t
digest(const uint8_t *p, size_t n)
{
	uint64_t h = 5381;

	while (n-- > 0)
		h = h * 33 + *p++;
	return h;
}

static void
test_rotation(void)
{
	static const struct { size_t n; double at[4], norm, gain; uint64_t digest; } golden[] = {
		{ 1, { 39, 39, 39, 39 }, 39, 39, 0 },
		{ 64, { 3.6562, 6.7812, 44.4062, 39.9688 }, 233.8718, 35.7417194, 0 },
		{ 100, { -2.6436, 36.9434, 12.9827, 11.334 }, 291.9332, 36.4682575, 0 },
		{ 384, { -34.6641, 12.0684, 26.6543, 46.7402 }, 571.3362, 37.5369182, 16846507342239963114u },
		{ 768, { -17.0402, -3.5049, 49.7239, 43.8376 }, 808.4429, 36.8603764, 1082844582911377750u },
	};
	static const uint8_t code100[] = { 0xf6, 0xf9, 0x7b, 0xd5, 0x56, 0x34, 0xd4, 0x0b, 0x64,
		0x6b, 0xdf, 0x5c, 0x0d, 0, 0, 0 };

	for (size_t g = 0; g < NELEM(golden); g++) {
		size_t n = golden[g].n, at[] = { 0, n / 3, n / 2, n - 1 };
		float x[768], gain;
		int8_t v[768];
		uint8_t code[96];
		bool same = true;
		if (n == 1)
			v[0] = 39;
		for (size_t i = 0; i < n; i++) {
			v[i] = (int8_t)((i * 37 + 11) % 101 - 50);
			x[i] = v[i];
		}
		if (n == 1)
			x[0] = 39;
		vec_rotate(x, n);
		for (size_t i = 0; i < 4; i++)
			same &= near(fabs((double)x[at[i]]), fabs(golden[g].at[i]), 2e-4) &&
			    (n == 1 || (x[at[i]] > 0) == (golden[g].at[i] > 0));
		ok(same, "rotation of %zu dimensions", n);
		ok(near(sqrt(vec_dot(x, x, n)), golden[g].norm, 1e-3), "it keeps the length");
		if (n == 1)
			continue;
		memset(code, 0xaa, sizeof(code));
		vec_code(v, n, code, &gain);
		ok(near((double)gain, golden[g].gain, 1e-4), "gain");
		if (golden[g].digest != 0)
			ok(digest(code, vec_code_bytes(n)) == golden[g].digest, "code");
		if (n == 100)
			ok(memcmp(code, code100, sizeof(code100)) == 0,
			    "code, the last word filled up with 0");
	}
}

static void
test_bytes(void)
{
	const float v[] = { 0.5f, -1, 0.25f, 0 };
	const float zero[3] = { 0, 0, 0 };
	float d[VEC_MAX_DIMS], q[VEC_MAX_DIMS], scale, bad[] = { 1, NAN, 0 };
	int8_t x[VEC_MAX_DIMS];
	static const size_t sizes[] = { 1, 3, 31, 32, 100, 384, 768, 1536, 2064, 4096 };
	struct vec_query question;

	vec_quantise(v, 4, x, &scale);
	/* 63.5 goes to the even 64, 31.75 to 32; scale = (32 + 127 + 8) / (64^2 + 127^2 + 32^2) */
	ok(x[0] == 64 && x[1] == -127 && x[2] == 32 && x[3] == 0, "bytes");
	ok(near((double)scale, 167.0 / 21249, 1e-8), "the least-squares scale");
	vec_quantise(zero, 3, x, &scale);
	ok(x[0] == 0 && x[2] == 0 && !(scale > 0), "zeros");
	ok(!vec_unit(bad, 3) && bad[0] == 1 && !vec_unit((float[]){ 0, 0 }, 2),
	    "neither zeros nor what is not finite can be made unit");
	for (size_t s = 0; s < NELEM(sizes); s++) {
		size_t n = sizes[s];
		double worst = 0;
		for (int t = 0; t < 20; t++) {
			random_unit(d, n);
			random_unit(q, n);
			vec_quantise(d, n, x, &scale);
			vec_query(&question, q, n);
			worst = fmax(worst,
			    fabs((double)scale * question.step * vec_query_dot(&question, x) -
				vec_dot(q, d, n)));
		}
		ok(worst < (n < 384 ? 5e-3 : 2e-3),
		    "%zu dimensions: a product is off by %.5f at most", n, worst);
	}
	/* the most that can come: no overflow */
	for (size_t i = 0; i < 4096; i++) {
		d[i] = i % 2 ? -1 : 1;
		q[i] = d[i];
	}
	vec_quantise(d, 4096, x, &scale);
	vec_query(&question, q, 4096);
	ok(near((double)scale * question.step * vec_query_dot(&question, x), 4096, 1),
	    "the largest sum");
}

/* What vec_planes_dot must be, from the levels that the planes stand for. */
static int32_t
planes_dot(const struct vec_planes *q, const uint8_t *code)
{
	int32_t sum = 0;

	for (size_t i = 0; i < q->n; i++) {
		int level = -15;
		for (size_t j = 0; j < VEC_PLANES; j++)
			level += 2 * (((const uint8_t *)q->plane[j])[i / 8] >> i % 8 & 1) << j;
		sum += code[i / 8] >> i % 8 & 1 ? level : -level;
	}
	return sum;
}

static void
test_codes(void)
{
	enum { N = 40 };
	static const size_t sizes[] = { 1, 2, 63, 64, 65, 100, 384, 512, 520, 768, 4096 };
	static uint8_t codes[N][VEC_MAX_DIMS / 8 + 12];
	float q[VEC_MAX_DIMS], d[VEC_MAX_DIMS], scale, gain[N];
	double exact[N];
	int8_t x[VEC_MAX_DIMS];
	int32_t out[N], again[N];
	struct vec_planes planes;

	for (size_t s = 0; s < NELEM(sizes); s++) {
		size_t n = sizes[s], n_near = 0;
		bool same = true;
		double sum = 0;
		random_unit(q, n);
		for (size_t i = 0; i < N; i++) {
			random_unit(d, n);
			for (size_t k = 0; k < n; k++)
				d[k] += q[k] * (float)i / N;
			vec_unit(d, n);
			exact[i] = vec_dot(q, d, n);
			vec_quantise(d, n, x, &scale);
			vec_code(x, n, codes[i] + 8, &gain[i]);
			gain[i] *= scale;
		}
		vec_rotate(q, n);
		vec_planes(&planes, q, n);
		kernel_use("scalar");
		vec_planes_dot(&planes, codes[0] + 8, sizeof(codes[0]), N, out);
		for (size_t i = 0; i < N; i++) {
			double off = (double)gain[i] * (double)planes.step * out[i] - exact[i];
			same &= out[i] == planes_dot(&planes, codes[i] + 8);
			n_near += fabs(off) < 4 / sqrt((double)n);
			sum += off;
		}
		ok(same, "%zu dimensions: products are those of the levels", n);
		ok(n_near >= N - 1 && fabs(sum / N) < 1 / sqrt((double)n),
		    "estimates are near, %.4f on average", sum / N);
		for (const char *const *k = kernel_names(); *k != NULL; k++) {
			bool all = kernel_use(*k);
			memset(again, 0, sizeof(again));
			vec_planes_dot(&planes, codes[0] + 8, sizeof(codes[0]), N, again);
			ok(all && memcmp(out, again, sizeof(out)) == 0, "the same by %s", *k);
		}
	}
	ok(!kernel_use("abacus"), "a kernel that is not there");
}

static void
test_kernels(void)
{
	struct vec_query q;
	int8_t x[500];
	bool same = true;

	q.n = 0;
	for (size_t n = 0; n <= 500; n++) {
		int32_t want = 0;
		for (size_t i = 0; i < n; i++) {
			q.q[i] = (int16_t)(uniform() * 16383 - 8191);
			x[i] = (int8_t)(uniform() * 255 - 127);
			want += q.q[i] * x[i];
		}
		q.n = n;
		for (const char *const *k = kernel_names(); *k != NULL; k++)
			same &= kernel_use(*k) && vec_query_dot(&q, x) == want;
	}
	ok(same, "products of all lengths by all kernels");
}

int
main(void)
{
	test_rotation();
	test_bytes();
	test_codes();
	test_kernels();
	return tap_done();
}
