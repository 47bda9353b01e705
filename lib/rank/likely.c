/*
 * likely.c: two logistic models, with and without vectors.
 */
#include "rank/likely.h"

#include <math.h>

#define OF_ANOTHER 1.0f            /* fitted for both models: between .8 and 1.6 it made no difference to questions about something else */

float
likely(const struct likely_by *by)
{
	float sum;

	if (by->dense)
		sum = -4.48f + 2.39f * by->coverage + 3.87f * by->window + 8.79f * by->sim + 4.00f * by->date + 4.12f * by->code;
	else
		sum = -2.80f + 1.58f * by->coverage + 9.15f * by->window + 2.48f * by->date + 5.23f * by->code;
	sum -= by->other ? OF_ANOTHER : 0;
	return 1 / (1 + expf(-sum));
}
