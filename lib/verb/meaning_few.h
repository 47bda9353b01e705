/*
 * meaning_few.h: the cosines of few turns, by cells. Private to meaning.c.
 */
#ifndef VERB_MEANING_FEW_H
#define VERB_MEANING_FEW_H

#include "rank/dense.h"
#include "store/vectors.h"
#include "verb/meaning.h"

struct few {
	struct vectors *vectors;           /* borrowed, as q and d */
	const float *q;
	struct dense *d;
	uint32_t run;                      /* where the last turn was */
	uint64_t *seen;                    /* a bit a session: its best window is looked up */
};

/* The turns in the cells that are nearest to q [D], and what all are like: into d, open for few, and measured. few_close it. */
int few_take(struct few *f, struct vectors *v, const float *q, struct dense *d, struct err *err);
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
