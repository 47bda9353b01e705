/*
 * context_builder.h: what goes into a context block: hits, the turns that make them readable, or
 * the last turns of a conversation.
 */
#ifndef CONTEXT_CONTEXT_BUILDER_H
#define CONTEXT_CONTEXT_BUILDER_H

#include "context/context.h"
#include "json/json.h"
#include "search/rewriter.h"

struct context_builder_want {
	struct scope who;
	/* of each question; text and len are not used. Its filter holds for all that goes in */
	struct search_query query;
	struct rewriter *rewriter;         /* makes follow-up questions whole; borrowed */
	bool known;                        /* facts and summaries that answer a question, too */
	/* of a question no hits at all where none is likely to answer it (setting likely) */
	bool likely;
};

struct context_builder;

/* s NULL: an empty memory. The store stays the caller's. */
int context_builder_open(struct store *s, const struct context_builder_want *want,
	struct context_builder **out, struct err *err);
void context_builder_close(struct context_builder *g);

/* Searches, and keeps the hits as candidates, and the facts and summaries that are wanted. */
int
context_builder_question(struct context_builder *g, const char *text, size_t len, struct err *err);

/*
 * A record of type hit, message or query (or one that looks like it). A hit or a message with an id
 * is looked up, among facts and the like too; a message without one is taken as it stands. ERR_DATA
 * when it is none of these or its message is not there.
 */
int context_builder_record(struct context_builder *g, const struct json *v, struct err *err);

/*
 * Puts the candidates into the block, those of better rank first, those with code in question
 * before the others. A long message gives the chunk that has most of the question's words, where
 * there is room; else an excerpt of that. Then come the turns before short answers, and further
 * chunks. What is in the block lives until context_builder_close.
 */
int context_builder_fill(struct context_builder *g, struct context *c, struct err *err);

/*
 * The facts that the user protects, in a tenth of the budget, where facts are wanted. To be called
 * before the candidates are put in.
 */
int context_builder_pinned(struct context_builder *g, struct context *c, struct err *err);

/* What the searches went without, as a sentence for a person; "": nothing. */
const char *context_builder_without(const struct context_builder *g);

/*
 * Of the questions that were asked, all but program and us_all; NULL: there were none. Lives until
 * context_builder_close.
 */
const struct metric *context_builder_metric(const struct context_builder *g);

/* The last turns of the session, or of all, newest session first, until one does not fit. */
int context_builder_recent(struct context_builder *g, struct context *c, struct err *err);

#endif
