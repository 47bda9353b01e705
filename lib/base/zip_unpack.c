#include "base/zip_parts.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/write.h"

#define PIECE (64u << 10)

struct piece { unsigned char in[PIECE], out[PIECE]; };

/* The next bytes of the member; 0: there are no more, or they cannot be read. */
static size_t
read_piece(int fd, uint64_t *at, uint64_t *left, unsigned char *to)
{
	size_t n = (size_t)MIN(*left, (uint64_t)PIECE);
	ssize_t got;

	do
		got = n > 0 ? pread(fd, to, n, (off_t)*at) : 0;
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return 0;
	*at += (uint64_t)got;
	*left -= (uint64_t)got;
	return (size_t)got;
}

static bool
copy(int fd, uint64_t at, uint64_t left, int to, struct piece *b)
{
	size_t n;

	while ((n = read_piece(fd, &at, &left, b->in)) > 0)
		if (write_whole(to, b->in, n) != 0)
			return false;
	return left == 0;
}

/* As many bytes as e says come of it, or it fails: a bomb is not unpacked to its end. */
static bool
inflate_all(int fd, uint64_t at, const struct zip_entry *e, int to, struct piece *b)
{
	z_stream s = { .next_in = NULL };
	uint64_t left = e->packed, size = 0;
	uLong crc = crc32(0, NULL, 0);
	int rc = inflateInit2(&s, -15);
	bool good = rc == Z_OK;
	size_t n;

	while (good && rc == Z_OK && (n = read_piece(fd, &at, &left, b->in)) > 0) {
		s.next_in = b->in;
		s.avail_in = (uInt)n;
		do {
			s.next_out = b->out;
			s.avail_out = PIECE;
			rc = inflate(&s, Z_NO_FLUSH);
			n = PIECE - s.avail_out;
			size += n;
			crc = crc32(crc, b->out, (uInt)n);
			good = size <= e->size && write_whole(to, b->out, n) == 0;
		} while (good && rc == Z_OK && s.avail_out == 0);
		rc = rc == Z_BUF_ERROR ? Z_OK : rc;
	}
	inflateEnd(&s);
	return good && rc == Z_STREAM_END && size == e->size && crc == e->crc;
}

bool
zip_copy(int fd, uint64_t at, const struct zip_entry *e, bool unpack, int to)
{
	FREED struct piece *b = xmalloc(sizeof(*b));

	return unpack && e->method == 8 ? inflate_all(fd, at, e, to, b)
	    : copy(fd, at, e->packed, to, b);
}
