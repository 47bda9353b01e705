/*
 * mcp.h: a server of the Model Context Protocol (modelcontextprotocol.io) on a pair of streams, a
 * JSON-RPC 2.0 message a line. Both eras: version 2026-07-28, where each request says its version
 * and nothing is agreed upon, and 2024-11-05 to 2025-11-25, which begin with a handshake. Tools,
 * prompts and templates of resources are described in schema/mcp; what they do is the caller's.
 */
#pragma once

#include "json/json.h"

struct mcp_request;

/* What a tool is called with, and what it says. */
struct mcp_call {
	const struct json *args;           /* fits the tool's input schema; never NULL */
	struct buf *text;                  /* for the reader */
	struct buf *structured;            /* a JSON object that fits the tool's output schema */
	struct arena *arena;               /* emptied after the call */
	struct mcp_request *request;       /* for mcp_progress */
};

/*
 * Tells the client how far a call is, where it has asked for that, and returns whether it has
 * cancelled the call; then the tool ends soon, and what it has to say is not sent.
 */
bool mcp_progress(const struct mcp_call *c, int64_t done, int64_t all, const char *what);

/* Returns 0, or -1 with err, whose message the client shows to its model. */
typedef int mcp_tool_fn(void *arg, const struct mcp_call *c, struct err *err);
struct mcp_tool { const char *name; mcp_tool_fn *call; };

/*
 * A prompt's text. ERR_USAGE and ERR_DATA: an argument is wrong. Required arguments are there, and
 * all are texts.
 */
typedef int
mcp_prompt_fn(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err);
struct mcp_prompt { const char *name; mcp_prompt_fn *get; };

struct mcp_fn {
	/* those of schema/mcp/tools.json; the last has no name */
	const struct mcp_tool *tools;
	const struct mcp_prompt *prompts;  /* those of prompts.json */
	/*
	 * Writes a page of resources as JSON objects with commas between them, and into next, where
	 * there are more, the cursor of the page behind it. cursor NULL: the first page. ERR_DATA:
	 * there is no such cursor.
	 */
	int (*list)(void *arg, const char *cursor, struct buf *items, struct buf *next,
		struct err *err);
	/* The text of a resource. ERR_NOINPUT: there is none of that name. */
	int (*read)(void *arg, const char *uri, struct buf *text, struct arena *a, struct err *err);
	/* The client has told its first root, a URI. */
	void (*root)(void *arg, const char *uri);
	/* the tools that are offered, by name with commas between; NULL: all */
	const char *only;
	/* Sends a message with its newline; not 0: nobody reads any more. */
	int (*send)(void *arg, const char *line, size_t len);
	void *arg;
};

/* Serves until the input ends or nobody reads the output. */
int mcp_serve(const struct mcp_fn *fn, struct err *err);
