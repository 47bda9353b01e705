/*
 * ndjson.h: reads the lines of a file or stdin one by one, with their places. Accepts a BOM at the
 * start, CRLF, blank lines (skipped, but counted), and RFC 7464's RS before a record. A line over
 * the cap is returned as too long, with its rest skipped, so the caller can name it and go on.
 */
#pragma once

#include "base/err.h"

struct arena;
struct json;

struct ndjson;

enum ndjson_got {
	NDJSON_END = 0,
	NDJSON_LINE = 1,
	/* the line is over the cap; *line and *len are its first bytes */
	NDJSON_TOO_LONG = 2,
	/* the last line has no newline: complete or half written, the caller must know */
	NDJSON_PARTIAL = 3,
};

/*
 * Opens path; "-" is stdin, and is called "stdin" in messages. max_line_bytes 0: the setting
 * line_bytes.
 */
int ndjson_open(const char *path, size_t max_line_bytes, struct ndjson **out, struct err *err);

/*
 * Reads the next line. It is borrowed until the next call, and a NUL follows it. Returns enum
 * ndjson_got, or -1 for a fault of the input, which comes after the whole lines before it.
 */
int ndjson_next(struct ndjson *r, const char **line, size_t *len, struct err *err);

/*
 * The record of a line. One that begins as no record does is a text as a person types it, and
 * becomes {"KEY":"text"}. *out lives as long as a. ERR_DATA.
 */
int ndjson_record(const char *line, size_t len, const char *key, struct arena *a,
	const struct json **out, struct err *err);

/* Whether it is the last record of an answer, which says how it ended, and is about nothing. */
bool ndjson_is_end(const struct json *v);

/*
 * The next bytes of the input without consuming them, at most 64 KiB and without a BOM, for telling
 * formats. From a pipe: at least one line, and what else is there.
 */
int ndjson_peek(struct ndjson *r, const char **bytes, size_t *len, struct err *err);

/*
 * The bytes behind the line that was returned last, which is then gone: as many as are there
 * without waiting, at most 64 KiB. true: the input ends with them.
 */
bool ndjson_ahead(struct ndjson *r, const char **bytes, size_t *len);

/*
 * Starts reading at a byte offset of the unpacked stream; line numbers go on from line. Called
 * before any read.
 */
int ndjson_seek(struct ndjson *r, uint64_t offset, uint64_t line, struct err *err);

/*
 * Whether the next ndjson_next could block: nothing is buffered and no input waits. The caller
 * should flush its output then.
 */
bool ndjson_would_block(struct ndjson *r);

const char *ndjson_name(const struct ndjson *r);
void ndjson_set_name(struct ndjson *r, const char *name);      /* copied */
/* the number of the line last returned, from 1 */
uint64_t ndjson_line(const struct ndjson *r);
/* bytes consumed, up to the end of the line last returned */
uint64_t ndjson_offset(const struct ndjson *r);
/*
 * Whether the line last returned is too long and has no newline yet, so that what is written next
 * belongs to it.
 */
bool ndjson_is_unended(const struct ndjson *r);
/* whether all was read without a fault, though perhaps not all returned */
bool ndjson_is_read(const struct ndjson *r);
int ndjson_fd(const struct ndjson *r);
bool ndjson_is_packed(const struct ndjson *r);
/*
 * The rest of the input as one piece, for formats that are one document, capped at max_bytes.
 * Borrowed.
 */
int
ndjson_rest(struct ndjson *r, size_t max_bytes, const char **bytes, size_t *len, struct err *err);
/*
 * Reads up to n bytes of the rest as they are, beginning with what was peeked; 0 at the end, -1.
 * Not to be mixed with ndjson_next.
 */
ptrdiff_t ndjson_read(struct ndjson *r, void *p, size_t n, struct err *err);
void ndjson_close(struct ndjson *r);

/* ---- all lines of an input ---- */

struct ndjson_line {
	const char *text;          /* borrowed until the next line, with a NUL after it */
	size_t len;
	const char *name;          /* the input's name in messages: "stdin", or its path */
	uint64_t number;           /* from 1 */
	struct arena *arena;       /* emptied before each line */
};

struct ndjson_fn {
	void *arg;
	/*
	 * Returns 0 to go on, 1 when no more lines are wanted, -1 with err: ERR_DATA is the fault
	 * of this line, any other code ends the run.
	 */
	int (*line)(void *arg, const struct ndjson_line *l, struct err *err);
	/*
	 * Called for a line that is too long, or for which line says ERR_DATA; then the next line
	 * comes. NULL: such a line ends the run with "NAME:NUMBER: why".
	 */
	void (*bad)(void *arg, const struct ndjson_line *l, const char *why);
	/*
	 * Called before a read that could block, so that output can be flushed. Returns 0, or what
	 * ends the run, as line does. NULL: there is nothing to do.
	 */
	int (*idle)(void *arg, struct err *err);
};

/*
 * Calls fn for each line of path ("-": stdin). Returns 0, or -1 for a fault of the input or of a
 * callback, after the lines before it were handled.
 */
int ndjson_each(const char *path, const struct ndjson_fn *fn, struct err *err);
/* The same of an input that is open, and closed then. */
int ndjson_each_of(struct ndjson *in, const struct ndjson_fn *fn, struct err *err);
