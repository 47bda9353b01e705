/*
 * embed_parts.h: a round of embedding, whoever makes the vectors: threads of ours (embed.c) or a
 * service (embed_service.c).
 */
#ifndef EMBED_EMBED_PARTS_H
#define EMBED_EMBED_PARTS_H

#include "base/arena.h"
#include "embed/embed.h"
#include "embed/embed_lock.h"
#include "embed/embed_pool.h"
#include "embed/service.h"

struct round {
	struct arena arena;
	struct model_text *texts;
	struct vector_key *keys;
	/* the chunks of a record are stored together or not at all */
	struct embed_group *groups;
	float *vectors;
	size_t *batch;                     /* groups that are done and not yet stored */
	/* groups that the service did not take, not yet written down */
	size_t *refused;
	size_t n, n_groups, n_batch, n_batch_texts, n_refused, cap_texts, cap_keys, cap_groups,
	    cap_vectors, cap_batch, cap_refused;
	size_t n_bytes, max_texts;
	int64_t since_us;                  /* of the first in the batch */
};

struct embed {
	struct store *s;
	const struct embed_options *o;
	embed_progress_fn *progress;
	void *arg;
	struct embed_pool *pool;           /* NULL: a service makes the vectors */
	struct service *service;
	/* what they are of; its centre is the model's, the service's or own_centre */
	struct vector_model of;
	float *own_centre;
	struct embed_lock *lock;
	struct embed_counts counts;
	struct round round;
	int64_t set;
};

/* Groups that are done are stored, and those refused are written down, in one transaction. */
int embed_commit(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err);

/*
 * Which set it fills: the one of this service that the store knows; without one the service is
 * asked what it is, and a set is made.
 */
int embed_service_open(struct embed *e, struct err *err);
int
embed_service_round(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err);

#endif
