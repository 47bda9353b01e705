/*
 * json_doc.h: JSON as hosts write it for people, with comments and commas at the end of lists, read
 * with the place of each value in the text.
 */
#pragma once

#include "json/json.h"

struct json_node {
	enum json_kind kind;
	size_t start, end;         /* of the value */
	size_t from;               /* of the member: where its name begins; else start */
	size_t comma;              /* where the comma behind it stands; 0: there is none */
	const char *key;           /* of a member */
	struct json_node *up, *first, *last, *prev, *next;
};

/* *root is NULL for a text of blanks and comments. ERR_DATA: "invalid JSON at byte 17". */
int json_doc_read(const char *text, size_t len, struct arena *a, struct json_node **root,
	struct err *err);

/* The last member of that name; NULL: none, or v is NULL or no object. */
struct json_node *json_doc_get(const struct json_node *v, const char *key);

/* The value of a node, in the arena. */
const struct json *json_doc_value(const char *text, const struct json_node *v, struct arena *a);

/* Whether the node has this value; the order of members does not matter. */
bool json_doc_is(const char *text, const struct json_node *v, const struct json *value,
	struct arena *a);
