/*
 * cluster.c: what is in which category is read, and the records with their vectors; evolve
 * (math/evolve.h) says what becomes of it, root by root; and one transaction writes what changed,
 * unless another run has ended in the meantime. Nothing is locked while it is worked out, and who
 * reads sees the old categories until the new ones are whole.
 */
#include "cluster/cluster_parts.h"
#include "cluster/cluster_points.h"
#include "cluster/cluster_words.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "embed/embed.h"
#include "facts/subject.h"
#include "json/json.h"
#include "math/evolve.h"

#define STEPS      20
#define TRIES      4
#define SEED       1
/* calibrated similarity of two subcategories from which they are one */
#define ALIKE      .9

/* ---- what there is ---- */

static int
take_category(void *arg, const struct category *c)
{
	struct clustering *x = arg;
	struct cluster_plan *p = xpush(x->plans, x->n_plans, x->cap_plans);

	memset(p, 0, sizeof(*p));
	p->c = *c;
	p->c.name = arena_strdup(&x->arena, c->name);
	p->c.keywords = arena_strdup(&x->arena, c->keywords);
	buf_init(&p->keywords, 65536);
	return 0;
}

static void
add_item(struct clustering *x, enum vector_kind kind, enum fact_root root, int64_t row,
	const char *id, const char *text, size_t len, const char *speaker)
{
	struct cluster_item *v = xpush(x->items, x->n, x->cap);

	*v = (struct cluster_item){ .row = row,
		.kind = (uint8_t)kind,
		.root = (uint8_t)root,
		.was = KMEANS_NONE,
		.is = KMEANS_NONE,
		.text = x->n_texts[root]++,
		.phrases = x->n_phrases++ };
	memcpy(v->id, id, ID_TEXT);
	cluster_terms_add(x->terms[root], text, len, speaker);
	cluster_phrases_add(x->phrases, text, len, speaker, (uint8_t)root);
}

size_t
cluster_label(const struct clustering *x, const struct fact *f)
{
	struct fact_subject subject = { .label = 0 };
	LOCAL(arena) a = ARENA_INIT;
	struct err none = ERR_INIT;

	if (f->head.type == RECORD_FACT &&
	    fact_subject(x->s, x->who, f, &a, &subject, &none) != 0)
		subject.label = 0;
	return subject.label;
}

static int
take_record(void *arg, const struct fact *f)
{
	struct clustering *x = arg;
	size_t label = cluster_label(x, f);

	add_item(x, (enum vector_kind)f->head.type,
	    f->head.type == RECORD_FACT ? f->category : ROOT_CONTEXT, f->head.row, f->head.id,
	    f->head.content + label, f->head.content_len - label, NULL);
	return 0;
}

static int
take_message(void *arg, const struct message *m)
{
	struct clustering *x = arg;

	if ((m->role != ROLE_USER && m->role != ROLE_ASSISTANT) ||
	    cluster_is_talk(m->content, m->content_len))
		return 0;
	add_item(x, VECTOR_MESSAGE, ROOT_CONTEXT, m->row, m->id, m->content, m->content_len,
	    m->name);
	x->items[x->n - 1].session = (uint32_t)hash64(m->session, strlen(m->session), 0) | 1;
	return 0;
}

ORDER_BY_TWO(item_cmp, struct cluster_item, kind, row)

struct cluster_item *
cluster_item_of(struct clustering *x, unsigned kind, int64_t row)
{
	const struct cluster_item key = { .row = row, .kind = (uint8_t)kind };

	return x->n == 0 ? NULL : bsearch(&key, x->items, x->n, sizeof(key), item_cmp);
}

/*
 * A member that was not walked over is gone, or a message older than those that are looked at, or
 * one that a person put there; a fact whose root changed is new.
 */
static int
take_member(void *arg, enum vector_kind kind, int64_t row, int64_t category)
{
	struct clustering *x = arg;
	struct cluster_item *v = cluster_item_of(x, kind, row);
	size_t i = 0;

	while (i < x->n_plans && x->plans[i].c.row != category)
		i++;
	if (v != NULL && i < x->n_plans && x->plans[i].c.root == v->root) {
		v->was = (uint32_t)i;
		return 0;
	}
	if (v == NULL && i < x->n_plans && kind == VECTOR_MESSAGE &&
	    (x->n_texts[ROOT_CONTEXT] >= CLUSTER_MESSAGES || x->plans[i].c.hand != HAND_NONE)) {
		x->plans[i].n_older++;
		return 0;
	}
	xgrow(&x->strays, &x->cap_strays, 2 * (x->n_strays + 1), sizeof(*x->strays));
	x->strays[2 * x->n_strays] = kind;
	x->strays[2 * x->n_strays++ + 1] = row;
	return 0;
}

static bool
wants_root(const struct clustering *x, enum fact_root root)
{
	return x->o->root == N_FACT_ROOTS || x->o->root == root;
}

static int
read_records(struct clustering *x, struct err *err)
{
	struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT),
			     reflections = RECORD_FILTER_ANY(RECORD_REFLECTION);
	struct message_filter newest = MESSAGE_FILTER_ANY;

	newest.newest_first = true;
	newest.limit = CLUSTER_MESSAGES;
	if (categories_each(x->s, x->who, take_category, x, err) != 0)
		return -1;
	x->n_old = x->n_plans;
	for (size_t j = 0; j < x->n_old; j++)
		x->plans[j].gone = x->o->recluster && x->plans[j].c.hand == HAND_NONE &&
		    wants_root(x, x->plans[j].c.root);
	if (records_each(x->s, x->who, &facts, take_record, x, err) != 0 ||
	    records_each(x->s, x->who, &reflections, take_record, x, err) != 0 ||
	    messages_each(x->s, x->who, &newest, take_message, x, err) != 0)
		return -1;
	if (x->n > 0)
		qsort(x->items, x->n, sizeof(*x->items), item_cmp);
	x->counts->n_records = (int64_t)x->n;
	return members_each(x->s, x->who, 0, take_member, x, err);
}

/* ---- a root ---- */

struct root {
	enum fact_root root;
	struct kmeans_points p;
	size_t *items;                             /* [p.n] */
	uint32_t *of;
	double *near;                              /* [p.n] as of evolve_join, else 0 */
};

/* Points of a root: of those that have a vector, or all, by words, where none has. */
static void
root_points(struct clustering *x, struct root *r)
{
	size_t n_all = 0, n = 0;
	FREED uint32_t *texts = NULL, *sessions = NULL;
	FREED int16_t *v = NULL;

	for (size_t i = 0; i < x->n; i++) {
		n_all += x->items[i].root == r->root;
		n += x->items[i].root == r->root && x->items[i].has_vector;
	}
	r->items = xreallocarray(NULL, n_all + 1, sizeof(*r->items));
	r->of = xreallocarray(NULL, n_all + 1, sizeof(*r->of));
	r->near = xcalloc(n_all + 1, sizeof(*r->near));
	texts = xreallocarray(NULL, n_all + 1, sizeof(*texts));
	sessions = xreallocarray(NULL, n_all + 1, sizeof(*sessions));
	if (n > 0)
		v = xreallocarray(NULL, n * x->n_dims, sizeof(*v));
	for (size_t i = 0; i < x->n; i++) {
		if (x->items[i].root != r->root || (n > 0 && !x->items[i].has_vector))
			continue;
		if (n > 0)
			memcpy(v + r->p.n * x->n_dims, x->v + i * x->n_dims,
			    x->n_dims * sizeof(*v));
		texts[r->p.n] = x->items[i].text;
		sessions[r->p.n] = x->items[i].session;
		r->items[r->p.n++] = i;
	}
	x->counts->by_words = x->counts->by_words || (n == 0 && n_all > 0);
	x->counts->n_waiting += (int64_t)(n_all - r->p.n);
	r->p = cluster_points(x->terms[r->root], texts, r->p.n, v, x->n_dims);
	cluster_points_blend(&r->p, sessions);
}

static void
add_plan(struct clustering *x, enum fact_root root)
{
	const struct category c = { .root = root,
		.name = "",
		.keywords = "[]",
		.created_us = clock_now_us() };

	take_category(x, &c);
	x->plans[x->n_plans - 1].is_new = true;
	x->counts->n_new++;
}

static void
count_members(struct clustering *x)
{
	for (size_t j = 0; j < x->n_plans; j++)
		x->plans[j].c.n_members = x->plans[j].n_older;
	for (size_t i = 0; i < x->n; i++)
		if (x->items[i].is != KMEANS_NONE)
			x->plans[x->items[i].is].c.n_members++;
}

/*
 * A category goes when its last member was removed from the store. A new one goes when it was
 * merged into another in the run that found it, and it was never written then.
 */
static void
drop_empty(struct clustering *x, enum fact_root root)
{
	count_members(x);
	for (size_t j = 0; j < x->n_plans; j++) {
		struct cluster_plan *p = &x->plans[j];
		if (p->c.root != root || p->gone || p->c.n_members > 0)
			continue;
		p->gone = true;
		x->counts->n_new -= p->is_new;
	}
}

/* The categories of a root are numbered as plans outside of this function, and from 0 within it. */
static void
evolve_root(struct clustering *x, struct root *r)
{
	struct evolve_options o = { .kmeans = { x->n_threads, STEPS, TRIES, SEED },
		.max = x->o->max,
		.least = x->o->least,
		.near = x->o->near,
		.alike = ALIKE,
		.merge_small = true,
		.regroup = true };
	FREED uint32_t *plans = xcalloc(2 * x->n_plans + 2 * x->o->max + 1, sizeof(*plans));
	FREED uint32_t *inside = xcalloc(x->n_plans + 1, sizeof(*inside));
	FREED uint32_t *into = xcalloc(x->n_plans + 1, sizeof(*into));
	enum evolve_hold *holds = xcalloc(x->n_plans + 1, sizeof(*holds));
	size_t k = 0, k_old;

	for (size_t j = 0; j < x->n_plans; j++) {
		enum category_hand hand = x->plans[j].c.hand;
		inside[j] = KMEANS_NONE;
		if (x->plans[j].c.root != r->root || x->plans[j].gone)
			continue;
		o.max += hand == HAND_DROPPED;         /* nobody sees it */
		holds[k] = hand == HAND_NONE ? EVOLVE_FREE
		    : hand == HAND_DROPPED   ? EVOLVE_APART
					     : EVOLVE_KEPT;
		inside[j] = (uint32_t)k;
		into[k] = (uint32_t)k;
		plans[k++] = (uint32_t)j;
	}
	o.holds = holds;
	k_old = k;
	for (size_t i = 0; i < r->p.n; i++) {
		uint32_t was = x->items[r->items[i]].was;
		r->of[i] = was == KMEANS_NONE ? KMEANS_NONE : inside[was];
	}
	if (x->o->assign)
		evolve_join(&r->p, &o, k, r->of, r->near);
	else if (r->p.n > 0)
		k = evolve(&r->p, &o, k, r->of, into);
	for (size_t j = k_old; j < k; j++) {
		plans[j] = (uint32_t)x->n_plans;
		add_plan(x, r->root);
	}
	for (size_t j = 0; j < k_old; j++)
		if (into[j] != j) {
			x->plans[plans[j]].gone = true;
			x->counts->n_merged++;
		}
	/* those without a vector go where their category goes */
	for (size_t i = 0; i < x->n; i++)
		if (x->items[i].root == r->root && x->items[i].was != KMEANS_NONE &&
		    inside[x->items[i].was] != KMEANS_NONE)
			x->items[i].is = plans[into[inside[x->items[i].was]]];
	for (size_t i = 0; i < r->p.n; i++) {
		x->items[r->items[i]].is = r->of[i] == KMEANS_NONE ? KMEANS_NONE : plans[r->of[i]];
		x->items[r->items[i]].sim = r->near[i];
	}
	drop_empty(x, r->root);
	free(holds);
}

/* What is under a root that is not looked at stays where it is. */
static void
keep_root(struct clustering *x, enum fact_root root)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->items[i].root == root)
			x->items[i].is = x->items[i].was;
}

/* Texts that no word names, "Yes." and "144", have nothing in common: they stay where they were. */
static void
drop_unnamed(struct clustering *x)
{
	for (size_t j = 0; j < x->n_plans; j++) {
		struct cluster_plan *p = &x->plans[j];
		if (p->gone || p->c.name[0] != '\0' || p->c.hand != HAND_NONE ||
		    !wants_root(x, p->c.root))
			continue;
		p->gone = true;
		x->counts->n_new -= p->is_new;
		for (size_t i = 0; i < x->n; i++)
			if (x->items[i].is == j)
				x->items[i].is = x->items[i].was;
	}
}

/* ---- writing ---- */

static int
write_categories(struct clustering *x, struct err *err)
{
	for (size_t j = 0; j < x->n_plans; j++) {
		struct cluster_plan *p = &x->plans[j];
		if (p->gone && p->is_new)
			continue;
		p->c.updated_us = p->changed ? clock_now_us() : p->c.updated_us;
		if (p->gone ? category_remove(x->s, x->who, p->c.row, err) != 0
			    : p->changed && category_put(x->s, x->who, &p->c, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < x->n_strays; i++)
		if (member_put(x->s, x->who, (enum vector_kind)x->strays[2 * i],
			x->strays[2 * i + 1], 0, err) != 0)
			return -1;
	for (size_t i = 0; i < x->n; i++) {
		const struct cluster_item *v = &x->items[i];
		if (v->is == v->was || v->is == KMEANS_NONE)
			continue;
		if (member_put(x->s, x->who, (enum vector_kind)v->kind, v->row,
			x->plans[v->is].c.row, err) != 0)
			return -1;
		x->counts->n_joined += x->plans[v->is].c.hand != HAND_DROPPED;
	}
	return categories_ran(x->s, x->who, clock_now_us(), err);
}

static int
write_all(struct clustering *x, struct err *err)
{
	struct category_runs now;
	int rc;

	if (store_begin_user(x->s, x->who->user, err) != 0)
		return -1;
	if ((rc = categories_runs(x->s, x->who, &now, err)) == 0) {
		x->counts->overtaken = now.n != x->runs.n;
		rc = x->counts->overtaken ? 1 : write_categories(x, err);
	}
	return store_end(x->s, rc, err) < 0 ? -1 : 0;
}

static int
tell(struct clustering *x, struct err *err)
{
	int rc = 0;

	count_members(x);
	for (unsigned root = 0; root < N_FACT_ROOTS; root++)
		for (size_t j = 0; j < x->n_plans; j++)
			if (x->plans[j].c.root == root && !x->plans[j].gone &&
			    wants_root(x, (enum fact_root)root) &&
			    x->plans[j].c.hand != HAND_DROPPED)
				x->fn->category(x->fn->arg, &x->plans[j].c);
	for (size_t i = 0; i < x->n && rc == 0; i++) {
		const struct cluster_item *v = &x->items[i];
		struct cluster_member m = { .id = v->id, .kind = (enum vector_kind)v->kind,
			.sim = v->sim };

		if (v->is == v->was || v->is == KMEANS_NONE ||
		    x->plans[v->is].c.hand == HAND_DROPPED)
			continue;
		m.category = &x->plans[v->is].c;
		if (x->o->assign)
			rc = cluster_tell_member(x->s, x->who, m, v->row, x->fn, err);
		else
			x->fn->member(x->fn->arg, &m);
	}
	return rc;
}

static int
run(struct clustering *x, struct err *err)
{
	if (categories_runs(x->s, x->who, &x->runs, err) != 0)
		return -1;
	if (x->o->every_us > 0 && x->runs.time_us != TIME_NONE &&
	    clock_now_us() - x->runs.time_us < x->o->every_us &&
	    clock_now_us() >= x->runs.time_us) {
		x->counts->too_soon = true;
		return 0;
	}
	if (read_records(x, err) != 0 || cluster_read_vectors(x, err) != 0)
		return -1;
	for (unsigned i = 0; i < N_FACT_ROOTS; i++) {
		struct root r = { .root = (enum fact_root)i };
		if (!wants_root(x, r.root)) {
			keep_root(x, r.root);
			continue;
		}
		root_points(x, &r);
		evolve_root(x, &r);
		free((void *)(uintptr_t)r.p.v);
		free(r.items);
		free(r.of);
		free(r.near);
	}
	cluster_name_all(x);
	if (cluster_ask_names(x, err) != 0)
		return -1;
	drop_unnamed(x);
	if (write_all(x, err) != 0)
		return -1;
	return x->counts->overtaken ? 0 : tell(x, err);
}

int
cluster_run(struct store *s, const struct scope *who, const struct cluster_options *o,
	const struct cluster_fn *fn, struct cluster_counts *counts, struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	struct clustering x = { .s = s, .who = &all, .o = o, .fn = fn, .counts = counts };

	*counts = (struct cluster_counts){ .too_soon = false };
	x.n_threads = o->n_threads > 0 ? o->n_threads : embed_processors();
	x.phrases = cluster_phrases_new();
	for (unsigned i = 0; i < N_FACT_ROOTS; i++)
		x.terms[i] = cluster_terms_new();
	int rc = run(&x, err);
	for (unsigned i = 0; i < N_FACT_ROOTS; i++)
		cluster_terms_free(x.terms[i]);
	cluster_phrases_free(x.phrases);
	for (size_t j = 0; j < x.n_plans; j++)
		buf_release(&x.plans[j].keywords);
	arena_release(&x.arena);
	free(x.plans);
	free(x.items);
	free(x.v);
	free(x.strays);
	return rc;
}
