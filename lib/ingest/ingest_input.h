/*
 * ingest_input.h: one input of mem-ingest, cut into units: lines, elements of a document,
 * paragraphs, or turns.
 */
#pragma once

#include <signal.h>

#include "base/buf.h"
#include "formats/turns.h"
#include "ingest/json/stream.h"
#include "json/ndjson.h"

enum input_mode { INPUT_LINES, INPUT_ELEMENTS, INPUT_PARAGRAPHS, INPUT_TURNS };

enum input_got {
	INPUT_END = 0,
	INPUT_UNIT = 1,
	INPUT_TOO_LONG = 2,        /* longer than its cap; *text is its beginning */
	INPUT_PARTIAL = 3,         /* a last line without a newline, which may be half written */
	/* the document ends inside this element or, with *len 0, before its array is closed */
	INPUT_CUT = 4,
	INPUT_LONG = 5,            /* an element too long for memory: json_stream_long has it */
};

/*
 * Called when the input has nothing to read and wait_ms, the time that may still be waited, is
 * over.
 */
struct input_idle {
	int (*idle)(void *arg, struct err *err);
	int64_t (*wait_ms)(void *arg);
	void *arg;
	const volatile sig_atomic_t *stop;         /* ends a wait, and with it the input */
};

/*
 * For INPUT_TURNS: whether a turn begins with a line; called in order for each line that is not
 * blank.
 */
typedef bool input_begins_fn(void *arg, const char *line, size_t len,
	const struct turns_around *around);

/*
 * Others than ingest_input.c only read it, but for the four that say how, which they set before
 * input_set_mode.
 */
struct input {
	struct ndjson *lines;             /* which tells its name, and how far it was read */
	struct json_stream *elements;
	const struct input_idle *idle;
	enum input_mode mode;
	size_t in_memory;          /* an element is INPUT_LONG beyond; 0: it is too long */
	input_begins_fn *begins;   /* tells where turns begin */
	void *begins_arg;
	/* the paragraph or turn that is being read, and the line that began the next one */
	struct buf paragraph, ahead, mended;
	/* a line with carriage returns in it, and how much of that was given */
	struct buf rest;
	size_t rest_at;
	struct buf damaged, head;  /* a line with damage, and as the head that it may have been */
	uint64_t ahead_line;
	uint64_t number;           /* the first line of the unit, or the element's place, from 1 */
	/* of text: what is no UTF-8 becomes U+FFFD, and NULs at the ends of lines are dropped */
	bool mend;
	uint64_t n_mended;         /* characters that were replaced so far */
	int ahead_got;             /* enum ndjson_got of the line ahead; 0: there is none */
};

int
input_open(const char *path, const struct input_idle *idle, struct input **out, struct err *err);
void input_close(struct input *in);

int input_peek(struct input *in, const char **bytes, size_t *len, struct err *err);
void input_set_mode(struct input *in, enum input_mode mode);
/*
 * Reads the next unit. Returns enum input_got, or -1. *text is borrowed until the next call, and a
 * NUL follows it.
 */
int input_next(struct input *in, const char **text, size_t *len, struct err *err);
