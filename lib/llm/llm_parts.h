/*
 * llm_parts.h: what a question (llm.c) and texts to be embedded (llm_embed.c) have in common on
 * their way to the command and back.
 */
#ifndef LLM_LLM_PARTS_H
#define LLM_LLM_PARTS_H

#include "llm/llm.h"
#include "llm/llm_account.h"

struct llm {
	struct account account;
	const volatile sig_atomic_t *stop;
	struct llm_child *child;               /* NULL: not running */
	struct buf request, reply;
	int64_t n_asked;
};

/* -1, with why and the note in the arena; what out says of tokens and ms stays. */
int llm_no_answer(struct llm_answer *out, struct arena *a, enum llm_why why, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* May the call be made? 0, and llm_end must follow, or -1 with why. */
int llm_begin(struct llm *l, struct account_call *c, struct arena *a, struct llm_answer *out);
/*
 * l->request is a whole line; a line comes back, its "ok" is true and its id the request's: *reply
 * is it, out has model and tokens. -1: why not; *error is then the reply's word for it, NULL when
 * there was no reply.
 */
int llm_exchange(struct llm *l, int64_t timeout_ms, struct arena *a, struct llm_answer *out,
	const struct json **reply, const char **error);
/* What the call was to guard and ledger. */
void llm_end(struct llm *l, const struct account_call *c, const struct llm_answer *out);

/* The keys that all requests have; the object stays open. */
void llm_open_request(struct llm *l, const char *kind);
void llm_close_request(struct llm *l, int64_t timeout_ms);

#endif
