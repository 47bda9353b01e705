/*
 * chunk.c: one pass over the lines finds the fences. The text between two fences is cut into pieces
 * (paragraphs; sentences of a long paragraph; runs of words of a long sentence), which are packed
 * into chunks as long as they fit.
 *
 * CommonMark permits a fence three spaces of indent, which inside a list item are counted from the
 * item's text. List items are not parsed here, so any indent is permitted behind a line that is an
 * item.
 */
#include "base/ascii.h"
#include "text/chunk.h"

#include "base/span.h"
#include "text/tokens.h"

struct packer {
	const char *text;
	chunk_fn *fn;
	void *arg;
	int rc;
	size_t start, end;         /* the chunk being packed; start == end: it is empty */
	unsigned n_tokens;         /* its estimated tokens, never too low */
};

struct fence {
	char mark;                 /* ` or ~ */
	size_t n, indent;
	size_t info, info_end;
};

/* ---- packing ---- */

static void
flush(struct packer *p)
{
	struct chunk c = { .kind = CHUNK_PROSE, .start = p->start, .len = p->end - p->start };

	if (c.len > 0 && p->rc == 0) {
		c.n_tokens = tokens_estimate(p->text + c.start, c.len);
		p->rc = p->fn(p->arg, &c);
	}
	p->start = p->end;
	p->n_tokens = 0;
}

/*
 * Adds the piece [at, end), which has at most CHUNK_TOKENS, to the chunk, or begins a new one.
 * White space around the piece is left out.
 */
static void
pack(struct packer *p, size_t at, size_t end)
{
	while (at < end && ascii_is_space(p->text[at]))
		at++;
	while (end > at && ascii_is_space(p->text[end - 1]))
		end--;
	if (at == end)
		return;
	if (p->start < p->end) {
		unsigned more = tokens_estimate(p->text + p->end, end - p->end);
		if (p->n_tokens + more <= CHUNK_TOKENS) {
			p->n_tokens += more;
			p->end = end;
			return;
		}
		flush(p);
	}
	p->start = at;
	p->end = end;
	p->n_tokens = tokens_estimate(p->text + at, end - at);
}

/* Cuts a sentence that is too long at spaces. */
static void
pack_words(struct packer *p, size_t at, size_t end)
{
	while (at < end && p->rc == 0) {
		size_t n = tokens_clip(p->text + at, end - at, CHUNK_TOKENS);

		pack(p, at, at + n);
		at += n;
		while (at < end && ascii_is_space(p->text[at]))
			at++;
	}
}

/*
 * Returns the length in bytes of a mark that ends a sentence without a space behind it, as in
 * Chinese; 0 when there is none.
 */
static size_t
full_stop_at(const char *p, const char *end)
{
	static const char marks[][4] = { "\xe3\x80\x82", "\xef\xbc\x81", "\xef\xbc\x9f",
		"\xef\xbc\x9b" };

	if (end - p >= 3)
		for (size_t i = 0; i < NELEM(marks); i++)
			if (memcmp(p, marks[i], 3) == 0)
				return 3;
	return 0;
}

/* Returns the length in bytes of a closing quote or bracket at p. */
static size_t
closer_at(const char *p, const char *end)
{
	static const char marks[][4] = { "\xe2\x80\x9d", "\xe2\x80\x99", "\xe3\x80\x8d",
		"\xe3\x80\x8f", "\xef\xbc\x89" };

	if (p == end)
		return 0;
	if (*p == '"' || *p == '\'' || *p == ')' || *p == ']' || *p == '*')
		return 1;
	if (end - p >= 3)
		for (size_t i = 0; i < NELEM(marks); i++)
			if (memcmp(p, marks[i], 3) == 0)
				return 3;
	return 0;
}

size_t
chunk_sentence_end(const char *text, size_t at, size_t end)
{
	const char *p = text + at, *stop = text + end, *q;

	while (p < stop) {
		size_t n = full_stop_at(p, stop), m;

		if (*p == '\n')
			return (size_t)(p + 1 - text);
		if (n == 0 && *p != '.' && *p != '!' && *p != '?') {
			p++;
			continue;
		}
		for (q = p + (n > 0 ? n : 1); (m = closer_at(q, stop)) > 0;)
			q += m;
		if (n > 0 || q == stop ||
		    (ascii_is_space(*q) && !(q + 1 < stop && q[1] >= 'a' && q[1] <= 'z')))
			return (size_t)(q - text);
		p++;
	}
	return end;
}

static void
pack_paragraph(struct packer *p, size_t at, size_t end)
{
	if (tokens_estimate(p->text + at, end - at) <= CHUNK_TOKENS) {
		pack(p, at, end);
		return;
	}
	while (at < end && p->rc == 0) {
		size_t next = chunk_sentence_end(p->text, at, end);

		if (tokens_estimate(p->text + at, next - at) <= CHUNK_TOKENS)
			pack(p, at, next);
		else
			pack_words(p, at, next);
		at = next;
	}
}

/* ---- fences ---- */

/* Whether the line [at, end) opens a fence (CommonMark 4.5). */
static bool
opens_fence(const char *text, size_t at, size_t end, bool in_list, struct fence *f)
{
	size_t p = at;

	while (p < end && (text[p] == ' ' || text[p] == '\t'))
		p++;
	f->indent = p - at;
	if (p == end || (text[p] != '`' && text[p] != '~') || (f->indent > 3 && !in_list))
		return false;
	f->mark = text[p];
	for (f->n = 0; p < end && text[p] == f->mark; p++)
		f->n++;
	f->info = p;
	f->info_end = end;
	return f->n >= 3 && (f->mark == '~' || memchr(text + p, '`', end - p) == NULL);
}

static bool
closes_fence(const char *text, size_t at, size_t end, const struct fence *open)
{
	size_t p = at, n = 0;

	while (p < end && (text[p] == ' ' || text[p] == '\t'))
		p++;
	if (p - at > open->indent + 3)
		return false;
	for (; p < end && text[p] == open->mark; p++)
		n++;
	while (p < end && ascii_is_space(text[p]))
		p++;
	return n >= open->n && p == end;
}

static void
copy_language(char out[CHUNK_LANG], const char *text, const struct fence *f)
{
	size_t p = f->info, n = 0;

	while (p < f->info_end && ascii_is_space(text[p]))
		p++;
	while (p < f->info_end && !ascii_is_space(text[p]) && n < CHUNK_LANG - 1) {
		out[n++] = ascii_lower(text[p]);
		p++;
	}
	if (p < f->info_end)
		/* not inside a character */
		while (n > 0 && ((unsigned char)text[p] & 0xc0) == 0x80) {
			p--;
			n--;
		}
	out[n] = '\0';
}

/* Emits the code chunk whose fence line begins at `at`; returns the start of the line behind it. */
static size_t
emit_code(struct packer *p, size_t at, size_t len, const struct fence *f)
{
	struct chunk c = { .kind = CHUNK_CODE, .start = at + f->indent };
	size_t next = f->info_end, stop;

	flush(p);
	while (next < len) {
		size_t line = next + 1;

		next = span_line_end(p->text, len, line);
		if (closes_fence(p->text, line, next, f))
			break;
	}
	for (stop = next; stop > c.start && ascii_is_space(p->text[stop - 1]);)
		stop--;
	c.len = stop - c.start;
	c.n_tokens = tokens_estimate(p->text + c.start, c.len);
	copy_language(c.language, p->text, f);
	if (p->rc == 0)
		p->rc = p->fn(p->arg, &c);
	p->start = p->end = stop;
	return MIN(next + 1, len);
}

/* Whether the line is a list item: "- ", "* ", "1. " and the like, at any indent. */
static bool
is_item(const char *text, size_t at, size_t end)
{
	size_t digits = 0;

	while (at < end && (text[at] == ' ' || text[at] == '\t'))
		at++;
	while (at < end && ascii_is_digit(text[at])) {
		at++;
		digits++;
	}
	if (at + 1 >= end || !ascii_is_space(text[at + 1]))
		return false;
	return digits > 0 ? text[at] == '.' || text[at] == ')'
			  : text[at] == '-' || text[at] == '*' || text[at] == '+';
}

int
chunk_each(const char *text, size_t len, chunk_fn *fn, void *arg)
{
	struct packer p = { .text = text, .fn = fn, .arg = arg };
	struct fence f;
	bool in_list = false;
	size_t at = 0, paragraph = 0;

	while (at < len && p.rc == 0) {
		size_t end = span_line_end(text, len, at);

		if (opens_fence(text, at, end, in_list, &f)) {
			pack_paragraph(&p, paragraph, at);
			at = paragraph = emit_code(&p, at, len, &f);
			continue;
		}
		if (ascii_is_blank(text + at, end - at)) {
			pack_paragraph(&p, paragraph, at);
			paragraph = end;
		} else if (is_item(text, at, end)) {
			in_list = true;
		} else if (!ascii_is_space(text[at])) {
			in_list = false;
		}
		at = MIN(end + 1, len);
	}
	if (p.rc == 0)
		pack_paragraph(&p, paragraph, len);
	flush(&p);
	return p.rc;
}
