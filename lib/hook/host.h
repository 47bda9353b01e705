/*
 * host.h: the coding agents that run mem-hook: what each calls its events, how it hands them over,
 * and what it takes for an answer. mem-agents(7) says where each of these facts comes from.
 *
 * schema/hooks/HOST.json is what the host's configuration needs, schema/hooks/opencode.js the
 * plugin of the one that has no hooks.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "calls/change.h"
#include "calls/outcome.h"

enum hook_event {
	HOOK_START,                /* a session begins, or goes on after a break */
	HOOK_PROMPT,               /* the user has typed a prompt */
	HOOK_STOP,                 /* the agent has answered */
	HOOK_END,                  /* the session is over */
	HOOK_COMPACT,              /* the conversation is about to be shortened */
	HOOK_PRETOOL,              /* a command is about to be run, or a file to be changed */
	HOOK_POSTTOOL,             /* it has been, and failed where the host tells that apart */
	N_HOOK_EVENTS
};
extern const char *const hook_event_names[];   /* "start", "prompt" ... */

/* How an answer gets its text. */
enum host_form {
	HOST_SPECIFIC,             /* {"hookSpecificOutput": {..., "additionalContext"}} */
	HOST_SNAKE,                /* {"additional_context"} */
	HOST_CAMEL,                /* {"additionalContext"} */
	HOST_PLAIN                 /* the text itself */
};

struct host {
	const char *name;          /* "claude-code", as mem-ingest calls it too */
	const char *title;         /* "Claude Code" */
	const char *wiring;        /* what goes in there: a file of schema/ */
	const char *events[N_HOOK_EVENTS];     /* what it calls them; NULL: it has none */
	enum host_form form;
	/* what it takes for "nothing"; some parse it, some would show it to the model */
	const char *nothing;
	/* its transcripts tell the directory of the session, and so the project (ingest) */
	bool tells_cwd;
};

extern const struct host hosts[];              /* the last has no name */
const struct host *host_find(const char *name);        /* NULL: there is none */
/* By our name or the host's own; -1: it is neither. */
int host_event(const struct host *h, const char *name);

/*
 * Whether the host takes an answer at the event: Gemini CLI and Cursor read none before a call, and
 * Qwen Code one that allows it, which nobody has asked for.
 */
bool host_listens(const struct host *h, enum hook_event event);

/* The whole answer that gives the model nothing, with a newline when it is not empty. */
const char *host_nothing(const struct host *h, int event);
/* Appends the answer that gives the model text. */
void host_answer(const struct host *h, enum hook_event event, const char *text, size_t len,
	struct buf *out);

/* What a host says; "" where it says nothing. The texts are in the arena. */
struct hook_call {
	const char *session;       /* the host's id, which its transcripts have as well */
	const char *transcript;    /* path of the session's file */
	const char *cwd;
	bool compacted;            /* of a start: the conversation was just shortened */
	/* of a start: what the session was begun with; of a long one the beginning and the end */
	const char *prompt;
	size_t prompt_len;
	const char *command;       /* of a call that runs one */
	struct change change;      /* that a call would make */
	const char *result;        /* the texts of what it gave, a line each */
	struct outcome outcome;
};
/* ERR_DATA: it is no JSON object. Keys of a wrong type count as missing. */
int host_read(const char *text, size_t len, struct arena *a, struct hook_call *out,
	struct err *err);
