/*
 * meaning.c: one thread a question: open, wait for the words, embed, scan. A store without vectors costs one look at it.
 */
#include "verb/meaning.h"

#include <pthread.h>

#include "base/alloc.h"
#include "model/model.h"
#include "store/vectors.h"

#define UNKNOWN_MOST 0.2f          /* of the question's tokens: with more it is in writing that the model cannot read, and words alone decide */

struct meaning {
	char *path;
	struct store *store;
	struct model *model;
	struct model_worker *worker;
	char missing[sizeof(((struct vector_model *)NULL)->name)];
	char *user;
	const struct corpus *corpus;       /* of the question at hand, borrowed */
	struct dense dense;                /* after scan, until it is handed out */
	struct vectors *vectors;
	uint64_t *keys;                    /* [n] */
	float *cosines;
	size_t cap;
	float *q;                          /* [D] */
	/* between the threads */
	pthread_t thread;
	bool running;
	pthread_mutex_t lock;
	pthread_cond_t changed;            /* one of the next two */
	bool looked;                       /* for the model: it is there, or will not be */
	char *text;                        /* NULL: not known yet */
	size_t len;
	/* the thread's result */
	bool known;
	struct err err;
};

struct meaning *
meaning_new(const char *path)
{
	struct meaning *m = xcalloc(1, sizeof(*m));

	m->path = xstrdup(path);
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->changed, NULL);
	return m;
}

static void
give_text(struct meaning *m, char *text, size_t len)
{
	pthread_mutex_lock(&m->lock);
	m->text = text;
	m->len = len;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->lock);
}

static void
finish(struct meaning *m)
{
	if (!m->running)
		return;
	if (m->text == NULL)
		give_text(m, xstrdup(""), 0);
	pthread_join(m->thread, NULL);
	m->running = false;
}

void
meaning_done(struct meaning *m)
{
	finish(m);
	dense_close(&m->dense);
	vectors_close(m->vectors);
	m->vectors = NULL;
}

void
meaning_free(struct meaning *m)
{
	if (m == NULL)
		return;
	meaning_done(m);
	store_close(m->store);
	model_worker_free(m->worker);
	model_close(m->model);
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->changed);
	free(m->path);
	free(m->user);
	free(m->text);
	free(m->keys);
	free(m->cosines);
	free(m->q);
	free(m);
}

const char *
meaning_missing(const struct meaning *m)
{
	return m->missing;
}

void
meaning_ask(struct meaning *m, const char *text, size_t len)
{
	give_text(m, xstrndup(text, len), len);
}

/* ---- the thread ---- */

static bool
find_model(struct meaning *m, const struct vector_model *of)
{
	struct model *model;

	if (m->model != NULL && memcmp(model_info(m->model)->sha256, of->sha256, SHA256_BYTES) == 0)
		return true;
	if (!model_open_same(&model, of->name, of->sha256)) {
		snprintf(m->missing, sizeof(m->missing), "%s", of->name);
		return false;
	}
	model_worker_free(m->worker);
	model_close(m->model);
	m->model = model;
	m->worker = model_worker_new(model);
	m->q = xreallocarray(m->q, model_info(model)->n_dims, sizeof(*m->q));
	return true;
}

static void
has_looked(struct meaning *m)
{
	pthread_mutex_lock(&m->lock);
	m->looked = true;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->lock);
}

/* What it found, by turn. */
static void
fill(struct meaning *m)
{
	const struct corpus *c = m->corpus;
	int64_t base = vectors_info(m->vectors)->user_base;
	uint32_t run_at = 0;

	for (uint32_t i = 0; i < vectors_info(m->vectors)->n; i++) {
		struct vector_key key;
		uint32_t turn;
		if (m->keys[i] == VECTOR_DEAD)
			continue;
		vector_key_unpack(m->keys[i], base, &key);
		if (key.kind != VECTOR_MESSAGE || (turn = corpus_turn_near(c, key.row, &run_at)) == c->n)
			continue;
		dense_set(&m->dense, turn, m->cosines[i], i);
	}
	dense_measure(&m->dense);
}

static int
scan(struct meaning *m)
{
	struct scope who = { .user = m->user };
	const struct vectors_info *info;
	struct model_text text = { .role = TEXT_QUERY };

	if (m->store == NULL && store_open(m->path, STORE_READ, &m->store, &m->err) < 0)
		return -1;
	if (vectors_open(m->store, &who, &m->vectors, &m->err) < 0)
		return -1;
	info = vectors_info(m->vectors);
	if (info->n == 0 || !find_model(m, &info->model))
		return 0;
	has_looked(m);
	pthread_mutex_lock(&m->lock);
	while (m->text == NULL)
		pthread_cond_wait(&m->changed, &m->lock);
	text.text = m->text;
	text.len = m->len;
	pthread_mutex_unlock(&m->lock);
	if (text.len == 0 || model_unknown_share(m->worker, &text) > UNKNOWN_MOST)
		return 0;
	model_embed(m->worker, &text, 1, m->q);
	if (info->n > m->cap) {
		m->cap = info->n;
		m->keys = xreallocarray(m->keys, m->cap, sizeof(*m->keys));
		m->cosines = xreallocarray(m->cosines, m->cap, sizeof(*m->cosines));
	}
	if (vectors_cosines(m->vectors, m->q, m->keys, m->cosines, &m->err) < 0)
		return -1;
	dense_open(&m->dense, m->corpus, info->model.unrelated);
	fill(m);
	m->known = true;
	return 0;
}

static void *
run(void *arg)
{
	struct meaning *m = arg;

	scan(m);
	has_looked(m);
	return NULL;
}

void
meaning_begin(struct meaning *m, const struct scope *who, const struct corpus *c)
{
	meaning_done(m);
	m->corpus = c;
	free(m->user);
	m->user = xstrdup(who->user);
	free(m->text);
	m->text = NULL;
	m->known = m->looked = false;
	m->missing[0] = '\0';
	err_clear(&m->err);
	if (pthread_create(&m->thread, NULL, run, m) == 0)
		m->running = true;
}

bool
meaning_is_word(struct meaning *m, const char *word, size_t len)
{
	if (!m->running)
		return false;
	pthread_mutex_lock(&m->lock);
	while (!m->looked)
		pthread_cond_wait(&m->changed, &m->lock);
	pthread_mutex_unlock(&m->lock);
	return m->model != NULL && m->missing[0] == '\0' && model_is_word(m->model, word, len);
}

int
meaning_end(struct meaning *m, struct dense *d, bool *known, struct err *err)
{
	*known = false;
	finish(m);
	if (m->err.code != 0) {
		*err = m->err;
		return -1;
	}
	if (!m->known)
		return 0;
	*d = m->dense;
	memset(&m->dense, 0, sizeof(m->dense));
	*known = true;
	return 0;
}

struct wanted { uint32_t slot, turn; };

static int
by_slot(const void *x, const void *y)
{
	const struct wanted *a = x, *b = y;

	return (a->slot > b->slot) - (a->slot < b->slot);
}

int
meaning_rescore(struct meaning *m, struct dense *d, const uint32_t *turns, size_t n_turns, struct err *err)
{
	struct wanted *wanted;
	uint32_t *slots;
	float *exact;
	size_t n = 0;
	int rc;

	if (vectors_info(m->vectors)->exact)
		return 0;
	wanted = xreallocarray(NULL, n_turns + 1, sizeof(*wanted));
	slots = xreallocarray(NULL, n_turns + 1, sizeof(*slots));
	exact = xreallocarray(NULL, n_turns + 1, sizeof(*exact));
	for (size_t i = 0; i < n_turns; i++)
		if (d->cosine[turns[i]] != DENSE_NONE)
			wanted[n++] = (struct wanted){ d->slot[turns[i]], turns[i] };
	qsort(wanted, n, sizeof(*wanted), by_slot);
	for (size_t i = 0; i < n; i++)
		slots[i] = wanted[i].slot;
	rc = vectors_rescore(m->vectors, m->q, slots, n, exact, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		d->cosine[wanted[i].turn] = exact[i];
	free(wanted);
	free(slots);
	free(exact);
	return rc;
}
