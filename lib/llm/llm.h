/*
 * llm.h: ask a language model, or learn in one word why there is no answer.
 *
 * The model is a command that reads a request a line and writes a reply a line: the setting
 * llm_command, else mem-llm, when a chat_url is set. It is run at the first question and kept for
 * the next ones. No program but mem-llm opens a socket or holds a key.
 *
 *	struct llm *l = llm_new(store, user, "mem-extract", &stop);            never fails, runs nothing yet
 *	struct llm_question q = { .system = RULES, .text = said, .schema = SCHEMA };
 *	struct llm_answer got;
 *
 *	if (llm_ask(l, &q, &arena, &got) == 0)
 *		take(got.json);                                                 it fits the schema; what it says may still be made up
 *	else
 *		by_rules(said, got.note);                                       got.note: "the model took longer than 60 s"
 *	llm_free(l);
 *
 * A caller degrades: no answer is never its error. It does the work in its own way, and says so in
 * its output: with the note where somebody asked for the model or one is configured (got.why is not
 * LLM_OFF), with nothing where there is none. It need not count failures or wait: after some of
 * them llm_ask answers LLM_STOPPED at once, for all processes that share the store, and finds out
 * by itself when the model is back (store/guard.h). Each call, what it cost and the calls not made
 * are in the store's ledger under the program's name.
 *
 * Text from the store goes to the place that the user named in the settings, and nowhere else.
 */
#pragma once

#include <signal.h>

#include "json/json.h"
#include "store/store.h"

struct llm;

/*
 * s may be open for reading; NULL: guard and ledger last as long as l, and there is no budget. It
 * must not be in a transaction when llm_ask is called. user owns the ledger; program is such as
 * "mem-extract". All are borrowed. *stop, if stop is not NULL, ends a question when it becomes
 * other than 0.
 */
struct llm *
llm_new(struct store *s, const char *user, const char *program, const volatile sig_atomic_t *stop);
void llm_free(struct llm *l);                  /* ends the command; NULL is allowed */

/*
 * Whether a model is configured. llm_ask checks that too; this is for callers that would prepare
 * much.
 */
bool llm_is_on(void);

struct llm_question {
	const char *system;                    /* what to do; NULL: nothing */
	const char *text;                      /* what to do it with */
	/* JSON text of a schema (json/json_schema.h); NULL: any text will do */
	const char *schema;
	int64_t max_tokens;                    /* the longest answer; 0: LLM_TOKENS */
	double temperature;                    /* 0: as repeatable as possible */
	/* for the whole call with all tries; 0: the setting llm_timeout */
	int64_t timeout_ms;
};
#define LLM_TOKENS 1024

enum llm_why {
	LLM_OK,
	LLM_OFF,                               /* no model is configured */
	LLM_STOPPED,                           /* it failed too often lately, so nothing was sent */
	LLM_OVER_BUDGET,                       /* the budget is spent, so nothing was sent */
	/* no answer, or none in time; there may be one later */
	LLM_UNAVAILABLE,
	/* this question gets no answer: it is too long, refused, or the answer was cut off */
	LLM_REFUSED,
	LLM_MISFIT                             /* the answer does not fit the schema */
};
/* by enum llm_why: "ok", "off", "stopped", "over_budget", "unavailable", "refused", "misfit" */
extern const char *const llm_why_names[];

struct llm_answer {
	enum llm_why why;
	/* why there is no answer, in words without secrets; "" if there is one */
	const char *note;
	/* with a NUL after it; if a schema was given, only the JSON */
	const char *text;
	size_t len;
	const struct json *json;               /* NULL without a schema */
	const char *model;                     /* the model that answered; "": it does not say */
	int64_t tokens_in, tokens_out;         /* as the service says, else estimated */
	int64_t ms;
};

/*
 * Asks. Returns 0, or -1 with why and note. What a points at is in the arena. It takes at most the
 * time-out and a tenth of it.
 */
int llm_ask(struct llm *l, const struct llm_question *q, struct arena *a, struct llm_answer *out);

/* ---- vectors ---- */

/* Whether a service for vectors is configured: embed_model is set, and embed_url or a command. */
bool llm_embeds(void);

struct llm_texts {
	const char *const *texts;              /* [n] */
	const size_t *lens;
	size_t n;
	int64_t timeout_ms;                    /* 0: the setting llm_timeout */
};

struct llm_vectors {
	/* its why, note, model, tokens_in and ms are filled */
	struct llm_answer as;
	/* there was an answer but it is of no use, perhaps because of these texts */
	bool broken;
	/* [n], each [n_dims] of length 1; NULL: the text was refused */
	float **vecs;
	const char **refused;                  /* [n], why a text was refused; NULL: it was not */
	size_t n_dims;
};

/*
 * Returns 0 when at least one text has a vector, else -1 with as.why and as.note. What out points
 * at is in the arena. Guard, ledger and time are those of llm_ask.
 */
int llm_embed(struct llm *l, const struct llm_texts *q, struct arena *a, struct llm_vectors *out);
