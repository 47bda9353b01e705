/*
 * ingest_thread.c: one thread that puts loads into the store one at a time, from a short queue. The
 * mutex guards which side owns a load; while any load is the thread's, the store is, too.
 */
#include "ingest/ingest_load.h"

/* Puts a load; after one that failed all others fail with it. */
static void
put_load(struct putter *p, struct load *l)
{
	if (p->failed != 0) {
		l->rc = p->failed;
		l->err = p->err;
		return;
	}
	storer_put(&p->storer, l);
	if (l->rc != 0) {
		p->failed = l->rc;
		p->err = l->err;
	}
}

static void *
put_loads(void *arg)
{
	struct putter *p = arg;
	struct load *l;

	pthread_mutex_lock(&p->mutex);
	for (;;) {
		while (!p->quit && p->n_done == p->n_given)
			pthread_cond_wait(&p->changed, &p->mutex);
		if (p->n_done == p->n_given)
			break;
		l = p->given[p->n_done % LOADS];
		pthread_mutex_unlock(&p->mutex);
		put_load(p, l);
		pthread_mutex_lock(&p->mutex);
		p->n_done++;
		pthread_cond_signal(&p->changed);
	}
	pthread_mutex_unlock(&p->mutex);
	return NULL;
}

void
putter_init(struct putter *p, struct store *s, const struct ingest_options *o)
{
	memset(p, 0, sizeof(*p));
	p->storer = (struct storer){ .s = s, .o = o };
	buf_init(&p->storer.goes_on, SIZE_MAX / 4);
	pthread_mutex_init(&p->mutex, NULL);
	pthread_cond_init(&p->changed, NULL);
}

void
putter_release(struct putter *p)
{
	if (p->has_thread) {
		pthread_mutex_lock(&p->mutex);
		p->quit = true;
		pthread_cond_signal(&p->changed);
		pthread_mutex_unlock(&p->mutex);
		pthread_join(p->thread, NULL);
		pthread_sigmask(SIG_SETMASK, &p->before, NULL);
	}
	pthread_mutex_destroy(&p->mutex);
	pthread_cond_destroy(&p->changed);
	storer_release(&p->storer);
}

/*
 * Signals are delivered to the caller's thread, except SIGALRM, which ends a wait for the store's
 * lock: it must reach the thread that waits, so the caller blocks it.
 */
bool
putter_start(struct putter *p)
{
	sigset_t all, alarm;

	if (p->has_thread)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &p->before);
	p->has_thread = pthread_create(&p->thread, NULL, put_loads, p) == 0;
	alarm = p->before;
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_SETMASK, p->has_thread ? &alarm : &p->before, NULL);
	return p->has_thread;
}

void
putter_give(struct putter *p, struct load *l)
{
	pthread_mutex_lock(&p->mutex);
	p->given[p->n_given++ % LOADS] = l;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->mutex);
}

bool
putter_is_busy(const struct putter *p)
{
	return p->n_taken < p->n_given;        /* the caller alone writes both */
}

size_t
putter_n_waiting(struct putter *p)
{
	size_t n;

	pthread_mutex_lock(&p->mutex);
	n = p->n_given - p->n_done;
	pthread_mutex_unlock(&p->mutex);
	return n;
}

struct load *
putter_take(struct putter *p, bool wait)
{
	bool done;

	if (!putter_is_busy(p))
		return NULL;
	pthread_mutex_lock(&p->mutex);
	while (wait && p->n_done == p->n_taken)
		pthread_cond_wait(&p->changed, &p->mutex);
	done = p->n_done > p->n_taken;
	pthread_mutex_unlock(&p->mutex);
	return done ? p->given[p->n_taken++ % LOADS] : NULL;
}
