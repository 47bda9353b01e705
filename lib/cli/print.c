/*
 * print.c: shows stored text to a person. The text is cut into pieces of one code point or one bad
 * byte, and each piece knows what to show and how wide that is. What could move the cursor, or hide
 * or reorder text, is shown as an escape.
 */
#include "base/ascii.h"
#include "base/utf8.h"
#include "cli/print.h"

struct piece {
	size_t n_bytes;            /* bytes of the text */
	char show[12];             /* what to print, without a NUL */
	size_t show_len;
	int columns;
	bool space;                /* blank, tab or newline */
	bool wide;                 /* a line may break before and after it */
};

/* Reads the piece at p < end. */
static void
piece_read(struct piece *c, const char *p, const char *end)
{
	uint32_t cp = (unsigned char)*p;

	c->space = c->wide = false;
	if (cp >= 0x20 && cp < 0x7f) {
		c->n_bytes = c->show_len = 1;
		c->show[0] = *p;
		c->columns = 1;
		c->space = *p == ' ';
		return;
	}
	c->n_bytes = utf8_decode(p, end, &cp);
	if (c->n_bytes == 0) {
		c->n_bytes = 1;
		cp = (unsigned char)*p;
	} else if (cp == '\n' || cp == '\t' || !utf8_unsafe(cp)) {
		memcpy(c->show, p, c->n_bytes);
		c->show_len = c->n_bytes;
		c->space = cp == '\n' || cp == '\t';
		/* a tab takes at most this */
		c->columns = cp == '\t' ? 8 : c->space ? 1 : utf8_columns(cp);
		c->wide = c->columns == 2;
		return;
	}
	if (c->n_bytes == 1)
		c->columns = snprintf(c->show, sizeof(c->show), "\\x%02x", (unsigned)cp);
	else if (cp < 0x10000)
		c->columns = snprintf(c->show, sizeof(c->show), "\\u%04x", (unsigned)cp);
	else
		c->columns = snprintf(c->show, sizeof(c->show), "\\U%08x", (unsigned)cp);
	c->show_len = (size_t)c->columns;
}

void
print_json(struct buf *out, const char *json, size_t len)
{
	const char *p = json, *end = json + len;
	uint32_t cp;

	while (p < end) {
		const char *run = p;
		size_t n = 0;

		for (; p < end; p += MAX(n, 1)) {
			n = (unsigned char)*p < 0x80 ? 0 : utf8_decode(p, end, &cp);
			if (n > 0 && utf8_unsafe(cp))
				break;
		}
		buf_add(out, run, (size_t)(p - run));
		if (p == end)
			break;
		if (cp < 0x10000)
			buf_addf(out, "\\u%04x", (unsigned)cp);
		else
			buf_addf(out, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(cp >> 10),
			    0xdc00 + (unsigned)(cp & 0x3ff));
		p += n;
	}
}

void
print_safe(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	struct piece c;

	while (p < end) {
		const char *plain = p;

		while (p < end && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x7f)
			p++;
		buf_add(out, plain, (size_t)(p - plain));
		if (p == end)
			break;
		piece_read(&c, p, end);
		p += c.n_bytes;
		if (c.show[0] == '\\' && p[-1] == '\r' && p < end && *p == '\n')
			/* the line end of Windows is harmless, and common */
			continue;
		buf_add(out, c.show, c.show_len);
	}
}

void
print_line(struct buf *out, const char *text, size_t len, int columns)
{
	const char *p = text, *end = text + len;
	/* keep: as much as leaves a column for the mark that shows the cut */
	size_t start = out->len, keep = out->len;
	bool gap = false;
	int used = 0;
	struct piece c;

	for (; p < end; p += c.n_bytes) {
		piece_read(&c, p, end);
		if (c.space || *p == '\r') {
			gap = out->len > start;
			continue;
		}
		if (used + gap + c.columns > columns) {
			if (out->len > keep) {
				out->len = keep;
				out->data[keep] = '\0';
			}
			if (columns > 0)
				buf_adds(out, "\xe2\x80\xa6");
			return;
		}
		if (gap)
			buf_addc(out, ' ');
		used += gap + c.columns;
		gap = false;
		buf_add(out, c.show, c.show_len);
		if (used < columns)
			keep = out->len;
	}
}

int
print_columns(const struct buf *out, size_t at)
{
	int columns = 0;
	uint32_t cp;

	while (at < out->len) {
		size_t n = utf8_decode(out->data + at, out->data + out->len, &cp);

		columns += n > 0 ? utf8_columns(cp) : 1;
		at += MAX(n, 1);
	}
	return columns;
}

void
print_cell(struct buf *out, const char *text, size_t len, int columns, int gap)
{
	size_t at = out->len;

	print_line(out, text, len, columns);
	for (int used = print_columns(out, at); used < columns + gap; used++)
		buf_addc(out, ' ');
}

/*
 * How many bytes of the line [p, end) fit into columns, at least one piece. The line is broken
 * after white space or around a wide character if there is one, else within the word.
 */
static size_t
line_fit(const char *p, const char *end, int columns)
{
	const char *start = p, *brk = NULL;
	bool before = false;           /* whether the piece before was a space, or wide */
	int used = 0;
	struct piece c;

	for (; p < end; p += c.n_bytes) {
		piece_read(&c, p, end);
		if (p > start && !c.space && (before || c.wide))
			brk = p;
		if (used + c.columns > columns && !c.space && p > start && c.columns > 0)
			return (size_t)((brk != NULL ? brk : p) - start);
		used += c.columns;
		before = c.space || c.wide;
	}
	return (size_t)(p - start);
}

/* Prints [from, to) of text on one line, with marks in bold. */
static void
print_bold(struct buf *out, const char *text, size_t from, size_t to, const uint16_t (*marks)[2],
	size_t n)
{
	for (size_t i = 0; i < n && marks[i][0] < to; i++) {
		size_t start = MAX(marks[i][0], from), end = MIN(marks[i][1], to);

		if (start >= end)
			continue;
		print_safe(out, text + from, start - from);
		buf_adds(out, "\x1b[1m");
		print_safe(out, text + start, end - start);
		buf_adds(out, "\x1b[0m");
		from = end;
	}
	print_safe(out, text + from, to - from);
}

void
print_wrapped(struct buf *out, const char *text, size_t len, int columns, int indent)
{
	print_marked(out, text, len, columns, indent, NULL, 0);
}

void
print_hanging(struct buf *out, const char *text, size_t len, int columns, int indent)
{
	size_t at = out->len;

	print_wrapped(out, text, len, columns, indent);
	memmove(out->data + at, out->data + at + indent, out->len - at - (size_t)indent);
	out->len -= (size_t)indent;
	out->data[out->len] = '\0';
}

void
print_marked(struct buf *out, const char *text, size_t len, int columns, int indent,
	const uint16_t (*marks)[2], size_t n)
{
	const char *p = text, *end = text + len;
	int room = MAX(columns - indent, 1), i;

	for (const char *nl; p < end; p = nl + 1) {
		const char *stop = nl = ascii_line_end(p, end);

		if (stop > p && stop[-1] == '\r')
			stop--;
		do {
			size_t fits = line_fit(p, stop, room), shown = fits;

			while (shown > 0 && (p[shown - 1] == ' ' || p[shown - 1] == '\t'))
				shown--;
			for (i = 0; shown > 0 && i < indent; i++)
				buf_addc(out, ' ');
			print_bold(out, text, (size_t)(p - text), (size_t)(p - text) + shown, marks,
			    n);
			buf_addc(out, '\n');
			p += fits;
		} while (p < stop);
	}
}
