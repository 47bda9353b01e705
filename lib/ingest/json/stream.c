/*
 * stream.c: a scanner that knows strings and nesting. An export of a gigabyte is one line, so it
 * cannot be cut at lines, and libjq parses only whole texts. Between elements all bytes but white
 * space and commas are kept: they become an element, which the parser refuses with its number.
 */
#include "base/alloc.h"
#include "ingest/json/stream.h"
#include "json/json.h"

#define CHUNK_BYTES (256u << 10)

struct json_stream {
	json_stream_read_fn *read;
	void *arg;
	struct long_text one;
	char *chunk;
	size_t from, to;           /* the part of chunk that was not yet scanned */
	uint64_t number;
	bool in_array, eof;
};

struct json_stream *
json_stream_open(json_stream_read_fn *read, void *arg, size_t in_memory, uint64_t max_bytes)
{
	struct json_stream *e = xcalloc(1, sizeof(*e));

	e->read = read;
	e->arg = arg;
	e->chunk = xmalloc(CHUNK_BYTES);
	long_text_init(&e->one, in_memory, max_bytes);
	return e;
}

void
json_stream_close(struct json_stream *e)
{
	if (e == NULL)
		return;
	long_text_release(&e->one);
	free(e->chunk);
	free(e);
}

struct long_text *
json_stream_long(struct json_stream *e)
{
	return &e->one;
}

uint64_t
json_stream_number(const struct json_stream *e)
{
	return e->number;
}

/* Makes sure that there are bytes to scan. 1: there are; 0: the input ended; -1. */
static int
fill_chunk(struct json_stream *e, struct err *err)
{
	if (e->from < e->to)
		return 1;
	if (e->eof)
		return 0;
	ptrdiff_t got = e->read(e->arg, e->chunk, CHUNK_BYTES, err);
	if (got < 0)
		return -1;
	e->from = 0;
	e->to = (size_t)got;
	e->eof = got == 0;
	return got > 0;
}

static bool
is_between(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* Skips what stands between elements. 1: an element follows; 0: the input ended; -1. */
static int
seek_element(struct json_stream *e, struct err *err)
{
	int got;

	while ((got = fill_chunk(e, err)) > 0) {
		char c = e->chunk[e->from];

		if (!is_between(c) && !(c == '[' && !e->in_array) && !(c == ']' && e->in_array))
			return 1;
		if (c == '[' || c == ']')
			e->in_array = c == '[';
		e->from++;
	}
	return got;
}

/* How many bytes belong to a number or a word: what ends it belongs to what follows. */
static size_t
word_bytes(const char *p, size_t n, bool *ended)
{
	size_t i = 0;

	while (i < n && !is_between(p[i]) && strchr("[]{}\"", p[i]) == NULL)
		i++;
	*ended = i < n;
	return i;
}

int
json_stream_next(struct json_stream *e, const char **text, size_t *len, struct err *err)
{
	struct json_scan s = { .depth = 0 };
	int got = seek_element(e, err);
	bool word, ended = false;

	*text = "";
	*len = 0;
	if (got < 0)
		return -1;
	if (got == 0) {
		bool cut = e->in_array;

		e->in_array = false;
		return cut ? JSON_STREAM_CUT : JSON_STREAM_END;
	}
	e->number++;
	long_text_reset(&e->one);
	word = strchr("{[\"", e->chunk[e->from]) == NULL;
	/* the first byte always belongs to the element, also when it is a stray bracket */
	if (word && long_text_add(&e->one, &e->chunk[e->from++], 1, err) != 0)
		return -1;
	while (!ended && (got = fill_chunk(e, err)) > 0) {
		const char *p = e->chunk + e->from;
		size_t left = e->to - e->from;
		size_t n = word ? word_bytes(p, left, &ended) : json_scan(&s, p, left, &ended);

		if (long_text_add(&e->one, p, n, err) != 0)
			return -1;
		e->from += n;
	}
	if (got < 0)
		return -1;
	if (long_text_at(&e->one, 0, text, len, err) != 0)
		return -1;
	if (e->one.full)
		return JSON_STREAM_TOO_LONG;
	if (!ended && !word) {
		e->in_array = false;
		return JSON_STREAM_CUT;
	}
	return e->one.fd < 0 ? JSON_STREAM_ONE : JSON_STREAM_LONG;
}
