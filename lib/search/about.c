/*
 * about.c: what only stands beside a match is likely to be wanted by who asks, but is not about it;
 * and what has all words is about it, however improbable it is that it answers.
 */
#include "search/about.h"

#include <math.h>

#include "search/answer.h"
#include "search/ask.h"

#define ABOUT_SIM .5F                      /* calibrated similarity of what has no word of it */
#define ALL_WORDS .99F                     /* the share of its words */

struct about { about_fn *fn; void *arg; };

static bool
is_about(const struct search_hit *h)
{
	bool near = !isnan(h->sim) && h->sim >= ABOUT_SIM;

	return h->coverage >= ALL_WORDS || (search_hit_is_likely(h) && (h->bm25 > 0 || near));
}

static int
take_said(void *arg, const struct search_hit *h, const struct question *asked, size_t rank,
	const struct rewritten *made_of, struct err *err)
{
	const struct about *v = arg;
	const struct message *m = h->message;

	(void)asked, (void)rank, (void)made_of, (void)err;
	if (is_about(h))
		v->fn(v->arg, &(struct about_found){ false, m->id, m->content, m->content_len,
			m->time_us });
	return 0;
}

static void
take_known(void *arg, enum tier in, const struct tier_hit *h, size_t rank)
{
	const struct about *v = arg;
	const struct record_head *r = &h->record->head;

	(void)in, (void)rank;
	if (tier_hit_is_likely(h))
		v->fn(v->arg, &(struct about_found){ true, r->id, r->content, r->content_len,
			r->time_us });
}

int
about_find(struct store *s, const struct about_want *want, about_fn *fn, void *arg,
	struct err *err)
{
	struct about v = { fn, arg };
	const struct answer_fn calls = { .said = take_said, .known = take_known,
		.without = want->without, .arg = &v };
	bool said_alone = want->words->name != NULL || want->who.session != NULL;
	struct answer_want w = { .who = want->who, .program = want->program,
		.in = said_alone ? 1u << TIER_CONVERSATIONS : TIERS_ALL,
		.known = RECORD_FILTER_ANY(RECORD_FACT) };
	struct answer *a = NULL;
	int rc = ask_options(&want->who, "fused", want->words, &w.query, err);

	w.query.scope = want->who.session != NULL ? SEARCH_SESSION : SEARCH_USER;
	w.shown = (size_t)w.query.limit;
	w.query.text = want->text;
	w.query.len = strlen(want->text);
	w.known.since_us = w.query.filter.since_us;
	w.known.until_us = w.query.filter.until_us;
	if (rc == 0 && (rc = answer_open(s, &w, &calls, &a, err)) == 0)
		rc = answer_question(a, &w.query, NULL, err);
	answer_close(a);
	return MIN(rc, 0);
}
