/*
 * encoder.c: times the encoder on random weights of MiniLM's shape, every kernel that runs here in
 * turns: the products alone, at their best and as a text needs them, and whole texts.
 *
 *	encoder [LAYERS [ROUNDS [KERNEL]]]
 *
 * One line of JSON a kernel: peak_gmac_s, of a product whose weights stay in the first-level cache;
 * then for texts of 16, 32 and 128 tokens peak_ms, what the text's products take at that peak;
 * products_ms, its products with each layer's own weights; encode_ms, all of it; and tokens_s, of a
 * batch of 512 tokens. Processor time of one thread, the least of ROUNDS.
 */
#include <math.h>
#include <time.h>

#include "base/alloc.h"
#include "model/encoder.h"

#define D 384
#define F 1536
#define HEADS 12
#define VOCAB 1000
#define POSITIONS 512

static uint32_t seed = 1;

static uint32_t
next_random(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static float *
floats(size_t n, float middle, float spread)
{
	float *x = xcalloc(n, sizeof *x);
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = middle + spread * ((float)(next_random() % 2001) / 1000 - 1);
	return x;
}

/* From -126 to 126, the small ones oftener, as weights are. */
static int
small_random(void)
{
	return (int)(next_random() % 85 + next_random() % 85 + next_random() % 85) - 126;
}

static void *
bytes(size_t n)
{
	int8_t *p = aligned_alloc(GEMM_ALIGN, n);
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (int8_t)small_random();
	return p;
}

static struct weights_matrix
matrix(uint32_t n_in, uint32_t n_out)
{
	return (struct weights_matrix){ n_in, n_out, bytes(gemm_packed_bytes(n_in, n_out)),
		floats(n_out, 2e-2f / sqrtf((float)n_in), 0), floats(n_out, 0, .1f), NULL };
}

static void
make_weights(struct weights *w, uint32_t n_layers)
{
	struct weights_layer *l;

	*w = (struct weights){ .n_dims = D,
		.n_layers = n_layers,
		.n_heads = HEADS,
		.n_inner = F,
		.n_vocab = VOCAB,
		.n_positions = POSITIONS,
		.norm_eps = 1e-12f,
		.words = bytes((size_t)VOCAB * D),
		.word_scale = floats(VOCAB, 1e-3f, 0),
		.positions = floats((size_t)POSITIONS * D, 0, .1f),
		.type = floats(D, 0, .1f) };
	w->norm = (struct weights_norm){ floats(D, 1, .2f), floats(D, 0, .1f) };
	for (l = w->layers; l < w->layers + n_layers; l++) {
		l->qkv = matrix(D, 3 * D);
		l->attention = matrix(D, D);
		l->in = matrix(D, F);
		l->out = matrix(F, D);
		l->attention_norm = l->norm = w->norm;
	}
}

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int16_t a[512 * F];
static int32_t kept[WEIGHTS_LAYERS_MAX][4][F];
static bool has_kept[WEIGHTS_LAYERS_MAX][4];
static uint8_t bytes_scratch[900 * F];
static int32_t acc[512 * F];
static float out[512 * D];

/*
 * Rows as the encoder has them: in a window, two elements outside it. which: the layer's matrix;
 * kept for it is what the kernel likes to keep.
 */
static void
product(const struct gemm_kernel *k, const struct weights_matrix *matrix, size_t layer,
	size_t which, size_t m)
{
	struct gemm_rows rows = { a, matrix->n_in, m, kept[layer][which], &has_kept[layer][which],
		bytes_scratch, -128 };

	k->product(&rows, matrix->packed, matrix->n_in, matrix->n_out, acc);
}

static double
peak_gmac_s(const struct gemm_kernel *k, const struct weights *w, long rounds)
{
	const size_t m = k->n_rows, n_in = 128, n_out = 256;
	struct weights_matrix some = w->layers[0].in;
	double least = INFINITY, start;
	long i, repeat;

	some.n_in = (uint32_t)n_in;
	some.n_out = (uint32_t)n_out;
	memset(has_kept, 0, sizeof has_kept);

	for (i = 0; i < rounds; i++) {
		start = now_ms();
		for (repeat = 0; repeat < 50; repeat++)
			product(k, &some, 0, 0, m);
		least = fmin(least, (now_ms() - start) / 50);
	}
	return (double)(m * n_in * n_out) / least / 1e6;
}

static void
multiply_all(const struct gemm_kernel *k, const struct weights *w, size_t m)
{
	const struct weights_layer *l;
	size_t i, n, left;

	for (i = 0; i < w->n_layers; i++)
		for (l = &w->layers[i], left = m; left > 0; left -= n) {
			n = MIN(left, k->n_rows);
			product(k, &l->qkv, i, 0, n);
			product(k, &l->attention, i, 1, n);
			product(k, &l->in, i, 2, n);
			product(k, &l->out, i, 3, n);
		}
}

static double
encode_ms(struct encoder *e, const uint32_t *ids, uint32_t length, size_t n)
{
	uint32_t lengths[512];
	double start;
	size_t i;

	for (i = 0; i < n; i++)
		lengths[i] = length;
	start = now_ms();
	encoder_run(e, ids, lengths, n, out);
	return now_ms() - start;
}

static void
time_kernel(const struct gemm_kernel *k, const struct weights *w, const uint32_t *ids, long rounds)
{
	static const uint32_t lengths[] = { 16, 32, 128 };
	double peak = peak_gmac_s(k, w, rounds), products, whole, bulk, start;
	struct encoder *e = encoder_new_with(w, k);
	size_t i;
	long r;

	memset(has_kept, 0, sizeof has_kept);
	printf("{\"kernel\":\"%s\",\"peak_gmac_s\":%.1f", k->name, peak);
	for (i = 0; i < NELEM(lengths); i++) {
		products = whole = bulk = INFINITY;
		for (r = 0; r < rounds; r++) {
			start = now_ms();
			multiply_all(k, w, lengths[i]);
			products = fmin(products, now_ms() - start);
			whole = fmin(whole, encode_ms(e, ids, lengths[i], 1));
			if (r % 8 == 0)
				bulk = fmin(bulk, encode_ms(e, ids, lengths[i], 512 / lengths[i]));
		}
		printf(",\"%u\":{\"peak_ms\":%.3f,\"products_ms\":%.3f,\"encode_ms\":%.3f,"
		       "\"tokens_s\":%.0f}",
		    lengths[i],
		    (double)(w->n_layers * (4 * D * D + 2 * D * F)) * lengths[i] / peak / 1e6,
		    products, whole, 512e3 / bulk);
	}
	puts("}");
	encoder_free(e);
}

int
main(int argc, char **argv)
{
	static uint32_t ids[512];
	static struct weights w;
	long n_layers = argc > 1 ? strtol(argv[1], NULL, 10) : 6,
	     rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 60;
	size_t i;

	make_weights(&w, (uint32_t)MAX(1, MIN(n_layers, WEIGHTS_LAYERS_MAX)));
	for (i = 0; i < NELEM(ids); i++)
		ids[i] = next_random() % VOCAB;
	for (i = 0; i < NELEM(a); i++)
		a[i] = (int16_t)(i % 160 == 5 ? 1000 : small_random());
	for (i = 0; gemm_kernels[i]; i++)
		if (gemm_kernels[i]->usable() &&
		    (argc < 4 || strcmp(argv[3], gemm_kernels[i]->name) == 0))
			time_kernel(gemm_kernels[i], &w, ids, MAX(1, rounds));
	return 0;
}
