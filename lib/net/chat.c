/*
 * chat.c: the requests and answers of two APIs, which differ in two functions each, and of
 * commands, whose answers are told as those of the first. The rest is common: learning what a
 * server does not accept, finding the answer among fences and thoughts, and asking again.
 */
#include "base/utf8.h"
#include "json/json_schema.h"
#include "net/chat.h"
#include "net/command.h"

#define BODY_BYTES   (64u << 20)
#define BYTES_A_TOKEN 4
/* shown of an answer that did not fit, when the question is asked again */
#define SHOWN_BYTES  4000
#define LEARN_MOST   6
#define CTX_LEAST    4096
#define CTX_STEP     2048
#define CTX_MOST     131072

/* A question to be sent: the second time with the answer before, and what is wrong with it. */
struct turn {
	const struct chat_ask *ask;
	const char *before, *wrong;            /* NULL the first time */
	/*
	 * the schema is given in words only, because with a response format the answer was not JSON
	 */
	bool in_words;
};

/* ---- requests ---- */

static void
put_message(struct buf *b, const char *role, const char *text, size_t len)
{
	json_object_open(b, NULL);
	json_str(b, "role", role);
	json_strn(b, "content", text, len);
	json_close(b);
}

/* What to do, and the schema in words too, since not every server passes it on. */
static void
put_system(struct buf *b, const struct chat_ask *q)
{
	if (q->system != NULL)
		buf_adds(b, q->system);
	if (q->schema == NULL)
		return;
	buf_addf(b, "%sAnswer with JSON alone, no other words. It must fit this JSON schema:\n",
	    b->len > 0 ? "\n\n" : "");
	json_write(b, q->schema);
}

static void
put_wrong(struct buf *b, const struct turn *t)
{
	buf_addf(b, "That does not fit the schema: %s. Answer again, with the JSON alone.",
	    t->wrong);
}

static size_t
shown_of_before(const struct turn *t)
{
	return utf8_clip(t->before, strlen(t->before), SHOWN_BYTES);
}

static void
put_messages(struct buf *b, const struct turn *t)
{
	const struct chat_ask *q = t->ask;
	LOCAL(buf) system = buf_of(BODY_BYTES);

	put_system(&system, q);
	json_array_open(b, "messages");
	if (system.len > 0)
		put_message(b, "system", system.data, system.len);
	put_message(b, "user", q->text, strlen(q->text));
	if (t->wrong != NULL) {
		put_message(b, "assistant", t->before, shown_of_before(t));
		buf_reset(&system);
		put_wrong(&system, t);
		put_message(b, "user", system.data, system.len);
	}
	json_array_close(b);
}

/* Writes the response format as OpenAI defines it, or as llama.cpp and others did before. */
static void
put_format(struct buf *b, const struct json *schema, const struct quirks *quirks)
{
	static const char new_form[] = "\"json_schema\"", old_form[] = "\"json_object\"";

	json_object_open(b, "response_format");
	if (quirks->no_json_schema) {
		json_raw(b, "type", old_form, sizeof(old_form) - 1);
	} else {
		json_raw(b, "type", new_form, sizeof(new_form) - 1);
		json_object_open(b, "json_schema");
		json_str(b, "name", "answer");
		json_bool(b, "strict", true);
	}
	json_key(b, "schema");
	json_write(b, schema);
	json_close(b);
	if (!quirks->no_json_schema)
		json_close(b);
}

static void
write_openai(struct buf *b, const struct turn *t, const struct quirks *quirks)
{
	const struct chat_ask *q = t->ask;

	json_open(b);
	json_str(b, "model", q->model);
	put_messages(b, t);
	if (!quirks->no_temperature)
		json_num(b, "temperature", q->temperature);
	if (q->max_tokens > 0 && !quirks->no_max_tokens)
		json_int(b, "max_tokens", q->max_tokens);
	else if (q->max_tokens > 0 && !quirks->no_max_completion_tokens)
		json_int(b, "max_completion_tokens", q->max_tokens);
	json_bool(b, "stream", false);
	if (q->schema != NULL && !quirks->no_format && !t->in_words)
		put_format(b, q->schema, quirks);
	json_close(b);
}

static void
write_ollama(struct buf *b, const struct turn *t, const struct quirks *quirks)
{
	const struct chat_ask *q = t->ask;

	json_open(b);
	json_str(b, "model", q->model);
	put_messages(b, t);
	int64_t need = (int64_t)b->len / 3 + q->max_tokens;
	json_bool(b, "stream", false);
	if (q->schema != NULL && !quirks->no_format && !t->in_words) {
		json_key(b, "format");
		json_write(b, q->schema);
	}
	if (!quirks->no_think)
		json_bool(b, "think", false);
	json_object_open(b, "options");
	json_num(b, "temperature", q->temperature);
	if (q->max_tokens > 0)
		json_int(b, "num_predict", q->max_tokens);
	/* by default Ollama cuts a text that is longer than its window, without an error */
	json_int(b, "num_ctx",
	    MAX(CTX_LEAST, MIN(CTX_MOST, (need + CTX_STEP - 1) / CTX_STEP * CTX_STEP)));
	json_close(b);
	json_close(b);
}

/*
 * Learns from a refusal which part of a request not to send again. false: there is nothing to
 * learn.
 */
static bool
learn_quirk(enum net_api api, struct quirks *quirks, const struct net_err *e)
{
	static const char *const tokens[] = { "max_tokens", "max_completion_tokens", NULL },
				 *const temperature[] = { "temperature", NULL },
				 *const format[] = { "response_format", "json_schema",
					 "json_object", "schema", "grammar", "format", NULL },
				 *const think[] = { "think", NULL };
	bool *what = NULL;

	if (net_refused_for(e, tokens))
		what = quirks->no_max_tokens ? &quirks->no_max_completion_tokens
					     : &quirks->no_max_tokens;
	else if (net_refused_for(e, temperature))
		what = &quirks->no_temperature;
	else if (net_refused_for(e, think))
		what = &quirks->no_think;
	else if (net_refused_for(e, format))
		what = api == API_OPENAI && !quirks->no_json_schema ? &quirks->no_json_schema
								    : &quirks->no_format;
	if (what == NULL || *what)
		return false;
	return *what = true;
}

/* A command is asked the second time with all of it in one text. */
static int
send_command(struct net_call *c, const struct turn *t, struct arena *a, const struct json **v,
	struct net_err *e)
{
	LOCAL(buf) system = buf_of(BODY_BYTES);
	LOCAL(buf) text = buf_of(BODY_BYTES);

	put_system(&system, t->ask);
	buf_adds(&text, t->ask->text);
	if (t->wrong != NULL) {
		buf_addf(&text, "\n\nYou answered:\n%.*s\n\n", (int)shown_of_before(t), t->before);
		put_wrong(&text, t);
	}
	return net_command(c, t->ask->model, system.data, text.data, a, v, e);
}

static int
send(struct net_call *c, const struct turn *t, struct arena *a, const struct json **v,
	struct chat_answer *out, struct net_err *e)
{
	int rc;

	if (c->to->api == API_COMMAND)
		return send_command(c, t, a, v, e);
	LOCAL(buf) b = buf_of(BODY_BYTES);
	for (int i = 0;; i++) {
		buf_reset(&b);
		c->to->api == API_OLLAMA ? write_ollama(&b, t, &c->to->quirks)
					 : write_openai(&b, t, &c->to->quirks);
		rc = b.full
		    ? net_fail(e, NET_REQUEST, false, "the question is over %u bytes", BODY_BYTES)
		    : net_call(c, b.data, b.len, a, v, e);
		if (rc == 0 || i == LEARN_MOST || !learn_quirk(c->to->api, &c->to->quirks, e))
			break;
	}
	/* the server may have worked on the request before it failed */
	if (rc < 0 && (e->fault == NET_TIMEOUT || e->fault == NET_REPLY))
		out->tokens_in += (int64_t)b.len / BYTES_A_TOKEN;
	return rc;
}

/* ---- answers ---- */

struct said {
	const char *text, *thoughts;           /* NULL: none */
	const char *model, *finish, *refusal;
	double tokens_in, tokens_out;          /* -1: the server does not say */
};

static const char *
text_of(const struct json *message, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		const char *s = json_get_string(message, *keys, NULL);
		if (s != NULL && *s != '\0')
			return s;
	}
	return NULL;
}

/* Joins content that is an array of parts. */
static const char *
join_parts(const struct json *content, struct arena *a)
{
	const char *s;

	if (content == NULL || content->kind != JSON_ARRAY)
		return NULL;
	LOCAL(buf) b = buf_of(BODY_BYTES);
	for (size_t i = 0; i < content->len; i++) {
		s = json_get_string(&content->u.items[i], "text", NULL);
		buf_adds(&b, s == NULL ? "" : s);
	}
	return arena_strndup(a, b.data, b.len);
}

/* Reads an answer; -1: it is not one of a chat. */
static int
read_answer(enum net_api api, const struct json *v, struct arena *a, struct said *s)
{
	static const char *const content[] = { "content", NULL },
				 *const thoughts[] = { "reasoning_content", "reasoning", "thinking",
					 NULL };
	const struct json *choices = json_get(v, "choices"), *first = NULL, *message, *usage;

	if (api == API_OLLAMA)
		first = v;
	else if (choices != NULL && choices->kind == JSON_ARRAY && choices->len > 0)
		first = &choices->u.items[0];
	message = json_get(first, "message");
	if (message == NULL || message->kind != JSON_OBJECT)
		return -1;
	s->text = text_of(message, content);
	if (s->text == NULL)
		s->text = join_parts(json_get(message, "content"), a);
	s->thoughts = text_of(message, thoughts);
	s->refusal = json_get_string(message, "refusal", NULL);
	s->finish =
	    json_get_string(first, api == API_OLLAMA ? "done_reason" : "finish_reason", NULL);
	s->model = json_get_string(v, "model", NULL);
	usage = api == API_OLLAMA ? v : json_get(v, "usage");
	s->tokens_in =
	    json_get_number(usage, api == API_OLLAMA ? "prompt_eval_count" : "prompt_tokens", -1);
	s->tokens_out =
	    json_get_number(usage, api == API_OLLAMA ? "eval_count" : "completion_tokens", -1);
	return 0;
}

static int64_t
tokens_of(double told, size_t n_bytes)
{
	return told >= 0 && told < 1e12 ? (int64_t)told
					: (int64_t)((n_bytes + BYTES_A_TOKEN - 1) / BYTES_A_TOKEN);
}

static void
accept_text(struct chat_answer *out, struct arena *a, const char *text)
{
	size_t len = strlen(text);

	text = json_after_thoughts(text, &len);
	out->text = arena_strndup(a, text, len);
	out->len = len;
}

/* Finds the JSON. Some models write their answer only into their thoughts. */
static int
accept_json(const struct chat_ask *q, const struct said *s, struct arena *a,
	struct chat_answer *out,
	struct net_err *e)
{
	const char *const from[] = { s->text, s->thoughts };
	const bool cut = s->finish != NULL && strcmp(s->finish, "length") == 0;
	struct err err = ERR_INIT;
	const struct json *v;

	err_set(&err, ERR_DATA, "there is no JSON in it");
	for (size_t i = 0; i < NELEM(from); i++) {
		if (from[i] == NULL || json_in_text(from[i], strlen(from[i]), a, &v, NULL) < 0)
			continue;
		out->json = v;
		if (json_schema_check(q->schema, v, &err) == 0)
			return 0;
		break;
	}
	if (cut)
		return net_fail(e, NET_LENGTH, false, "the answer was cut off after %.0f tokens",
		    MAX(0, s->tokens_out));
	return net_fail(e, NET_SCHEMA, false, "%s", err.msg);
}

static int
accept_answer(const struct chat_ask *q, const struct said *s, struct arena *a,
	struct chat_answer *out,
	struct net_err *e)
{
	out->model = s->model == NULL ? "" : s->model;
	out->finish = s->finish == NULL ? "" : s->finish;
	accept_text(out, a, s->text == NULL ? "" : s->text);
	if (s->refusal != NULL || strcmp(out->finish, "content_filter") == 0)
		return net_fail(e, NET_REFUSED, false, "the model would not: %.*s",
		    s->refusal == NULL ? 0 : (int)utf8_clip(s->refusal, strlen(s->refusal), 200),
		    s->refusal == NULL ? "" : s->refusal);
	if (q->schema != NULL)
		return accept_json(q, s, a, out, e);
	if (out->len > 0)
		return 0;
	if (strcmp(out->finish, "length") == 0)
		return net_fail(e, NET_LENGTH, false,
		    "the model thought until its tokens were used up");
	return net_fail(e, NET_REPLY, false, "the answer is empty");
}

int
net_chat(struct net_call *c, const struct chat_ask *q, struct arena *a, struct chat_answer *out,
	struct net_err *e)
{
	struct turn t = { .ask = q };

	*out = (struct chat_answer){ .text = "", .model = "", .finish = "" };
	for (int i = 0;; i++) {
		struct said s = { .tokens_in = -1, .tokens_out = -1 };
		const struct json *v;

		if (send(c, &t, a, &v, out, e) < 0)
			return -1;
		if (read_answer(c->to->api, v, a, &s) < 0)
			return net_fail(e, NET_REPLY, false, "answer is none of a chat");
		out->tokens_in += tokens_of(s.tokens_in,
		    strlen(q->text) + (q->system == NULL ? 0 : strlen(q->system)));
		out->tokens_out += tokens_of(s.tokens_out, s.text == NULL ? 0 : strlen(s.text));
		if (accept_answer(q, &s, a, out, e) == 0)
			return 0;
		if (e->fault != NET_SCHEMA || i == 1)
			return -1;
		t.before = out->text;
		t.wrong = arena_strdup(a, e->msg);
		t.in_words = out->json == NULL;
		out->json = NULL;
	}
}
