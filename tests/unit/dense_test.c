/*
 * dense_test.c: z-scores of turns, windows and sessions by hand. Two sessions: turns 0, 1, 2, 3 and
 * turns 4, 5; turn 2 has no vector.
 */
#include <math.h>

#include "tap.h"

#include "rank/dense_ann.h"

static uint32_t session_first[] = { 0, 4, 6 };
static uint8_t kind[] = { SESSION_CHAT, SESSION_UNKNOWN };
static struct corpus corpus = { .n = 6,
	.n_sessions = 2,
	.session_first = session_first,
	.kind = kind };

static void
is_near(float got, double want, const char *what)
{
	if (!ok(fabs((double)got - want) < 1e-4, "%s", what))
		tap_note("got %g, want %g", (double)got, want);
}

/* (v - mean) / standard deviation / 4 of x [n]. */
static double
z4(const double *x, size_t n, double v)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		squares += x[i] * x[i];
	}
	return (v - sum / (double)n) /
	    sqrt(squares / (double)n - sum / (double)n * (sum / (double)n)) / 4;
}

static void
test_signals(void)
{
	/*
	 * neighbours are alike by .2 + .8 * .25 = .4: one of them makes a window sqrt(1.25 + .4)
	 * long, two sqrt(1.5 + 2.5 * .4)
	 */
	static const double turns[] = { 0.9, 0.5, 0.3, 0.2, 0.6 };
	const double one = sqrt(1.65);
	const double windows[] = { (0.9 + 0.25) / one, (0.5 + 0.45) / one, 0.3, (0.2 + 0.3) / one,
		(0.6 + 0.1) / one };
	const double sessions[] = { windows[0], windows[4] };
	struct dense d;

	dense_open(&d, &corpus, 0.2f);
	dense_set(&d, 0, 0.4f, 7);
	dense_set(&d, 0, 0.9f, 8);             /* the best chunk counts */
	dense_set(&d, 0, 0.5f, 9);
	dense_set(&d, 5, 0.6f, 1);
	dense_set(&d, 1, 0.5f, 3);
	dense_set(&d, 3, 0.3f, 2);
	dense_set(&d, 4, 0.2f, 0);
	dense_measure(&d);
	is_int(d.n_known, 5, "turns with a vector");
	is_int(d.slot[0], 8, "the slot of the best chunk");
	is_near(dense_turn(&d, 0), z4(turns, 5, 0.9), "turn");
	is_near(dense_turn(&d, 4), z4(turns, 5, 0.2), "turn below the mean");
	is_near(dense_turn(&d, 2), 0, "a turn without a vector is the mean");
	is_near(dense_window_or(&d, 0, 0, 0), z4(windows, 5, windows[0]), "window: one neighbour");
	is_near(dense_window_or(&d, 1, 0, 0), z4(windows, 5, windows[1]),
	    "window: a neighbour without a vector is none");
	is_near(dense_window_or(&d, 3, 0, 0), z4(windows, 5, windows[2]),
	    "window: the next turn is of another session");
	is_near(dense_window_or(&d, 5, 1, 0), z4(windows, 5, windows[4]), "window: the last");
	is_near(dense_window_or(&d, 2, 0, 0), 0, "window of a turn without a vector");
	is_near(dense_session(&d, 0), z4(sessions, 2, sessions[0]), "session: its best window");
	is_near(dense_session(&d, 1), z4(sessions, 2, sessions[1]), "session: the other");
	is_near(dense_sim(&d, 5), 0.5, "sim: (.6 - .2) / .8");
	ok(isnan(dense_sim(&d, 2)), "sim of none");
	dense_close(&d);
}

/*
 * Many at once are the same as each by itself: unknown turns, better ones, worse ones, equal ones;
 * and those on either side stay.
 */
static void
test_run(void)
{
	static const float before[] = { 0.5f, DENSE_NONE, 0.2f, 0.7f, 0.4f, DENSE_NONE },
			   cosines[] = { -2.5f, 0.3f, 0.6f, 0.4f };
	struct dense d[2];
	bool same = true;

	for (size_t k = 0; k < 2; k++) {
		dense_open(&d[k], &corpus, 0.2f);
		for (uint32_t i = 0; i < 6; i++)
			if (before[i] != DENSE_NONE)
				dense_set(&d[k], i, before[i], 10 + i);
	}
	for (uint32_t i = 0; i < 4; i++)
		dense_set(&d[0], 1 + i, cosines[i], 20 + i);
	dense_set_run(&d[1], 1, cosines, 20, 4);
	for (uint32_t i = 0; i < 6; i++)
		same &= d[0].cosine[i] == d[1].cosine[i] &&
		    (d[0].cosine[i] == DENSE_NONE || d[0].slot[i] == d[1].slot[i]);
	ok(same, "a run of turns: cosines and slots");
	is_int(d[1].n_known, d[0].n_known, "a run of turns: how many are known");
	is_int(d[1].slot[2], 21, "the better one's slot");
	is_int(d[1].slot[4], 14, "an equal one stays");
	dense_close(&d[0]);
	dense_close(&d[1]);
}

static void
test_both_neighbours(void)
{
	struct dense d;
	float was;

	dense_open(&d, &corpus, 0);
	for (uint32_t i = 0; i < 6; i++)
		dense_set(&d, i, 0.1f * (float)i, i);
	dense_measure(&d);
	/* (.1 + 0 + .1) and (.2 + .05 + .15), both over sqrt(1.5 + 2.5 * .25) */
	is_near((dense_window_or(&d, 2, 0, 0) - dense_window_or(&d, 1, 0, 0)) * 4 * d.windows.sd,
	    0.2 / sqrt(2.125), "windows of two neighbours");
	was = dense_turn(&d, 3);
	d.cosine[3] = 0.9f;                    /* as an estimate made exact */
	ok(dense_turn(&d, 3) > was, "a cosine may be corrected afterwards");
	dense_close(&d);
}

static void
test_few(void)
{
	struct corpus none = { .session_first = session_first };
	struct dense d;

	dense_open(&d, &corpus, 0.5f);
	dense_measure(&d);
	ok(dense_turn(&d, 1) == 0 && dense_window_or(&d, 1, 0, 0) == 0 &&
		dense_session(&d, 1) == 0 &&
		d.n_known == 0,
	    "no vector at all");
	dense_set(&d, 1, 0.7f, 0);
	dense_measure(&d);
	ok(fabsf(dense_turn(&d, 1)) < 1e-3f && isfinite(dense_session(&d, 0)),
	    "one vector is its own mean");
	dense_close(&d);
	dense_open(&d, &none, 0);
	dense_measure(&d);
	dense_close(&d);
	dense_close(&d);
	ok(true, "an empty memory; closed twice");
}

/* Few known, against the same turns all known. */
static void
test_few_known(void)
{
	enum { TURNS = 4000, SESSIONS = 40, SAMPLE = 10 };
	static uint32_t first[SESSIONS + 1], turns[TURNS];
	static uint8_t kinds[SESSIONS];
	static float cosines[TURNS];
	struct corpus big = { .n = TURNS,
		.n_sessions = SESSIONS,
		.session_first = first,
		.kind = kinds };
	struct dense all, few;
	uint32_t slots[DENSE_NEAREST], near = 0;
	uint64_t x = 1;
	double sum = 0, squares = 0;
	bool same = true;

	for (uint32_t s = 0; s <= SESSIONS; s++)
		first[s] = s * (TURNS / SESSIONS);
	dense_open(&all, &big, 0.1f);
	dense_open_few(&few, &big, 0.1f);
	for (uint32_t i = 0; i < TURNS; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		turns[i] = i;
		cosines[i] = (float)(x >> 40) / (1 << 24) * 0.5f;
		dense_set(&all, i, cosines[i], i);
	}
	for (uint32_t i = TURNS; i-- > 0;)
		if (cosines[i] > 0.4f || i % 100 == 3) {
			/* a chunk that is further off */
			dense_set(&few, i, cosines[i] - 0.1f, 1);
			dense_set(&few, i, cosines[i], i);
			near++;
		}
	for (uint32_t i = 0; i < TURNS; i += SAMPLE)
		dense_ann_sample(&few, turns + i, cosines + i, SAMPLE);
	dense_measure(&all);
	dense_measure(&few);
	is_int(few.n_known, near, "a turn is known once");
	for (uint32_t s = 0; s < SESSIONS; s++) {
		float best = DENSE_NONE;
		for (uint32_t i = first[s]; i < first[s + 1]; i++) {
			float before = i == first[s]   ? DENSE_NONE
			    : dense_knows(&few, i - 1) ? cosines[i - 1]
						       : few.turns.mean;
			float after = i + 1 == first[s + 1] ? DENSE_NONE
			    : dense_knows(&few, i + 1)	    ? cosines[i + 1]
							    : few.turns.mean;
			if (dense_knows(&few, i))
				best =
				    MAX(best, dense_window_from(&few, cosines[i], before, after));
		}
		same &= few.session[s] == best;
	}
	ok(same, "the best window of a session, with those beside its turns that are known");
	for (uint32_t s = 0; s < SESSIONS; s++) {
		sum += (double)few.session[s];
		squares += (double)few.session[s] * (double)few.session[s];
	}
	is_near(few.sessions.sd, sqrt(squares / SESSIONS - sum / SESSIONS * sum / SESSIONS),
	    "the deviation of sessions");
	for (uint32_t i = 0; i < TURNS; i++)
		same &= dense_knows(&few, i)
		    ? dense_cosine(&few, i) == cosines[i] && dense_slot(&few, i) == i
		    : dense_cosine(&few, i) == DENSE_FAR;
	ok(same, "those that are known are as they were set, the others far");
	is_near(few.turns.mean, (double)all.turns.mean, "a sample of all has their mean");
	is_near(few.turns.sd, (double)all.turns.sd, "and deviation");
	ok(fabsf(few.windows.mean - all.windows.mean) < .005f &&
		fabsf(few.windows.sd - all.windows.sd) < .01f,
	    "of windows, but for the ends of the samples, too");
	for (uint32_t i = dense_next(&few, 0, TURNS, 0.45f), k = dense_next(&all, 0, TURNS, 0.45f);
	     i < TURNS || k < TURNS;
	     i = dense_next(&few, i + 1, TURNS, 0.45f), k = dense_next(&all, k + 1, TURNS, 0.45f))
		same &= i == k;
	ok(same, "the same near ones, one after the other");
	is_int(dense_next(&few, 5, 50, 2), 50, "none");
	ok(!isnan(dense_turn(&few, 1)) && isnan(dense_sim(&few, 1)) == !dense_knows(&few, 1),
	    "what is far has no similarity");
	is_int(dense_ann_nearest(&few, 3, 4, slots), 4, "the nearest of a session");
	for (uint32_t i = 0; i < TURNS / SESSIONS; i++)
		same &= cosines[300 + i] <= cosines[slots[0]];
	ok(same && slots[0] / 100 == 3 && cosines[slots[0]] >= cosines[slots[1]], "best first");
	/* marked: the same ones, also when what is looked up comes and goes */
	dense_ann_mark(&few, 0.45f);
	for (uint32_t i = 0; i < TURNS; i++)
		same &= dense_next(&few, i, i + 1, 0.45f) == (cosines[i] > 0.45f ? i : i + 1);
	dense_ann_mark(&few, 0.42f);
	for (uint32_t i = 0; i < TURNS; i++)
		same &= dense_next(&few, i, i + 1, 0.42f) == (cosines[i] > 0.42f ? i : i + 1);
	ok(same && dense_next(&few, 0, TURNS, 0.45f) == dense_next(&all, 0, TURNS, 0.45f),
	    "by marks, and again above another one");
	/* what is looked up: a table that grows */
	for (uint32_t i = 0; i < TURNS; i++)
		dense_put(&few, i, i == 7 ? DENSE_NONE : cosines[i], i);
	for (uint32_t i = 0; i < TURNS; i++)
		same &= i == 7 ? dense_turn(&few, i) == 0 : dense_cosine(&few, i) == cosines[i];
	ok(same, "whatever is looked up is known");
	for (uint32_t i = 0; i < TURNS; i++)
		same &=
		    dense_next(&few, i, i + 1, 0.42f) == (i != 7 && cosines[i] > 0.42f ? i : i + 1);
	dense_put(&few, 9, 0.43f, 9);
	same &= dense_next(&few, 9, 10, 0.42f) == 9;
	dense_put(&few, 9, 0.2f, 9);
	same &= dense_next(&few, 9, 10, 0.42f) == 10;
	dense_ann_mark(&few, 0.41f);
	dense_put(&few, 9, cosines[9], 9);
	for (uint32_t i = 0; i < TURNS; i++)
		same &=
		    dense_next(&few, i, i + 1, 0.41f) == (i != 7 && cosines[i] > 0.41f ? i : i + 1);
	ok(same, "and has its mark, or loses it");
	for (uint32_t s = 1; s < SESSIONS; s++)
		same &= dense_ann_best(&few, s) == all.session[s];
	ok(same, "then the best windows are those of all");
	dense_ann_correct(&few, (uint32_t[]){ 1, 2 }, (float[]){ 0.7f, 0.8f }, 2);
	ok(few.session[1] == 0.7f && few.session[2] == 0.8f && few.session[3] > 0.5f,
	    "too low ones are corrected, and the others with them");
	dense_close(&all);
	dense_close(&few);
	dense_open_few(&few, &big, 0);
	dense_measure(&few);
	ok(dense_next(&few, 0, TURNS, -9) == TURNS && isfinite(dense_session(&few, 0)),
	    "nothing known, nothing sampled");
	dense_close(&few);
}

int
main(void)
{
	test_signals();
	test_run();
	test_both_neighbours();
	test_few();
	test_few_known();
	return tap_done();
}
