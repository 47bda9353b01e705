/*
 * vectors: mem-embed is killed at random moments; no vector may be of the wrong text, none there
 * twice, no message lost, and the queue ends empty.
 *
 * usage: SEED=n vectors KILLS MODEL, in a directory with MEM_DB set and the programs in PATH. KILLS
 * 0: complete the store at hand and look at it.
 *
 * Each round adds lines with mem-ingest, starts one mem-embed or two, and kills them 1-60 ms later,
 * or up to a second: as late as is needed, on a machine that is slow or busy, for some vectors to
 * be stored before. Every stored vector is compared with that of its chunk embedded again; at the
 * end each chunk must have one.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "model/model.h"
#include "store/vectors.h"
#include "store/vectors/cells.h"

#include "drive.h"

#define LEAST_COSINE 0.99f             /* stored in 8 bits */

static uint64_t rng;
static int64_t longest_us = 60000;
static int n_lines;

/* ---- the vectors that are stored ---- */

struct have { uint64_t key; uint32_t slot; int seen; };

struct look {
	struct store *messages;
	struct scope who;
	struct model_worker *worker;
	struct have *have;
	float *vectors, *fresh;
	size_t n, n_dims;
	int64_t base, n_messages, n_chunks, n_found;
	const struct message *m;
	uint16_t part;
	int complete;
};

static int
by_key(const void *pa, const void *pb)
{
	const struct have *a = pa, *b = pb;

	return a->key < b->key ? -1 : a->key > b->key;
}

static void
check(int rc, const struct err *err)
{
	if (rc != 0)
		die("%s", err->msg);
}

static void
read_vectors(struct look *l, struct store *s)
{
	struct err err = ERR_INIT;
	struct vectors *v;
	uint32_t n, *slots;
	uint64_t *keys;
	float *cosines;

	check(vectors_open(s, &l->who, &v, &err), &err);
	n = vectors_info(v)->n;
	l->base = vectors_info(v)->user_base;
	if (n > 0 && vectors_info(v)->model.n_dims != l->n_dims)
		die("vectors of %u dimensions", vectors_info(v)->model.n_dims);
	keys = xcalloc(n + 1, sizeof(*keys));
	cosines = xcalloc(n + 1, sizeof(*cosines));
	slots = xcalloc(n + 1, sizeof(*slots));
	l->have = xcalloc(n + 1, sizeof(*l->have));
	l->vectors = xcalloc((n + 1) * l->n_dims, sizeof(*l->vectors));
	memset(l->fresh, 0, l->n_dims * sizeof(*l->fresh));
	l->fresh[0] = 1;
	if (n > 0)
		check(vectors_cosines(v, l->fresh, keys, cosines, &err), &err);
	l->n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (keys[i] != VECTOR_DEAD) {
			slots[l->n] = i;
			l->have[l->n] = (struct have){ keys[i], (uint32_t)l->n, 0 };
			l->n++;
		}
	if (l->n > 0)
		check(vectors_get(v, slots, l->n, l->vectors, &err), &err);
	qsort(l->have, l->n, sizeof(*l->have), by_key);
	for (size_t i = 1; i < l->n; i++)
		if (l->have[i].key == l->have[i - 1].key)
			die("two vectors of the same chunk");
	vectors_close(v);
	free(keys);
	free(cosines);
	free(slots);
}

static int
look_at_chunk(void *arg, const struct chunk *c)
{
	struct look *l = arg;
	struct vector_key key = { l->m->row, l->part++, VECTOR_MESSAGE };
	struct have want = { vector_key_pack(&key), 0, 0 }, *h;
	struct model_text text = { l->m->content + c->start, c->len, TEXT_PASSAGE, l->m->name };
	double dot = 0;

	l->n_chunks++;
	if ((h = bsearch(&want, l->have, l->n, sizeof(*l->have), by_key)) == NULL) {
		if (l->complete)
			die("no vector: %.60s", text.text);
		return 0;
	}
	h->seen = 1;
	l->n_found++;
	model_embed(l->worker, &text, 1, l->fresh);
	for (size_t d = 0; d < l->n_dims; d++)
		dot += (double)l->fresh[d] * (double)l->vectors[h->slot * l->n_dims + d];
	if (!(dot > (double)LEAST_COSINE))
		die("the vector of another text (cosine %.4f): %.60s", dot, text.text);
	return 0;
}

static int
look_at_message(void *arg, const struct message *m)
{
	struct look *l = arg;
	struct err err = ERR_INIT;

	l->n_messages++;
	l->m = m;
	l->part = 0;
	if (m->content_len > 0 && m->role != ROLE_SYSTEM)
		check(chunks_of(l->messages, &l->who, m, look_at_chunk, l, &err), &err);
	return 0;
}

static void
verify(const struct model *model, int complete)
{
	const struct message_filter any = MESSAGE_FILTER_ANY;
	struct look l = { .who = { "default", NULL, NULL, NULL },
		.n_dims = model_info(model)->n_dims,
		.complete = complete };
	struct err err = ERR_INIT;
	struct store *s;

	l.worker = model_worker_new(model);
	l.fresh = xcalloc(l.n_dims, sizeof(*l.fresh));
	check(store_open(conf_db(), STORE_READ, &s, &err), &err);
	check(store_open(conf_db(), STORE_READ, &l.messages, &err), &err);
	read_vectors(&l, s);
	check(messages_each(s, &l.who, &any, look_at_message, &l, &err), &err);
	if (n_lines > 0 && l.n_messages != n_lines)
		die("%lld messages, not %d", (long long)l.n_messages, n_lines);
	for (size_t i = 0; i < l.n; i++)
		if (!l.have[i].seen)
			die("a vector of no chunk");
	store_close(l.messages);
	store_close(s);
	printf("%lld messages, %lld chunks, %lld vectors, each of its text\n",
	    (long long)l.n_messages, (long long)l.n_chunks, (long long)l.n_found);
	if (l.n_found < l.n_chunks / 20)
		longest_us = MIN(2 * longest_us, 1000000);
	model_worker_free(l.worker);
	free(l.fresh);
	free(l.have);
	free(l.vectors);
}

/* ---- the programs ---- */

static void
add_lines(void)
{
	char *argv[] = { "mem-ingest", "-q", "--from=ndjson", NULL };
	int n = (int)between(&rng, 20, chance(&rng) % 5 == 0 ? 3000 : 300);
	struct child c;
	FILE *f;

	child_start(&c, argv, 0);
	if ((f = fdopen(c.in, "w")) == NULL)
		die("fdopen: %s", strerror(errno));
	for (int i = 0; i < n; i++, n_lines++) {
		fprintf(f,
		    "{\"session\":\"s%d\",\"id\":\"%d\",\"role\":\"user\",\"name\":\"n%d\","
		    "\"content\":\"%d ",
		    n_lines % 9, n_lines, n_lines % 4, n_lines);
		for (int64_t k = between(&rng, 0, chance(&rng) % 50 == 0 ? 1500 : 12); k > 0; k--)
			fprintf(f, "%c%c ", (char)('a' + chance(&rng) % 26),
			    (char)('a' + chance(&rng) % 26));
		fprintf(f, "%s\"}\n",
		    chance(&rng) % 10 == 0 ? "\\n```c\\nint x;\\n```\\nand more" : "");
	}
	if (fclose(f) != 0)
		die("cannot write to mem-ingest");
	c.in = -1;
	if (child_end(&c) != 0)
		die("mem-ingest failed");
}

static int
embed(const char *model, int kills)
{
	char *argv[] = { "mem-embed", "-q", "--model", (char *)model, "-J",
		chance(&rng) % 2 ? "1" : "3", NULL };
	int two = kills && chance(&rng) % 4 == 0, status, killed = 0;
	struct child c[2];

	for (int i = 0; i <= two; i++)
		child_start(&c[i], argv, 1);
	if (kills)
		sleep_us(between(&rng, 1000, longest_us));
	for (int i = 0; i <= two; i++) {
		if (kills)
			kill(c[i].pid, SIGKILL);
		status = child_end(&c[i]);
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			killed++;
		else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			die("mem-embed: status %x", (unsigned)status);
	}
	return killed;
}

int
main(int argc, char **argv)
{
	char *check_argv[] = { "mem-check", "-q", "--deep", NULL };
	int want = (int)argument(argc, argv, 1, 50), kills = 0;
	struct err err = ERR_INIT;
	struct model *model;
	struct child c;

	if (argc < 3)
		die("usage: vectors KILLS MODEL");
	rng = seed();
	check(conf_load(&err), &err);
	check(model_open(&model, argv[2], &err), &err);
	for (int runs = 0; kills < want; runs++) {
		if (runs > 20 * want)
			die("%d runs, only %d kills", runs, kills);
		add_lines();
		kills += embed(argv[2], 1);
		if (runs % 10 == 9)
			verify(model, 0);
	}
	embed(argv[2], 0);
	verify(model, 1);
	child_start(&c, check_argv, 1);
	if (child_end(&c) != 0)
		die("mem-check --deep finds damage");
	model_close(model);
	printf("%d kills\n", kills);
	return 0;
}
