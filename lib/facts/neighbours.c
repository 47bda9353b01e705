/*
 * neighbours.c: compares a text's vector with all vectors of the user, as a search does, and keeps
 * those of the wanted kind. In a large memory the scan of 1-bit codes only estimates cosines; the
 * few rows whose estimate comes near the threshold are then compared exactly.
 */
#include "facts/neighbours.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/conf.h"
#include "base/order.h"
#include "embed/service.h"
#include "model/model.h"

#define MARGIN .08             /* an estimated cosine may be too low by this much */

struct neighbours {
	struct store *store;
	struct model *model;           /* NULL: a service makes the vectors, or nothing does */
	struct model_worker *worker;
	struct service *service;
	struct vector_model of;        /* the model of the set, its centre left out */
	bool down;                     /* there are no vectors of the current texts */
	struct arena arena;            /* holds the service's answer */
	char note[300];
	int64_t set;
	size_t n_dims;
	float *v;                      /* [n][n_dims] vectors of the current texts */
	/* the question whose vector is row 0 of v; NULL when v holds other texts */
	char *asked;
	size_t asked_len;
	struct model_line line;        /* of the cosines with v */
	uint64_t *keys;
	float *cosines;
	uint32_t *slots;
	size_t cap, cap_slots;
};

/*
 * Opens the model or service that made the vectors of the set. When neither can be had, down is set
 * for good and note says why.
 */
static void
open_model(struct neighbours *a)
{
	if (service_made(&a->of) && service_is(&a->of))
		a->service = service_new(a->store, conf_text("user"), NULL);
	else if (service_made(&a->of))
		snprintf(a->note, sizeof(a->note), "%s", service_why_not());
	else if (model_open_same(&a->model, a->of.name, a->of.sha256))
		a->worker = model_worker_new(a->model);
	else if (model_has_namesake(a->of.name))
		snprintf(a->note, sizeof(a->note),
		    "the vectors are of another model '%s' than the one that is here (mem-embed "
		    "--all-users)",
		    a->of.name);
	else
		snprintf(a->note, sizeof(a->note),
		    "the model '%s' is not to be found (mem-model list)", a->of.name);
	a->down = a->model == NULL && a->service == NULL;
}

int
neighbours_open(struct store *s, const struct scope *who, struct neighbours **out,
	struct err *err)
{
	struct neighbours *a = xcalloc(1, sizeof(*a));
	struct vectors_look look;
	struct vectors *v;

	*out = NULL;
	a->store = s;
	if (vectors_open(s, who, &v, err) < 0) {
		free(a);
		return -1;
	}
	a->of = vectors_info(v)->model;
	a->of.centre = NULL;
	vectors_close(v);
	if (a->of.name[0] == '\0') {
		free(a);
		return 0;
	}
	open_model(a);
	a->n_dims = a->of.n_dims;
	if (!a->down) {
		if (vectors_look(s, who, a->of.sha256, &look, err) < 0) {
			neighbours_close(a);
			return -1;
		}
		a->set = look.set;
	}
	*out = a;
	return 0;
}

void
neighbours_close(struct neighbours *a)
{
	if (a == NULL)
		return;
	model_worker_free(a->worker);
	model_close(a->model);
	service_free(a->service);
	arena_release(&a->arena);
	free(a->v);
	free(a->asked);
	free(a->keys);
	free(a->cosines);
	free(a->slots);
	free(a);
}

/*
 * Puts the vectors of t [n] into v. A service that returns too few counts as having returned none.
 */
static void
embed_texts(struct neighbours *a, const struct model_text *t, size_t n)
{
	struct service_vectors got;

	if (a->model == NULL && a->service == NULL)
		return;
	a->v = xreallocarray(a->v, (n + 1) * a->n_dims, sizeof(*a->v));
	if (a->model != NULL) {
		model_embed(a->worker, t, n, a->v);
		return;
	}
	a->note[0] = '\0';
	arena_reset(&a->arena);
	a->down = service_embed(a->service, &a->of, t, n, service_patience(), &a->arena, &got) !=
	    SERVICE_OK;
	if (a->down)
		snprintf(a->note, sizeof(a->note), "%s", got.note);
	for (size_t i = 0; i < n && !a->down; i++) {
		if (got.vecs[i] == NULL) {
			snprintf(a->note, sizeof(a->note), "%s", got.refused[i]);
			a->down = true;
		} else {
			memcpy(a->v + i * a->n_dims, got.vecs[i], a->n_dims * sizeof(*a->v));
		}
	}
}

const char *
neighbours_down(const struct neighbours *a)
{
	return a->down ? a->note : NULL;
}

void
neighbours_embed(struct neighbours *a, const char *const *texts, const size_t *lens, size_t n)
{
	FREED struct model_text *t = xcalloc(n + 1, sizeof(*t));

	a->line = (struct model_line){ 1, 0 };
	for (size_t i = 0; i < n; i++)
		t[i] =
		    (struct model_text){ .text = texts[i], .len = lens[i], .role = TEXT_PASSAGE };
	embed_texts(a, t, n);
	free(a->asked);
	a->asked = NULL;
}

void
neighbours_ask(struct neighbours *a, const char *text, size_t len)
{
	struct model_text t = { .text = text, .len = len, .role = TEXT_QUERY };

	if (a->asked != NULL && a->asked_len == len && memcmp(a->asked, text, len) == 0)
		return;
	a->line = a->model != NULL ? model_query_line(a->model) : (struct model_line){ 1, 0 };
	embed_texts(a, &t, 1);
	free(a->asked);
	a->asked = xstrndup(text, len);
	a->asked_len = len;
}

ORDER_DOWN_BY(by_sim, struct neighbours_hit, sim, row)

static double
similarity(const struct neighbours *a, float cosine)
{
	const struct model_info model = { .unrelated = a->of.unrelated };

	return model_calibrate(&model, a->line.scale * cosine + a->line.offset);
}

int
neighbours_find(struct neighbours *a, const struct scope *who, enum vector_kind kind, size_t i,
	double min, size_t most, struct neighbours_hit *out, size_t *n, struct err *err)
{
	const float *q;
	FREED struct neighbours_hit *near = NULL;
	size_t n_near = 0, cap = 0;
	const struct vectors_info *info;
	struct vectors *v;
	int rc = -1;

	*n = 0;
	if (a->down || a->set == 0)
		return 0;
	q = a->v + i * a->n_dims;
	if (vectors_open(a->store, who, &v, err) < 0)
		return -1;
	info = vectors_info(v);
	if (memcmp(info->model.sha256, a->of.sha256, SHA256_BYTES) != 0) {
		vectors_close(v);
		return 0;
	}
	xgrow(&a->keys, &a->cap, info->n + 1, sizeof(*a->keys));
	a->cosines = xreallocarray(a->cosines, a->cap, sizeof(*a->cosines));
	if (vectors_cosines(v, q, a->keys, a->cosines, err) < 0)
		goto out;
	for (uint32_t k = 0; k < info->n; k++) {
		struct vector_key key;
		double sim = similarity(a, a->cosines[k]);

		if (a->keys[k] == VECTOR_DEAD || sim < min - (info->exact ? 0 : MARGIN))
			continue;
		vector_key_unpack(a->keys[k], info->user_base, &key);
		if (key.kind != kind)
			continue;
		xgrow(&near, &cap, n_near + 1, sizeof(*near));
		xgrow(&a->slots, &a->cap_slots, n_near + 1, sizeof(*a->slots));
		a->slots[n_near] = k;
		near[n_near++] = (struct neighbours_hit){ key.row, sim };
	}
	if (!info->exact && n_near > 0) {
		if (vectors_rescore(v, q, a->slots, n_near, a->cosines, err) < 0)
			goto out;
		for (size_t k = 0; k < n_near; k++)
			near[k].sim = similarity(a, a->cosines[k]);
	}
	if (n_near > 0)
		qsort(near, n_near, sizeof(*near), by_sim);
	while (*n < MIN(n_near, most) && near[*n].sim >= min) {
		out[*n] = near[*n];
		++*n;
	}
	rc = 0;
out:
	vectors_close(v);
	return rc;
}

int
neighbours_put(struct neighbours *a, const struct scope *who, enum vector_kind kind, size_t i,
	int64_t row, struct err *err)
{
	struct vector_key key = { row, 0, (uint8_t)kind };
	const float *v = a->v + i * a->n_dims;
	size_t n_put;

	if (a->down || a->set == 0)
		return 0;
	return vectors_put(a->store, who, a->set, &key, v, 1, &n_put, err);
}
