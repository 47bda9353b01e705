/*
 * ndjson.h: lines of a file or stdin, one by one, with where they stand.
 *
 * Accepts a BOM at the start, CRLF, blank lines (skipped, counted), RFC 7464's RS before a record.
 * A line over the cap is handed out as too long (its bytes skipped), so the caller names it and
 * goes on with the next.
 */
#ifndef JSON_NDJSON_H
#define JSON_NDJSON_H

#include "base/err.h"

struct arena;

struct ndjson;

enum ndjson_got {
	NDJSON_END = 0,
	NDJSON_LINE = 1,
	NDJSON_TOO_LONG = 2,       /* line is over the cap; *line and *len are its first bytes */
	/* the last line has no newline: complete, or half written: the caller knows */
	NDJSON_PARTIAL = 3,
};

/* path "-" is stdin; its name in messages is "stdin". max_line_bytes 0: CAP_LINE_BYTES. */
int ndjson_open(const char *path, size_t max_line_bytes, struct ndjson **out, struct err *err);

/*
 * line is borrowed until the next call, NUL after it. Returns enum ndjson_got, or -1: a fault of
 * the input, after the whole lines before it.
 */
int ndjson_next(struct ndjson *r, const char **line, size_t *len, struct err *err);

/*
 * The next bytes of the input without consuming them (at most 64 KiB, a BOM left out), for
 * sniffing. Of a pipe: one line at least, and what is there besides.
 */
int ndjson_peek(struct ndjson *r, const char **bytes, size_t *len, struct err *err);

/*
 * Starts reading at a byte offset of the unpacked stream, with line numbers going on from line.
 * Before any read.
 */
int ndjson_seek(struct ndjson *r, uint64_t offset, uint64_t line, struct err *err);

/*
 * True when the next ndjson_next could block: nothing buffered and no input waiting (so: flush what
 * you hold).
 */
bool ndjson_would_block(struct ndjson *r);

const char *ndjson_name(const struct ndjson *r);
uint64_t ndjson_line(const struct ndjson *r);      /* number of the line last returned, from 1 */
/* bytes consumed: just after the line last returned */
uint64_t ndjson_offset(const struct ndjson *r);
/*
 * The line last returned is too long, and its newline has not come: what is written next still
 * belongs to it.
 */
bool ndjson_is_unended(const struct ndjson *r);
/* to its end, without a fault; not all of it may be handed out */
bool ndjson_is_read(const struct ndjson *r);
int ndjson_fd(const struct ndjson *r);
bool ndjson_is_packed(const struct ndjson *r);
/*
 * The whole rest of the input as one piece (for formats that are one document), capped at
 * max_bytes. Borrowed.
 */
int
ndjson_rest(struct ndjson *r, size_t max_bytes, const char **bytes, size_t *len, struct err *err);
/*
 * Up to n bytes of the rest as they are, what was peeked at first; 0 at the end, -1. Not to be
 * mixed with ndjson_next.
 */
ptrdiff_t ndjson_read(struct ndjson *r, void *p, size_t n, struct err *err);
void ndjson_close(struct ndjson *r);

/* ---- all lines of an input ---- */

struct ndjson_line {
	const char *text;          /* borrowed until the next line, NUL after it */
	size_t len;
	const char *name;          /* of the input in messages: "stdin", or its path */
	uint64_t number;           /* from 1 */
	struct arena *arena;       /* emptied before each line */
};

struct ndjson_fn {
	void *arg;
	/*
	 * 0: the next line; 1: no more are wanted; -1: ERR_DATA is the line's fault, any other code
	 * ends it all.
	 */
	int (*line)(void *arg, const struct ndjson_line *l, struct err *err);
	/*
	 * A line that is too long, or of which line says ERR_DATA; the next one comes. NULL: ends
	 * with "NAME:NUMBER: why".
	 */
	void (*bad)(void *arg, const struct ndjson_line *l, const char *why);
	/*
	 * Before a read that could block: time to flush. 0, or what ends it, as line. NULL: nothing
	 * to do.
	 */
	int (*idle)(void *arg, struct err *err);
};

/*
 * Hands out each line of path ("-": stdin). 0, or -1 with a fault of the input or of a callback;
 * the lines before it were handed out.
 */
int ndjson_each(const char *path, const struct ndjson_fn *fn, struct err *err);

#endif
