/*
 * llm_account.h: what is done around a call of a model, by whoever makes it: is it allowed (guard,
 * budget), and what came of it (ledger). Kept in the store (store/guard.h); without one, or with
 * one that cannot be written, the guard lasts as long as the account.
 */
#ifndef LLM_LLM_ACCOUNT_H
#define LLM_LLM_ACCOUNT_H

#include "store/guard.h"

/* a question that is asked again costs twice: so much is set aside */
#define ACCOUNT_TRIES 2

struct account {
	struct store *store;                   /* NULL: none */
	struct scope who;
	const char *program;
	struct guard own;                      /* counts where the store's cannot */
	char model[128];
	/* calls not made, of this model, not yet in the ledger */
	int64_t n_stopped;
};

void account_init(struct account *a, struct store *s, const char *user, const char *program);
void account_release(struct account *a);

struct account_call {
	const char *kind;                      /* "chat", "embed" */
	const char *command, *url, *model;     /* what is called; no secret in them */
	int64_t timeout_ms;
	int64_t tokens_in, max_tokens;         /* expected, and most to come out */
	char service[160];                     /* filled by account_begin, as what follows */
	struct call call;
	bool in_store;
};

/*
 * ERR_CONFIG, ERR_BUSY, ERR_PERM when there is a budget and it cannot be kept; without one a call
 * needs no store.
 */
int account_begin(struct account *a, struct account_call *c, enum call_says *says, struct err *err);
/* failed: the service is at fault. Best effort: what a call cost is not worth failing for. */
void account_end(struct account *a, const struct account_call *c, bool failed, int64_t tokens_in,
	int64_t tokens_out);

#endif
