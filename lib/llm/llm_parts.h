/*
 * llm_parts.h: what llm.c (questions) and llm_embed.c (texts for vectors) share on the way to the
 * command and back.
 */
#pragma once

#include "llm/llm.h"
#include "llm/llm_account.h"

struct llm {
	struct account account;
	const volatile sig_atomic_t *stop;
	struct llm_child *child;               /* NULL: not running */
	struct buf request, reply;
	int64_t n_asked;
};

/* Returns -1, with why and the note, in the arena; tokens and ms in out stay. */
int llm_no_answer(struct llm_answer *out, struct arena *a, enum llm_why why, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Checks whether the call may be made. 0: yes, and llm_end must follow; -1 with why. */
int llm_begin(struct llm *l, struct account_call *c, struct arena *a, struct llm_answer *out);
/*
 * Sends l->request, a whole line, and reads a line back: *reply is it when its "ok" is true and its
 * id is that of the request; out gets model and tokens. -1: why not; *error is the word for it in
 * the reply, NULL when there was no reply.
 */
int llm_exchange(struct llm *l, int64_t timeout_ms, struct arena *a, struct llm_answer *out,
	const struct json **reply, const char **error);
/* Tells guard and ledger what came of the call. */
void llm_end(struct llm *l, const struct account_call *c, const struct llm_answer *out);

/* Writes the keys that all requests have; the object stays open. */
void llm_open_request(struct llm *l, const char *kind);
void llm_close_request(struct llm *l, int64_t timeout_ms);
