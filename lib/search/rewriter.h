/*
 * rewriter.h: what mem-rewrite and mem-search share: a talk from a file, a model when one is
 * configured, questions as texts and as records that may bring their own talk.
 */
#ifndef SEARCH_REWRITER_H
#define SEARCH_REWRITER_H

#include "followup/rewrite.h"
#include "search/search.h"

struct rewriter {
	struct llm *llm;
	struct rewrite *rewrite;
	struct rewrite_talk talk;          /* of the file */
	struct rewrite_talk own;           /* and what a record brings besides */
	struct arena arena;                /* of the question at hand */
	bool has_talk;
};

/* context: the file, NULL: none; its bad lines are told to bad. Close it also when this fails. */
int rewriter_open(struct rewriter *w, const char *context, void (*bad)(void *arg, const char *why),
	void *arg, struct err *err);

/* A model may be asked from here on; s: of its ledger and its answers, NULL: none. */
void rewriter_use_model(struct rewriter *w, struct store *s, const char *user, const char *program);
void rewriter_close(struct rewriter *w);

/* The question made whole; what out points at lives until the next question. */
void rewriter_text(struct rewriter *w, const char *text, size_t len, struct rewritten *out);

/*
 * The same of a query record; again: what mem-rewrite made of it before does not count. 1: it
 * brought a talk of its own, or has been through mem-rewrite; 0: it did not; -1: ERR_DATA, no
 * question, or its talk is none.
 */
int rewriter_record(struct rewriter *w, const struct json *v, bool again, struct rewritten *out,
	struct err *err);

/*
 * What is to be searched for then: text and added words of to; words is room for them, and lives as
 * long.
 */
void rewriter_query(const struct rewritten *q, struct search_query *to,
	struct search_word words[FOLLOWUP_WORDS]);

#endif
