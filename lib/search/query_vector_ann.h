/*
 * query_vector_ann.h: the cosines of few turns, by cells. Private to meaning.c.
 */
#ifndef SEARCH_QUERY_VECTOR_ANN_H
#define SEARCH_QUERY_VECTOR_ANN_H

#include "rank/dense.h"
#include "search/query_vector.h"
#include "store/vectors.h"

struct few {
	struct vectors *vectors;           /* borrowed, as q and d */
	const float *q;
	struct dense *d;
	uint32_t run;                      /* where the last turn was */
	uint64_t *seen;                    /* a bit a session: its best window is looked up */
};

/* What the store has of a sample and near q, as it gives it: found while nobody knows yet which turns that is. */
struct few_found {
	uint64_t *keys;
	float *cosines;
	uint32_t *slots;
	size_t n, cap, cap_cosines, cap_slots;
	uint32_t *pieces;                  /* how many came together */
	float least;                       /* cosine of what is kept beside the sample */
	size_t n_pieces, cap_pieces, n_sampled;        /* of them those of the sample, which come first */
};
/*
 * What a turn in a near cell must have to be near: the cosine that some 150,000 of all n_all vectors have at least, if those of a sample, cosines [n], are like
 * theirs. DENSE_NONE where there are no more than these.
 */
float few_least(const float *cosines, size_t n, uint32_t n_all);
int few_find(struct few_found *found, struct vectors *v, const float *q, struct err *err);      /* found is empty; few_found_release */
void few_found_release(struct few_found *found);

/* The turns in the cells that are nearest to q [D], and what all are like: into d, open for few, and measured. few_close it. */
int few_take(struct few *f, struct vectors *v, const float *q, const struct few_found *found, struct dense *d, struct err *err);
void few_close(struct few *f);
/* All turns of from .. to - 1, at most MEANING_RANGE, exactly. */
int few_range(struct few *f, uint32_t from, uint32_t to, struct err *err);
/*
 * Turns [n], ascending, exactly where they are not known yet; known [n] says which were, and have estimates. And the best windows of their sessions.
 */
int few_look_up(struct few *f, struct dense *d, const uint32_t *turns, size_t n, bool *known, struct err *err);

/* The turns from .. to - 1 of sessions [n], ascending, by estimate, and the sessions' best windows. */
int few_sessions(struct few *f, struct dense *d, const struct meaning_part *parts, size_t n, struct err *err);

#endif
