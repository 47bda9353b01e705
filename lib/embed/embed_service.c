/*
 * embed_service.c: a round of embedding by a service: each request carries some records, which are
 * stored before the next request.
 *
 * When a request is refused, or its answer is of no use, its records are asked for one by one;
 * those that fail alone go back into the queue and wait longer each time. When the service cannot
 * be reached, no record is marked as failed: the guard (llm/llm.h) knows when the service may be
 * asked again.
 */
#include "base/conf.h"
#include "embed/embed_parts.h"
#include "embed/service.h"

/* ---- the set of vectors ---- */

int
embed_service_open(struct embed *e, struct err *err)
{
	e->service = service_new(e->s, conf_text("user"), e->o->stop);
	if (service_known(e->s, &e->of, &e->own_centre, err) < 0)
		return -1;
	return e->of.n_dims > 0 ? 0 : service_learn(e->service, &e->of, err);
}

/* ---- one round ---- */

/*
 * Copies the vectors of groups [from, to), the first text of which is number 0 of got. A group with
 * a refused text counts as refused.
 */
static void
copy_vectors(struct embed *e, const struct service_vectors *got, size_t from, size_t to)
{
	struct round *r = &e->round;
	size_t first = r->groups[from].first;

	for (size_t g = from; g < to; g++) {
		const struct embed_group *v = &r->groups[g];
		bool whole = true;

		for (size_t i = v->first; i < v->first + v->n; i++) {
			whole &= got->vecs[i - first] != NULL;
			if (got->vecs[i - first] != NULL)
				memcpy(r->vectors + i * e->of.n_dims, got->vecs[i - first],
				    e->of.n_dims * sizeof(*r->vectors));
		}
		if (whole) {
			r->batch[r->n_batch++] = g;
			r->n_batch_texts += v->n;
		} else {
			r->refused[r->n_refused++] = g;
		}
	}
}

static int
service_error(const struct embed *e, enum service_got got, const struct service_vectors *out,
	struct err *err)
{
	if (got == SERVICE_OTHER)
		return err_set(err, ERR_CONFIG,
		    "'%s': %s; if that is meant, give it another name (setting embed_model)",
		    e->of.name, out->note);
	return err_set(err, ERR_UNAVAILABLE, "no vectors of '%s': %s", e->of.name, out->note);
}

/* Embeds groups [from, to). Returns -1 when the service cannot be reached. */
static int
embed_groups(struct embed *e, size_t from, size_t to, struct err *err)
{
	struct round *r = &e->round;
	size_t first = r->groups[from].first, end = r->groups[to - 1].first + r->groups[to - 1].n;
	LOCAL(arena) a = ARENA_INIT;
	struct service_vectors out;
	enum service_got got =
	    service_embed(e->service, &e->of, r->texts + first, end - first, 0, &a, &out);
	int rc = 0;

	if (got == SERVICE_OK) {
		copy_vectors(e, &out, from, to);
	} else if (got == SERVICE_BROKEN && to - from > 1) {
		for (size_t g = from; g < to && rc == 0; g++)
			rc = embed_groups(e, g, g + 1, err);
	} else if (got == SERVICE_BROKEN) {
		r->refused[r->n_refused++] = from;
	} else {
		rc = service_error(e, got, &out, err);
	}
	return rc;
}

int
embed_service_round(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err)
{
	struct round *r = &e->round;
	size_t most = service_batch(&e->of), from = 0, to;
	struct err later = ERR_INIT;
	int rc = 0;

	for (; from < r->n_groups && rc == 0 && *e->o->stop == 0; from = to) {
		size_t n = 0;

		for (to = from; to < r->n_groups && (to == from || n + r->groups[to].n <= most);
		     to++)
			n += r->groups[to].n;
		rc = embed_groups(e, from, to, &later);
		if (embed_commit(e, who, n_stored, err) != 0)
			return -1;
	}
	if (rc != 0 && *e->o->stop == 0) {
		*err = later;
		return -1;
	}
	return 0;
}
