/*
 * call.h: a request and its tries. A server that is busy, down or cut off is asked again, twice at
 * most, after a wait that doubles or that it asked for itself; all within one deadline. What it
 * says when it refuses is read out of whatever shape it has.
 */
#ifndef NET_CALL_H
#define NET_CALL_H

#include "json/json.h"
#include "net/endpoint.h"

#define CALL_TRIES 3

struct net_call {
	struct http *http;
	struct endpoint *to;
	int64_t deadline_us;                   /* clock_mono_us */
	bool (*gone)(void);                    /* as in struct http_limits */
	unsigned n_tries;                      /* counts up */
	/* its body is initialised by the caller, and released by it */
	struct http_reply reply;
};

/*
 * *out is the answer as JSON, in a. -1 with e: what it says went wrong, at most 300 bytes of the
 * server's words, without the key. A status of 500 with the words of a text that is too long is
 * NET_TOO_LONG, as are 400 and 413.
 */
int net_call(struct net_call *c, const char *body, size_t len, struct arena *a,
	const struct json **out, struct net_err *e);

/*
 * The exit status that a fault stands for: ERR_CONFIG; ERR_DATA where the request is at fault,
 * ERR_UNAVAILABLE where the service is.
 */
int net_code(enum net_fault fault);

/*
 * The last refusal (NET_REJECTED) has one of these words, NULL at the end, in it: for learning what
 * a server does not take.
 */
bool net_refused_for(const struct net_err *e, const char *const *words);

#endif
