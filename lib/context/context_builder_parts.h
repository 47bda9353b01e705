/*
 * context_builder_parts.h: the candidates of a block: context_builder.c collects them, and
 * context_fill.c fills the block. Private to these two.
 */
#pragma once

#include "context/context_builder.h"
#include "context/excerpt.h"
#include "context/fact_items.h"
#include "search/handed_hits.h"

struct pick {
	const struct message *m;
	struct excerpts parts;
	bool in;
	enum context_did did;              /* the last try of the hit */
	int64_t rank;
	size_t seq;
	size_t found;                      /* index in found + 1; 0: no search found it */
	bool likely;                       /* to answer its question */
};

struct context_builder {
	struct store *store;
	struct search *search;
	bool opened;               /* search is our own, and is closed */
	struct context_builder_want want;
	struct pick *items;
	size_t n, cap;
	struct question why;
	struct fact_items *facts;         /* NULL: facts are not wanted */
	struct metric metric;
	/* what the searches found, and turns before replies; handed: these and facts, in the end */
	struct handed_list found, beside, handed;
	struct changes_hits hits;         /* the first items */
	/* true when it was so for any of the questions; see struct metric */
	bool widened, dense, fallback;
	char flags[40];
	char without[500];
	struct arena arena;
};

/* Whether m passes the search's filter; for messages that did not come from the search. */
bool builder_passes(const struct context_builder *g, const struct message *m);
/* Whether m is wanted by nobody, or says nothing; p: how likely it is to answer, NAN: unknown. */
bool builder_leaves_out(const struct context_builder *g, const struct message *m, float p);
/* The scope without its session: an id may name a message of any session. */
struct scope builder_scope(const struct context_builder *g);
