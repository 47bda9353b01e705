/*
 * handover.c: the mutex guards which side owns a job.
 */
#include "base/handover.h"

static void *
work(void *arg)
{
	struct handover *h = arg;
	void *job;

	pthread_mutex_lock(&h->mutex);
	for (;;) {
		while (!h->quit && h->n_done == h->n_given)
			pthread_cond_wait(&h->changed, &h->mutex);
		if (h->n_done == h->n_given)
			break;
		job = h->given[h->n_done % HANDOVER_MOST];
		pthread_mutex_unlock(&h->mutex);
		h->run(h->arg, job);
		pthread_mutex_lock(&h->mutex);
		h->n_done++;
		pthread_cond_signal(&h->changed);
	}
	pthread_mutex_unlock(&h->mutex);
	return NULL;
}

void
handover_init(struct handover *h, void (*run)(void *arg, void *job), void *arg)
{
	memset(h, 0, sizeof(*h));
	h->run = run;
	h->arg = arg;
	pthread_mutex_init(&h->mutex, NULL);
	pthread_cond_init(&h->changed, NULL);
}

void
handover_release(struct handover *h)
{
	handover_stop(h);
	pthread_mutex_destroy(&h->mutex);
	pthread_cond_destroy(&h->changed);
}

bool
handover_start(struct handover *h)
{
	sigset_t all, alarm;

	if (h->has_thread)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &h->before);
	h->has_thread = pthread_create(&h->thread, NULL, work, h) == 0;
	alarm = h->before;
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_SETMASK, h->has_thread ? &alarm : &h->before, NULL);
	return h->has_thread;
}

void
handover_stop(struct handover *h)
{
	if (!h->has_thread)
		return;
	pthread_mutex_lock(&h->mutex);
	h->quit = true;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->mutex);
	pthread_join(h->thread, NULL);
	pthread_sigmask(SIG_SETMASK, &h->before, NULL);
	h->has_thread = h->quit = false;
}

void
handover_give(struct handover *h, void *job)
{
	pthread_mutex_lock(&h->mutex);
	h->given[h->n_given++ % HANDOVER_MOST] = job;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->mutex);
}

bool
handover_is_busy(const struct handover *h)
{
	return h->n_taken < h->n_given;        /* the caller alone writes both */
}

size_t
handover_n_waiting(struct handover *h)
{
	pthread_mutex_lock(&h->mutex);
	size_t n = h->n_given - h->n_done;
	pthread_mutex_unlock(&h->mutex);
	return n;
}

void *
handover_take(struct handover *h, bool wait)
{
	if (!handover_is_busy(h))
		return NULL;
	pthread_mutex_lock(&h->mutex);
	while (wait && h->n_done == h->n_taken)
		pthread_cond_wait(&h->changed, &h->mutex);
	bool done = h->n_done > h->n_taken;
	pthread_mutex_unlock(&h->mutex);
	return done ? h->given[h->n_taken++ % HANDOVER_MOST] : NULL;
}
