/*
 * buf.h: a buffer that grows up to a maximum, which is given when it is made. What exceeds the
 * maximum is dropped and sets the flag full, which stays set, so a writer may make many calls and
 * check once. A NUL that len does not count always follows the bytes.
 */
#pragma once

#include <stdarg.h>

#include "base/base.h"

struct buf {
	char *data;                /* owned, and never NULL after buf_init */
	size_t len;
	size_t cap;
	size_t max;
	bool full;                 /* something was dropped */
};

void buf_init(struct buf *b, size_t max_bytes);
struct buf buf_of(size_t max_bytes);           /* the same, as a value */
void buf_release(struct buf *b);
/* empties the buffer: its memory is kept, full is cleared */
void buf_reset(struct buf *b);
/* the part of buf_add that grows the buffer */
void buf_add_grow(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* writes a number for people: 12,345 */
void buf_add_count(struct buf *b, int64_t n);
/* writes a size for people: "999 B", "3.4 MB", a thousand to a unit */
void buf_add_size(struct buf *b, int64_t n_bytes);
void buf_varint(struct buf *b, uint64_t v);          /* LEB128, low seven bits first */
/* makes room for n more bytes behind len; NULL: that would exceed max */
char *buf_reserve(struct buf *b, size_t n);
/* returns the bytes, which the caller frees; b is as after buf_init */
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

/* The part of varint_get for numbers of more than two bytes. */
const uint8_t *varint_get_long(const uint8_t *p, const uint8_t *end, uint64_t *v);
/*
 * Reads a LEB128 number at p into *v. Returns the byte after it; NULL: it is cut off at end, or has
 * more than 64 bits.
 */
static inline const uint8_t *
varint_get(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	if (end - p < 2 || (p[0] & p[1] & 0x80) != 0)
		return varint_get_long(p, end, v);
	*v = p[0] < 0x80 ? p[0] : (p[0] & 0x7fu) | (uint64_t)p[1] << 7;
	return p + 1 + (p[0] >> 7);
}
