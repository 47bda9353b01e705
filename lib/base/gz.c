/*
 * gz.c: reads the bytes of a file, or of a member of a zip archive, and unpacks gzip on the way
 * (RFC 1952, with any number of members one after the other), or zstd by a child process; what is
 * text in UTF-16 then becomes UTF-8. Plain input is read directly into the caller's memory, except
 * for the first piece, which was read to look at. A read returns what one read(2) gave, so that
 * lines of a pipe move as they come. The cap on bytes holds for files and for
 * all that is packed; a plain pipe may run for ever.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/utf16.h"
#include "base/zip.h"
#include "base/zst.h"

#define LOOK_MS 200                /* how often a waiting read checks whether it should stop */
#define IN_BYTES    (128u << 10)
#define PIECE_BYTES 4096           /* of what is looked at, or is in UTF-16 */
/* the ratio is checked only after this many bytes: little text may be packed very well */
#define RATIO_FREE  (1ull << 20)
#define GZIP_ONLY   (15 + 16)      /* zlib's window bits: 32 KiB, gzip wrapping */
#define BARE        (-15)          /* none, as in a zip archive */

struct gz {
	int fd;
	char *name;                /* for messages, quoted where it is a path */
	bool own_fd, is_file, sniffed, packed, ended;
	bool in_member;            /* the header of a packed member has begun */
	uint64_t n_in, n_out;      /* packed and unpacked bytes */
	pid_t zst;                 /* the child that unpacks the file, and writes to fd; 0: none */
	uint64_t zst_bytes;        /* packed bytes of that file */
	bool bare;                 /* packed without a header */
	bool in_zip;               /* it is a member, of which left bytes are not read yet */
	struct zip_entry member;
	uint64_t left;
	uint32_t crc;              /* of what the member has given so far */
	bool looked, text_ended;   /* whether it is UTF-16 is known; all of it was read */
	struct utf16 wide;
	struct buf text;           /* in UTF-8, or as it was read to be looked at */
	size_t text_at;            /* so much of it is used */
	z_stream z;
	size_t from, to;           /* in[from..to) was read and is not used yet */
	unsigned char in[IN_BYTES];
};

/* Checks what kind of file this is; a device that never ends is refused. */
static int
check_kind(const struct gz *g, const struct stat *st, struct err *err)
{
	struct stat null;

	if (S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode))
		return 0;
	if (S_ISDIR(st->st_mode))
		return err_set(err, ERR_DATA, "is a directory: %s", g->name);
	/* stdin may be what the parent made it: a socket pair, /dev/null */
	if (!g->own_fd && (S_ISCHR(st->st_mode) || S_ISSOCK(st->st_mode)))
		return 0;
	if (S_ISCHR(st->st_mode) &&
	    (isatty(g->fd) || (stat("/dev/null", &null) == 0 && null.st_rdev == st->st_rdev)))
		return 0;
	return err_set(err, ERR_DATA, "not a file, a pipe or a terminal: %s", g->name);
}

static int
open_path(const char *path)
{
	struct stat st;
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;

	/* opening a named pipe waits for its writer; nothing else may make the program wait here */
	if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
		return open(path, flags);
	int fd = open(path, flags | O_NONBLOCK);
	if (fd >= 0) {
		int now = fcntl(fd, F_GETFL);
		if (now >= 0)
			fcntl(fd, F_SETFL, now & ~O_NONBLOCK);
	}
	return fd;
}

static int
open_error(const char *name, struct err *err)
{
	int code = ERR_IO;

	if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG)
		code = ERR_NOINPUT;
	else if (errno == EACCES || errno == EPERM)
		code = ERR_PERM;
	else if (errno == ENXIO)
		code = ERR_DATA;
	return err_set_errno(err, code, "cannot open %s", name);
}

const volatile sig_atomic_t *gz_stop;

/*
 * Waits until there is something to read. false: gz_stop is set; a signal between two looks must
 * not be missed.
 */
static bool
may_read(const struct gz *g)
{
	struct pollfd wait = { .fd = g->fd, .events = POLLIN };

	if (gz_stop == NULL)
		return true;
	while (*gz_stop == 0)
		if (poll(&wait, 1, LOOK_MS) != 0 && *gz_stop == 0)
			return true;
	return false;
}

/* Reads into p as read(2) does; 0 at the end. */
static ssize_t
fill(struct gz *g, void *p, size_t n, struct err *err)
{
	for (;;) {
		if (!may_read(g))
			return 0;
		ssize_t got = read(g->fd, p, g->in_zip ? (size_t)MIN(n, g->left) : n);

		if (got >= 0) {
			g->n_in += (uint64_t)got;
			if (g->in_zip && !g->bare)
				g->crc = (uint32_t)crc32(g->crc, p, (uInt)got);
			g->left -= g->in_zip ? (uint64_t)got : 0;
			return got;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			/* whoever shares stdin with us made it non-blocking */
			struct pollfd wait = { .fd = g->fd, .events = POLLIN };
			if (poll(&wait, 1, -1) >= 0 || errno == EINTR)
				continue;
		}
		if (errno == EINTR)
			continue;
		if (errno == EISDIR)
			return err_set(err, ERR_DATA, "is a directory: %s", g->name);
		return err_set_errno(err, ERR_IO, "cannot read %s", g->name);
	}
}

static int
refill(struct gz *g, struct err *err)
{
	g->from = g->to = 0;
	ssize_t got = fill(g, g->in, IN_BYTES, err);
	if (got < 0)
		return -1;
	g->to = (size_t)got;
	return 0;
}

/* From here on the bytes come from a child that unpacks the file. */
static int
unpack_zst(struct gz *g, struct err *err)
{
	struct stat st;
	int fd;

	if (!g->is_file || fstat(g->fd, &st) != 0)
		return err_set(err, ERR_DATA,
		    "packed by zstd: unpack it on the way, with zstd -dc FILE | ...: %s", g->name);
	if (zst_begin(g->fd, g->name, &g->zst, &fd, err) != 0)
		return -1;
	if (g->own_fd)
		close(g->fd);
	g->fd = fd;
	g->own_fd = true;
	g->is_file = false;
	g->from = g->to = 0;
	g->n_in = 0;
	g->zst_bytes = (uint64_t)st.st_size;
	return 0;
}

/* The child has closed its pipe: how it ended says whether that was all. */
static int
end_zst(struct gz *g, struct err *err)
{
	pid_t child = g->zst;

	g->zst = 0;
	/* when a signal stops the programs of a terminal, it stops the child, too */
	if (zst_end(child, g->name, err) == 0 || (gz_stop != NULL && *gz_stop != 0))
		return 0;
	return -1;
}

/* Reads the first bytes: more than one where it may begin gzip or UTF-16. */
static int
sniff(struct gz *g, struct err *err)
{
	if (refill(g, err) != 0)
		return -1;
	if (g->to == 1 && (g->in[0] == 0x1f || g->in[0] >= 0xfe)) {
		ssize_t got = fill(g, g->in + 1, IN_BYTES - 1, err);
		if (got < 0)
			return -1;
		g->to += (size_t)got;
	}
	g->sniffed = true;
	g->packed = g->bare || (g->to >= 2 && g->in[0] == 0x1f && g->in[1] == 0x8b);
	g->ended = g->to == 0;
	if (!g->bare && zst_is(g->in, g->to))
		return unpack_zst(g, err);
	g->in_member = g->bare;
	if (g->packed && inflateInit2(&g->z, g->bare ? BARE : GZIP_ONLY) != Z_OK)
		return err_set(err, ERR_BUG, "cannot start zlib");
	return 0;
}

/* Opens a member of an archive. 1: done; 0: path leads to none; -1. */
static int
open_member(struct gz *g, const char *path, struct err *err)
{
	struct zip_member m;
	int got = zip_member_open(path, &m, err);

	if (got <= 0)
		return got;
	g->fd = m.fd;
	g->in_zip = true;
	g->bare = m.entry.method != 0;
	g->member = m.entry;
	g->left = m.entry.packed;
	return 1;
}

/* All of a member was read: whether it is what the archive says. */
static int
check_member(const struct gz *g, struct err *err)
{
	if (!g->in_zip)
		return 0;
	if (g->member.cut)
		return err_set(err, ERR_DATA, "the zip archive ends inside it: %s", g->name);
	if (g->crc != g->member.crc || (g->bare && g->n_out != g->member.size))
		return err_set(err, ERR_DATA, "damaged in its zip archive: %s", g->name);
	return 0;
}

static int look(struct gz *g, struct err *err);

int
gz_open(const char *path, struct gz **out, struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct gz *g = xmalloc(sizeof(*g));
	struct stat st;
	int got = 0, why;

	/* in[], the last member, need not be cleared */
	memset(g, 0, offsetof(struct gz, in));
	buf_init(&g->text, SIZE_MAX / 4);
	g->own_fd = !is_stdin;
	g->name = is_stdin ? xstrdup("stdin") : xformat("'%s'", path);
	g->fd = is_stdin ? STDIN_FILENO : open_path(path);
	why = errno;
	if (g->fd < 0 && why == ENOTDIR && (got = open_member(g, path, err)) < 0)
		goto fail;
	if (g->fd < 0) {
		errno = why;
		open_error(g->name, err);
		goto fail;
	}
	if (fstat(g->fd, &st) != 0) {
		/* a closed stdin is no input; of a file that was opened it is a fault */
		err_set_errno(err, errno == EBADF ? ERR_NOINPUT : ERR_IO, "cannot read %s",
		    g->name);
		goto fail;
	}
	if (check_kind(g, &st, err) != 0)
		goto fail;
	g->is_file = S_ISREG(st.st_mode) && !g->in_zip;
	if ((g->is_file || g->in_zip) &&
	    (sniff(g, err) != 0 || (g->is_file && !g->packed && look(g, err) != 0)))
		goto fail;
	*out = g;
	return 0;
fail:
	gz_close(g);
	return -1;
}

static int
check_caps(const struct gz *g, struct err *err)
{
	uint64_t used = g->zst_bytes > 0 ? g->zst_bytes : g->n_in - (g->to - g->from);
	bool packed = gz_is_packed(g);

	if ((packed || g->is_file) && g->n_out > conf_caps.file_bytes)
		return err_set(err, ERR_DATA, "over file_bytes (%llu): %s",
		    (unsigned long long)conf_caps.file_bytes, g->name);
	if (packed && g->n_out > RATIO_FREE && g->n_out / conf_caps.gz_ratio > used)
		return err_set(err, ERR_DATA, "packed too well, over gz_ratio (%u): %s",
		    conf_caps.gz_ratio, g->name);
	return 0;
}

/* Between two members: *more says whether another begins. */
static int
next_member(struct gz *g, bool *more, struct err *err)
{
	bool padded = false;

	*more = true;
	if (g->from == g->to && refill(g, err) != 0)
		return -1;
	/* the last block of a tape is filled with zeros; gzip(1) skips them, too */
	while (g->from < g->to && g->in[g->from] == 0) {
		padded = true;
		if (++g->from == g->to && refill(g, err) != 0)
			return -1;
	}
	if (g->from == g->to) {
		g->ended = true;
		*more = false;
		return 0;
	}
	if (padded || g->in[g->from] != 0x1f)
		return err_set(err, ERR_DATA, "bytes that are not gzip after the gzip data: %s",
		    g->name);
	if (inflateReset(&g->z) != Z_OK)
		return err_set(err, ERR_BUG, "cannot restart zlib");
	g->in_member = true;
	return 0;
}

static ptrdiff_t
read_packed(struct gz *g, void *p, size_t n, struct err *err)
{
	bool more;

	n = MIN(n, 1u << 30);
	while (!g->ended) {
		if (!g->in_member && g->bare) {
			g->ended = true;
			return check_member(g, err);
		}
		if (!g->in_member) {
			if (next_member(g, &more, err) != 0)
				return -1;
			if (!more)
				break;
		}
		if (g->from == g->to) {
			if (refill(g, err) != 0)
				return -1;
			if (g->to == 0 && g->bare && check_member(g, err) != 0)
				return -1;
			if (g->to == 0)
				return err_set(err, ERR_DATA, "unexpected end of gzip data: %s",
				    g->name);
		}
		g->z.next_in = g->in + g->from;
		g->z.avail_in = (uInt)(g->to - g->from);
		g->z.next_out = p;
		g->z.avail_out = (uInt)n;
		int rc = inflate(&g->z, Z_NO_FLUSH);
		g->from = g->to - g->z.avail_in;
		size_t got = n - g->z.avail_out;
		g->n_out += got;
		if (g->bare && got > 0)
			g->crc = (uint32_t)crc32(g->crc, p, (uInt)got);
		if (rc == Z_STREAM_END)
			g->in_member = false;
		else if (rc == Z_MEM_ERROR)
			return err_set(err, ERR_BUG, "out of memory in zlib");
		else if (rc != Z_OK && rc != Z_BUF_ERROR)
			return err_set(err, ERR_DATA, "damaged gzip data: %s", g->name);
		if (check_caps(g, err) != 0)
			return -1;
		if (got > 0)
			return (ptrdiff_t)got;
	}
	return 0;
}

/* Reads what is unpacked, and in the encoding that it has. */
static ptrdiff_t
read_bytes(struct gz *g, void *p, size_t n, struct err *err)
{
	ssize_t got;

	if (n == 0 || g->ended)
		return 0;
	if (g->packed)
		return read_packed(g, p, n, err);
	if (g->from < g->to) {
		got = (ssize_t)MIN(n, g->to - g->from);
		memcpy(p, g->in + g->from, (size_t)got);
		g->from += (size_t)got;
	} else if ((got = fill(g, p, MIN(n, 1u << 30), err)) < 0) {
		return -1;
	}
	g->ended = got == 0;
	if (g->ended && g->zst > 0 && end_zst(g, err) != 0)
		return -1;
	if (g->ended && check_member(g, err) != 0)
		return -1;
	g->n_out += (uint64_t)got;
	if (check_caps(g, err) != 0)
		return -1;
	return got;
}

/* Makes n bytes in UTF-16 the text that is given next; none of them: it ends. */
static int
widen(struct gz *g, const unsigned char *p, size_t n, struct err *err)
{
	buf_reset(&g->text);
	g->text_at = 0;
	g->text_ended = n == 0;
	if (!utf16_read(&g->wide, p, n, n == 0, &g->text))
		return err_set(err, ERR_DATA, "text in UTF-16 that goes on in another encoding: %s",
		    g->name);
	return 0;
}

/* Looks at the first bytes, which stay to be read, for whether they are text in UTF-16. */
static int
look(struct gz *g, struct err *err)
{
	unsigned char piece[PIECE_BYTES];
	size_t mark;
	ptrdiff_t got;

	if (!g->sniffed && sniff(g, err) != 0)
		return -1;
	g->looked = true;
	if (!g->packed && g->from < g->to) {
		g->wide.order = utf16_of(g->in + g->from, g->to - g->from, &mark);
		if (g->wide.order != UTF16_NONE)
			g->from += mark;
		return 0;
	}
	if ((got = read_bytes(g, piece, sizeof(piece), err)) < 0)
		return -1;
	g->wide.order = utf16_of(piece, (size_t)got, &mark);
	if (g->wide.order != UTF16_NONE && (size_t)got > mark)
		return widen(g, piece + mark, (size_t)got - mark, err);
	if (g->wide.order == UTF16_NONE)
		buf_add(&g->text, piece, (size_t)got);
	return 0;
}

ptrdiff_t
gz_read(struct gz *g, void *p, size_t n, struct err *err)
{
	unsigned char piece[PIECE_BYTES];
	ptrdiff_t got;

	if (!g->looked && look(g, err) != 0)
		return -1;
	while (g->text_at == g->text.len) {
		if (g->wide.order == UTF16_NONE)
			return read_bytes(g, p, n, err);
		if (g->text_ended)
			return 0;
		if ((got = read_bytes(g, piece, sizeof(piece), err)) < 0 ||
		    widen(g, piece, (size_t)got, err) != 0)
			return -1;
	}
	n = MIN(n, g->text.len - g->text_at);
	memcpy(p, g->text.data + g->text_at, n);
	g->text_at += n;
	return (ptrdiff_t)n;
}

int
gz_skip(struct gz *g, uint64_t n, struct err *err)
{
	char piece[8192];

	if (!g->looked && look(g, err) != 0)
		return -1;
	if (!gz_is_packed(g) && g->is_file && n > g->to - g->from) {
		uint64_t rest = n - (g->to - g->from);
		off_t at = lseek(g->fd, 0, SEEK_CUR);
		struct stat st;

		if (at < 0 || fstat(g->fd, &st) != 0)
			return err_set_errno(err, ERR_IO, "cannot seek in %s", g->name);
		if (at > st.st_size || rest > (uint64_t)(st.st_size - at))
			return err_set(err, ERR_DATA, "shorter than %llu bytes: %s",
			    (unsigned long long)(g->n_out + n), g->name);
		if (lseek(g->fd, (off_t)rest, SEEK_CUR) < 0)
			return err_set_errno(err, ERR_IO, "cannot seek in %s", g->name);
		g->from = g->to;
		g->n_in += rest;
		g->n_out += n;
		return check_caps(g, err);
	}
	while (n > 0) {
		ptrdiff_t got = gz_read(g, piece, (size_t)MIN(n, sizeof(piece)), err);

		if (got < 0)
			return -1;
		if (got == 0)
			return err_set(err, ERR_DATA, "shorter than %llu bytes: %s",
			    (unsigned long long)(g->n_out + n), g->name);
		n -= (uint64_t)got;
	}
	return 0;
}

bool
gz_is_packed(const struct gz *g)
{
	return g->packed || g->zst_bytes > 0 || g->in_zip || g->wide.order != UTF16_NONE;
}

bool
gz_is_whole(const struct gz *g)
{
	return g->packed && !g->in_member;
}

bool
gz_pending(const struct gz *g)
{
	return g->ended || g->from < g->to || g->text_at < g->text.len;
}

int
gz_fd(const struct gz *g)
{
	return g->fd;
}

void
gz_close(struct gz *g)
{
	struct err ignored = ERR_INIT;

	if (g == NULL)
		return;
	if (g->packed)
		inflateEnd(&g->z);
	if (g->own_fd && g->fd >= 0)
		close(g->fd);
	/* its pipe is closed, so a child that still writes ends by that */
	if (g->zst > 0)
		zst_end(g->zst, g->name, &ignored);
	buf_release(&g->text);
	free(g->name);
	free(g);
}

int
gz_add_file(const char *path, struct buf *out, struct err *err)
{
	char piece[4 * PIECE_BYTES];
	ptrdiff_t n = 0;
	struct gz *g;

	if (gz_open(path, &g, err) != 0)
		return -1;
	while (!out->full && (n = gz_read(g, piece, sizeof(piece), err)) > 0)
		buf_add(out, piece, (size_t)n);
	gz_close(g);
	return n < 0 ? -1 : 0;
}

int
gz_add_if_there(const char *path, struct buf *out, struct err *err)
{
	if (gz_add_file(path, out, err) == 0)
		return 1;
	if (err->code != ERR_NOINPUT)
		return -1;
	err_clear(err);
	return 0;
}
