/*
 * dense.h: what the vectors say of a user's turns: the cosine of each with the question, of its
 * window, of its session, as z-scores over the memory.
 *
 * A z-score divided by four ("z4") is of the size of the other signals, and means the same with
 * every model, whose cosines may lie in .0-.6 or in .7-.9. A turn without a vector has 0, the mean:
 * it competes by words.
 *
 * A window's vector is the unit of the turn's and half of each neighbour's. Its cosine needs the
 * cosines of the three and the length of their sum; for that the likeness of neighbours is taken as
 * one constant (DENSE_ALIKE, calibrated), which costs no read of any vector.
 *
 * Notes that were kept in one file need not have anything to do with those beside them. What is
 * nearer to the question than the mean then tells nothing of its neighbours, while in a
 * conversation or a document it is the mean of turns beside each other that is near: the
 * correlation of the cosines of neighbours is .2 to .7 there and 0 +-.04 in a list of things that
 * stand in no order. dense_measure takes it for each session of SESSION_UNKNOWN, drawn to that of
 * all of them and to what it mostly is (DENSE_RELATED) while the pairs are few. Where neighbours
 * are not related, each turn is scored as if it were a session of its own (rank/signals.h).
 *
 * Of a large memory only the turns that are near the question are known, and those that a search
 * looks up; the others are taken as far from it (DENSE_FAR). What all cosines are like then comes
 * from a sample. Memory: 20 bytes a known turn and a bit for each other one.
 */
#ifndef RANK_DENSE_H
#define RANK_DENSE_H

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "index/corpus.h"

#define DENSE_NONE  (-2.0f)            /* no vector */
#define DENSE_FAR   (-3.0f)            /* not known, and not near */
/*
 * that a turn is taken to have whose words match and that is not known: two deviations; what is
 * looked up has its own
 */
#define DENSE_FAR_Z4 0.5f
#define DENSE_ALIKE 0.25f              /* mean calibrated similarity of neighbouring turns */

#define DENSE_RELATED  0.35f           /* correlation of neighbours' cosines, as it mostly is, */
#define DENSE_PAIRS    128             /* which weighs as many pairs of them as this */
#define DENSE_APART    0.05f           /* up to here they are not related, */
#define DENSE_TOGETHER 0.15f           /* from here on they are */
#define DENSE_MOST_PAIRS 16384         /* more tell nothing new */

struct dense_ann;

struct dense {
	const struct corpus *corpus;       /* borrowed */
	float unrelated;                   /* mean cosine of unrelated texts, by the model */
	struct dense_ann *few;             /* the turns that are known; NULL: all are, in */
	const uint64_t *known;             /* few: a bit a turn */
	float *cosine;                     /* [n] of the best of the turn's chunks, or DENSE_NONE */
	uint32_t *slot;                    /* [n] where that chunk's vector is */
	float *session;                    /* [n_sessions] the best window of it, or DENSE_NONE */
	/*
	 * [n_sessions] 0-1, of sessions of no known kind: whether neighbours are of one matter;
	 * NULL: taken to be
	 */
	float *related;
	struct dense_spread { float mean, sd; } turns, windows, sessions;
	/* of a turn's vector and half of none, one or two neighbours', by DENSE_ALIKE */
	float length[3];
	uint32_t n, n_known;               /* turns; those that have a vector */
};

void dense_open(struct dense *d, const struct corpus *c, float unrelated);
/* The same, to know few turns. */
void dense_open_few(struct dense *d, const struct corpus *c, float unrelated);
void dense_close(struct dense *d);

/* ---- dense_few.c ---- */
/* DENSE_FAR when it is not known */
float dense_ann_cosine(const struct dense_ann *f, uint32_t turn);
uint32_t dense_ann_slot(const struct dense_ann *f, uint32_t turn);
void dense_ann_set(struct dense *d, uint32_t turn, float cosine, uint32_t slot);
void dense_ann_put(struct dense *d, uint32_t turn, float cosine, uint32_t slot);
uint32_t dense_ann_next(const struct dense_ann *f, uint32_t turn, uint32_t end, float above);
/* From now on dense_next with the same above has a bit a turn to go by. */
void dense_ann_mark(struct dense *d, float above);
/*
 * Turns of the sample that stand together [n], ascending, a turn more than once where it has
 * chunks; their cosines. Before dense_measure.
 */
void dense_ann_sample(struct dense *d, const uint32_t *turns, const float *cosines, size_t n);
void dense_ann_measure(struct dense *d);
uint32_t dense_session_of(const struct corpus *c, uint32_t turn);          /* by halves */
void dense_ann_free(struct dense_ann *f);
#define DENSE_NEAREST 8
/*
 * Of the known turns of a session the k nearest, at most DENSE_NEAREST: their slots, nearest first;
 * how many.
 */
size_t dense_ann_nearest(const struct dense *d, uint32_t session, size_t k, uint32_t *slots);
/* The best window of a session by what is known by now; DENSE_NONE: nothing is. */
float dense_ann_best(const struct dense *d, uint32_t session);
/*
 * Sessions [n] whose neighbours were looked up have best [n] for what dense_measure thought: so all
 * others' are moved, and mean and deviation with them.
 */
void dense_ann_correct(struct dense *d, const uint32_t *sessions, const float *best, size_t n);

/* Most questions about a turn end here. */
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

/* A chunk's cosine; the best of a turn counts. */
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
 * The same of n turns that follow each other and have a chunk each, in slots that do. Where all are
 * to be known.
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

/* A turn's cosine as it is found to be, DENSE_NONE too. */
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

/* After the last: means, deviations and sessions. Cost: linear in n, 3 ns a turn. */
void dense_measure(struct dense *d);

/*
 * The first turn from turn on, before end, whose cosine is above that; end when there is none.
 * Cost: .2 ns a turn.
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

/* Of a turn and its session: z4 scores, 0 when nothing is known. */
static inline float
dense_turn(const struct dense *d, uint32_t turn)
{
	float c = dense_cosine(d, turn);

	return c == DENSE_NONE ? 0
	    : c == DENSE_FAR   ? DENSE_FAR_Z4
			       : (c - d->turns.mean) / d->turns.sd / 4;
}
/* z4 of the best that a turn's window and a session have; 0 without a vector. */
float dense_window(const struct dense *d, uint32_t turn, uint32_t session);
float dense_session(const struct dense *d, uint32_t session);
static inline float
dense_related(const struct dense *d, uint32_t session)
{
	return d->related != NULL ? d->related[session] : 1;
}
/*
 * The turn's cosine as users see it: (cosine - unrelated) / (1 - unrelated); NAN when it has no
 * vector.
 */
float dense_sim(const struct dense *d, uint32_t turn);

#endif
