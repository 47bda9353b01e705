/*
 * likely.c: two logistic models, with and without vectors.
 */
#include "rank/likely.h"

#include <math.h>

#include "base/base.h"

#define MOST_CANDIDATES 20000      /* learnt on hundreds to thousands; beyond this more are taken to change nothing */

float
likely(const struct likely_by *by)
{
	float many = log1pf((float)MIN(by->n_candidates, (size_t)MOST_CANDIDATES)), sum;

	if (by->dense)
		sum = -0.06f + 3.14f * by->coverage - 0.75f * many + 1.44f * by->sim + 1.61f * by->z4 + 1.47f * by->date + 0.27f * by->code;
	else
		sum = -0.49f + 2.82f * by->coverage - 5.22f * by->bm25 + 8.31f * by->head * by->bm25 - 0.52f * many + 1.03f * by->date + 0.76f * by->code;
	return 1 / (1 + expf(-sum));
}
