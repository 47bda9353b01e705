/*
 * corpus.c: lengths of turns, windows and sessions, and rows back from numbers.
 */
#include "rank/corpus.h"

static float
window_words(const struct corpus *c, uint32_t i)
{
	float n = c->words[i];

	if (c->session[(ptrdiff_t)i - 1] == c->session[i])
		n += CORPUS_PREVIOUS * (float)c->words[(ptrdiff_t)i - 1];
	if (c->session[i + 1] == c->session[i])
		n += CORPUS_NEXT * (float)c->words[i + 1];
	return n;
}

static void
add_turn(struct corpus *c, struct corpus_mean *m, uint32_t i)
{
	uint32_t s = c->session[i];

	m->n++;
	m->turn += c->words[i];
	m->head += MIN(c->words[i], CORPUS_HEAD_WORDS);
	m->window += window_words(c, i);
	c->session_words[s] += c->words[i];
	if (c->role[i] == 0)
		c->session_user_words[s] += c->words[i];
}

void
corpus_measure(struct corpus *c)
{
	memset(c->mean, 0, sizeof(c->mean));
	memset(c->session_words, 0, c->n_sessions * sizeof(*c->session_words));
	memset(c->session_user_words, 0, c->n_sessions * sizeof(*c->session_user_words));
	for (uint32_t i = 0; i < c->n; i++)
		add_turn(c, &c->mean[corpus_kind(c, i)], i);
	for (uint32_t s = 0; s < c->n_sessions; s++) {
		struct corpus_mean *m = &c->mean[c->kind[s]];
		m->n_sessions++;
		m->session += c->session_words[s];
		m->session_user += c->session_user_words[s];
	}
	for (size_t k = 0; k < N_SESSION_KINDS; k++) {
		struct corpus_mean *m = &c->mean[k];
		double n = MAX(m->n, 1), n_sessions = MAX(m->n_sessions, 1);
		m->turn = MAX(m->turn / n, 1);
		m->head = MAX(m->head / n, 1);
		m->window = MAX(m->window / n, 1);
		m->session = MAX(m->session / n_sessions, 1);
		m->session_user = MAX(m->session_user / n_sessions, 1);
	}
}

int64_t
corpus_row(const struct corpus *c, uint32_t turn)
{
	uint32_t lo = 0, hi = c->n_runs;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (c->runs[mid].first <= turn)
			lo = mid;
		else
			hi = mid;
	}
	return c->runs[lo].row + (turn - c->runs[lo].first);
}

uint32_t
corpus_turn(const struct corpus *c, int64_t row)
{
	uint32_t lo = 0, hi = c->n_runs;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct corpus_run *r = &c->runs[mid];
		if (row < r->row)
			hi = mid;
		else if (row >= r->row + r->n)
			lo = mid + 1;
		else
			return r->first + (uint32_t)(row - r->row);
	}
	return c->n;
}
