/*
 * rewrite.h: follow-up questions made whole: the talk before them read from records, rules or a
 * language model asked, answers kept for a while.
 */
#ifndef FOLLOWUP_REWRITE_H
#define FOLLOWUP_REWRITE_H

#include "followup/followup.h"
#include "json/json.h"
#include "llm/llm.h"
#include "store/store.h"

/* ---- what was said before ---- */

struct rewrite_talk {
	struct arena arena;
	struct followup_said *said;        /* [n], oldest first */
	size_t n, cap;
};
#define REWRITE_TALK_INIT { ARENA_INIT, NULL, 0, 0 }

/*
 * Adds what v says: a message (content or text, a role), a query, a session with a title, an array
 * of these, or an object with messages, history or context. Of the roles assistant is who answers,
 * title a title; system and tool are left out. ERR_DATA: none of these.
 */
int rewrite_talk_add(struct rewrite_talk *t, const struct json *v, struct err *err);

/* One turn. */
void rewrite_talk_text(struct rewrite_talk *t, enum conversation_role role, const char *text,
	size_t len);

/* The lines of a file, "-" for stdin. A bad line is told to bad and the rest goes on. */
int rewrite_talk_read(struct rewrite_talk *t, const char *path,
	void (*bad)(void *arg, const char *why), void *arg, struct err *err);
void rewrite_talk_reset(struct rewrite_talk *t);
void rewrite_talk_release(struct rewrite_talk *t);

/* ---- a question ---- */

struct rewrite;

/*
 * l: the model to ask when one is configured, borrowed; NULL: rules alone. s: where its answers are
 * kept beyond this process, as the user's, both borrowed; NULL: nowhere.
 */
struct rewrite *rewrite_new(struct llm *l, struct store *s, const char *user);
void rewrite_free(struct rewrite *r);

struct rewritten {
	const char *query;                 /* as it was asked */
	size_t query_len;
	struct followup f;                 /* what came out; reason also "model" */
	/* of the words that were added, in a search, beside 1 for a word of the question */
	float weight[FOLLOWUP_WORDS];
	const char *model;                 /* who did it; "" for rules */
	const char *note;                  /* why a configured model did not do it; "" */
	int64_t us;
};

/*
 * Never fails: what cannot be made whole stays as it is, with the reason. What out points at is in
 * the arena, the question or the talk. The same question after the same talk within ANSWERS_KEEP_S
 * is not asked of the model again.
 */
void rewrite_ask(struct rewrite *r, const struct rewrite_talk *t, const char *question, size_t len,
	struct arena *a, struct rewritten *out);

/*
 * What a query record says: its query, and of mem-rewrite's also what came out. 1: it has been
 * looked at, it is all in out; 0: a question alone; -1: ERR_DATA, no question. out points into v.
 */
int rewrite_from_record(const struct json *v, struct rewritten *out, struct err *err);

/*
 * A query record: query, expanded, rewritten, added, confidence, tokens, reason, model, note, ms;
 * then what the record v that brought the question says besides, such as when it was asked, without
 * the talk. v NULL: none did.
 */
void rewrite_record(struct buf *out, const struct rewritten *r, const struct json *v);

/* The question followed by the words that were added. */
void rewrite_expanded(struct buf *out, const struct rewritten *r);

#endif
