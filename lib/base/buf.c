/*
 * buf.c: one piece of memory that doubles, but never beyond max + 1 for the NUL. What exceeds max
 * is cut: the bytes kept are always a prefix of what was written, and after the first cut nothing
 * more is added.
 */
#include "base/alloc.h"
#include "base/buf.h"

#define FIRST_BYTES 64u

void
buf_init(struct buf *b, size_t max_bytes)
{
	b->max = max_bytes < SIZE_MAX / 2 ? max_bytes : SIZE_MAX / 2;
	b->cap = MIN(FIRST_BYTES, b->max + 1);
	b->data = xmalloc(b->cap);
	b->data[0] = '\0';
	b->len = 0;
	b->full = false;
}

struct buf
buf_of(size_t max_bytes)
{
	struct buf b;

	buf_init(&b, max_bytes);
	return b;
}

void
buf_release(struct buf *b)
{
	free(b->data);
	b->data = NULL;
	b->len = b->cap = 0;
	b->full = false;
}

void
buf_reset(struct buf *b)
{
	b->len = 0;
	b->full = false;
	b->data[0] = '\0';
}

/* Makes room for n more bytes and the NUL; n fits under max. */
static void
grow(struct buf *b, size_t n)
{
	size_t want = b->len + n + 1;
	size_t cap = b->cap > 0 ? b->cap : FIRST_BYTES;

	if (want <= cap)
		return;
	while (cap < want)
		cap *= 2;
	if (cap > b->max + 1)
		cap = b->max + 1;
	b->data = xrealloc(b->data, cap);
	b->cap = cap;
}

void
buf_add_grow(struct buf *b, const void *p, size_t n)
{
	if (b->full || n == 0)
		return;
	if (n > b->max - b->len) {
		n = b->max - b->len;
		b->full = true;
	}
	grow(b, n);
	memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void
buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void
buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	char small[256];
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(small, sizeof(small), fmt, ap);
	if (n >= 0 && (size_t)n < sizeof(small)) {
		buf_add(b, small, (size_t)n);
	} else if (n >= 0) {
		char *big = xmalloc((size_t)n + 1);
		vsnprintf(big, (size_t)n + 1, fmt, again);
		buf_add(b, big, (size_t)n);
		free(big);
	}
	va_end(again);
}

void
buf_varint(struct buf *b, uint64_t v)
{
	uint8_t bytes[10];
	size_t n = 0;

	while (v >= 0x80) {
		bytes[n++] = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	bytes[n++] = (uint8_t)v;
	buf_add(b, bytes, n);
}

char *
buf_reserve(struct buf *b, size_t n)
{
	if (b->full || n > b->max - b->len) {
		b->full = true;
		return NULL;
	}
	grow(b, n);
	return b->data + b->len;
}

char *
buf_detach(struct buf *b)
{
	char *p = b->data;

	buf_init(b, b->max);
	return p;
}

void
buf_add_count(struct buf *b, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%lld", (long long)n);

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0 && digits[i - 1] != '-')
			buf_addc(b, ',');
		buf_addc(b, digits[i]);
	}
}

void
buf_add_size(struct buf *b, int64_t n_bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	double v = (double)n_bytes;
	size_t unit = 0;

	/* 999.95 and above would round to 1000.0 */
	while (unit + 1 < NELEM(units) &&
	    (unit == 0 ? v >= 1000 || v <= -1000 : v >= 999.95 || v <= -999.95)) {
		v /= 1000;
		unit++;
	}
	buf_addf(b, unit == 0 ? "%.0f %s" : "%.1f %s", v, units[unit]);
}

const uint8_t *
varint_get_long(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	uint64_t x = 0;

	for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
		uint8_t c = *p++;

		if (shift == 63 && c > 1)
			return NULL;
		x |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			*v = x;
			return p;
		}
	}
	return NULL;
}
