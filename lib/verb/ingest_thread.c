/*
 * ingest_thread.c: one thread, one load at a time. The mutex guards whose the load is; who has it, has the store.
 */
#include "verb/ingest_load.h"

static void *
work(void *arg)
{
	struct putter *p = arg;

	pthread_mutex_lock(&p->mutex);
	for (;;) {
		while (!p->quit && (p->given == NULL || p->done))
			pthread_cond_wait(&p->changed, &p->mutex);
		if (p->given == NULL || p->done)
			break;
		pthread_mutex_unlock(&p->mutex);
		storer_put(&p->storer, p->given);
		pthread_mutex_lock(&p->mutex);
		p->done = true;
		pthread_cond_signal(&p->changed);
	}
	pthread_mutex_unlock(&p->mutex);
	return NULL;
}

void
putter_init(struct putter *p, struct store *s, const struct ingest_options *o, bool prints)
{
	memset(p, 0, sizeof(*p));
	p->storer = (struct storer){ .s = s, .o = o, .prints = prints };
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
 * Signals are for the caller, but for the one that ends a wait for the store's lock (store/sqlite/lock.c): that is for whoever waits, so the caller must not be
 * there to take it.
 */
bool
putter_start(struct putter *p)
{
	sigset_t all, alarm;

	if (p->has_thread)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &p->before);
	p->has_thread = pthread_create(&p->thread, NULL, work, p) == 0;
	alarm = p->before;
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_SETMASK, p->has_thread ? &alarm : &p->before, NULL);
	return p->has_thread;
}

void
putter_give(struct putter *p, struct load *l)
{
	pthread_mutex_lock(&p->mutex);
	p->given = l;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->mutex);
}

bool
putter_is_busy(const struct putter *p)
{
	return p->given != NULL;               /* written by the caller alone */
}

bool
putter_is_done(struct putter *p)
{
	bool done;

	pthread_mutex_lock(&p->mutex);
	done = p->done;
	pthread_mutex_unlock(&p->mutex);
	return done;
}

struct load *
putter_wait(struct putter *p)
{
	struct load *l = p->given;

	if (l == NULL)
		return NULL;
	pthread_mutex_lock(&p->mutex);
	while (!p->done)
		pthread_cond_wait(&p->changed, &p->mutex);
	p->given = NULL;
	p->done = false;
	pthread_mutex_unlock(&p->mutex);
	return l;
}
