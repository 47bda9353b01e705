/*
 * embed_pool.h: computes vectors on several threads while the caller stores those that are done.
 */
#pragma once

#include "model/model.h"

struct embed_pool;

/* texts that are finished together: the chunks of one record */
struct embed_group { size_t first, n; };

/*
 * Threads start with the first work and take no signals. stop is set by a signal handler and ends
 * the current work within one batch of the encoder.
 */
struct embed_pool *
embed_pool_new(const struct model *m, unsigned n_threads, const volatile sig_atomic_t *stop);
void embed_pool_free(struct embed_pool *p);

/*
 * Begins to embed texts, group by group in order, into out [texts][D]. All arguments are borrowed
 * until embed_pool_next has returned EMBED_IDLE. ERR_IO: no thread could be started.
 */
int embed_pool_start(struct embed_pool *p, const struct model_text *texts,
	const struct embed_group *groups, size_t n_groups, float *out, struct err *err);

/*
 * Returns the next group that is done, in order of completion; EMBED_LATE when none is within ms;
 * EMBED_IDLE when all were handed out, or when all workers have stopped.
 */
enum { EMBED_IDLE = -1, EMBED_LATE = -2 };
ptrdiff_t embed_pool_next(struct embed_pool *p, int64_t ms);
/* Drops the groups that no worker has begun. */
void embed_pool_drop(struct embed_pool *p);
