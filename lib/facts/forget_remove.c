/*
 * forget_remove.c: the removal, in one transaction. What goes is found in it, so that a message
 * that came in between a dry run and this goes too where a session or filter takes it.
 */
#include "base/alloc.h"
#include "facts/forget_parts.h"
#include "ingest/documents.h"
#include "ingest/source_name.h"
#include "statement/merge_guard.h"
#include "store/about.h"
#include "store/categories.h"

struct rows { int64_t *items; size_t n, cap; };

static int
note_category(void *arg, const struct category *c)
{
	struct rows *r = arg;

	*xpush(r->items, r->n, r->cap) = c->row;
	return 0;
}

/* What is kept of a user besides sessions and records. */
static int
remove_user(struct forget *f, struct store *s, struct err *err)
{
	struct rows categories = { NULL, 0, 0 };
	int64_t n_metrics;
	size_t n_fields;
	int rc = categories_each(s, &f->who, note_category, &categories, err);

	for (size_t i = 0; i < categories.n && rc == 0; i++)
		rc = category_remove(s, &f->who, categories.items[i], err);
	free(categories.items);
	if (rc == 0)
		rc = about_revoke(s, &f->who, &n_fields, err);
	return rc == 0 ? metrics_remove(s, &f->who, INT64_MAX, &n_metrics, err) : rc;
}

/*
 * What is noted of files may hold words of their last turns, and their names; which of them what
 * goes has come from is not known. So all of the user's are read from their beginning again.
 */
static int
forget_files(struct forget *f, struct store *s, struct err *err)
{
	bool any = f->want->all || f->n_sessions + f->n_parts > 0;

	if (f->want->all && documents_forget(s, &f->who, NULL, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n_sessions; i++)
		if (source_names_bury(s, &f->who, f->sessions[i], err) < 0 ||
		    documents_forget(s, &f->who, f->sessions[i], err) < 0)
			return -1;
	for (size_t i = 0; i < f->n_parts; i++)
		if (f->parts[i].untitle &&
		    sessions_untitle(s, &f->who, f->parts[i].name, err) < 0)
			return -1;
	return any && (inputs_forget_names(s, &f->who, err) != 0 ||
	    inputs_forget(s, &f->who, "", err) != 0) ? -1 : 0;
}

/* ---- the words of records ---- */

struct burying { const struct forget *f; struct store *s; struct err *err; };

static int
bury_words(void *arg, const struct fact *r)
{
	struct burying *b = arg;
	struct record_words w = { .project = r->head.project };
	FREED char *plain = merge_guard_plain(r->head.content, r->head.content_len, &w.len);

	w.text = plain;
	return words_forget(b->s, &b->f->who, &w, b->err);
}

/* So that no program stores again what records [n] say, or said before they were edited. */
static int
bury_records(const struct forget *f, struct store *s, const int64_t *rows, size_t n,
	struct err *err)
{
	struct burying b = { f, s, err };
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct fact *r;

		rc = records_by_row(s, &f->who, rows[i], TIME_NONE, &a, &r, err);
		if (rc == 0 && r != NULL)
			rc = bury_words(&b, r);
		if (rc == 0)
			rc = records_was_each(s, &f->who, rows[i], bury_words, &b, err);
		arena_reset(&a);
	}
	return rc;
}

static int
remove_all(struct forget *f, struct store *s, struct err *err)
{
	FREED int64_t *rows = NULL, *records = NULL;
	int64_t n_messages;
	struct going g = forget_going(f, &rows, &records);
	int rc = bury_records(f, s, records, f->n_records + f->n_made, err);

	if (rc == 0)
		rc = records_remove(s, &f->who, records, f->n_records + f->n_made, err);
	if (rc == 0)
		rc = going_remove(s, &f->who, &g, &n_messages, err);
	if (rc == 0)
		rc = forget_files(f, s, err);
	if (rc == 0 && f->want->all)
		rc = remove_user(f, s, err);
	if (rc == 0)
		rc = names_prune(s, &f->who, err);
	return rc;
}

int
forget_now(struct store *s, struct forget *f, struct err *err)
{
	return forget_plan(s, f, err) < 0 ? -1 : remove_all(f, s, err);
}

int
forget_do(struct store *s, struct forget *f, struct err *err)
{
	if (store_begin_user(s, f->who.user, err) < 0)
		return -1;
	return store_end(s, forget_now(s, f, err), err);
}
