/*
 * rewriter.h: what mem-rewrite and mem-search share: a conversation from a file, a model when one
 * is configured, and questions as texts or as records that may carry their own conversation.
 */
#pragma once

#include "followup/rewrite.h"
#include "search/search.h"

struct rewriter {
	struct llm *llm;
	struct rewrite *rewrite;
	struct rewrite_talk talk;          /* the conversation in the file */
	struct rewrite_talk own;           /* the conversation in the question's record */
	struct arena arena;                /* for the question at hand */
	bool has_talk;
};

/*
 * context: the file, NULL: none; its bad lines are reported to bad. Call rewriter_close also when
 * this fails.
 */
int rewriter_open(struct rewriter *w, const char *context, void (*bad)(void *arg, const char *why),
	void *arg, struct err *err);

/* Permits asking a model. s holds its ledger and cached answers; NULL: neither. */
void rewriter_use_model(struct rewriter *w, struct store *s, const char *user, const char *program);
void rewriter_close(struct rewriter *w);

/* Rewrites a question; what out points at lives until the next question. */
void rewriter_text(struct rewriter *w, const char *text, size_t len, struct rewritten *out);

/*
 * Rewrites the question of a query record. again: ignore what an earlier mem-rewrite put into it.
 * Returns 1 when the record has a conversation of its own or has been through mem-rewrite, 0 when
 * not, -1 with ERR_DATA when it has no question or its conversation is malformed.
 */
int rewriter_record(struct rewriter *w, const struct json *v, bool again, struct rewritten *out,
	struct err *err);

/*
 * Sets text and added words of the search query `to`. The words are stored in `words`, which must
 * live as long.
 */
void rewriter_query(const struct rewritten *q, struct search_query *to,
	struct search_word words[FOLLOWUP_WORDS]);
