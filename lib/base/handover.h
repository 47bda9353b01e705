/*
 * handover.h: a thread that does jobs one after the other, in the order in which they are given,
 * while who gives them prepares the next. A job, and all that its doing touches, belongs to the
 * thread until the job is taken back.
 */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "base/base.h"

#define HANDOVER_MOST 6

struct handover {
	void (*run)(void *arg, void *job);
	void *arg;
	void *given[HANDOVER_MOST];    /* a ring: job n stands at n % HANDOVER_MOST */
	uint64_t n_given, n_taken;     /* written by the caller, n_given under the mutex */
	uint64_t n_done;               /* written by the thread under the mutex */
	bool quit;                     /* written under the mutex */
	bool has_thread;
	pthread_t thread;
	sigset_t before;               /* the signals that were blocked before the thread started */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

void handover_init(struct handover *h, void (*run)(void *arg, void *job), void *arg);
void handover_release(struct handover *h);     /* as handover_stop */
/*
 * Starts the thread if it does not run; false: no thread can be had. Signals stay the caller's, but
 * SIGALRM, which ends a wait for a store's lock: it must reach the thread that waits.
 */
bool handover_start(struct handover *h);
/* Waits until all jobs are done, and ends the thread; it may be started again. */
void handover_stop(struct handover *h);
/* Fewer than HANDOVER_MOST are given and not taken back. */
void handover_give(struct handover *h, void *job);
/* Some job was given and not taken back. */
bool handover_is_busy(const struct handover *h);
size_t handover_n_waiting(struct handover *h); /* how many jobs wait to be done */
/* Takes the oldest job back; NULL: there is none or, without wait, it is not done yet. */
void *handover_take(struct handover *h, bool wait);
