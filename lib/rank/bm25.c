/*
 * bm25.c: scores one slice of the corpus at a time, and in it one term at a time: the term's
 * frequencies are spread over an array of turns, and from there turn, window and session are
 * scored. A window's frequency is known only when its last turn with the term has been read, so
 * window i is scored at the last of the postings among i - 1, i, i + 1. Thus each window is scored
 * once, whatever the order of the list.
 */
#include "rank/bm25_parts.h"

#include "base/alloc.h"

const struct bm25_shape bm25_shapes[N_SESSION_KINDS] = {
	[SESSION_UNKNOWN] = { 1.2f, 0.75f, 0.50f, 0.40f, 0.50f },
	[SESSION_CHAT] = { 1.2f, 0.20f, 0.40f, 0.40f, 0.20f },
	[SESSION_ASSISTANT] = { 1.2f, 0.75f, 0.75f, 0.60f, 0.50f },
};

enum { TURN, WINDOW, SESSION, HEAD, N_FIELDS };

#define ARRAYS 5                   /* turn, window, head, cover, exact */
#define FEW_BITS 6                 /* of 64 bits: up to this many turns are emptied one by one */

/* Finds the largest numbers of turns and sessions of any slice. */
static void
measure_slices(struct bm25 *b)
{
	const struct corpus *c = b->corpus;

	for (uint32_t s = b->begin, first = b->begin; s < b->end; s++) {
		if (s > first && c->session_first[s + 1] - c->session_first[first] > b->slice)
			first = s;
		b->cap_turns =
		    MAX(b->cap_turns, (size_t)(c->session_first[s + 1] - c->session_first[first]));
		b->cap_sessions = MAX(b->cap_sessions, (size_t)(s + 1 - first));
	}
}

static void
allocate(struct bm25 *b)
{
	size_t n = b->cap_turns, n_sessions = b->cap_sessions + 1;

	b->n_big = n * (ARRAYS * sizeof(float)) + (n + 4) * (sizeof(uint32_t) + sizeof(uint16_t));
	b->big = xbig(b->n_big);
	b->turn = b->big;
	b->window = b->turn + n;
	b->head = b->window + n;
	b->cover = b->head + n;
	b->exact = b->cover + n;
	b->session_of = (uint32_t *)(b->exact + n) + 2;
	b->tf = (uint16_t *)(b->session_of + n + 2) + 2;
	b->near = xcalloc(n / 64 + 2, sizeof(*b->near));
	b->session = xcalloc(n_sessions, sizeof(float));
	b->session_tf = xcalloc(n_sessions, sizeof(uint32_t));
	b->touched = xcalloc(n_sessions, sizeof(uint32_t));
}

void
bm25_open(struct bm25 *b, const struct corpus *c, const struct bm25_shape shapes[N_SESSION_KINDS],
	uint32_t slice)
{
	memset(b, 0, sizeof(*b));
	b->corpus = c;
	b->slice = slice;
	b->end = c->n_sessions;
	measure_slices(b);
	allocate(b);
	b->norm = xcalloc(N_SESSION_KINDS, sizeof(*b->norm));
	for (size_t k = 0; k < N_SESSION_KINDS; k++) {
		const struct bm25_shape *s = &shapes[k];
		const struct corpus_mean *m = &c->mean[k];
		const float bs[N_FIELDS] = { s->turn_b, s->window_b, s->session_b, s->head_b };
		const double means[N_FIELDS] = { m->turn, m->window, m->session, m->head };
		for (size_t i = 0; i < N_FIELDS; i++) {
			b->norm[k][i][0] = s->k1 * (1 - bs[i]);
			b->norm[k][i][1] = (float)(s->k1 * bs[i] / means[i]);
		}
	}
}

static void
release_arrays(struct bm25 *b)
{
	if (b->big != NULL)
		xbig_free(b->big, b->n_big);
	free(b->streams);
	free(b->near);
	free(b->session);
	free(b->session_tf);
	free(b->touched);
}

void
bm25_close(struct bm25 *b)
{
	release_arrays(b);
	posting_list_release(&b->list);
	free(b->terms);
	free(b->norm);
	memset(b, 0, sizeof(*b));
}

/*
 * Sets the scores of the slice at hand to 0. Where many of 64 turns have scores all are set at
 * once; else each that has some is set by itself.
 */
static void
empty_slice(struct bm25 *b)
{
	float *const arrays[ARRAYS] = { b->turn, b->window, b->head, b->cover, b->exact };
	uint32_t n = b->to - b->from;

	for (uint32_t at = 0; at <= n; at += 64) {
		uint64_t bits = b->near[at / 64];
		/* bit 0 stands for the turn before `at` */
		uint32_t first = at - (at > 0), end = MIN(at + 63, n);
		if (bits_count(bits) > FEW_BITS)
			for (size_t k = 0; k < ARRAYS; k++)
				memset(arrays[k] + first, 0, (end - first) * sizeof(float));
		else
			for (; bits != 0; bits &= bits - 1) {
				uint32_t bit = at + (uint32_t)__builtin_ctzll(bits);
				if (bit > 0 && bit <= n)
					for (size_t k = 0; k < ARRAYS; k++)
						arrays[k][bit - 1] = 0;
			}
		b->near[at / 64] = 0;
	}
	b->near[n / 64 + 1] = 0;
}

void
bm25_reset(struct bm25 *b)
{
	b->list.n = b->n_listed = 0;
	b->n_terms = b->n_streams = 0;
	b->idf_sum = b->exact_sum = 0;
	empty_slice(b);
	b->best_turn = b->best_window = b->best_head = b->best_session = 0;
	b->from = b->to = 0;
}

/* ---- in two threads ---- */

void
bm25_split(struct bm25 *b, struct bm25 *rest)
{
	const uint32_t *first = b->corpus->session_first;

	*rest = *b;
	for (rest->begin = b->begin; rest->begin < b->end && first[rest->begin] < b->corpus->n / 2;
	     rest->begin++)
		;
	b->end = rest->begin;
	rest->cap_turns = rest->cap_sessions = 0;
	measure_slices(rest);
	allocate(rest);
	rest->streams = xreallocarray(NULL, b->n_streams + 1, sizeof(*rest->streams));
	for (size_t i = 0; i < b->n_streams; i++)
		rest->streams[i] = (struct bm25_stream){ posting_from(b, b->streams[i].at,
							     b->streams[i].end, first[rest->begin]),
			b->streams[i].end };
}

void
bm25_join(struct bm25 *b, struct bm25 *rest)
{
	b->end = rest->end;
	b->best_turn = MAX(b->best_turn, rest->best_turn);
	b->best_window = MAX(b->best_window, rest->best_window);
	b->best_head = MAX(b->best_head, rest->best_head);
	b->best_session = MAX(b->best_session, rest->best_session);
	release_arrays(rest);
}

/* ---- scoring a slice ---- */

static inline float
saturate(float tf, float len, const float norm[2])
{
	return tf / (tf + norm[0] + norm[1] * len);
}

/* Scores window i of the slice for the current term; the neighbours of i may be sentinels. */
static inline void
add_window(struct bm25 *b, const uint16_t *info, uint32_t i, float idf)
{
	const struct corpus *c = b->corpus;
	const uint32_t *s = b->session_of + i;
	const uint16_t *w = info + i, *t = b->tf + i;
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

/* Marks turns i - 1, i, i + 1 as near a posting. */
static inline void
mark_near(struct bm25 *b, uint32_t i)
{
	uint64_t *word = b->near + i / 64;
	unsigned shift = i % 64;

	word[0] |= 7ull << shift;
	if (shift > 61)
		word[1] |= 7ull >> (64 - shift);
}

/* For a posting at i, scores those of windows i - 1, i, i + 1 that no later posting reaches. */
static inline void
add_windows(struct bm25 *b, const uint16_t *info, uint32_t i, float idf)
{
	const uint32_t *s = b->session_of + i;
	const uint16_t *t = b->tf + i;

	if (s[-1] == s[0])
		add_window(b, info, i - 1, idf);
	if (s[1] != s[0]) {
		add_window(b, info, i, idf);
	} else if (t[1] == 0) {
		add_window(b, info, i, idf);
		if (s[2] != s[0] || t[2] == 0)
			add_window(b, info, i + 1, idf);
	}
}

static void
add_sessions(struct bm25 *b, size_t n, float idf)
{
	const struct corpus *c = b->corpus;

	for (size_t i = 0; i < n; i++) {
		uint32_t at = b->touched[i], s = b->first_session + at;
		b->session[at] += idf * saturate((float)b->session_tf[at],
		    (float)c->session_words[s], b->norm[c->kind[s]][SESSION]);
		b->session_tf[at] = 0;
	}
}

/*
 * Scores the postings [n] of one term in the slice; tf holds its frequencies already. n_touched:
 * how many sessions the term has touched before; returns how many by now.
 */
static size_t
add_postings(struct bm25 *b, const struct posting *p, size_t n, const struct bm25_term *term,
	size_t n_touched)
{
	const uint16_t *info = b->corpus->info + b->from;
	float idf = term->idf;

	for (size_t j = 0; j < n; j++) {
		uint32_t i = p[j].doc - b->from, s = b->session_of[i], at = s - b->first_session;
		const float (*norm)[2] = b->norm[b->corpus->kind[s]];
		float words = (float)postings_words(info[i]);
		mark_near(b, i);
		b->turn[i] += idf * saturate(p[j].tf, words, norm[TURN]);
		b->best_turn = MAX(b->best_turn, b->turn[i]);
		b->cover[i] += idf;
		if (term->exact_idf > 0)
			b->exact[i] += term->exact_idf;
		if (p[j].head > 0) {
			b->head[i] +=
			    idf * saturate(p[j].head, MIN(words, CORPUS_HEAD_WORDS), norm[HEAD]);
			b->best_head = MAX(b->best_head, b->head[i]);
		}
		add_windows(b, info, i, idf);
		if (b->session_tf[at] == 0)
			b->touched[n_touched++] = at;
		b->session_tf[at] += p[j].tf;
	}
	return n_touched;
}

/* Prefetches: turns of a large memory that are far apart are in no cache. */
static inline void
prefetch(const void *at)
{
#if defined(__GNUC__)
	__builtin_prefetch(at);
#else
	(void)at;
#endif
}

static void
score_term(struct bm25 *b, const struct bm25_term *term)
{
	const struct posting *p = b->list.items;
	size_t n_touched = 0;

	/* no turn has the term; when no term has any turn, there are no streams to point into */
	if (term->n == 0)
		return;
	struct bm25_stream *streams = b->streams + term->first;
	if (term->idf == 0) {
		for (size_t k = 0; k < term->n; k++)
			for (; streams[k].at < streams[k].end && p[streams[k].at].doc < b->to;
			     streams[k].at++) {
				uint32_t i = p[streams[k].at].doc - b->from;
				mark_near(b, i);
				b->exact[i] += term->exact_idf;
			}
		return;
	}
	for (size_t k = 0; k < term->n; k++)
		for (size_t j = streams[k].at; j < streams[k].end && p[j].doc < b->to; j++) {
			b->tf[p[j].doc - b->from] = p[j].tf;
			prefetch(b->corpus->info + p[j].doc);
		}
	for (size_t k = 0; k < term->n; k++) {
		size_t n = 0, most = streams[k].end - streams[k].at;
		const struct posting *from = p + streams[k].at;
		while (n < most && from[n].doc < b->to)
			n++;
		n_touched = add_postings(b, from, n, term, n_touched);
	}
	add_sessions(b, n_touched, term->idf);
	for (size_t k = 0; k < term->n; k++)
		for (; streams[k].at < streams[k].end && p[streams[k].at].doc < b->to;
		     streams[k].at++)
			b->tf[p[streams[k].at].doc - b->from] = 0;
}

/* Moves to the next whole sessions, with all scores 0. False: there are none. */
static bool
next_slice(struct bm25 *b)
{
	const struct corpus *c = b->corpus;
	uint32_t s = b->to == 0 ? b->begin : b->session_of[b->to - b->from - 1] + 1, end;

	empty_slice(b);
	if (s >= b->end)
		return false;
	for (end = s + 1;
	     end < b->end && c->session_first[end + 1] - c->session_first[s] <= b->slice;)
		end++;
	b->first_session = s;
	b->from = c->session_first[s];
	b->to = c->session_first[end];
	size_t n = b->to - b->from;
	memset(b->session, 0, (end - s) * sizeof(float));
	b->session_of[-2] = b->session_of[-1] = b->session_of[n] = b->session_of[n + 1] =
	    CORPUS_NO_SESSION;
	for (uint32_t *at = b->session_of; s < end; s++)
		for (n = c->session_first[s + 1] - c->session_first[s]; n > 0; n--)
			*at++ = s;
	return true;
}

bool
bm25_next(struct bm25 *b)
{
	if (!next_slice(b)) {
		b->from = b->to = 0;
		/* the streams cover the list from its start to its end */
		for (size_t k = 0; k < b->n_streams; k++)
			b->streams[k].at = k == 0 ? 0 : b->streams[k - 1].end;
		return false;
	}
	for (size_t i = 0; i < b->n_terms; i++)
		score_term(b, &b->terms[i]);
	for (uint32_t s = 0; s <= b->session_of[b->to - b->from - 1] - b->first_session; s++)
		b->best_session = MAX(b->best_session, b->session[s]);
	return true;
}

/* Whether stream k has a posting of one of the turns from .. to - 1. */
static bool
has_any(const struct bm25 *b, size_t k, uint32_t from, uint32_t to)
{
	size_t end = b->streams[k].end,
	       at = posting_from(b, k == 0 ? 0 : b->streams[k - 1].end, end, from);

	return at < end && b->list.items[at].doc < to;
}

float
bm25_cover(const struct bm25 *b, uint32_t from, uint32_t to)
{
	float sum = 0;

	for (size_t i = 0; i < b->n_terms; i++) {
		const struct bm25_term *t = &b->terms[i];
		size_t k = 0;

		while (k < t->n && !has_any(b, t->first + k, from, to))
			k++;
		if (k == t->n)
			continue;
		sum += t->idf;
		i += i + 1 < b->n_terms && t[1].form;
	}
	return sum;
}

void
bm25_at(const struct bm25 *b, uint32_t turn, struct bm25_scores *out)
{
	uint32_t i = turn - b->from, s = b->session_of[i] - b->first_session;

	*out = (struct bm25_scores){
		.turn = turn,
		.session = b->session_of[i],
		.self = b->turn[i],
		.window = b->window[i],
		.head = b->head[i],
		.cover = b->cover[i],
		.exact = b->exact[i],
		.of_session = b->session[s],
	};
	if (b->session_of[(ptrdiff_t)i - 1] == b->session_of[i])
		out->previous = b->turn[i - 1];
	if (b->session_of[i + 1] == b->session_of[i]) {
		out->next = b->turn[i + 1];
		out->head_next = b->head[i + 1];
	}
}
