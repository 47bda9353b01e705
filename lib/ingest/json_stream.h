/*
 * json_stream.h: the values of a JSON document one by one, without holding the document: the elements of a top-level array, and top-level
 * values that are no array. Several documents may follow each other.
 *
 * Only quotes and brackets are looked at; whether an element is JSON is for the parser of the element to say.
 */
#ifndef INGEST_JSON_STREAM_H
#define INGEST_JSON_STREAM_H

#include "base/err.h"

struct elements;

enum elements_got {
	ELEMENTS_END = 0,
	ELEMENTS_ONE = 1,
	ELEMENTS_TOO_LONG = 2,     /* over the cap: skipped, *text and *len are its first bytes */
	ELEMENTS_CUT = 3,          /* the input ends inside it, or inside the array (then *len is 0) */
};

/* As read(2): bytes into p, 0 at the end, -1 with err. */
typedef ptrdiff_t elements_read_fn(void *arg, void *p, size_t n, struct err *err);

struct elements *elements_open(elements_read_fn *read, void *arg, size_t max_bytes);

/* *text is borrowed until the next call, NUL after it. Returns enum elements_got, or -1. Cost: about 1 ns a byte. */
int elements_next(struct elements *e, const char **text, size_t *len, struct err *err);

uint64_t elements_number(const struct elements *e);            /* of the one last handed out, from 1 */
void elements_close(struct elements *e);

#endif
