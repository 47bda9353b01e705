/*
 * prefilter_threads.c: prefilters the slices of a large memory in two threads: the caller has the
 * first half of the turns, another thread the rest. Each keeps the best of its half, the first
 * among equals, so the best of both are what one thread alone would keep.
 */
#include "search/search_run.h"

#include <pthread.h>

#include "base/alloc.h"

/* postings; these take one thread three milliseconds, and starting another a fifth of that */
#define TWO_FROM 150000

struct walk {
	struct prefilter *light;
	struct run *run;
	float near;
	bool done;                         /* false: there was no memory for it */
};

struct half {
	/* a copy of the caller's, with bm25 and found of its own */
	struct search search;
	struct run run;
	struct prefilter light;
	struct walk walk;
};

/* Passes over all slices of the run's bm25 and compacts after each. */
static void
pass_all(void *arg)
{
	struct walk *w = arg;
	struct prefilter *l = w->light;
	struct run *r = w->run;
	struct bm25 *b = &r->s->bm25;

	while (bm25_next(b)) {
		uint32_t from = MAX(r->from, b->from), to = MIN(r->to, b->to);
		if (from < to)
			prefilter_pass(l, r, from, to, w->near);
		if (r->s->n_found > 2 * l->n)
			prefilter_compact(l, r);
	}
}

static void *
walk_all(void *arg)
{
	struct walk *w = arg;

	w->done = alloc_try(pass_all, w);
	return NULL;
}

static struct half *
half_of(struct run *r, const struct prefilter *l, float near)
{
	struct half *h = xcalloc(1, sizeof(*h));

	h->search = *r->s;
	h->search.found = NULL;
	h->search.n_found = h->search.cap_found = 0;
	bm25_split(&r->s->bm25, &h->search.bm25);
	h->run = *r;
	h->run.s = &h->search;
	prefilter_open(&h->light, &h->run, l->n);
	if (l->seen != NULL)
		h->light.seen = xcalloc(r->corpus->n / 64 + 1u, sizeof(*h->light.seen));
	h->walk = (struct walk){ &h->light, &h->run, near, false };
	return h;
}

/* Appends what the second half found to the caller's. */
static void
take_over(struct prefilter *l, struct run *r, struct half *h)
{
	struct search *s = r->s, *from = &h->search;

	bm25_join(&s->bm25, &from->bm25);
	xgrow(&s->found, &s->cap_found, s->n_found + from->n_found + 1, sizeof(*s->found));
	xgrow(&l->scores, &l->cap, s->n_found + from->n_found + 1, sizeof(*l->scores));
	if (from->n_found > 0) {
		memcpy(s->found + s->n_found, from->found, from->n_found * sizeof(*s->found));
		memcpy(l->scores + s->n_found, h->light.scores, from->n_found * sizeof(*l->scores));
	}
	s->n_found += from->n_found;
	prefilter_join(l, &h->light);
	for (size_t i = 0; l->seen != NULL && i <= r->corpus->n / 64; i++)
		l->seen[i] |= h->light.seen[i];
	free(h->light.seen);
	prefilter_release(&h->light);
	free(from->found);
	free(h);
}

void
prefilter_all(struct prefilter *l, struct run *r, float near)
{
	struct half *h = r->s->bm25.list.n >= TWO_FROM ? half_of(r, l, near) : NULL;
	struct walk own = { l, r, near, false };
	pthread_t thread;
	bool started = h != NULL && pthread_create(&thread, NULL, walk_all, &h->walk) == 0;

	walk_all(&own);
	if (started)
		pthread_join(thread, NULL);
	else if (h != NULL)
		walk_all(&h->walk);
	if (!own.done || (h != NULL && !h->walk.done))
		out_of_memory();
	if (h != NULL)
		take_over(l, r, h);
}
