/*
 * consolidate.c: old facts that belong together become one summary; each of them is marked as
 * summed up by it, which hides it. One transaction and one step a group: mem-edit --undo takes a
 * whole group apart again, --restore brings back one fact of it.
 *
 * The summary is made outside the transaction, as a model may be asked. Inside, every fact of the
 * group is compared with what was summed up; when one was changed meanwhile, the group waits for
 * the next run.
 */
#include "store/vectors.h"
#include "summary/summarize.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "facts/alike.h"
#include "facts/fact_record.h"
#include "facts/made.h"
#include "json/json.h"
#include "summary/consolidate_plan.h"
#include "summary/summary.h"
#include "summary/summary_parts.h"

/* only the oldest are considered: the plan compares every two of them */
#define FACTS_MOST 4000
#define TOKENS_A_WORD 2

struct old_fact {
	int64_t row, time_us;
	uint8_t sha256[SHA256_BYTES];
	const char *session;
	struct fact fact;                      /* its texts: key, project, content and extra */
	struct summary_said said;
};

/* ---- vectors of records ---- */

/*
 * One pass over the keys of the user's vectors finds the slots of the records
 * asked for; then only those slots are read.
 */

struct record_vectors {
	size_t n_dims;                         /* 0: the store has no vectors */
	float unrelated; /* the model's mean cosine of unrelated texts, for calibration */
	/* the caller frees both */
	bool *has;                             /* [n] whether the record has a vector */
	float *v; /* [n][n_dims] of length 1, or zeros where there is none */
};

/*
 * Finds the slots of the records' first chunks, ascending; of receives the index in rows that each
 * belongs to.
 */
static int
find_slots(struct vectors *v, enum vector_kind kind, const int64_t *rows, size_t n, uint32_t *slots,
	size_t *of, size_t *n_slots, struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	FREED uint64_t *keys = xreallocarray(NULL, info->n + 1, sizeof(*keys));
	FREED float *cosines = xreallocarray(NULL, info->n + 1, sizeof(*cosines));
	FREED float *q = xcalloc(info->model.n_dims, sizeof(*q));

	q[0] = 1; /* any query vector will do, as only the keys are wanted */
	*n_slots = 0;
	int rc = vectors_cosines(v, q, keys, cosines, err);
	for (uint32_t k = 0; rc == 0 && k < info->n && *n_slots < n; k++) {
		struct vector_key key;
		const int64_t *at;
		if (keys[k] == VECTOR_DEAD)
			continue;
		vector_key_unpack(keys[k], info->user_base, &key);
		if (key.kind != kind || key.part != 0 ||
		    (at = bsearch(&key.row, rows, n, sizeof(*rows), by_int64)) == NULL)
			continue;
		slots[*n_slots] = k;
		of[(*n_slots)++] = (size_t)(at - rows);
	}
	return rc;
}

static int
get_vectors(struct vectors *v, enum vector_kind kind, const int64_t *rows, size_t n,
	struct record_vectors *out, struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	FREED uint32_t *slots = xreallocarray(NULL, n + 1, sizeof(*slots));
	FREED size_t *of = xreallocarray(NULL, n + 1, sizeof(*of));
	size_t n_slots;
	FREED float *all = NULL;
	int rc;

	out->n_dims = info->model.n_dims;
	out->unrelated = info->model.unrelated;
	out->v = xcalloc(n * out->n_dims + 1, sizeof(*out->v));
	if ((rc = find_slots(v, kind, rows, n, slots, of, &n_slots, err)) == 0 && n_slots > 0) {
		all = xreallocarray(NULL, n_slots * out->n_dims, sizeof(*all));
		rc = vectors_get(v, slots, n_slots, all, err);
	}
	for (size_t i = 0; rc == 0 && i < n_slots; i++) {
		out->has[of[i]] = true;
		memcpy(out->v + of[i] * out->n_dims, all + i * out->n_dims,
		    out->n_dims * sizeof(*all));
	}
	return rc;
}

/*
 * Reads the vectors of the first chunks of the records rows [n], ascending, of a kind. Cost: a scan
 * of the user's vectors.
 */
static int
record_vectors(struct store *s, const struct scope *who, enum vector_kind kind, const int64_t *rows,
	size_t n, struct record_vectors *out, struct err *err)
{
	struct vectors *v;
	int rc = 0;

	*out = (struct record_vectors){ .has = xcalloc(n + 1, sizeof(bool)) };
	if (vectors_open(s, who, &v, err) < 0)
		return -1;
	if (vectors_info(v)->model.name[0] != '\0' && vectors_info(v)->n > 0)
		rc = get_vectors(v, kind, rows, n, out, err);
	vectors_close(v);
	return rc;
}

/* Keeps the texts of a fact by which it is compared with others. */
static struct fact
keep_fact(const struct fact *f, struct arena *a)
{
	struct fact out = { .key = arena_strdup(a, f->key) };

	out.head.project = arena_strdup(a, f->head.project);
	out.head.content = arena_strndup(a, f->head.content, f->head.content_len);
	out.head.content_len = f->head.content_len;
	out.head.extra = arena_strdup(a, f->head.extra != NULL ? f->head.extra : "");
	return out;
}

/* What a fact says, and whose it is in front of it, as of a turn. */
static struct summary_said
said_of(const struct fact *f, const struct record_head *h, struct arena *a)
{
	size_t label = fact_label(f, NULL, a);
	struct summary_said out = { .text = f->head.content + label,
		.len = f->head.content_len - label,
		.speaker = label > 2 ? arena_strndup(a, f->head.content, label - 2)
				     : fact_whose(f, a),
		.time_us = h->time_us != TIME_NONE ? h->time_us : h->stored_us,
		.trust = h->trust,
		.is_user = true };

	memcpy(out.id, h->id, ID_TEXT);
	return out;
}

/* The key by which a fact may be grouped: none that was guessed, and not who it is of. */
static const char *
group_key(const struct fact *f, const char *speaker, struct arena *a)
{
	const char *own = fact_key_clean(speaker, a);
	size_t n = strlen(own);

	if (made_key_guessed(&f->head, a))
		return "";
	return n > 0 && strncmp(f->key, own, n) == 0 && f->key[n] == ':' ? f->key + n + 1 : f->key;
}

struct old_facts {
	struct arena arena;
	struct old_fact *items;
	struct groupable *groupables;
	size_t n, cap_items, cap_groupables;
	int64_t before_us;
};

static void
read_tags(const char *json, struct arena *a, struct groupable *g)
{
	struct err ignored = ERR_INIT;
	const struct json *v;
	uint64_t *tags;

	if (json[0] == '\0' || json_parse(json, strlen(json), a, &v, &ignored) < 0 ||
	    v->kind != JSON_ARRAY)
		return;
	tags = arena_alloc(a, (v->len + 1) * sizeof(*tags));
	for (size_t i = 0; i < v->len; i++)
		if (v->u.items[i].kind == JSON_STRING)
			tags[g->n_tags++] = hash64(v->u.items[i].u.string, v->u.items[i].len, 0);
	g->tags = tags;
}

static int
add_fact(void *arg, const struct fact *f)
{
	struct old_facts *o = arg;
	const struct record_head *h = &f->head;
	int64_t time_us = h->time_us != TIME_NONE ? h->time_us : h->stored_us;

	if (time_us >= o->before_us || h->guarded || f->valid_to_us != TIME_NONE)
		return 0;
	xgrow(&o->items, &o->cap_items, o->n + 1, sizeof(*o->items));
	xgrow(&o->groupables, &o->cap_groupables, o->n + 1, sizeof(*o->groupables));
	struct old_fact *v = &o->items[o->n];
	struct groupable *g = &o->groupables[o->n++];
	*v = (struct old_fact){ .row = h->row,
		.time_us = time_us,
		.session = arena_strdup(&o->arena, h->session),
		.fact = keep_fact(f, &o->arena) };
	v->said = said_of(&v->fact, h, &o->arena);
	memcpy(v->sha256, h->sha256, SHA256_BYTES);
	*g = (struct groupable){ .key = group_key(&v->fact, v->said.speaker, &o->arena),
		.agent = arena_strdup(&o->arena, h->agent),
		.project = v->fact.head.project };
	read_tags(h->tags, &o->arena, g);
	return o->n == FACTS_MOST;
}

/* ---- one group ---- */

struct grouped { const struct old_fact **facts; size_t n; };

static int
newest_first(const void *pa, const void *pb)
{
	const struct old_fact *a = *(const struct old_fact *const *)pa,
			      *b = *(const struct old_fact *const *)pb;

	if (a->time_us != b->time_us)
		return (a->time_us < b->time_us) - (a->time_us > b->time_us);
	return (a->row < b->row) - (a->row > b->row);
}

/*
 * Marks each fact, as it is now, as summed up by the summary id, which hides it. *same becomes
 * false when one is no longer what was summed up.
 */
static int
hide_facts(struct store *s, const struct scope *who, struct step *step,
	const struct old_fact *const *facts, size_t n, const char *id, bool *same, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	*same = true;
	for (size_t i = 0; i < n && rc == 0 && *same; i++) {
		const struct fact *was;
		arena_reset(&a);
		if ((rc = records_by_row(s, who, facts[i]->row, TIME_NONE, &a, &was, err)) < 0)
			break;
		*same = was != NULL && was->summarized[0] == '\0' &&
		    was->head.retracted_us == TIME_NONE && was->valid_to_us == TIME_NONE &&
		    !was->head.guarded &&
		    memcmp(was->head.sha256, facts[i]->sha256, SHA256_BYTES) == 0;
		if (!*same)
			break;
		struct fact f = *was;
		f.summarized = id;
		rc = records_change(s, who, step, &f, err);
	}
	return rc;
}

static int
put_group(struct store *s, const struct scope *who, const struct old_fact *const *facts, size_t n,
	const struct groupable *of, const struct summary_made *made, struct fact *f, bool *stored,
	struct err *err)
{
	struct record_source sources[GROUP_MOST];
	struct step step = { .did = STEP_EDIT, .why = "summed up facts" };
	const char *session = facts[0]->session;
	enum put_did did;
	int trust = 3;

	for (size_t i = 0; i < n; i++) {
		sources[i] = (struct record_source){ facts[i]->said.id, 0, 0 };
		trust = MIN(trust, facts[i]->said.trust);
		if (strcmp(session, facts[i]->session) != 0)
			session = "";
	}
	*f = summary_record(made);
	f->head.session = session;
	f->head.agent = of->agent;
	f->head.project = of->project;
	f->head.time_us = facts[0]->time_us;
	f->head.trust = trust;
	f->head.sources = sources;
	f->head.n_sources = n;
	f->summary = (struct summary_keys){ SUMMARY_CONSOLIDATION, TIME_NONE, TIME_NONE,
		made->model, "" };
	if (records_put(s, who, &step, f, &did, err) < 0 ||
	    hide_facts(s, who, &step, facts, n, f->head.id, stored, err) < 0)
		return -1;
	return 0;
}

static bool
is_replaced(const struct fact *f, const struct summary_said *f_said, const struct fact *newer,
	const struct summary_said *newer_said, struct arena *a)
{
	return strcmp(f_said->speaker, newer_said->speaker) == 0 && alike_replaces(newer, f, a);
}

/*
 * Makes and stores the summary of a group. fn is called after the commit, when the caller's arrays
 * that f borrows from still exist.
 */
static int
sum_up_group(struct store *s, const struct scope *who, const struct grouped *g,
	const struct groupable *of, const struct summarize_options *o,
	const struct summarize_fn *fn,
	struct summarize_counts *counts, struct err *err)
{
	struct summary_said said[GROUP_MOST];
	struct record_source sources[GROUP_MOST];
	LOCAL(arena) a = ARENA_INIT;
	struct summary_made made;
	struct fact f;
	bool stored = false;
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < g->n; i++) {
		bool replaced = false;         /* by a newer one */

		for (size_t k = 0; k < i && !replaced; k++)
			replaced = is_replaced(&g->facts[i]->fact, &g->facts[i]->said,
			    &g->facts[k]->fact, &g->facts[k]->said, &a);
		if (!replaced)
			said[n++] = g->facts[i]->said;
	}
	if (!summary_make(SUMMARY_OF_FACTS, said, n,
		(struct summary_room){ o->fact_words * TOKENS_A_WORD, o->fact_words }, o->llm, &a,
		&made))
		return rc;
	if ((rc = store_begin_user(s, who->user, err)) < 0)
		return rc;
	if ((rc = put_group(s, who, g->facts, g->n, of, &made, &f, &stored, err)) < 0 || !stored) {
		store_rollback(s);
		return rc;
	}
	if ((rc = store_commit(s, err)) < 0)
		return rc;
	for (size_t i = 0; i < g->n; i++)
		sources[i] = (struct record_source){ g->facts[i]->said.id, 0, 0 };
	f.head.sources = sources;
	counts->n_made++;
	counts->n_facts += g->n;
	counts->n_by_model += made.model[0] != '\0';
	fn->made(fn->arg, &f, &made);
	return rc;
}

static int
sum_up_groups(struct store *s, const struct scope *who, const struct old_facts *o,
	const uint32_t *group, size_t n_groups, const struct summarize_options *options,
	const struct summarize_fn *fn, struct summarize_counts *counts, struct err *err)
{
	int rc = 0;

	for (uint32_t no = 1; no <= n_groups && rc == 0; no++) {
		const struct old_fact *facts[GROUP_MOST];
		struct grouped g = { facts, 0 };
		const struct groupable *of = NULL;
		for (size_t i = 0; i < o->n; i++)
			if (group[i] == no) {
				facts[g.n++] = &o->items[i];
				of = &o->groupables[i];
			}
		qsort(facts, g.n, sizeof(*facts), newest_first);
		rc = sum_up_group(s, who, &g, of, options, fn, counts, err);
	}
	return rc;
}

int
summarize_facts(struct store *s, const struct scope *who, const struct summarize_options *options,
	const struct summarize_fn *fn, struct summarize_counts *counts, bool *meaning,
	struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	struct old_facts o = { .before_us = options->facts_before_us };
	struct record_vectors v = { 0, 0, NULL, NULL };
	FREED uint32_t *group = NULL;
	FREED int64_t *rows = NULL;
	int rc = records_each(s, who, &f, add_fact, &o, err);

	*meaning = true;
	if (rc < 0)
		goto out;
	rows = xreallocarray(NULL, o.n + 1, sizeof(*rows));
	group = xreallocarray(NULL, o.n + 1, sizeof(*group));
	for (size_t i = 0; i < o.n; i++)
		rows[i] = o.items[i].row;
	if (options->by != BY_TAGS &&
	    (rc = record_vectors(s, who, VECTOR_FACT, rows, o.n, &v, err)) < 0)
		goto out;
	*meaning = v.n_dims > 0;
	for (size_t i = 0; i < o.n; i++)
		if (v.n_dims > 0 && v.has[i])
			o.groupables[i].vec = v.v + i * v.n_dims;
	double min_cosine = options->facts_sim * (1 - (double)v.unrelated) + (double)v.unrelated;
	counts->n_looked += o.n;
	rc = sum_up_groups(s, who, &o, group,
	    consolidate_plan(o.groupables, o.n, v.n_dims, min_cosine, options->by, group), options,
	    fn, counts, err);
out:
	free(v.has);
	free(v.v);
	free(o.items);
	free(o.groupables);
	arena_release(&o.arena);
	return rc;
}

/* ---- the same again ---- */

struct standing { struct summary_said said; struct fact fact; int64_t row; };

ORDER_OF(newest_standing, struct standing,
	a->said.time_us != b->said.time_us ? -ORDER_UP(said.time_us) : -ORDER_UP(row))

/* The facts that f still stands for, newest first: out [n] of at most GROUP_MOST. */
static int
read_standing(struct store *s, const struct scope *who, const struct fact *f, struct arena *a,
	struct standing *out, size_t *n, struct err *err)
{
	*n = 0;
	for (size_t i = 0; i < f->head.n_sources && *n < GROUP_MOST; i++) {
		const struct fact *of;
		struct standing *v = &out[*n];

		if (records_find(s, who, f->head.sources[i].id, a, &of, err) < 0)
			return -1;
		if (of == NULL || of->head.retracted_us != TIME_NONE ||
		    strcmp(of->summarized, f->head.id) != 0 ||
		    (of->valid_to_us != TIME_NONE && of->valid_to_us <= clock_now_us()))
			continue;
		const struct record_head *h = &of->head;
		*v = (struct standing){ .fact = keep_fact(of, a), .row = h->row };
		v->said = said_of(&v->fact, h, a);
		++*n;
	}
	if (*n > 1)
		qsort(out, *n, sizeof(*out), newest_standing);
	return 0;
}

int
consolidation_again(struct store *s, const struct scope *who, const struct fact *f,
	const struct summarize_options *o, struct arena *a, const struct fact **now,
	struct err *err)
{
	struct standing facts[GROUP_MOST];
	struct summary_said said[GROUP_MOST];
	struct record_source *sources;
	struct summary_made made;
	struct fact *out;
	size_t n_facts, n = 0;

	*now = NULL;
	if (read_standing(s, who, f, a, facts, &n_facts, err) < 0)
		return -1;
	sources = arena_zalloc(a, (n_facts + 1) * sizeof(*sources));
	for (size_t i = 0; i < n_facts; i++) {
		bool replaced = false;         /* by a newer one */

		for (size_t k = 0; k < i && !replaced; k++)
			replaced = is_replaced(&facts[i].fact, &facts[i].said, &facts[k].fact,
			    &facts[k].said, a);
		if (!replaced)
			said[n++] = facts[i].said;
		sources[i].id = arena_strdup(a, facts[i].said.id);
	}
	if (!summary_make(SUMMARY_OF_FACTS, said, n,
		(struct summary_room){ o->fact_words * TOKENS_A_WORD, o->fact_words },
		f->summary.model[0] != '\0' ? o->llm : NULL, a, &made))
		return 0;
	*now = out = arena_alloc(a, sizeof(*out));
	*out = *f;
	out->head.content = made.content;
	out->head.content_len = made.len;
	out->head.extra = made.extra;
	out->head.sources = sources;
	out->head.n_sources = n_facts;
	out->summary.model = made.model;
	return 0;
}
