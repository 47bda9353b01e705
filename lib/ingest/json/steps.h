/*
 * steps.h: goes through the members of an object, or the items of an array, in a text that may
 * be longer than memory, without reading what is in them. Only quotes and brackets are looked at,
 * as in stream.h; the parser of a piece tells whether it is JSON.
 */
#pragma once

#include "ingest/long_text.h"

#define JSON_STEPS_KEY 256

struct json_span { uint64_t start, end; };

struct json_steps {
	struct long_text *t;
	uint64_t at, end;
	/* what is read of the text at at: valid until anything else reads it */
	const char *p;
	size_t n;
	char closing;                          /* the bracket that ends it all */
	/* the member or item at hand, with its key, and its value alone */
	struct json_span whole, value;
	char key[JSON_STEPS_KEY];              /* as it is written; "": an item, or too long */
};

/*
 * Begins at the object or array that fills span but for white space. 1; 0: it is neither; -1: the
 * text cannot be read.
 */
int json_steps_begin(struct json_steps *s, struct long_text *t, struct json_span span,
	struct err *err);
/*
 * Steps to the next one. 1; 0: it has ended; -1: the text cannot be read, or err is ERR_DATA: it is
 * no JSON. Cost: about 1 ns a byte.
 */
int json_steps_next(struct json_steps *s, struct err *err);
