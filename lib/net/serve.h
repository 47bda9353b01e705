/* serve.h: answers one line with one line: the requests and replies of schema/records.txt. */
#pragma once

#include "net/chat.h"
#include "net/embeddings.h"

struct request {
	const struct json *id;                 /* NULL: none */
	enum net_kind kind;
	struct chat_ask chat;                  /* for NET_CHAT */
	struct embed_ask embed;                /* for NET_EMBED */
	bool listed;                           /* for NET_EMBED: the texts came as an array */
	int64_t timeout_ms;
	bool counted;                          /* whoever asks keeps guard and ledger itself */
};

/*
 * Reads a request, with defaults from the settings. -1: NET_REQUEST; q has what could be read, such
 * as the id.
 */
int
request_read(const char *line, size_t len, struct arena *a, struct request *q, struct net_err *e);

struct server;

int server_open(bool (*gone)(void), struct server **out, struct err *err);
void server_close(struct server *s);           /* wipes the keys */

struct served { unsigned n_tries; int64_t tokens_in, tokens_out, ms; };

/*
 * Makes the call and appends the reply, one line with its newline, in any case. -1: the reply is a
 * failure, and e says which.
 */
int server_answer(struct server *s, const struct request *q, struct arena *a, struct buf *reply,
	struct served *got, struct net_err *e);

/*
 * Writes the reply to a request that is not sent. error is "stopped", "budget", or NULL for the
 * name of e's fault.
 */
void reply_failed(struct buf *reply, const struct request *q, const char *error,
	const struct net_err *e, const struct served *got);
