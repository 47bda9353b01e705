#include "ingest/long_text.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/write.h"

void
long_text_init(struct long_text *t, size_t in_memory, uint64_t max)
{
	memset(t, 0, sizeof(*t));
	buf_init(&t->memory, in_memory);
	t->fd = -1;
	t->max = max;
}

struct long_text
long_text_of(const char *s, size_t len)
{
	return (struct long_text){ .memory = { (char *)(uintptr_t)s, len, len, len, false },
		.fd = -1, .len = len, .max = len };
}

void
long_text_reset(struct long_text *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	buf_reset(&t->memory);
	free(t->window);
	t->window = NULL;
	t->window_len = 0;
	t->len = 0;
	t->full = false;
}

void
long_text_release(struct long_text *t)
{
	long_text_reset(t);
	buf_release(&t->memory);
}

static int
failed(struct err *err)
{
	return err_set_errno(err, ERR_IO, "cannot keep the input in a temporary file");
}

int
long_text_add(struct long_text *t, const char *p, size_t n, struct err *err)
{
	if (n > t->max - t->len) {
		n = (size_t)(t->max - t->len);
		t->full = true;
	}
	t->len += n;
	if (t->fd < 0 && t->len <= t->memory.max) {
		buf_add(&t->memory, p, n);
		return 0;
	}
	if (t->fd < 0) {
		if ((t->fd = temp_file()) < 0)
			return failed(err);
		if (write_whole(t->fd, t->memory.data, t->memory.len) != 0)
			return failed(err);
		t->window = xmalloc(LONG_TEXT_WINDOW);
	}
	return write_whole(t->fd, p, n) == 0 ? 0 : failed(err);
}

int
long_text_at(struct long_text *t, uint64_t at, const char **p, size_t *n, struct err *err)
{
	ssize_t got;

	if (t->fd < 0) {
		*p = t->memory.data + at;
		*n = t->memory.len - (size_t)at;
		return 0;
	}
	if (at < t->window_at || at >= t->window_at + t->window_len) {
		do {
			got = pread(t->fd, t->window, LONG_TEXT_WINDOW, (off_t)at);
		} while (got < 0 && errno == EINTR);
		if (got <= 0)
			return failed(err);
		t->window_at = at;
		t->window_len = (size_t)got;
	}
	*p = t->window + (at - t->window_at);
	*n = (size_t)(t->window_at + t->window_len - at);
	return 0;
}

int
long_text_copy(struct long_text *t, uint64_t start, uint64_t end, struct buf *out, struct err *err)
{
	const char *p;
	size_t n;

	for (; start < end; start += n) {
		if (long_text_at(t, start, &p, &n, err) != 0)
			return -1;
		n = (size_t)MIN(n, end - start);
		buf_add(out, p, n);
	}
	return 0;
}
