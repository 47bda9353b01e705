/* dense.c: turns cosines into signals. */
#include "rank/dense_ann.h"

#include <math.h>

#include "base/alloc.h"

#define LEAST_SD 1e-4f             /* a lower bound, for memories whose turns are all alike */

static void
open_any(struct dense *d, const struct corpus *c, float unrelated)
{
	float alike = unrelated + (1 - unrelated) * DENSE_ALIKE;

	memset(d, 0, sizeof(*d));
	d->corpus = c;
	d->unrelated = unrelated;
	/* |t + .5 p + .5 n| of unit vectors t, p, n with the similarity DENSE_ALIKE */
	d->length[0] = 1;
	d->length[1] = sqrtf(1.25f + alike);
	d->length[2] = sqrtf(1.5f + 2.5f * alike);
	d->n = c->n;
	d->session = xcalloc(c->n_sessions + 1u, sizeof(*d->session));
}

void
dense_open(struct dense *d, const struct corpus *c, float unrelated)
{
	open_any(d, c, unrelated);
	d->cosine = xbig(c->n * sizeof(*d->cosine) + 1);
	d->slot = xbig(c->n * sizeof(*d->slot) + 1);
	for (uint32_t i = 0; i < c->n; i++)
		d->cosine[i] = DENSE_NONE;
}

void
dense_open_few(struct dense *d, const struct corpus *c, float unrelated)
{
	open_any(d, c, unrelated);
	d->few = dense_ann_new(c->n, &d->known);
}

void
dense_close(struct dense *d)
{
	if (d->corpus == NULL)
		return;
	if (d->few == NULL) {
		xbig_free(d->cosine, d->n * sizeof(*d->cosine) + 1);
		xbig_free(d->slot, d->n * sizeof(*d->slot) + 1);
	}
	dense_ann_free(d->few);
	free(d->session);
	free(d->related);
	memset(d, 0, sizeof(*d));
}

/* The cosine of a neighbour; the mean when it is unknown. */
static inline float
beside(const struct dense *d, uint32_t turn)
{
	float c = dense_cosine(d, turn);

	return c == DENSE_FAR ? d->turns.mean : c;
}

float
dense_window_of(const struct dense *d, uint32_t turn, uint32_t first, uint32_t end)
{
	float before = turn > first ? beside(d, turn - 1) : DENSE_NONE,
	      after = turn + 1 < end ? beside(d, turn + 1) : DENSE_NONE;

	return dense_window_from(d, dense_cosine(d, turn), before, after);
}

void
dense_spread_of(struct dense_spread *s, double sum, double squares, uint32_t n)
{
	double mean = n > 0 ? sum / n : 0, variance = n > 0 ? squares / n - mean * mean : 0;

	s->mean = (float)mean;
	s->sd = variance > 0 ? MAX((float)sqrt(variance), LEAST_SD) : LEAST_SD;
}

/* ---- whether neighbours are related ---- */

/*
 * Sums over turns that have a vector: count, sum and squares of cosines; and for pairs of
 * neighbours, and of turns next but one, count and sum of products.
 */
struct neighbour_sums { double n, sum, squares, pairs[2], products[2]; };

static void
add_sums(struct neighbour_sums *to, const struct neighbour_sums *k)
{
	to->n += k->n;
	to->sum += k->sum;
	to->squares += k->squares;
	for (size_t i = 0; i < 2; i++) {
		to->pairs[i] += k->pairs[i];
		to->products[i] += k->products[i];
	}
}

static struct neighbour_sums
sums_of(const struct dense *d, uint32_t first, uint32_t end)
{
	const float *cosine = d->cosine;
	/*
	 * deviations are taken from the mean of all, which is large beside them: pairs leave out
	 * some turns at the ends of sessions, and their share of the mean would look like a
	 * correlation
	 */
	double mean = (double)d->turns.mean;
	struct neighbour_sums k = { 0 };

	end = MIN(end, first + DENSE_MOST_PAIRS);
	for (uint32_t i = first; i < end; i++) {
		double c = (double)cosine[i] - mean;
		if (cosine[i] == DENSE_NONE)
			continue;
		k.n++;
		k.sum += c;
		k.squares += c * c;
		for (uint32_t lag = 1; lag <= 2 && i >= first + lag; lag++)
			if (cosine[i - lag] != DENSE_NONE) {
				k.pairs[lag - 1]++;
				k.products[lag - 1] += c * ((double)cosine[i - lag] - mean);
			}
	}
	return k;
}

/*
 * The correlation of neighbouring turns, shrunk towards `expected` as if that had been seen in
 * DENSE_PAIRS pairs; or that of turns next but one when it is higher, since with questions and
 * answers, or headings and texts, only every other turn may be alike.
 */
static double
correlation(const struct neighbour_sums *k, double expected)
{
	double mean = k->sum / MAX(k->n, 1), variance = k->squares / MAX(k->n, 1) - mean * mean,
	       best = -1;

	if (!(variance > 0))
		return expected;
	for (size_t i = 0; i < 2; i++)
		best = MAX(best,
		    ((k->products[i] - k->pairs[i] * mean * mean) / variance +
			DENSE_PAIRS * expected) /
			(k->pairs[i] + DENSE_PAIRS));
	return best;
}

/* Maps a correlation to 0, unrelated, to 1, related. */
static float
related_by(double r)
{
	return (
	    float)MIN(MAX((r - (double)DENSE_APART) / (double)(DENSE_TOGETHER - DENSE_APART), 0),
	    1);
}

static void
relate(struct dense *d)
{
	const struct corpus *c = d->corpus;
	struct neighbour_sums *of = NULL, all = { 0 };
	size_t n = 0, cap = 0;
	double expected;

	/* a sample of the first n sessions is enough */
	for (; n < c->n_sessions && all.pairs[0] < DENSE_MOST_PAIRS; n++) {
		xgrow(&of, &cap, n + 1, sizeof(*of));
		of[n] = c->kind[n] == SESSION_UNKNOWN
		    ? sums_of(d, c->session_first[n], c->session_first[n + 1])
		    : (struct neighbour_sums){ 0 };
		add_sums(&all, &of[n]);
	}
	if (all.pairs[0] > 0) {
		expected = correlation(&all, (double)DENSE_RELATED);
		d->related = xreallocarray(NULL, c->n_sessions, sizeof(*d->related));
		for (size_t i = 0; i < c->n_sessions; i++) {
			/*
			 * a session with few pairs has a mean of its own, about which its turns
			 * vary as if unrelated however alike they are
			 */
			bool enough = i < n && of[i].pairs[0] >= 2 * DENSE_PAIRS;
			d->related[i] = c->kind[i] == SESSION_UNKNOWN
			    ? related_by(enough ? correlation(&of[i], expected) : expected)
			    : 1;
		}
	}
	free(of);
}

void
dense_measure(struct dense *d)
{
	const struct corpus *c = d->corpus;
	double sum[3] = { 0 }, squares[3] = { 0 };
	uint32_t n_sessions = 0;

	if (d->few != NULL) {
		dense_ann_measure(d);
		return;
	}
	for (uint32_t s = 0; s < c->n_sessions; s++) {
		uint32_t first = c->session_first[s], end = c->session_first[s + 1];
		float best = DENSE_NONE;
		for (uint32_t i = first; i < end; i++) {
			if (d->cosine[i] == DENSE_NONE)
				continue;
			float v = d->cosine[i],
			      w = dense_window_from(d, v, i > first ? d->cosine[i - 1] : DENSE_NONE,
				  i + 1 < end ? d->cosine[i + 1] : DENSE_NONE);
			sum[0] += (double)v;
			squares[0] += (double)v * (double)v;
			sum[1] += (double)w;
			squares[1] += (double)w * (double)w;
			best = MAX(best, w);
		}
		d->session[s] = best;
		if (best != DENSE_NONE) {
			sum[2] += (double)best;
			squares[2] += (double)best * (double)best;
			n_sessions++;
		}
	}
	dense_spread_of(&d->turns, sum[0], squares[0], d->n_known);
	dense_spread_of(&d->windows, sum[1], squares[1], d->n_known);
	dense_spread_of(&d->sessions, sum[2], squares[2], n_sessions);
	relate(d);
}

static float
z4(const struct dense_spread *s, float v)
{
	return (v - s->mean) / s->sd / 4;
}

float
dense_window(const struct dense *d, uint32_t turn, uint32_t session)
{
	const uint32_t *first = d->corpus->session_first + session;
	float c = dense_cosine(d, turn);

	if (c == DENSE_NONE || c == DENSE_FAR)
		return c == DENSE_NONE ? 0 : DENSE_FAR_Z4;
	return z4(&d->windows, dense_window_of(d, turn, first[0], first[1]));
}

float
dense_session(const struct dense *d, uint32_t session)
{
	return d->session[session] == DENSE_NONE ? 0 : z4(&d->sessions, d->session[session]);
}

float
dense_sim(const struct dense *d, uint32_t turn)
{
	float c = dense_cosine(d, turn);

	return c == DENSE_NONE || c == DENSE_FAR ? NAN : (c - d->unrelated) / (1 - d->unrelated);
}
