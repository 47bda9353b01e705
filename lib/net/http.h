/*
 * http.h: makes one POST of JSON and returns the bytes of the answer. Only http.c uses libcurl.
 *
 * The certificate is verified; plain http goes only to this machine unless allowed; a redirect is
 * followed only within the same scheme, host and port; the bytes of an answer are counted as they
 * come, unpacked, and the transfer ends when they exceed the limit. The key goes into the
 * Authorization header and nowhere else: it is blanked out of every answer before anyone reads it,
 * and no message has the query or user part of a URL.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/*
 * Kinds of faults, by what a caller can do about them. net_fault_names has the names that replies
 * carry.
 */
enum net_fault {
	NET_OK,
	/* the settings: no URL or a bad one, a key that cannot be read */
	NET_CONFIG,
	NET_REQUEST,               /* the request line is wrong */
	NET_CONNECT,               /* nobody answers, or the connection broke */
	NET_TLS,
	NET_TIMEOUT,
	NET_REDIRECT,
	NET_AUTH,                  /* 401, 403 */
	NET_RATE,                  /* 429 */
	NET_SERVER,                /* 408, 409, 500 and up */
	NET_REJECTED,              /* other statuses */
	NET_TOO_LONG,              /* the text is too long for this model */
	NET_REPLY,                 /* the answer exceeds the limit, or cannot be read */
	NET_LENGTH,                /* the model stopped at its limit */
	NET_REFUSED,               /* the model refused */
	NET_SCHEMA,                /* its answer does not fit the schema */
	N_NET_FAULTS
};
extern const char *const net_fault_names[N_NET_FAULTS];

struct net_err {
	enum net_fault fault;
	bool retryable;            /* the same request may succeed later */
	int64_t retry_after_ms;    /* how long the server asks to wait; -1: it does not say */
	char msg[400];
};
#define NET_ERR_INIT { NET_OK, false, -1, "" }

/* Fills e and returns -1. */
int net_fail(struct net_err *e, enum net_fault fault, bool retryable, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

struct http;                                   /* keeps connections open between requests */

struct http_limits {
	size_t max_reply_bytes;
	/*
	 * tells whether nobody waits for the answer any more, which ends the transfer; NULL: never
	 * asked
	 */
	bool (*gone)(void);
	const char *ca_file;           /* certificates that vouch; "": those of the system */
};
int http_open(const struct http_limits *limits, struct http **out, struct err *err);
void http_close(struct http *h);

struct http_reply {
	int status;
	/* owned by the caller, who calls buf_init; http_post resets it */
	struct buf body;
	int64_t retry_after_ms;                /* from Retry-After or retry-after-ms; -1: neither */
	int should_retry;                      /* from x-should-retry: 1, 0; -1: not given */
};

/*
 * Posts once, within deadline_us (clock_mono_us). key may be NULL. Returns 0 for an answer of any
 * status; else -1: NET_CONFIG, NET_CONNECT, NET_TLS, NET_TIMEOUT, NET_REDIRECT, NET_REPLY.
 */
int http_post(struct http *h, const char *url, const char *key, const char *body, size_t len,
	int64_t deadline_us, struct http_reply *r, struct net_err *e);

/*
 * Checks that a URL is http(s)://host[:port][/path], without user, query or fragment, and, if it is
 * plain, to this machine.
 */
int http_check_url(const char *url, bool insecure, struct net_err *e);
/* Whether the host of a URL is name, which is in lower case. */
bool http_host_is(const char *url, const char *name);
int http_port(const char *url);                /* 0: it cannot be told */

/*
 * Blanks out the key in a message s with "*", and pieces of it of at least half its length and 8
 * characters, because some services quote a part of the key. Never used on what a model answers,
 * where a short key might occur within words.
 */
void net_hide_key(char *s, size_t len, const char *key);
