/*
 * facts_search.h: facts, reflections and summaries that answer a question: by their words
 * (store/records.h) and, where there are vectors and their model, by meaning.
 */
#ifndef SEARCH_FACTS_SEARCH_H
#define SEARCH_FACTS_SEARCH_H

#include "base/buf.h"
#include "search/rerank.h"
#include "store/records.h"

enum tier { TIER_INSIGHTS, TIER_REFLECTIONS, TIER_CONVERSATIONS };
#define N_TIERS 3
#define TIERS_ALL ((1u << N_TIERS) - 1)
extern const char *const tier_names[];                 /* by enum tier */
/* "insights,conversations" or "all" as bits 1 << enum tier; 0 when a word is none. */
unsigned tiers_parse(const char *text);

struct tier_query {
	const char *text;
	size_t len;
	size_t limit;
	double min_score;
	struct record_filter filter;                   /* its type is the tier's */
	/* of the tier's types these only, as bits of enum record_type; 0: all */
	unsigned types;
};

struct tier_hit {
	const struct fact *record;                     /* in the arena */
	/* 0-1: .6 sim + .4 bm25; bm25 where there are no vectors */
	double score;
	/* as a share of the question's best in the tier */
	double bm25;
	/* the same of all the question's words (store/records.h) */
	double share;
	double sim;                                    /* calibrated; NAN: none */
	struct reranked again;                         /* by --llm-rerank, if it was asked for */
};

/* It has half of the question's words, by their weight, or is near it in meaning. */
bool tier_hit_is_likely(const struct tier_hit *h);

/* the model, kept from question to question */
struct facts_search;

struct facts_search *facts_search_new(struct store *s);              /* s is borrowed */
void facts_search_free(struct facts_search *t);
/* the search before looked at vectors, too */
bool facts_search_dense(const struct facts_search *t);
/* why it did not, though there are some; NULL: it did, or there are none */
const char *facts_search_down(const struct facts_search *t);
/*
 * Best first; *out [*n] in the arena. TIER_REFLECTIONS: reflections and summaries. No snapshot is
 * open when it returns.
 */
int facts_search_run(struct facts_search *t, const struct scope *who, enum tier tier,
	const struct tier_query *q, struct arena *a, struct tier_hit **out, size_t *n,
	struct err *err);

/*
 * A hit record: type, rank, id, user, time, agent, project, session, origin, trust, sources,
 * source_id, score, sim, bm25, tier, kind, content, key, bank, valid_from, valid_to.
 */
void facts_search_record(struct buf *out, const char *user, enum tier tier,
	const struct tier_hit *h, size_t rank);

#endif
