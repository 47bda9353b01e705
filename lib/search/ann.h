/*
 * ann.h: approximate nearest neighbours. Of a large memory it computes the cosines of few turns
 * only: those in the cells nearest to the query vector. Private to query_vector.c.
 */
#pragma once

#include "rank/dense.h"
#include "search/query_vector.h"
#include "store/vectors.h"

struct ann {
	struct vectors *vectors;           /* all three are borrowed */
	const float *q;
	struct dense *d;
	uint32_t run;                      /* the run of the corpus in which the last turn stood */
	/* one bit a session: its best window has been looked up */
	uint64_t *seen;
};

/* Cosines of a sample of vectors and of the vectors near q, by key, as the store returns them. */
struct ann_found {
	uint64_t *keys;
	float *cosines;
	uint32_t *slots;
	size_t n, cap, cap_cosines, cap_slots;
	uint32_t *pieces;                  /* how many vectors each call of the store gave */
	/* beside the sample, only cosines of at least this are kept */
	float least;
	/* pieces in all; the first n_sampled of them are the sample */
	size_t n_pieces, cap_pieces, n_sampled;
};
/*
 * Returns the least cosine that counts as near: some 150,000 of all n_all vectors should have at
 * least this, judged by cosines [n] of a sample. DENSE_NONE when there are no more vectors than
 * that.
 */
float ann_least(const float *cosines, size_t n, uint32_t n_all);
/* Fills found, which must be empty; release it with ann_found_release. */
int ann_find(struct ann_found *found, struct vectors *v, const float *q, struct err *err);
void ann_found_release(struct ann_found *found);

/*
 * Fills d, which must be open for few cosines, with the turns in the cells nearest to q [D], and
 * measures the distribution of all cosines from the sample. Close f with ann_close.
 */
int ann_take(struct ann *f, struct vectors *v, const float *q, const struct ann_found *found,
	struct dense *d, struct err *err);
void ann_close(struct ann *f);
/* Computes the exact cosines of turns from .. to - 1, at most QUERY_VECTOR_RANGE of them. */
int ann_range(struct ann *f, uint32_t from, uint32_t to, struct err *err);
/*
 * Computes exact cosines for those of turns [n], ascending, that have none, and the best windows of
 * their sessions. known [n] says which turns had a cosine before; theirs stay estimates.
 */
int ann_look_up(struct ann *f, struct dense *d, const uint32_t *turns, size_t n, bool *known,
	struct err *err);

/*
 * Estimates the cosines of turns from .. to - 1 of sessions [n], ascending, and computes the
 * sessions' best windows.
 */
int ann_sessions(struct ann *f, struct dense *d, const struct query_vector_part *parts, size_t n,
	struct err *err);
