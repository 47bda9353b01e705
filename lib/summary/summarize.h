/*
 * summarize.h: summaries in the store: of sessions, one each, written again when enough was said
 * since; and of old facts that belong together (SPEC 4.6).
 *
 * Nothing that is summed up is lost: messages stay as they are, facts are hidden and can be
 * restored. Every summary is a step (store/records.h).
 */
#ifndef SUMMARY_SUMMARIZE_H
#define SUMMARY_SUMMARIZE_H

#include "summary/summary.h"

enum summarize_by { BY_EMBEDDINGS, BY_TAGS, BY_HYBRID };

struct summarize_options {
	/* sessions: that many new ones make a summary; 0: off */
	int64_t n_messages;
	unsigned session_tokens, fact_words;
	int64_t facts_before_us;               /* facts: those older than this */
	double facts_sim;                      /* calibrated similarity that joins two */
	enum summarize_by by;
	struct llm *llm;                       /* NULL: rules alone */
};

struct summarize_fn {
	/* after its commit */
	void (*made)(void *arg, const struct fact *f, const struct summary_made *made);
	void *arg;
};

struct summarize_counts { size_t n_looked, n_made, n_by_model, n_facts; };

/*
 * s is open for writing. Safe beside another: of two summaries of the same stretch one is stored.
 */
int summarize_sessions(struct store *s, const struct scope *who, const struct summarize_options *o,
	const struct summarize_fn *fn, struct summarize_counts *counts, struct err *err);
/* *meaning false: the store's vectors could not be read, so keys and tags alone counted. */
int summarize_facts(struct store *s, const struct scope *who, const struct summarize_options *o,
	const struct summarize_fn *fn, struct summarize_counts *counts, bool *meaning,
	struct err *err);

/* How many sessions summarize_sessions would sum up. Cost: the new messages are read. */
int summarize_due(struct store *s, const struct scope *who, int64_t n_messages, int64_t *n,
	struct err *err);

/*
 * How stale a summary is: of a session, messages of user and assistant said since; of facts, those
 * that changed, ended, were retracted or are gone since. 0: as good as new, or no summary.
 */
int summary_stale(struct store *s, const struct scope *who, const struct fact *f, int64_t *n,
	struct err *err);
/* As record_known (facts/fact_record.h), of a summary with the key stale when n_stale is over 0. */
void record_summary(struct buf *out, const char *user, const struct fact *f, int64_t n_stale,
	const char *const *quotes);

#endif
