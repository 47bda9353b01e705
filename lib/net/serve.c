/*
 * serve.c: reads requests strictly (an unknown kind, a text of the wrong type and a schema that
 * cannot be checked are refused), and answers each with a reply.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/preset.h"
#include "json/json_schema.h"
#include "net/serve.h"

#define TIMEOUT_MOST 3600      /* in seconds */

struct server {
	struct http *http;
	struct net_call call;
	struct endpoint to[2];
	bool is_open[2];
};

/* ---- requests ---- */

static int
bad(struct net_err *e, const char *key, const char *what)
{
	return net_fail(e, NET_REQUEST, false, "request: '%s' must be %s", key, what);
}

/* Reads a member that may be missing; *out then stays as it is. */
static int
read_string(const struct json *v, const char *key, const char **out, struct net_err *e)
{
	const struct json *m = json_get(v, key);

	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_STRING)
		return bad(e, key, "a string");
	*out = m->u.string;
	return 0;
}

static int
read_number(const struct json *v, const char *key, double min, double max, double *out,
	struct net_err *e)
{
	const struct json *m = json_get(v, key);

	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_NUMBER || !(m->u.number >= min && m->u.number <= max))
		return bad(e, key, "a number within its bounds");
	*out = m->u.number;
	return 0;
}

static int
read_texts(const struct json *v, struct arena *a, struct request *q, struct net_err *e)
{
	const struct json *list = json_get(v, "texts"), *text = json_get(v, "text");
	const struct json one = { .kind = JSON_ARRAY, .len = text != NULL, .u.items = text };
	struct embed_text *texts;

	q->listed = list != NULL;
	if (list == NULL)
		list = &one;
	if (list->kind != JSON_ARRAY || list->len == 0)
		return bad(e, "texts", "an array of strings");
	texts = arena_alloc(a, list->len * sizeof(*texts));
	for (size_t i = 0; i < list->len; i++) {
		if (list->u.items[i].kind != JSON_STRING)
			return bad(e, "texts", "an array of strings");
		texts[i] = (struct embed_text){ list->u.items[i].u.string, list->u.items[i].len };
	}
	q->embed.texts = texts;
	q->embed.n = list->len;
	return 0;
}

static int
read_schema(const struct json *v, struct request *q, struct net_err *e)
{
	struct err err = ERR_INIT;

	q->chat.schema = json_get(v, "schema");
	if (q->chat.schema != NULL && json_schema_known(q->chat.schema, &err) < 0)
		return net_fail(e, NET_REQUEST, false, "request: %s", err.msg);
	return 0;
}

static int
read_chat(const struct json *v, struct request *q, struct net_err *e)
{
	double max_tokens = 0;

	if (read_string(v, "system", &q->chat.system, e) < 0 ||
	    read_string(v, "text", &q->chat.text, e) < 0 || read_schema(v, q, e) < 0 ||
	    read_number(v, "max_tokens", 1, 1e6, &max_tokens, e) < 0 ||
	    read_number(v, "temperature", 0, 2, &q->chat.temperature, e) < 0)
		return -1;
	if (q->chat.text == NULL)
		return bad(e, "text", "a string");
	q->chat.max_tokens = (int64_t)max_tokens;
	return 0;
}

int
request_read(const char *line, size_t len, struct arena *a, struct request *q, struct net_err *e)
{
	const char *kind = net_kind_names[NET_CHAT], *model = NULL;
	double timeout = conf_real("llm_timeout");
	struct err err = ERR_INIT;
	const struct json *v, *counted;

	*q = (struct request){ .kind = NET_CHAT };
	if (json_parse(line, len, a, &v, &err) < 0)
		return net_fail(e, NET_REQUEST, false, "%s", err.msg);
	if (v->kind != JSON_OBJECT)
		return net_fail(e, NET_REQUEST, false, "not a JSON object");
	q->id = json_get(v, "id");
	counted = json_get(v, "counted");
	q->counted = counted != NULL && counted->kind == JSON_TRUE;
	if (read_string(v, "kind", &kind, e) < 0 || read_string(v, "model", &model, e) < 0 ||
	    read_number(v, "timeout", 0.001, TIMEOUT_MOST, &timeout, e) < 0)
		return -1;
	q->timeout_ms = (int64_t)ceil(1000 * timeout);
	if (strcmp(kind, net_kind_names[NET_EMBED]) == 0)
		q->kind = NET_EMBED;
	else if (strcmp(kind, net_kind_names[NET_CHAT]) != 0)
		return bad(e, "kind", "chat or embed");
	q->chat.model = model != NULL ? model : preset_model();
	q->embed.model = model != NULL ? model : conf_text("embed_model");
	q->embed.n_dims = (size_t)conf_int("embed_dim");
	return q->kind == NET_EMBED ? read_texts(v, a, q, e) : read_chat(v, q, e);
}

/* ---- replies ---- */

static void
open_reply(struct buf *b, const struct request *q, bool ok)
{
	json_record(b, "reply");
	if (q->id != NULL) {
		json_key(b, "id");
		json_write(b, q->id);
	}
	json_bool(b, "ok", ok);
}

static void
close_reply(struct buf *b, const struct served *got)
{
	if (got != NULL) {
		json_int(b, "tokens_in", got->tokens_in);
		json_int(b, "tokens_out", got->tokens_out);
		json_int(b, "tries", got->n_tries);
		json_int(b, "ms", got->ms);
	}
	json_end(b);
}

void
reply_failed(struct buf *reply, const struct request *q, const char *error, const struct net_err *e,
	const struct served *got)
{
	open_reply(reply, q, false);
	json_str(reply, "error", error != NULL ? error : net_fault_names[e->fault]);
	json_str(reply, "message", e->msg);
	json_bool(reply, "retryable", e->retryable);
	close_reply(reply, got);
}

static void
reply_chat(struct buf *b, const struct request *q, const struct chat_answer *v,
	const struct served *got)
{
	open_reply(b, q, true);
	if (v->json != NULL) {
		json_key(b, "json");
		json_write(b, v->json);
	} else {
		json_strn(b, "text", v->text, v->len);
	}
	json_str(b, "model", *v->model != '\0' ? v->model : q->chat.model);
	if (*v->finish != '\0')
		json_str(b, "finish", v->finish);
	close_reply(b, got);
}

static void
put_vector(struct buf *b, const float *vec, size_t n_dims)
{
	if (vec == NULL) {
		json_next(b);
		buf_adds(b, "null");
		return;
	}
	json_array_open(b, NULL);
	for (size_t i = 0; i < n_dims; i++) {
		json_next(b);
		json_write_number(b, (double)vec[i]);
	}
	json_array_close(b);
}

/*
 * Writes vec for one text, vecs for several; failed has the index and the reason of each text
 * without a vector.
 */
static void
reply_embed(struct buf *b, const struct request *q, const struct embed_answer *v,
	const struct served *got)
{
	open_reply(b, q, true);
	if (q->listed)
		json_array_open(b, "vecs");
	else
		json_key(b, "vec");
	for (size_t i = 0; i < q->embed.n; i++)
		put_vector(b, v->vecs[i], v->n_dims);
	if (q->listed)
		json_array_close(b);
	if (v->n_failed > 0) {
		json_array_open(b, "failed");
		for (size_t i = 0; i < q->embed.n; i++) {
			if (v->vecs[i] != NULL)
				continue;
			json_object_open(b, NULL);
			json_int(b, "index", (int64_t)i);
			json_str(b, "message", v->why[i]);
			json_close(b);
		}
		json_array_close(b);
	}
	json_int(b, "dimensions", (int64_t)v->n_dims);
	json_str(b, "model", *v->model != '\0' ? v->model : q->embed.model);
	close_reply(b, got);
}

/* ---- the call ---- */

int
server_open(bool (*gone)(void), struct server **out, struct err *err)
{
	const struct http_limits limits = { .max_reply_bytes = (size_t)conf_int("llm_reply_bytes"),
		.ca_file = conf_text("llm_ca_file"),
		.gone = gone };
	struct server *s = xcalloc(1, sizeof(*s));

	*out = NULL;
	if (http_open(&limits, &s->http, err) < 0) {
		free(s);
		return -1;
	}
	s->call.http = s->http;
	s->call.gone = gone;
	buf_init(&s->call.reply.body, limits.max_reply_bytes);
	*out = s;
	return 0;
}

void
server_close(struct server *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < NELEM(s->to); i++)
		if (s->is_open[i])
			endpoint_close(&s->to[i]);
	http_close(s->http);
	buf_release(&s->call.reply.body);
	free(s);
}

static int
call(struct server *s, const struct request *q, struct arena *a, struct chat_answer *chat,
	struct embed_answer *embed, struct net_err *e)
{
	struct endpoint *to = &s->to[q->kind];
	/* the place that a command runs in is marked, too, so that it cannot start another */
	const char *off = off_here();

	if (off != NULL)
		return net_fail(e, NET_CONFIG, false, "%s, and no model is asked", off);
	if (!s->is_open[q->kind]) {
		if (endpoint_open(to, q->kind, e) < 0) {
			endpoint_close(to);
			return -1;
		}
		s->is_open[q->kind] = true;
	}
	s->call.to = to;
	return q->kind == NET_EMBED ? net_embed(&s->call, &q->embed, a, embed, e)
				    : net_chat(&s->call, &q->chat, a, chat, e);
}

int
server_answer(struct server *s, const struct request *q, struct arena *a, struct buf *reply,
	struct served *got, struct net_err *e)
{
	int64_t began_us = clock_mono_us();
	struct chat_answer chat = { .text = "" };
	struct embed_answer embed = { .n_dims = 0 };

	s->call.deadline_us = began_us + 1000 * q->timeout_ms;
	s->call.n_tries = 0;
	int rc = call(s, q, a, &chat, &embed, e);
	got->n_tries = s->call.n_tries;
	got->tokens_in = q->kind == NET_EMBED ? embed.tokens_in : chat.tokens_in;
	got->tokens_out = chat.tokens_out;
	got->ms = (clock_mono_us() - began_us) / 1000;
	if (rc < 0) {
		net_hide_key(e->msg, strlen(e->msg), s->to[q->kind].key);
		reply_failed(reply, q, NULL, e, got);
	} else if (q->kind == NET_EMBED) {
		reply_embed(reply, q, &embed, got);
	} else {
		reply_chat(reply, q, &chat, got);
	}
	return rc;
}
