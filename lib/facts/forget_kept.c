/*
 * forget_kept.c: a fact that rests on what goes and on more. It stays, unless its words are those
 * of what goes: one has several sources when two have said the same, and it is worded as one of
 * them said it.
 */
#include "base/alloc.h"
#include "facts/forget_parts.h"
#include "facts/important.h"
#include "store/records.h"
#include "text/words.h"

struct wording { struct forget *f; const struct forget_words *others; bool is_theirs; };

/* A word of the fact that what goes has, too. */
static void
look_at_word(void *arg, struct forget_word *w)
{
	struct wording *v = arg;

	if (!w->is_term && !words_is_stop(w->text, w->len) &&
	    forget_words_find(v->others, w->text, w->len, false) == NULL)
		v->is_theirs = true;
}

bool
forget_takes_message(const struct forget *f, int64_t row)
{
	for (size_t i = 0; i < f->n_messages; i++)
		if (f->messages[i].row == row)
			return true;
	for (size_t i = 0; i < f->n_in_sessions; i++)
		if (f->in_sessions[i].row == row)
			return true;
	return false;
}

bool
forget_takes_record(const struct forget *f, int64_t row)
{
	for (size_t i = 0; i < f->n_records; i++)
		if (f->records[i].row == row)
			return true;
	for (size_t i = 0; i < f->n_made; i++)
		if (f->made[i].row == row)
			return true;
	return false;
}

static int
add_source(const struct forget *f, struct store *s, const char *id, struct arena *a,
	struct forget_words *words, struct err *err)
{
	const struct message *m;
	const struct fact *r = NULL;

	if (messages_find(s, &f->who, id, a, &m, err) < 0 ||
	    (m == NULL && records_find(s, &f->who, id, a, &r, err) < 0))
		return -1;
	if (m != NULL && !forget_takes_message(f, m->row)) {
		forget_words_add(words, m->content, m->content_len);
		forget_words_add(words, m->name, strlen(m->name));
	}
	if (r != NULL && !forget_takes_record(f, r->head.row))
		forget_words_add(words, r->head.content, r->head.content_len);
	return 0;
}

static int
look_at_version(void *arg, const struct fact *r)
{
	struct wording *v = arg;

	forget_words_look(&v->f->words, r->head.content, r->head.content_len, look_at_word, v);
	return 0;
}

/* Whether the record has, or had, a word that what goes has, and nothing else that it rests on. */
static int
is_worded_so(struct forget *f, struct store *s, int64_t row, bool *is, struct err *err)
{
	struct forget_words others = { .arena = ARENA_INIT };
	struct wording v = { f, &others, false };
	struct arena a = ARENA_INIT;
	const struct fact *r;
	int rc = records_by_row(s, &f->who, row, TIME_NONE, &a, &r, err);

	for (size_t i = 0; rc == 0 && r != NULL && i < r->head.n_sources; i++)
		rc = add_source(f, s, r->head.sources[i].id, &a, &others, err);
	if (rc == 0 && r != NULL)
		rc = forget_versions_each(f, s, row, look_at_version, &v, err);
	*is = v.is_theirs;
	forget_words_free(&others);
	arena_release(&a);
	return rc;
}

static void
add_made(struct forget *f, const struct made_record *r)
{
	xgrow(&f->made, &f->cap_made, f->n_made + 1, sizeof(*f->made));
	f->made[f->n_made++] = *r;
}

/* ---- records that were taken back: their history is left ---- */

static bool
id_goes(const struct forget *f, const char *id)
{
	const struct forget_message *const lists[] = { f->messages, f->in_sessions };
	const size_t n[] = { f->n_messages, f->n_in_sessions };

	for (size_t k = 0; k < NELEM(lists); k++)
		for (size_t i = 0; i < n[k]; i++)
			if (strcmp(lists[k][i].id, id) == 0)
				return true;
	for (size_t i = 0; i < f->n_records; i++)
		if (strcmp(f->records[i].id, id) == 0)
			return true;
	for (size_t i = 0; i < f->n_made; i++)
		if (strcmp(f->made[i].id, id) == 0)
			return true;
	return false;
}

struct undone { struct forget *f; bool more; };

/* Adds one that rested on what goes alone, protected or not. */
static int
add_undone(void *arg, const struct fact *r)
{
	struct undone *u = arg;
	const struct record_head *h = &r->head;
	struct made_record made = { .row = h->row };

	for (size_t i = 0; i < h->n_sources; i++)
		if (!id_goes(u->f, h->sources[i].id))
			return 0;
	if (h->n_sources == 0 || forget_takes_record(u->f, h->row))
		return 0;
	memcpy(made.id, h->id, ID_TEXT);
	add_made(u->f, &made);
	u->more = true;
	return 0;
}

int
forget_find_made(struct forget *f, struct store *s, struct err *err)
{
	struct made_records m = { 0 };
	int64_t *rows, *records;
	struct undone undone = { .f = f };
	bool more = true, is;
	int rc = 0;

	while (more && rc == 0) {
		struct going g = forget_going(f, &rows, &records);

		g.n_records = f->n_records + f->n_made;
		g.mark = "\"" IMPORTANT_TAG "\"";
		rc = going_made(s, &f->who, &g, &m, err);
		free(rows);
		free(records);
		for (size_t i = 0; i < m.n && rc == 0; i++)
			add_made(f, &m.items[i]);
		more = false;
		for (size_t i = 0; i < m.n_kept && rc == 0; i++) {
			if ((rc = is_worded_so(f, s, m.kept[i].row, &is, err)) != 0 || !is)
				continue;
			add_made(f, &m.kept[i]);
			more = true;           /* others may rest on it */
		}
		free(f->guarded);
		f->guarded = m.guarded;
		f->n_guarded = m.n_guarded;
		m.guarded = NULL;
		made_release(&m);
		if (rc == 0 && !more) {
			undone.more = false;
			rc = records_undone_each(s, &f->who, add_undone, &undone, err);
			more = undone.more;
		}
	}
	return rc;
}
