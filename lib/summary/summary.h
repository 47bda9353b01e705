/*
 * summary.h: what was said in a session, or what several facts say, in fewer words: by rules, or by
 * a model whose words are held against what was said.
 *
 * Nothing here touches a store.
 */
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include "llm/llm.h"
#include "store/records.h"

/* A message, or a fact (speaker ""). */
struct summary_said {
	char id[ID_TEXT];
	const char *text;
	size_t len;
	const char *speaker;
	int64_t turn, time_us;
	int trust;
	/* said by a person: what an assistant says of itself is no preference */
	bool is_user;
	/* cosine with the middle of all, 0 where it is not known */
	float near;
};

struct summary_made {
	const char *content;                   /* all in the arena */
	size_t len;
	const char *structured, *extra;        /* JSON objects or "" */
	const char *model;                     /* "" for rules */
	const char *note;                      /* why a configured model did not write it; "" */
	/*
	 * what it was put together from; of a model's what it was shown, the newest
	 * RECORD_SOURCES_MAX
	 */
	const struct record_source *sources;
	size_t n_sources;
	int trust;                             /* the lowest of these */
	/* details that are not in it; lines of a model that said what was not said */
	size_t n_lost, n_dropped;
};

struct summary_room { unsigned tokens, words; };       /* of content, at most */

enum summary_of { SUMMARY_OF_SESSION, SUMMARY_OF_FACTS };

/*
 * Of said [n], of a session oldest first, of facts newest first. l: asked when a model is
 * configured, borrowed; NULL: rules alone. False: there is nothing to say. The structured part of a
 * session is facts, preferences, decisions, todos and entities; extra has the key lost
 * (summary/summary_loss.h) and, when a model failed, note.
 */
bool summary_make(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out);

#endif
