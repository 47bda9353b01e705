/* cut_parts.h: what cut.c (arrays) and tree.c (trees) share, and nobody else. */
#pragma once

#include "ingest/json/cut.h"

#define PLAN_PATHS 8

struct json_plan {
	char *text;                            /* the words point into it */
	const char *paths[PLAN_PATHS];
	size_t n_paths;
	bool tree, backward;
	/* of a tree; without: paths beside it that are left out, with "|" between; NULL: none */
	const char *parent, *current, *time, *without;
};

/* A run of json_cut. */
struct cut {
	const struct json_plan *plan;
	struct long_text *t;
	size_t most;
	json_piece_fn *fn;
	void *arg;
	struct buf piece;
	uint64_t n_given;                      /* pieces */
};

/* What is cut, as the plan says or because it is large. */
struct container {
	struct json_span span;
	const char *rest;                      /* the path within an item; "": items are not cut */
	bool whole;                            /* it is one item itself */
};

struct containers { struct container all[PLAN_PATHS]; size_t n; };

/* Adds a container, in the order of the text; the first few alone. */
void containers_add(struct containers *v, struct json_span span, const char *rest, bool whole);
/* Appends the text of span, with the containers in it empty. */
int cut_add_without(struct cut *c, struct json_span span, const struct containers *v,
	struct buf *out, struct err *err);
/* What the path leads to, up to its end or its first "[]", within span. 1; 0: nothing; -1. */
int cut_find(struct cut *c, struct json_span span, const char *path, struct json_span *out,
	struct err *err);
/* Gives c->piece to fn. */
int cut_give(struct cut *c, uint64_t first, bool is_last, const char *branch, struct err *err);
/* json_cut of a tree. */
int cut_tree(struct cut *c, struct err *err);
