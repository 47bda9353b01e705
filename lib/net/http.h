/*
 * http.h: one POST of JSON, and the answer's bytes. The only door to libcurl.
 *
 * The certificate is verified; plain http goes to this machine only unless allowed; a redirect is
 * followed only within the same scheme, host and port; the bytes of an answer are counted as they
 * come, unpacked, and over the limit the transfer is broken off.
 *
 * The key goes into the Authorization header and nowhere else: every answer has it blanked out
 * before anybody reads it, and no message has the query or user part of a URL.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "base/buf.h"
#include "base/err.h"

/*
 * What went wrong, by what a caller can do about it. Names in net_fault_names, as replies carry
 * them.
 */
enum net_fault {
	NET_OK,
	/* settings: no URL, a URL that is none, a key that cannot be read */
	NET_CONFIG,
	NET_REQUEST,               /* the request line */
	NET_CONNECT,               /* nobody answers, or the line broke */
	NET_TLS,
	NET_TIMEOUT,
	NET_REDIRECT,
	NET_AUTH,                  /* 401, 403 */
	NET_RATE,                  /* 429 */
	NET_SERVER,                /* 408, 409, 500 and up */
	NET_REJECTED,              /* other statuses */
	NET_TOO_LONG,              /* the text, for this model */
	NET_REPLY,                 /* an answer over the limit, or one that cannot be read */
	NET_LENGTH,                /* the model stopped at its limit */
	NET_REFUSED,               /* the model would not */
	NET_SCHEMA,                /* its answer does not fit the schema */
	N_NET_FAULTS
};
extern const char *const net_fault_names[N_NET_FAULTS];

struct net_err {
	enum net_fault fault;
	bool retryable;            /* the same request may succeed later */
	int64_t retry_after_ms;    /* as the server asks; -1: it did not */
	char msg[400];
};
#define NET_ERR_INIT { NET_OK, false, -1, "" }

/* Fills e and returns -1. */
int net_fail(struct net_err *e, enum net_fault fault, bool retryable, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

struct http;                                   /* keeps connections open between requests */

struct http_limits {
	size_t max_reply_bytes;
	/* nobody waits for the answer any more: the transfer is broken off; NULL: never asked */
	bool (*gone)(void);
};
int http_open(const struct http_limits *limits, struct http **out, struct err *err);
void http_close(struct http *h);

struct http_reply {
	int status;
	/* owned by the caller: buf_init before, reset by http_post */
	struct buf body;
	int64_t retry_after_ms;                /* of Retry-After or retry-after-ms; -1: none */
	int should_retry;                      /* of x-should-retry: 1, 0; -1: not said */
};

/*
 * Once, within deadline_us (clock_mono_us). key may be NULL. 0 when there is an answer, whatever
 * its status; else -1: NET_CONFIG, NET_CONNECT, NET_TLS, NET_TIMEOUT, NET_REDIRECT, NET_REPLY.
 */
int http_post(struct http *h, const char *url, const char *key, const char *body, size_t len,
	int64_t deadline_us, struct http_reply *r, struct net_err *e);

/*
 * Is it http(s)://host[:port][/path], without user, query or fragment, and to this machine if it is
 * plain?
 */
int http_check_url(const char *url, bool insecure, struct net_err *e);
/* The host of a URL is name (in lower case). */
bool http_host_is(const char *url, const char *name);
int http_port(const char *url);                /* 0 when it cannot be told */

/*
 * Blanks out with "*" the key in s, a message; and pieces of at least half of it and 8 characters,
 * for some services cut the key short that they complain of. Never for what a model answers, in
 * which a short key would stand in the middle of words.
 */
void net_hide_key(char *s, size_t len, const char *key);

#endif
