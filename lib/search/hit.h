/*
 * hit.h: a search result as a record and for people: which words were found, the best chunk, a
 * snippet, and the reasons for its rank.
 */
#pragma once

#include "base/buf.h"
#include "followup/rewrite.h"
#include "json/json.h"
#include "search/search.h"

#define HIT_SNIPPET_BYTES 240

struct hit_view {
	/* the question's terms that are in the message, as spelled there */
	const char *found[QUESTION_TERMS];
	uint16_t found_len[QUESTION_TERMS];
	size_t n_found;
	/* the chunk with most of these terms; len 0: the message has no chunk */
	struct chunk chunk;
	unsigned chunk_index;
	/* bytes of the content, at most HIT_SNIPPET_BYTES, cut at words */
	size_t snippet_start, snippet_len;
	/* byte ranges of the question's terms in the snippet; ascending, without overlap */
	uint16_t marks[HIT_SNIPPET_BYTES / 2][2];
	size_t n_marks;
	bool code;                                 /* it has an identifier of the question */
};

/* Examines the hit's message; the strings of view point into the message. */
int hit_look(struct store *s, const struct scope *who, const struct question *q,
	const struct search_hit *h, struct hit_view *view, struct err *err);

/*
 * Writes the record: type, rank, id, user, time, agent, project, session, origin, trust, source_id,
 * score, bm25, code, tier, kind, turn, role, name, content, snippet, chunk, why; for a question
 * that was rewritten (asked, else NULL) original, expanded, confidence; after --llm-rerank was and
 * model, or note; with explain also strategy, session_kind, talk (when above 0), coverage, outside
 * and signals (name: value).
 */
void hit_record(struct buf *out, const struct scope *who, const struct search_hit *h,
	const struct hit_view *view, size_t rank, const char *strategy, bool explain,
	const struct rewritten *asked);

/*
 * Writes the keys of a query record that mem does not know, such as an id of the caller's, as
 * "key":value,... for hit_add. Empty when there are none.
 */
void hit_rest(struct buf *out, const struct json *question);

/* Inserts rest at the end of the record that out ends with, whatever kind of hit it is. */
void hit_add(struct buf *out, const struct buf *rest);
