/*
 * context_builder.h: chooses what goes into a context block: hits of questions and the turns needed
 * to understand them, or the last turns of a conversation.
 */
#pragma once

#include "context/changed.h"
#include "context/context.h"
#include "json/json.h"
#include "search/rewriter.h"

struct context_builder_want {
	struct scope who;
	/*
	 * what searches; borrowed, so that another builder can go on with what it has read and
	 * computed. NULL: the builder opens one
	 */
	struct search *search;
	/*
	 * How each question is searched, its text and len unused; the filter holds for everything
	 * in the block.
	 */
	struct search_query query;
	/* as which program a search that fails leaves figures; NULL: it leaves none */
	const char *program;
	struct rewriter *rewriter;         /* completes follow-up questions; borrowed */
	const char *bank;                  /* of these facts; NULL: any */
	bool facts;                        /* adds facts and summaries that answer a question */
	/* whose facts and notes, stored on purpose, are added where they answer; NULL: nobody's */
	const struct scope *stored;
	/* adds no hits of a question when none of them is likely to answer it (setting likely) */
	bool likely;
	/* adds the short turns that follow the first hit, where it is likely to answer */
	bool next_turns;
	/*
	 * leaves m out; p: how likely it is to answer, NAN for a turn that only stands before a
	 * hit. NULL: nothing is left out
	 */
	bool (*leaves_out)(void *arg, const struct message *m, float p);
	void *arg;
};

struct context_builder;

/* s NULL stands for an empty memory. s remains the caller's. */
int context_builder_open(struct store *s, const struct context_builder_want *want,
	struct context_builder **out, struct err *err);
void context_builder_close(struct context_builder *g);

/*
 * Searches for a question and keeps its hits, and the facts and summaries that are wanted, as
 * candidates.
 */
int
context_builder_question(struct context_builder *g, const char *text, size_t len, struct err *err);

/*
 * Adds a record of type hit, message or query, or one with the keys of these. A hit, or a message
 * with an id, is read from the store, where it may also be a fact, reflection or summary; a message
 * without an id is used as it is. ERR_DATA: it is none of these, or its message is not stored.
 */
int context_builder_record(struct context_builder *g, const struct json *v, struct err *err);

/*
 * Adds the candidates to the block by rank; those with the code that the question names come before
 * the others. A long message gives the chunk with most of the question's words, where there is
 * room, else an excerpt of that chunk. Then come the turns before short answers, and further
 * chunks. Texts in the block live until context_builder_close.
 */
int context_builder_fill(struct context_builder *g, struct context *c, struct err *err);

/*
 * Adds the facts that the user protects, where facts are wanted, within a tenth of the budget. To
 * be called before the candidates are added.
 */
int context_builder_pinned(struct context_builder *g, struct context *c, struct err *err);

/* What the searches could not use, as a sentence for a person; "": nothing. */
const char *context_builder_without(const struct context_builder *g);

/*
 * Figures of the questions that were asked, all but program and us_all, and what became in the
 * filled block of what they found; NULL: there were none. Lives until context_builder_close.
 */
const struct metric *context_builder_metric(struct context_builder *g, const struct context *c);

/*
 * Adds the last turns of the session, or of all sessions, newest session first, until one does not
 * fit.
 */
int context_builder_recent(struct context_builder *g, struct context *c, struct err *err);
