/*
 * embed_pool.h: texts to vectors on several threads, while the caller stores what is done.
 */
#ifndef EMBED_EMBED_POOL_H
#define EMBED_EMBED_POOL_H

#include "model/model.h"

struct embed_pool;

/* texts that are done together: the chunks of a record */
struct embed_group { size_t first, n; };

/*
 * Threads start with the first work. They take no signals. stop: set by a signal handler, ends the
 * work at hand within a batch.
 */
struct embed_pool *
embed_pool_new(const struct model *m, unsigned n_threads, const volatile sig_atomic_t *stop);
void embed_pool_free(struct embed_pool *p);

/*
 * Begins with texts, in order; out [texts][D]. All borrowed until embed_pool_next has said
 * EMBED_IDLE. ERR_IO: no thread could be started.
 */
int embed_pool_start(struct embed_pool *p, const struct model_text *texts,
	const struct embed_group *groups, size_t n_groups, float *out, struct err *err);

/*
 * A group that is done, in the order in which they are; EMBED_LATE when there is none within ms;
 * EMBED_IDLE when all were handed out, or after a stop when nobody is at work any more.
 */
enum { EMBED_IDLE = -1, EMBED_LATE = -2 };
ptrdiff_t embed_pool_next(struct embed_pool *p, int64_t ms);
/* What nobody has begun with is not wanted any more. */
void embed_pool_drop(struct embed_pool *p);

#endif
