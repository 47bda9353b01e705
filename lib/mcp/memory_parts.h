/* memory_parts.h: what the files about the memory share. Private to lib/mcp. */
#pragma once

#include "context/context.h"
#include "facts/remember.h"
#include "mcp/memory.h"
#include "search/decided.h"
#include "store/records.h"

/* Tools and prompts, as mcp.h calls them. */
int recall_tool(void *arg, const struct mcp_call *c, struct err *err);
int timeline_tool(void *arg, const struct mcp_call *c, struct err *err);
int remember_tool(void *arg, const struct mcp_call *c, struct err *err);
int facts_tool(void *arg, const struct mcp_call *c, struct err *err);
int blame_tool(void *arg, const struct mcp_call *c, struct err *err);
int how_tool(void *arg, const struct mcp_call *c, struct err *err);
int fix_tool(void *arg, const struct mcp_call *c, struct err *err);
int forget_tool(void *arg, const struct mcp_call *c, struct err *err);
int distil_tool(void *arg, const struct mcp_call *c, struct err *err);
int recall_as_prompt(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err);
int handoff_prompt(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err);
int distil_prompt(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err);

/*
 * The scope of a call (memory_scope), whose project where none is named is that of the client's
 * directory, which is told or is this process's; "": none. A home holds many, and servers of
 * desktop programs start in it or in "/".
 */
int memory_here(struct memory *m, const struct json *args, struct arena *a, struct scope *who,
	struct err *err);

/*
 * The session to go on with (records/resumed.h): of the project that the call names, else of that
 * of the directory, else the newest of all. NULL: there is none.
 */
int memory_to_resume(struct memory *m, const struct json *args, struct arena *a,
	const struct session **out, struct err *err);

/* What is told of facts that are stored. */
struct memory_told {
	struct buf *text;
	struct buf records, refused;       /* JSON, with commas between */
	char without[500];
};
/* Tells that something is not stored. */
void memory_refuse(struct memory_told *t, const char *why);

/* Adds what is to be stored, and commits it. */
typedef int memory_adds_fn(void *arg, const struct mcp_call *call, struct remember *r,
	struct memory_told *t, struct err *err);
/* Opens the store for what add adds, and writes what came of it as the result of a call. */
int memory_remember(struct memory *m, const struct fact_rules *rules, const struct mcp_call *call,
	memory_adds_fn *add, void *arg, struct err *err);

/*
 * A fact, note or summary as the message of a block, with what was said later of a decision, or
 * NULL; name: what stands where a speaker does.
 */
const struct message *memory_known(const struct fact *f, const struct decided *d,
	const char *name, struct arena *a);

/* Adds a message to a block: all of it, or how it begins where that has no room. */
enum context_did memory_add(struct context *c, const struct message *m);

/* Writes a block as the reader gets it, or what to say when it is empty. */
void memory_block(struct context *c, const char *if_empty, struct buf *text);
/* Writes the context record of c, left open for more members. */
void memory_record(struct context *c, struct buf *out);
