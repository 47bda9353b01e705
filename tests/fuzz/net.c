/*
 * net: any bytes as what a model's service answers; the first byte chooses who asks, and with which
 * status it is answered. A byte 0xff parts a second answer, to whoever asks again. In the place of
 * lib/net/http.c, so that nothing is sent.
 */
#include "fuzz.h"

#include <math.h>
#include <stdarg.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "net/call.h"
#include "net/chat.h"
#include "net/embeddings.h"

struct http { const uint8_t *data; size_t size; unsigned how, n_asked; };

const char *const net_fault_names[N_NET_FAULTS] = { "ok" };

int
net_fail(struct net_err *e, enum net_fault fault, bool retryable, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	e->fault = fault;
	e->retryable = retryable;
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	return -1;
}

int
http_post(struct http *h, const char *url, const char *key, const char *body, size_t len,
	int64_t deadline_us, struct http_reply *r, struct net_err *e)
{
	static const int states[] = { 200, 200, 200, 200, 200, 400, 404, 413, 422, 429, 500, 503 };
	const uint8_t *second = memchr(h->data, 0xff, h->size);
	size_t n_first = second == NULL ? h->size : (size_t)(second - h->data);

	(void)url, (void)key, (void)deadline_us, (void)e;
	PROMISE(body != NULL && utf8_valid(body, len));
	buf_reset(&r->body);
	if (h->n_asked++ % 2 == 0 || second == NULL)
		buf_add(&r->body, (const char *)h->data, n_first);
	else
		buf_add(&r->body, (const char *)second + 1, h->size - n_first - 1);
	r->status = states[h->how % 12];
	r->retry_after_ms = -1;
	r->should_retry = -1;
	return 0;
}

int http_check_url(const char *url, bool insecure, struct net_err *e)
	{ (void)url, (void)insecure, (void)e; return 0; }
bool http_host_is(const char *url, const char *name) { (void)url, (void)name; return false; }
int http_port(const char *url) { (void)url; return 80; }
void net_hide_key(char *s, size_t len, const char *key) { (void)s, (void)len, (void)key; }

static void
embed(struct net_call *c, int64_t n_dims, struct arena *a)
{
	struct embed_text texts[] = { { "one", 3 }, { "two words", 9 },
		{ "three more words here", 21 } };
	struct embed_ask q = { "m", texts, 3, n_dims };
	struct embed_answer got;
	struct net_err e = NET_ERR_INIT;

	if (net_embed(c, &q, a, &got, &e) != 0) {
		PROMISE(*e.msg != '\0');
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		double sum = 0;

		PROMISE(got.vecs[i] != NULL || got.why[i] != NULL);
		for (size_t k = 0; got.vecs[i] != NULL && k < got.n_dims; k++)
			sum += (double)got.vecs[i][k] * got.vecs[i][k];
		PROMISE(got.vecs[i] == NULL || fabs(sum - 1) < 0.02);
	}
}

static void
chat(struct net_call *c, unsigned how, struct arena *a)
{
	static const char form[] = "{\"type\":\"object\",\"properties\":{\"facts\":{\"type\":"
		"\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":"
		"\"string\",\"maxLength\":9}},\"required\":[\"text\"]},\"maxItems\":3}},"
		"\"required\":[\"facts\"]}";
	const struct json *schema = NULL;
	struct chat_answer got;
	struct net_err e = NET_ERR_INIT;
	struct err err = ERR_INIT;

	if (how & 1 && json_parse(form, sizeof(form) - 1, a, &schema, &err) != 0)
		abort();
	struct chat_ask q = { "m", how & 2 ? "system" : NULL, "text", schema, how & 4 ? 10 : 0, 0 };
	if (net_chat(c, &q, a, &got, &e) != 0) {
		PROMISE(*e.msg != '\0');
		return;
	}
	PROMISE(schema == NULL || got.json != NULL);
	PROMISE(schema != NULL || (got.text[got.len] == '\0' && utf8_valid(got.text, got.len)));
	PROMISE(got.tokens_in >= 0 && got.tokens_out >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned how = size > 0 ? data[0] : 0;
	struct http h = { data + (size > 0), size - (size > 0), how >> 5, 0 };
	char url[] = "http://127.0.0.1/v1", key[] = "k";
	struct endpoint to = { .kind = how & 1 ? NET_EMBED : NET_CHAT,
		.api = how & 2 ? API_OLLAMA : API_OPENAI, .base = url, .url = url, .model = "m",
		.key = key };
	/* no time to wait before it is asked again */
	struct net_call c = { .http = &h, .to = &to, .deadline_us = clock_mono_us() + 100000 };
	struct arena a = ARENA_INIT;

	buf_init(&c.reply.body, 1 << 22);
	if (how & 1)
		embed(&c, how & 4 ? 4 : 0, &a);
	else
		chat(&c, how >> 2, &a);
	buf_release(&c.reply.body);
	arena_release(&a);
	return 0;
}
