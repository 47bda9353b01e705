/*
 * cluster_filter_vectors.c: the texts of records without a vector are given to a service or a
 * model, some at a time. When the service breaks down all of them are
 * compared by words: some vectors of its and some of nobody's tell nothing.
 */
#include "cluster/cluster_filter_parts.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "embed/embed_pool.h"
#include "embed/service.h"
#include "embed/vec_record.h"

#define BATCH_TEXTS 512
#define BATCH_BYTES (1u << 20)
#define TICK_MS     100

/* Who makes the vectors, and texts on their way there. */
struct maker {
	struct embed_pool *pool;               /* NULL: the service does */
	struct service *service;
	struct vector_model of;                /* the service's, once it is known */
	const char *failed;                    /* why the service made none; NULL: it did */
	uint64_t n_refused;
	struct model_text texts[BATCH_TEXTS];
	struct embed_group groups[BATCH_TEXTS];
	size_t items[BATCH_TEXTS], n, n_bytes;
	float *vectors;
	struct arena arena;                    /* of the batch */
};

/* ---- a batch ---- */

static void
set_vector(struct sorter *s, size_t item, float *v)
{
	if (vec_unit(v, s->n_dims))
		kmeans_fix(v, s->n_dims, s->v + item * s->n_dims);
}

/* The first answer says how many numbers a vector has; those that came in must have as many. */
static bool
fits(struct sorter *s, struct maker *m, const struct service_vectors *got)
{
	if (m->of.n_dims == 0)
		m->of = got->found;
	if (s->n_vecs > 0 && s->n_dims != got->n_dims) {
		m->failed = "some records have a vec of another model";
		return false;
	}
	s->n_dims = got->n_dims;
	if (s->v == NULL)
		s->v = xcalloc(s->n * s->n_dims, sizeof(*s->v));
	return true;
}

/* false: the service made none. A text that it refuses has none, and is like nothing. */
static bool
ask_service(struct sorter *s, struct maker *m)
{
	struct service_vectors got;

	if (service_embed(m->service, m->of.n_dims > 0 ? &m->of : NULL, m->texts, m->n, 0,
		&m->arena, &got) != SERVICE_OK) {
		m->failed = got.note;
		return false;
	}
	if (!fits(s, m, &got))
		return false;
	for (size_t i = 0; i < m->n; i++) {
		m->n_refused += got.vecs[i] == NULL;
		if (got.vecs[i] != NULL)
			set_vector(s, m->items[i], got.vecs[i]);
	}
	return true;
}

static int
ask_model(struct sorter *s, struct maker *m, struct err *err)
{
	const float *centre = model_centre(s->model);

	if (embed_pool_start(m->pool, m->texts, m->groups, m->n, m->vectors, err) != 0)
		return -1;
	while (embed_pool_next(m->pool, TICK_MS) != EMBED_IDLE)
		;
	for (size_t i = 0; i < m->n; i++) {
		float *v = m->vectors + i * s->n_dims;
		for (size_t d = 0; d < s->n_dims && centre != NULL && s->n_vecs == 0; d++)
			v[d] -= centre[d];
		set_vector(s, m->items[i], v);
	}
	return 0;
}

/* 0; 1: the service failed; -1. */
static int
make_batch(struct sorter *s, struct maker *m, struct err *err)
{
	if (m->n == 0)
		return 0;
	if (m->pool == NULL && !ask_service(s, m))
		return 1;
	if (m->pool != NULL && ask_model(s, m, err) != 0)
		return -1;
	m->n = m->n_bytes = 0;
	arena_reset(&m->arena);
	return 0;
}

static void
add_text(struct maker *m, size_t item, const struct vec_record *r)
{
	m->items[m->n] = item;
	m->groups[m->n] = (struct embed_group){ m->n, 1 };
	m->texts[m->n++] = (struct model_text){ arena_strndup(&m->arena, r->text, r->text_len),
		r->text_len, r->is_query ? TEXT_QUERY : TEXT_PASSAGE,
		r->speaker != NULL ? arena_strdup(&m->arena, r->speaker) : NULL };
	m->n_bytes += r->text_len;
}

/* As make_batch. */
static int
make_missing(struct sorter *s, struct maker *m, struct err *err)
{
	int rc;

	for (size_t i = 0; i < s->n; i++) {
		struct vec_record r;
		if (s->items[i].has_vec)
			continue;
		arena_reset(&s->arena);
		if (vec_record_read(s->items[i].line, s->items[i].len, &s->arena, &r, s->vec,
			err) != 0)
			return -1;
		add_text(m, i, &r);
		if ((m->n == BATCH_TEXTS || m->n_bytes >= BATCH_BYTES) &&
		    (rc = make_batch(s, m, err)) != 0)
			return rc;
	}
	return make_batch(s, m, err);
}

/* ---- by words, by a model, by a service ---- */

static void
use_words(struct sorter *s)
{
	free(s->v);
	s->v = NULL;
	s->n_dims = 0;
}

static int
use_model(struct sorter *s, struct err *err)
{
	static const volatile sig_atomic_t never;
	FREED struct maker *m = xcalloc(1, sizeof(*m));

	if (s->n_vecs == 0) {
		s->n_dims = model_info(s->model)->n_dims;
		s->v = xcalloc(s->n * s->n_dims, sizeof(*s->v));
	}
	m->pool = embed_pool_new(s->model, s->n_threads, &never);
	m->vectors = xreallocarray(NULL, BATCH_TEXTS * s->n_dims, sizeof(*m->vectors));
	int rc = make_missing(s, m, err);
	embed_pool_free(m->pool);
	arena_release(&m->arena);
	free(m->vectors);
	return rc;
}

static int
use_service(struct sorter *s, struct err *err)
{
	FREED struct maker *m = xcalloc(1, sizeof(*m));
	char text[400] = "";
	int rc;

	m->service = service_new(NULL, conf_text("user"), NULL);
	if ((rc = make_missing(s, m, err)) == 1) {
		snprintf(text, sizeof(text),
		    "no vectors of '%.64s': %.280s; texts are compared by their words",
		    conf_text("embed_model"), m->failed);
		use_words(s);
		rc = 0;
	} else if (rc == 0 && m->n_refused > 0) {
		snprintf(text, sizeof(text), "'%.64s' refused %llu texts: their cluster is null",
		    conf_text("embed_model"), (unsigned long long)m->n_refused);
	}
	if (text[0] != '\0')
		s->out->caution(s->out->arg, text);
	service_free(m->service);
	arena_release(&m->arena);
	return rc;
}

int
cluster_filter_vectors(struct sorter *s, struct err *err)
{
	if (!s->o->words && s->n_vecs == s->n)
		return 0;
	if (!s->o->words && *s->o->model == '\0' && llm_embeds())
		return use_service(s, err);
	if (!s->o->words && model_open(&s->model, s->o->model, err) != 0) {
		if (err->code != ERR_NOINPUT || *s->o->model != '\0')
			return -1;
		err_clear(err);
		s->out->note(s->out->arg, "there is no model: texts are compared by their words");
	}
	if (s->model != NULL && (s->n_vecs == 0 || s->n_dims == model_info(s->model)->n_dims))
		return use_model(s, err);
	if (s->model != NULL)
		s->out->note(s->out->arg,
		    "some records have a vec of another model and some have none: texts are "
		    "compared by their words");
	use_words(s);
	return 0;
}
