/*
 * pieces.h: what is added to a file of an agent, as single pieces, from JSON such as
 *
 *	{"version": 1, "hooks": {"stop": [{"command": "mem-hook cursor stop"}]},
 *	 "mcpServers": {"mem": {"command": "mem-mcp", "args": []}}}
 *
 * which is a default (version), an item of a list (hooks, stop) and an entry (mcpServers, mem).
 */
#pragma once

#include "json/json.h"

/* The commands of this installation. */
struct commands {
	const char *hook, *server;         /* paths of mem-hook and mem-mcp */
	const char *options[4];            /* what both are called with; the last is NULL */
};

enum piece_kind {
	PIECE_DEFAULT,             /* only where the file has no such member */
	PIECE_ITEM,                /* of a list, which is made when it is missing */
	PIECE_ENTRY                /* of a mapping, which is made when it is missing */
};

struct piece {
	enum piece_kind kind;
	/* the names on the way: of a default [0]; of an item [0], or both; of an entry both */
	const char *path[2];
	int depth;
	const struct json *value;
};

struct pieces { struct piece *list; size_t n, cap; };

/* Adds the pieces of JSON text or, "schema/...", of that file. All is in the arena but the list. */
int pieces_add(struct pieces *p, const char *adds, const struct commands *c, struct arena *a,
	struct err *err);
/* A file of schema/ that is wired whole, with our commands in it. */
int pieces_file(const char *name, const struct commands *c, struct buf *out, struct err *err);

/* Whether the value calls one of our programs. */
bool piece_is_ours(const struct json *v);

/* Appends a word, quoted where a shell needs it. */
void shell_word(struct buf *out, const char *word);
/* The command, as a shell reads it: with its options. */
void command_shell(struct buf *out, const char *path, const struct commands *c);
