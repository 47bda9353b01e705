/*
 * facts_search.h: finds facts, reflections and summaries by the words of a question
 * (store/records.h) and, where there are vectors and their model, by meaning.
 */
#pragma once

#include "base/buf.h"
#include "search/rerank.h"
#include "search/search.h"
#include "store/records.h"

/* TIER_STORED: facts and notes that somebody stored on purpose (search/stored.h). */
enum tier { TIER_INSIGHTS, TIER_REFLECTIONS, TIER_CONVERSATIONS, TIER_STORED };
#define N_TIERS 4
#define TIERS_ALL ((1u << TIER_STORED) - 1)            /* without it: they hold the same */
extern const char *const tier_names[];                 /* indexed by enum tier */
/* Parses "insights,conversations" or "all" into bits 1 << enum tier; 0 when a word is no tier. */
unsigned tiers_parse(const char *text);

struct tier_query {
	const char *text;
	size_t len;
	size_t limit;
	double min_score;
	struct record_filter filter;                   /* its type is not used: the tier decides */
	/* only these of the tier's types, as bits of enum record_type; 0: all */
	unsigned types;
	/*
	 * what a search of conversations has found for the question: facts are found by these turns
	 * and by words alone. NULL: they are searched for, and facts are found by meaning, too
	 */
	const struct search_result *said;
};

struct tier_hit {
	const struct fact *record;                     /* in the arena */
	/*
	 * 0-1: of facts by search/fact_rank.h, of others .6 sim + .4 bm25; bm25 alone where there
	 * are no vectors
	 */
	double score;
	/* divided by the tier's best for this question */
	double bm25;
	/* divided by what all the question's words would give (store/records.h) */
	double share;
	double sim;                                    /* calibrated similarity; NAN: none */
	/* how probably the message that a fact rests on answers; 0: it does not */
	double turn;
	/* how probably a record of TIER_STORED answers; NAN: of another tier */
	double p;
	/* on which of facts_search_turns it rests, as bits */
	unsigned rests;
	struct reranked again;                         /* set by --llm-rerank */
};

/* Whether the hit has half of the question's words, by their idf, or is near it in meaning. */
bool tier_hit_is_likely(const struct tier_hit *h);

/* Facts are ranked by the turns that they rest on; so many of the likeliest are told. */
#define FACT_TURNS 5

/* Keeps the model open from question to question. */
struct facts_search;

struct facts_search *facts_search_new(struct store *s);              /* s is borrowed */
void facts_search_free(struct facts_search *t);
/* whether the last search used vectors */
bool facts_search_dense(const struct facts_search *t);
/* why it did not, although there are some; NULL: it did, or there are none */
const char *facts_search_down(const struct facts_search *t);
/*
 * How probably each of the best turns answers the question for which facts were searched last; the
 * number of p [FACT_TURNS] that are set.
 */
size_t facts_search_turns(const struct facts_search *t, double p[FACT_TURNS]);
/*
 * Finds the best records; *out [*n] in the arena, best first. TIER_REFLECTIONS: reflections and
 * summaries. No snapshot stays open.
 */
int facts_search_run(struct facts_search *t, const struct scope *who, enum tier tier,
	const struct tier_query *q, struct arena *a, struct tier_hit **out, size_t *n,
	struct err *err);

/*
 * Writes a hit record: type, rank, id, user, time, agent, project, session, origin, trust, sources,
 * source_id, score, p, sim, bm25, tier, kind, content, key, bank, valid_from, valid_to.
 */
void facts_search_record(struct buf *out, const char *user, enum tier tier,
	const struct tier_hit *h, size_t rank);
