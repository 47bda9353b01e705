/*
 * chat.h: one question to a language model, OpenAI's chat completions or Ollama's chat. The answer
 * is held against the schema here, whatever the server promised.
 */
#ifndef NET_CHAT_H
#define NET_CHAT_H

#include "net/call.h"

struct chat_ask {
	const char *model, *system, *text;     /* system may be NULL */
	/* one that json_schema_known passed; NULL: any text */
	const struct json *schema;
	int64_t max_tokens;                    /* 0: as the server has it */
	double temperature;
};

struct chat_answer {
	const char *text;                      /* without the model's thoughts; NUL after it */
	size_t len;
	const struct json *json;               /* with a schema */
	const char *model, *finish;            /* as the server names them; "" */
	/* of all tries, also when there is no answer; estimated where the server does not say */
	int64_t tokens_in, tokens_out;
};

/*
 * An answer that does not fit is asked for once more, with what was wrong with it. What points at
 * text is in the arena. Errors besides those of net_call: NET_LENGTH, NET_REFUSED, NET_SCHEMA.
 */
int net_chat(struct net_call *c, const struct chat_ask *q, struct arena *a, struct chat_answer *out,
	struct net_err *e);

#endif
