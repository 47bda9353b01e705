/*
 * answer_probability.c: two logistic models, with and without vectors.
 */
#include "rank/answer_probability.h"

#include "math/real.h"


/*
 * chosen for both models: between .8 and 1.6 it made no difference to questions about something
 * else
 */
#define OF_ANOTHER 1.0f
/*
 * the same in a prompt, which also names whom the question is not about. With 1 p keeps .94 of
 * LoCoMo's wrapped questions that it keeps of bare ones, by words, .97 with MiniLM, with .5 .96 and
 * .99, and as many that other chats are asked (.05, .06). From .4 to .7 p fits best.
 */
#define OF_ANOTHER_PROMPT 0.5f

float
answer_probability(const struct answer_evidence *by)
{
	float sum;

	if (by->dense)
		sum = -3.51f + 3.77f * by->near + 5.95f * by->sim - 0.68f * by->z4 +
		    1.73f * by->date + 0.71f * by->code - 1.40f * by->behind;
	else
		sum = -2.80f + 5.13f * by->near + 0.21f * by->score - 0.84f * by->length +
		    1.24f * by->date + 0.62f * by->code - 0.75f * by->behind;
	if (by->other)
		sum -= by->prompt ? OF_ANOTHER_PROMPT : OF_ANOTHER;
	return 1 / (1 + real_expf(-sum));
}
