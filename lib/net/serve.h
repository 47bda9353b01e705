/*
 * serve.h: a line in, a line out: requests and replies of schema/records.txt.
 */
#ifndef NET_SERVE_H
#define NET_SERVE_H

#include "net/chat.h"
#include "net/embeddings.h"

struct request {
	const struct json *id;                 /* NULL: none */
	enum net_kind kind;
	struct chat_ask chat;                  /* of NET_CHAT */
	struct embed_ask embed;                /* of NET_EMBED */
	bool listed;                           /* of NET_EMBED: texts came as an array */
	int64_t timeout_ms;
	bool counted;                          /* whoever asks keeps guard and ledger */
};

/*
 * Defaults from the settings. -1: NET_REQUEST, with as much as could be read, the id if there is
 * one.
 */
int
request_read(const char *line, size_t len, struct arena *a, struct request *q, struct net_err *e);

struct server;

int server_open(bool (*gone)(void), struct server **out, struct err *err);
void server_close(struct server *s);           /* keys are wiped */

struct served { unsigned n_tries; int64_t tokens_in, tokens_out, ms; };

/*
 * Makes the call and appends the reply, a line with its newline, whatever comes of it. -1 when it
 * is one of failure: e says which.
 */
int server_answer(struct server *s, const struct request *q, struct arena *a, struct buf *reply,
	struct served *got, struct net_err *e);

/*
 * The reply for a request that is not sent; error: "stopped", "budget", or the name of e's fault
 * when NULL.
 */
void reply_failed(struct buf *reply, const struct request *q, const char *error,
	const struct net_err *e, const struct served *got);

#endif
