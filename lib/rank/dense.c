/*
 * dense.c: cosines of turns become signals.
 */
#include "rank/dense.h"

#include <math.h>

#include "base/alloc.h"

#define LEAST_SD 1e-4f             /* of a memory whose turns are all alike */

void
dense_open(struct dense *d, const struct corpus *c, float unrelated)
{
	float alike = unrelated + (1 - unrelated) * DENSE_ALIKE;

	memset(d, 0, sizeof(*d));
	d->corpus = c;
	d->unrelated = unrelated;
	/* |t + .5 p + .5 n| of unit vectors */
	d->length[0] = 1;
	d->length[1] = sqrtf(1.25f + alike);
	d->length[2] = sqrtf(1.5f + 2.5f * alike);
	d->n = c->n;
	d->cosine = xbig(c->n * sizeof(*d->cosine) + 1);
	d->slot = xbig(c->n * sizeof(*d->slot) + 1);
	d->session = xcalloc(c->n_sessions + 1u, sizeof(*d->session));
	for (uint32_t i = 0; i < c->n; i++)
		d->cosine[i] = DENSE_NONE;
}

void
dense_close(struct dense *d)
{
	if (d->corpus == NULL)
		return;
	xbig_free(d->cosine, d->n * sizeof(*d->cosine) + 1);
	xbig_free(d->slot, d->n * sizeof(*d->slot) + 1);
	free(d->session);
	memset(d, 0, sizeof(*d));
}

/* The cosine of the window of a turn of the session first .. end-1, which has a vector. */
static inline float
window_of(const struct dense *d, uint32_t turn, uint32_t first, uint32_t end)
{
	float sum = d->cosine[turn];
	unsigned n = 0;

	if (turn > first && d->cosine[turn - 1] != DENSE_NONE) {
		sum += 0.5f * d->cosine[turn - 1];
		n++;
	}
	if (turn + 1 < end && d->cosine[turn + 1] != DENSE_NONE) {
		sum += 0.5f * d->cosine[turn + 1];
		n++;
	}
	return sum / d->length[n];
}

static void
spread(struct dense_spread *s, double sum, double squares, uint32_t n)
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

	for (uint32_t s = 0; s < c->n_sessions; s++) {
		uint32_t first = c->session_first[s], end = c->session_first[s + 1];
		float best = DENSE_NONE;
		for (uint32_t i = first; i < end; i++) {
			if (d->cosine[i] == DENSE_NONE)
				continue;
			float v = d->cosine[i], w = window_of(d, i, first, end);
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
	spread(&d->turns, sum[0], squares[0], d->n_known);
	spread(&d->windows, sum[1], squares[1], d->n_known);
	spread(&d->sessions, sum[2], squares[2], n_sessions);
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

	if (d->cosine[turn] == DENSE_NONE)
		return 0;
	return z4(&d->windows, window_of(d, turn, first[0], first[1]));
}

float
dense_session(const struct dense *d, uint32_t session)
{
	return d->session[session] == DENSE_NONE ? 0 : z4(&d->sessions, d->session[session]);
}

float
dense_sim(const struct dense *d, uint32_t turn)
{
	return d->cosine[turn] == DENSE_NONE ? NAN : (d->cosine[turn] - d->unrelated) / (1 - d->unrelated);
}
