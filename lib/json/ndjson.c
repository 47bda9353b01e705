/*
 * ndjson.c: lines are cut out of one large buffer.
 *
 *	buf:  [ used | not yet returned | free ]      size bytes, and one more for the NUL behind a last line
 *	      0     from               to
 *
 * A line is returned where it lies, with its newline turned into a NUL. When no newline is in the
 * buffer, what is left moves to the front and the rest is filled; for a line that is longer than
 * the buffer this doubles, up to the cap.
 *
 * A fault of the input is held back until the lines read before it are returned, because even in a
 * damaged file they are good.
 */
#include <errno.h>
#include <poll.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/utf8.h"
#include "json/json.h"
#include "json/ndjson.h"

#define FIRST_BYTES (256u << 10)
#define PEEK_BYTES  (64u << 10)
#define SHOWN_BYTES 256            /* shown of a line that is too long */
#define MOST_BYTES  (SIZE_MAX / 4)

struct ndjson {
	struct gz *gz;
	char *name;
	char *buf;
	size_t size, from, to;
	size_t max_line_bytes;
	uint64_t line, offset;     /* line: lines read; offset: that of buf[from] in the stream */
	bool started, eof;
	/* the last line returned was too long, and its newline has not come */
	bool unended;
	struct err held;           /* the fault that ends the input; code 0: none */
	char shown[SHOWN_BYTES + 1];
};

int
ndjson_open(const char *path, size_t max_line_bytes, struct ndjson **out, struct err *err)
{
	struct gz *gz;

	if (gz_open(path, &gz, err) != 0)
		return -1;
	struct ndjson *r = xcalloc(1, sizeof(*r));
	r->gz = gz;
	r->name = xstrdup(strcmp(path, "-") == 0 ? "stdin" : path);
	r->size = FIRST_BYTES;
	r->buf = xmalloc(r->size + 1);
	r->max_line_bytes = max_line_bytes > 0 ? max_line_bytes : conf_caps.line_bytes;
	*out = r;
	return 0;
}

/* Reads once into the free space, after making some. A fault ends the input. */
static void
fill(struct ndjson *r)
{
	if (r->from > 0 && (r->to == r->size || r->from == r->to)) {
		memmove(r->buf, r->buf + r->from, r->to - r->from);
		r->to -= r->from;
		r->from = 0;
	}
	if (r->to == r->size) {
		r->size *= 2;
		r->buf = xrealloc(r->buf, r->size + 1);
	}
	ptrdiff_t got = gz_read(r->gz, r->buf + r->to, r->size - r->to, &r->held);
	if (got > 0)
		r->to += (size_t)got;
	r->eof = got <= 0;
}

/* At the end of what was read: -1 if a fault was there, which err gets. */
static int
ended(const struct ndjson *r, struct err *err)
{
	if (r->held.code == 0)
		return 0;
	if (err != NULL)
		*err = r->held;
	return -1;
}

/* Called before the bytes are first looked at: reads some, and skips what is not seen of them. */
static void
start(struct ndjson *r)
{
	if (r->started)
		return;
	for (;;) {
		size_t n = utf8_bom(r->buf + r->from, r->to - r->from);

		r->from += n;
		r->offset += n;
		n = r->to - r->from;
		/* stops as soon as the next bytes cannot be such, which are at most three */
		if (r->eof || n >= 3 || (n > 0 && (unsigned char)r->buf[r->from] < 0xc2))
			break;
		fill(r);
	}
	r->started = true;
}

static bool
is_blank(const char *p, size_t n)
{
	while (n > 0 && (*p == ' ' || *p == '\t' || *p == '\r')) {
		p++;
		n--;
	}
	return n == 0;
}

/* Skips the rest of a line that is too long; its first bytes are kept to be shown. */
static int
skip_long(struct ndjson *r, const char **line, size_t *len)
{
	const char *newline = memchr(r->buf + r->from, '\n', r->to - r->from);
	size_t have = (newline != NULL ? (size_t)(newline - r->buf) : r->to) - r->from;

	*len = MIN(have, SHOWN_BYTES);
	memcpy(r->shown, r->buf + r->from, *len);
	r->shown[*len] = '\0';
	for (;;) {
		char *p = r->buf + r->from;
		char *stop = memchr(p, '\n', r->to - r->from);
		size_t n = stop != NULL ? (size_t)(stop + 1 - p) : r->to - r->from;

		r->from += n;
		r->offset += n;
		r->unended = stop == NULL;
		if (!r->unended || r->eof)
			break;
		fill(r);
	}
	r->line++;
	*line = r->shown;
	return NDJSON_TOO_LONG;
}

/*
 * Finds the next newline, reading as needed: its index in buf, FOUND_TOO_LONG, or FOUND_END when
 * the input ends before it.
 */
enum { FOUND_TOO_LONG = -1, FOUND_END = -2 };

static ptrdiff_t
find_newline(struct ndjson *r)
{
	size_t seen = 0;

	for (;;) {
		const char *p = r->buf + r->from;
		size_t n = r->to - r->from;
		const char *stop = memchr(p + seen, '\n', n - seen);

		if ((stop != NULL ? (size_t)(stop - p) : n) > r->max_line_bytes)
			return FOUND_TOO_LONG;
		if (stop != NULL)
			return stop - r->buf;
		if (r->eof)
			return FOUND_END;
		seen = n;
		fill(r);
	}
}

int
ndjson_next(struct ndjson *r, const char **line, size_t *len, struct err *err)
{
	start(r);
	for (;;) {
		ptrdiff_t at = find_newline(r);

		r->unended = false;
		if (at == FOUND_TOO_LONG)
			return skip_long(r, line, len);
		/* a last line without a newline counts only when nothing was cut off behind it */
		if (at == FOUND_END &&
		    (r->from == r->to || (r->held.code != 0 && !gz_is_whole(r->gz))))
			return ended(r, err) != 0 ? -1 : NDJSON_END;
		char *p = r->buf + r->from;
		char *end = r->buf + (at == FOUND_END ? r->to : (size_t)at);
		size_t n = (size_t)(end - p) + (at != FOUND_END);

		r->from += n;
		r->offset += n;
		r->line++;
		while (p < end && *p == 0x1e)
			p++;
		if (is_blank(p, (size_t)(end - p)))
			continue;
		if (at != FOUND_END && end > p && end[-1] == '\r')
			end--;
		*end = '\0';
		*line = p;
		*len = (size_t)(end - p);
		return at == FOUND_END ? NDJSON_PARTIAL : NDJSON_LINE;
	}
}

static bool
would_wait(const struct ndjson *r)
{
	struct pollfd p = { .fd = gz_fd(r->gz), .events = POLLIN };

	if (r->eof || gz_pending(r->gz))
		return false;
	/* a descriptor that cannot be polled, or that is at its end, does not block */
	return poll(&p, 1, 0) == 0;
}

int
ndjson_peek(struct ndjson *r, const char **bytes, size_t *len, struct err *err)
{
	start(r);
	/* waits for one whole line; more is taken only if it is there already */
	while (!r->eof && r->to - r->from < PEEK_BYTES) {
		if (memchr(r->buf + r->from, '\n', r->to - r->from) != NULL && would_wait(r))
			break;
		fill(r);
	}
	*bytes = r->buf + r->from;
	*len = MIN(r->to - r->from, PEEK_BYTES);
	return *len > 0 ? 0 : ended(r, err);
}

bool
ndjson_ahead(struct ndjson *r, const char **bytes, size_t *len)
{
	while (!r->eof && r->to - r->from < PEEK_BYTES && !would_wait(r))
		fill(r);
	*bytes = r->buf + r->from;
	*len = MIN(r->to - r->from, PEEK_BYTES);
	return r->eof && *len == r->to - r->from;
}

int
ndjson_seek(struct ndjson *r, uint64_t offset, uint64_t line, struct err *err)
{
	if (r->started)
		return err_set(err, ERR_BUG, "seek in '%s' after it was read", r->name);
	if (gz_skip(r->gz, offset, err) != 0)
		return -1;
	r->started = offset > 0;
	r->offset = offset;
	r->line = line;
	return 0;
}

bool
ndjson_would_block(struct ndjson *r)
{
	if (memchr(r->buf + r->from, '\n', r->to - r->from) != NULL)
		return false;
	return would_wait(r);
}

const char *
ndjson_name(const struct ndjson *r)
{
	return r->name;
}

void
ndjson_set_name(struct ndjson *r, const char *name)
{
	free(r->name);
	r->name = xstrdup(name);
}

uint64_t
ndjson_line(const struct ndjson *r)
{
	return r->line;
}

uint64_t
ndjson_offset(const struct ndjson *r)
{
	return r->offset;
}

bool
ndjson_is_unended(const struct ndjson *r)
{
	return r->unended;
}

bool
ndjson_is_read(const struct ndjson *r)
{
	return r->eof && r->held.code == 0;
}

int
ndjson_fd(const struct ndjson *r)
{
	return gz_fd(r->gz);
}

bool
ndjson_is_packed(const struct ndjson *r)
{
	return gz_is_packed(r->gz);
}

int
ndjson_rest(struct ndjson *r, size_t max_bytes, const char **bytes, size_t *len, struct err *err)
{
	start(r);
	while (!r->eof) {
		if (r->to - r->from > MIN(max_bytes, MOST_BYTES))
			break;
		fill(r);
	}
	if (ended(r, err) != 0)
		return -1;
	if (r->to - r->from > max_bytes)
		return err_set(err, ERR_DATA, "over %zu bytes: '%s'", max_bytes, r->name);
	r->buf[r->to] = '\0';
	*bytes = r->buf + r->from;
	*len = r->to - r->from;
	r->offset += *len;
	r->from = r->to;
	return 0;
}

ptrdiff_t
ndjson_read(struct ndjson *r, void *p, size_t n, struct err *err)
{
	start(r);
	if (r->from == r->to && !r->eof)
		fill(r);
	if (r->from == r->to && ended(r, err) != 0)
		return -1;
	n = MIN(n, r->to - r->from);
	memcpy(p, r->buf + r->from, n);
	r->from += n;
	r->offset += n;
	return (ptrdiff_t)n;
}

void
ndjson_close(struct ndjson *r)
{
	if (r == NULL)
		return;
	gz_close(r->gz);
	free(r->name);
	free(r->buf);
	free(r);
}

bool
ndjson_is_end(const struct json *v)
{
	const char *type = json_get_string(v, "type", NULL);

	return type != NULL && (strcmp(type, "end") == 0 || strcmp(type, "steps") == 0);
}

int
ndjson_record(const char *line, size_t len, const char *key, struct arena *a,
	const struct json **out, struct err *err)
{
	if (len > 0 && (*line == '{' || *line == '[' || *line == '"'))
		return json_parse(line, len, a, out, err);
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	json_open(&b);
	json_strn(&b, key, line, len);
	json_close(&b);
	line = arena_strndup(a, b.data, b.len);
	return json_parse(line, b.len, a, out, err);
}
