/*
 * about.c: what only stands beside a match is likely to be wanted by who asks, but is not about it;
 * and what has all words is about it, however improbable it is that it answers. So is what alone
 * has those words that are said at all, be it within longer ones: who asks for "therapy with Dr.
 * Weidmann" means the turn that has that name, though nobody ever said "therapy".
 */
#include "search/about.h"

#include <math.h>

#include "base/alloc.h"
#include "search/answer.h"
#include "search/ask.h"

#define ABOUT_SIM .5F                      /* calibrated similarity of what has no word of it */
#define ALL_WORDS .99F                     /* the share of its words */
#define WORD_LEAST 5                       /* bytes of a word that may stand within another */
#define ALONE_MOST 3                       /* turns that have a word which is not in many */

/* A turn that was found: the words of the text that it has, one bit each. */
struct heard { struct about_found found; uint64_t words; bool about; };
struct about { about_fn *fn; void *arg; struct arena arena; struct heard *heard; size_t n, cap; };

static bool
is_about(const struct search_hit *h)
{
	bool near = !isnan(h->sim) && h->sim >= ABOUT_SIM;

	return h->coverage >= ALL_WORDS || (search_hit_is_likely(h) && (h->bm25 > 0 || near));
}

/* Which words of the question the text has, also as a part of a longer one. */
static uint64_t
words_in(const struct question *q, const char *text, size_t len, struct arena *a)
{
	char *folded = arena_alloc(a, 3 * len + 1);
	uint64_t words = 0;

	folded[words_fold(text, len, folded)] = '\0';
	for (size_t i = 0; i < MIN(q->n_terms, 64); i++) {
		const struct question_term *t = &q->terms[i];
		char word[WORDS_TERM_BYTES + 1];

		snprintf(word, sizeof(word), "%.*s", (int)t->len, t->text);
		if (t->len >= WORD_LEAST && !t->stop && !t->guessed && strstr(folded, word) != NULL)
			words |= (uint64_t)1 << i;
	}
	return words;
}

static int
take_said(void *arg, const struct search_hit *h, const struct question *asked, size_t rank,
	const struct rewritten *made_of, struct err *err)
{
	struct about *v = arg;
	const struct message *m = h->message;

	(void)rank, (void)made_of, (void)err;
	*xpush(v->heard, v->n, v->cap) = (struct heard){
		{ false, arena_strdup(&v->arena, m->id), arena_strdup(&v->arena, m->session),
		    arena_strndup(&v->arena, m->content, m->content_len), m->content_len,
		    m->time_us },
		words_in(asked, m->content, m->content_len, &v->arena), is_about(h) };
	return 0;
}

static void
give_heard(const struct about *v)
{
	uint64_t said = 0;
	size_t n_alone = 0;

	for (size_t i = 0; i < v->n; i++)
		said |= v->heard[i].words;
	for (size_t i = 0; i < v->n; i++)
		n_alone += v->heard[i].words == said;
	for (size_t i = 0; i < v->n; i++)
		if (v->heard[i].about ||
		    (said != 0 && v->heard[i].words == said && n_alone <= ALONE_MOST))
			v->fn(v->arg, &v->heard[i].found);
}

static void
take_known(void *arg, enum tier in, const struct tier_hit *h, size_t rank)
{
	const struct about *v = arg;
	const struct record_head *r = &h->record->head;

	(void)in, (void)rank;
	if (tier_hit_is_likely(h))
		v->fn(v->arg, &(struct about_found){ true, r->id, NULL, r->content,
			r->content_len, r->time_us });
}

int
about_find(struct store *s, const struct about_want *want, about_fn *fn, void *arg,
	struct err *err)
{
	struct about v = { fn, arg, ARENA_INIT, NULL, 0, 0 };
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
	w.query.copies = true;
	w.known.since_us = w.query.filter.since_us;
	w.known.until_us = w.query.filter.until_us;
	if (rc == 0 && (rc = answer_open(s, &w, &calls, &a, err)) == 0)
		rc = answer_question(a, &w.query, NULL, err);
	if (rc >= 0)
		give_heard(&v);
	answer_close(a);
	arena_release(&v.arena);
	free(v.heard);
	return MIN(rc, 0);
}
