/*
 * endpoint.h: where a model is reached, by which API and with which key: the settings chat_* and
 * embed_*.
 */
#pragma once

#include "net/http.h"

enum net_kind { NET_CHAT, NET_EMBED };
extern const char *const net_kind_names[];     /* "chat", "embed" */

/* API_COMMAND: a program that is installed, net/command.h */
enum net_api { API_OPENAI, API_OLLAMA, API_COMMAND };

/*
 * What this server does not accept: learnt from its refusals, and remembered for the next requests.
 */
struct quirks {
	bool no_max_tokens, no_max_completion_tokens, no_temperature, no_json_schema, no_format,
	    no_think;
};

struct endpoint {
	enum net_kind kind;
	enum net_api api;
	const char *base;                      /* as in the settings, borrowed */
	char *url;                             /* the address of requests, owned */
	const char *model;                     /* borrowed */
	char *key;                             /* owned, wiped at the end; NULL: none */
	struct quirks quirks;
};

/*
 * Reads the settings; -1: NET_CONFIG. The key comes from the file that is set, else MEM_CHAT_KEY or
 * MEM_EMBED_KEY, else OPENAI_API_KEY if the host is api.openai.com. A file that others can read is
 * refused.
 */
int endpoint_open(struct endpoint *p, enum net_kind kind, struct net_err *e);
void endpoint_close(struct endpoint *p);

/*
 * Makes sure that no core of this process is written, and that no other process of the user can
 * look into it.
 */
void net_keep_to_itself(void);
