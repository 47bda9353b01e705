/*
 * llm_account.h: what everyone does around a call of a model: check that it is allowed (guard,
 * budget), and note what came of it (ledger). Both are in the store (store/guard.h); without a
 * store, or with one that cannot be written, the guard lasts as long as the account.
 */
#pragma once

#include "store/guard.h"

/* a question may be asked twice, so the cost of two is set aside */
#define ACCOUNT_TRIES 2

struct account {
	struct store *store;                   /* NULL: none */
	struct scope who;
	const char *program;
	struct guard own;                      /* used when the store's cannot be */
	char model[128];
	/* calls of this model that were not made and are not in the ledger yet */
	int64_t n_stopped;
};

void account_init(struct account *a, struct store *s, const char *user, const char *program);
void account_release(struct account *a);

struct account_call {
	const char *kind;                      /* "chat", "embed" */
	const char *command, *url, *model;     /* what is called, without secrets */
	int64_t timeout_ms;
	int64_t tokens_in, max_tokens;         /* expected tokens in, and the most that come out */
	char service[160];                     /* filled by account_begin, like what follows */
	struct call call;
	bool in_store;
};

/*
 * Checks whether a call may be made. ERR_CONFIG, ERR_BUSY, ERR_PERM: there is a budget and it
 * cannot be kept; without a budget a call needs no store.
 */
int account_begin(struct account *a, struct account_call *c, enum call_says *says, struct err *err);
/*
 * Notes what a call cost. failed: the service is at fault. Errors are ignored, as the note is not
 * worth failing for.
 */
void account_end(struct account *a, const struct account_call *c, bool failed, int64_t tokens_in,
	int64_t tokens_out);
