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
	struct run run;                    /* as the caller's, with bm25 and found its own */
	struct bm25 bm25;
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
	struct bm25 *b = r->bm25;

	while (bm25_next(b)) {
		uint32_t from = MAX(r->from, b->from), to = MIN(r->to, b->to);
		if (from < to)
			prefilter_pass(l, r, from, to, w->near);
		if (r->found.n > 2 * l->n)
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

	h->run = *r;
	h->run.bm25 = &h->bm25;
	h->run.found = (struct candidates){ .n = 0 };
	bm25_split(r->bm25, &h->bm25);
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
	struct candidates *to = &r->found, *from = &h->run.found;

	bm25_join(r->bm25, &h->bm25);
	xgrow(&to->at, &to->cap, to->n + from->n + 1, sizeof(*to->at));
	xgrow(&l->scores, &l->cap, to->n + from->n + 1, sizeof(*l->scores));
	if (from->n > 0) {
		memcpy(to->at + to->n, from->at, from->n * sizeof(*to->at));
		memcpy(l->scores + to->n, h->light.scores, from->n * sizeof(*l->scores));
	}
	to->n += from->n;
	prefilter_join(l, &h->light);
	for (size_t i = 0; l->seen != NULL && i <= r->corpus->n / 64; i++)
		l->seen[i] |= h->light.seen[i];
	free(h->light.seen);
	prefilter_release(&h->light);
	free(from->at);
	free(h);
}

void
prefilter_all(struct prefilter *l, struct run *r, float near)
{
	struct half *h = r->bm25->list.n >= TWO_FROM ? half_of(r, l, near) : NULL;
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
