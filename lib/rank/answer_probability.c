/* answer_probability.c: two logistic models, with and without vectors. */
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
/*
 * With vectors. 132 natural questions about matters in public chats, meetings and agents' sessions,
 * and 33 in a prompt, were also asked of a memory that has no answer: by multilingual-e5-small .21
 * and .42 of them had a likely hit there without it, and .06 and .24 with it. In their own memory
 * .98 and .91 of them have one instead of .99 and .97. By words alone it would cost as many right
 * hits as it would save wrong ones.
 */
#define OF_MATTER 0.8f
/*
 * With vectors, where the hit is in another language than the question, so that its words cannot
 * be found. 60 questions of public histories, put into French, German, Polish, Portuguese and
 * Spanish and asked of their own memory and of another: 31 and 1 had a likely hit without
 * it and 41 and 1 have one with it; as they stood, in English, it is 57 and 10.
 */
#define OF_FOREIGN 0.7f

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
	if (by->matter && by->dense)
		sum -= OF_MATTER;
	if (by->dense)
		sum += OF_FOREIGN * by->foreign;
	if (by->other)
		sum -= by->prompt ? OF_ANOTHER_PROMPT : OF_ANOTHER;
	return 1 / (1 + real_expf(-sum));
}
