/*
 * journal.c: the file "journal" is written anew with each change, a JSON object a line. Copies are
 * called by their hashes, so one that is there is whole and right.
 */
#include "setup/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/order.h"
#include "json/json.h"

static const char *
state_dir(struct arena *a)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state != NULL && *state == '/')
		return arena_printf(a, "%s/mem/setup", state);
	if (home != NULL && *home == '/')
		return arena_printf(a, "%s/.local/state/mem/setup", home);
	return NULL;
}

static bool
was_made(const struct journal *j, const char *dir)
{
	return text_index(dir, (const char *const *)j->dirs, j->n_dirs) >= 0;
}

static void
add_dir(struct journal *j, const char *dir)
{
	if (!was_made(j, dir))
		*xpush(j->dirs, j->n_dirs, j->cap_dirs) = arena_strdup(&j->arena, dir);
}

static int
read_line(struct journal *j, const char *line, size_t len, struct err *err)
{
	const char *path, *before, *after, *agent;
	const struct json *v;

	if (json_parse(line, len, &j->arena, &v, err) != 0)
		return -1;
	if ((path = json_get_string(v, "dir", NULL)) != NULL) {
		add_dir(j, path);
		return 0;
	}
	path = json_get_string(v, "path", NULL);
	before = json_get_string(v, "before", NULL);
	after = json_get_string(v, "after", NULL);
	agent = json_get_string(v, "agent", NULL);
	if (path == NULL || before == NULL || after == NULL || agent == NULL)
		return err_set(err, ERR_DATA, "a key is missing");
	struct entry *e = xpush(j->list, j->n, j->cap);
	*e = (struct entry){ .path = path, .agent = agent,
		.wires = (int64_t)json_get_number(v, "wires", 0) };
	snprintf(e->before, sizeof(e->before), "%s", before);
	snprintf(e->after, sizeof(e->after), "%s", after);
	return 0;
}

static const char *
in_dir(const struct journal *j, const char *name, struct arena *a)
{
	return arena_printf(a, "%s/%s", j->dir, name);
}

/* j->list is that of the file; also after the file was changed by another run. */
static int
read_list(struct journal *j, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *path = in_dir(j, "journal", &a), *end;
	LOCAL(file) f = { 0 };
	int rc = file_read(path, &f, err);

	j->n = j->n_dirs = 0;
	for (const char *p = f.text.data; rc == 0 && *p != '\0'; p = end + 1) {
		end = strchr(p, '\n');
		if (end == NULL || read_line(j, p, (size_t)(end - p), err) != 0) {
			rc = err_set(err, ERR_DATA, "%s is damaged", path);
			break;
		}
	}
	return rc;
}

int
journal_open(struct journal *j, struct err *err)
{
	*j = (struct journal){ .lock = -1, .arena = ARENA_INIT };
	j->dir = state_dir(&j->arena);
	if (j->dir == NULL)
		return err_set(err, ERR_CONFIG, "neither HOME nor XDG_STATE_HOME is set");
	return read_list(j, err);
}

void
journal_close(struct journal *j)
{
	if (j->lock >= 0)
		close(j->lock);
	free(j->list);
	free(j->dirs);
	arena_release(&j->arena);
}

static int
save(struct journal *j, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	LOCAL(buf) b = buf_of(FILE_MOST);

	for (size_t i = 0; i < j->n_dirs; i++) {
		json_open(&b);
		json_str(&b, "dir", j->dirs[i]);
		json_end(&b);
	}
	for (size_t i = 0; i < j->n; i++) {
		const struct entry *e = &j->list[i];

		json_open(&b);
		json_str(&b, "path", e->path);
		json_str(&b, "agent", e->agent);
		json_int(&b, "wires", e->wires);
		json_str(&b, "before", e->before);
		json_str(&b, "after", e->after);
		json_end(&b);
	}
	return file_replace(in_dir(j, "journal", &a), b.data, b.len, NULL, err);
}

/* Removes the files in dir, but for the journal and the copies that j, if not NULL, needs. */
static void
remove_files(const char *path, const struct journal *j)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		bool needed = j != NULL && strcmp(d->d_name, "journal") == 0;

		for (size_t i = 0; j != NULL && i < j->n; i++)
			needed |= strcmp(d->d_name, j->list[i].before) == 0;
		if (!needed)
			unlinkat(dirfd(dir), d->d_name, 0);
	}
	if (dir != NULL)
		closedir(dir);
}

/* ---- its directory ---- */

/*
 * A run that is killed must leave no directory that nobody knows of. So the missing directories are
 * made beside the first of them, as DIR.mem-setup, with the journal in them that names them, and
 * then renamed; and in the reverse order they go. What stands there is of a run that was killed.
 */
static void
clear_leftovers(const struct journal *j)
{
	LOCAL(arena) a = ARENA_INIT;

	for (const char *rest = strchr(j->dir + 1, '/');; rest = strchr(rest + 1, '/')) {
		const char *end = rest != NULL ? rest : j->dir + strlen(j->dir);
		char *base = arena_printf(&a, "%.*s.mem-setup", (int)(end - j->dir), j->dir);
		char *dir = arena_printf(&a, "%s%s", base, end);
		size_t n = strlen(base);

		remove_files(dir, NULL);
		while (rmdir(dir) == 0 && strlen(dir) > n)
			*strrchr(dir, '/') = '\0';
		/* it may end further out */
		while (strlen(dir) > n) {
			*strrchr(dir, '/') = '\0';
			rmdir(dir);
		}
		if (rest == NULL)
			break;
	}
}

/* Makes the directory with an empty journal in it, unless it is there. */
static int
make_directory(struct journal *j, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *dir = j->dir;
	size_t n, top;
	char **dirs = dirs_missing(in_dir(j, "journal", &a), &a, &n), *base;
	int rc;

	if (n == 0)
		return 0;
	top = strlen(dirs[0]);
	base = arena_printf(&a, "%s.mem-setup", dirs[0]);
	for (size_t i = 0; i < n; i++) {
		add_dir(j, dirs[i]);
		dirs[i] = arena_printf(&a, "%s%s", base, dirs[i] + top);
	}
	if ((rc = dirs_make(dirs, n, err)) != 0)
		return rc;
	j->dir = dirs[n - 1];
	rc = save(j, err);
	j->dir = dir;
	base[top] = '\0';
	dir = arena_strdup(&a, base);
	base[top] = '.';
	if (rc == 0 && rename(base, dir) != 0)
		rc = err_set_errno(err, ERR_IO, "cannot make the directory '%s'", dir);
	return rc;
}

int
journal_lock(struct journal *j, bool make, struct err *err)
{
	clear_leftovers(j);
	if (make && make_directory(j, err) != 0)
		return -1;
	j->lock = open(j->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (j->lock < 0)
		return make ? err_set_errno(err, ERR_IO, "cannot open '%s'", j->dir) : 0;
	if (flock(j->lock, LOCK_EX | LOCK_NB) != 0)
		return err_set(err, ERR_BUSY, "another mem-setup or mem-sync is at work");
	return read_list(j, err);
}

struct entry *
journal_find(const struct journal *j, const char *path)
{
	for (size_t i = 0; i < j->n; i++)
		if (strcmp(j->list[i].path, path) == 0)
			return &j->list[i];
	return NULL;
}

int
journal_put(struct journal *j, const struct entry *e, const struct file *was, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct entry *old = journal_find(j, e->path), new = *e;
	size_t n;

	if (was->exists &&
	    file_replace(in_dir(j, e->before, &a), was->text.data, was->text.len, NULL, err) != 0)
		return -1;
	if (old == NULL)
		old = xpush(j->list, j->n, j->cap);
	char **dirs = dirs_missing(e->path, &a, &n);
	for (size_t i = 0; i < n; i++)
		add_dir(j, dirs[i]);
	new.path = arena_strdup(&j->arena, e->path);
	new.agent = arena_strdup(&j->arena, e->agent);
	*old = new;
	if (save(j, err) != 0)
		return -1;
	remove_files(j->dir, j);
	return 0;
}

int
journal_was(const struct journal *j, const struct entry *e, struct file *was, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	char hash[SHA256_TEXT];
	int rc = 0;

	if (e->before[0] == '\0') {
		buf_init(&was->text, FILE_MOST);
		was->exists = false;
	} else if ((rc = file_read(in_dir(j, e->before, &a), was, err)) == 0) {
		file_hash(was->text.data, was->text.len, was->exists, hash);
		if (strcmp(hash, e->before) != 0)
			rc = err_set(err, ERR_DATA, "the copy of '%s' is damaged", e->path);
	}
	return rc;
}

int
journal_drop(struct journal *j, const char *path, struct err *err)
{
	struct entry *e = journal_find(j, path);

	if (e == NULL)
		return 0;
	memmove(e, e + 1, (size_t)(j->list + j->n - (e + 1)) * sizeof(*e));
	j->n--;
	for (size_t i = j->n_dirs; i-- > 0;)
		if (rmdir(j->dirs[i]) == 0 || errno == ENOENT)
			memmove(j->dirs + i, j->dirs + i + 1,
			    (--j->n_dirs - i) * sizeof(*j->dirs));
	if (save(j, err) != 0)
		return -1;
	remove_files(j->dir, j);
	return 0;
}

/* How many names there are in a directory. */
static size_t
count_names(const char *path)
{
	DIR *dir = opendir(path);
	size_t n = 0;

	while (dir != NULL && readdir(dir) != NULL)
		n++;
	if (dir != NULL)
		closedir(dir);
	return n < 2 ? 0 : n - 2;
}

void
journal_remove(struct journal *j)
{
	LOCAL(arena) a = ARENA_INIT;
	char *dir = arena_strdup(&a, j->dir), *out = arena_strdup(&a, dir);

	remove_files(j->dir, j);
	if (!was_made(j, dir)) {
		unlink(in_dir(j, "journal", &a));
	} else {
		/* the outermost directory with nothing but this in it */
		for (*strrchr(out, '/') = '\0'; was_made(j, out) && count_names(out) == 1;
		     *strrchr(out, '/') = '\0')
			dir[strlen(out)] = '\0';
		rename(dir, arena_printf(&a, "%s.mem-setup", dir));
		clear_leftovers(j);
	}
}
