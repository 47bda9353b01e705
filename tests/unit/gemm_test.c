/*
 * gemm_test.c: packing by hand, and every kernel's products against sums of 64 bits, over shapes
 * that fill no tile.
 */
#include "base/alloc.h"
#include "model/kernels/gemm.h"
#include "model/kernels/kernels.h"
#include "tap.h"

static uint32_t seed = 1;

static int32_t
random_within(int32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (int32_t)((seed >> 8) % (2 * (uint32_t)limit + 1)) - limit;
}

static void
test_pack(void)
{
	/*
	 * three outputs of three inputs: the second pair has a zero behind the third input, outputs
	 * 3 to 15 are zero
	 */
	static const int8_t w[9] = { 1, 2, 3, 4, 5, 6, -7, -8, -9 };
	static const int8_t want[2][6] = { { 1, 2, 4, 5, -7, -8 }, { 3, 0, 6, 0, -9, 0 } };
	int8_t packed[64], wide[17], wide_packed[2 * 2 * 16];
	size_t i, n_wrong = 0;

	is_int(gemm_packed_bytes(3, 3), 64, "three by three takes two pairs of a panel");
	is_int(gemm_packed_bytes(384, 1536), 384 * 1536, "whole panels take a byte a weight");
	gemm_pack(w, 3, 3, packed);
	for (i = 0; i < 64; i++)
		n_wrong += packed[i] != (i % 32 < 6 ? want[i / 32][i % 32] : 0);
	is_int(n_wrong, 0, "pairs of inputs beside each other, outputs within a panel next");
	for (i = 0; i < 17; i++)
		wide[i] = (int8_t)(i + 1);
	gemm_pack(wide, 1, 17, wide_packed);
	is_int(wide_packed[30], 16, "the sixteenth output ends the first panel");
	is_int(wide_packed[32], 17, "the next one begins the second");
}

static void
test_limits(void)
{
	is_int(gemm_activation_max(384), 8191, "14 bits for 384 inputs");
	is_int(gemm_activation_max(2064), 8191, "and for as many as fit");
	is_int(gemm_activation_max(2065), 8188, "less for more");
	is_int(gemm_activation_max(16384), 1032, "the most inputs");
}

/* Fills w [n_out][n_in] and a [m][lda]; the largest values when extreme. */
static void
fill(int8_t *w, int16_t *a, size_t m, size_t n_in, size_t n_out, size_t lda, int extreme)
{
	int32_t limit = gemm_activation_max(n_in);
	size_t i, k;

	for (i = 0; i < n_in * n_out; i++)
		w[i] = (int8_t)(extreme ? 127 * extreme : random_within(127));
	for (i = 0; i < m * lda; i++)
		a[i] = 12345;
	for (i = 0; i < m; i++)
		for (k = 0; k < gemm_even(n_in); k++)
			a[i * lda + k] = (int16_t)(k == n_in ? 0
				: extreme		     ? limit
							     : random_within(limit));
}

/* Wrong sums of a kernel, those of 8-bit and of 16-bit weights. */
static size_t
count_wrong(const struct gemm_kernel *kernel, size_t m, size_t n_in, size_t n_out, int extreme)
{
	size_t lda = gemm_even(n_in) + 6, ld = gemm_padded(n_out),
	       bytes = gemm_packed_bytes(n_in, n_out), n_wrong = 0, i, j, k;
	int8_t *w = xmalloc(n_in * n_out), *packed = xmalloc(bytes);
	int16_t *a = xmalloc(m * lda * sizeof *a), *packed16 = xmalloc(bytes * sizeof *packed16);
	int32_t *acc = xmalloc(m * ld * sizeof *acc), *acc16 = xmalloc(m * ld * sizeof *acc16);
	struct gemm_rows rows = { a, lda, m, NULL, NULL, NULL, 0 };
	int64_t sum;

	fill(w, a, m, n_in, n_out, lda, extreme);
	gemm_pack(w, n_in, n_out, packed);
	for (i = 0; i < bytes; i++)
		packed16[i] = packed[i];
	kernel->product(&rows, packed, n_in, n_out, acc);
	kernel->product16(a, lda, m, packed16, n_in, n_out, acc16);
	for (i = 0; i < m; i++)
		for (j = 0; j < ld; j++) {
			for (sum = 0, k = 0; j < n_out && k < n_in; k++)
				sum += (int64_t)a[i * lda + k] * w[j * n_in + k];
			n_wrong += acc[i * ld + j] != sum || acc16[i * ld + j] != sum;
		}
	free(w);
	free(packed);
	free(packed16);
	free(a);
	free(acc);
	free(acc16);
	return n_wrong;
}

/*
 * Rows in windows, n_far elements of each outside: sums that are not those of the same rows by
 * plain C without a window.
 */
static size_t
count_wrong_window(const struct gemm_kernel *kernel, size_t m, size_t n_in, size_t n_out,
	size_t n_far)
{
	size_t lda = gemm_even(n_in), ld = gemm_padded(n_out),
	       bytes = gemm_packed_bytes(n_in, n_out), n_wrong = 0, i, k;
	int8_t *w = xmalloc(n_in * n_out), *packed = xmalloc(bytes);
	int16_t *a = xcalloc(m * lda, sizeof *a);
	int32_t *acc = xmalloc(m * ld * sizeof *acc), *want = xmalloc(m * ld * sizeof *want),
		*kept = xcalloc(gemm_kept(n_in, n_out), sizeof *kept);
	int32_t limit = gemm_activation_max(n_in);
	bool has_kept = false;
	int16_t low = (int16_t)(-limit + random_within(limit / 2) + limit / 2);
	struct gemm_rows rows = { a, lda, m, NULL, NULL, NULL, low };

	for (i = 0; i < n_in * n_out; i++)
		w[i] = (int8_t)random_within(127);
	gemm_pack(w, n_in, n_out, packed);
	for (i = 0; i < m; i++) {
		for (k = 0; k < n_in; k++)
			a[i * lda + k] = (int16_t)MIN(limit,
			    MAX(-limit, low + 128 + random_within(128) - (random_within(1) == 0)));
		for (k = 0; k < n_far; k++)
			a[i * lda + (size_t)random_within(8191 * 2) % n_in] =
			    (int16_t)(k == 0 ? limit
				    : k == 1 ? -limit
					     : random_within(limit));
	}
	gemm_scalar.product(&rows, packed, n_in, n_out, want);
	rows.kept = kernel->takes_bytes ? kept : NULL;
	rows.has_kept = &has_kept;
	rows.bytes = xmalloc(gemm_scratch_bytes(m, n_in));
	for (i = 0; i < 8; i++) {              /* again with what those before left for it */
		memset(acc, 77, m * ld * sizeof *acc);
		kernel->product(&rows, packed, n_in, n_out, acc);
		for (k = 0; k < m * ld; k++)
			n_wrong += acc[k] != want[k];
	}
	free(w);
	free(packed);
	free(a);
	free(acc);
	free(want);
	free(kept);
	free(rows.bytes);
	return n_wrong;
}

/*
 * Rows that are bytes but for a few pairs, against weights of the same sign: sums that a kernel
 * would cut off, or let run over, that adds bytes by bytes in 16 bits. Of every n-th pair |a| is
 * about most, in the last row with two signs, and w of the first and the last output heavy.
 */
static size_t
count_wrong_bytes(const struct gemm_kernel *kernel, size_t n_in, int32_t most, size_t n,
	int32_t heavy)
{
	enum { M = 9, K = 1100, N = 32 };
	static int8_t w[N * K], packed[N * K];
	static int16_t a[M * K];
	static int32_t acc[M * N], want[M * N], kept[K];
	static uint8_t scratch[64 * 1024];
	bool has_kept = false;
	struct gemm_rows rows = { a, n_in, M, kernel->takes_bytes ? kept : NULL, &has_kept, scratch,
		-128 };
	size_t i, k, n_wrong = 0;

	if (gemm_scratch_bytes(M, n_in) > sizeof scratch || gemm_kept(n_in, N) > K)
		return 1;
	for (i = 0; i < N * n_in; i++)
		w[i] = (int8_t)random_within(i / n_in % 2 ? heavy : 20);
	for (i = 0; i < M * n_in; i++)
		a[i] = (int16_t)random_within(20);
	for (k = 0; k < n_in; k++)
		if (k / 2 % n == 0) {
			w[k] = w[31 * n_in + k] = (int8_t)(k % 64 < 32 ? heavy : -heavy);
			for (i = 0; i < M; i++)
				a[i * n_in + k] = (int16_t)((i % 2 || (i == 8 && k % 2) ? -1 : 1) *
				    (w[k] / heavy) *
				    (most - random_within(1) * (int32_t)(i % 3 > 1)));
		}
	gemm_pack(w, n_in, N, packed);
	gemm_scalar.product(&rows, packed, n_in, N, want);
	memset(kept, 0, sizeof kept);
	for (i = 0; i < 7; i++)                /* it may be slow to begin with keeping */
		kernel->product(&rows, packed, n_in, N, acc);
	for (i = 0; i < M * N; i++)
		n_wrong += acc[i] != want[i];
	return n_wrong;
}

/* Weights that only 16 bits hold. */
static size_t
count_wrong_wide(const struct gemm_kernel *kernel)
{
	enum { M = 3, K = 64, N = 16 };
	int16_t a[M * K], packed[K * N], w[N][K];
	int32_t acc[M * N];
	int64_t sum;
	size_t n_wrong = 0, i, j, k;

	for (i = 0; i < M * K; i++)
		a[i] = (int16_t)random_within(8191);
	for (j = 0; j < N; j++)
		for (k = 0; k < K; k++)
			packed[k / 2 * 2 * N + 2 * j + k % 2] = w[j][k] =
			    (int16_t)random_within(4095);
	kernel->product16(a, K, M, packed, K, N, acc);
	for (i = 0; i < M; i++)
		for (j = 0; j < N; j++) {
			for (sum = 0, k = 0; k < K; k++)
				sum += a[i * K + k] * w[j][k];
			n_wrong += acc[i * N + j] != sum;
		}
	return n_wrong;
}

static void
test_kernel(const struct gemm_kernel *kernel)
{
	static const size_t ins[] = { 1, 2, 3, 31, 32, 384 },
			    outs[] = { 1, 15, 16, 17, 48, 50, 100 };
	size_t m, i, j, n_wrong = 0;

	if (!kernel->usable()) {
		skip("not on this processor");
		return;
	}
	for (m = 1; m <= 70; m += m < 27 ? 1 : 14)
		for (i = 0; i < NELEM(ins); i++)
			for (j = 0; j < NELEM(outs); j++)
				n_wrong += count_wrong(kernel, m, ins[i], outs[j], 0);
	is_int(n_wrong, 0, "%s: sums of every shape", kernel->name);
	for (n_wrong = 0, m = 1; m <= 60; m += m < 27 ? 1 : 11)
		for (i = 0; i < NELEM(ins); i++)
			for (j = 0; j < NELEM(outs); j++)
				n_wrong += count_wrong_window(kernel, m, ins[i], outs[j], m % 4);
	is_int(n_wrong, 0, "%s: sums of rows in a window, a few elements outside", kernel->name);
	n_wrong = count_wrong_window(kernel, 48, 384, 33, 200) +
	    count_wrong_window(kernel, 40, 64, 33, 30) +
	    count_wrong_window(kernel, 3, 1537, 17, 90) +
	    count_wrong_window(kernel, 2, 16384, 16, 5);
	is_int(n_wrong, 0, "%s: and with many outside", kernel->name);
	for (n_wrong = 0, m = 1; m <= 8; m++)
		for (i = 20; i <= 135; i++)
			n_wrong += count_wrong_bytes(kernel, i % 2 ? 400 : 1100, (int32_t)i, m,
			    m % 2 ? 127 : 20);
	is_int(n_wrong, 0, "%s: sums of bytes that 16 bits do not hold", kernel->name);
	n_wrong = count_wrong(kernel, 5, 1536, 33, 1) + count_wrong(kernel, 5, 1536, 33, -1) +
	    count_wrong(kernel, 2, 2064, 16, 1) + count_wrong(kernel, 2, 16384, 16, -1);
	is_int(n_wrong, 0, "%s: the largest sums there are", kernel->name);
	is_int(count_wrong_wide(kernel), 0, "%s: 16-bit weights", kernel->name);
}

static void
test_choice(void)
{
	const struct gemm_kernel *best = NULL;
	size_t i;

	for (i = 0; gemm_kernels[i]; i++)
		if (gemm_kernels[i]->usable())
			best = gemm_kernels[i];
	ok(gemm_kernels[0] == &gemm_scalar && gemm_scalar.usable(),
	    "plain C comes first and always runs");
	setenv("MEM_KERNEL", "scalar", 1);
	ok(gemm_kernel() == &gemm_scalar, "the environment chooses");
	unsetenv("MEM_KERNEL");
	ok(gemm_kernel() == &gemm_scalar, "once a process");
	ok(best != NULL, "the best here is %s", best->name);
}

/* What the system says of the processor, word by word: is it there? */
static bool
has_flag(const char *line, const char *flag)
{
	size_t n = strlen(flag);
	const char *at;

	for (at = line; (at = strstr(at, flag)) != NULL; at += n)
		if ((at > line && (at[-1] == ' ' || at[-1] == '\t')) &&
		    (at[n] == ' ' || at[n] == '\n'))
			return true;
	return false;
}

/*
 * A kernel that the processor lacks an instruction of dies of it; so whether each is usable is held
 * against Linux's own list.
 */
static void
test_usable(void)
{
	static const struct { const char *name, *flags[6]; } needs[] = {
		{ "avx2", { "avx2" } },
		{ "avxvnni", { "avx2", "avx_vnni" } },
		{ "avx512vnni", { "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni" } },
		{ "avx512vbmi", { "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni", "avx512vbmi" } },
	};
	static char line[16384];
	FILE *f = fopen("/proc/cpuinfo", "r");
	size_t i, j, k;

	while (f != NULL && fgets(line, sizeof line, f) != NULL && strncmp(line, "flags", 5) != 0)
		line[0] = '\0';
	if (f != NULL)
		fclose(f);
	for (i = 0; gemm_kernels[i]; i++)
		for (j = 0; j < NELEM(needs); j++) {
			bool want = true;

			if (strcmp(gemm_kernels[i]->name, needs[j].name) != 0)
				continue;
			if (line[0] == '\0') {
				skip("the system does not say what the processor has");
				continue;
			}
			for (k = 0; k < NELEM(needs[j].flags) && needs[j].flags[k] != NULL; k++)
				want = want && has_flag(line, needs[j].flags[k]);
			ok(gemm_kernels[i]->usable() == want,
			    "%s is %susable, as the processor has it", needs[j].name,
			    want ? "" : "not ");
		}
}

int
main(void)
{
	size_t i;

	test_pack();
	test_limits();
	test_usable();
	for (i = 0; gemm_kernels[i]; i++)
		test_kernel(gemm_kernels[i]);
	test_choice();
	return tap_done();
}
