/*
 * summary.h: sums up what was said in a session, or what several facts say, in fewer words: by
 * rules that choose sentences, or by a model whose lines are checked against the originals. Does
 * not touch the store.
 */
#pragma once

#include "llm/llm.h"
#include "store/records.h"

/* A message, or a fact (whose speaker is ""). */
struct summary_said {
	char id[ID_TEXT];
	const char *text;
	size_t len;
	const char *speaker;
	int64_t turn, time_us;
	int trust;
	/* said by the user: what an assistant says of itself is no preference of the user's */
	bool is_user, of_project;
};

struct summary_made {
	const char *content;                   /* this and the other texts are in the arena */
	size_t len;
	const char *structured, *extra;        /* JSON objects or "" */
	const char *model;                     /* "": made by rules */
	const char *note; /* why a configured model did not write it; "" when it did */
	/*
	 * The messages or facts it was made of; with a model the newest RECORD_SOURCES_MAX of those
	 * shown.
	 */
	const struct record_source *sources;
	size_t n_sources;
	int trust;                             /* the lowest trust of the sources */
	/*
	 * n_lost: details that the summary leaves out; n_dropped: lines of the model that were
	 * dropped because they said what no source says
	 */
	size_t n_lost, n_dropped;
};

struct summary_room { unsigned tokens, words; };       /* most that the content may take */

enum summary_of { SUMMARY_OF_SESSION, SUMMARY_OF_FACTS };

/*
 * Sums up said [n]: messages oldest first, or facts newest first. l is borrowed and asked when a
 * model is configured; NULL: rules alone. Returns false when there is nothing to say. structured
 * holds, for a session, facts, preferences, decisions, todos and entities; extra has the key lost
 * (summary/summary_loss.h) and, when a model failed, note.
 */
bool summary_make(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out);
