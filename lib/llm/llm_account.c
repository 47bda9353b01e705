/*
 * llm_account.c: passes the settings llm_budget, llm_budget_money and llm_price_* to the store's
 * guard and ledger.
 */
#include "llm/llm_account.h"

#include <math.h>

#include "base/conf.h"
#include "base/hash.h"

#define MILLION      1000000.0
#define HASH_DIGITS  12
/* milliseconds that a probe may take beyond its time-out before another process may try */
#define LEASE_GRACE  2000

void
account_init(struct account *a, struct store *s, const char *user, const char *program)
{
	*a = (struct account){ .store = s,
		.who = { .user = user },
		.program = program,
		.own = GUARD_INIT };
}

static void
write_stopped(struct account *a)
{
	if (a->store != NULL && a->n_stopped > 0)
		calls_stopped(a->store, &a->who, a->program, a->model, a->n_stopped);
	a->n_stopped = 0;
}

void
account_release(struct account *a)
{
	write_stopped(a);
}

/*
 * Counts calls that were not made. They share one line of the ledger, so none of them costs a
 * transaction.
 */
static void
count_stopped(struct account *a, const char *model)
{
	if (strcmp(a->model, model) != 0) {
		write_stopped(a);
		snprintf(a->model, sizeof(a->model), "%s", model);
	}
	a->n_stopped++;
}

/*
 * Tokens at prices per million are millionths of money. The sum is rounded up, so that rounding
 * cannot exceed a budget.
 */
static struct call_cost
cost_of(int64_t tokens_in, int64_t tokens_out)
{
	double micros = (double)tokens_in * conf_real("llm_price_in") +
	    (double)tokens_out * conf_real("llm_price_out");

	return (struct call_cost){ tokens_in, tokens_out, (int64_t)ceil(micros) };
}

/* Names a service as in "chat gpt-x 0123456789ab", in which the address is only a hash. */
static void
name_service(struct account_call *c)
{
	struct sha256 s;
	uint8_t sum[SHA256_BYTES];
	char hex[SHA256_TEXT];

	sha256_init(&s);
	sha256_add(&s, c->command, strlen(c->command) + 1);
	sha256_add(&s, c->url, strlen(c->url));
	sha256_end(&s, sum);
	snprintf(c->service, sizeof(c->service), "%s %.100s %.*s", c->kind, c->model, HASH_DIGITS,
	    hex_format(sum, sizeof(sum), hex));
}

int
account_begin(struct account *a, struct account_call *c, enum call_says *says, struct err *err)
{
	struct err busy = ERR_INIT;

	name_service(c);
	c->call = (struct call){ .service = c->service,
		.program = a->program,
		.model = c->model,
		.aside = cost_of(ACCOUNT_TRIES * c->tokens_in, ACCOUNT_TRIES * c->max_tokens),
		.budget_tokens = conf_int("llm_budget"),
		.budget_micros = (int64_t)(conf_real("llm_budget_money") * MILLION),
		.lease_us = 1000 * (c->timeout_ms + LEASE_GRACE) };
	if (c->call.budget_micros > 0 &&
	    conf_real("llm_price_in") + conf_real("llm_price_out") <= 0)
		return err_set(err, ERR_CONFIG,
		    "llm_budget_money needs llm_price_in and llm_price_out");
	c->in_store = a->store != NULL && call_begin(a->store, &a->who, &c->call, says, &busy) == 0;
	if (!c->in_store) {
		if (c->call.budget_tokens > 0 || c->call.budget_micros > 0)
			return a->store == NULL
			    ? err_set(err, ERR_CONFIG,
				  "a budget is kept in a store, and there is none")
			    : (*err = busy, -1);
		*says = guard_ask(&a->own, clock_now_us(), c->call.lease_us);
		c->call.probe = *says == CALL_PROBE;
	}
	if (*says != CALL_GO && *says != CALL_PROBE)
		count_stopped(a, c->model);
	return 0;
}

void
account_end(struct account *a, const struct account_call *c, bool failed, int64_t tokens_in,
	int64_t tokens_out)
{
	const struct call_cost cost = cost_of(tokens_in, tokens_out);

	if (c->in_store)
		call_end(a->store, &a->who, &c->call, failed ? CALL_FAILED : CALL_DONE, &cost,
		    NULL);
	else
		guard_tell(&a->own, clock_now_us(), c->call.probe, failed);
}
