/*
 * call.c: repeats requests, and reads refusals. The waits are those of the API makers' own clients:
 * half a second, doubling up to eight, a quarter more or less. Retry-After is obeyed as long as it
 * fits the deadline; if it does not, the call ends at once.
 */
#include <poll.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "net/call.h"

#define FIRST_WAIT_MS 500
#define LONGEST_WAIT_MS 8000
#define SLICE_MS      100
#define WORDS_BYTES   300

int
net_code(enum net_fault fault)
{
	switch (fault) {
	case NET_OK:
		return ERR_NONE;
	case NET_CONFIG:
		return ERR_CONFIG;
	case NET_REQUEST:
	case NET_REJECTED:
	case NET_TOO_LONG:
	case NET_LENGTH:
	case NET_REFUSED:
	case NET_SCHEMA:
		return ERR_DATA;
	default:
		return ERR_UNAVAILABLE;
	}
}

/* ---- what a server says when it refuses ---- */

static const struct json *
string_in(const struct json *v)
{
	return v != NULL && v->kind == JSON_STRING && v->len > 0 ? v : NULL;
}

/*
 * Finds the message of an error: {"error":{"message":""}}, {"error":""}, {"message":""},
 * {"detail":""} or {"detail":[{"msg":""}]}.
 */
static const struct json *
words_of(const struct json *v)
{
	const struct json *error = json_get(v, "error"), *detail = json_get(v, "detail"), *s;

	if ((s = string_in(json_get(error, "message"))) != NULL || (s = string_in(error)) != NULL ||
	    (s = string_in(json_get(v, "message"))) != NULL || (s = string_in(detail)) != NULL)
		return s;
	if (detail != NULL && detail->kind == JSON_ARRAY && detail->len > 0)
		return string_in(json_get(&detail->u.items[0], "msg"));
	return NULL;
}

/*
 * Copies a text without the key. This comes before the text is cut short, since a cut key might not
 * be recognised.
 */
static const char *
without_key(struct arena *a, const char *s, size_t len, const char *key)
{
	char *copy = arena_strndup(a, s, len);

	net_hide_key(copy, len, key);
	return copy;
}

/* Appends what else explains an error: its code, or the name of the parameter. */
static void
add_part(char *out, size_t size, const struct json *error, const char *name, struct arena *a,
	const char *key)
{
	size_t len = strlen(out), n;
	const char *s = json_get_string(error, name, &n);

	if (s != NULL && *s != '\0')
		snprintf(out + len, size - len, " [%s %.60s]", name, without_key(a, s, n, key));
}

static void
read_refusal(const struct http_reply *r, const char *key, char *out, size_t size)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v, *s;

	*out = '\0';
	if (json_parse(r->body.data, r->body.len, &a, &v, NULL) == 0 && (s = words_of(v)) != NULL) {
		size_t n = utf8_clip(s->u.string, s->len, WORDS_BYTES);
		snprintf(out, size, ": %.*s", (int)n, without_key(&a, s->u.string, s->len, key));
		add_part(out, size, json_get(v, "error"), "code", &a, key);
		add_part(out, size, json_get(v, "error"), "param", &a, key);
	}
	for (char *p = out; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = ' ';
}

static bool
has_one(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (ascii_has(text, strlen(text), *words))
			return true;
	return false;
}

bool
net_refused_for(const struct net_err *e, const char *const *words)
{
	return e->fault == NET_REJECTED && has_one(e->msg, words);
}

static int
status_failed(const struct http_reply *r, const char *key, struct net_err *e)
{
	static const char *const long_words[] = { "context length", "context_length",
		"context size", "too large to process", "too long", "maximum context",
		"maximum input", "input length", NULL };
	bool again = r->status == 408 || r->status == 409 || r->status == 429 || r->status >= 500;
	enum net_fault fault = r->status == 401 || r->status == 403 ? NET_AUTH
	    : r->status == 429					    ? NET_RATE
	    : again						    ? NET_SERVER
								    : NET_REJECTED;
	char words[WORDS_BYTES + 160];

	read_refusal(r, key, words, sizeof(words));
	if ((r->status == 400 || r->status == 413 || r->status == 422 || r->status == 500) &&
	    (r->status == 413 || has_one(words, long_words))) {
		fault = NET_TOO_LONG;
		again = false;
	}
	/* some servers answer 500 to a request that they do not accept */
	if (r->status == 500 && ascii_has(words, strlen(words), "validation error")) {
		fault = NET_REJECTED;
		again = false;
	}
	if (r->should_retry >= 0)
		again = r->should_retry;
	net_fail(e, fault, again, "status %d%s", r->status, words);
	e->retry_after_ms = r->retry_after_ms;
	return -1;
}

/* ---- tries ---- */

static int
try_once(struct net_call *c, const char *body, size_t len, struct arena *a, const struct json **out,
	struct net_err *e)
{
	struct err err = ERR_INIT;

	c->n_tries++;
	e->retry_after_ms = -1;
	if (http_post(c->http, c->to->url, c->to->key, body, len, c->deadline_us, &c->reply, e) < 0)
		return -1;
	if (c->reply.status < 200 || c->reply.status > 299)
		return status_failed(&c->reply, c->to->key, e);
	if (json_parse(c->reply.body.data, c->reply.body.len, a, out, &err) < 0)
		return net_fail(e, NET_REPLY, false, "answer cannot be read: %s", err.msg);
	return 0;
}

/*
 * Waits before the next try. false: the wait would pass the deadline, or nobody waits for the
 * answer.
 */
static bool
wait_before(const struct net_call *c, unsigned n_failed, int64_t asked_ms)
{
	int64_t ms = MIN((int64_t)FIRST_WAIT_MS << (n_failed - 1), LONGEST_WAIT_MS), until_us;

	ms = asked_ms >= 0
	    ? asked_ms
	    : ms * (75 + (int64_t)(hash64_mix((uint64_t)clock_mono_us()) % 51)) / 100;
	until_us = clock_mono_us() + 1000 * ms;
	if (until_us >= c->deadline_us)
		return false;
	while (clock_mono_us() < until_us) {
		if (c->gone != NULL && c->gone())
			return false;
		poll(NULL, 0, (int)MIN(SLICE_MS, (until_us - clock_mono_us() + 999) / 1000));
	}
	return true;
}

int
net_call(struct net_call *c, const char *body, size_t len, struct arena *a, const struct json **out,
	struct net_err *e)
{
	for (unsigned n = 1;; n++) {
		if (try_once(c, body, len, a, out, e) == 0)
			return 0;
		if (!e->retryable || n == CALL_TRIES || !wait_before(c, n, e->retry_after_ms))
			return -1;
	}
}
