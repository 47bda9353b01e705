/*
 * embeddings.c: sends texts in batches that keep an answer small, and halves a batch that is
 * refused.
 */
#include <math.h>

#include "base/utf8.h"
#include "net/embeddings.h"

#define BATCH_TEXTS  32
#define BATCH_BYTES  (256u << 10)
#define BODY_BYTES   (64u << 20)
#define HALVE_LEAST  64        /* a text shorter than this is not halved */
#define BYTES_A_TOKEN 4
/*
 * the service counts as down after so many answers of status 500; fewer may be caused by one bad
 * text
 */
#define BROKEN_MOST  8

struct run {
	struct net_call *call;
	const struct embed_ask *ask;
	struct arena *a;
	struct embed_answer *out;
	struct net_err *e;
	unsigned n_broken;
};

/* ---- one request ---- */

static void
put_body(struct buf *b, const struct run *r, const struct embed_text *texts, size_t n)
{
	bool ollama = r->call->to->api == API_OLLAMA;

	json_open(b);
	json_str(b, "model", r->ask->model);
	json_array_open(b, "input");
	for (size_t i = 0; i < n; i++)
		json_item(b, texts[i].text, texts[i].len);
	json_array_close(b);
	/* without this some servers send base64, or cut a text silently */
	if (ollama)
		json_bool(b, "truncate", false);
	else
		json_str(b, "encoding_format", "float");
	if (r->ask->n_dims > 0)
		json_int(b, "dimensions", r->ask->n_dims);
	json_close(b);
}

static int
read_vector(struct run *r, const struct json *v, float **out)
{
	double sum = 0;
	size_t want = r->out->n_dims > 0 ? r->out->n_dims : (size_t)r->ask->n_dims;

	if (v == NULL || v->kind != JSON_ARRAY || v->len == 0)
		return net_fail(r->e, NET_REPLY, false, "answer has no vector of numbers");
	if (want > 0 && v->len != want)
		return net_fail(r->e, NET_REPLY, false, "a vector of %zu numbers, not %zu", v->len,
		    want);
	*out = arena_alloc(r->a, v->len * sizeof(float));
	for (size_t i = 0; i < v->len; i++) {
		const struct json *x = &v->u.items[i];
		if (x->kind != JSON_NUMBER || !isfinite((float)x->u.number))
			return net_fail(r->e, NET_REPLY, false, "a vector has what is no number");
		sum += x->u.number * x->u.number;
	}
	if (!(sum > 0) || !isfinite(sum))
		return net_fail(r->e, NET_REPLY, false, "a vector is all zeros");
	for (size_t i = 0; i < v->len; i++)
		(*out)[i] = (float)(v->u.items[i].u.number / sqrt(sum));
	r->out->n_dims = v->len;
	return 0;
}

static int
read_answer(struct run *r, const struct json *v, size_t n, float **vecs)
{
	bool ollama = r->call->to->api == API_OLLAMA;
	const struct json *list = json_get(v, ollama ? "embeddings" : "data");

	if (list == NULL || list->kind != JSON_ARRAY || list->len != n)
		return net_fail(r->e, NET_REPLY, false, "answer has not a vector for each text");
	for (size_t i = 0; i < n; i++) {
		const struct json *item = &list->u.items[i];
		double at = ollama ? (double)i : json_get_number(item, "index", (double)i);

		if (!(at >= 0 && at < (double)n) || at != floor(at) || vecs[(size_t)at] != NULL)
			return net_fail(r->e, NET_REPLY, false,
			    "answer numbers its vectors wrongly");
		if (read_vector(r, ollama ? item : json_get(item, "embedding"), &vecs[(size_t)at]) <
		    0)
			return -1;
	}
	return 0;
}

static int64_t
tokens_told(const struct run *r, const struct json *v, size_t n_bytes)
{
	bool ollama = r->call->to->api == API_OLLAMA;
	double told = json_get_number(ollama ? v : json_get(v, "usage"),
	    ollama ? "prompt_eval_count" : "prompt_tokens", -1);

	return told >= 0 && told < 1e12 ? (int64_t)told : (int64_t)(n_bytes / BYTES_A_TOKEN + 1);
}

static int
request(struct run *r, const struct embed_text *texts, size_t n, float **vecs)
{
	LOCAL(arena) scratch = ARENA_INIT;
	const struct json *v;
	const char *model;
	int rc;
	LOCAL(buf) b = buf_of(BODY_BYTES);

	put_body(&b, r, texts, n);
	rc = b.full ? net_fail(r->e, NET_REQUEST, false, "the texts are over %u bytes", BODY_BYTES)
		    : net_call(r->call, b.data, b.len, &scratch, &v, r->e);
	if (rc == 0) {
		r->out->tokens_in += tokens_told(r, v, b.len);
		if ((model = json_get_string(v, "model", NULL)) != NULL && *r->out->model == '\0')
			r->out->model = arena_strdup(r->a, model);
		rc = read_answer(r, v, n, vecs);
	}
	return rc;
}

/* ---- halves ---- */

static int
embed_span(struct run *r, const struct embed_text *texts, size_t n, float **vecs, const char **why);

/* Where to halve a text: at a space near the middle, else at the character there. */
static size_t
middle(const struct embed_text *t)
{
	size_t half = utf8_clip(t->text, t->len, t->len / 2);

	for (size_t at = half; at > t->len / 4; at--)
		if (t->text[at] == ' ' || t->text[at] == '\n')
			return at;
	return half;
}

static int
embed_halves(struct run *r, const struct embed_text *t, float **vec, const char **why)
{
	size_t at = middle(t);
	const struct embed_text parts[2] = { { t->text, at }, { t->text + at, t->len - at } };
	float *vecs[2] = { NULL, NULL };
	double sum = 0;

	/* each half alone: if one is refused, the whole is */
	for (int i = 0; i < 2; i++)
		if (embed_span(r, &parts[i], 1, &vecs[i], why) < 0 || vecs[i] == NULL)
			return *why != NULL ? 0 : -1;
	for (size_t i = 0; i < r->out->n_dims; i++) {
		vecs[0][i] = vecs[0][i] * (float)parts[0].len + vecs[1][i] * (float)parts[1].len;
		sum += (double)vecs[0][i] * (double)vecs[0][i];
	}
	if (!(sum > 0)) {
		*why = "its parts cancel each other out";
		return 0;
	}
	for (size_t i = 0; i < r->out->n_dims; i++)
		vecs[0][i] = (float)(vecs[0][i] / sqrt(sum));
	*vec = vecs[0];
	return 0;
}

/* Whether the request was refused for its texts, and not for the address, the model or the key. */
static bool
is_about_texts(struct run *r, size_t n)
{
	int status = r->call->reply.status;

	if (r->e->fault == NET_SERVER && status == 500 && (n > 1 || r->n_broken > 0))
		return ++r->n_broken < BROKEN_MOST;
	return r->e->fault == NET_TOO_LONG ||
	    (r->e->fault == NET_REJECTED && (status == 400 || status == 422));
}

/* Embeds texts. Returns 0 also when texts were refused: these have a why and no vector. */
static int
embed_span(struct run *r, const struct embed_text *texts, size_t n, float **vecs, const char **why)
{
	if (request(r, texts, n, vecs) == 0)
		return 0;
	bool ours = is_about_texts(r, n);
	if (!ours)
		return -1;
	if (n > 1) {
		if (embed_span(r, texts, n / 2, vecs, why) < 0)
			return -1;
		return embed_span(r, texts + n / 2, n - n / 2, vecs + n / 2, why + n / 2);
	}
	if (r->e->fault == NET_TOO_LONG && texts->len >= 2 * HALVE_LEAST)
		return embed_halves(r, texts, vecs, why);
	*why = arena_strdup(r->a, r->e->msg);
	return 0;
}

int
net_embed(struct net_call *c, const struct embed_ask *q, struct arena *a, struct embed_answer *out,
	struct net_err *e)
{
	struct run r = { c, q, a, out, e, 0 };
	size_t n;

	*out = (struct embed_answer){ .vecs = arena_zalloc(a, q->n * sizeof(*out->vecs)),
		.why = arena_zalloc(a, q->n * sizeof(*out->why)),
		.model = "" };
	for (size_t i = 0; i < q->n; i += n) {
		size_t n_bytes = 0;

		n = 0;
		if (q->texts[i].len == 0) {
			out->why[i] = "an empty text has no vector";
			n = 1;
			continue;
		}
		while (n < BATCH_TEXTS && i + n < q->n && q->texts[i + n].len > 0 &&
		    (n == 0 || n_bytes + q->texts[i + n].len <= BATCH_BYTES))
			n_bytes += q->texts[i + n++].len;
		if (embed_span(&r, q->texts + i, n, out->vecs + i, out->why + i) < 0)
			return -1;
	}
	for (size_t i = 0; i < q->n; i++)
		out->n_failed += out->vecs[i] == NULL;
	if (out->n_failed < q->n || q->n == 0)
		return 0;
	return e->fault != NET_OK ? -1 : net_fail(e, NET_REQUEST, false, "there is no text in it");
}
