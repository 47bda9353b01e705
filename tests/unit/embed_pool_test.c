/*
 * embed_pool_test.c: the vectors are those of one thread, in whatever order they are done; work
 * that is dropped or stopped ends; and no thread outlives its pool.
 *
 * A thread that nobody waits for keeps its stack, 8 MB of addresses, which is how it is seen.
 */
#include <sys/resource.h>

#include "base/alloc.h"
#include "embed/embed_pool.h"
#include "model/convert.h"

#include "tap.h"
#include "tiny_model.h"
#include "tmpdir.h"

#define N 200

/* The address sanitizer maps terabytes for itself, so addresses cannot be limited. */
#ifdef __SANITIZE_ADDRESS__
#define LIMITED false
#else
#define LIMITED true
#endif

static struct model *m;
static volatile sig_atomic_t stop;
static struct model_text texts[N];
static struct embed_group groups[N / 2];
static size_t n_dims;

/* How many groups come, each once; -1: one came twice. */
static int
take_all(struct embed_pool *p, int64_t ms)
{
	bool seen[N / 2] = { false };
	ptrdiff_t g;
	int n = 0;

	while ((g = embed_pool_next(p, ms)) != EMBED_IDLE) {
		if (g == EMBED_LATE)
			continue;
		if (seen[g])
			return -1;
		seen[g] = true;
		n++;
	}
	return n;
}

static void
test_same(void)
{
	struct model_worker *w = model_worker_new(m);
	float *want = xcalloc(N * n_dims, sizeof(*want)), *got = xcalloc(N * n_dims, sizeof(*got));
	struct err err = ERR_INIT;

	model_embed(w, texts, N, want);
	for (unsigned n = 1; n <= 4; n++) {
		struct embed_pool *p = embed_pool_new(m, n, &stop);

		for (int again = 0; again < 2; again++) {
			memset(got, 0, N * n_dims * sizeof(*got));
			is_int(embed_pool_start(p, texts, groups, N / 2, got, &err), 0,
			    "%u threads, %d", n, again);
			is_int(take_all(p, 100), N / 2, "each group comes once");
			ok(memcmp(got, want, N * n_dims * sizeof(*got)) == 0,
			    "with the vectors of one thread");
		}
		is_int(embed_pool_next(p, 0), EMBED_IDLE, "then there is nothing to wait for");
		embed_pool_free(p);
	}
	model_worker_free(w);
	free(want);
	free(got);
}

static void
test_end(void)
{
	float *out = xcalloc(N * n_dims, sizeof(*out));
	struct embed_pool *p = embed_pool_new(m, 2, &stop);
	struct err err = ERR_INIT;
	int n;

	is_int(embed_pool_start(p, texts, groups, 0, out, &err), 0, "nothing to do");
	is_int(embed_pool_next(p, 100), EMBED_IDLE, "is done");
	is_int(embed_pool_start(p, texts, groups, N / 2, out, &err), 0, "work that is dropped");
	embed_pool_drop(p);
	n = take_all(p, 100);
	ok(n >= 0 && n <= N / 2, "ends with what was begun: %d groups", n);
	stop = 1;
	is_int(embed_pool_start(p, texts, groups, N / 2, out, &err), 0, "work that is stopped");
	is_int(take_all(p, 100), 0, "ends without any");
	stop = 0;
	embed_pool_free(p);
	embed_pool_free(NULL);
	free(out);
}

/* 150 pools of two threads: 2.4 GB of stacks, were one of each pool not waited for. */
static void
test_threads_end(void)
{
	struct rlimit before, little;
	float *out = xcalloc(N * n_dims, sizeof(*out));
	struct err err = ERR_INIT;
	int n_started = 0;

	getrlimit(RLIMIT_AS, &before);
	little = before;
	little.rlim_cur = 1000u << 20;
	if (!LIMITED || setrlimit(RLIMIT_AS, &little) != 0) {
		ok(true, "no thread outlives its pool # SKIP no limit of addresses");
		free(out);
		return;
	}
	for (int i = 0; i < 150; i++) {
		struct embed_pool *p = embed_pool_new(m, 2, &stop);

		n_started += embed_pool_start(p, texts, groups, 2, out, &err) == 0 &&
		    take_all(p, 100) == 2;
		embed_pool_free(p);
	}
	is_int(n_started, 150, "no thread outlives its pool");
	setrlimit(RLIMIT_AS, &before);
	free(out);
}

int
main(void)
{
	static const char *const files[] = { "tiny.model", NULL };
	static char said[N][40];
	struct convert_options o = { .name = "tiny", .speaker = -1, .identifiers = -1 };
	struct err err = ERR_INIT;

	tmpdir_make();
	tiny_directory("tiny", TINY_F32);
	if (convert_model("tiny", "tiny.model", &o, &err) != 0 ||
	    model_open(&m, "./tiny.model", &err) != 0) {
		printf("Bail out! %s\n", err.msg);
		return 1;
	}
	n_dims = model_info(m)->n_dims;
	for (size_t i = 0; i < N; i++) {
		snprintf(said[i], sizeof(said[i]), "the cat of %zu and %zu", i, i * 7 % 31);
		texts[i] = (struct model_text){ said[i], strlen(said[i]), TEXT_PASSAGE, NULL };
		groups[i / 2] = (struct embed_group){ i / 2 * 2, 2 };
	}
	test_same();
	test_end();
	test_threads_end();
	model_close(m);
	unlink("tiny/config.json");
	unlink("tiny/sentence_bert_config.json");
	unlink("tiny/vocab.txt");
	unlink("tiny/model.safetensors");
	rmdir("tiny");
	tmpdir_remove(files);
	return tap_done();
}
