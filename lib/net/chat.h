/*
 * chat.h: asks a language model one question, by OpenAI's chat completions or Ollama's chat. The
 * answer is checked against the schema here, whatever the server promised.
 */
#pragma once

#include "net/call.h"

struct chat_ask {
	const char *model, *system, *text;     /* system may be NULL */
	/* a schema that json_schema_known has passed; NULL: any text */
	const struct json *schema;
	int64_t max_tokens;                    /* 0: the server decides */
	double temperature;
};

struct chat_answer {
	/* without the model's thoughts, and with a NUL after it */
	const char *text;
	size_t len;
	const struct json *json;               /* if there is a schema */
	const char *model, *finish;            /* as the server names them; "": it does not */
	/* of all tries, also when there is no answer; estimated if the server does not say */
	int64_t tokens_in, tokens_out;
};

/*
 * Asks. An answer that does not fit is asked for once more, with what was wrong with it. All text
 * in the answer is in the arena. Errors besides those of net_call: NET_LENGTH, NET_REFUSED,
 * NET_SCHEMA.
 */
int net_chat(struct net_call *c, const struct chat_ask *q, struct arena *a, struct chat_answer *out,
	struct net_err *e);
