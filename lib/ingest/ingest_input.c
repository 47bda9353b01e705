/*
 * ingest_input.c: three readers over one stream: of lines, of elements and of paragraphs. Waiting
 * for input is done here, with poll, so that what was gathered can be committed while a pipe is
 * silent, and a signal ends the wait at once.
 */
#include <poll.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/utf8.h"
#include "ingest/ingest_input.h"
#include "ingest/json/stream.h"
#include "json/ndjson.h"

/* how often a wait checks for a signal that came just before it began */
#define LOOK_MS       500

int
input_open(const char *path, const struct input_idle *idle, struct input **out, struct err *err)
{
	struct ndjson *r;
	struct input *in;

	if (ndjson_open(path, 0, &r, err) != 0)
		return -1;
	in = xcalloc(1, sizeof(*in));
	in->lines = r;
	in->idle = idle;
	buf_init(&in->paragraph, conf_caps.line_bytes);
	buf_init(&in->ahead, conf_caps.line_bytes);
	buf_init(&in->mended, 4 * conf_caps.line_bytes);
	buf_init(&in->rest, 4 * conf_caps.line_bytes);
	buf_init(&in->damaged, 4 * conf_caps.line_bytes);
	buf_init(&in->head, 4 * conf_caps.line_bytes);
	*out = in;
	return 0;
}

void
input_close(struct input *in)
{
	if (in == NULL)
		return;
	json_stream_close(in->elements);
	buf_release(&in->paragraph);
	buf_release(&in->ahead);
	buf_release(&in->mended);
	buf_release(&in->rest);
	buf_release(&in->damaged);
	buf_release(&in->head);
	ndjson_close(in->lines);
	free(in);
}

/* Waits until there is something to read. 1: there is; 0: the caller wants to stop; -1. */
static int
wait_for_bytes(struct input *in, struct err *err)
{
	struct pollfd p = { .fd = ndjson_fd(in->lines), .events = POLLIN };
	int64_t left = in->idle->wait_ms(in->idle->arg);

	while (!*in->idle->stop) {
		if (poll(&p, 1, left > 0 ? (int)MIN(left, LOOK_MS) : LOOK_MS) > 0)
			return 1;
		if (left > 0 && (left = in->idle->wait_ms(in->idle->arg)) > 0)
			continue;
		if (in->idle->idle(in->idle->arg, err) != 0)
			return -1;
	}
	return 0;
}

static int
wait_if_idle(struct input *in, struct err *err)
{
	if (*in->idle->stop)
		return 0;
	return ndjson_would_block(in->lines) ? wait_for_bytes(in, err) : 1;
}

int
input_peek(struct input *in, const char **bytes, size_t *len, struct err *err)
{
	int got = wait_if_idle(in, err);

	*bytes = "";
	*len = 0;
	if (got <= 0)
		return got;
	if (ndjson_peek(in->lines, bytes, len, err) != 0)
		return -1;
	/* what a power cut left before the first words tells nothing */
	for (; *len > 1 && **bytes == '\0'; ++*bytes)
		--*len;
	return 0;
}

static ptrdiff_t
read_bytes(void *arg, void *p, size_t n, struct err *err)
{
	struct input *in = arg;
	int got = wait_if_idle(in, err);

	if (got <= 0)
		return got;
	return ndjson_read(in->lines, p, n, err);
}

void
input_set_mode(struct input *in, enum input_mode mode)
{
	in->mode = mode;
	if (mode == INPUT_ELEMENTS)
		in->elements = json_stream_open(read_bytes, in,
		    in->in_memory > 0 ? in->in_memory : conf_caps.line_bytes,
		    in->in_memory > 0 ? conf_caps.file_bytes : conf_caps.line_bytes);
}

static int
next_line(struct input *in, const char **text, size_t *len, struct err *err)
{
	int got = wait_if_idle(in, err);

	if (got <= 0)
		return got;
	got = ndjson_next(in->lines, text, len, err);
	in->number = ndjson_line(in->lines);
	return got;          /* NDJSON_LINE, _TOO_LONG and _PARTIAL have the numbers of INPUT_ */
}

static int
next_element(struct input *in, const char **text, size_t *len, struct err *err)
{
	static const int as[] = { [JSON_STREAM_END] = INPUT_END,
		[JSON_STREAM_ONE] = INPUT_UNIT,
		[JSON_STREAM_TOO_LONG] = INPUT_TOO_LONG,
		[JSON_STREAM_CUT] = INPUT_CUT,
		[JSON_STREAM_LONG] = INPUT_LONG };
	int got = json_stream_next(in->elements, text, len, err);

	in->number = json_stream_number(in->elements);
	if (got == JSON_STREAM_CUT && *in->idle->stop)
		return INPUT_END;
	return got < 0 ? -1 : as[got];
}

/* The next line that has text, mended where the input wants that. */
static int
next_text_line(struct input *in, const char **text, size_t *len, struct err *err)
{
	int got;

	while ((got = next_line(in, text, len, err)) == INPUT_UNIT || got == INPUT_PARTIAL) {
		/* as in input_peek */
		for (; in->number == 1 && *len > 1 && **text == '\0'; ++*text)
			--*len;
		if (!in->mend || (memchr(*text, '\0', *len) == NULL && utf8_valid(*text, *len)))
			break;
		buf_reset(&in->mended);
		in->n_mended += utf8_mend(&in->mended, *text, *len);
		*text = in->mended.data;
		*len = in->mended.len;
		if (*len > 0)
			break;
	}
	return got;
}

/*
 * The next text line, or what of one stands up to a carriage return or behind it: programs that
 * write their own ends of lines into a file of others' leave lines that only these part. *joined:
 * it stands behind one.
 */
static int
next_piece(struct input *in, const char **text, size_t *len, bool *joined, struct err *err)
{
	const char *end;
	int got = INPUT_UNIT;

	*joined = in->rest_at < in->rest.len;
	if (!*joined) {
		in->rest_at = in->rest.len = 0;
		got = next_text_line(in, text, len, err);
		if ((got != INPUT_UNIT && got != INPUT_PARTIAL) || in->mode != INPUT_TURNS ||
		    memchr(*text, '\r', *len) == NULL)
			return got;
		buf_add(&in->rest, *text, *len);
	}
	*text = in->rest.data + in->rest_at;
	*len = in->rest.len - in->rest_at;
	if ((end = memchr(*text, '\r', *len)) != NULL)
		*len = (size_t)(end - *text);
	in->rest_at += *len + 1;
	return got;
}

struct line { struct input *in; const char *text; size_t len; };

/* As turns_around's ahead. The line goes to where it waits for the next turn. */
static bool
look_ahead(void *arg, const char **bytes, size_t *len)
{
	struct line *line = arg;
	struct input *in = line->in;

	if (line->text != in->ahead.data) {
		buf_reset(&in->ahead);
		buf_add(&in->ahead, line->text, line->len);
		line->text = in->ahead.data;
	}
	return ndjson_ahead(in->lines, bytes, len);
}

/* Whether a turn begins with a line; *text may be moved. */
static bool
begins_turn(struct input *in, const char **text, size_t len, bool after_blank)
{
	struct line line = { in, *text, len };
	const struct turns_around around = { after_blank, look_ahead, &line };
	bool begins = in->begins(in->begins_arg, *text, len, &around);

	*text = line.text;
	return begins;
}

/*
 * Where the first byte stands that is no character, or stands for one that was none, or for a feed
 * or a mark of the bytes' order; len: nowhere. In another charset only a NUL is none.
 */
static size_t
damage_at(const struct input *in, const char *s, size_t len)
{
	const char *nul = memchr(s, '\0', len), *p = s, *end;

	if (!in->mend)
		return nul != NULL ? (size_t)(nul - s) : len;
	end = s + utf8_bad_at(s, nul != NULL ? (size_t)(nul - s) : len);
	for (; p < end; p++)
		if (*p == '\v' || *p == '\f' || ((unsigned char)*p == 0xef && end - p >= 3 &&
			(memcmp(p, "\xef\xbf\xbd", 3) == 0 || memcmp(p, "\xef\xbb\xbf", 3) == 0)))
			return (size_t)(p - s);
	return (size_t)(end - s);
}

/* Writes the damaged line into in->head with "" or " " for each character that is none. */
static void
write_head(struct input *in, const char *as)
{
	const char *s = in->damaged.data, *end = s + in->damaged.len;
	struct buf *out = &in->head;

	buf_reset(out);
	while (s < end) {
		size_t good = damage_at(in, s, (size_t)(end - s));

		buf_add(out, s, good);
		s += good;
		if (s == end)
			break;
		buf_adds(out, as);
		s += *s == '\v' || *s == '\f' ? 1
		    : (unsigned char)*s == 0xef && end - s >= 3 && utf8_valid(s, 3)
		    ? 3
		    : utf8_bad_len(s, end);
	}
}

/*
 * As begins_turn, of a line that may be damaged: where none begins with the line as it is, it is
 * looked at without what in it is no character, and with spaces there, and is what then begins one.
 * Else the words of a turn would run into the one before. A fence is left as it is.
 */
static bool
begins_damaged(struct input *in, const char **text, size_t *len, bool after_blank)
{
	static const char *const as[] = { "", " " };
	size_t n = *len, at = 0;

	if (damage_at(in, *text, n) == n)
		return begins_turn(in, text, n, after_blank);
	buf_reset(&in->damaged);
	buf_add(&in->damaged, *text, n);
	if (begins_turn(in, text, n, after_blank))
		return true;
	for (size_t i = 0; i < NELEM(as); i++) {
		write_head(in, as[i]);
		at = strspn(in->head.data, " ");
		if (in->head.len == 0 || in->head.data[at] == '`' || in->head.data[at] == '~')
			break;
		*text = in->head.data;
		*len = in->head.len;
		if (begins_turn(in, text, *len, after_blank)) {
			in->n_mended += !in->mend;
			return true;
		}
	}
	*text = in->damaged.data;
	*len = n;
	return false;
}

/*
 * Reads the lines up to where the next paragraph or turn begins. ndjson_next skips blank lines, so
 * a paragraph ends where the line number jumps; in a turn the blank lines are put back.
 */
static int
next_paragraph(struct input *in, const char **text, size_t *len, struct err *err)
{
	uint64_t first = 0;
	const char *line;
	size_t n;
	int got;

	buf_reset(&in->paragraph);
	for (;;) {
		uint64_t last = ndjson_line(in->lines);
		bool begins, joined = false;

		if (in->ahead_got != 0) {
			got = in->ahead_got;
			line = in->ahead.data;
			n = in->ahead.len;
			in->ahead_got = 0;
			in->number = in->ahead_line;
		} else {
			if ((got = next_piece(in, &line, &n, &joined, err)) < 0)
				return -1;
			if (got == INPUT_END)
				begins = true;
			else if (joined && n == 0)
				begins = false;
			else if (in->mode == INPUT_TURNS)
				begins = begins_damaged(in, &line, &n, in->number > last + 1) &&
				    in->paragraph.len > 0;
			else
				begins = in->paragraph.len > 0 && in->number > last + 1;
			if (begins) {
				if (line != in->ahead.data || got == INPUT_END) {
					buf_reset(&in->ahead);
					buf_add(&in->ahead, line, got == INPUT_END ? 0 : n);
				}
				in->ahead_got = got;
				in->ahead_line = in->number;
				break;
			}
		}
		if (got == INPUT_TOO_LONG) {
			*text = line;
			*len = n;
			return INPUT_TOO_LONG;
		}
		if (in->paragraph.len == 0)
			first = in->number;
		else if (in->mode == INPUT_TURNS)
			for (last -= joined; last < in->number; last++)
				buf_addc(&in->paragraph, joined ? '\r' : '\n');
		else
			buf_addc(&in->paragraph, '\n');
		buf_add(&in->paragraph, line, n);
	}
	in->number = first;
	*text = in->paragraph.data;
	*len = in->paragraph.len;
	if (in->paragraph.full)
		return INPUT_TOO_LONG;
	return in->paragraph.len > 0 ? INPUT_UNIT : INPUT_END;
}

int
input_next(struct input *in, const char **text, size_t *len, struct err *err)
{
	*text = "";
	*len = 0;
	switch (in->mode) {
	case INPUT_ELEMENTS:
		return next_element(in, text, len, err);
	case INPUT_PARAGRAPHS:
	case INPUT_TURNS:
		return next_paragraph(in, text, len, err);
	default:
		return next_line(in, text, len, err);
	}
}

