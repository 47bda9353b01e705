/*
 * beside.c: the bytes of a store that nobody has open: its free pages, and the copies beside it.
 *
 * SQLite's list of free pages: at 32 of the header the first trunk and how many pages are free; a
 * trunk has the number of the next one, how many leaves it names, and these, 4 bytes each, big
 * endian. Of a leaf every byte may be what stood there; mem's own writing (secure_delete) leaves
 * zeros, but for the sum at the end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/bytes.h"
#include "store/prune.h"
#include "store/sqlite/pagesum.h"
#include "store/sqlite/sqlite.h"

#define PAGE_MAX 65536

struct pages {
	int fd;
	int64_t size;                      /* bytes of a page */
	int64_t n;                         /* offset in the file */
	unsigned char page[PAGE_MAX], trunk[PAGE_MAX];
	free_page_fn *fn;
	void *arg;
};

/* Reads page no (the first is 1); false if the file does not have all of it. */
static bool
read_page(const struct pages *p, uint32_t no, unsigned char *to)
{
	return no > 0 && no <= p->n &&
	    pread(p->fd, to, (size_t)p->size, (no - 1) * p->size) == (ssize_t)p->size;
}

static void
look_at_leaf(struct pages *p, uint32_t no)
{
	if (!read_page(p, no, p->page))
		return;
	for (int64_t i = 0; i < p->size - PAGESUM_BYTES; i++)
		if (p->page[i] != 0) {
			p->fn(p->arg, (no - 1) * p->size);
			return;
		}
}

/* Trunks are counted, so that a circular list ends. */
static void
look_at_trunks(struct pages *p, uint32_t trunk)
{
	for (int64_t n = 0; n < p->n && read_page(p, trunk, p->trunk); n++) {
		uint32_t leaves = get_be32(p->trunk + 4);

		for (uint32_t i = 0; i < leaves && 8 + 4 * ((int64_t)i + 1) <= p->size; i++)
			look_at_leaf(p, get_be32(p->trunk + 8 + 4 * i));
		trunk = get_be32(p->trunk);
	}
}

int
store_free_pages_left(const char *path, free_page_fn *fn, void *arg, struct err *err)
{
	FREED struct pages *p = xcalloc(1, sizeof(*p));
	unsigned char h[HEADER_BYTES];
	int rc = 0;

	p->fn = fn;
	p->arg = arg;
	p->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (p->fd < 0) {
		rc = err_set_errno(err, ERR_IO, "cannot read '%s'", path);
	} else if (pread(p->fd, h, sizeof(h), 0) == sizeof(h) && header_is_store(h)) {
		p->size = h[16] << 8 | h[17];
		p->size = p->size == 1 ? PAGE_MAX : p->size;
		p->n = p->size >= 512 ? lseek(p->fd, 0, SEEK_END) / p->size : 0;
		look_at_trunks(p, get_be32(h + 32));
	}
	if (p->fd >= 0)
		close(p->fd);
	return rc;
}

static bool
file_is_store(const char *path)
{
	unsigned char h[HEADER_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool is = fd >= 0 && pread(fd, h, sizeof(h), 0) == sizeof(h) && header_is_store(h);

	if (fd >= 0)
		close(fd);
	return is;
}

static const char *
past_digits(const char *p)
{
	while (ascii_is_digit(*p))
		p++;
	return p;
}

/*
 * Whether what follows the store's name is of a name that mem itself gives to a copy: ".v3.backup"
 * before a migration (open.c) and ".replaced" before a restore (restore.c), with a number where
 * that was there already, and ".PID.mem.tmp.db" of one that was killed (backup.c). Others may be
 * stores of their own.
 */
static bool
is_name_of_copy(const char *rest)
{
	const char *p = rest, *end;

	if (strncmp(p, ".v", 2) == 0 && (end = past_digits(p + 2)) > p + 2 &&
	    strncmp(end, ".backup", 7) == 0)
		p = past_digits(end + 7);
	else if (strncmp(p, ".replaced", 9) == 0)
		p = past_digits(p + 9);
	if (p > rest && *p == '\0')
		return true;
	return *p == '.' && (end = past_digits(p + 1)) > p + 1 &&
	    strncmp(end, ".mem.tmp.", 9) == 0;
}

int
store_copies_each(const char *path, store_copy_fn *fn, void *arg, struct err *err)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	FREED char *dir = slash != NULL ? xstrndup(path, (size_t)(slash - path) + 1)
					: xstrdup("./");
	size_t len = strlen(base);
	bool is_file = store_is_file(path);            /* a server's copies are elsewhere */
	DIR *d = is_file ? opendir(dir) : NULL;
	struct dirent *e;
	int rc = is_file && d == NULL ? err_set_errno(err, ERR_IO, "cannot read '%s'", dir) : 0;

	while (rc == 0 && d != NULL && (errno = 0, e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, base, len) != 0 || !is_name_of_copy(e->d_name + len))
			continue;
		char *of = db_text("%s%s", dir, e->d_name);
		if (file_is_store(of))
			rc = fn(arg, of);
		sqlite3_free(of);
	}
	if (rc == 0 && d != NULL && errno != 0)
		rc = err_set_errno(err, ERR_IO, "cannot read '%s'", dir);
	if (d != NULL)
		closedir(d);
	return rc < 0 ? -1 : 0;
}

int
store_copy_remove(const char *path, struct err *err)
{
	if (unlink(path) != 0)
		return err_set_errno(err, ERR_IO, "cannot remove '%s'", path);
	rebuild_remove(path);                  /* one of a damaged store has its log beside it */
	return 0;
}
