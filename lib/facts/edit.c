/*
 * edit.c: each change is made to a copy of the record, field by field, and checked; then all
 * records are written in one transaction and one step, so that one undo takes back one command.
 * Callbacks run after the commit, so that nothing is reported that a rollback took back.
 */
#include "facts/edit.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "clean/clean_text.h"
#include "records/filter.h"

static int
usage(struct err *err, const char *what, const char *value, const char *hint)
{
	return err_set(err, ERR_USAGE, "%s '%.100s': %s", what, value, hint);
}

static int
set_time(const char *what, const char *text, int64_t *us, struct err *err)
{
	int64_t end;

	if (text == NULL)
		return 0;
	if (strcmp(text, "none") != 0)
		return filter_time(what, text, clock_now_us(), us, &end, err);
	*us = TIME_NONE;
	return 0;
}

static int
set_names(struct fact *f, const struct edit_want *w, struct arena *a, struct err *err)
{
	int v;

	if (w->bank != NULL && (f->bank = fact_bank_named(w->bank, a)) == NULL)
		return err_set(err, ERR_USAGE, "unknown bank '%.100s': %s (setting banks)", w->bank,
		    conf_text("banks"));
	if (w->category != NULL) {
		if ((v = fact_root_parse(w->category)) < 0)
			return usage(err, "unknown category", w->category,
			    "facts, preferences, skills, rules or context");
		f->category = (enum fact_root)v;
	}
	if (w->kind != NULL) {
		if ((v = fact_kind_parse(w->kind)) < 0)
			return usage(err, "unknown kind", w->kind,
			    FACT_KINDS);
		f->kind = (enum fact_kind)v;
	}
	return 0;
}

static bool
is_of_facts(const struct edit_want *w)
{
	return w->key != NULL || w->bank != NULL || w->subcategory != NULL || w->category != NULL ||
	    w->kind != NULL || w->valid_from != NULL || w->valid_to != NULL || w->importance >= 0 ||
	    w->confidence >= 0;
}

static int
set_fact(struct fact *f, const struct edit_want *w, struct arena *a, struct err *err)
{
	if (!is_of_facts(w))
		return 0;
	if (f->head.type != RECORD_FACT)
		return err_set(err, ERR_USAGE,
		    "'%s' is no fact: it has content, tags and protection only", f->head.id);
	if (set_names(f, w, a, err) < 0 ||
	    set_time("--valid-from", w->valid_from, &f->valid_from_us, err) < 0 ||
	    set_time("--valid-to", w->valid_to, &f->valid_to_us, err) < 0)
		return -1;
	if (w->valid_to != NULL)
		f->superseded_by = ""; /* the new end was set by hand, not by a later fact */
	if (f->valid_from_us != TIME_NONE && f->valid_to_us != TIME_NONE &&
	    f->valid_from_us > f->valid_to_us)
		return err_set(err, ERR_USAGE, "fact '%s' would end before it begins", f->head.id);
	if (w->key != NULL)
		f->key = fact_key_clean(w->key, a);
	if (w->subcategory != NULL)
		f->subcategory = w->subcategory;
	if (w->importance >= 0)
		f->importance = w->importance;
	if (w->confidence >= 0)
		f->confidence = w->confidence;
	return 0;
}

static int
set_head(struct fact *f, const struct edit_want *w, struct arena *a, struct err *err)
{
	struct record_head *h = &f->head;

	if (w->content != NULL) {
		h->content_len = strlen(w->content);
		h->content = clean_typed(w->content, &h->content_len, w->keep_secrets, a);
		if (h->content_len == 0)
			return err_set(err, ERR_USAGE,
			    "--content takes a text, and nothing is left of this one");
	}
	if (w->tags != NULL)
		h->tags = w->tags;
	if (w->guard >= 0)
		h->guarded = w->guard == 1;
	if (w->retract == 1 && h->retracted_us == TIME_NONE)
		h->retracted_us = clock_now_us();
	if (w->restore) {
		h->retracted_us = TIME_NONE;
		f->summarized = "";
	}
	return 0;
}

static int
change_one(struct store *s, const struct scope *who, struct step *step, const char *id,
	const struct edit_want *w, struct arena *a, int64_t *row, struct err *err)
{
	const struct fact *was;
	struct fact f;

	if (records_find(s, who, id, a, &was, err) < 0)
		return -1;
	if (was == NULL)
		return err_set(err, ERR_NOINPUT, "no fact, summary or reflection '%.100s'", id);
	f = *was;
	*row = f.head.row;
	if (set_head(&f, w, a, err) < 0 || set_fact(&f, w, a, err) < 0)
		return -1;
	return records_change(s, who, step, &f, err);
}

/* Key, subcategory and tags are searched for secrets like the content. */
static struct edit_want
without_secrets(const struct edit_want *want, struct arena *a)
{
	struct edit_want w = *want;
	LOCAL(cleaner) c;
	size_t len;

	cleaner_init(&c);
	c.keep_secrets = want->keep_secrets;
	if (w.key != NULL)
		w.key = clean_id(&c, w.key, a);
	if (w.subcategory != NULL) {
		len = strlen(w.subcategory);
		w.subcategory = clean_secrets(&c, w.subcategory, &len, a);
	}
	if (w.tags != NULL)
		w.tags = clean_list(&c, w.tags, a);
	return w;
}

int
edit_records(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	const struct edit_want *want, fact_fn *fn, void *arg, struct err *err)
{
	struct step step = { .did = STEP_EDIT,
		.why = want->restore	 ? "restored by hand"
		    : want->retract == 1 ? "retracted by hand"
					 : "by hand" };
	FREED int64_t *rows = xcalloc(n + 1, sizeof(*rows));
	LOCAL(arena) a = ARENA_INIT, kept = ARENA_INIT;
	struct edit_want clean = without_secrets(want, &kept);
	const struct fact *f;
	int rc = store_begin_user(s, who->user, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = change_one(s, who, &step, ids[i], &clean, &a, &rows[i], err);
	rc = store_end(s, rc, err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		arena_reset(&a);
		rc = records_by_row(s, who, rows[i], TIME_NONE, &a, &f, err);
		if (rc == 0 && f != NULL && fn != NULL && fn(arg, f) != 0)
			break;
	}
	return rc;
}

/* ---- undo ---- */

struct undone { char id[ID_TEXT]; bool gone; };
struct undoing { struct undone *items; size_t n, cap; };

static int
note_undone(void *arg, const char *id, bool gone)
{
	struct undoing *u = arg;

	for (size_t i = 0; i < u->n; i++)
		if (strcmp(u->items[i].id, id) == 0) {
			u->items[i].gone = gone;
			return 0;
		}
	xgrow(&u->items, &u->cap, u->n + 1, sizeof(*u->items));
	memcpy(u->items[u->n].id, id, ID_TEXT);
	u->items[u->n++].gone = gone;
	return 0;
}

int
edit_undo(struct store *s, const struct scope *who, const int64_t *numbers, size_t n, undone_fn *fn,
	void *arg, struct step *out, struct err *err)
{
	struct undoing u = { NULL, 0, 0 };
	int rc;

	if (store_begin_user(s, who->user, err) < 0)
		return -1;
	for (size_t i = 0; i < MAX(n, 1) && err->code == 0; i++) {
		if (steps_undo(s, who, n == 0 ? 0 : numbers[i], note_undone, &u, &out[i], err) ==
			0 &&
		    out[i].no == 0)
			n == 0 ? err_set(err, ERR_NOINPUT, "there is no step to take back")
			       : err_set(err, ERR_NOINPUT, "there is no step %lld",
				     (long long)numbers[i]);
	}
	rc = store_end(s, err->code != 0 ? -1 : 0, err);
	for (size_t i = 0; i < u.n && rc == 0; i++)
		if (fn(arg, u.items[i].id, u.items[i].gone) != 0)
			break;
	free(u.items);
	return rc;
}

int
edit_move(struct store *s, const struct scope *who, const char *from, const char *to,
	struct projects_moved *out, struct err *err)
{
	int rc;

	if (store_begin_user(s, who->user, err) < 0)
		return -1;
	rc = projects_move(s, who, from, to, out, err);
	if (rc == 0 && out->projects == 0)
		rc = err_set(err, ERR_NOINPUT, "there is no project '%.200s'", from);
	return store_end(s, rc, err);
}

void
record_step(struct buf *out, const char *user, const struct step *v)
{
	json_record(out, "step");
	json_int(out, "step", v->no);
	json_str(out, "user", user);
	json_time(out, "time", v->time_us);
	if (v->agent != NULL && *v->agent != '\0')
		json_str(out, "agent", v->agent);
	json_str(out, "did", step_names[v->did]);
	if (*v->why != '\0')
		json_str(out, "why", v->why);
	if (v->undone != 0)
		json_int(out, "undone", v->undone);
	json_close(out);
}
