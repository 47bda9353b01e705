/*
 * documents_gone.c: what is no more in its files. It is gathered until the end of the run, and goes
 * in one transaction in which it is noted, too, what the files have now: a run that is killed
 * before has added sections, which are noted with them, and the next one removes what it would
 * have. Nothing goes but sections that were read from the file, and no tombstone is put for them: a
 * file that changes here forgets nothing, here or in another store.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/zip.h"
#include "ingest/document_known.h"
#include "ingest/documents.h"
#include "store/prune.h"

/* ---- what is there no more ---- */

/*
 * Whether the directory of a file that is gone, or the next above it that is there, may be one of
 * which the medium is not: it lies on another device than the file did, or there is nothing in it.
 */
static bool
may_be_away(const struct known *k)
{
	LOCAL(arena) a = ARENA_INIT;
	struct dirent *e;
	struct stat st = { .st_dev = 0 };
	char *directory = directory_of(k->path, &a);
	bool any = false;
	DIR *dir;

	while ((dir = opendir(directory)) == NULL && errno == ENOENT && directory[1] != '\0')
		directory = directory_of(directory, &a);
	while (dir != NULL && !any && (e = readdir(dir)) != NULL)
		any = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (dir != NULL && fstat(dirfd(dir), &st) != 0)
		any = false;
	if (dir != NULL)
		closedir(dir);
	return !any || (uint64_t)st.st_dev != k->device;
}

enum whether { THERE, GONE, AWAY };

/*
 * Whether a file that was not read now is gone. A member of an archive is where that is there,
 * whole, and without it.
 */
static enum whether
is_gone(const struct known *k)
{
	if (access(k->path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return THERE;
	if (errno == ENOTDIR && file_archive_end(k->path) != NULL)
		return zip_lacks(k->path) ? GONE : THERE;
	return may_be_away(k) ? AWAY : GONE;
}

static bool
is_below(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	return strncmp(path, directory, len) == 0 && (path[len] == '/' || len == 1);
}

int
documents_below(struct documents *d, const char *path, bool *any, struct err *err)
{
	FREED char *real = realpath(path, NULL);

	*any = false;
	if (documents_load(d, err) != 0)
		return -1;
	for (size_t i = 0; real != NULL && i < d->files.n && !*any; i++)
		*any = is_below(d->files.at[i].path, real);
	return 0;
}

int
documents_walked(struct documents *d, const char *path, struct err *err)
{
	char *real, text[160];
	size_t n_kept = 0;

	if (d->g->s == NULL || *d->g->o->stop || d->g->stopped ||
	    (real = realpath(path, NULL)) == NULL)
		return 0;
	if (documents_load(d, err) != 0) {
		free(real);
		return -1;
	}
	for (size_t i = 0; i < d->files.n_loaded; i++) {
		struct known *k = &d->files.at[i];
		struct names none = { NULL, 0, 0 };

		if (k->seen || k->gone || k->moved || !is_below(k->path, real))
			continue;
		enum whether gone = is_gone(k);
		n_kept += gone == AWAY;
		if (gone != GONE)
			continue;
		d->g->counts->documents_gone++;
		known_settle(k, &none);
		k->gone = k->dirty = true;
	}
	if (n_kept > 0) {
		snprintf(text, sizeof(text), "the documents of %zu file%s that %s gone stay: their "
		    "directory is empty, or on another device, and may not be mounted", n_kept,
		    n_kept == 1 ? "" : "s", n_kept == 1 ? "is" : "are");
		documents_say(d, path, text);
	}
	free(real);
	return 0;
}

/* ---- the end ---- */

struct rows { int64_t *at; size_t n, cap; const struct known *of; };

static int
note_stale(void *arg, const struct message *m)
{
	struct rows *r = arg;

	if (m->role != ROLE_DOCUMENT || !names_has(&r->of->stale, m->source_id) ||
	    names_has(&r->of->now, m->source_id))
		return 0;
	*xpush(r->at, r->n, r->cap) = m->row;
	return 0;
}

/* The rows of the sections that go, and of no message of anybody. */
static int
stale_rows(struct documents *d, struct rows *rows, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;

	f.role = ROLE_DOCUMENT;
	for (size_t i = 0; i < d->files.n; i++) {
		struct known *k = &d->files.at[i];
		struct scope who = { d->g->o->user, NULL, NULL, k->session };

		names_sort(&k->stale);
		rows->of = k;
		if (k->stale.n > 0 &&
		    messages_each(d->g->s, &who, &f, note_stale, rows, err) != 0)
			return -1;
	}
	return 0;
}

/* In the open transaction: a session of which nothing is left is none. */
static int
remove_empty(struct documents *d, const struct scope *who, const char **names, struct err *err)
{
	struct going going = { .sessions = names, .may_return = true };
	int64_t n;

	for (size_t i = 0; i < d->files.n; i++) {
		const struct known *k = &d->files.at[i];

		if (k->stale.n == 0)
			continue;
		if (sessions_count(d->g->s, who, k->session, &n, err) != 0)
			return -1;
		if (n == 0)
			names[going.n_sessions++] = k->session;
	}
	return going.n_sessions == 0 ? 0 : going_remove(d->g->s, who, &going, &n, err);
}

static int
write_all(struct documents *d, const struct scope *who, const struct rows *rows,
	const char **names, struct err *err)
{
	struct going going = { .rows = rows->at, .n_rows = rows->n, .may_return = true };
	int64_t n_messages;
	int rc = 0;

	if (store_begin_user(d->g->s, who->user, err) != 0)
		return -1;
	if (rows->n > 0 && (rc = going_remove(d->g->s, who, &going, &n_messages, err)) == 0)
		rc = remove_empty(d, who, names, err);
	for (size_t i = 0; i < d->files.n && rc == 0; i++)
		if (d->files.at[i].dirty || d->files.at[i].moved)
			rc = known_put(d->g->s, who, &d->files.at[i], err);
	return store_end(d->g->s, rc, err);
}

int
documents_end(struct documents *d, struct err *err)
{
	struct scope who = { d->g->o->user, NULL, NULL, NULL };
	FREED const char **names = NULL;
	struct rows rows = { .n = 0 };
	size_t n_dirty = 0;
	int rc = -1;

	for (size_t i = 0; i < d->files.n; i++)
		n_dirty += d->files.at[i].dirty || d->files.at[i].moved;
	if (n_dirty == 0 || d->g->s == NULL || d->g->o->dry_run)
		return 0;
	if (batch_commit(d->g->batch, err) != 0)
		return ingest_fatal(d->g);
	names = xreallocarray(NULL, d->files.n + 1, sizeof(*names));
	if (stale_rows(d, &rows, err) == 0)
		rc = write_all(d, &who, &rows, names, err);
	free(rows.at);
	return rc == 0 ? 0 : ingest_fatal(d->g);
}
