/*
 * document.c: a pass over lines. Headings are those of Markdown (CommonMark 4.2, 4.3) and Org;
 * HTML was made Markdown (clean/html.h), and of a PDF each page is a section.
 *
 * A section longer than LEAST bytes ends before the next paragraph whose hash has two zero bits,
 * and before one with which it would be longer than MOST. So its end hangs on the text around it
 * alone: when a paragraph comes in further above, the cuts meet again soon behind that.
 */
#include "formats/document.h"

#include <strings.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "formats/turns.h"
#include "gen/text_rows.h"

#define LEAST  600
#define MOST   2400
#define LONG   16384               /* a paragraph is cut beyond */
#define LEVELS 8
#define HEADING_BYTES 120

struct cutter {
	enum document_form form;
	struct buf names[LEVELS];          /* the headings that are open; empty: none */
	struct buf root, path, text, paragraph;
	bool headed;                       /* a heading stands, and no text behind it yet */
	bool titled;                       /* root is what the document calls itself */
	struct turns_fence fence;
	bool in_block;                     /* of Org */
	unsigned page;
	uint64_t line, text_line, paragraph_line;
	unsigned paragraph_lines;
	section_fn *fn;
	void *arg;
};

enum document_form
document_form(const char *name)
{
	static const struct { const char *end; enum document_form form; } ends[] = {
		TEXT_DOCUMENT_ENDS
	};
	size_t len = strlen(name);

	for (size_t i = 0; i < NELEM(ends); i++) {
		size_t n = strlen(ends[i].end);

		if (len > n && name[len - n - 1] != '/' &&
		    strcasecmp(name + len - n, ends[i].end) == 0)
			return ends[i].form;
	}
	return DOCUMENT_NONE;
}

/* ---- sections ---- */

/* The open headings from the outermost on, below the document's title, or else its name. */
static void
set_path(struct cutter *c)
{
	const struct buf *first = &c->names[0];

	buf_reset(&c->path);
	if (first->len == 0 || (c->titled && strcmp(first->data, c->root.data) != 0))
		buf_adds(&c->path, c->root.data);
	for (size_t i = 0; i < LEVELS; i++)
		if (c->names[i].len > 0)
			buf_addf(&c->path, "%s%s", c->path.len > 0 ? " > " : "", c->names[i].data);
	if (c->page > 0)
		buf_addf(&c->path, " > page %u", c->page);
}

static int
end_section(struct cutter *c)
{
	struct section s = { .line = c->text_line };
	int rc = 0;

	c->text.len = ascii_end(c->text.data, c->text.len);
	if (c->text.len > 0 || c->headed) {
		c->text.data[c->text.len] = '\0';
		set_path(c);
		s.title = c->names[0].len == 0 || c->titled ? c->root.data : c->names[0].data;
		s.path = c->path.data;
		s.text = c->text.data;
		s.len = c->text.len;
		rc = c->fn(c->arg, &s);
	}
	c->headed = false;
	buf_reset(&c->text);
	return rc;
}

/* Adds a piece of the paragraph, which begins a new section where the old one ends. */
static int
add_piece(struct cutter *c, const char *p, size_t len)
{
	if (c->text.len > 0 && (c->text.len + len > MOST ||
	    (c->text.len >= LEAST && (hash64(p, len, 0) & 3) == 0)) && end_section(c) != 0)
		return -1;
	if (c->text.len == 0)
		c->text_line = c->paragraph_line;
	else
		buf_adds(&c->text, "\n\n");
	buf_add(&c->text, p, len);
	return 0;
}

static int
end_paragraph(struct cutter *c)
{
	const char *p = c->paragraph.data;
	size_t left = c->paragraph.len, n;
	int rc = 0;

	while (left > 0 && rc == 0) {
		n = left;
		if (n > LONG) {
			for (n = LONG; n > LONG / 2 && p[n - 1] != '\n'; n--)
				continue;
			if (p[n - 1] != '\n')
				n = utf8_clip(p, left, LONG);
		}
		rc = add_piece(c, p, n);
		p += n;
		left -= n;
	}
	c->headed &= c->paragraph.len == 0;
	buf_reset(&c->paragraph);
	c->paragraph_lines = 0;
	return rc;
}

/*
 * A heading of that level, from 0, begins. One before it that has no text is a section all the
 * same, unless this one stands below it.
 */
static int
begin_heading(struct cutter *c, unsigned level, const char *text, size_t len)
{
	unsigned last = LEVELS;

	while (last > 0 && c->names[last - 1].len == 0)
		last--;
	c->headed &= level < last;
	int rc = end_section(c);
	for (size_t i = level; i < LEVELS; i++)
		buf_reset(&c->names[i]);
	len = ascii_end(text, len);
	buf_add(&c->names[level], text, utf8_clip(text, len, HEADING_BYTES));
	c->headed = len > 0;
	c->text_line = c->line;
	return rc;
}

/* ---- lines ---- */

/* The level of a heading that the line is, from 0, and its text; -1: it is none. */
static int
heading_of(const struct cutter *c, const char *line, size_t len, const char **text, size_t *n)
{
	char mark = c->form == DOCUMENT_ORG ? '*' : '#';
	size_t at = 0, marks = 0;

	if (c->form != DOCUMENT_ORG && c->form != DOCUMENT_MARKDOWN && c->form != DOCUMENT_HTML)
		return -1;
	while (mark == '#' && at < len && at < 3 && line[at] == ' ')
		at++;
	while (at + marks < len && line[at + marks] == mark)
		marks++;
	if (marks == 0 || marks > (mark == '#' ? 6 : LEVELS) ||
	    (at + marks < len && line[at + marks] != ' ' && line[at + marks] != '\t'))
		return -1;
	for (at += marks; at < len && ascii_is_space(line[at]); at++)
		continue;
	*text = line + at;
	*n = len - at;
	/* "## Heading ##" */
	while (mark == '#' && *n > 0 && ascii_is_space(line[at + *n - 1]))
		--*n;
	for (size_t end = *n; mark == '#' && end > 0; end--) {
		if ((*text)[end - 1] == '#')
			continue;
		if (end < *n && ascii_is_space((*text)[end - 1]))
			*n = end;
		break;
	}
	return (int)marks - 1;
}

/* Whether the line underlines the one line before it: 0 or 1, the level; -1. */
static int
underline_of(const struct cutter *c, const char *line, size_t len)
{
	size_t n = 0;

	if (c->form == DOCUMENT_ORG || c->form == DOCUMENT_PDF || c->paragraph_lines != 1 ||
	    len < 3 || (*line != '=' && *line != '-') ||
	    memchr(c->paragraph.data, '|', c->paragraph.len) != NULL)
		return -1;
	while (n < len && line[n] == *line)
		n++;
	return ascii_is_blank(line + n, len - n) ? *line == '-' : -1;
}

/* Whether the line is of a block of code, or begins or ends one. */
static bool
is_code(struct cutter *c, const char *line, size_t len)
{
	if (c->form == DOCUMENT_PDF)
		return false;
	if (c->form != DOCUMENT_ORG)
		return turns_fence_see(&c->fence, line, len) || c->fence.n > 0;
	line = ascii_trim(line, &len);
	if (ascii_begins(line, len, "#+begin_"))
		return c->in_block = true;
	if (!ascii_begins(line, len, "#+end_"))
		return c->in_block;
	c->in_block = false;
	return true;
}

static int
take_line(struct cutter *c, const char *line, size_t len)
{
	const char *text;
	size_t n;
	int level;

	if (is_code(c, line, len))
		goto add;
	if ((level = heading_of(c, line, len, &text, &n)) >= 0)
		return end_paragraph(c) != 0 ? -1 : begin_heading(c, (unsigned)level, text, n);
	if ((level = underline_of(c, line, len)) >= 0) {
		struct buf name = c->paragraph;

		buf_init(&c->paragraph, name.max);
		c->paragraph_lines = 0;
		level = begin_heading(c, (unsigned)level, name.data, name.len);
		buf_release(&name);
		return level;
	}
	if (ascii_is_blank(line, len) ||
	    (c->form == DOCUMENT_ORG && ascii_begins(line, len, "#+title:")))
		return end_paragraph(c);
add:
	if (c->paragraph.len > 0)
		buf_addc(&c->paragraph, '\n');
	else
		c->paragraph_line = c->line;
	buf_add(&c->paragraph, line, len);
	c->paragraph_lines++;
	return 0;
}

/* ---- what a document says of itself ---- */

/*
 * A title in the lines before the text: "title:" between two "---" of Markdown, "#+title:" of Org.
 * Markdown's is left out of the text; *p moves behind it.
 */
static void
read_front(struct cutter *c, const char **p, const char *end)
{
	const char *q = *p, *line;
	const char *key = c->form == DOCUMENT_ORG ? "#+title:" : "title:";
	size_t n, at = strlen(key);
	uint64_t lines = 0;

	if (c->form != DOCUMENT_ORG && (c->form != DOCUMENT_MARKDOWN ||
	    (line = turns_line(&q, end, &n)) == NULL || n != 3 || memcmp(line, "---", 3) != 0))
		return;
	for (lines = c->form == DOCUMENT_MARKDOWN; (line = turns_line(&q, end, &n)) != NULL; ) {
		lines++;
		if (c->form == DOCUMENT_MARKDOWN && n == 3 && memcmp(line, "---", 3) == 0) {
			*p = q;
			c->line = lines;
			return;
		}
		if (lines > 200 || (c->form == DOCUMENT_ORG && n > 0 && *line == '*'))
			return;
		if (!ascii_begins(line, n, key))
			continue;
		while (at < n && (ascii_is_space(line[at]) || strchr("\"'", line[at]) != NULL))
			at++;
		while (n > at &&
		    (ascii_is_space(line[n - 1]) || strchr("\"'", line[n - 1]) != NULL))
			n--;
		if (n > at) {
			buf_reset(&c->root);
			buf_add(&c->root, line + at, utf8_clip(line + at, n - at, HEADING_BYTES));
			c->titled = true;
		}
	}
}

static int
cut(struct cutter *c, const char *p, const char *end)
{
	const char *line;
	size_t n;
	int rc = 0;

	read_front(c, &p, end);
	c->page = c->form == DOCUMENT_PDF;
	while (rc == 0 && (line = turns_line(&p, end, &n)) != NULL) {
		c->line++;
		while (rc == 0 && c->form == DOCUMENT_PDF && n > 0 && *line == '\f') {
			rc = end_paragraph(c) != 0 ? -1 : end_section(c);
			c->page++;
			line++;
			n--;
		}
		if (rc == 0)
			rc = take_line(c, line, n);
	}
	if (rc == 0)
		rc = end_paragraph(c);
	return rc == 0 ? end_section(c) : rc;
}

int
document_sections(enum document_form form, const char *name, bool titled, const char *text,
	size_t len, section_fn *fn, void *arg)
{
	struct cutter c = { .form = form, .titled = titled, .fn = fn, .arg = arg };

	for (size_t i = 0; i < LEVELS; i++)
		buf_init(&c.names[i], 4096);
	buf_init(&c.root, 4096);
	buf_init(&c.path, 16384);
	buf_init(&c.text, len + 16);
	buf_init(&c.paragraph, len + 16);
	buf_adds(&c.root, name);
	int rc = cut(&c, text, text + len);
	for (size_t i = 0; i < LEVELS; i++)
		buf_release(&c.names[i]);
	buf_release(&c.root);
	buf_release(&c.path);
	buf_release(&c.text);
	buf_release(&c.paragraph);
	return rc;
}
