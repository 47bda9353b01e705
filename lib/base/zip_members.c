/*
 * zip_members.c: an archive ends with a directory of its members, behind which stands where it
 * begins:
 *
 *	PK\3\4 header, bytes ... [PK\7\8 crc and sizes]	for each member
 *	PK\1\2 name, sizes, place ...			the directory
 *	[PK\6\6 64 bit places, PK\6\7]  PK\5\6		its end
 *
 * All numbers come from strangers: each is compared with the file before it is used, and members
 * together may not be larger than the file they lie in.
 */
#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/zip_parts.h"

#define END_BYTES       22                 /* of the end, without its comment */
#define CENTRAL_BYTES   46
#define LOCAL_BYTES     30
#define COMMENT_MOST    65535
#define DIRECTORY_MOST  (256u << 20)
#define PIECE           (64u << 10)

static bool
read_at(const struct zip *z, uint64_t at, void *p, size_t n)
{
	char *to = p;

	if (at > z->size || n > z->size - at)
		return false;
	while (n > 0) {
		ssize_t got = pread(z->fd, to, n, (off_t)(z->base + at));

		if (got <= 0 && !(got < 0 && errno == EINTR))
			return false;
		if (got > 0) {
			to += got;
			at += (uint64_t)got;
			n -= (size_t)got;
		}
	}
	return true;
}

/* ---- the directory ---- */

static void
add_entry(struct zip *z, const struct zip_entry *e, const char *name, size_t len)
{
	/* a name with a NUL would be another one */
	if (len == 0 || name[len - 1] == '/' || memchr(name, '\0', len) != NULL)
		return;
	for (; len > 2 && memcmp(name, "./", 2) == 0; len -= 2)
		name += 2;
	char *own = arena_strndup(&z->arena, name, len);
	/* some programs of Windows write its own separator */
	if (strchr(own, '/') == NULL)
		for (char *p = own; (p = strchr(p, '\\')) != NULL;)
			*p = '/';
	xgrow(&z->entries, &z->cap, z->n + 1, sizeof(*z->entries));
	z->entries[z->n] = *e;
	z->entries[z->n++].name = own;
}

/* Reads the sizes and the place that do not fit 32 bits from an extra field. */
static void
read_wide(const unsigned char *extra, size_t len, struct zip_entry *e)
{
	uint64_t *const wide[] = { &e->size, &e->packed, &e->at };

	while (len >= 4) {
		size_t n = get_le16(extra + 2), used = 0;

		if (n > len - 4)
			return;
		for (size_t i = 0; get_le16(extra) == 1 && i < NELEM(wide); i++) {
			if (*wide[i] != UINT32_MAX || used + 8 > n)
				continue;
			*wide[i] = get_le64(extra + 4 + used);
			used += 8;
		}
		extra += 4 + n;
		len -= 4 + n;
	}
}

static int
read_directory(struct zip *z, uint64_t at, uint64_t size, int64_t shift, struct err *err)
{
	unsigned char *all, *p, *end;
	uint64_t sum = 0;

	if (size > DIRECTORY_MOST || size > z->size)
		return err_set(err, ERR_DATA, "its directory is too large");
	all = p = xmalloc((size_t)size + 1);
	end = all + size;
	if (!read_at(z, at, all, (size_t)size)) {
		free(all);
		return err_set(err, ERR_DATA, "its directory cannot be read");
	}
	while (end - p >= CENTRAL_BYTES && memcmp(p, "PK\1\2", 4) == 0) {
		size_t len = get_le16(p + 28), extra = get_le16(p + 30),
		       rest = extra + get_le16(p + 32);
		struct zip_entry e = { .crc = get_le32(p + 16),
			.method = get_le16(p + 10),
			.encrypted = (get_le16(p + 8) & 1) != 0,
			.packed = get_le32(p + 20),
			.size = get_le32(p + 24),
			.at = get_le32(p + 42) };
		bool link = (get_le32(p + 38) >> 16 & S_IFMT) == S_IFLNK;
		const char *name = (const char *)p + CENTRAL_BYTES;

		if ((size_t)(end - p) < CENTRAL_BYTES + len + rest || z->n >= ZIP_ENTRIES_MOST)
			break;
		read_wide(p + CENTRAL_BYTES + len, extra, &e);
		e.at += (uint64_t)shift;
		p += CENTRAL_BYTES + len + rest;
		if (e.packed > z->size || (sum += e.packed) > z->size) {
			free(all);
			return err_set(err, ERR_DATA, "its members are larger than the archive");
		}
		if (!link)
			add_entry(z, &e, name, len);
	}
	free(all);
	return 0;
}

/* Finds the end of the archive. false: it is missing. */
static bool
find_end(const struct zip *z, uint64_t *at, uint64_t *size, int64_t *shift)
{
	size_t n = (size_t)MIN(z->size, (uint64_t)COMMENT_MOST + END_BYTES);
	FREED unsigned char *tail = xmalloc(n + 1);
	unsigned char wide[56];
	bool found = false;
	size_t i = n;

	if (n < END_BYTES || !read_at(z, z->size - n, tail, n))
		n = i = 0;
	for (i = n >= END_BYTES ? n - END_BYTES + 1 : 0; i > 0 && !found; i--) {
		const unsigned char *p = tail + i - 1;
		uint64_t end = z->size - n + i - 1;

		if (memcmp(p, "PK\5\6", 4) != 0 || get_le16(p + 20) > n - (i - 1) - END_BYTES)
			continue;
		*size = get_le32(p + 12);
		*at = get_le32(p + 16);
		found = true;
		if (i > 20 && memcmp(p - 20, "PK\6\7", 4) == 0 &&
		    read_at(z, get_le64(p - 12), wide, sizeof(wide)) &&
		    memcmp(wide, "PK\6\6", 4) == 0) {
			*size = get_le64(wide + 40);
			*at = get_le64(wide + 48);
			end = get_le64(p - 12);
		}
		/* what stands before the first member moves all places */
		*shift = end >= *size && *at <= end - *size ? (int64_t)(end - *size - *at) : 0;
		*at += (uint64_t)*shift;
	}
	return found;
}

/* ---- without a directory ---- */

/* Unpacks the deflated bytes at at, to find where they end; false: not before the file does. */
static bool
find_deflated_end(const struct zip *z, uint64_t at, uint64_t *packed)
{
	unsigned char in[4096];
	FREED unsigned char *out = xmalloc(PIECE);
	z_stream s = { .next_in = NULL };
	uint64_t from = at;
	int rc = inflateInit2(&s, -15);

	while (rc == Z_OK && at < z->size) {
		size_t n = (size_t)MIN(z->size - at, sizeof(in));

		if (!read_at(z, at, in, n))
			break;
		s.next_in = in;
		s.avail_in = (uInt)n;
		do {
			s.next_out = out;
			s.avail_out = PIECE;
			rc = inflate(&s, Z_NO_FLUSH);
		} while (rc == Z_OK && s.avail_out == 0);
		rc = rc == Z_BUF_ERROR ? Z_OK : rc;
		at += n - s.avail_in;
	}
	inflateEnd(&s);
	*packed = at - from;
	return rc == Z_STREAM_END;
}

/* Reads crc and sizes behind a member whose header did not tell them; returns their length. */
static size_t
read_descriptor(const struct zip *z, uint64_t at, struct zip_entry *e)
{
	unsigned char p[24];

	if (!read_at(z, at, p, 16))
		return 0;
	if (memcmp(p, "PK\7\10", 4) != 0) {
		e->crc = get_le32(p);
		e->size = get_le32(p + 8);
		return 12;
	}
	e->crc = get_le32(p + 4);
	e->size = get_le32(p + 12);
	if (!read_at(z, at, p, 24) || get_le32(p + 8) != e->packed || memcmp(p + 16, "PK", 2) == 0)
		return 16;
	/* 64 bits each, if the packed size is right then, too */
	if (get_le64(p + 8) != e->packed)
		return 16;
	e->size = get_le64(p + 16);
	return 24;
}

/* Goes from header to header, as far as there are any. */
static void
read_headers(struct zip *z)
{
	unsigned char p[LOCAL_BYTES];
	uint64_t at = 0;

	z->cut = true;
	while (z->n < ZIP_ENTRIES_MOST && read_at(z, at, p, sizeof(p)) &&
	    memcmp(p, "PK\3\4", 4) == 0) {
		size_t len = get_le16(p + 26), extra = get_le16(p + 28);
		unsigned flags = get_le16(p + 6);
		struct zip_entry e = { .at = at, .crc = get_le32(p + 14), .method = get_le16(p + 8),
			.encrypted = (flags & 1) != 0, .packed = get_le32(p + 18),
			.size = get_le32(p + 22) };
		uint64_t data = at + sizeof(p) + len + extra;
		unsigned char *names = xmalloc(len + extra + 1);

		if (!read_at(z, at + sizeof(p), names, len + extra)) {
			free(names);
			return;
		}
		/* the place is none of what this header tells */
		read_wide(names + len, extra, &e);
		at = data;
		if ((flags & 8) != 0 && e.method == 8 && !e.encrypted) {
			e.cut = !find_deflated_end(z, data, &e.packed);
			at += e.packed;
			at += e.cut ? 0 : read_descriptor(z, at, &e);
		} else if (e.packed > z->size - data) {
			e.cut = true;
			e.packed = z->size - data;
			at = z->size;
		} else {
			at += e.packed;
		}
		add_entry(z, &e, (const char *)names, len);
		free(names);
		if ((flags & 8) != 0 && (e.method != 8 || e.encrypted))
			return;                /* it does not say how long it is */
	}
}

/* ---- either ---- */

int
zip_members(struct zip *z, int fd, uint64_t base, uint64_t length, struct err *err)
{
	uint64_t at = 0, size = 0;
	int64_t shift = 0;

	z->fd = fd;
	z->base = base;
	z->size = length;
	z->unpacked = -1;
	if (find_end(z, &at, &size, &shift))
		return read_directory(z, at, size, shift, err);
	read_headers(z);
	return 0;
}

uint64_t
zip_data_at(const struct zip *z, const struct zip_entry *e)
{
	unsigned char p[LOCAL_BYTES];

	if (!read_at(z, e->at, p, sizeof(p)) || memcmp(p, "PK\3\4", 4) != 0)
		return 0;
	uint64_t at = e->at + sizeof(p) + get_le16(p + 26) + get_le16(p + 28);
	return at > z->size || e->packed > z->size - at ? 0 : at;
}
