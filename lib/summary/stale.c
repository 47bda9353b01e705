/* stale.c: the stale records of each kind, and what is put in their place. */
#include "summary/stale.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "facts/again.h"
#include "facts/made.h"
#include "json/json.h"

struct looking {
	struct store *store;
	const struct scope *who;
	struct summarize_options o;
	stale_fn *fn;
	void *arg;
	struct stale_counts *counts;
	struct arena arena;                    /* emptied after each record */
	struct err *err;
};

static int
tell(struct looking *k, const struct stale *v)
{
	k->counts->n++;
	return k->fn(k->arg, v);
}

/* ---- facts ---- */

static int
take_again(void *arg, const struct again *v)
{
	return tell(arg, &(struct stale){ v->was, v->now, false, v->why });
}

/*
 * Whether another model is configured than made it. A service may call its model by a longer name
 * than the settings: "NAME:latest".
 */
static bool
is_other_model(const char *made)
{
	const char *model = conf_text("chat_model");

	/* a command of an agent is asked for "haiku", and names what answered in full */
	return *model != '\0' && strncmp(made, model, MIN(strlen(made), strlen(model))) != 0 &&
	    strstr(made, model) == NULL;
}

/* A fact that a language model extracted, when another one is configured now. */
static int
take_model_fact(void *arg, const struct fact *f)
{
	struct looking *k = arg;
	const char *made = made_of(&f->head, &k->arena);
	bool other = strncmp(made, "model:", 6) == 0 && is_other_model(made + 6);
	int rc = 0;

	if (other)
		rc = tell(k, &(struct stale){ f, NULL, true, "another model is configured now" });
	arena_reset(&k->arena);
	return rc;
}

/* ---- summaries ---- */

static bool
is_same_text(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static const char *
summary_difference(const struct fact *was, const struct fact *now, int64_t n_stale,
	struct arena *a)
{
	if (n_stale > 0)
		return was->summary.kind == SUMMARY_SESSION
		    ? arena_printf(a, "%lld message%s added since", (long long)n_stale,
			  n_stale == 1 ? " was" : "s were")
		    : arena_printf(a, "%lld of its facts changed since", (long long)n_stale);
	if (now == NULL)
		return "what it was made of is gone";
	if (was->head.content_len != now->head.content_len ||
	    memcmp(was->head.content, now->head.content, was->head.content_len) != 0)
		return "what it was made of, or the rules, changed: it would say something else";
	if (was->summary.first != now->summary.first || was->summary.last != now->summary.last)
		return "it would be of other turns";
	if (!is_same_text(was->summary.structured, now->summary.structured))
		return "its structured part would be another";
	return NULL;
}

static int
take_summary(void *arg, const struct fact *f)
{
	struct looking *k = arg;
	struct stale v = { .was = f, .by_model = f->summary.model[0] != '\0' };
	int64_t n_stale;
	bool by_hand;
	int rc = -1;

	if (again_by_hand(k->store, k->who, f->head.row, &by_hand, k->err) < 0 ||
	    summary_stale(k->store, k->who, f, &n_stale, k->err) < 0)
		return -1;
	if (by_hand)
		return 0;
	if (v.by_model) {
		if (n_stale > 0)
			v.why = summary_difference(f, f, n_stale, &k->arena);
		else if (is_other_model(f->summary.model))
			v.why = "another model is configured now";
	} else if (summary_again(k->store, k->who, f, &k->o, &k->arena, &v.now, k->err) < 0) {
		goto out;
	} else {
		v.why = summary_difference(f, v.now, n_stale, &k->arena);
	}
	rc = v.why != NULL ? tell(k, &v) : 0;
out:
	arena_reset(&k->arena);
	return rc;
}

/* As mem-summarize makes them, by the settings. */
static struct looking
looking_for(struct store *s, const struct scope *who, stale_fn *fn, void *arg,
	struct stale_counts *counts, struct err *err)
{
	return (struct looking){ .store = s, .who = who, .fn = fn, .arg = arg, .counts = counts,
		.err = err, .o = { .session_tokens = (unsigned)conf_int("summarize_tokens"),
		    .fact_words = (unsigned)conf_int("summarize_words") } };
}

int
stale_each(struct store *s, const struct scope *who, bool all, stale_fn *fn, void *arg,
	struct stale_counts *counts, struct err *err)
{
	struct looking k = looking_for(s, who, fn, arg, counts, err);
	struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT);
	struct record_filter summaries = RECORD_FILTER_ANY(RECORD_SUMMARY);

	*counts = (struct stale_counts){ .n = 0 };
	int rc = facts_again(s, who, all, take_again, &k, &counts->n_unknown, err);
	if (rc == 0)
		rc = records_each(s, who, &facts, take_model_fact, &k, err);
	if (rc == 0)
		rc = records_each(s, who, &summaries, take_summary, &k, err);
	arena_release(&k.arena);
	return rc;
}

/* ---- repairing ---- */

struct todo { int64_t row; struct fact now; bool gone, by_model; const char *why; };

struct repairing {
	struct arena arena;
	struct todo *items;
	size_t n, cap;
};

static const char *
keep(struct repairing *r, const char *s)
{
	return s != NULL ? arena_strdup(&r->arena, s) : "";
}

/* Notes what to do; nothing can be written while what is stale is looked for. */
static int
note_todo(void *arg, const struct stale *v)
{
	struct repairing *r = arg;
	struct todo *t = xpush(r->items, r->n, r->cap);

	*t = (struct todo){ .row = v->was->head.row, .gone = v->now == NULL && !v->by_model,
		.by_model = v->by_model, .why = keep(r, v->why) };
	if (v->now == NULL)
		return 0;
	t->now = *v->now;
	t->now.key = keep(r, v->now->key);
	t->now.bank = keep(r, v->now->bank);
	t->now.head.content = arena_strndup(&r->arena, v->now->head.content,
	    v->now->head.content_len);
	t->now.head.extra = keep(r, v->now->head.extra);
	t->now.summary.model = keep(r, v->now->summary.model);
	t->now.summary.structured = keep(r, v->now->summary.structured);
	if (v->now->head.n_sources > 0) {
		struct record_source *sources =
		    arena_alloc(&r->arena, v->now->head.n_sources * sizeof(*sources));

		for (size_t i = 0; i < v->now->head.n_sources; i++) {
			sources[i] = v->now->head.sources[i];
			sources[i].id = keep(r, sources[i].id);
		}
		t->now.head.sources = sources;
	}
	return 0;
}

/* What the record becomes: all that is not derived of it stays. */
static struct fact
put_in_place(const struct fact *was, const struct todo *t)
{
	struct fact f = *was;
	const struct fact *now = &t->now;

	if (t->gone) {
		f.head.retracted_us = clock_now_us();
		return f;
	}
	f.head.content = now->head.content;
	f.head.content_len = now->head.content_len;
	f.head.extra = now->head.extra;
	if (was->head.type == RECORD_SUMMARY) {
		f.head.time_us = now->head.time_us;
		f.head.trust = now->head.trust;
		f.head.sources = now->head.sources;
		f.head.n_sources = now->head.n_sources;
		f.summary = now->summary;
		return f;
	}
	f.key = now->key;
	f.bank = now->bank;
	f.category = now->category;
	f.kind = now->kind;
	if (was->head.n_sources == 1) {
		f.importance = now->importance;
		f.confidence = now->confidence;
	}
	return f;
}

/* What a consolidation hid is shown again when it is retracted. */
static int
show_facts(struct store *s, const struct scope *who, struct step *step, const struct fact *was,
	struct arena *a, struct err *err)
{
	for (size_t i = 0; i < was->head.n_sources; i++) {
		const struct fact *of;

		if (records_find(s, who, was->head.sources[i].id, a, &of, err) < 0)
			return -1;
		if (of == NULL || strcmp(of->summarized, was->head.id) != 0)
			continue;
		struct fact f = *of;
		f.summarized = "";
		if (records_change(s, who, step, &f, err) < 0)
			return -1;
	}
	return 0;
}

static int
repair_one(struct looking *k, const struct todo *t)
{
	struct step step = { .did = STEP_EDIT, .why = AGAIN_WHY };
	struct arena *a = &k->arena;
	const struct fact *was, *again = NULL;
	struct todo do_it = *t;
	int rc = -1;

	if (records_by_row(k->store, k->who, t->row, TIME_NONE, a, &was, k->err) < 0)
		return -1;
	if (was == NULL)
		return 0;
	if (t->by_model) {
		/* only mem-extract asks a model for facts: they wait for it */
		if (was->head.type != RECORD_SUMMARY || k->o.llm == NULL)
			return 0;
		if (summary_again(k->store, k->who, was, &k->o, a, &again, k->err) < 0)
			return -1;
		do_it.gone = again == NULL;
		if (again != NULL)
			do_it.now = *again;
	}
	struct fact f = put_in_place(was, &do_it);
	if (store_begin_user(k->store, k->who->user, k->err) < 0)
		return -1;
	rc = records_change(k->store, k->who, &step, &f, k->err);
	if (rc == 0 && do_it.gone && was->head.type == RECORD_SUMMARY)
		rc = show_facts(k->store, k->who, &step, was, a, k->err);
	if (store_end(k->store, rc, k->err) < 0)
		return -1;
	return tell(k, &(struct stale){ was, do_it.gone ? NULL : &f, t->by_model, t->why });
}

int
stale_repair(struct store *s, const struct scope *who, struct llm *l, stale_fn *fn, void *arg,
	struct stale_counts *counts, struct err *err)
{
	struct looking k = looking_for(s, who, fn, arg, counts, err);
	struct repairing r = { .n = 0 };
	int rc = stale_each(s, who, false, note_todo, &r, counts, err);

	k.o.llm = l;
	counts->n = 0;
	for (size_t i = 0; i < r.n && rc == 0; i++) {
		rc = repair_one(&k, &r.items[i]);
		arena_reset(&k.arena);
	}
	free(r.items);
	arena_release(&r.arena);
	arena_release(&k.arena);
	return rc < 0 ? -1 : 0;
}

/* ---- as records ---- */

void
record_stale(struct buf *out, const char *user, const struct stale *v)
{
	const struct record_head *h = &v->was->head;

	json_record(out, "stale");
	json_str(out, "id", h->id);
	json_str(out, "user", user);
	json_str(out, "session", h->session != NULL && *h->session != '\0' ? h->session : NULL);
	json_str(out, "of", h->type == RECORD_SUMMARY ? "summary" : "fact");
	json_str(out, "why", v->why);
	json_strn(out, "content", h->content, h->content_len);
	if (v->now != NULL)
		json_strn(out, "now", v->now->head.content, v->now->head.content_len);
	json_close(out);
}
