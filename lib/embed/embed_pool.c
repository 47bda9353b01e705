/*
 * embed_pool.c: each worker takes one unit after another from a list of groups; a unit is as many
 * groups as make a few batches of the encoder. Groups are not sorted by length: the encoder does
 * not pad, so nothing would be gained, and the store gets them nearly in order. Which thread
 * computes a vector changes no bit of it.
 *
 *	groups: [ taken | not yet ]     in the order given; next is the border
 *	done:   [ handed out | ready ]  in the order finished; n_out is the border, n_done the end
 */
#include <pthread.h>
#include <time.h>

#include "base/alloc.h"
#include "embed/embed_pool.h"

#define UNIT_BYTES 4096 /* about a thousand tokens, two full batches of the encoder */
#define UNIT_TEXTS 256

struct embed_pool {
	const struct model *m;
	const volatile sig_atomic_t *stop;
	pthread_mutex_t mutex;
	pthread_cond_t work, ready;
	pthread_t *threads;
	unsigned n_threads, n_started, n_busy;
	bool over;

	const struct model_text *texts;
	const struct embed_group *groups;
	float *out;
	size_t *done;
	size_t n_groups, next, n_done, n_out, cap_done;
};

/* The unit a worker computes, in the form that the model takes. */
struct unit {
	struct model_text *texts;
	size_t *from;                      /* [n] index of each text among all texts */
	float *vectors;
	size_t n, cap_texts, cap_from, cap_vectors;
	size_t first, end;                 /* its range of groups */
};

/* ---- the workers ---- */

static void
add_group(const struct embed_pool *p, struct unit *u, const struct embed_group *g)
{
	size_t n_dims = model_info(p->m)->n_dims, n = u->n + g->n;

	xgrow(&u->texts, &u->cap_texts, n, sizeof(*u->texts));
	xgrow(&u->from, &u->cap_from, n, sizeof(*u->from));
	xgrow(&u->vectors, &u->cap_vectors, n * n_dims, sizeof(*u->vectors));
	for (size_t i = 0; i < g->n; i++) {
		u->texts[u->n] = p->texts[g->first + i];
		u->from[u->n++] = g->first + i;
	}
}

static size_t
group_bytes(const struct embed_pool *p, size_t group)
{
	const struct embed_group *g = &p->groups[group];
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += p->texts[g->first + i].len;
	return n;
}

/* Takes the next unit; false when there is none. The mutex must be held. */
static bool
take_unit(struct embed_pool *p, struct unit *u)
{
	size_t n_bytes = 0;

	if (*p->stop != 0 || p->next == p->n_groups)
		return false;
	u->n = 0;
	u->first = p->next;
	do {
		n_bytes += group_bytes(p, p->next);
		add_group(p, u, &p->groups[p->next++]);
	} while (p->next < p->n_groups && n_bytes + group_bytes(p, p->next) <= UNIT_BYTES &&
	    u->n < UNIT_TEXTS);
	u->end = p->next;
	return true;
}

static void
embed_unit(struct embed_pool *p, struct model_worker *w, struct unit *u)
{
	size_t n_dims = model_info(p->m)->n_dims;

	model_embed(w, u->texts, u->n, u->vectors);
	for (size_t i = 0; i < u->n; i++)
		memcpy(p->out + u->from[i] * n_dims, u->vectors + i * n_dims,
		    n_dims * sizeof(*p->out));
}

static void *
work(void *arg)
{
	struct embed_pool *p = arg;
	struct model_worker *w = model_worker_new(p->m);
	struct unit u;

	memset(&u, 0, sizeof(u));
	model_worker_stop(w, p->stop);
	pthread_mutex_lock(&p->mutex);
	for (;;) {
		while (!p->over && !take_unit(p, &u))
			pthread_cond_wait(&p->work, &p->mutex);
		if (p->over)
			break;
		p->n_busy++;
		pthread_mutex_unlock(&p->mutex);
		embed_unit(p, w, &u);
		pthread_mutex_lock(&p->mutex);
		p->n_busy--;
		/* a unit that a stop may have cut short does not count as done */
		for (size_t i = u.first; i < u.end && *p->stop == 0; i++)
			p->done[p->n_done++] = i;
		pthread_cond_signal(&p->ready);
	}
	pthread_mutex_unlock(&p->mutex);
	model_worker_free(w);
	free(u.texts);
	free(u.from);
	free(u.vectors);
	return NULL;
}

/* ---- the caller's side ---- */

struct embed_pool *
embed_pool_new(const struct model *m, unsigned n_threads, const volatile sig_atomic_t *stop)
{
	struct embed_pool *p = xcalloc(1, sizeof(*p));

	p->m = m;
	p->stop = stop;
	p->n_threads = MAX(n_threads, 1);
	p->threads = xcalloc(p->n_threads, sizeof(*p->threads));
	pthread_mutex_init(&p->mutex, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->ready, NULL);
	return p;
}

void
embed_pool_free(struct embed_pool *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->mutex);
	p->over = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->mutex);
	for (unsigned i = 0; i < p->n_started; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->work);
	pthread_cond_destroy(&p->ready);
	pthread_mutex_destroy(&p->mutex);
	free(p->threads);
	free(p->done);
	free(p);
}

/*
 * Starts up to n threads; fewer will do. Signals are blocked in them, so that they reach the main
 * thread, which knows what to do about them.
 */
static int
start_threads(struct embed_pool *p, unsigned n, struct err *err)
{
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (p->n_started < n &&
	    (rc = pthread_create(&p->threads[p->n_started], NULL, work, p)) == 0)
		p->n_started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc != 0)
		p->n_threads = MAX(p->n_started, 1);
	return p->n_started > 0 ? 0
				: err_set(err, ERR_IO, "cannot start a thread: %s", strerror(rc));
}

int
embed_pool_start(struct embed_pool *p, const struct model_text *texts,
	const struct embed_group *groups, size_t n_groups, float *out, struct err *err)
{
	unsigned n = (unsigned)MIN(p->n_threads, MAX(n_groups, 1));

	if (p->n_started < n && start_threads(p, n, err) != 0)
		return -1;
	pthread_mutex_lock(&p->mutex);
	xgrow(&p->done, &p->cap_done, n_groups, sizeof(*p->done));
	p->texts = texts;
	p->groups = groups;
	p->out = out;
	p->n_groups = n_groups;
	p->next = p->n_done = p->n_out = 0;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->mutex);
	return 0;
}

static bool
is_idle(const struct embed_pool *p)
{
	return p->n_busy == 0 && (p->next == p->n_groups || *p->stop != 0);
}

ptrdiff_t
embed_pool_next(struct embed_pool *p, int64_t ms)
{
	ptrdiff_t got = EMBED_LATE;
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&p->mutex);
	while (p->n_out == p->n_done && !is_idle(p) && rc == 0)
		rc = pthread_cond_timedwait(&p->ready, &p->mutex, &until);
	if (p->n_out < p->n_done)
		got = (ptrdiff_t)p->done[p->n_out++];
	else if (is_idle(p))
		got = EMBED_IDLE;
	pthread_mutex_unlock(&p->mutex);
	return got;
}

void
embed_pool_drop(struct embed_pool *p)
{
	pthread_mutex_lock(&p->mutex);
	p->next = p->n_groups;
	pthread_mutex_unlock(&p->mutex);
}
