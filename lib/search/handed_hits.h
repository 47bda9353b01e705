/*
 * handed_hits.h: notes what a search hands out (store/handed.h), and tells later why something was
 * found, and in which answers it was handed out.
 */
#pragma once

#include "base/buf.h"
#include "search/facts_search.h"
#include "search/search.h"
#include "store/handed.h"

/* As handed out; x of the entry is borrowed from the hit. */
struct handed handed_said(const struct search_hit *h, size_t rank);
struct handed handed_known(const struct tier_hit *h, size_t rank);

/* What an answer made of one message or record. */
struct why {
	const char *id;
	int64_t time_us;
	const char *program, *path;
	struct handed at;                  /* what was noted of it */
	/* [n], all that was noted, it too, but what is not in the scope; ids [n] are theirs */
	const struct handed *items;
	const char *const *ids;
	size_t n;
};

/*
 * The newest answer that found it, in the arena; 1: there is one, 0: there is none, -1 with err.
 * What was asked in is not kept: who's session does not matter.
 */
int why_found(struct store *s, const struct scope *who, const char *id, bool is_record,
	int64_t row, struct arena *a, struct why *out, struct err *err);

/*
 * Writes the record: type, user, id, time, program, strategy, did, rank, tokens, score, p, sim,
 * bm25, lists, signals {name: value}, items [{id, did, rank, tokens}].
 */
void why_record(struct buf *out, const char *user, const struct why *w);

/* Calls fn for each answer in which it was handed out, newest first; w has no items. */
typedef int why_fn(void *arg, const struct why *w);
int seen_each(struct store *s, const struct scope *who, const char *id, bool is_record,
	int64_t row, why_fn *fn, void *arg, struct err *err);

/* Writes the record: type, user, id, time, program, strategy, did, rank, tokens. */
void seen_record(struct buf *out, const char *user, const struct why *w);
