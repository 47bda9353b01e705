/*
 * context_text.c: two passes. The first drops what must not be shown and lays out the lines; the
 * second escapes fences in what is left, so that a dropped character cannot hide a fence from it.
 */
#include "context/context_text.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "clean/context_fences.h"

/* most places used of a text: an excerpt need not be the best of a million */
#define PLACES_LOOKED 512

static bool
is_blank(uint32_t cp)
{
	return ascii_is_space(cp) || cp == 0x85 || cp == 0xa0 || cp == 0x2028 || cp == 0x2029 ||
	    cp == 0x3000;
}

static bool
is_newline(uint32_t cp)
{
	return cp == '\n' || cp == '\v' || cp == '\f' || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

static bool
is_dropped(uint32_t cp)
{
	return utf8_unsafe(cp) || (cp >= 0xfe00 && cp <= 0xfe0f);
}

/* The length of a terminal control sequence such as "[31m" after ESC; 0 when there is none. */
static size_t
sequence_len(const char *p, const char *end)
{
	const char *q = p;

	if (q == end || *q++ != '[')
		return 0;
	while (q < end && *q >= 0x20 && *q <= 0x3f)
		q++;
	return q < end && *q >= 0x40 && *q <= 0x7e ? (size_t)(q + 1 - p) : 0;
}

/* ---- the first pass ---- */

struct layout {
	struct buf *out;
	enum context_lines lines;
	unsigned n_newlines;       /* to write before the next character */
	struct buf *blanks; /* to write before it too: an indentation, or blanks between words */
};

static void
write_run(struct layout *l, const char *p, size_t n)
{
	bool first = l->out->len == 0;

	if (!first && l->n_newlines > 0) {
		buf_addc(l->out, '\n');
		while (l->lines == CONTEXT_CODE && --l->n_newlines > 0)
			buf_addc(l->out, '\n');
		buf_addc(l->out, ' ');
	}
	if (!first && l->blanks->len > 0) {
		if (l->lines == CONTEXT_ONE_LINE)
			buf_addc(l->out, ' ');
		else
			buf_add(l->out, l->blanks->data, l->blanks->len);
	}
	l->n_newlines = 0;
	buf_reset(l->blanks);
	buf_add(l->out, p, n);
}

static void
lay_out(struct layout *l, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	char encoded[4];
	uint32_t cp;

	while (p < end) {
		const char *at = p;

		p += utf8_next(p, end, &cp);
		if (cp == 0x1b) {
			p += sequence_len(p, end);
		} else if (l->lines != CONTEXT_ONE_LINE && is_newline(cp)) {
			l->n_newlines++;
			buf_reset(l->blanks);
		} else if (is_blank(cp)) {
			buf_addc(l->blanks, cp == '\t' ? '\t' : ' ');
		} else if (cp == 0xfffd) {
			write_run(l, encoded, utf8_encode(cp, encoded));
		} else if (!is_dropped(cp)) {
			write_run(l, at, (size_t)(p - at));
		}
	}
}

void
context_clean(struct buf *out, const char *text, size_t len, enum context_lines lines,
	struct buf *scratch)
{
	LOCAL(buf) blanks = buf_of(len + 1);
	struct layout l = { scratch, lines, 0, &blanks };

	buf_reset(scratch);
	lay_out(&l, text, len);
	context_fences(out, scratch->data, scratch->len);
}

/* ---- excerpts ---- */

static size_t
skip_chars(const char *text, size_t len, size_t n)
{
	size_t at = 0;
	uint32_t cp;

	while (at < len && n-- > 0)
		at += utf8_next(text + at, text + len, &cp);
	return at;
}

/*
 * Moves the end of an excerpt back to a blank, if one is in its last third; scripts without blanks
 * are cut at the limit.
 */
static size_t
back_to_word(const char *text, size_t start, size_t end, size_t len)
{
	if (end == len)
		return end;
	for (size_t at = end; at > start + (end - start) * 2 / 3; at--)
		if (ascii_is_space(text[at]))
			return at;
	return end;
}

/*
 * The summed weight of the different terms that have a place in the n characters from places[i] on.
 */
static float
weight_within(const struct word_place *places, size_t n_places, size_t i, size_t n)
{
	uint64_t seen = 0;
	float sum = 0;

	for (size_t k = i; k < n_places && places[k].at < places[i].at + n; k++) {
		if (seen >> (places[k].term & 63) & 1)
			continue;
		seen |= 1ull << (places[k].term & 63);
		sum += places[k].weight;
	}
	return sum;
}

void
context_excerpt(const char *text, size_t len, const struct word_place *places, size_t n,
	size_t max_chars, size_t *start, size_t *n_bytes)
{
	size_t before = max_chars / 4, first = 0, end;
	float best = 0;

	n = MIN(n, (size_t)PLACES_LOOKED);
	for (size_t i = 0; i < n; i++) {
		float w = weight_within(places, n, i, max_chars - before);

		if (w > best) {
			best = w;
			first = places[i].at;
		}
	}
	/* begin a little before the first place, at the start of a word */
	*start = first > before ? first - before : 0;
	while (*start > 0 && *start < first && !ascii_is_space(text[*start - 1]))
		(*start)++;
	while (*start < len &&
	    (ascii_is_space(text[*start]) || ((unsigned char)text[*start] & 0xc0) == 0x80))
		(*start)++;
	end = *start + skip_chars(text + *start, len - *start, max_chars);
	/* where the text ends before the excerpt is full, more of what stands before is taken */
	if (end == len)
		*start = MIN(*start, context_tail(text, len, max_chars));
	else
		end = back_to_word(text, *start, end, len);
	*n_bytes = end - *start;
}

size_t
context_tail(const char *text, size_t len, size_t max_chars)
{
	size_t at = len, n = 0, from;

	while (at > 0 && n < max_chars) {
		at--;
		n += ((unsigned char)text[at] & 0xc0) != 0x80;
	}
	if (at == 0)
		return 0;
	for (from = at; from < len && from < at + (len - at) / 2; from++)
		if (ascii_is_space(text[from - 1]) && !ascii_is_space(text[from]))
			return from;
	while (at < len && ((unsigned char)text[at] & 0xc0) == 0x80)
		at++;
	return at;
}
