/*
 * handed_hits.c: which lists a hit came from is told by what it has: a value of BM25, a similarity.
 */
#include "search/handed_hits.h"

#include <math.h>

#include "json/json.h"

struct handed
handed_said(const struct search_hit *h, size_t rank)
{
	return (struct handed){ .row = h->row, .did = HANDED_OUT, .rank = (unsigned)rank,
		.score = h->score, .p = h->p, .sim = h->sim, .bm25 = h->bm25, .x = h->x };
}

struct handed
handed_known(const struct tier_hit *h, size_t rank)
{
	return (struct handed){ .row = h->record->head.row, .is_record = true, .did = HANDED_OUT,
		.rank = (unsigned)rank, .score = (float)h->score, .p = (float)h->p,
		.sim = (float)h->sim, .bm25 = (float)h->bm25 };
}

/* ---- looking it up ---- */

struct finder {
	struct store *s;
	struct scope who;
	bool is_record;
	int64_t row;
	struct arena *arena;
	struct why *why;
	bool found;
	why_fn *fn;
	void *arg;
	struct err *err;
};

/* What was noted of it; two questions may both have found it, or it is protected besides. */
static const struct handed *
entry_of(const struct finder *f, const struct handed_answer *v)
{
	const struct handed *left_out = NULL;

	for (size_t i = 0; i < v->n; i++) {
		const struct handed *h = &v->items[i];

		if (h->row != f->row || h->is_record != f->is_record)
			continue;
		if (handed_is_out(h))
			return h;
		if (left_out == NULL)
			left_out = h;
	}
	return left_out;
}

/* *id NULL: it is not in the scope. */
static int
id_of(const struct finder *f, const struct handed *h, const char **id)
{
	const struct message *m = NULL;
	const struct fact *r = NULL;

	*id = NULL;
	if (h->is_record && records_by_row(f->s, &f->who, h->row, TIME_NONE, f->arena, &r,
		f->err) < 0)
		return -1;
	if (!h->is_record && messages_by_rows(f->s, &f->who, &h->row, 1, f->arena, &m,
		f->err) < 0)
		return -1;
	if (r != NULL)
		*id = r->head.id;
	else if (m != NULL)
		*id = m->id;
	return 0;
}

static int
keep_items(struct finder *f, const struct handed_answer *v)
{
	struct handed *items = arena_alloc(f->arena, (v->n + 1) * sizeof(*items));
	const char **ids = arena_alloc(f->arena, (v->n + 1) * sizeof(*ids));
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		items[n] = v->items[i];
		items[n].x = NULL;
		if (id_of(f, &v->items[i], &ids[n]) < 0)
			return -1;
		n += ids[n] != NULL;
	}
	f->why->items = items;
	f->why->ids = ids;
	f->why->n = n;
	return 0;
}

static int
on_why(void *arg, const struct handed_answer *v)
{
	struct finder *f = arg;
	const struct handed *h = entry_of(f, v);
	struct why *w = f->why;
	float *x;

	if (h == NULL)
		return 0;
	w->time_us = v->time_us;
	w->program = arena_strdup(f->arena, v->program);
	w->path = arena_strdup(f->arena, v->path);
	w->at = *h;
	if (h->x != NULL) {
		w->at.x = x = arena_alloc(f->arena, N_SIGNALS * sizeof(*x));
		memcpy(x, h->x, N_SIGNALS * sizeof(*x));
	}
	f->found = true;
	return keep_items(f, v) < 0 ? -1 : 1;
}

static int
on_seen(void *arg, const struct handed_answer *v)
{
	struct finder *f = arg;
	const struct handed *h = entry_of(f, v);

	if (h == NULL || !handed_is_out(h))
		return 0;
	f->why->time_us = v->time_us;
	f->why->program = v->program;
	f->why->path = v->path;
	f->why->at = *h;
	return f->fn(f->arg, f->why);
}

int
why_found(struct store *s, const struct scope *who, const char *id, bool is_record, int64_t row,
	struct arena *a, struct why *out, struct err *err)
{
	struct finder f = { .s = s, .who = *who, .is_record = is_record, .row = row, .arena = a,
		.why = out, .err = err };

	*out = (struct why){ .id = id };
	f.who.session = NULL;
	return handed_each(s, who, on_why, &f, err) < 0 ? -1 : f.found;
}

int
seen_each(struct store *s, const struct scope *who, const char *id, bool is_record, int64_t row,
	why_fn *fn, void *arg, struct err *err)
{
	struct why w = { .id = id };
	struct finder f = { .is_record = is_record, .row = row, .why = &w, .fn = fn, .arg = arg };

	return handed_each(s, who, on_seen, &f, err);
}

/* ---- records ---- */

static void
entry_record(struct buf *out, const struct handed *h)
{
	json_str(out, "did", handed_names[h->did]);
	if (h->rank > 0)
		json_int(out, "rank", h->rank);
	if (h->tokens > 0)
		json_int(out, "tokens", h->tokens);
}

static void
answer_record(struct buf *out, const char *user, const struct why *w)
{
	json_str(out, "user", user);
	json_str(out, "id", w->id);
	json_time(out, "time", w->time_us);
	json_str(out, "program", w->program);
	json_str(out, "strategy", w->path);
	entry_record(out, &w->at);
}

static void
number(struct buf *out, const char *key, float v)
{
	if (!isnan(v))
		json_num(out, key, round((double)v * 1e4) / 1e4);
}

void
why_record(struct buf *out, const char *user, const struct why *w)
{
	const struct handed *h = &w->at;

	json_record(out, "why");
	answer_record(out, user, w);
	number(out, "score", h->score);
	number(out, "p", h->p);
	number(out, "sim", h->sim);
	number(out, "bm25", h->bm25);
	json_key(out, "lists");
	buf_addf(out, "[%s%s%s]", h->bm25 > 0 ? "\"bm25\"" : "",
	    h->bm25 > 0 && !isnan(h->sim) ? "," : "", !isnan(h->sim) ? "\"dense\"" : "");
	if (h->x != NULL) {
		json_object_open(out, "signals");
		for (size_t i = 0; i < N_SIGNALS; i++)
			if (h->x[i] != 0)
				number(out, signals[i].name, h->x[i]);
		json_close(out);
	}
	json_array_open(out, "items");
	for (size_t i = 0; i < w->n; i++) {
		json_object_open(out, NULL);
		json_str(out, "id", w->ids[i]);
		entry_record(out, &w->items[i]);
		json_close(out);
	}
	json_array_close(out);
	json_close(out);
}

void
seen_record(struct buf *out, const char *user, const struct why *w)
{
	json_record(out, "seen");
	answer_record(out, user, w);
	json_close(out);
}
