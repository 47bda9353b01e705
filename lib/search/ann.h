/*
 * ann.h: the cosines of few turns, by cells. Private to meaning.c.
 */
#ifndef SEARCH_ANN_H
#define SEARCH_ANN_H

#include "rank/dense.h"
#include "search/query_vector.h"
#include "store/vectors.h"

struct ann {
	struct vectors *vectors;           /* borrowed, as q and d */
	const float *q;
	struct dense *d;
	uint32_t run;                      /* where the last turn was */
	uint64_t *seen;                    /* a bit a session: its best window is looked up */
};

/*
 * What the store has of a sample and near q, as it gives it: found while nobody knows yet which
 * turns that is.
 */
struct ann_found {
	uint64_t *keys;
	float *cosines;
	uint32_t *slots;
	size_t n, cap, cap_cosines, cap_slots;
	uint32_t *pieces;                  /* how many came together */
	float least;                       /* cosine of what is kept beside the sample */
	/* of them those of the sample, which come first */
	size_t n_pieces, cap_pieces, n_sampled;
};
/*
 * What a turn in a near cell must have to be near: the cosine that some 150,000 of all n_all
 * vectors have at least, if those of a sample, cosines [n], are like theirs. DENSE_NONE where there
 * are no more than these.
 */
float ann_least(const float *cosines, size_t n, uint32_t n_all);
/* found is empty; ann_found_release */
int ann_find(struct ann_found *found, struct vectors *v, const float *q, struct err *err);
void ann_found_release(struct ann_found *found);

/*
 * The turns in the cells that are nearest to q [D], and what all are like: into d, open for few,
 * and measured. ann_close it.
 */
int ann_take(struct ann *f, struct vectors *v, const float *q, const struct ann_found *found,
	struct dense *d, struct err *err);
void ann_close(struct ann *f);
/* All turns of from .. to - 1, at most QUERY_VECTOR_RANGE, exactly. */
int ann_range(struct ann *f, uint32_t from, uint32_t to, struct err *err);
/*
 * Turns [n], ascending, exactly where they are not known yet; known [n] says which were, and have
 * estimates. And the best windows of their sessions.
 */
int ann_look_up(struct ann *f, struct dense *d, const uint32_t *turns, size_t n, bool *known,
	struct err *err);

/*
 * The turns from .. to - 1 of sessions [n], ascending, by estimate, and the sessions' best windows.
 */
int ann_sessions(struct ann *f, struct dense *d, const struct query_vector_part *parts, size_t n,
	struct err *err);

#endif
