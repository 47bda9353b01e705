/*
 * embed_parts.h: the state of a round of embedding, shared by the two ways to make vectors: our own
 * threads (embed.c) and a service (embed_service.c). Private to lib/embed/embed*.c.
 */
#pragma once

#include "base/arena.h"
#include "embed/embed.h"
#include "embed/embed_pool.h"
#include "embed/service.h"

struct round {
	struct arena arena;
	struct model_text *texts;
	struct vector_key *keys;
	/* the chunks of a record are stored together or not at all */
	struct embed_group *groups;
	float *vectors;
	size_t *batch;                     /* groups whose vectors are ready and not yet stored */
	/* groups that the service refused, not yet recorded as such */
	size_t *refused;
	size_t n, n_groups, n_batch, n_batch_texts, n_refused, cap_texts, cap_keys, cap_groups,
	    cap_vectors, cap_batch, cap_refused;
	size_t n_bytes, max_texts;
	int64_t since_us;                  /* when the first of the batch became ready */
};

struct embed {
	struct store *s;
	const struct embed_options *o;
	embed_progress_fn *progress;
	void *arg;
	struct embed_pool *pool;           /* NULL: a service makes the vectors */
	struct service *service;
	/* the model of the set; its centre points to the model's, the service's or own_centre */
	struct vector_model of;
	float *own_centre;
	struct embed_counts counts;
	struct round round;
	int64_t set;
};

/* Stores the groups that are ready and records those that were refused, in one transaction. */
int embed_commit(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err);

/*
 * Finds the set to fill: the one that the store has of this service; without one, the service is
 * asked what it is and a new set is made.
 */
int embed_service_open(struct embed *e, struct err *err);
int
embed_service_round(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err);
