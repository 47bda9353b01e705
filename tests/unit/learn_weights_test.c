/*
 * learn_weights_test.c: weights of hybrid, learnt from candidates made by hand.
 */
#include "eval/learn_weights.h"
#include "tap.h"

static double weight[3], low[3], high[3], matters[3];
static size_t n_weights;

static void
note(void *arg, const struct learn_weights_weight *w)
{
	(void)arg;
	weight[n_weights] = w->weight;
	low[n_weights] = w->low;
	high[n_weights] = w->high;
	matters[n_weights++] = w->matters;
}

static double recall;

static void
on_score(void *arg, const struct score *v)
{
	(void)arg;
	if (strcmp(v->category, "all") == 0)
		recall = v->recall[0];
}

#define NO_ANSWER SEARCH_SIDES
#define BY_NONE   (SEARCH_SIDES + 1)

/*
 * Twenty questions of so many users with 30 candidates; the answer leads by one side, others by
 * the rest.
 */
static int
learn(size_t side, unsigned n_users, struct err *err)
{
	static const unsigned k[] = { 1 };
	struct learn_weights *g = learn_weights_new(true);
	static const bool none[N_SIGNALS];
	struct scores *s = scores_new(k, 1);
	float sides[30][SEARCH_SIDES];
	int64_t rows[30] = { 0 };
	uint8_t kinds[30] = { 0 };
	const uint32_t target = 7;
	char user[8];
	int rc;

	for (unsigned q = 0; q < 20; q++) {
		struct search_features f = { 30, NULL, (const float(*)[SEARCH_SIDES])sides, rows,
			kinds };
		for (unsigned i = 0; i < 30; i++)
			for (unsigned m = 0; m < SEARCH_SIDES; m++)
				sides[i][m] = m == side ? (i == target ? .5f : .2f)
				    : (i == target ? .2f : .45f);
		snprintf(user, sizeof(user), "u%u", q % n_users);
		learn_weights_add(g, user, "c", &f, &target, side != NO_ANSWER, 1);
	}
	n_weights = 0;
	rc = learn_weights_learn(g, none, s, note, NULL, err);
	scores_each(s, on_score, NULL);
	scores_free(s);
	learn_weights_free(g);
	return rc;
}

int
main(void)
{
	struct err err = ERR_INIT;

	for (size_t side = 0; side < SEARCH_SIDES; side++) {
		is_int(learn(side, 10, &err), 0, "learns");
		ok(n_weights == 3 && weight[side] > .45, "the side that leads has most weight");
		ok(weight[0] + weight[1] + weight[2] > .999 &&
		    weight[0] + weight[1] + weight[2] < 1.001, "they add up to 1");
		ok(low[side] <= weight[side] && weight[side] <= high[side], "within the parts'");
		ok(matters[side] > .5, "without it nothing is found");
		ok(recall > .999, "what was left out is found");
	}
	is_int(learn(1, 1, &err), 0, "questions of one user are left out a tenth at a time");
	ok(low[1] > .45 && recall > .999, "and each tenth is answered by the others");
	is_int(learn(BY_NONE, 10, &err), 0, "answers that lead by no side teach");
	ok(n_weights == 3 && weight[0] > .599 && weight[0] < .601 && weight[1] > .299 &&
	    weight[1] < .301 && weight[2] > .099 && weight[2] < .101,
	    "where the answers lead by nothing the built-in weights stay");
	is_int(learn(NO_ANSWER, 10, &err), -1, "no answers, nothing to learn");
	is_int(err.code, ERR_DATA, "as the error says");
	return tap_done();
}
