/*
 * buf.h: bytes that grow, up to a maximum given when the buffer is made.
 *
 * Passing the maximum sets a sticky flag and drops what did not fit, so a writer may chain many
 * calls and ask once. The bytes are always followed by a NUL that len does not count.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>

#include "base/base.h"

struct buf {
	char *data;                /* owned; never NULL after buf_init */
	size_t len;
	size_t cap;
	size_t max;
	bool full;                 /* something was dropped */
};

void buf_init(struct buf *b, size_t max_bytes);
void buf_release(struct buf *b);
void buf_reset(struct buf *b);                       /* empty again, memory kept, full cleared */
/* what buf_add is when there is no room yet */
void buf_add_grow(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* for people: "999 B", "3.4 MB", a thousand to a unit */
void buf_add_size(struct buf *b, int64_t n_bytes);
void buf_varint(struct buf *b, uint64_t v);          /* LEB128, low seven bits first */
/* room for n more bytes after len; NULL when over max */
char *buf_reserve(struct buf *b, size_t n);
/* the bytes, now the caller's to free; b is as after buf_init */
char *buf_detach(struct buf *b);

static inline void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (b->full || n == 0 || n >= b->cap - b->len) {
		buf_add_grow(b, p, n);
		return;
	}
	memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

static inline void
buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

/* varint_get where two bytes do not do. */
const uint8_t *varint_get_long(const uint8_t *p, const uint8_t *end, uint64_t *v);
/*
 * Reads a LEB128 number at p (end bounds it) into *v; returns the byte after it, NULL when cut
 * short or over 64 bits.
 */
static inline const uint8_t *
varint_get(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	if (end - p < 2 || (p[0] & p[1] & 0x80) != 0)
		return varint_get_long(p, end, v);
	*v = p[0] < 0x80 ? p[0] : (p[0] & 0x7fu) | (uint64_t)p[1] << 7;
	return p + 1 + (p[0] >> 7);
}

#endif
