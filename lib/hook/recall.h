/*
 * recall.h: what a session is told of the past: at its start what is open in the project, at a
 * prompt what was said about it.
 */
#pragma once

#include "context/context.h"
#include "hook/hook_log.h"

struct recall_want {
	struct scope who;          /* its project is the session's own; its session is not used */
	const char *session;       /* the running one, whose present turns are not told */
	const struct hook_given *given;
	uint64_t tokens;           /* of the block, at most */
	bool even_off, ids;        /* as of context_limits: a person asks */
	/* of a prompt: what was typed, and how likely it asks for the past (hook/gate.h) */
	const char *prompt;
	size_t prompt_len;
	double gate;
	bool of_asker;             /* the prompt may ask for what is so of the user */
	bool stored_only;          /* of what was found, only what was stored on purpose is told */
};

struct recalled {
	struct context block;
	double p;                  /* of the best hit; NAN: there was none */
	const char *why;           /* what was told or why nothing was; a constant */
	struct arena arena;
	struct context_builder *builder;       /* owns the texts of a prompt's block */
	struct search *search;                 /* of the project, then of all; NULL: not asked */
};
void recalled_release(struct recalled *r);

/* For the files that fill a block: it is empty so far. */
void recall_begin(const struct recall_want *want, struct recalled *r);
/* Hosts may name no session. */
bool recall_is_running(const struct recall_want *want, const char *session);
/* The project's last session but the running one, in r's arena; NULL: there is none. */
struct recall_last { const char *session; bool any /* it has sessions, if only that one */; };
int recall_last(struct store *s, const struct recall_want *want, struct recalled *r,
	struct recall_last *last, struct err *err);

/*
 * Todos of the project that are surely open, decisions, what came of its last session and a summary
 * of it. s NULL: an empty memory. r is to be released in any case.
 */
int recall_start(struct store *s, const struct recall_want *want, struct recalled *r,
	struct err *err);

/* Adds the todos of the project, or of all where it is none, that are surely open. */
int recall_open(struct store *s, const struct recall_want *want, struct recalled *r,
	struct err *err);

/*
 * Searches the project and, when nothing there is likely enough to answer, all that the user has.
 * How likely a hit must be depends on the prompt: the setting likely where it surely asks for the
 * past, more where it may not, and more for what was said elsewhere; where the prompt asks for what
 * is so of the user, all is searched first, for what is sure. What was found comes with its
 * replies (hook/turns.h). A prompt that asks where work was left is told the last turns of that
 * session instead, one that asks what is open the todos, and nothing of another project. Output of
 * tools is told only to a prompt that asks for a command, a file or an error.
 */
int recall_prompt(struct store *s, const struct recall_want *want, struct recalled *r,
	struct err *err);
