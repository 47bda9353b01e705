/*
 * memory.h: the memory that the server's tools, resources and prompts speak of. Store and model
 * stay open between calls; a store that is made, replaced or removed meanwhile is noticed.
 */
#pragma once

#include "mcp/mcp.h"
#include "search/answer.h"

struct memory {
	struct scope who;                  /* of the server's options */
	const char *program;               /* its name in metrics */
	char *root;                        /* of the client, a directory; NULL: not told */
	/* what follows is memory.c's; store NULL: there is none, which is an empty memory */
	struct store *store;
	bool writes;                       /* it is open for writing, too */
	uint64_t device, inode;            /* of its file */
	struct answer *answer;             /* NULL: nothing was asked yet */
	int64_t opened_us;                 /* when, on the clock that only goes on */
	struct answer_want want;
	struct answer_fn put;
	struct hits *hits;                 /* where the answer at hand goes */
	/* the session that was handed out to be distilled, owned, and up to which turn */
	char *handed;
	int64_t handed_until;
};

/*
 * Opens m->store when it is not open, or not for writing, and closes what has to be opened again.
 */
int memory_open(struct memory *m, bool for_writing, struct err *err);
void memory_close(struct memory *m);

/*
 * Opens the memory for reading, and sets *out to m->who with the arguments project, as
 * records/project_name.h tells, and session, where they are given.
 */
int memory_scope(struct memory *m, const struct json *args, struct arena *a, struct scope *out,
	struct err *err);

/* The text of an argument; NULL: it is not given. */
const char *memory_text(const struct json *args, const char *key);
int64_t memory_int(const struct json *args, const char *key, int64_t otherwise);

/* ---- what is handed to mcp.h; arg is a struct memory ---- */
extern const struct mcp_tool memory_tools[];
extern const struct mcp_prompt memory_prompts[];
void memory_root(void *arg, const char *uri);
int memory_list(void *arg, const char *cursor, struct buf *items, struct buf *next,
	struct err *err);
int
memory_read(void *arg, const char *uri, struct buf *text, struct arena *a, struct err *err);
