/*
 * search_now.c: of two hits of which one changes what the other says the newer stands first, unless
 * the past is asked for; where what holds now is asked for, also by less sure words, and of two
 * which answer alike.
 */
#include "search/search_run.h"

#include "search/asks_past.h"
#include "statement/changed.h"

#define CHANGES_AMONG 20                   /* hits that may change one another */
/*
 * Among the first so many a newer turn that is so many times as likely to answer, and has this
 * share of what the other has of the question, stands before it where now is asked for. Of 34
 * updates of longmem that are found with what they update, 23 then lead, and 16 without; of 37
 * questions 25 have either of them first, and 26.
 */
#define ALIKE_AMONG 10
#define ALIKE_P     0.6f
#define ALIKE_COVERAGE 0.9f

bool
search_is_earlier(const struct message *a, const struct message *b)
{
	return a->time_us != TIME_NONE && b->time_us != TIME_NONE && a->time_us != b->time_us
	    ? a->time_us < b->time_us
	    : a->row > 0 && strcmp(a->session, b->session) == 0 && a->row < b->row;
}

/* Whether both hits answer about alike, as far as is known. */
static bool
answers_alike(const struct search_hit *h, const struct search_hit *other)
{
	return h->p >= ALIKE_P * other->p && h->coverage >= ALIKE_COVERAGE * other->coverage;
}

/*
 * Before which of the first n hits, said earlier, hit n is to stand; n: before none. now: it is
 * asked what holds now.
 */
static size_t
stands_before(const struct search_result *r, size_t n, bool now)
{
	const struct search_hit *hit = &r->hits[n];
	struct changed_text earlier[CHANGES_AMONG];
	size_t of[CHANGES_AMONG + 1], n_earlier = 0, which, start, len, alike = n;

	if (hit->message->role != ROLE_USER)
		return n;
	for (size_t i = 0; i < n; i++) {
		const struct message *m = r->hits[i].message;

		if (m->role == ROLE_TOOL || !search_is_earlier(m, hit->message))
			continue;
		if (now && n < ALIKE_AMONG && alike == n && m->role == ROLE_USER &&
		    answers_alike(hit, &r->hits[i]))
			alike = i;
		earlier[n_earlier] = (struct changed_text){ m->content, m->content_len };
		of[n_earlier++] = i;
	}
	of[n_earlier] = n;
	which = now ? changed_which(earlier, n_earlier, hit->message->content,
			  hit->message->content_len, &start, &len)
		    : changed_surely(earlier, n_earlier, hit->message->content,
			  hit->message->content_len);
	return MIN(alike, of[which]);
}

void
search_newer_first(struct search_result *r, const struct search_query *q)
{
	bool now = r->question->asks_now, looked = now;

	for (size_t i = 1; i < MIN(r->n, (size_t)CHANGES_AMONG); i++) {
		size_t to = stands_before(r, i, now);
		struct search_hit hit = r->hits[i];

		if (to < i && !looked && (r->question->asks_when || r->question->asks_last ||
		    asks_past(q->text, q->len)))
			return;
		looked |= to < i;
		/* what changes an answer answers as well */
		hit.score = r->hits[to].score;
		hit.p = MAX(hit.p, r->hits[to].p);
		memmove(r->hits + to + 1, r->hits + to, (i - to) * sizeof(*r->hits));
		r->hits[to] = hit;
	}
}
