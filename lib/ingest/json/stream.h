/*
 * stream.h: reads the values of a JSON document one by one, without holding the document: the
 * elements of a top-level array, and top-level values that are no array. Several documents may
 * follow one another.
 *
 * Only quotes and brackets are looked at; the parser of an element tells whether it is JSON.
 */
#pragma once

#include "ingest/long_text.h"

struct json_stream;

enum json_stream_got {
	JSON_STREAM_END = 0,
	JSON_STREAM_ONE = 1,
	/* over the cap: the rest is skipped, *text and *len are its first bytes */
	JSON_STREAM_TOO_LONG = 2,
	/* the input ends inside the element or, with *len 0, inside the array */
	JSON_STREAM_CUT = 3,
	/* a whole element that is too long for memory: json_stream_long has it */
	JSON_STREAM_LONG = 4,
};

/* Like read(2): puts bytes into p and returns their number, 0 at the end, -1 with err. */
typedef ptrdiff_t json_stream_read_fn(void *arg, void *p, size_t n, struct err *err);

/* An element is held in memory up to in_memory bytes, and is too long beyond max_bytes. */
struct json_stream *json_stream_open(json_stream_read_fn *read, void *arg, size_t in_memory,
	uint64_t max_bytes);

/*
 * Reads the next element. Returns enum json_stream_got, or -1. *text is borrowed until the next
 * call, and a NUL follows it. Cost: about 1 ns a byte.
 */
int json_stream_next(struct json_stream *e, const char **text, size_t *len, struct err *err);

/* The element that was returned last, borrowed until the next call. */
struct long_text *json_stream_long(struct json_stream *e);
/* the number of the element that was returned last, from 1 */
uint64_t json_stream_number(const struct json_stream *e);
void json_stream_close(struct json_stream *e);
