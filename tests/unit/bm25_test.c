/*
 * bm25_test.c: the scores of turns, windows and sessions against the formula of bm25.h computed
 * directly, turn by turn and term by term; and the corpus's sums.
 */
#include <math.h>

#include "tap.h"

#include "base/alloc.h"
#include "rank/bm25.h"

#define N        240
#define N_TERMS  12

static uint64_t seed = 7;

static uint32_t
next_random(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* The model: what stands where. */
static unsigned tf[N_TERMS][N], head[N_TERMS][N];
static unsigned session_of[N], words_of[N], role_of[N], kind_of[N];    /* kind_of by session */
static unsigned n_sessions;

static struct corpus_run runs[N];
static uint16_t info[N];
static uint8_t kind[N];
static uint32_t session_words[N], session_first[N + 1];

static void
make_model(void)
{
	for (unsigned i = 0; i < N; i++) {
		/* twenty of one turn, then longer ones */
		if (i > 0 && next_random(i < 20 ? 1 : 4) == 0)
			n_sessions++;
		session_of[i] = n_sessions;
		role_of[i] = next_random(4);
		words_of[i] = next_random(5) == 0 ? next_random(300) : next_random(20);
		for (unsigned t = 0; t < N_TERMS; t++)
			if (next_random(2 + 3 * t) == 0) {
				tf[t][i] = 1 + next_random(5);
				head[t][i] = next_random(tf[t][i] + 1);
			}
	}
	n_sessions++;
	/* the sentinels' neighbours */
	tf[0][N - 1] = tf[0][0] = tf[1][N - 1] = tf[1][0] = 2;
	for (unsigned s = 0; s < n_sessions; s++)
		kind_of[s] = next_random(N_SESSION_KINDS);
}

static struct corpus
make_corpus(void)
{
	struct corpus c = { .n = N,
		.n_sessions = n_sessions,
		.runs = runs,
		.info = info,
		.kind = kind,
		.session_words = session_words,
		.session_first = session_first };

	for (unsigned i = 0; i < N; i++) {
		c.info[i] = (uint16_t)(words_of[i] | next_random(4) << 12 | role_of[i] << 14);
		if (i == 0 || session_of[i] != session_of[i - 1]) {
			session_first[session_of[i]] = i;
			runs[c.n_runs++] =
			    (struct corpus_run){ (1ll << 44) + ((int64_t)session_of[i] << 20) + 5,
				    i, 0 };
		} else if (i % 3 == 0) {       /* a hole: a turn that is not indexed */
			struct corpus_run *r = &runs[c.n_runs - 1];
			runs[c.n_runs++] = (struct corpus_run){ r->row + r->n + 1, i, 0 };
		}
		runs[c.n_runs - 1].n++;
	}
	session_first[n_sessions] = N;
	for (unsigned s = 0; s < n_sessions; s++)
		kind[s] = (uint8_t)kind_of[s];
	corpus_measure(&c);
	return c;
}

/* ---- the formula ---- */

/* Of turn i and its neighbours in the session: v[i], .5 of the one before, .4 of the one after. */
static double
around(const unsigned *v, unsigned i)
{
	double sum = v[i];

	if (i > 0 && session_of[i - 1] == session_of[i])
		sum += 0.5 * v[i - 1];
	if (i + 1 < N && session_of[i + 1] == session_of[i])
		sum += 0.4 * v[i + 1];
	return sum;
}

static double
over_session(const unsigned *v, unsigned s)
{
	double sum = 0;

	for (unsigned i = 0; i < N; i++)
		if (session_of[i] == s)
			sum += v[i];
	return sum;
}

static double
head_words(unsigned i)
{
	return words_of[i] < 60 ? words_of[i] : 60;
}

struct means { double turn, window, head, session; unsigned n, n_sessions; };

static struct means
means_of(unsigned k)
{
	struct means m = { 0, 0, 0, 0, 0, 0 };

	for (unsigned i = 0; i < N; i++)
		if (kind_of[session_of[i]] == k) {
			m.n++;
			m.turn += words_of[i];
			m.window += around(words_of, i);
			m.head += head_words(i);
		}
	for (unsigned s = 0; s < n_sessions; s++)
		if (kind_of[s] == k) {
			m.n_sessions++;
			m.session += over_session(words_of, s);
		}
	m.turn /= m.n;
	m.window /= m.n;
	m.head /= m.n;
	m.session /= m.n_sessions;
	return m;
}

static unsigned
df_of(unsigned t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < N; i++)
		n += tf[t][i] > 0;
	return n;
}

static double
idf_of(unsigned t)
{
	double n = df_of(t);

	return log(1 + (N - n + 0.5) / (n + 0.5));
}

static double
score(double idf, double f, double len, double mean, double k1, double b)
{
	return f == 0 ? 0 : idf * f / (f + k1 * (1 - b + b * len / mean));
}

/* ---- comparing ---- */

static const float weights[N_TERMS] = { 1, 1, 0.7f, 1, 1, 2, 1, 1, 0.5f, 1, 1, 1 };
static bool is_whole(unsigned t) { return t % 4 == 3; }

static void
append(struct bm25 *b, const struct posting *p, size_t n)
{
	xgrow(&b->list.items, &b->list.cap, b->list.n + n, sizeof(*p));
	for (size_t i = 0; i < n; i++)
		b->list.items[b->list.n++] = p[i];
}

static void
add_term(struct bm25 *b, unsigned t, bool shuffled)
{
	struct posting p[N];
	size_t n = 0;

	for (unsigned i = 0; i < N; i++)
		if (tf[t][i] > 0)
			p[n++] = (struct posting){ i, (uint16_t)tf[t][i], (uint16_t)head[t][i] };
	for (size_t i = n; shuffled && i > 1; i--) {
		size_t k = next_random((uint32_t)i);
		struct posting was = p[k];
		p[k] = p[i - 1];
		p[i - 1] = was;
	}
	append(b, p, n);
	if (bm25_add(b, weights[t], is_whole(t)) != n)
		ok(false, "df of term %u", t);
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-4 * (1 + fabs(b));
}

/* The scores of all turns, gathered slice by slice. */
static struct bm25_scores turns_got[N];

static unsigned
score_all(struct bm25 *b)
{
	unsigned n = 0, n_slices = 0, n_passed_by = 0, bad = 0;

	while (bm25_next(b)) {
		uint32_t near = b->from;
		n_slices++;
		for (uint32_t i = b->from; i < b->to; i++) {
			const struct bm25_scores *g = &turns_got[n++];
			bm25_at(b, i, &turns_got[i]);
			near = i < near ? near : bm25_near(b, i);
			bad += near < i || (i == b->to - 1 && near > b->to);
			if (near == i)
				continue;
			n_passed_by++;
			bad += g->self != 0 || g->window != 0 || g->head != 0 || g->cover != 0 ||
			    g->exact != 0;
		}
	}
	is_int(n, N, "every turn in one slice");
	is_int(bad, 0, "%u turns passed by have no score", n_passed_by);
	return n_slices;
}

static bool
beside(unsigned i, unsigned k)
{
	return k < N && session_of[i] == session_of[k];
}

static void
check_turns(const struct bm25 *b, const struct bm25_shape *shapes, unsigned n_terms,
	const char *what)
{
	unsigned bad[7] = { 0 };
	float best_turn = 0, best_window = 0;
	struct means m[N_SESSION_KINDS];

	for (unsigned k = 0; k < N_SESSION_KINDS; k++)
		m[k] = means_of(k);
	for (unsigned i = 0; i < N; i++) {
		unsigned k = kind_of[session_of[i]];
		const struct bm25_shape *s = &shapes[k];
		double turn = 0, window = 0, at_head = 0, cover = 0, exact = 0;
		for (unsigned t = 0; t < n_terms; t++) {
			double idf = idf_of(t) * (double)weights[t];
			turn += score(idf, tf[t][i], words_of[i], m[k].turn, s->k1, s->turn_b);
			window += score(idf, around(tf[t], i), around(words_of, i), m[k].window,
			    s->k1, s->window_b);
			at_head +=
			    score(idf, head[t][i], head_words(i), m[k].head, s->k1, s->head_b);
			cover += tf[t][i] ? idf : 0;
			exact += tf[t][i] && is_whole(t) ? idf_of(t) : 0;
		}
		const struct bm25_scores *g = &turns_got[i];
		bad[0] += g->turn != i || g->session != session_of[i] || !near(g->self, turn);
		bad[1] += !near(g->window, window);
		bad[2] += !near(g->head, at_head);
		bad[3] += !near(g->cover, cover);
		bad[4] += !near(g->exact, exact);
		bad[5] += g->previous != (beside(i, i - 1) ? turns_got[i - 1].self : 0) ||
		    g->next != (beside(i, i + 1) ? turns_got[i + 1].self : 0);
		bad[6] += g->head_next != (beside(i, i + 1) ? turns_got[i + 1].head : 0);
		best_turn = g->self > best_turn ? g->self : best_turn;
		best_window = g->window > best_window ? g->window : best_window;
	}
	ok(b->best_turn == best_turn && b->best_window == best_window, "%s: the best", what);
	is_int(bad[5] + bad[6], 0, "%s: what the neighbours have", what);
	is_int(bad[0], 0, "%s: turns", what);
	is_int(bad[1], 0, "%s: windows", what);
	is_int(bad[2], 0, "%s: heads", what);
	is_int(bad[3], 0, "%s: cover", what);
	is_int(bad[4], 0, "%s: exact", what);
}

static void
check_sessions(const struct bm25 *b, const struct bm25_shape *shapes, unsigned n_terms,
	const char *what)
{
	unsigned bad = 0;
	float best = 0;

	for (unsigned s = 0; s < n_sessions; s++) {
		const struct bm25_shape *shape = &shapes[kind_of[s]];
		struct means m = means_of(kind_of[s]);
		double all = 0;
		for (unsigned t = 0; t < n_terms; t++) {
			double idf = idf_of(t) * (double)weights[t];
			all += score(idf, over_session(tf[t], s), over_session(words_of, s),
			    m.session, shape->k1, shape->session_b);
		}
		for (unsigned i = 0; i < N; i++)
			if (session_of[i] == s)
				bad += !near(turns_got[i].of_session, all);
		best = turns_got[session_first[s]].of_session > best
		    ? turns_got[session_first[s]].of_session
		    : best;
	}
	ok(b->best_session == best, "%s: the best session", what);
	is_int(bad, 0, "%s: sessions", what);
}

/*
 * The idf of the terms that some turn of a stretch has, of stretches of several lengths, also
 * beyond what one slice holds.
 */
static void
check_cover(const struct bm25 *b, unsigned n_terms, const char *what)
{
	static const unsigned lengths[] = { 0, 1, 2, 11, N };
	unsigned bad = 0;

	for (unsigned from = 0; from < N; from++)
		for (unsigned k = 0; k < NELEM(lengths); k++) {
			unsigned to = from + lengths[k] < N ? from + lengths[k] : N;
			double cover = 0;
			for (unsigned t = 0; t < n_terms; t++) {
				bool has = false;
				for (unsigned i = from; i < to; i++)
					has |= tf[t][i] > 0;
				cover += has ? idf_of(t) * (double)weights[t] : 0;
			}
			bad += !near(bm25_cover(b, from, to), cover);
		}
	is_int(bad, 0, "%s: cover of stretches", what);
}

static void
check_sums(const struct bm25 *b, unsigned n_terms, const char *what)
{
	double idf = 0, exact = 0;

	for (unsigned t = 0; t < n_terms; t++) {
		idf += idf_of(t) * (double)weights[t];
		exact += is_whole(t) ? idf_of(t) : 0;
	}
	ok(near(b->idf_sum, idf) && near(b->exact_sum, exact), "%s: sums of idf", what);
}

static unsigned
check(struct bm25 *b, const struct bm25_shape *shapes, unsigned n_terms, const char *what)
{
	unsigned n_slices = score_all(b);

	check_turns(b, shapes, n_terms, what);
	check_sessions(b, shapes, n_terms, what);
	check_sums(b, n_terms, what);
	check_cover(b, n_terms, what);
	return n_slices;
}

/* ---- tests ---- */

static void
test_corpus(const struct corpus *c)
{
	unsigned bad = 0, bad_row = 0, bad_turn = 0;
	uint32_t at;

	for (unsigned i = 0; i < N; i++)
		bad += corpus_words(c, i) != words_of[i] || corpus_role(c, i) != role_of[i] ||
		    i < c->session_first[session_of[i]] ||
		    i >= c->session_first[session_of[i] + 1] ||
		    c->kind[session_of[i]] != kind_of[session_of[i]];
	is_int(bad, 0, "words, role and kind of turns");
	for (unsigned k = 0; k < N_SESSION_KINDS; k++) {
		struct means m = means_of(k);
		const struct corpus_mean *got = &c->mean[k];
		ok(got->n == m.n && got->n_sessions == m.n_sessions && m.n > 10 &&
			near(got->turn, m.turn) && near(got->window, m.window) &&
			near(got->head, m.head) && near(got->session, m.session),
		    "means of kind %u", k);
	}
	for (unsigned s = 0; s < n_sessions; s++)
		bad += !near(c->session_words[s], over_session(words_of, s));
	is_int(bad, 0, "words of sessions");
	for (uint32_t r = 0; r < c->n_runs; r++) {
		for (uint32_t i = 0; i < runs[r].n; i++) {
			bad_row += corpus_row(c, runs[r].first + i) != runs[r].row + i;
			at = r * 7 % c->n_runs;
			bad_row += corpus_row_near(c, runs[r].first + i, &at) != runs[r].row + i ||
			    at != r;
			bad_turn += corpus_turn(c, runs[r].row + i) != runs[r].first + i;
		}
		bad_turn += corpus_turn(c, runs[r].row - 1) != N ||
		    corpus_turn(c, runs[r].row + runs[r].n) != N;
	}
	is_int(bad_row, 0, "rows of turns");
	is_int(bad_turn, 0, "turns of rows, and of rows that are not indexed");
	ok(corpus_turn(c, 0) == N && corpus_turn(c, INT64_MAX) == N,
	    "rows before the first and after the last");
}

/* Terms 4, 5 and 6 as forms of one word: 4 is the word itself, where it is said at all. */
static void
test_forms(const struct corpus *c, bool shuffled, bool own)
{
	enum { WORD = 4 };
	const float weight = 0.7f, share = 0.5f;
	unsigned said[2][N] = { { 0 } }, n[3] = { 0 }, bad[3] = { 0 };
	struct means m[N_SESSION_KINDS];
	struct bm25 b;
	double idf;

	bm25_open(&b, c, bm25_shapes, 50);
	add_term(&b, 1, false);
	for (unsigned t = 0; t < 3; t++) {
		struct posting p[N];
		for (unsigned k = 0; k < N && (t > 0 || own); k++) {
			unsigned i = shuffled ? (k * 77 + 5) % N : k;
			if (tf[WORD + t][i] == 0)
				continue;
			p[n[t]++] = (struct posting){ i, (uint16_t)tf[WORD + t][i], 0 };
			if (said[0][i] == 0 && said[1][i] == 0)
				said[t > 0][i] = tf[WORD + t][i];
		}
		append(&b, p, n[t]);
	}
	for (unsigned i = 0; i < N; i++)
		bad[0] += said[0][i] > 0 || said[1][i] > 0;
	is_int((int)bm25_add_forms(&b, n[0], weight, share), (int)bad[0],
	    "turns that have any form, of %u, %u, %u", n[0], n[1], n[2]);
	ok(bad[0] < n[0] + n[1] + n[2], "some turns have two");
	idf = log(1 + (N - bad[0] + 0.5) / (bad[0] + 0.5)) * (double)weight;
	bad[0] = 0;
	add_term(&b, 2, false);
	ok(near(b.idf_sum, idf_of(1) * (double)weights[1] + idf + idf_of(2) * (double)weights[2]),
	    "which is one term among the others");
	for (unsigned k = 0; k < N_SESSION_KINDS; k++)
		m[k] = means_of(k);
	score_all(&b);
	for (unsigned i = 0; i < N; i++) {
		unsigned k = kind_of[session_of[i]];
		const struct bm25_shape *s = &bm25_shapes[k];
		double turn = 0, cover = 0;
		for (unsigned t = 1; t < 3; t++) {
			turn += score(idf_of(t) * (double)weights[t], tf[t][i], words_of[i],
			    m[k].turn, s->k1, s->turn_b);
			cover += tf[t][i] ? idf_of(t) * (double)weights[t] : 0;
		}
		for (unsigned t = 0; t < 2; t++) {
			double of = t > 0 ? (double)share * idf : idf;
			turn += score(of, said[t][i], words_of[i], m[k].turn, s->k1, s->turn_b);
			cover += said[t][i] ? of : 0;
		}
		bad[0] += !near(turns_got[i].self, turn);
		bad[1] += !near(turns_got[i].cover, cover);
	}
	for (unsigned from = 0; from + 3 <= N; from++) {
		double cover = 0;
		for (unsigned t = 1; t < 3; t++)
			cover += tf[t][from] || tf[t][from + 1] || tf[t][from + 2]
			    ? idf_of(t) * (double)weights[t]
			    : 0;
		cover += said[0][from] || said[0][from + 1] || said[0][from + 2] ? idf
		    : said[1][from] || said[1][from + 1] || said[1][from + 2] ? (double)share * idf
									      : 0;
		bad[2] += !near(bm25_cover(&b, from, from + 3), cover);
	}
	is_int(bad[0], 0, "%s, %s: turns", shuffled ? "shuffled" : "in order",
	    own ? "with the word" : "other forms only");
	is_int(bad[1], 0, "cover");
	is_int(bad[2], 0, "cover of stretches");
	bm25_close(&b);
}

static void
test_measure_empty(void)
{
	struct corpus c = { .info = info,
		.session_words = session_words };
	struct bm25 b;

	corpus_measure(&c);
	ok(c.mean[0].n == 0 && near(c.mean[0].turn, 1) && near(c.mean[2].session, 1),
	    "an empty corpus has means to divide by");
	is_int(corpus_turn(&c, 5), 0, "and no turn");
	bm25_open(&b, &c, bm25_shapes, BM25_SLICE);
	is_int((int)bm25_add(&b, 1, false), 0, "a term of an empty corpus");
	ok(!bm25_next(&b), "an empty corpus has no slice");
	ok(b.idf_sum > 0, "a term that is nowhere counts all the same");
	bm25_close(&b);
}

/* ---- whether people talk ---- */

static void
is_near(float got, double want, const char *what)
{
	ok(fabs((double)got - want) < 1e-5, "%s: %f, %f wanted", what, (double)got, want);
}

enum { ASKS = CORPUS_QUESTION << 12, SHORT = 10, LONG = 100 };

/*
 * Sessions as strings: q asks, a does not, Q and A the same in many words; each of the kind before
 * its colon.
 */
static void
talk_of(const char *const *sessions, size_t n, float *talk)
{
	static uint16_t turns[4096];
	uint8_t kinds[8];
	uint32_t words[8], first[9] = { 0 };
	struct corpus c = { .n_sessions = (uint32_t)n,
		.info = turns,
		.kind = kinds,
		.session_words = words,
		.session_first = first,
		.talk = talk };

	for (size_t s = 0; s < n; s++) {
		kinds[s] = (uint8_t)(sessions[s][0] - '0');
		for (const char *at = sessions[s] + 2; *at != '\0'; at++)
			turns[c.n++] = (uint16_t)((*at == 'q' || *at == 'Q' ? ASKS : 0) |
			    (*at >= 'a' ? SHORT : LONG));
		first[s + 1] = c.n;
	}
	corpus_measure(&c);
}

#define TEN(s) s s s s s s s s s s

static void
test_talk(void)
{
	static const char *const
	    chat[] = { "0:" TEN("qaaa") },
	    *const known[] = { "1:" TEN("qaaa"), "2:" TEN("qaaa") },
	    *const notes[] = { "0:" TEN("aaaa"), "0:a" }, *const asked[] = { "0:" TEN("qqqq") },
	    *const unanswered[] = { "0:" TEN("qqqa"), "0:" TEN("qqaa") },
	    *const alone[] = { "0:q", "0:a", "0:q" }, *const long_answers[] = { "0:" TEN("qAA") },
	    *const both[] = { "0:" TEN("qaaa"), "0:" TEN(TEN("aaaa")), "0:aaaa", "1:" TEN("qaaa") };
	float talk[8];

	is_near(corpus_talk_by(2, 100, 20), 0, "two answers in a hundred turns: no talk");
	is_near(corpus_talk_by(3.5, 100, 20), .5, "half way");
	is_near(corpus_talk_by(20, 100, 20), 1, "one in five: talk");
	is_near(corpus_talk_by(20, 100, 90), .5, "of turns of ninety words it is half");
	is_near(corpus_talk_by(20, 100, 300), 0, "of three hundred none");
	is_near(corpus_talk_by(0, 0, 0), 0, "of nothing none");
	talk_of(chat, 1, talk);
	is_near(talk[0], 1, "questions that are answered");
	talk_of(known, 2, talk);
	ok(talk[0] == 0 && talk[1] == 0, "what is known to be a chat or a log is not asked");
	talk_of(notes, 2, talk);
	ok(talk[0] == 0 && talk[1] == 0, "no question");
	talk_of(asked, 1, talk);
	is_near(talk[0], 0, "a list of questions");
	talk_of(unanswered, 2, talk);
	ok(talk[0] == 0 && talk[1] == 0, "who asks again has heard nothing");
	talk_of(alone, 3, talk);
	ok(talk[0] == 0 && talk[1] == 0 && talk[2] == 0, "questions alone in their sessions");
	talk_of(long_answers, 1, talk);
	is_near(talk[0], (120 - 70.0) / 60, "answers of a hundred words");
	/* 10 of 39 + 399 + 3 pairs; 32 of such beside the session's own */
	talk_of(both, 4, talk);
	ok(talk[0] == 1 && talk[1] == 0 && talk[3] == 0, "each by what it has itself");
	is_near(talk[2], (32 * 10 / 441.0 / (3 + 32) - .02) / .03, "but for a few turns");
}

static void
test_reset(struct bm25 *b, const struct bm25_shape *shapes)
{
	unsigned bad = 0;

	bm25_reset(b);
	score_all(b);
	for (unsigned i = 0; i < N; i++)
		bad += turns_got[i].self != 0 || turns_got[i].window != 0 ||
		    turns_got[i].head != 0 || turns_got[i].cover != 0 || turns_got[i].exact != 0 ||
		    turns_got[i].of_session != 0;
	ok(bad == 0 && b->idf_sum == 0 && b->exact_sum == 0 && b->best_turn == 0,
	    "after reset all is 0");
	for (unsigned t = 0; t < 3; t++)
		add_term(b, t, false);
	check(b, shapes, 3, "after reset, three terms");
	check(b, shapes, 3, "and the same once more");
}

static void
test_exact(struct bm25 *b)
{
	struct posting p[] = { { 3, 1, 1 }, { 9, 2, 0 } };
	double idf = log(1 + (N - 2 + 0.5) / 2.5), sum;

	bm25_reset(b);
	append(b, p, 2);
	bm25_add_exact(b, 0.25f);
	score_all(b);
	ok(bm25_near(b, 0) == 0, "no slice: nothing is near");
	bm25_next(b);
	ok(bm25_near(b, 0) == 2 && bm25_near(b, 5) == 8 && bm25_near(b, 10) == 10 &&
		bm25_near(b, 11) == b->to,
	    "a posting's turn and those beside it are near");
	while (bm25_next(b))
		;
	ok(near(turns_got[3].exact, idf / 4) && near(turns_got[9].exact, idf / 4) &&
		turns_got[4].exact == 0,
	    "an identifier that is not spelled: exact, by the share of the question that it is "
	    "made of");
	ok(turns_got[3].self == 0 && turns_got[3].cover == 0 && turns_got[3].window == 0 &&
		b->idf_sum == 0,
	    "and nothing else");
	sum = b->exact_sum;
	bm25_add_exact(b, 1);
	ok(near(sum, idf) && b->exact_sum == sum, "one that is nowhere does not count");
	ok(near(bm25_idf(10, 0), log(22)) && near(bm25_idf(10, 10), log(1 + 0.5 / 10.5)),
	    "idf of none and of all");
}

/* Turns that b scores, into turns_got; how many. */
static unsigned
gather(struct bm25 *b)
{
	unsigned n = 0;

	while (bm25_next(b))
		for (uint32_t i = b->from; i < b->to; i++, n++)
			bm25_at(b, i, &turns_got[i]);
	return n;
}

/* Halves give each turn the scores that the whole gives it. */
static void
test_split(struct bm25 *b)
{
	static struct bm25_scores whole[N];
	struct bm25 rest, alone;
	unsigned n, n_rest;

	score_all(b);
	memcpy(whole, turns_got, sizeof(whole));
	memset(turns_got, 0, sizeof(turns_got));
	alone = *b;
	b->best_turn = b->best_window = b->best_head = b->best_session = 0;
	bm25_split(b, &rest);
	n_rest = gather(&rest);
	n = gather(b);
	is_int(n + n_rest, N, "two halves have all turns");
	ok(n >= N / 2 && n_rest > N / 4, "%u and %u of them", n, n_rest);
	ok(memcmp(whole, turns_got, sizeof(whole)) == 0, "with the scores of the whole");
	bm25_join(b, &rest);
	ok(b->best_turn == alone.best_turn && b->best_window == alone.best_window &&
		b->best_head == alone.best_head && b->best_session == alone.best_session,
	    "and the best are the best of both");
	memset(turns_got, 0, sizeof(turns_got));
	score_all(b);
	ok(memcmp(whole, turns_got, sizeof(whole)) == 0, "joined it is whole again");
}

int
main(void)
{
	static const struct bm25_shape odd[N_SESSION_KINDS] = { { 0.9f, 1, 0, 0.3f, 0.6f },
		{ 2, 0, 1, 0.9f, 0.1f }, { 1.5f, 0.5f, 0.25f, 0, 1 } };
	struct corpus c;
	struct bm25 b;

	make_model();
	c = make_corpus();
	test_corpus(&c);
	test_measure_empty();
	test_talk();

	bm25_open(&b, &c, bm25_shapes, 25);
	for (unsigned t = 0; t < N_TERMS; t++)
		add_term(&b, t, false);
	ok(check(&b, bm25_shapes, N_TERMS, "in slices") > 6, "several slices");
	bm25_close(&b);

	bm25_open(&b, &c, bm25_shapes, BM25_SLICE);
	for (unsigned t = 0; t < N_TERMS; t++)
		add_term(&b, t, false);
	is_int((int)check(&b, bm25_shapes, N_TERMS, "in order"), 1, "one slice");
	bm25_reset(&b);
	for (unsigned t = N_TERMS; t > 0; t--)
		add_term(&b, t - 1, true);
	check(&b, bm25_shapes, N_TERMS, "in any order");
	test_reset(&b, bm25_shapes);
	test_split(&b);
	test_exact(&b);
	bm25_close(&b);

	test_forms(&c, false, true);
	test_forms(&c, true, true);
	test_forms(&c, false, false);

	bm25_open(&b, &c, odd, 1);
	for (unsigned t = 0; t < N_TERMS; t++)
		add_term(&b, t, true);
	check(&b, odd, N_TERMS, "other shapes");
	bm25_close(&b);
	return tap_done();
}
