/*
 * call.h: makes a request and repeats it. A server that is busy or down, or a connection that
 * broke, is tried again, twice at most, after a wait that doubles or that the server asked for, all
 * within one deadline. Its refusals are read in whatever shape they come.
 */
#pragma once

#include "json/json.h"
#include "net/endpoint.h"

#define CALL_TRIES 3

struct net_call {
	struct http *http;
	struct endpoint *to;
	int64_t deadline_us;                   /* in time of clock_mono_us */
	bool (*gone)(void);                    /* as in struct http_limits */
	unsigned n_tries;                      /* how often a request was sent */
	/* the caller initialises and releases its body */
	struct http_reply reply;
};

/*
 * Makes the call; *out is the answer as JSON, in a. -1 with e: what the server says went wrong, at
 * most 300 bytes of it, without the key. 400, 413, and 500 with words about a text that is too long
 * are NET_TOO_LONG.
 */
int net_call(struct net_call *c, const char *body, size_t len, struct arena *a,
	const struct json **out, struct net_err *e);

/*
 * The exit status for a fault: ERR_CONFIG; ERR_DATA when the request is at fault; ERR_UNAVAILABLE
 * when the service is.
 */
int net_code(enum net_fault fault);

/*
 * Whether the last refusal (NET_REJECTED) contains one of the words, which end with NULL. So
 * callers learn what a server does not accept.
 */
bool net_refused_for(const struct net_err *e, const char *const *words);
