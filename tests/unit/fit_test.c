/*
 * fit_test.c: weights that were planted are found again; gradients against differences; one
 * question solved by hand.
 */
#include <math.h>

#include "math/fit.h"
#include "tap.h"

#define N_FEATURES   5
#define N_QUESTIONS  600
#define N_CANDIDATES 30

static uint32_t seed = 7;

static double
next_uniform(void)     /* (0, 1) */
{
	seed = seed * 1664525u + 1013904223u;
	return ((double)(seed >> 8) + .5) / 16777216;
}

static double
next_normal(void)
{
	return sqrt(-2 * log(next_uniform())) * cos(6.283185307179586 * next_uniform());
}

static const double planted[N_FEATURES] = { 2, -1, .5, 0, 3 };
static float x[N_QUESTIONS][N_CANDIDATES][N_FEATURES];
static uint32_t targets[N_QUESTIONS][2];
static struct fit_question questions[N_QUESTIONS];
static const struct fit_set set = { questions, N_QUESTIONS, N_FEATURES };

/*
 * The target is drawn from the softmax of the planted scores (the largest of score plus Gumbel
 * noise), so that w = planted is the truth.
 */
static void
plant(void)
{
	double best, score;
	size_t q, i, f;

	for (q = 0; q < N_QUESTIONS; q++) {
		best = -INFINITY;
		for (i = 0; i < N_CANDIDATES; i++) {
			score = -log(-log(next_uniform()));
			for (f = 0; f < N_FEATURES; f++) {
				x[q][i][f] = (float)next_normal();
				score += planted[f] * (double)x[q][i][f];
			}
			if (score > best) {
				best = score;
				targets[q][0] = (uint32_t)i;
			}
		}
		questions[q] = (struct fit_question){ x[q][0], targets[q], N_CANDIDATES, 1,
			(unsigned)q % 3, (unsigned)q % 4 };
	}
}

static double
furthest(const double *a, const double *b)
{
	double max = 0;
	size_t f;

	for (f = 0; f < N_FEATURES; f++)
		max = MAX(max, fabs(a[f] - b[f]));
	return max;
}

static void
test_planted(void)
{
	struct fit_options opt = FIT_OPTIONS;
	double w[N_FEATURES] = { 0 }, again[N_FEATURES] = { 9, 9, -9, 9, -9 },
	       small[N_FEATURES] = { 0 };
	struct fit_report rep;

	opt.l2 = 1e-6;
	is_int(fit_weights(&set, &opt, w, &rep), 0, "learns");
	is_int(rep.n_used, N_QUESTIONS, "from all questions");
	ok(rep.gradient < 1e-6, "to the minimum: gradient %.2g after %u steps", rep.gradient,
	    rep.n_steps);
	ok(furthest(w, planted) < .3, "planted weights come back, within %.3f",
	    furthest(w, planted));
	is_int(fit_weights(&set, &opt, again, NULL), 0, "from a far start");
	ok(furthest(w, again) < 1e-4, "the same minimum (%.2g)", furthest(w, again));
	opt.l2 = 1;
	fit_weights(&set, &opt, small, NULL);
	ok(fabs(small[4]) < fabs(w[4]) / 3, "a penalty shrinks: %.3f", small[4]);
	memcpy(again, (double[N_FEATURES]){ 0 }, sizeof again);
	opt.l2 = 1e-6;
	fit_weights(&set, &opt, again, NULL);
	ok(memcmp(w, again, sizeof w) == 0, "the same bits every time");
}

/* Of w as it is; gradient: its largest component. */
static double
loss_at(const struct fit_set *of, struct fit_options opt, double *w, double *gradient)
{
	struct fit_report rep;

	opt.max_steps = 0;
	fit_weights(of, &opt, w, &rep);
	if (gradient != NULL)
		*gradient = rep.gradient;
	return rep.loss;
}

static void
test_gradient(void)
{
	struct fit_options opt = FIT_OPTIONS;
	double w[N_FEATURES] = { .3, -.2, .1, .7, -.4 }, g, up, down, worst = 0;
	size_t f;

	opt.l2 = .05;
	targets[0][1] = (targets[0][0] + 1) % N_CANDIDATES;    /* one with two targets */
	questions[0].n_targets = 2;
	for (f = 0; f < N_FEATURES; f++) {
		uint8_t fixed[N_FEATURES] = { 1, 1, 1, 1, 1 };
		fixed[f] = 0;          /* so that the largest component is this one's */
		opt.fixed = fixed;
		loss_at(&set, opt, w, &g);
		w[f] += 1e-5;
		up = loss_at(&set, opt, w, NULL);
		w[f] -= 2e-5;
		down = loss_at(&set, opt, w, NULL);
		w[f] += 1e-5;
		worst = MAX(worst, fabs(fabs((up - down) / 2e-5) - g));
	}
	questions[0].n_targets = 1;
	ok(worst < 1e-8, "gradient is that of the loss: %.2g", worst);
}

static void
test_fixed(void)
{
	const uint8_t fixed[N_FEATURES] = { 0, 1, 0, 0, 1 };
	struct fit_options opt = FIT_OPTIONS;
	double w[N_FEATURES] = { 0, .25, 0, 0, 0 };

	opt.fixed = fixed;
	fit_weights(&set, &opt, w, NULL);
	ok(w[1] == .25 && w[4] == 0, "fixed weights stay");
	ok(w[0] > .2, "the others are learnt: %.3f", w[0]);
}

/*
 * By hand: two candidates, x 1 and 0, the first relevant in three questions of category 0 and the
 * second in the one of category 1. With the categories alike (1/2 each) and no penalty the best p
 * of the first is 1/2, w = 0; were questions weighted alike it would be ln 3.
 */
static void
test_categories(void)
{
	static const float two[2] = { 1, 0 };
	static const uint32_t first = 0, second = 1;
	const struct fit_question few[] = {
		{ two, &first, 2, 1, 0, 0 }, { two, &first, 2, 1, 0, 0 }, { two, &first, 2, 1, 0, 0 }, { two, &second, 2, 1, 1, 0 },
		/* without a target: as if it were not there */
		{ two, &first, 2, 0, 0, 0 },
	};
	const struct fit_set by_category = { few, 5, 1 };
	struct fit_set one_category;
	struct fit_question same[5];
	struct fit_options opt = FIT_OPTIONS;
	double w = 1, loss;
	struct fit_report rep;
	size_t i;

	opt.l2 = 0;
	fit_weights(&by_category, &opt, &w, &rep);
	ok(fabs(w) < 1e-6, "categories weigh alike: %.9f", w);
	is_int(rep.n_used, 4, "a question without targets is passed over");
	ok(fabs(rep.loss - 0.69314718055994531) < 1e-12, "loss ln 2: %.12f", rep.loss);
	for (i = 0; i < 5; i++) {
		same[i] = few[i];
		same[i].category = 6;
	}
	one_category = (struct fit_set){ same, 5, 1 };
	w = 0;
	fit_weights(&one_category, &opt, &w, NULL);
	ok(fabs(w - 1.0986122886681098) < 1e-6, "in one category questions do: ln 3, %.9f", w);
	w = 2;
	opt.l2 = .5;
	/* 3/4 ln(1 + e^-2) + 1/4 ln(1 + e^2) + .5 * 4 */
	loss = loss_at(&one_category, opt, &w, NULL);
	ok(fabs(loss - 2.626928011042972) < 1e-12, "penalty added: %.12f", loss);
}

static void
test_leave_out(void)
{
	struct fit_options opt = FIT_OPTIONS;
	double all[N_FEATURES] = { 0 }, without[N_FEATURES] = { 0 }, again[N_FEATURES] = { 0 };

	fit_weights(&set, &opt, all, NULL);
	opt.leave_group = 1;
	fit_weights(&set, &opt, without, NULL);
	ok(memcmp(all, without, sizeof(all)) != 0, "without a group the weights are others");
	/* group 1 lies: its own fold must not see it */
	for (size_t q = 1; q < N_QUESTIONS; q += 4)
		targets[q][0] = (targets[q][0] + 11) % N_CANDIDATES;
	fit_weights(&set, &opt, again, NULL);
	ok(memcmp(again, without, sizeof(again)) == 0, "what is left out teaches nothing");
}

static void
test_rank(void)
{
	static const float rows[] = { 1, 0, 3, 1, 2, 2, 3, 1 };
	const struct fit_question q = { rows, NULL, 4, 0, 0, 0 };
	const double w[] = { 1, -1 };
	uint32_t top[8];

	is_int(fit_rank(&q, 2, w, 3, top), 3, "three of four");      /* scores 1 2 0 2 */
	ok(top[0] == 1 && top[1] == 3 && top[2] == 0, "best first, ties by row");
	is_int(fit_rank(&q, 2, w, 8, top), 4, "no more than there are");
}

static void
test_nothing(void)
{
	const struct fit_set none = { NULL, 0, 3 },
			     wide = { questions, N_QUESTIONS, FIT_FEATURES_MAX + 1 };
	struct fit_options opt = FIT_OPTIONS;
	double w[3] = { 1, 2, 3 };

	is_int(fit_weights(&none, &opt, w, NULL), -1, "no questions");
	ok(w[0] == 1 && w[2] == 3, "weights as they were");
	is_int(fit_weights(&wide, &opt, w, NULL), -1, "too many features");
}

int
main(void)
{
	plant();
	test_planted();
	test_gradient();
	test_fixed();
	test_categories();
	test_rank();
	test_nothing();
	test_leave_out();          /* last: it spoils the targets */
	return tap_done();
}
