/*
 * hit.h: a search result as records and for people: which words were found, the best chunk, a
 * snippet, and why.
 */
#ifndef SEARCH_HIT_H
#define SEARCH_HIT_H

#include "base/buf.h"
#include "followup/rewrite.h"
#include "json/json.h"
#include "search/search.h"

#define HIT_SNIPPET_BYTES 240

struct hit_view {
	/* the question's terms that stand in the message, as they are written there */
	const char *found[QUESTION_TERMS];
	uint16_t found_len[QUESTION_TERMS];
	size_t n_found;
	/* the chunk with most of them; len 0: the message has none */
	struct chunk chunk;
	unsigned chunk_index;
	/* bytes of the content: at most HIT_SNIPPET_BYTES, cut at words */
	size_t snippet_start, snippet_len;
	/*
	 * where the question's terms stand in the snippet: from, to; in order, apart from each
	 * other
	 */
	uint16_t marks[HIT_SNIPPET_BYTES / 2][2];
	size_t n_marks;
	bool code;                                 /* an identifier of the question stands in it */
};

/* Looks at the hit's message. What view points at is in the message. */
int hit_look(struct store *s, const struct scope *who, const struct question *q,
	const struct search_hit *h, struct hit_view *view, struct err *err);

/*
 * The record: type, rank, id, user, time, agent, project, session, origin, trust, source_id, score,
 * bm25, code, tier, kind, turn, role, name, content, snippet, chunk, why; of a question that was
 * made whole (asked, else NULL) original, expanded, confidence; after --llm-rerank was, model or
 * note; with explain also strategy, session_kind, talk (above 0), related (below 1), coverage,
 * outside and signals (name: value).
 */
void hit_record(struct buf *out, const struct scope *who, const struct search_hit *h,
	const struct hit_view *view, size_t rank, const char *strategy, bool explain,
	const struct rewritten *asked);

/*
 * The keys of a question's record that mem does not know, such as one that names the question:
 * ",key:value" each, for hit_add. Empty when there is none.
 */
void hit_rest(struct buf *out, const struct json *question);

/* Puts rest at the end of the record that out ends with, whatever kind of hit it is. */
void hit_add(struct buf *out, const struct buf *rest);

#endif
