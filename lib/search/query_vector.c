/*
 * query_vector.c: two threads work on a question. The caller's has the store; the other has the
 * model and never touches the caller's connection to the store:
 *
 *	caller    begin | lists of words ...  | read pages  -> ring ->                 | wait |
 *	thread    open model | embed ...               | score pages: cosines, by turn | measure |
 *
 * Reading a page takes about as long as computing its cosines, so neither thread waits long for the
 * other. The ring lets the caller read ahead while the question is still being embedded.
 *
 * Where reading a few cells is enough there is no ring: the caller reads them once the query vector
 * is there.
 */
#include "search/query_vector.h"

#include <pthread.h>

#include "base/alloc.h"
#include "math/vec.h"
#include "model/model.h"
#include "search/ann.h"
#include "search/exact.h"

/* share of unknown tokens from which on the model cannot read the script: words alone decide */
#define UNKNOWN_MOST 0.2f
/*
 * 4 MB, in huge pages where the system has them: with 100,000 vectors the caller hardly ever waits
 * for room
 */
#define RING_PAGES   1024
/* pages are announced to the other thread in groups of this size */
#define ANNOUNCED_PAGES 32

struct query_vector {
	struct vectors *vectors;           /* the vectors of the question at hand */
	struct model *model;
	struct model_worker *worker;
	char missing[sizeof(((struct vector_model *)NULL)->name)];
	/* belongs to the thread from the first page on, until query_vector_end hands it out */
	struct dense dense;
	float *q;                          /* [D], the query vector */
	size_t q_bytes;
	/* what q is the vector of: the same question in another scope needs no other. NULL: none */
	char *q_text;
	bool given;                        /* q came from the caller: nothing to embed */
	/* what was asked last, by the caller's thread: a text, or NULL: q was given */
	char *asked;
	bool same;                         /* the question at hand is the one before it */
	uint8_t *ring;                     /* [RING_PAGES][page_bytes] */
	size_t ring_bytes;
	uint32_t n_read;                   /* pages that the caller has put into the ring */
	pthread_t thread;
	bool running;
	bool spent;                        /* the thread found no memory */
	bool by_cells;                     /* only cells are read: not all cosines are known */
	struct ann few;
	/* guarded by lock; both threads use what follows */
	pthread_mutex_t lock;
	pthread_cond_t changed;            /* signalled when one of these changes */
	bool looked;                       /* the model is open, or could not be opened */
	bool embedded;                     /* q is filled */
	bool no_cosines;                       /* there will be no cosines */
	char *text;                        /* NULL: not known yet */
	size_t len;
	/* pages announced to the thread, and those of them that it is done with */
	uint32_t n_given, n_taken;
	bool all_given;                        /* no more pages will come */
};

struct query_vector *
query_vector_new(void)
{
	struct query_vector *m = xcalloc(1, sizeof(*m));

	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->changed, NULL);
	return m;
}

static void
set_flag(struct query_vector *m, bool *what)
{
	pthread_mutex_lock(&m->lock);
	*what = true;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->lock);
}

static void
give_text(struct query_vector *m, char *text, size_t len)
{
	pthread_mutex_lock(&m->lock);
	m->text = text;
	m->len = len;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->lock);
}

/* Gives the thread an end to everything it may still wait for, and joins it. */
static void
join_thread(struct query_vector *m)
{
	if (!m->running)
		return;
	if (m->text == NULL)
		give_text(m, xstrdup(""), 0);
	set_flag(m, &m->all_given);
	pthread_join(m->thread, NULL);
	m->running = false;
	if (m->spent) {
		m->spent = false;
		out_of_memory();
	}
}

void
query_vector_done(struct query_vector *m)
{
	join_thread(m);
	ann_close(&m->few);
	dense_close(&m->dense);
	vectors_close(m->vectors);
	m->vectors = NULL;
}

void
query_vector_free(struct query_vector *m)
{
	if (m == NULL)
		return;
	query_vector_done(m);
	model_worker_free(m->worker);
	model_close(m->model);
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->changed);
	free(m->text);
	free(m->q_text);
	free(m->asked);
	xbig_free(m->ring, m->ring_bytes);
	free(m->q);
	free(m);
}

const char *
query_vector_missing(const struct query_vector *m)
{
	return m->missing;
}

/* ---- the thread ---- */

static bool
find_model(struct query_vector *m, const struct vector_model *of)
{
	struct model *model;

	if (m->model == NULL ||
	    memcmp(model_info(m->model)->sha256, of->sha256, SHA256_BYTES) != 0) {
		if (!model_open_same(&model, of->name, of->sha256)) {
			snprintf(m->missing, sizeof(m->missing), "%s", of->name);
			return false;
		}
		model_worker_free(m->worker);
		model_close(m->model);
		m->model = model;
		m->worker = model_worker_new(model);
		free(m->q_text);
		m->q_text = NULL;
	}
	/* also where the question before was given as a shorter vector */
	m->q_bytes = model_info(m->model)->n_dims * sizeof(*m->q);
	m->q = xreallocarray(m->q, 1, m->q_bytes);
	return true;
}

/* Embeds the question into q; false when it is empty or in a script that the model cannot read. */
static bool
embed(struct query_vector *m)
{
	struct model_text text = { .role = TEXT_QUERY };

	pthread_mutex_lock(&m->lock);
	while (m->text == NULL)
		pthread_cond_wait(&m->changed, &m->lock);
	text.text = m->text;
	text.len = m->len;
	pthread_mutex_unlock(&m->lock);
	if (m->q_text != NULL && strcmp(m->q_text, text.text) == 0)
		return true;
	if (text.len == 0 || model_unknown_share(m->worker, &text) > UNKNOWN_MOST)
		return false;
	model_embed(m->worker, &text, 1, m->q);
	float scale = model_query_line(m->model).scale;
	for (size_t i = 0; i < model_info(m->model)->n_dims; i++)
		m->q[i] *= scale;
	free(m->q_text);
	m->q_text = xstrdup(text.text);
	return true;
}

/*
 * Most pages hold consecutive messages with one vector each; as many turns lie between the first
 * and the last as the page has vectors. Their cosines are set at once. False, with nothing done,
 * for other pages.
 */
static bool
score_consecutive(struct query_vector *m, const uint64_t *keys, const float *cosines,
	uint32_t first, uint32_t n, uint32_t *run)
{
	int64_t base = vectors_info(m->vectors)->user_base;
	struct vector_key from, to;
	uint64_t apart = 0;
	uint32_t turn;

	for (uint32_t i = 0; i < n; i++)
		apart |= keys[i] ^ (keys[0] + i);
	vector_key_unpack(keys[0], base, &from);
	vector_key_unpack(keys[n - 1], base, &to);
	if (apart != 0 || from.kind != VECTOR_MESSAGE || to.kind != VECTOR_MESSAGE ||
	    from.part != to.part)
		return false;
	turn = corpus_turn_near(m->dense.corpus, from.row, run);
	if (turn == m->dense.corpus->n ||
	    corpus_turn_near(m->dense.corpus, to.row, run) != turn + n - 1)
		return false;
	dense_set_run(&m->dense, turn, cosines, first, n);
	return true;
}

/* Computes a page's cosines and sets them by turn. *run: where in the corpus the last turn was. */
static void
score_page(struct query_vector *m, const struct vectors_question *asked, uint32_t first, uint32_t n,
	const uint8_t *page, uint32_t *run)
{
	int64_t base = vectors_info(m->vectors)->user_base;
	uint64_t keys[VECTORS_PER_PAGE];
	float cosines[VECTORS_PER_PAGE];

	vectors_score(asked, page, n, keys, cosines);
	if (score_consecutive(m, keys, cosines, first, n, run))
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct vector_key key;
		uint32_t turn;
		if (keys[i] == VECTOR_DEAD)
			continue;
		vector_key_unpack(keys[i], base, &key);
		if (key.kind != VECTOR_MESSAGE ||
		    (turn = corpus_turn_near(m->dense.corpus, key.row, run)) == m->dense.corpus->n)
			continue;
		dense_set(&m->dense, turn, cosines[i], first + i);
	}
}

/*
 * Returns how many pages have been announced; when all of those are taken, waits for more or for
 * the end.
 */
static uint32_t
wait_for_pages(struct query_vector *m, uint32_t n_taken)
{
	uint32_t n;

	pthread_mutex_lock(&m->lock);
	m->n_taken = n_taken;
	pthread_cond_broadcast(&m->changed);
	while (m->n_given == n_taken && !m->all_given)
		pthread_cond_wait(&m->changed, &m->lock);
	n = m->n_given;
	pthread_mutex_unlock(&m->lock);
	return n;
}

static void
score_pages(struct query_vector *m)
{
	const struct vectors_info *info = vectors_info(m->vectors);
	struct vectors_question *asked = vectors_question_new(m->vectors, m->q);
	uint32_t n = wait_for_pages(m, 0), run = 0;

	for (uint32_t at = 0; at < n;) {
		uint32_t first = at * info->per_page;
		score_page(m, asked, first, MIN(info->per_page, info->n - first),
		    m->ring + at % RING_PAGES * info->page_bytes, &run);
		if (++at == n || at % ANNOUNCED_PAGES == 0)
			n = wait_for_pages(m, at);
	}
	if (n > 0)
		dense_measure(&m->dense);
	vectors_question_free(asked);
}

/* Brings cosines to the level that is calibrated (struct model_line); see also embed. */
static void
set_level(struct query_vector *m)
{
	if (!m->given && m->model != NULL)
		vectors_offset(m->vectors, (double)model_query_line(m->model).offset);
}

static void
find_cosines(void *arg)
{
	struct query_vector *m = arg;
	bool asks = m->given || find_model(m, &vectors_info(m->vectors)->model);

	set_level(m);
	set_flag(m, &m->looked);
	asks = asks && (m->given || embed(m));
	set_flag(m, asks ? &m->embedded : &m->no_cosines);
	if (asks)
		score_pages(m);
}

static void *
run(void *arg)
{
	struct query_vector *m = arg;

	if (!alloc_try(find_cosines, m)) {
		m->spent = true;
		set_flag(m, &m->no_cosines);
		set_flag(m, &m->looked);
	}
	return NULL;
}

/* ---- the caller ---- */

static void
start_thread(struct query_vector *m)
{
	m->embedded = m->no_cosines = m->all_given = false;
	m->running = pthread_create(&m->thread, NULL, run, m) == 0;
	if (!m->running)
		m->no_cosines = true;
}

int
query_vector_ask(struct query_vector *m, const char *text, size_t len, struct err *err)
{
	char *copy = xstrndup(text, len);

	m->same = m->asked != NULL && strcmp(m->asked, copy) == 0;
	free(m->asked);
	m->asked = xstrdup(copy);
	give_text(m, copy, len);
	if (!m->running && !m->same)
		start_thread(m);
	return m->same || len == 0 ? 0 : vectors_want(m->vectors, err);
}

static void
begin_question(struct query_vector *m, struct vectors *v, const float *q, bool again)
{
	size_t bytes = vectors_info(v)->model.n_dims * sizeof(*m->q);

	query_vector_done(m);
	m->vectors = v;
	free(m->text);
	m->text = NULL;
	m->looked = m->by_cells = false;
	m->n_read = m->n_given = m->n_taken = 0;
	m->missing[0] = '\0';
	m->same = again && q != NULL && m->given && m->q_bytes == bytes &&
	    memcmp(m->q, q, bytes) == 0;
	m->given = q != NULL;
	if (m->given) {
		free(m->q_text);
		free(m->asked);
		m->q_text = m->asked = NULL;
		m->q_bytes = bytes;
		m->q = xreallocarray(m->q, 1, bytes);
		memcpy(m->q, q, bytes);
	}
	set_level(m);
	if (!again || (m->given && !m->same))
		start_thread(m);
}

void
query_vector_begin(struct query_vector *m, struct vectors *v, bool again)
{
	begin_question(m, v, NULL, again);
}

int
query_vector_begin_given(struct query_vector *m, struct vectors *v, const float *q, bool again,
	struct err *err)
{
	begin_question(m, v, q, again);
	return m->same ? 0 : vectors_want(v, err);
}

static void
wait_for_model(struct query_vector *m)
{
	pthread_mutex_lock(&m->lock);
	while (m->running && !m->looked)
		pthread_cond_wait(&m->changed, &m->lock);
	pthread_mutex_unlock(&m->lock);
}

bool
query_vector_is_word(struct query_vector *m, const char *word, size_t len)
{
	wait_for_model(m);
	/* a model that could not be opened is told of when the thread is joined */
	return (m->running || m->same) && !m->given && m->missing[0] == '\0' &&
	    m->model != NULL && model_is_word(m->model, word, len);
}

static int
give_page(void *arg, uint32_t first, uint32_t n, const uint8_t *page, size_t bytes)
{
	struct query_vector *m = arg;
	const struct vectors_info *info = vectors_info(m->vectors);
	bool silent;

	memcpy(m->ring + m->n_read % RING_PAGES * info->page_bytes, page, bytes);
	if (++m->n_read % ANNOUNCED_PAGES != 0 && first + n < info->n)
		return 0;
	pthread_mutex_lock(&m->lock);
	m->n_given = m->n_read;
	pthread_cond_broadcast(&m->changed);
	while (m->n_given - m->n_taken > RING_PAGES - ANNOUNCED_PAGES && !m->no_cosines)
		pthread_cond_wait(&m->changed, &m->lock);
	silent = m->no_cosines;
	pthread_mutex_unlock(&m->lock);
	return silent;
}

/* Waits until the query vector is there or known not to come, then joins the thread. */
static void
await_question(struct query_vector *m)
{
	pthread_mutex_lock(&m->lock);
	while (!m->embedded && !m->no_cosines)
		pthread_cond_wait(&m->changed, &m->lock);
	pthread_mutex_unlock(&m->lock);
	join_thread(m);
}

/* Reads the cells that are near. */
static int
search_cells(struct query_vector *m, const struct corpus *c, const struct query_vector_of *of,
	struct err *err)
{
	LOCAL(ann_found) found = { .n = 0 };
	int rc;

	await_question(m);
	if (m->no_cosines)
		return 0;
	dense_open_few(&m->dense, c, vectors_info(m->vectors)->model.unrelated);
	rc = ann_find(&found, m->vectors, m->q, err) < 0
	    ? -1
	    : ann_take(&m->few, m->vectors, m->q, &found, &m->dense, err);
	return rc < 0 ? -1 : ann_range(&m->few, of->from, of->to, err);
}

/* Allocates the ring and opens dense, before the first page. */
static void
make_room(struct query_vector *m, const struct corpus *c)
{
	size_t bytes = RING_PAGES * vectors_info(m->vectors)->page_bytes;

	if (bytes > m->ring_bytes) {
		xbig_free(m->ring, m->ring_bytes);
		m->ring = xbig(bytes);
		m->ring_bytes = bytes;
	}
	dense_open(&m->dense, c, vectors_info(m->vectors)->model.unrelated);
}

int
query_vector_end(struct query_vector *m, const struct corpus *c, const struct query_vector_of *of,
	bool unchanged, struct dense *d, bool *known, struct err *err)
{
	int rc = 0;

	*known = unchanged && m->same && d->cosine != NULL && d->few == NULL;
	if (*known) {
		join_thread(m);
		return 0;
	}
	dense_close(d);
	if (!m->running && m->same)
		start_thread(m);
	wait_for_model(m);
	m->by_cells = !of->all && of->to - of->from <= QUERY_VECTOR_RANGE &&
	    vectors_info(m->vectors)->n_cells > 0;
	if (m->running && m->missing[0] == '\0' && m->by_cells) {
		rc = search_cells(m, c, of, err);
	} else if (m->running && m->missing[0] == '\0') {
		make_room(m, c);
		rc = vectors_pages(m->vectors, give_page, m, err);
	}
	join_thread(m);
	if (rc < 0 || m->no_cosines)
		return rc;
	*d = m->dense;
	memset(&m->dense, 0, sizeof(m->dense));
	*known = true;
	return 0;
}

bool
query_vector_is_exact(const struct query_vector *m)
{
	return vectors_info(m->vectors)->exact && !m->by_cells;
}

bool
query_vector_by_cells(const struct query_vector *m)
{
	return m->by_cells;
}

int
query_vector_rescore(struct query_vector *m, struct dense *d, const uint32_t *turns, size_t n_turns,
	struct err *err)
{
	FREED uint32_t *all = xreallocarray(NULL, 3 * n_turns + 1, sizeof(*all));
	size_t n = exact_neighbours(d, turns, n_turns, all);
	FREED bool *known = xcalloc(n + 1, sizeof(*known));
	int rc = m->by_cells ? ann_look_up(&m->few, d, all, n, known, err) : 0;

	if (rc == 0)
		rc = exact_make(m->vectors, m->q, d, all, m->by_cells ? known : NULL, n, err);
	return rc;
}

int
query_vector_sessions(struct query_vector *m, struct dense *d,
	const struct query_vector_part *parts, size_t n, struct err *err)
{
	return m->by_cells ? ann_sessions(&m->few, d, parts, n, err) : 0;
}

float
query_vector_itself(struct query_vector *m)
{
	struct model_text text = { .role = TEXT_PASSAGE, .text = m->q_text };
	float itself;
	FREED float *v = NULL;

	if (m->q_text == NULL || m->worker == NULL)
		return 1;
	text.len = strlen(m->q_text);
	v = xmalloc(m->q_bytes);
	model_embed(m->worker, &text, 1, v);
	itself = model_calibrate(model_info(m->model),
	    vec_dot(m->q, v, model_info(m->model)->n_dims) + model_query_line(m->model).offset);
	return itself > 0 ? itself : 1;
}
