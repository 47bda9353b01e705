/*
 * rewrite.h: completes follow-up questions: reads the conversation from records, asks rules or a
 * language model, and keeps the model's answers for a while.
 */
#pragma once

#include "followup/followup.h"
#include "json/json.h"
#include "llm/llm.h"
#include "store/store.h"

/* ---- the conversation ---- */

struct rewrite_talk {
	struct arena arena;
	struct followup_said *said;        /* [n], oldest first */
	size_t n, cap;
};
#define REWRITE_TALK_INIT { ARENA_INIT, NULL, 0, 0 }

/*
 * Adds what v holds: a message (content or text, with a role), a query, a session with a title, an
 * array of these, or an object with messages, history or context. The role assistant is the one who
 * answers, title is a title; system and tool are left out. ERR_DATA: v is none of these.
 */
int rewrite_talk_add(struct rewrite_talk *t, const struct json *v, struct err *err);

/* Adds one turn. */
void rewrite_talk_text(struct rewrite_talk *t, enum conversation_role role, const char *text,
	size_t len);

/* Adds the lines of a file, "-" for stdin. A bad line is reported to bad and skipped. */
int rewrite_talk_read(struct rewrite_talk *t, const char *path,
	void (*bad)(void *arg, const char *why), void *arg, struct err *err);
void rewrite_talk_reset(struct rewrite_talk *t);
void rewrite_talk_release(struct rewrite_talk *t);

/* ---- a question ---- */

struct rewrite;

/*
 * l: the model to ask when one is configured, borrowed; NULL: rules alone. s: where its answers are
 * kept beyond this process, in user's part; both borrowed; NULL: nowhere.
 */
struct rewrite *rewrite_new(struct llm *l, struct store *s, const char *user);
void rewrite_free(struct rewrite *r);
/* All questions depend on what was said before them, whatever they seem and the settings say. */
void rewrite_force(struct rewrite *r);

struct rewritten {
	const char *query;                 /* the original question */
	size_t query_len;
	struct followup f;                 /* the result; its reason may also be "model" */
	/* weight in a search of each added word, where a word of the question has 1 */
	float weight[FOLLOWUP_WORDS];
	const char *model;                 /* the model's name; "" for rules */
	const char *note;                  /* why a configured model did not do it, or "" */
	size_t n_turns;                    /* of what was said before, that were read */
	int64_t us;
};

/*
 * Never fails: a question that cannot be completed stays as it is, with the reason; with the
 * setting rewrite at no, each does. What out points
 * to is in a, the question or the conversation. The same question after the same conversation is
 * put to the model once within rewrite_keep seconds.
 */
void rewrite_ask(struct rewrite *r, const struct rewrite_talk *t, const char *question, size_t len,
	struct arena *a, struct rewritten *out);

/*
 * Reads a query record. Returns 1 when mem-rewrite made it, and out has all its results; 0: it has
 * only a question; -1: ERR_DATA, it has none. out points into v.
 */
int rewrite_from_record(const struct json *v, struct rewritten *out, struct err *err);

/*
 * Writes a query record: query, expanded, rewritten, added, confidence, tokens, reason, model,
 * note, ms; then the other keys of v, the record that brought the question, such as its time, but
 * not the conversation. v NULL: there was none.
 */
void rewrite_record(struct buf *out, const struct rewritten *r, const struct json *v);

/* Writes the question followed by the words that were added. */
void rewrite_expanded(struct buf *out, const struct rewritten *r);
