/*
 * hits.h: the hits of questions as people see them on a terminal, numbered, so that "mem-show 2"
 * shows the second.
 */
#pragma once

#include "records/named.h"
#include "search/answer.h"
#include "search/hit.h"
#include "work/work.h"

struct shown_hits {
	struct store *store;               /* the caller's to set, before the first hit; borrowed */
	const struct scope *who;           /* borrowed */
	bool explain;                      /* why each hit has its rank; and none is hidden */
	struct id_ends ends;
	struct shown *all;                 /* [n] of the question at hand */
	size_t n, cap, n_numbers;
	struct buf handles;                /* what "mem-show NUMBER" will show */
};

void shown_init(struct shown_hits *v, const struct scope *who, bool explain);
void shown_release(struct shown_hits *v);
/* Keeps a hit until all of the question are there; view: where in it the words were found. */
void shown_said(struct shown_hits *v, const struct search_hit *h, const struct hit_view *view);
/* The end of a question, of which n_put hits came in all. */
void shown_end(struct shown_hits *v, size_t n_put);
/* Prints a fact, note or summary; a category; what was done with a file, command or error. */
void shown_record(struct shown_hits *v, const struct tier_hit *h);
void shown_category(const struct category *c, size_t rank);
void shown_work(struct shown_hits *v, const struct work *w, size_t rank);
/*
 * Tells that another model's vectors are searched than those that mem-embed makes: they are not
 * until nobody lacks one.
 */
void shown_model(const struct shown_hits *v);
