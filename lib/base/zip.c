/*
 * zip.c: an archive is a list of members by their names, and the archive that was asked for last
 * is kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/write.h"
#include "base/zip_parts.h"

#define INNER_RATIO     100                /* an archive packs no better in another one */

/* ---- an archive ---- */

ORDER_OF(by_name, struct zip_entry, strcmp(a->name, b->name))

static bool
begins_as_one(int fd, uint64_t at)
{
	char head[4];

	return pread(fd, head, 4, (off_t)at) == 4 && (memcmp(head, "PK\3\4", 4) == 0 ||
	    memcmp(head, "PK\5\6", 4) == 0);
}

static int
open_file(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, st) != 0 || !S_ISREG(st->st_mode) || !begins_as_one(fd, 0))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool
zip_is(const char *path)
{
	struct stat st;
	int fd = open_file(path, &st);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool
is_archive_name(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && strcasecmp(name + len - 4, ".zip") == 0;
}

/*
 * Where the archive that is a member begins, in *fd. One that is stored is read where it lies; the
 * others are unpacked into one file, so that many take no more descriptors than one.
 */
static bool
find_inner(struct zip *z, const struct zip_entry *e, int *fd, uint64_t *at)
{
	uint64_t from = zip_data_at(z, e);
	off_t end;

	*fd = z->fd;
	*at = from;
	if (from == 0 || e->method == 0)
		return from != 0;
	if (z->unpacked < 0 && (z->unpacked = temp_file()) < 0)
		return false;
	*fd = z->unpacked;
	if ((end = lseek(z->unpacked, 0, SEEK_END)) < 0)
		return false;
	*at = (uint64_t)end;
	return zip_copy(z->fd, from, e, true, z->unpacked);
}

/* Adds the members of the archive that is the i-th member; *left bytes may still be unpacked. */
static bool
open_inner(struct zip *z, size_t i, uint64_t *left)
{
	const struct zip_entry e = z->entries[i];
	struct err ignored = ERR_INIT;
	struct zip *in;
	uint64_t at;
	int fd;

	if (e.encrypted || e.cut || (e.method != 0 && e.method != 8) ||
	    e.size > *left || e.size / INNER_RATIO > e.packed)
		return false;
	*left -= e.size;
	if (!find_inner(z, &e, &fd, &at) || !begins_as_one(fd, at))
		return false;
	in = xcalloc(1, sizeof(*in));
	bool good = zip_members(in, fd, at, e.method == 0 ? e.packed : e.size, &ignored) == 0 &&
	    in->n <= ZIP_ENTRIES_MOST - z->n;
	for (size_t k = 0; k < in->n && good; k++) {
		struct zip_entry *to = xpush(z->entries, z->n, z->cap);

		*to = in->entries[k];
		to->name = arena_printf(&z->arena, "%s/%s", e.name, to->name);
		to->in = in;
	}
	/* they stand in the list of z now */
	arena_release(&in->arena);
	free(in->entries);
	if (!good) {
		free(in);
		return false;
	}
	*xpush(z->inner, z->n_inner, z->cap_inner) = in;
	z->cut |= in->cut;
	return true;
}

static void
open_inners(struct zip *z)
{
	uint64_t left = conf_caps.file_bytes;

	for (size_t i = 0, n = z->n; i < n; i++)
		if (is_archive_name(z->entries[i].name)) {
			bool opened = open_inner(z, i, &left);

			z->entries[i].opened = opened;
			z->unopened |= !opened;
		}
}

int
zip_open(const char *path, struct zip **out, struct err *err)
{
	struct err why = ERR_INIT;
	struct stat st;
	struct zip *z;
	int fd = open_file(path, &st);

	if (fd < 0)
		return err_set(err, ERR_DATA, "no zip archive: '%s'", path);
	z = xcalloc(1, sizeof(*z));
	z->st = st;
	z->path = xstrdup(path);
	if (zip_members(z, fd, 0, (uint64_t)st.st_size, &why) != 0) {
		zip_close(z);
		return err_set(err, ERR_DATA, "a zip archive that is damaged, %s: '%s'", why.msg,
		    path);
	}
	open_inners(z);
	if (z->n > 1)
		qsort(z->entries, z->n, sizeof(*z->entries), by_name);
	*out = z;
	return 0;
}

void
zip_close(struct zip *z)
{
	if (z == NULL)
		return;
	for (size_t i = 0; i < z->n_inner; i++)
		free(z->inner[i]);
	free(z->inner);
	close(z->fd);
	if (z->unpacked >= 0)
		close(z->unpacked);
	arena_release(&z->arena);
	free(z->entries);
	free(z->path);
	free(z);
}

const struct zip_entry *
zip_entries(const struct zip *z, size_t *n)
{
	*n = z->n;
	return z->entries;
}

bool
zip_is_cut(const struct zip *z)
{
	return z->cut;
}

/* ---- paths ---- */

/*
 * The archive whose members were asked for last: a Slack export has ten thousand, and its directory
 * is read once. Members are opened by one thread.
 */
static struct zip *kept;

void
zip_forget(void)
{
	zip_close(kept);
	kept = NULL;
}

static struct zip *
keep(const char *path)
{
	struct err ignored = ERR_INIT;
	struct stat st;

	if (kept != NULL && strcmp(kept->path, path) == 0 && stat(path, &st) == 0 &&
	    st.st_dev == kept->st.st_dev && st.st_ino == kept->st.st_ino &&
	    st.st_size == kept->st.st_size && st.st_mtime == kept->st.st_mtime)
		return kept;
	zip_forget();
	return zip_open(path, &kept, &ignored) == 0 ? kept : NULL;
}

/*
 * The archive that path leads into, which the caller frees, and in *member, which points into path,
 * the rest. NULL: path exists as it is, or leads into none.
 */
static char *
zip_of(const char *path, const char **member)
{
	char *archive, *slash;
	struct stat st;

	if (stat(path, &st) == 0 || errno != ENOTDIR)
		return NULL;
	archive = xstrdup(path);
	while ((slash = strrchr(archive, '/')) != NULL && slash > archive) {
		*slash = '\0';
		if (stat(archive, &st) != 0)
			continue;
		*member = path + (slash - archive) + 1;
		if (S_ISREG(st.st_mode) && **member != '\0' && zip_is(archive))
			return archive;
		break;
	}
	free(archive);
	return NULL;
}

/* The member at path; NULL: there is none. Borrowed until the next call. */
static const struct zip_entry *
find(const char *path, struct zip **in)
{
	struct zip_entry key = { .name = NULL };
	FREED char *archive = zip_of(path, &key.name);

	*in = archive != NULL ? keep(archive) : NULL;
	return *in == NULL || (*in)->n == 0
	    ? NULL
	    : bsearch(&key, (*in)->entries, (*in)->n, sizeof(key), by_name);
}

bool
zip_has(const char *path)
{
	struct stat st;
	struct zip *z;

	return stat(path, &st) == 0 ? S_ISREG(st.st_mode) : find(path, &z) != NULL;
}

bool
zip_stat(const char *path, struct stat *st)
{
	const struct zip_entry *e;
	struct zip *z;

	if (stat(path, st) == 0)
		return true;
	if ((e = find(path, &z)) == NULL)
		return false;
	*st = z->st;
	st->st_size = e->cut ? 0 : (off_t)e->size;
	return true;
}

bool
zip_lacks(const char *path)
{
	struct zip *z;

	return find(path, &z) == NULL && z != NULL && !z->cut && !z->unopened;
}

char *
zip_realpath(const char *path)
{
	const char *member;
	char *archive;
	FREED char *real = NULL;
	char *out;

	if ((out = realpath(path, NULL)) != NULL || (archive = zip_of(path, &member)) == NULL)
		return out;
	if ((real = realpath(archive, NULL)) != NULL)
		out = xformat("%s/%s", real, member);
	free(archive);
	return out;
}

/* A file that stands where the member's bytes begin; -1: there is none. */
static int
open_bytes(const struct zip *z, uint64_t at, const struct zip_entry *e)
{
	int fd = e->in != NULL ? temp_file() : open(z->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 || (e->in == NULL && lseek(fd, (off_t)at, SEEK_SET) >= 0) ||
	    (e->in != NULL && zip_copy(e->in->fd, e->in->base + at, e, false, fd) &&
	    lseek(fd, 0, SEEK_SET) == 0))
		return fd;
	close(fd);
	return -1;
}

int
zip_member_open(const char *path, struct zip_member *out, struct err *err)
{
	const struct zip_entry *e;
	struct zip *z;
	uint64_t at;

	if ((e = find(path, &z)) == NULL)
		return 0;
	if (e->encrypted)
		return err_set(err, ERR_DATA, "encrypted, unpack it with its password: '%s'", path);
	if (e->method != 0 && e->method != 8)
		return err_set(err, ERR_DATA, "packed in a way that is not read (%u): '%s'",
		    e->method, path);
	if ((at = zip_data_at(e->in != NULL ? e->in : z, e)) == 0)
		return err_set(err, ERR_DATA, "damaged zip archive: '%s'", path);
	out->entry = *e;
	out->entry.name = NULL;
	out->fd = open_bytes(z, at, e);
	return out->fd >= 0 ? 1 : err_set_errno(err, ERR_IO, "cannot read '%s'", path);
}
