/*
 * embed_filter.c: adds vectors to records on a pipe, in batches: as many records as can be read
 * without waiting, up to a bound, so that an interactive pipe is answered line by line and a file
 * keeps all workers busy. A record goes out as the bytes that came in, with "vec" inserted before
 * its last brace.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "embed/embed.h"
#include "embed/embed_pool.h"
#include "embed/service.h"
#include "embed/vec_record.h"
#include "json/json.h"
#include "json/ndjson.h"

#define BATCH_LINES 512
#define BATCH_BYTES (1u << 20)
#define TICK_MS     100

struct line {
	const char *text;
	size_t len;
	/* the parsed record, when it has a "vec" already, which is replaced */
	const struct json *old;
	uint64_t no;
	const float *vec;                  /* NULL: the service refused it */
};

struct filter {
	const struct embed_options *o;
	const struct embed_filter_out *out;
	bool queries;
	uint64_t *n_bad;
	const char *name;                  /* the input's name, for messages */
	struct embed_pool *pool;           /* NULL: a service makes the vectors */
	struct service *service;
	struct vector_model of;            /* the service's model, known after its first answer */
	struct arena arena;                /* reset after each batch */
	struct line lines[BATCH_LINES];
	struct model_text texts[BATCH_LINES];
	struct embed_group groups[BATCH_LINES];
	float *vectors;
	size_t n, n_bytes;
	struct buf printed;
};

/* ---- input ---- */

static void
bad_line_at(struct filter *f, uint64_t no, const char *why)
{
	char text[1200];

	snprintf(text, sizeof(text), "%s:%llu: %s", f->name, (unsigned long long)no, why);
	f->out->warn(f->out->arg, text);
	++*f->n_bad;
}

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	bad_line_at(arg, l->number, why);
}

/* Chooses what of the record is embedded; false when it has no text. */
static bool
pick_text(const struct json *v, bool queries, struct model_text *t)
{
	struct vec_record r = { .v = v };

	vec_record_text(&r);
	*t = (struct model_text){ r.text, r.text_len,
		queries || r.is_query ? TEXT_QUERY : TEXT_PASSAGE, r.speaker };
	return r.text != NULL;
}

/* ---- output ---- */

static int
ask_service(struct filter *f, struct err *err)
{
	struct service_vectors got;

	if (f->n == 0)
		return 0;
	if (service_embed(f->service, f->of.n_dims > 0 ? &f->of : NULL, f->texts, f->n, 0,
		&f->arena, &got) != SERVICE_OK)
		return err_set(err, ERR_UNAVAILABLE, "no vectors of '%.100s': %s",
		    conf_text("embed_model"), got.note);
	if (f->of.n_dims == 0)
		f->of = got.found;
	for (size_t i = 0; i < f->n; i++)
		if ((f->lines[i].vec = got.vecs[i]) == NULL)
			bad_line_at(f, f->lines[i].no, got.refused[i]);
	return 0;
}

static int
compute(struct filter *f, struct err *err)
{
	ptrdiff_t got;
	size_t n_done = 0;

	if (f->service != NULL)
		return ask_service(f, err);
	for (size_t i = 0; i < f->n; i++)
		f->lines[i].vec = f->vectors + i * f->of.n_dims;
	if (embed_pool_start(f->pool, f->texts, f->groups, f->n, f->vectors, err) != 0)
		return -1;
	while ((got = embed_pool_next(f->pool, TICK_MS)) != EMBED_IDLE)
		n_done += got >= 0;
	if (n_done < f->n)
		/* stopped: records without vectors cannot be skipped without changing the order */
		f->n = 0;
	return 0;
}

static void
print_line(struct filter *f, const struct line *l)
{
	struct buf *b = &f->printed;
	size_t n_dims = f->of.n_dims;

	if (l->old == NULL) {
		buf_add(b, l->text, l->len - 1);       /* all but its closing brace */
	} else {
		json_open(b);
		for (size_t i = 0; i < l->old->len; i++) {
			const struct json_member *m = &l->old->u.members[i];

			if (strcmp(m->key, "vec") == 0)
				continue;
			json_key(b, m->key);
			json_write(b, &m->value);
		}
	}
	json_array_open(b, "vec");
	for (size_t d = 0; d < n_dims; d++) {
		json_next(b);
		json_write_number(b, (double)l->vec[d]);
	}
	json_array_close(b);
	json_end(b);
}

static int
print_batch(struct filter *f)
{
	buf_reset(&f->printed);
	for (size_t i = 0; i < f->n; i++)
		if (f->lines[i].vec != NULL)
			print_line(f, &f->lines[i]);
	return f->n > 0 ? f->out->records(f->out->arg, f->printed.data, f->printed.len) : 0;
}

/* Embeds and prints the batch, and begins the next. Returns 1 when stdout is closed. */
static int
flush(void *arg, struct err *err)
{
	struct filter *f = arg;
	int rc;

	if (f->n == 0)
		return 0;
	if ((rc = compute(f, err)) == 0)
		rc = print_batch(f) != 0;
	arena_reset(&f->arena);
	f->n = f->n_bytes = 0;
	return rc;
}

static int
add_line(void *arg, const struct ndjson_line *in, struct err *err)
{
	struct filter *f = arg;
	struct model_text *t = &f->texts[f->n];
	struct line *l = &f->lines[f->n];
	const char *text = in->text;
	size_t len = in->len;
	const struct json *v;

	if (*f->o->stop != 0)
		return 1;
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t' || text[len - 1] == '\r'))
		len--;
	if (json_parse(text, len, &f->arena, &v, err) != 0)
		return -1;
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (!pick_text(v, f->queries, t))
		return err_set(err, ERR_DATA, "no text, content or query");
	l->text = arena_strndup(&f->arena, text, len);
	l->len = len;
	l->no = in->number;
	l->old = json_get(v, "vec") != NULL ? v : NULL;
	f->groups[f->n] = (struct embed_group){ f->n, 1 };
	f->n++;
	f->n_bytes += len;
	return f->n == BATCH_LINES || f->n_bytes >= BATCH_BYTES ? flush(f, err) : 0;
}

int
embed_filter(const struct embed_options *o, const char *path, bool queries,
	const struct embed_filter_out *out, uint64_t *n_bad, struct err *err)
{
	FREED struct filter *f = xcalloc(1, sizeof(*f));
	struct err of_rest = ERR_INIT;

	*n_bad = 0;
	f->o = o;
	f->name = strcmp(path, "-") == 0 ? "stdin" : path;
	f->out = out;
	f->queries = queries;
	f->n_bad = n_bad;
	buf_init(&f->printed, conf_caps.output_bytes);
	if (o->model == NULL) {
		f->service = service_new(NULL, conf_text("user"), o->stop);
	} else {
		f->of.n_dims = model_info(o->model)->n_dims;
		f->vectors =
		    xreallocarray(NULL, (size_t)BATCH_LINES * f->of.n_dims, sizeof(*f->vectors));
		f->pool = embed_pool_new(o->model,
		    o->n_threads > 0 ? o->n_threads : embed_processors(), o->stop);
	}
	int rc = ndjson_each(path, &(struct ndjson_fn){ f, add_line, bad_line, flush }, err);
	/* What was read before the input failed is still embedded and printed. */
	if (flush(f, &of_rest) < 0 && rc == 0) {
		*err = of_rest;
		rc = -1;
	}
	embed_pool_free(f->pool);
	service_free(f->service);
	arena_release(&f->arena);
	buf_release(&f->printed);
	free(f->vectors);
	return rc;
}
