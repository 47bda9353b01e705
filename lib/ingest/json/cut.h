/*
 * cut.h: cuts a JSON document that is too large for one jq value into smaller ones of the same
 * form, which a map reads one after the other. All that stands around the messages is repeated in
 * each: of {"id": 7, "messages": [a, b, c, d]} there become {"id": 7, "messages": [a, b]} and
 * {"id": 7, "messages": [c, d]}.
 *
 * A map says in the comment that it begins with what its documents are cut at. In a line
 *
 *	# pieces: messages[] chats.list[].messages[]
 *
 * stand the arrays of messages, each by the keys that lead to it, with "[]" for the items of an
 * array; "*" means whatever is large. "pieces backward" begins with the last. In a line
 *
 *	# tree: mapping parent current_node message.create_time
 *
 * stand an object (or several, with "|" between them) whose members are the nodes of a tree, the
 * key of a node's parent, the key beside the object that names the last node of the conversation,
 * and that of a node's time, by which the last is found where none is named. Its pieces have the
 * nodes in the order of the conversation, then each branch off it.
 */
#pragma once

#include "ingest/json/steps.h"

struct json_plan;

/*
 * What stands behind head in the line of the comment that a map begins with; NULL: there is no such
 * line. The caller frees it.
 */
char *json_plan_line(const char *map, const char *head);

/* The plan that a map has in its comment; NULL: none. */
struct json_plan *json_plan_read(const char *map);
void json_plan_free(struct json_plan *p);
/* Documents of a tree are always cut: only so are their nodes in order. */
bool json_plan_is_tree(const struct json_plan *p);

struct json_piece {
	const char *text;                      /* [len], with a NUL behind it */
	size_t len;
	uint64_t first;                        /* the place of its first message in its array */
	bool is_last;
	const char *branch;                    /* the node that begins the branch; NULL: none */
};

/* Returns 0 to go on, else what ends it. The piece is borrowed. */
typedef int json_piece_fn(void *arg, const struct json_piece *piece, struct err *err);

/*
 * Cuts the document t into pieces of about json_piece_bytes, or larger ones where a single message
 * is. Returns 1; 0: there is nothing in it where the plan says; what fn returned; -1, where
 * ERR_DATA means that t is no JSON, or that a piece would be over most bytes.
 */
int json_cut(const struct json_plan *p, struct long_text *t, size_t most, json_piece_fn *fn,
	void *arg, struct err *err);

/* Documents up to this size need not be cut. */
extern const size_t json_piece_bytes;
