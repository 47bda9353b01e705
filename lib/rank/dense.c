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
}

static float
z4(const struct dense_spread *s, float v)
{
	return (v - s->mean) / s->sd / 4;
}

float
dense_window_or(const struct dense *d, uint32_t turn, uint32_t session, float none)
{
	const uint32_t *first = d->corpus->session_first + session;
	float c = dense_cosine(d, turn);

	if (c == DENSE_NONE || c == DENSE_FAR)
		return c == DENSE_NONE ? none : DENSE_FAR_Z4;
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

float
dense_sim_of(const struct dense *d, float z4)
{
	return (d->turns.mean + 4 * d->turns.sd * z4 - d->unrelated) / (1 - d->unrelated);
}
