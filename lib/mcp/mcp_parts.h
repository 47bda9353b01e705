/* mcp_parts.h: what the files of the protocol share. Private to lib/mcp. */
#pragma once

#include "json/json.h"
#include "mcp/frames.h"
#include "mcp/mcp.h"

#define MCP_CANCELLED "notifications/cancelled"
#define MCP_MODERN    "2026-07-28"

/* Codes of JSON-RPC, and those that the protocol adds. */
enum {
	MCP_PARSE = -32700,
	MCP_REQUEST = -32600,
	MCP_METHOD = -32601,
	MCP_PARAMS = -32602,
	MCP_INTERNAL = -32603,
	MCP_NO_RESOURCE = -32002,          /* of the handshake's versions; then MCP_PARAMS */
	MCP_VERSION = -32022
};

enum { MCP_LEGACY = 1, MCP_STATELESS = 2, MCP_BOTH = 3 };   /* eras, as bits */

struct mcp {
	const struct mcp_fn *fn;
	struct frames *frames;
	/* the version agreed upon by a handshake; NULL: there was none */
	const char *agreed;
	struct arena data;                 /* what schema/mcp says, read once */
	const struct json *server, *tools, *prompts, *templates;
	struct arena arena;                /* of the frame at hand */
	struct buf out;                    /* a message to the client */
	struct buf text, structured, next; /* what a handler has to say */
	struct buf batch;                  /* answers to a batch of requests so far */
	bool in_batch;
	bool has_roots;                    /* the client tells its roots when it is asked */
	bool closed;                       /* the client reads no more */
};

/* The request at hand. */
struct mcp_request {
	struct mcp *m;
	char *id;                          /* JSON text */
	int era;                           /* MCP_LEGACY or MCP_STATELESS */
	const struct json *params;         /* NULL: none */
	const char *token;                 /* progressToken as JSON text; NULL: not asked for */
	double progress;                   /* last told */
	bool cancelled;
};

/* id as JSON text, which the caller frees; NULL: it is neither a text nor a whole number. */
char *mcp_id_text(const struct json *id);

/* The member, where it is there and not null; else NULL. */
const struct json *mcp_get(const struct json *v, const char *key);

/*
 * Reads a tool's arguments by its input schema, as arguments.c tells, into *out. ERR_DATA: one is
 * not known, and those that are are named, or one does not fit.
 */
int mcp_arguments(const struct json *schema, const struct json *args, struct arena *a,
	const struct json **out, struct err *err);

/* Writes the member that says who the server is. */
void mcp_write_server(struct buf *b, const char *key);

/*
 * Begins a result in m->out, whose members follow. lasts_ms: how long it may be kept; -1: it is of
 * a method of which that is not said. of_user: it has what is the user's own.
 */
struct buf *mcp_result(struct mcp_request *r, int64_t lasts_ms, bool of_user);
/* Ends and sends it. */
void mcp_result_end(struct mcp_request *r);

/* Sends an error; data: its JSON text, or NULL. */
void mcp_error(struct mcp_request *r, int code, const char *data, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Answers a request by its method. */
typedef void mcp_method_fn(struct mcp_request *r);
struct mcp_method { const char *name; int eras; mcp_method_fn *answer; };
extern const struct mcp_method mcp_methods[];          /* the last has no name */
