/*
 * llm.c: asks one question: checks whether it may be asked (guard, budget), sends a line to the
 * command, reads a line back, and notes what it cost. The lines are the request and reply of
 * schema/records.txt. A reply is checked as far as possible: JSON is looked for in its text and
 * checked against the schema here, whatever the command says.
 */
#include "llm/llm.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/preset.h"
#include "base/utf8.h"
#include "clean/clean_text.h"
#include "json/json_schema.h"
#include "llm/llm_child.h"
#include "llm/llm_parts.h"
#include "store/guard.h"
#include "text/tokens.h"

/* the command gets the whole time-out, and a 20th of it more to report that it is over */
#define GRACE         20
#define NOTE_BYTES    300
#define ENVELOPE      65536    /* bytes of a reply besides the model's text */
#define ESCAPED_MOST  6        /* bytes of JSON that one byte of text may take */

const char *const llm_why_names[] = { "ok", "off", "stopped", "over_budget", "unavailable",
	"refused", "misfit" };

bool
llm_is_on(void)
{
	return off_here() == NULL &&
	    (*conf_text("llm_command") != '\0' || *conf_text("chat_url") != '\0');
}

struct llm *
llm_new(struct store *s, const char *user, const char *program, const volatile sig_atomic_t *stop)
{
	struct llm *l = xcalloc(1, sizeof(*l));

	account_init(&l->account, s, user, program);
	l->stop = stop;
	buf_init(&l->request, (size_t)conf_int("output_bytes"));
	buf_init(&l->reply, ESCAPED_MOST * (size_t)conf_int("llm_reply_bytes") + ENVELOPE);
	return l;
}

void
llm_free(struct llm *l)
{
	if (l == NULL)
		return;
	child_end(l->child, false);
	account_release(&l->account);
	buf_release(&l->request);
	buf_release(&l->reply);
	free(l);
}

/* ---- the lines ---- */

void
llm_open_request(struct llm *l, const char *kind)
{
	struct buf *b = &l->request;

	buf_reset(b);
	json_record(b, "request");
	json_int(b, "id", ++l->n_asked);
	json_str(b, "kind", kind);
}

void
llm_close_request(struct llm *l, int64_t timeout_ms)
{
	json_num(&l->request, "timeout", (double)timeout_ms / 1000);
	json_bool(&l->request, "counted", true);
	json_close(&l->request);
}

static void
put_request(struct llm *l, const struct llm_question *q, int64_t timeout_ms, struct arena *a)
{
	struct buf *b = &l->request;
	size_t len = strlen(q->text);
	const char *text = clean_outgoing(q->text, &len, a);

	llm_open_request(l, "chat");
	json_str(b, "system", q->system);
	json_strn(b, "text", text, len);
	if (q->schema != NULL)
		json_raw(b, "schema", q->schema, strlen(q->schema));
	json_int(b, "max_tokens", q->max_tokens);
	json_num(b, "temperature", q->temperature);
	llm_close_request(l, timeout_ms);
}

int
llm_no_answer(struct llm_answer *out, struct arena *a, enum llm_why why, const char *fmt, ...)
{
	char note[NOTE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(note, sizeof(note), fmt, ap);
	va_end(ap);
	*out = (struct llm_answer){ .why = why,
		.text = "",
		.model = "",
		.tokens_in = out->tokens_in,
		.tokens_out = out->tokens_out,
		.ms = out->ms };
	out->note = arena_strndup(a, note, utf8_clip(note, strlen(note), sizeof(note)));
	return -1;
}

/*
 * Why there is no answer, by the error that the command names. Only errors of the question itself
 * are not the model's fault.
 */
static enum llm_why
why_of(const char *error)
{
	static const struct { const char *error; enum llm_why why; } known[] = {
		{ "request", LLM_REFUSED }, { "rejected", LLM_REFUSED }, { "too_long", LLM_REFUSED }, { "length", LLM_REFUSED }, { "refused", LLM_REFUSED },
		{ "schema", LLM_MISFIT }, { "budget", LLM_OVER_BUDGET }, { "stopped", LLM_STOPPED } };

	for (size_t i = 0; error != NULL && i < NELEM(known); i++)
		if (strcmp(known[i].error, error) == 0)
			return known[i].why;
	return LLM_UNAVAILABLE;
}

static int
read_json(const struct llm_question *q, const struct json *reply, struct arena *a,
	struct llm_answer *out)
{
	const struct json *schema, *v = json_get(reply, "json");
	struct err err = ERR_INIT;

	if (json_parse(q->schema, strlen(q->schema), a, &schema, &err) < 0 ||
	    json_schema_known(schema, &err) < 0)
		return llm_no_answer(out, a, LLM_REFUSED, "%s", err.msg);
	if (v == NULL && json_in_text(out->text, out->len, a, &v, &err) < 0)
		return llm_no_answer(out, a, LLM_MISFIT, "the model's answer is no JSON");
	if (json_schema_check(schema, v, &err) < 0)
		return llm_no_answer(out, a, LLM_MISFIT, "the model's answer does not fit: %s",
		    err.msg);
	LOCAL(buf) b = buf_of(SIZE_MAX);
	json_write(&b, v);
	out->json = v;
	out->text = arena_strndup(a, b.data, out->len = b.len);
	return 0;
}

static int64_t
count_of(const struct json *reply, const char *key, int64_t otherwise)
{
	double v = json_get_number(reply, key, -1);

	return v >= 0 && v < 1e12 ? (int64_t)v : otherwise;
}

static int
read_reply(struct llm *l, struct arena *a, struct llm_answer *out, const struct json **reply,
	const char **error)
{
	const struct json *r, *ok;

	if (json_parse(l->reply.data, l->reply.len, a, &r, NULL) < 0 ||
	    (ok = json_get(r, "ok")) == NULL)
		return llm_no_answer(out, a, LLM_UNAVAILABLE,
		    "the model's command says nothing that can be read");
	out->model = json_get_string(r, "model", NULL);
	const char *text = json_get_string(r, "text", &out->len);
	out->text = text == NULL ? "" : text;
	out->tokens_in = count_of(r, "tokens_in", 0);
	out->tokens_out = count_of(r, "tokens_out", tokens_estimate(out->text, out->len));
	if (ok->kind != JSON_TRUE) {
		text = json_get_string(r, "message", NULL);
		*error = json_get_string(r, "error", NULL);
		return llm_no_answer(out, a, why_of(*error), "%s",
		    text == NULL ? "the model does not say why" : text);
	}
	if (json_get_number(r, "id", (double)l->n_asked) != (double)l->n_asked)
		return llm_no_answer(out, a, LLM_UNAVAILABLE,
		    "the model's command answers another question");
	if (out->model == NULL)
		out->model = "";
	out->why = LLM_OK;
	out->note = "";
	*reply = r;
	return 0;
}

static int
accept_reply(const struct llm_question *q, const struct json *r, struct arena *a,
	struct llm_answer *out)
{
	if (json_get_string(r, "text", NULL) == NULL && json_get(r, "json") == NULL)
		return llm_no_answer(out, a, LLM_UNAVAILABLE, "the model's command gives no text");
	return q->schema == NULL ? 0 : read_json(q, r, a, out);
}

/* ---- a question ---- */

static bool
was_stopped(const struct llm *l)
{
	return l->stop != NULL && *l->stop != 0;
}

int
llm_exchange(struct llm *l, int64_t timeout_ms, struct arena *a, struct llm_answer *out,
	const struct json **reply, const char **error)
{
	const char *command = conf_text("llm_command");
	struct err err = ERR_INIT;
	int64_t began_us = clock_mono_us();

	*error = NULL;
	/* mem-llm asks by a preset, too */
	int rc = l->child == NULL ? child_start(preset_named(command) != NULL ? "" : command,
				    &l->child, &err)
			      : 0;
	if (rc == 0)
		rc = child_ask(l->child, l->request.data, l->request.len,
		    began_us + timeout_ms * (1000 + 1000 / GRACE), l->stop, &l->reply, &err);
	out->ms = (clock_mono_us() - began_us) / 1000;
	if (rc == 0)
		return read_reply(l, a, out, reply, error);
	child_end(l->child, true);
	l->child = NULL;
	return llm_no_answer(out, a, LLM_UNAVAILABLE, "%s", err.msg);
}

int
llm_begin(struct llm *l, struct account_call *c, struct arena *a, struct llm_answer *out)
{
	struct err err = ERR_INIT;
	enum call_says says;

	if (account_begin(&l->account, c, &says, &err) < 0)
		return llm_no_answer(out, a, LLM_UNAVAILABLE, "%s", err.msg);
	if (says == CALL_STOPPED)
		return llm_no_answer(out, a, LLM_STOPPED,
		    "the model failed too often of late, and is left alone for some minutes");
	if (says == CALL_TOO_DEAR)
		return llm_no_answer(out, a, LLM_OVER_BUDGET,
		    "the call may take more than is left of the day's budget");
	if (says == CALL_OVER_BUDGET)
		return llm_no_answer(out, a, LLM_OVER_BUDGET, "the budget of the day is used up");
	return 0;
}

void
llm_end(struct llm *l, const struct account_call *c, const struct llm_answer *out)
{
	account_end(&l->account, c, out->why == LLM_UNAVAILABLE && !was_stopped(l), out->tokens_in,
	    out->tokens_out);
}

int
llm_ask(struct llm *l, const struct llm_question *asked, struct arena *a, struct llm_answer *out)
{
	struct llm_question q = *asked;
	int64_t timeout_ms =
	    q.timeout_ms > 0 ? q.timeout_ms : (int64_t)(1000 * conf_real("llm_timeout"));
	struct account_call call = { .kind = "chat",
		.command = conf_text("llm_command"),
		.url = conf_text("chat_url"),
		.model = preset_model(),
		.timeout_ms = timeout_ms };
	const struct json *reply;
	const char *error;

	*out = (struct llm_answer){ .why = LLM_OFF };
	if (!llm_is_on())
		return llm_no_answer(out, a, LLM_OFF, "%s",
		    off_here() == NULL ? "no model is configured" : off_here());
	q.max_tokens = q.max_tokens > 0 ? q.max_tokens : LLM_TOKENS;
	call.tokens_in = (q.system == NULL ? 0 : tokens_estimate(q.system, strlen(q.system))) +
	    tokens_estimate(q.text, strlen(q.text));
	call.max_tokens = q.max_tokens;
	if (llm_begin(l, &call, a, out) < 0)
		return -1;
	put_request(l, &q, timeout_ms, a);
	int rc = llm_exchange(l, timeout_ms, a, out, &reply, &error);
	if (rc == 0)
		rc = accept_reply(&q, reply, a, out);
	if (rc == 0 && out->tokens_in == 0)
		out->tokens_in = call.tokens_in;
	llm_end(l, &call, out);
	return rc;
}
