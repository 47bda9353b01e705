/*
 * dense.h: turns the cosines of a question with a user's turns, with their windows and with their
 * sessions into z-scores over the memory.
 *
 * A z-score divided by four ("z4") is of the size of the other signals and means the same with
 * every model, whether its cosines lie in .0-.6 or in .7-.9. A turn without a vector has 0, the
 * mean; where it is a candidate, what its words let expect (DENSE_GUESS).
 *
 * A window's vector is the sum of the turn's vector and half of each neighbour's, scaled to unit
 * length. Its cosine follows from the three cosines and the length of the sum; for the latter the
 * similarity of neighbours is taken to be a constant (DENSE_ALIKE, calibrated), so no vector need
 * be read.
 *
 * In a large memory only cosines near the question are known, and those that a search looks up; all
 * others are assumed to be far (DENSE_FAR). Mean and deviation then come from a sample. Memory: 20
 * bytes for each known turn and a bit for each other one.
 */
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "index/corpus.h"

#define DENSE_NONE  (-2.0f)            /* the turn has no vector */
#define DENSE_FAR   (-3.0f)            /* the turn's cosine is unknown, and not near the question */
/*
 * the z4 assumed for a turn that words found and whose cosine is unknown: two standard deviations;
 * once looked up, it has its own
 */
#define DENSE_FAR_Z4 0.5f
#define DENSE_ALIKE 0.25f              /* mean calibrated similarity of neighbouring turns */
/*
 * The z4 that is expected of a turn that has no vector yet, by the share of the question's idf that
 * it has: of 25,200 turns of sixteen public histories, found for 256 questions, those with a share
 * of .1 to .2 have .19 on the mean, of .5 to .6 .47, of all words .64, and those with no word none.
 */
#define DENSE_GUESS(share) ((share) > 0 ? 0.13f + 0.55f * (share) : 0)

struct dense_ann;

struct dense {
	const struct corpus *corpus;       /* borrowed */
	/* mean cosine of unrelated texts, a constant of the model */
	float unrelated;
	/* the cosines that are known; NULL: all are, in the arrays */
	struct dense_ann *few;
	const uint64_t *known;             /* with few: one bit a turn */
	float *cosine;                     /* [n] the best of the turn's chunks, or DENSE_NONE */
	uint32_t *slot;                    /* [n] where that chunk's vector is stored */
	/* [n_sessions] the session's best window, or DENSE_NONE */
	float *session;
	struct dense_spread { float mean, sd; } turns, windows, sessions;
	/*
	 * length of the sum of a turn's vector and half of none, one or two neighbours', by
	 * DENSE_ALIKE
	 */
	float length[3];
	uint32_t n, n_known;               /* turns, and how many of them have a vector */
};

void dense_open(struct dense *d, const struct corpus *c, float unrelated);
/* Opens d for a memory in which only few turns' cosines will be known. */
void dense_open_few(struct dense *d, const struct corpus *c, float unrelated);
void dense_close(struct dense *d);

/* ---- dense_ann.c ---- */
/* Returns DENSE_FAR when the cosine is unknown. */
float dense_ann_cosine(const struct dense_ann *f, uint32_t turn);
uint32_t dense_ann_slot(const struct dense_ann *f, uint32_t turn);
void dense_ann_set(struct dense *d, uint32_t turn, float cosine, uint32_t slot);
void dense_ann_put(struct dense *d, uint32_t turn, float cosine, uint32_t slot);
uint32_t dense_ann_next(const struct dense_ann *f, uint32_t turn, uint32_t end, float above);
/*
 * Makes dense_next fast when it is called with the same `above`: it then looks at one bit a turn.
 */
void dense_ann_mark(struct dense *d, float above);
/*
 * Adds a sample: neighbouring turns [n], ascending, a turn more than once when it has several
 * chunks, and their cosines. Before dense_measure.
 */
void dense_ann_sample(struct dense *d, const uint32_t *turns, const float *cosines, size_t n);
void dense_ann_measure(struct dense *d);
uint32_t dense_session_of(const struct corpus *c, uint32_t turn);          /* by binary search */
void dense_ann_free(struct dense_ann *f);
#define DENSE_NEAREST 8
/*
 * Writes the slots of the k nearest among the known turns of a session, at most DENSE_NEAREST,
 * nearest first; returns how many.
 */
size_t dense_ann_nearest(const struct dense *d, uint32_t session, size_t k, uint32_t *slots);
/* Returns the best window of a session by the cosines known so far; DENSE_NONE: none is known. */
float dense_ann_best(const struct dense *d, uint32_t session);
/*
 * Sessions [n], whose neighbours have been looked up, turned out to have best [n] where
 * dense_measure had only estimated. Corrects the estimates of all other sessions accordingly, and
 * mean and deviation with them.
 */
void dense_ann_correct(struct dense *d, const uint32_t *sessions, const float *best, size_t n);

/* Whether the cosine is known. This check is first because most turns end with it. */
static inline bool
dense_knows(const struct dense *d, uint32_t turn)
{
	return d->few == NULL || (d->known[turn / 64] >> turn % 64 & 1);
}
static inline float
dense_cosine(const struct dense *d, uint32_t turn)
{
	return d->few == NULL	   ? d->cosine[turn]
	    : dense_knows(d, turn) ? dense_ann_cosine(d->few, turn)
				   : DENSE_FAR;
}
static inline uint32_t
dense_slot(const struct dense *d, uint32_t turn)
{
	return d->few != NULL ? dense_ann_slot(d->few, turn) : d->slot[turn];
}

/* Sets the cosine of a chunk; the best chunk of a turn counts. */
static inline void
dense_set(struct dense *d, uint32_t turn, float cosine, uint32_t slot)
{
	if (d->few != NULL) {
		dense_ann_set(d, turn, cosine, slot);
		return;
	}
	if (d->cosine[turn] == DENSE_NONE)
		d->n_known++;
	else if (d->cosine[turn] >= cosine)
		return;
	d->cosine[turn] = cosine;
	d->slot[turn] = slot;
}

/*
 * Sets n consecutive turns with one chunk each, whose slots are consecutive too. Only where all
 * cosines are known.
 */
static inline void
dense_set_run(struct dense *d, uint32_t turn, const float *cosines, uint32_t slot, uint32_t n)
{
	float *known = d->cosine + turn;
	uint32_t *slots = d->slot + turn, n_new = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool is_new = known[i] == DENSE_NONE, better = is_new || known[i] < cosines[i];
		n_new += is_new;
		known[i] = better ? cosines[i] : known[i];
		slots[i] = better ? slot + i : slots[i];
	}
	d->n_known += n_new;
}

/* Sets a turn's cosine, even to a lower one or to DENSE_NONE. */
static inline void
dense_put(struct dense *d, uint32_t turn, float cosine, uint32_t slot)
{
	if (d->few != NULL) {
		dense_ann_put(d, turn, cosine, slot);
		return;
	}
	d->cosine[turn] = cosine;
	d->slot[turn] = slot;
}

/*
 * Call it after the last cosine is set: computes means, deviations and sessions. Cost: 3 ns a turn.
 */
void dense_measure(struct dense *d);

/*
 * Returns the first turn from `turn` on, before end, whose cosine is above `above`; end when there
 * is none. Cost: .2 ns a turn.
 */
static inline uint32_t
dense_next(const struct dense *d, uint32_t turn, uint32_t end, float above)
{
	if (d->few != NULL)
		return dense_ann_next(d->few, turn, end, above);
#if defined(__SSE2__)
	for (; turn + 4 <= end; turn += 4) {
		unsigned over = (unsigned)_mm_movemask_ps(
		    _mm_cmpgt_ps(_mm_loadu_ps(d->cosine + turn), _mm_set1_ps(above)));
		if (over != 0)
			return turn + (uint32_t)__builtin_ctz(over);
	}
#endif
	while (turn < end && !(d->cosine[turn] > above))
		turn++;
	return turn;
}

/* The z4 score of a turn; `none` when it has no vector. */
static inline float
dense_turn_or(const struct dense *d, uint32_t turn, float none)
{
	float c = dense_cosine(d, turn);

	return c == DENSE_NONE ? none
	    : c == DENSE_FAR   ? DENSE_FAR_Z4
			       : (c - d->turns.mean) / d->turns.sd / 4;
}
static inline float
dense_turn(const struct dense *d, uint32_t turn)
{
	return dense_turn_or(d, turn, 0);
}
/* The same of a turn's window. */
float dense_window_or(const struct dense *d, uint32_t turn, uint32_t session, float none);
/* The z4 score of a session's best window; 0 without a vector. */
float dense_session(const struct dense *d, uint32_t session);
/*
 * The turn's calibrated similarity, as users see it: (cosine - unrelated) / (1 - unrelated); NAN
 * when it has no vector.
 */
float dense_sim(const struct dense *d, uint32_t turn);
float dense_sim_of(const struct dense *d, float z4);       /* that of a turn with this z4 */
