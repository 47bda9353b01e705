/*
 * wiring.c: what a file should hold is worked out from what it holds (setup/edit.h) and from what
 * it was before us (setup/journal.h); it is written only when that differs.
 */
#include "setup/wiring.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "setup/edit.h"
#include "setup/section.h"

#define TRIES 3

static int
pieces_of(const struct agent *a, int64_t wires, const struct commands *c, struct arena *arena,
	struct pieces *p, struct err *err)
{
	for (size_t i = 0; i < NELEM(a->wires); i++)
		if ((wires >> i & 1) != 0 && pieces_add(p, a->wires[i].adds, c, arena, err) != 0)
			return -1;
	return 0;
}

/* ---- what a file should hold ---- */

struct draft {
	struct arena arena;
	const char *path;          /* with links followed */
	struct file now, was;      /* was: without us */
	struct buf text;           /* what it should hold */
};

static void
draft_release(struct draft *d)
{
	file_release(&d->now);
	file_release(&d->was);
	buf_release(&d->text);
	arena_release(&d->arena);
}

static void
copy_file(struct file *to, const char *text, size_t len, bool exists)
{
	buf_reset(&to->text);
	buf_add(&to->text, text, len);
	to->exists = exists;
}

/* Sets d->was from what the file holds now. */
static int
find_was(struct draft *d, const struct wiring *w, const struct pieces *p, const struct journal *j,
	struct err *err)
{
	const struct entry *e = journal_find(j, d->path);
	char hash[SHA256_TEXT];
	LOCAL(file) copy = { 0 };

	file_hash(d->now.text.data, d->now.text.len, d->now.exists, hash);
	if (e == NULL || !d->now.exists || strcmp(hash, e->before) == 0) {
		copy_file(&d->was, d->now.text.data, d->now.text.len, d->now.exists);
		return 0;
	}
	int rc = journal_was(j, e, &copy, err);
	if (rc == 0 && (strcmp(hash, e->after) == 0 || w->form == WIRE_FILE)) {
		copy_file(&d->was, copy.text.data, copy.text.len, copy.exists);
	} else if (rc == 0) {
		LOCAL(buf) rest = buf_of(FILE_MOST);
		rc = edit_remove(w->form, d->now.text.data, d->now.text.len,
		    &(struct edit_original){ copy.text.data, copy.text.len }, p, &rest, err);
		copy_file(&d->was, rest.data, rest.len, copy.exists || rest.len > 0);
	}
	return rc;
}

/* A file of our own: ours to write where there is none, or still what we wrote. */
static int
draft_own(struct draft *d, const char *text, const struct journal *j, struct err *err)
{
	const struct entry *e = journal_find(j, d->path);
	char hash[SHA256_TEXT];

	buf_adds(&d->text, text);
	file_hash(d->now.text.data, d->now.text.len, d->now.exists, hash);
	if (!d->now.exists || strcmp(d->now.text.data, text) == 0 ||
	    (e != NULL && strcmp(hash, e->after) == 0))
		return 0;
	return err_set(err, ERR_DATA, "is there already, and is not ours");
}

static int
draft_text(struct draft *d, const struct wiring *w, const struct commands *c,
	const struct journal *j, struct err *err)
{
	struct pieces p = { NULL, 0, 0 };
	int rc;

	if (w->form == WIRE_FILE) {
		LOCAL(buf) own = buf_of(FILE_MOST);
		rc = pieces_file(w->agent->wires[0].adds, c, &own, err);
		if (rc == 0)
			rc = draft_own(d, own.data, j, err);
		return rc;
	}
	rc = pieces_of(w->agent, w->wires, c, &d->arena, &p, err);
	if (rc == 0)
		rc = find_was(d, w, &p, j, err);
	struct edit_original was = { d->was.text.data, d->was.text.len };
	if (rc == 0)
		rc = edit_add(w->form, d->now.text.data, d->now.text.len, &was, &p, &d->text, err);
	free(p.list);
	return rc;
}

static int
draft_read(struct draft *d, const char *path, struct err *err)
{
	d->arena = (struct arena)ARENA_INIT;
	buf_init(&d->text, FILE_MOST);
	buf_init(&d->was.text, FILE_MOST);
	buf_init(&d->now.text, FILE_MOST);
	d->was.exists = d->now.exists = false;
	if (file_resolve(path, &d->arena, &d->path, err) != 0)
		return -1;
	buf_release(&d->now.text);
	return file_read(d->path, &d->now, err);
}

static bool
draft_is_new(const struct draft *d)
{
	return !d->now.exists || d->now.text.len != d->text.len ||
	    memcmp(d->now.text.data, d->text.data, d->text.len) != 0;
}

/* ---- looking ---- */

static void
look(struct wiring *w, const struct commands *c, const struct journal *j)
{
	struct err err = ERR_INIT;
	LOCAL(draft) d = { 0 };

	w->state = WIRED_NEVER;
	if (draft_read(&d, w->path, &err) == 0 && draft_text(&d, w, c, j, &err) == 0)
		w->state = draft_is_new(&d) ? WIRED_NOT : WIRED_YET;
	snprintf(w->why, sizeof(w->why), "%.511s", err.msg);
}

void
wirings_find(const struct agent *a, const struct commands *c, const struct journal *j,
	struct arena *arena, struct wirings *out)
{
	int64_t done = 0;

	for (size_t i = 0; i < NELEM(a->wires) && a->wires[i].file != NULL; i++) {
		struct places files = { NULL, 0, 0 };
		struct wiring w = { .agent = a, .form = a->wires[i].form };

		for (size_t k = i; k < NELEM(a->wires) && a->wires[k].file != NULL; k++) {
			if ((done >> k & 1) != 0 ||
			    strcmp(a->wires[k].file, a->wires[i].file) != 0)
				continue;
			w.wires |= (int64_t)1 << k;
			w.hooks |= !a->wires[k].server;
			w.server |= a->wires[k].server;
		}
		done |= w.wires;
		if (w.wires == 0)
			continue;
		agent_files(a, &a->wires[i], &files);
		for (size_t k = 0; k < files.n; k++) {
			xgrow(&out->list, &out->cap, out->n + 1, sizeof(*out->list));
			w.path = arena_strdup(arena, files.paths[k]);
			out->list[out->n] = w;
			look(&out->list[out->n++], c, j);
		}
		places_release(&files);
	}
}

/* ---- writing ---- */

/* Enters the file into the journal, makes its directories, and writes it. */
static int
write_draft(struct draft *d, const char *agent, int64_t wires, struct journal *j, bool *journalled,
	struct err *err)
{
	struct entry e = { .path = d->path, .agent = agent, .wires = wires };
	size_t n_dirs;

	*journalled = false;
	if (!utf8_valid(d->path, strlen(d->path)))
		return err_set(err, ERR_DATA, "has a name that is not UTF-8");
	file_hash(d->was.text.data, d->was.text.len, d->was.exists, e.before);
	file_hash(d->text.data, d->text.len, true, e.after);
	char **dirs = dirs_missing(d->path, &d->arena, &n_dirs);
	if (journal_put(j, &e, &d->was, err) != 0)
		return -1;
	*journalled = true;
	if (dirs_make(dirs, n_dirs, err) != 0)
		return -1;
	return file_replace(d->path, d->text.data, d->text.len, &d->now, err);
}

int
wiring_put(struct wiring *w, const struct commands *c, struct journal *j, struct err *err)
{
	bool journalled = true;
	int rc = -1;

	for (int i = 0; i < TRIES && rc != 0 && journalled; i++) {
		struct err why = ERR_INIT;
		struct draft d;

		w->state = WIRED_NEVER;
		rc = draft_read(&d, w->path, &why) == 0 ? draft_text(&d, w, c, j, &why) : -1;
		if (rc == 0 && journal_find(j, d.path) != NULL)
			file_clean(d.path);            /* of a run that was killed */
		if (rc == 0 && draft_is_new(&d)) {
			rc = write_draft(&d, w->agent->name, w->wires, j, &journalled, &why);
			/* nothing was changed, so there is nothing to give back */
			if (rc != 0 && journalled && why.code != ERR_BUSY)
				wiring_undo(journal_find(j, d.path), c, j, NULL);
		}
		draft_release(&d);
		if (rc == 0)
			w->state = WIRED_YET;
		snprintf(w->why, sizeof(w->why), "%.511s", why.msg);
		if (!journalled)
			*err = why;
		if (why.code != ERR_BUSY)
			break;
	}
	return journalled ? 0 : -1;
}

int
wiring_own(const char *path, const char *text, struct journal *j, bool *changed, struct err *err)
{
	bool journalled;
	LOCAL(draft) d = { 0 };
	int rc = draft_read(&d, path, err);

	if (rc == 0)
		rc = draft_own(&d, text, j, err);
	if (rc == 0 && journal_find(j, d.path) != NULL)
		file_clean(d.path);
	*changed = rc == 0 && draft_is_new(&d);
	if (*changed)
		rc = write_draft(&d, "", 0, j, &journalled, err);
	return rc;
}

/* ---- sections ---- */

/* Sets rest to the text without the section. */
static int
without_section(const struct file *now, struct section *s, struct buf *rest, struct err *err)
{
	if (section_find(now->text.data, now->text.len, s, err) != 0)
		return -1;
	if (s->edited)
		return err_set(err, ERR_DATA, "was edited within the section of mem: move what is "
		    "yours out of it, and delete it");
	section_take(now->text.data, now->text.len, s, rest);
	return 0;
}

/* Writes the draft of a section, or gives the file back where it has none any more. */
static int
write_section(struct draft *d, bool wanted, struct journal *j, struct err *err)
{
	const struct entry *e = journal_find(j, d->path);
	bool journalled;

	if (e != NULL)
		file_clean(d->path);
	if (!wanted && e != NULL)
		return wiring_undo(e, NULL, j, err);
	if (!wanted)
		return file_replace(d->path, d->text.data, d->text.len, &d->now, err);
	if (write_draft(d, SECTION_AGENT, 0, j, &journalled, err) == 0)
		return 0;
	if (journalled && e == NULL)
		journal_drop(j, d->path, NULL);
	return -1;
}

int
wiring_section(const char *path, const struct section_want *want, struct journal *j,
	const char **did, struct err *err)
{
	bool wanted = *want->body != '\0', there;
	struct section s;
	LOCAL(draft) d = { 0 };
	int rc = draft_read(&d, path, err);

	*did = "none";
	if (rc == 0 && wanted && memchr(d.now.text.data, '\0', d.now.text.len) != NULL)
		rc = err_set(err, ERR_DATA, "is no text in UTF-8");
	if (rc == 0)
		rc = without_section(&d.now, &s, &d.was.text, err);
	if (rc != 0)
		return rc;
	there = s.start < s.end;
	const struct entry *e = journal_find(j, d.path);
	d.was.exists = d.now.exists &&
	    (d.was.text.len > 0 || e == NULL || e->before[0] != '\0');
	if (there && s.of != want->of && !want->only && !want->take)
		rc = err_set(err, ERR_DATA, "has a section of another directory's or user's "
		    "memory: --undo takes it out");
	if (rc != 0 || (want->only && (!there || s.of != want->of)))
		return rc;
	if (!there && !wanted) {
		/* a run that was killed may have entered the file, and left another beside it */
		if (e != NULL && !want->dry && strcmp(e->agent, SECTION_AGENT) == 0)
			rc = write_section(&d, wanted, j, err);
		return rc;
	}
	if (wanted)
		section_put(d.now.text.data, d.now.text.len, &s, want->body, want->of, &d.text);
	else
		buf_add(&d.text, d.was.text.data, d.was.text.len);
	*did = !draft_is_new(&d) ? "same" : !wanted ? "taken" : "written";
	/* one that came with the file, as from another machine, is entered, too */
	if (!want->dry && (draft_is_new(&d) || e == NULL))
		rc = write_section(&d, wanted, j, err);
	return rc;
}

/* ---- giving back ---- */

static int
give_back(const char *path, const struct file *now, const struct file *to, struct err *err)
{
	if (!to->exists)
		return file_remove(path, err);
	return file_replace(path, to->text.data, to->text.len, now, err);
}

/* The file was changed by others: without our part it is *rest. */
static int
without_us(const struct entry *e, const struct commands *c, const struct file *now,
	const struct file *was, struct file *rest, struct err *err)
{
	const struct agent *a = agent_find(e->agent);
	LOCAL(arena) arena = ARENA_INIT;
	struct pieces p = { NULL, 0, 0 };
	enum wire_form form = WIRE_FILE;
	int rc = 0;

	for (size_t i = 0; a != NULL && i < NELEM(a->wires); i++)
		if ((e->wires >> i & 1) != 0)
			form = a->wires[i].form;
	if (strcmp(e->agent, SECTION_AGENT) == 0)
		rc = without_section(now, &(struct section){ .start = 0 }, &rest->text, err);
	else if (form == WIRE_FILE)
		rc = err_set(err, ERR_DATA, "was changed since it was made, and is left");
	else if ((rc = pieces_of(a, e->wires, c, &arena, &p, err)) == 0)
		rc = edit_remove(form, now->text.data, now->text.len,
		    &(struct edit_original){ was->text.data, was->text.len }, &p, &rest->text,
		    err);
	rest->exists = was->exists || rest->text.len > 0;
	free(p.list);
	return rc;
}

int
wiring_undo(const struct entry *entry, const struct commands *c, struct journal *j, struct err *err)
{
	struct entry e = *entry;
	LOCAL(file) now = { 0 }, was = { 0 }, rest = { .exists = false };
	LOCAL(arena) arena = ARENA_INIT;
	char hash[SHA256_TEXT];
	const char *path;

	buf_init(&rest.text, FILE_MOST);
	/* since then it may have been moved, and a link put in its place */
	if (file_resolve(e.path, &arena, &path, NULL) != 0)
		path = e.path;
	file_clean(e.path);
	int rc = journal_was(j, &e, &was, err);
	if (file_read(path, &now, rc == 0 ? err : NULL) != 0)
		rc = -1;
	if (rc == 0) {
		file_hash(now.text.data, now.text.len, now.exists, hash);
		if (!now.exists || strcmp(hash, e.before) == 0)
			rc = 0;                        /* it was never written, or is gone */
		else if (strcmp(hash, e.after) == 0)
			rc = give_back(path, &now, &was, err);
		else if ((rc = without_us(&e, c, &now, &was, &rest, err)) == 0)
			rc = give_back(path, &now, &rest, err);
	}
	if (rc == 0)
		rc = journal_drop(j, e.path, err);
	return rc;
}
