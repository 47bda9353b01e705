/*
 * llm_embed.c: sends texts to the command and gets vectors back. Whatever the command says, it is
 * checked here how many there are, how long they are, that they are numbers, and that they are not
 * zero.
 */
#include <math.h>

#include "base/conf.h"
#include "base/off.h"
#include "base/preset.h"
#include "clean/clean_text.h"
#include "llm/llm_parts.h"
#include "text/tokens.h"

bool
llm_embeds(void)
{
	const char *command = conf_text("llm_command");

	return *conf_text("embed_model") != '\0' && off_here() == NULL &&
	    (*conf_text("embed_url") != '\0' ||
		(*command != '\0' && preset_named(command) == NULL));
}

static void
put_request(struct llm *l, const struct llm_texts *q, int64_t timeout_ms, struct arena *a)
{
	struct buf *b = &l->request;

	llm_open_request(l, "embed");
	json_array_open(b, "texts");
	for (size_t i = 0; i < q->n; i++) {
		size_t len = q->lens[i];
		const char *text = clean_outgoing(q->texts[i], &len, a);

		json_item(b, text, len);
	}
	json_array_close(b);
	llm_close_request(l, timeout_ms);
}

static int
broken(struct llm_vectors *out, struct arena *a, const char *why)
{
	out->broken = true;
	return llm_no_answer(&out->as, a, LLM_UNAVAILABLE, "%s", why);
}

static int
read_vector(const struct json *v, struct arena *a, float **vec, struct llm_vectors *out)
{
	double sum = 0;

	if (v->kind == JSON_NULL)
		return 0;
	if (v->kind != JSON_ARRAY || v->len == 0)
		return broken(out, a, "the answer has no vector of numbers");
	if (out->n_dims > 0 && v->len != out->n_dims)
		return broken(out, a, "the vectors of one answer differ in their length");
	*vec = arena_alloc(a, v->len * sizeof(**vec));
	for (size_t i = 0; i < v->len; i++) {
		const struct json *x = &v->u.items[i];
		if (x->kind != JSON_NUMBER || !isfinite((float)x->u.number))
			return broken(out, a, "a vector has what is no number");
		sum += x->u.number * x->u.number;
	}
	if (!(sum > 0) || !isfinite(sum))
		return broken(out, a, "a vector is all zeros");
	for (size_t i = 0; i < v->len; i++)
		(*vec)[i] = (float)(v->u.items[i].u.number / sqrt(sum));
	out->n_dims = v->len;
	return 0;
}

static void
read_refused(const struct json *reply, size_t n, struct llm_vectors *out)
{
	const struct json *failed = json_get(reply, "failed");

	for (size_t i = 0; failed != NULL && failed->kind == JSON_ARRAY && i < failed->len; i++) {
		double at = json_get_number(&failed->u.items[i], "index", -1);
		const char *why = json_get_string(&failed->u.items[i], "message", NULL);
		if (at >= 0 && at < (double)n && why != NULL)
			out->refused[(size_t)at] = why;
	}
}

static int
read_reply(const struct json *reply, size_t n, struct arena *a, struct llm_vectors *out)
{
	const struct json *list = json_get(reply, "vecs");
	size_t n_refused = 0;

	if (list == NULL || list->kind != JSON_ARRAY || list->len != n)
		return broken(out, a, "the answer has not a vector for each text");
	for (size_t i = 0; i < n; i++)
		if (read_vector(&list->u.items[i], a, &out->vecs[i], out) < 0)
			return -1;
	read_refused(reply, n, out);
	for (size_t i = 0; i < n; i++) {
		n_refused += out->vecs[i] == NULL;
		if (out->vecs[i] != NULL)
			out->refused[i] = NULL;
		else if (out->refused[i] == NULL)
			out->refused[i] = "it was refused";
	}
	return n_refused < n ? 0
			     : llm_no_answer(&out->as, a, LLM_REFUSED, "%s",
				   n > 0 ? out->refused[0] : "there is no text");
}

int
llm_embed(struct llm *l, const struct llm_texts *q, struct arena *a, struct llm_vectors *out)
{
	int64_t timeout_ms =
	    q->timeout_ms > 0 ? q->timeout_ms : (int64_t)(1000 * conf_real("llm_timeout"));
	struct account_call call = { .kind = "embed",
		.command = conf_text("llm_command"),
		.url = conf_text("embed_url"),
		.model = conf_text("embed_model"),
		.timeout_ms = timeout_ms };
	const struct json *reply;
	const char *error;

	*out = (struct llm_vectors){ .as = { .why = LLM_OFF } };
	if (!llm_embeds())
		return llm_no_answer(&out->as, a, LLM_OFF, "no service that embeds is configured");
	out->vecs = arena_zalloc(a, q->n * sizeof(*out->vecs) + 1);
	out->refused = arena_zalloc(a, q->n * sizeof(*out->refused) + 1);
	for (size_t i = 0; i < q->n; i++)
		call.tokens_in += tokens_estimate(q->texts[i], q->lens[i]);
	if (llm_begin(l, &call, a, &out->as) < 0)
		return -1;
	put_request(l, q, timeout_ms, a);
	int rc = llm_exchange(l, timeout_ms, a, &out->as, &reply, &error);
	if (rc == 0)
		rc = read_reply(reply, q->n, a, out);
	else
		out->broken = error != NULL && strcmp(error, "reply") == 0;
	if (rc == 0 && out->as.tokens_in == 0)
		out->as.tokens_in = call.tokens_in;
	llm_end(l, &call, &out->as);
	return rc;
}
