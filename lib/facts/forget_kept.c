/*
 * forget_kept.c: a fact that rests on what goes and on more. It stays, unless its words are those
 * of what goes: one has several sources when two have said the same, and it is worded as one of
 * them said it.
 */
#include "base/alloc.h"
#include "base/id.h"
#include "facts/forget_parts.h"
#include "facts/important.h"
#include "store/records.h"
#include "text/words.h"

struct wording { struct forget *f; const struct forget_words *others; bool is_theirs; };

/* A word of the fact that what goes has, too. */
static void
look_at_word(void *arg, struct forget_word *w, enum forget_form form)
{
	struct wording *v = arg;

	if (form == FORGET_WORD && (w->also & FORGET_BIT(form)) != 0 &&
	    !words_is_stop(w->text, w->last + 1u) &&
	    forget_words_find(v->others, w->text, w->last + 1u, form) == NULL)
		v->is_theirs = true;
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

	forget_words_look(&v->f->sought, r->head.content, r->head.content_len, look_at_word, v);
	return 0;
}

static int
seek_version(void *arg, const struct fact *r)
{
	struct forget *f = arg;

	forget_words_add(&f->sought, r->head.content, r->head.content_len);
	return 0;
}

/* Finds what words of these records what goes has. */
static int
seek_words(struct forget *f, struct store *s, const struct made_record *r, size_t n,
	struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (forget_versions_each(f, s, r[i].row, seek_version, f, err) < 0)
			return -1;
	return n > 0 ? forget_seek(f, s, err) : 0;
}

/* Whether the record has, or had, a word that what goes has, and nothing else that it rests on. */
static int
is_worded_so(struct forget *f, struct store *s, int64_t row, bool *is, struct err *err)
{
	LOCAL(forget_words) others = { 0 };
	struct wording v = { f, &others, false };
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *r;
	int rc = records_by_row(s, &f->who, row, TIME_NONE, &a, &r, err);

	for (size_t i = 0; rc == 0 && r != NULL && i < r->head.n_sources; i++)
		rc = add_source(f, s, r->head.sources[i].id, &a, &others, err);
	if (rc == 0 && r != NULL)
		rc = forget_versions_each(f, s, row, look_at_version, &v, err);
	*is = v.is_theirs;
	return rc;
}

static void
add_made(struct forget *f, const struct made_record *r)
{
	*xpush(f->made, f->n_made, f->cap_made) = *r;
}

/* ---- records that were taken back: their history is left ---- */

static int
id_goes(const struct forget *f, struct store *s, const char *id, bool *goes, struct err *err)
{
	const struct scope who = { f->who.user, NULL, NULL, NULL };
	LOCAL(arena) a = ARENA_INIT;
	const struct message *m = NULL;
	uint8_t bytes[ID_BYTES];
	int rc = 0;

	*goes = true;
	for (size_t i = 0; i < f->n_records; i++)
		if (strcmp(f->records[i].id, id) == 0)
			return 0;
	for (size_t i = 0; i < f->n_made; i++)
		if (strcmp(f->made[i].id, id) == 0)
			return 0;
	if (id_parse(id, strlen(id), bytes) == 0)
		rc = messages_find(s, &who, id, &a, &m, err);
	*goes = m != NULL && strcmp(m->id, id) == 0 && forget_takes_message(f, m->row);
	return rc;
}

/* Versions of what was taken back, with what each rests on. */
struct undone_one { struct made_record record; const char **sources; size_t n; };
struct undone {
	const struct forget *f;
	struct arena arena;
	struct undone_one *items;
	size_t n, cap;
};

static int
note_undone(void *arg, const struct fact *r)
{
	struct undone *u = arg;
	const struct record_head *h = &r->head;
	struct undone_one one = { .record.row = h->row, .n = h->n_sources };

	if (h->n_sources == 0 || forget_takes_record(u->f, h->row))
		return 0;
	memcpy(one.record.id, h->id, ID_TEXT);
	one.sources = arena_alloc(&u->arena, h->n_sources * sizeof(*one.sources));
	for (size_t i = 0; i < h->n_sources; i++)
		one.sources[i] = arena_strdup(&u->arena, h->sources[i].id);
	*xpush(u->items, u->n, u->cap) = one;
	return 0;
}

/* Adds each that rested on what goes alone, protected or not. *more: there was one. */
static int
add_undone(struct forget *f, struct store *s, bool *more, struct err *err)
{
	struct undone u = { .f = f, .arena = ARENA_INIT };
	int rc = records_was_each(s, &f->who, 0, note_undone, &u, err);

	for (size_t i = 0; i < u.n && rc == 0; i++) {
		const struct undone_one *one = &u.items[i];
		bool goes = !forget_takes_record(f, one->record.row);

		for (size_t k = 0; k < one->n && goes && rc == 0; k++)
			rc = id_goes(f, s, one->sources[k], &goes, err);
		if (rc != 0 || !goes)
			continue;
		add_made(f, &one->record);
		*more = true;
	}
	free(u.items);
	arena_release(&u.arena);
	return rc;
}

int
forget_find_made(struct forget *f, struct store *s, struct err *err)
{
	struct made_records m = { 0 };
	int64_t *rows, *records;
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
		if (rc == 0)
			rc = seek_words(f, s, m.kept, m.n_kept, err);
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
		made_records_release(&m);
		if (rc == 0 && !more)
			rc = add_undone(f, s, &more, err);
	}
	return rc;
}
