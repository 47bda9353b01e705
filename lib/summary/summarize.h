/*
 * summarize.h: makes and stores summaries: one of each session, written again when enough was said
 * since, and one of each group of old facts that belong together.
 *
 * Nothing is lost by it: messages stay as they are; facts are hidden and can be restored. Every
 * summary is a step (store/records.h) that can be undone.
 */
#pragma once

#include "summary/summary.h"

enum summarize_by { BY_EMBEDDINGS, BY_TAGS, BY_HYBRID };

struct summarize_options {
	/* sessions: so many new messages make a summary due; 0: never */
	int64_t n_messages;
	unsigned session_tokens, fact_words;
	int64_t facts_before_us;               /* facts: only those older than this */
	double facts_sim;                      /* calibrated similarity from which two facts join */
	enum summarize_by by;
	struct llm *llm;                       /* NULL: rules alone */
};

struct summarize_fn {
	/* called after the commit of each summary */
	void (*made)(void *arg, const struct fact *f, const struct summary_made *made);
	void *arg;
};

struct summarize_counts { size_t n_looked, n_made, n_by_model, n_facts; };

/*
 * S must be open for writing. Two processes may run it at once: only one of two summaries of the
 * same messages is stored.
 */
int summarize_sessions(struct store *s, const struct scope *who, const struct summarize_options *o,
	const struct summarize_fn *fn, struct summarize_counts *counts, struct err *err);
/*
 * *meaning becomes false when the store's vectors could not be read, so that facts were joined by
 * keys and tags alone.
 */
int summarize_facts(struct store *s, const struct scope *who, const struct summarize_options *o,
	const struct summarize_fn *fn, struct summarize_counts *counts, bool *meaning,
	struct err *err);

/* Counts the sessions that summarize_sessions would sum up. Cost: reads their new messages. */
int summarize_due(struct store *s, const struct scope *who, int64_t n_messages, int64_t *n,
	struct err *err);

/*
 * How stale a summary is: of a session, the messages that user and assistant have added since; of
 * facts, how many of them have changed, ended, been retracted or been removed since. 0: it is up to
 * date, or f is no summary.
 */
int summary_stale(struct store *s, const struct scope *who, const struct fact *f, int64_t *n,
	struct err *err);
/*
 * What the summary f would be if it were made today, by a model where a model made it and o has
 * one: *now is f with another content, structured part, sources and turns, in a. NULL: nothing
 * would come out, as all that it was made of is gone. Cost: reads what it was made of.
 */
int summary_again(struct store *s, const struct scope *who, const struct fact *f,
	const struct summarize_options *o, struct arena *a, const struct fact **now,
	struct err *err);
/* Like fact_record (facts/fact_record.h), with the key stale when n_stale is above 0. */
void record_summary(struct buf *out, const char *user, const struct fact *f, int64_t n_stale,
	const char *const *quotes);
