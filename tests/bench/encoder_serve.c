/*
 * encoder_serve.c: embeds texts that come on stdin and says how long that took, so that
 * tests/bench/encoder.py can ask it in turns with its peers.
 *
 *	encoder_serve MODEL
 *
 * A request: 32 bits each of n_threads, what and n, then n texts, each its length in 32 bits and
 * its bytes. what 0: passages, 1: questions; the answer is 64-bit floats of the milliseconds by the
 * clock, of those of the processors, and of the tokens, then n vectors of 32-bit floats. One text
 * is embedded as mem-search does a question, several as mem-embed does the queue. What is read and
 * written is not in the time. what 2: the answer is, for each text, how many tokens it has and
 * which, 32 bits each; no prefix is added.
 */
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "embed/embed_pool.h"

static void
die(const char *what)
{
	fprintf(stderr, "encoder_serve: %s\n", what);
	exit(1);
}

static uint32_t
read_word(void)
{
	uint32_t x;

	if (fread(&x, sizeof(x), 1, stdin) != 1)
		die("a request that is cut short");
	return x;
}

static void
run_pool(struct embed_pool *pool, const struct model_text *texts, size_t n, float *out)
{
	struct embed_group *groups = xcalloc(n, sizeof(*groups));
	struct err err = ERR_INIT;

	for (size_t i = 0; i < n; i++)
		groups[i] = (struct embed_group){ i, 1 };
	if (embed_pool_start(pool, texts, groups, n, out, &err) != 0)
		die(err.msg);
	while (embed_pool_next(pool, 1000) != EMBED_IDLE)
		;
	free(groups);
}

static struct model_text *
read_texts(uint32_t n, enum text_role role)
{
	struct model_text *texts = xcalloc(n, sizeof(*texts));
	char *text;

	for (uint32_t i = 0; i < n; i++) {
		texts[i] = (struct model_text){ NULL, read_word(), role, NULL };
		texts[i].text = text = xmalloc(texts[i].len + 1);
		if (fread(text, 1, texts[i].len, stdin) != texts[i].len)
			die("a text that is cut short");
	}
	return texts;
}

static void
free_texts(struct model_text *texts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free((char *)(uintptr_t)texts[i].text);
	free(texts);
}

static void
put_ids(const struct model *m, const struct model_text *texts, uint32_t n)
{
	struct token_list l = { NULL, 0, 0 };
	uint32_t n_tokens;

	for (uint32_t i = 0; i < n; i++) {
		l.n = 0;
		tokenizer_encode(&model_file(m)->tokenizer, texts[i].text, texts[i].len, &l);
		n_tokens = (uint32_t)l.n;
		fwrite(&n_tokens, sizeof(n_tokens), 1, stdout);
		fwrite(l.ids, sizeof(*l.ids), l.n, stdout);
	}
	free(l.ids);
}

struct server {
	struct model *m;
	struct model_worker *w;
	struct embed_pool *pool;
	uint32_t n_threads;            /* of the pool */
};

/* Of all threads. */
static double
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* With the prefix and the two tokens around. */
static size_t
count_tokens(const struct model *m, const struct model_text *t)
{
	const struct modelfile *f = model_file(m);
	const char *prefix = t->role == TEXT_QUERY ? f->info.query_prefix : f->info.passage_prefix;
	char *all = xmalloc(strlen(prefix) + t->len + 1);
	struct token_list l = { NULL, 0, 0 };

	memcpy(all, prefix, strlen(prefix));
	memcpy(all + strlen(prefix), t->text, t->len);
	tokenizer_encode(&f->tokenizer, all, strlen(prefix) + t->len, &l);
	free(l.ids);
	free(all);
	return l.n + 2;
}

static void
put_vectors(struct server *s, uint32_t n_threads, const struct model_text *texts, uint32_t n)
{
	static const volatile sig_atomic_t stop;
	size_t n_dims = model_info(s->m)->n_dims;
	float *out = xcalloc(n * n_dims, sizeof(*out));
	double head[3] = { 0 };
	int64_t start_us;
	double start_cpu;

	for (uint32_t i = 0; i < n; i++)
		head[2] += (double)count_tokens(s->m, &texts[i]);
	if (n_threads != s->n_threads) {
		embed_pool_free(s->pool);
		s->pool = embed_pool_new(s->m, s->n_threads = n_threads, &stop);
	}
	start_us = clock_mono_us();
	start_cpu = cpu_ms();
	if (n == 1)
		model_embed(s->w, texts, n, out);
	else
		run_pool(s->pool, texts, n, out);
	head[1] = cpu_ms() - start_cpu;
	head[0] = (double)(clock_mono_us() - start_us) / 1e3;
	fwrite(head, sizeof(head), 1, stdout);
	fwrite(out, n_dims * sizeof(*out), n, stdout);
	free(out);
}

int
main(int argc, char **argv)
{
	struct server s = { NULL, NULL, NULL, 0 };
	struct err err = ERR_INIT;
	uint32_t n_threads, what, n;

	if (argc != 2)
		die("usage: encoder_serve MODEL");
	if (model_open(&s.m, argv[1], &err) != 0)
		die(err.msg);
	s.w = model_worker_new(s.m);
	while (fread(&n_threads, sizeof(n_threads), 1, stdin) == 1) {
		struct model_text *texts;

		what = read_word();
		n = read_word();
		texts = read_texts(n, what == 1 ? TEXT_QUERY : TEXT_PASSAGE);
		if (what == 2)
			put_ids(s.m, texts, n);
		else
			put_vectors(&s, n_threads, texts, n);
		fflush(stdout);
		free_texts(texts, n);
	}
	embed_pool_free(s.pool);
	model_worker_free(s.w);
	model_close(s.m);
	return 0;
}
