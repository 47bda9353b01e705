/*
 * bm25.c: one term at a time: its frequencies are spread over an array of turns, and from there turn, window and session are
 * scored. A window's frequency is known only when its last neighbour with the term is met, so window i is scored at the last of the postings among
 * i - 1, i, i + 1: each window once, whatever the order of the list.
 */
#include "rank/bm25.h"

#include <math.h>

#include "base/alloc.h"

const struct bm25_shape bm25_shapes[N_SESSION_KINDS] = {
	[SESSION_UNKNOWN] = { 1.2f, 0.75f, 0.50f, 0.40f, 0.50f },
	[SESSION_CHAT] = { 1.2f, 0.20f, 0.40f, 0.40f, 0.20f },
	[SESSION_ASSISTANT] = { 1.2f, 0.75f, 0.75f, 0.60f, 0.50f },
};

enum { TURN, WINDOW, SESSION, SESSION_USER, HEAD };

#define ARRAYS 4                   /* turn, window, head, cover */

void
bm25_open(struct bm25 *b, const struct corpus *c, const struct bm25_shape shapes[N_SESSION_KINDS])
{
	size_t n = c->n + 1u, n_sessions = c->n_sessions + 1u;

	memset(b, 0, sizeof(*b));
	b->corpus = c;
	b->n_big = n * ARRAYS * sizeof(float) + (n + 4) * sizeof(uint16_t);
	b->big = xbig(b->n_big);
	b->turn = b->big;
	b->window = b->turn + n;
	b->head = b->window + n;
	b->cover = b->head + n;
	b->tf = (uint16_t *)(b->cover + n) + 2;
	b->session = xcalloc(n_sessions, sizeof(float));
	b->session_user = xcalloc(n_sessions, sizeof(float));
	b->session_tf = xcalloc(n_sessions, sizeof(uint32_t));
	b->session_user_tf = xcalloc(n_sessions, sizeof(uint32_t));
	b->touched = xcalloc(n_sessions, sizeof(uint32_t));
	b->norm = xcalloc(N_SESSION_KINDS, sizeof(*b->norm));
	for (size_t k = 0; k < N_SESSION_KINDS; k++) {
		const struct bm25_shape *s = &shapes[k];
		const struct corpus_mean *m = &c->mean[k];
		const float bs[] = { s->turn_b, s->window_b, s->session_b, s->session_b, s->head_b };
		const double means[] = { m->turn, m->window, m->session, m->session_user, m->head };
		for (size_t i = 0; i < NELEM(bs); i++) {
			b->norm[k][i][0] = s->k1 * (1 - bs[i]);
			b->norm[k][i][1] = (float)(s->k1 * bs[i] / means[i]);
		}
	}
}

void
bm25_close(struct bm25 *b)
{
	if (b->big != NULL)
		xbig_free(b->big, b->n_big);
	if (b->exact != NULL)
		xbig_free(b->exact, (b->corpus->n + 1u) * sizeof(float));
	free(b->session);
	free(b->session_user);
	free(b->session_tf);
	free(b->session_user_tf);
	free(b->touched);
	free(b->norm);
	memset(b, 0, sizeof(*b));
}

void
bm25_reset(struct bm25 *b)
{
	size_t n = b->corpus->n, n_sessions = b->corpus->n_sessions;

	memset(b->turn, 0, n * sizeof(float));
	memset(b->window, 0, n * sizeof(float));
	memset(b->head, 0, n * sizeof(float));
	memset(b->cover, 0, n * sizeof(float));
	if (b->exact_sum > 0)
		memset(b->exact, 0, n * sizeof(float));
	memset(b->session, 0, n_sessions * sizeof(float));
	memset(b->session_user, 0, n_sessions * sizeof(float));
	b->idf_sum = b->exact_sum = 0;
	b->best_turn = b->best_window = b->best_head = 0;
}

double
bm25_idf(uint32_t n, uint32_t df)
{
	return log(1 + ((double)n - df + 0.5) / (df + 0.5));
}

static inline float
saturate(float tf, float len, const float norm[2])
{
	return tf / (tf + norm[0] + norm[1] * len);
}

/* Scores window i of the current term; i may be a sentinel's place. */
static inline void
add_window(struct bm25 *b, uint32_t i, float idf)
{
	const struct corpus *c = b->corpus;
	const uint32_t *s = c->session + i;
	const uint16_t *w = c->info + i, *t = b->tf + i;
	float tf = t[0], len = (float)postings_words(w[0]);

	if (s[-1] == s[0]) {
		tf += CORPUS_PREVIOUS * (float)t[-1];
		len += CORPUS_PREVIOUS * (float)postings_words(w[-1]);
	}
	if (s[1] == s[0]) {
		tf += CORPUS_NEXT * (float)t[1];
		len += CORPUS_NEXT * (float)postings_words(w[1]);
	}
	b->window[i] += idf * saturate(tf, len, b->norm[c->kind[s[0]]][WINDOW]);
	b->best_window = MAX(b->best_window, b->window[i]);
}

/* Windows i - 1, i, i + 1 of a posting at i, each left to the last posting that it has. */
static inline void
add_windows(struct bm25 *b, uint32_t i, float idf)
{
	const uint32_t *s = b->corpus->session + i;
	const uint16_t *t = b->tf + i;

	if (s[-1] == s[0])
		add_window(b, i - 1, idf);
	if (s[1] != s[0]) {
		add_window(b, i, idf);
	} else if (t[1] == 0) {
		add_window(b, i, idf);
		if (s[2] != s[0] || t[2] == 0)
			add_window(b, i + 1, idf);
	}
}

static void
add_sessions(struct bm25 *b, size_t n, float idf)
{
	const struct corpus *c = b->corpus;

	for (size_t i = 0; i < n; i++) {
		uint32_t s = b->touched[i];
		const float (*norm)[2] = b->norm[c->kind[s]];
		b->session[s] += idf * saturate((float)b->session_tf[s], (float)c->session_words[s], norm[SESSION]);
		if (b->session_user_tf[s] > 0)
			b->session_user[s] += idf * saturate((float)b->session_user_tf[s], (float)c->session_user_words[s], norm[SESSION_USER]);
		b->session_tf[s] = b->session_user_tf[s] = 0;
	}
}

void
bm25_add(struct bm25 *b, const struct posting *p, size_t n, float weight, bool whole)
{
	const struct corpus *c = b->corpus;
	float idf = (float)bm25_idf(c->n, (uint32_t)n) * weight;
	size_t n_touched = 0;

	b->idf_sum += idf;
	for (size_t j = 0; j < n; j++)
		b->tf[p[j].doc] = p[j].tf;
	for (size_t j = 0; j < n; j++) {
		uint32_t i = p[j].doc, s = c->session[i];
		const float (*norm)[2] = b->norm[c->kind[s]];
		float words = (float)corpus_words(c, i);
		b->turn[i] += idf * saturate(p[j].tf, words, norm[TURN]);
		b->best_turn = MAX(b->best_turn, b->turn[i]);
		b->cover[i] += idf;
		if (p[j].head > 0) {
			b->head[i] += idf * saturate(p[j].head, MIN(words, CORPUS_HEAD_WORDS), norm[HEAD]);
			b->best_head = MAX(b->best_head, b->head[i]);
		}
		add_windows(b, i, idf);
		if (b->session_tf[s] == 0)
			b->touched[n_touched++] = s;
		b->session_tf[s] += p[j].tf;
		if (corpus_role(c, i) == 0)
			b->session_user_tf[s] += p[j].tf;
	}
	if (whole)
		bm25_add_exact(b, p, n);
	add_sessions(b, n_touched, idf);
	for (size_t j = 0; j < n; j++)
		b->tf[p[j].doc] = 0;
}

void
bm25_add_exact(struct bm25 *b, const struct posting *p, size_t n)
{
	float idf = (float)bm25_idf(b->corpus->n, (uint32_t)n);

	if (n == 0)
		return;
	if (b->exact == NULL)
		b->exact = xbig((b->corpus->n + 1u) * sizeof(float));
	b->exact_sum += idf;
	for (size_t j = 0; j < n; j++)
		b->exact[p[j].doc] += idf;
}
