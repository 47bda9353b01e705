/*
 * long_text.h: a text that is written from its beginning to its end, and read in any order: in
 * memory as long as it is short, then in a temporary file.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* what is read of the file at once */
#define LONG_TEXT_WINDOW (64u << 10)

struct long_text {
	struct buf memory;                     /* the text, while fd is -1, up to its max */
	int fd;
	uint64_t len, max;
	bool full;                             /* something beyond max was dropped */
	/* the part of the file that was read last */
	char *window;
	uint64_t window_at;
	size_t window_len;
};

/* A text that lies in memory already, borrowed; it is not released. */
struct long_text long_text_of(const char *s, size_t len);
/* Up to in_memory bytes are kept in memory, and max bytes at all. */
void long_text_init(struct long_text *t, size_t in_memory, uint64_t max);
void long_text_release(struct long_text *t);
/* Empties the text, which then is in memory again. */
void long_text_reset(struct long_text *t);
/* ERR_IO: the disk is full, or there is no place for a file. */
int long_text_add(struct long_text *t, const char *p, size_t n, struct err *err);
/*
 * The bytes from at on, at least one, up to the end: *n of them, borrowed until the next call. at
 * is less than len.
 */
int long_text_at(struct long_text *t, uint64_t at, const char **p, size_t *n, struct err *err);
/* Appends the bytes from start to end. */
int long_text_copy(struct long_text *t, uint64_t start, uint64_t end, struct buf *out,
	struct err *err);
