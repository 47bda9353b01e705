/*
 * prune.c: what is to go is decided once, from all facts, and removed batch by batch. Each batch
 * counts the facts and reads their protection again, so that two prunes side by side remove no more
 * than one would, and a prune that was killed can simply be run again.
 */
#include "facts/prune.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "facts/relevance.h"
#include "ingest/source_name.h"
#include "math/real.h"
#include "store/records.h"

#define HALF_LIFE_DAYS 90
/* sessions in a transaction; a large batch, as each rewrites the whole index */
#define SESSION_BATCH  1000
/* facts that a dry run reads at a time */
#define FACT_PAGE      1000

const char *const prune_policies[] = { "fifo", "least-relevant", "lru", NULL };

int
prune_policy_parse(const char *s)
{
	for (int i = 0; prune_policies[i] != NULL; i++)
		if (strcmp(s, prune_policies[i]) == 0)
			return i;
	return -1;
}

double
prune_decayed(double importance, int64_t unused_us)
{
	return importance * real_exp2(-(double)MAX(unused_us, 0) / US_PER_DAY / HALF_LIFE_DAYS);
}

/* ---- the plan ---- */

struct entry { int worth; double key; int64_t row; uint32_t at; };

ORDER_OF(entry_cmp, struct entry, a->worth != b->worth ? a->worth - b->worth
	: a->key != b->key ? ORDER_UP(key) : ORDER_UP(row))

size_t
prune_plan(const struct prune_item *items, size_t n, enum prune_policy policy, size_t max,
	uint32_t *order)
{
	FREED struct entry *e = xreallocarray(NULL, n + 1, sizeof(*e));
	size_t n_free = 0;

	for (size_t i = 0; i < n; i++)
		if (!items[i].guarded)
			e[n_free++] = (struct entry){
				policy == PRUNE_LEAST_RELEVANT ? (int)items[i].worth : 0,
				policy == PRUNE_LRU ? (double)items[i].used_us
				    : policy == PRUNE_LEAST_RELEVANT	  ? items[i].relevance
									  : 0,
				items[i].row, (uint32_t)i };
	qsort(e, n_free, sizeof(*e), entry_cmp);
	n = MIN(n_free, n > max ? n - max : 0);
	for (size_t i = 0; i < n; i++)
		order[i] = e[i].at;
	return n;
}

/* ---- facts ---- */

struct pruning {
	struct store *s;
	const struct scope *who;
	const struct prune_options *o;
	const struct prune_fn *fn;
	struct prune_counts *counts;
	struct relevance *relevance;
	int64_t now_us;
	struct prune_item *items;
	size_t n, cap_items;
};

static int
add_item(void *arg, const struct prunable *f)
{
	struct pruning *p = arg;
	double relevance =
	    p->relevance != NULL ? relevance_of(p->relevance, f->row, f->content, f->len) : 0;

	if (p->o->decay)
		relevance =
		    MAX(relevance, 0) * prune_decayed(f->importance, p->now_us - f->used_us);
	*xpush(p->items, p->n, p->cap_items) =
	    (struct prune_item){ f->row, f->used_us, relevance, f->guarded,
		f->worth };
	p->counts->n_guarded += f->guarded;
	return 0;
}

/* A batch of those that are to go. */
struct leaving { int64_t *rows; char (*ids)[ID_TEXT]; bool *gone; };

/* In one transaction. */
static int
remove_batch(struct pruning *p, const struct leaving *v, size_t n, struct facts_left *left,
	struct err *err)
{
	if (store_begin_user(p->s, p->who->user, err) < 0)
		return -1;
	return store_end(p->s, prunable_ids(p->s, p->who, v->rows, n, v->ids, err) < 0 ||
	    facts_prune(p->s, p->who, v->rows, n, p->o->max, left, v->gone, err) < 0 ? -1 : 0, err);
}

/* What would be removed: what another process has not removed by now. */
static int
look_at_batch(struct pruning *p, const struct leaving *v, size_t n, struct err *err)
{
	if (prunable_ids(p->s, p->who, v->rows, n, v->ids, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		v->gone[i] = v->ids[i][0] != '\0';
	return 0;
}

/* The facts whose places are order [n] go, or would go, batch by batch. */
static int
remove_facts(struct pruning *p, const uint32_t *order, size_t n, struct err *err)
{
	size_t most = MIN((size_t)p->o->batch, n), here;
	struct leaving v = { xreallocarray(NULL, most, sizeof(*v.rows)),
		xreallocarray(NULL, most, sizeof(*v.ids)), xcalloc(most, sizeof(*v.gone)) };
	struct facts_left left = { false, 0, 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i += here) {
		here = MIN(most, n - i);
		for (size_t k = 0; k < here; k++)
			v.rows[k] = p->items[order[i + k]].row;
		rc = p->o->force ? remove_batch(p, &v, here, &left, err)
				 : look_at_batch(p, &v, here, err);
		for (size_t k = 0; rc == 0 && k < here; k++)
			if (v.gone[k]) {
				p->counts->n_removed++;
				p->fn->fact(p->fn->arg, v.ids[k]);
			}
	}
	free(v.rows);
	free(v.ids);
	free(v.gone);
	return rc;
}

/* Facts of a page that was read, and the ids of those that may go, the oldest first. */
struct page { struct prunable items[FACT_PAGE]; size_t n; };
struct waiting { char (*ids)[ID_TEXT]; size_t first, n, cap; };

static int
add_to_page(void *arg, const struct prunable *f)
{
	struct page *page = arg;

	page->items[page->n++] = *f;           /* but for the content, which does not last */
	return 0;
}

/* Tells those that would go, now that there is this fact, too. */
static void
look_at(struct pruning *p, struct waiting *w, const struct prunable *f)
{
	p->counts->n_facts++;
	p->counts->n_guarded += f->guarded;
	if (w->first > FACT_PAGE && w->first > w->n / 2) {
		w->n -= w->first;
		memmove(w->ids, w->ids + w->first, w->n * sizeof(*w->ids));
		w->first = 0;
	}
	if (!f->guarded) {
		xgrow(&w->ids, &w->cap, w->n + 1, sizeof(*w->ids));
		memcpy(w->ids[w->n++], f->id, sizeof(*w->ids));
	}
	while (w->first < w->n && p->counts->n_removed < p->counts->n_facts - p->o->max) {
		p->counts->n_removed++;
		p->fn->fact(p->fn->arg, w->ids[w->first++]);
	}
}

/*
 * What would go by age alone is told while facts are read: the oldest that may go as soon as there
 * are more than may stay. No more wait than may stay.
 */
static int
look_by_age(struct pruning *p, struct err *err)
{
	FREED struct page *page = xmalloc(sizeof(*page));
	struct waiting w = { NULL, 0, 0, 0 };
	int64_t after = 0;
	int rc = 0;

	for (page->n = FACT_PAGE; rc == 0 && page->n == FACT_PAGE;) {
		page->n = 0;
		rc = prunable_each(p->s, p->who, after, FACT_PAGE, add_to_page, page, err);
		for (size_t i = 0; rc == 0 && i < page->n; i++)
			look_at(p, &w, &page->items[i]);
		if (page->n > 0)
			after = page->items[page->n - 1].row;
	}
	free(w.ids);
	return rc;
}

static int
prune_facts(struct pruning *p, struct err *err)
{
	FREED uint32_t *order = NULL;
	size_t n;
	int rc = -1;

	if (p->o->policy == PRUNE_FIFO && !p->o->force)
		return look_by_age(p, err);
	if (p->o->policy == PRUNE_LEAST_RELEVANT &&
	    relevance_open(p->s, p->who, &p->relevance, err) < 0)
		return -1;
	if (prunable_each(p->s, p->who, 0, -1, add_item, p, err) < 0)
		goto out;
	p->counts->n_facts = (int64_t)p->n;
	order = xreallocarray(NULL, p->n + 1, sizeof(*order));
	n = prune_plan(p->items, p->n, p->o->policy, (size_t)p->o->max, order);
	rc = remove_facts(p, order, n, err);
out:
	relevance_close(p->relevance);
	free(p->items);
	return rc;
}

/* ---- sessions ---- */

struct old { const char *name; int64_t n_messages, updated_us; };
struct olds { struct arena names; struct old *items; size_t n, cap; int64_t before_us; };

static bool
is_old(const struct session *v, int64_t before_us)
{
	return v->updated_us != TIME_NONE && v->updated_us < before_us;
}

static int
add_old_session(void *arg, const struct session *v)
{
	struct olds *o = arg;

	if (!is_old(v, o->before_us))
		return 0;
	*xpush(o->items, o->n, o->cap) =
	    (struct old){ arena_strdup(&o->names, v->id), v->n_messages, v->updated_us };
	return 0;
}

static int
remove_made(struct pruning *p, const char *const *names, size_t n, struct made_records *made,
	struct err *err)
{
	const struct going g = { .sessions = names, .n_sessions = n };
	FREED int64_t *rows = NULL;

	if (going_made(p->s, p->who, &g, made, err) < 0)
		return -1;
	rows = xreallocarray(NULL, made->n + 1, sizeof(*rows));
	for (size_t i = 0; i < made->n; i++)
		rows[i] = made->items[i].row;
	return records_remove(p->s, p->who, rows, made->n, err);
}

static void
report_made(struct pruning *p, const struct made_records *made)
{
	for (size_t i = 0; i < made->n; i++)
		p->fn->made(p->fn->arg, made->items[i].id);
	p->counts->n_made += (int64_t)made->n;
}

/* What a dry run keeps of a million sessions: their names alone, for the records made of them. */
struct reported {
	struct pruning *p;
	struct arena arena;
	const char **names;
	size_t n, cap;
};

static int
report_old_session(void *arg, const struct session *v)
{
	struct reported *r = arg;

	if (!is_old(v, r->p->o->sessions_before_us))
		return 0;
	*xpush(r->names, r->n, r->cap) = arena_strdup(&r->arena, v->id);
	r->p->fn->session(r->p->fn->arg, v->id, v->n_messages, v->updated_us);
	return 0;
}

/* Reports the sessions that would go as they are read, without changing anything. */
static int
report_sessions(struct pruning *p, struct err *err)
{
	struct reported r = { .p = p };
	LOCAL(made_records) made = { 0 };
	struct going g = { 0 };
	int rc = sessions_each(p->s, p->who, report_old_session, &r, err);

	p->counts->n_sessions += (int64_t)r.n;
	g.sessions = r.names;
	g.n_sessions = r.n;
	if (rc == 0 && (rc = going_made(p->s, p->who, &g, &made, err)) == 0)
		report_made(p, &made);
	arena_release(&r.arena);
	free(r.names);
	return rc;
}

/* A session that grew since it was listed is no longer old, and stays. */
static int
remove_sessions(struct pruning *p, const struct old *olds, size_t n, struct err *err)
{
	FREED const char **names = xreallocarray(NULL, n, sizeof(*names));
	FREED const struct old **gone = xreallocarray(NULL, n, sizeof(*gone));
	LOCAL(made_records) made = { 0 };
	LOCAL(arena) a = ARENA_INIT;
	size_t n_gone = 0;
	struct going g = { 0 };
	int64_t n_messages;

	if (store_begin_user(p->s, p->who->user, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct session *v;
		if (sessions_find(p->s, p->who, olds[i].name, &a, &v, err) < 0)
			goto rollback;
		if (v == NULL || v->updated_us != olds[i].updated_us)
			continue;
		names[n_gone] = olds[i].name;
		gone[n_gone++] = &olds[i];
	}
	g.sessions = names;
	g.n_sessions = n_gone;
	if (remove_made(p, names, n_gone, &made, err) < 0 ||
	    going_remove(p->s, p->who, &g, &n_messages, err) < 0)
		goto rollback;
	for (size_t i = 0; i < n_gone; i++)
		if (source_names_bury(p->s, p->who, names[i], err) < 0 ||
		    inputs_forget(p->s, p->who, names[i], err) < 0)
			goto rollback;
	if (store_commit(p->s, err) < 0)
		return -1;
	for (size_t i = 0; i < n_gone; i++)
		p->fn->session(p->fn->arg, gone[i]->name, gone[i]->n_messages, gone[i]->updated_us);
	p->counts->n_sessions += (int64_t)n_gone;
	report_made(p, &made);
	return 0;
rollback:
	store_rollback(p->s);
	return -1;
}

static int
prune_sessions(struct pruning *p, struct err *err)
{
	struct olds o = { .before_us = p->o->sessions_before_us };
	int rc;

	if (!p->o->force)
		return report_sessions(p, err);
	rc = sessions_each(p->s, p->who, add_old_session, &o, err);
	for (size_t i = 0; i < o.n && rc == 0; i += SESSION_BATCH)
		rc = remove_sessions(p, o.items + i, MIN(SESSION_BATCH, o.n - i), err);
	arena_release(&o.names);
	free(o.items);
	return rc;
}

/* Removes old metrics, and the names that no record uses any more. */
static int
prune_rest(struct pruning *p, struct err *err)
{
	int rc = 0;

	if (store_begin_user(p->s, p->who->user, err) < 0)
		return -1;
	if ((p->counts->n_removed + p->counts->n_sessions + p->counts->n_made > 0 &&
		names_prune(p->s, p->who, err) < 0) ||
	    (p->o->metrics_before_us != TIME_NONE &&
		metrics_remove(p->s, p->who, p->o->metrics_before_us, &p->counts->n_metrics, err) <
		    0))
		rc = -1;
	return store_end(p->s, rc, err);
}

int
prune(struct store *s, const struct scope *who, const struct prune_options *o,
	const struct prune_fn *fn, struct prune_counts *counts, struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	struct pruning p = { .s = s,
		.who = &all,
		.o = o,
		.fn = fn,
		.counts = counts,
		.now_us = clock_now_us() };

	*counts = (struct prune_counts){ 0 };
	if (o->max >= 0 && prune_facts(&p, err) < 0)
		return -1;
	if (o->sessions_before_us != TIME_NONE && prune_sessions(&p, err) < 0)
		return -1;
	return o->force ? prune_rest(&p, err) : 0;
}

static void
ignore_id(void *arg, const char *id)
{
	(void)arg;
	(void)id;
}

int
prune_to_limit(struct store *s, const struct scope *who, int64_t *n, struct err *err)
{
	const struct prune_options o = {
		.policy = (enum prune_policy)prune_policy_parse(conf_text("prune_policy")),
		.max = conf_int("facts_max"),
		.batch = conf_int("prune_batch"),
		.decay = conf_bool("decay"),
		.sessions_before_us = TIME_NONE,
		.metrics_before_us = TIME_NONE,
		.force = true,
	};
	const struct prune_fn fn = { ignore_id, ignore_id, NULL, NULL };
	struct prune_counts counts = { .n_removed = 0 };
	int rc = prune(s, who, &o, &fn, &counts, err);

	*n = counts.n_removed;
	return rc;
}
