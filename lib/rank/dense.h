/*
 * dense.h: what the vectors say of a user's turns: the cosine of each with the question, of its window, of its session, as z-scores over the memory.
 *
 * A z-score divided by four ("z4") is of the size of the other signals, and means the same with every model, whose cosines may lie in .0-.6 or in .7-.9. A turn without
 * a vector has 0, the mean: it competes by words.
 *
 * A window's vector is the unit of the turn's and half of each neighbour's. Its cosine needs the cosines of the three and the length of their sum; for that the
 * likeness of neighbours is taken as one constant (DENSE_ALIKE, calibrated), which costs no read of any vector.
 */
#ifndef RANK_DENSE_H
#define RANK_DENSE_H

#include "rank/corpus.h"

#define DENSE_NONE  (-2.0f)            /* no vector */
#define DENSE_ALIKE 0.25f              /* mean calibrated similarity of neighbouring turns */

struct dense {
	const struct corpus *corpus;       /* borrowed */
	float unrelated;                   /* mean cosine of unrelated texts, by the model */
	float *cosine;                     /* [n] of the best of the turn's chunks, or DENSE_NONE */
	uint32_t *slot;                    /* [n] where that chunk's vector is */
	float *session;                    /* [n_sessions] the best window of it, or DENSE_NONE */
	struct dense_spread { float mean, sd; } turns, windows, sessions;
	float length[3];                   /* of a turn's vector and half of none, one or two neighbours', by DENSE_ALIKE */
	uint32_t n, n_known;               /* turns; those that have a vector */
};

void dense_open(struct dense *d, const struct corpus *c, float unrelated);
void dense_close(struct dense *d);

/* A chunk's cosine; the best of a turn counts. */
static inline void
dense_set(struct dense *d, uint32_t turn, float cosine, uint32_t slot)
{
	if (d->cosine[turn] == DENSE_NONE)
		d->n_known++;
	else if (d->cosine[turn] >= cosine)
		return;
	d->cosine[turn] = cosine;
	d->slot[turn] = slot;
}

/* After the last: means, deviations and sessions. Cost: linear in n, 3 ns a turn. */
void dense_measure(struct dense *d);

/* The first turn from turn on, before end, whose cosine is above that; end when there is none. Cost: .5 ns a turn. */
static inline uint32_t
dense_next(const struct dense *d, uint32_t turn, uint32_t end, float above)
{
	while (turn < end && !(d->cosine[turn] > above))
		turn++;
	return turn;
}

/* Of a turn and its session: z4 scores, 0 when nothing is known. */
static inline float
dense_turn(const struct dense *d, uint32_t turn)
{
	return d->cosine[turn] == DENSE_NONE ? 0 : (d->cosine[turn] - d->turns.mean) / d->turns.sd / 4;
}
float dense_window(const struct dense *d, uint32_t turn, uint32_t session);
float dense_session(const struct dense *d, uint32_t session);
/* The turn's cosine as users see it: (cosine - unrelated) / (1 - unrelated); NAN when it has no vector. */
float dense_sim(const struct dense *d, uint32_t turn);

#endif
