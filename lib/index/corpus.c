/* corpus.c: lengths of turns, windows and sessions; and the mapping between rows and turns. */
#include "index/corpus.h"

/*
 * Measures a session. The sum of its windows' lengths needs no loop over windows: each turn counts
 * fully in its own, as CORPUS_PREVIOUS in that of the next, and as CORPUS_NEXT in that of the one
 * before, except that the last turn has no next and the first none before.
 */
static void
measure_session(struct corpus *c, uint32_t s)
{
	struct corpus_mean *m = &c->mean[c->kind[s]];
	const uint16_t *info = c->info + c->session_first[s];
	uint32_t n = c->session_first[s + 1] - c->session_first[s], words = 0, head = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t w = info[i] & POSTINGS_MAX_WORDS;
		words += w;
		head += MIN(w, CORPUS_HEAD_WORDS);
	}
	c->session_words[s] = words;
	m->n += n;
	m->n_sessions++;
	m->turn += words;
	m->head += head;
	m->window += words;
	if (n > 0)
		m->window += (double)CORPUS_PREVIOUS * (words - postings_words(info[n - 1])) +
		    (double)CORPUS_NEXT * (words - postings_words(info[0]));
}

/* ---- whether people talk ---- */

static float
ramp(float v, float least, float most)
{
	return MIN(MAX((v - least) / (most - least), 0), 1);
}

float
corpus_talk_by(double answered, double pairs, double words)
{
	float share = pairs > 0 ? (float)(answered / pairs) : 0;

	return ramp(share, CORPUS_TALK_LEAST, CORPUS_TALK_MOST) *
	    (1 - ramp((float)words, CORPUS_TALK_SHORT, CORPUS_TALK_LONG));
}

/*
 * Counts the turns of a session that end in a question mark and are followed by one that does not,
 * and takes off those that another question follows: who asks again has heard nothing.
 */
static int
answered(const struct corpus *c, uint32_t s)
{
	int n = 0;

	for (uint32_t i = c->session_first[s] + 1; i < c->session_first[s + 1]; i++)
		if (corpus_flags(c, i - 1) & CORPUS_QUESTION)
			n += corpus_flags(c, i) & CORPUS_QUESTION ? -1 : 1;
	return n;
}

static bool
may_talk(const struct corpus *c, uint32_t s)
{
	return c->kind[s] == SESSION_UNKNOWN && c->session_first[s + 1] - c->session_first[s] > 1;
}

/*
 * Sets talk. Sessions of one turn have no pairs: they are no talk, and do not count in the mean
 * either.
 */
static void
measure_talk(struct corpus *c)
{
	double all = 0, pairs = 0;

	for (uint32_t s = 0; s < c->n_sessions; s++) {
		c->talk[s] = may_talk(c, s) ? (float)answered(c, s) : 0;
		all += (double)c->talk[s];
		if (may_talk(c, s))
			pairs += c->session_first[s + 1] - c->session_first[s] - 1;
	}
	for (uint32_t s = 0; s < c->n_sessions; s++) {
		uint32_t n = c->session_first[s + 1] - c->session_first[s];
		if (may_talk(c, s))
			c->talk[s] =
			    corpus_talk_by((double)c->talk[s] + CORPUS_TALK_PAIRS * all / pairs,
				n - 1 + CORPUS_TALK_PAIRS, (double)c->session_words[s] / n);
	}
}

void
corpus_measure(struct corpus *c)
{
	memset(c->mean, 0, sizeof(c->mean));
	for (uint32_t s = 0; s < c->n_sessions; s++)
		measure_session(c, s);
	for (size_t k = 0; k < N_SESSION_KINDS; k++) {
		struct corpus_mean *m = &c->mean[k];
		double n = MAX(m->n, 1), n_sessions = MAX(m->n_sessions, 1);
		m->session = MAX(m->turn / n_sessions, 1);
		m->turn = MAX(m->turn / n, 1);
		m->head = MAX(m->head / n, 1);
		m->window = MAX(m->window / n, 1);
	}
	if (c->talk != NULL)
		measure_talk(c);
}

/* Returns the run, from `from` on, that has the turn. */
static uint32_t
run_from(const struct corpus *c, uint32_t from, uint32_t turn)
{
	uint32_t lo = from, hi = c->n_runs;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (c->runs[mid].first <= turn)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

int64_t
corpus_row(const struct corpus *c, uint32_t turn)
{
	uint32_t at = 0;

	return corpus_row_near(c, turn, &at);
}

int64_t
corpus_row_near(const struct corpus *c, uint32_t turn, uint32_t *run)
{
	const struct corpus_run *r = &c->runs[*run];

	if (turn < r->first || turn - r->first >= r->n) {
		*run = run_from(c, turn < r->first ? 0 : *run, turn);
		r = &c->runs[*run];
	}
	return r->row + (turn - r->first);
}

/*
 * Returns the run of a row; n_runs when there is none. Since rows mostly ascend, the search
 * gallops: steps from run `near` on double until they pass the row, then a binary search follows.
 */
static uint32_t
run_of(const struct corpus *c, int64_t row, uint32_t near)
{
	uint32_t lo = 0, hi = c->n_runs, step = 1;

	if (near < hi && row >= c->runs[near].row)
		for (lo = near; lo + step < hi && row >= c->runs[lo + step].row; step *= 2)
			lo += step;
	if (lo + step < hi && lo >= near && row >= c->runs[lo].row)
		hi = lo + step;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct corpus_run *r = &c->runs[mid];
		if (row < r->row)
			hi = mid;
		else if (row >= r->row + r->n)
			lo = mid + 1;
		else
			return mid;
	}
	return c->n_runs;
}

uint32_t
corpus_turn(const struct corpus *c, int64_t row)
{
	uint32_t at = 0;

	return corpus_turn_near(c, row, &at);
}

uint32_t
corpus_turn_of_run(const struct corpus *c, int64_t row, uint32_t *run)
{
	uint32_t at = run_of(c, row, *run);

	if (at == c->n_runs)
		return c->n;
	*run = at;
	return c->runs[at].first + (uint32_t)(row - c->runs[at].row);
}
