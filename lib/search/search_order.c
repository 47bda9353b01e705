/*
 * search_order.c: what comes first by a rule, whatever the sum of its signals is: the newest, the
 * last that somebody said, the reply to a question; and last what says nothing.
 */
#include "search/search_run.h"

#include <math.h>

#include "base/alloc.h"
#include "base/order.h"
#include "statement/silence.h"

/*
 * What the newest of the best gets when the question asks for what holds now, and the oldest does
 * not: of turns that answer alike the newer comes first
 */
#define NEWEST 0.6f
/*
 * Where the last is asked for that somebody said about a matter: the least share of its words, and
 * so much of the share of the best; a z4 that is near, and how far the best may be nearer.
 */
#define LAST_WORDS  0.3f
#define LAST_SHARE  0.6f
#define LAST_NEAR   0.8f
#define LAST_BEHIND 0.2f
#define LAST_STEP   1e-3f          /* between the scores of two of them */
#define SILENT      20.0f          /* by which what says nothing falls behind all others */
#define SILENT_READ 400            /* candidates that are looked at */
#define REPLY_BEHIND 1e-3f         /* the score of a reply behind that of what it answers */

/* ---- the newest ---- */

void
order_newer_up(struct run *r, float *scores)
{
	const struct topk *top = &r->found.top;
	bool timed = true;
	double oldest = INFINITY, newest = -INFINITY;
	double at[READ_LIST];

	search_best(r, scores, READ_LIST);
	for (size_t k = 0; k < top->n && timed; k++)
		timed = r->found.cards[top->items[k].id].time_us != TIME_NONE;
	for (size_t k = 0; k < top->n; k++) {
		size_t i = (size_t)top->items[k].id;
		at[k] = timed ? (double)r->found.cards[i].time_us : (double)r->found.at[i].turn;
		oldest = MIN(oldest, at[k]);
		newest = MAX(newest, at[k]);
	}
	for (size_t k = 0; k < top->n && newest > oldest; k++)
		scores[top->items[k].id] +=
		    NEWEST * (float)((at[k] - oldest) / (newest - oldest));
}

/* ---- the last that somebody said ---- */

bool
order_is_theirs(const struct run *r, size_t i)
{
	const struct question *q = &r->s->question;
	const struct bm25_scores *at = &r->found.at[i];
	bool is = r->corpus->kind[at->session] == SESSION_ASSISTANT &&
	    (q->last_roles >> corpus_role(r->corpus, at->turn) & 1) != 0;

	for (size_t k = 0; k < q->n_speakers && !is; k++)
		is = q->speakers[k] == r->found.cards[i].speaker;
	return is;
}

struct said_at { int64_t time_us; size_t i; };

ORDER_BY_TWO(by_age, struct said_at, time_us, i)

void
order_last_first(struct run *r, float *scores)
{
	const struct topk *top = &r->found.top;
	FREED struct said_at *said = xreallocarray(NULL, r->found.n + 1, sizeof(*said));
	float words = LAST_WORDS, near = LAST_NEAR, best;
	bool timed = true;
	size_t n = 0;

	search_best(r, scores, r->by_card ? r->found.n + 1 : READ_LIST);
	best = top->n > 0 ? top->items[0].score : 0;
	for (size_t k = 0; k < top->n; k++) {
		size_t i = (size_t)top->items[k].id;
		if (!order_is_theirs(r, i))
			continue;
		said[n++] = (struct said_at){ r->found.cards[i].time_us, i };
		timed &= r->found.cards[i].time_us != TIME_NONE;
		words = MAX(words, LAST_SHARE * r->found.at[i].cover / r->found.expected_near);
		near = r->dense == NULL
		    ? near
		    : MAX(near, dense_turn(r->dense, r->found.at[i].turn) - LAST_BEHIND);
	}
	for (size_t k = 0; k < n && !timed; k++)
		said[k].time_us = 0;
	qsort(said, n, sizeof(*said), by_age);
	for (size_t k = 0; k < n; k++) {
		const struct bm25_scores *at = &r->found.at[said[k].i];
		if (r->by_card || at->cover / r->found.expected_near >= words ||
		    (r->dense != NULL && dense_turn(r->dense, at->turn) >= near))
			scores[said[k].i] = best += LAST_STEP;
	}
}

/* ---- what says nothing ---- */

static int
is_silent(struct run *r, uint32_t turn, bool *silent, struct err *err)
{
	const struct search_query *q = r->q;
	enum corpus_role role = corpus_role(r->corpus, turn);
	unsigned words = corpus_words(r->corpus, turn);
	bool tool = role == CORPUS_TOOL;
	const char *text;
	size_t len;

	*silent = false;
	if (words > (tool ? SILENCE_BYTES / 2 : SILENCE_COMES) || role == CORPUS_OTHER)
		return 0;
	if (index_text(r->s->index, turn, &text, &len, err) < 0)
		return -1;
	*silent = tool ? silence_of_tool(text, len)
		       : silence_to(q->text, q->len, text, len, role == CORPUS_USER);
	return 0;
}

int
order_silent_last(struct run *r, size_t n, float *scores, struct err *err)
{
	FREED bool *known = xcalloc(r->found.n + 1, sizeof(*known));
	bool silent = true;
	size_t looked = 0;
	int rc = 0;

	/* others come up for those that fall behind, and may say nothing either */
	while (rc == 0 && silent) {
		silent = false;
		search_best(r, scores, n);
		for (size_t k = 0; k < r->found.top.n && rc == 0 && looked < SILENT_READ; k++) {
			size_t i = (size_t)r->found.top.items[k].id;
			bool is = false;

			if (known[i])
				continue;
			known[i] = true;
			looked++;
			rc = is_silent(r, r->found.at[i].turn, &is, err);
			scores[i] -= is ? SILENT : 0;
			silent |= is;
		}
	}
	return rc;
}

/* ---- the reply to a question ---- */

/* The candidate that is the next turn of the session; found.n: none. */
static size_t
next_of(const struct run *r, const struct bm25_scores *first)
{
	size_t i = 0;

	while (i < r->found.n && (r->found.at[i].turn != first->turn + 1 ||
	    r->found.at[i].session != first->session))
		i++;
	return i;
}

size_t
order_reply_next(struct run *r, size_t n, float *scores)
{
	const struct topk_item *best = r->found.top.items;
	size_t none = r->found.n, i;

	if (n < 2 || (corpus_flags(r->corpus, r->found.at[best->id].turn) & CORPUS_QUESTION) == 0)
		return none;
	i = next_of(r, &r->found.at[best->id]);
	if (i == none || scores[i] < best->score - SILENT / 2 ||
	    (corpus_flags(r->corpus, r->found.at[i].turn) & CORPUS_QUESTION) != 0 ||
	    corpus_role(r->corpus, r->found.at[i].turn) == CORPUS_TOOL)
		return none;
	if (candidates_kind(r, i) != SESSION_ASSISTANT) {
		scores[i] = MAX(scores[i], best->score - REPLY_BEHIND);
		search_best(r, scores, n);
	}
	return i;
}
