/*
 * html.c: HTML as plain text, without a parser: each tag is replaced by what a table says it does
 * to the lines, and all text stays. The pages that assistants write are simple enough for that.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "clean/html.h"
#include "gen/clean_rows.h"

size_t
html_entity(struct buf *out, const char *s, size_t len)
{
	static const struct { const char *name, *text; } known[] = { CLEAN_ENTITIES };
	const char *semi = memchr(s, ';', MIN(len, 12));
	size_t n = semi != NULL ? (size_t)(semi - s) - 1 : 0;
	char digits[12] = "", utf8[4];

	if (n == 0)
		return 0;
	if (s[1] == '#') {
		memcpy(digits, s + 2, n - 1);
		unsigned long cp = (digits[0] | 0x20) == 'x' ? strtoul(digits + 1, NULL, 16)
					       : strtoul(digits, NULL, 10);
		if (cp == 0 || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
			return 0;
		buf_add(out, utf8, utf8_encode((uint32_t)cp, utf8));
		return n + 2;
	}
	for (size_t i = 0; i < NELEM(known); i++) {
		if (strlen(known[i].name) == n && memcmp(known[i].name, s + 1, n) == 0) {
			buf_adds(out, known[i].text);
			return n + 2;
		}
	}
	return 0;
}

/* What tags do to the lines; all others do nothing. */
static const struct mark { const char *tag, *text; } marks[] = {
	{ "br", "\n" }, { "tr", "\n" }, { "li", "\n- " }, { "h1", "\n\n# " }, { "h2", "\n\n## " }, { "h3", "\n\n### " }, { "h4", "\n\n#### " },
	{ "h5", "\n\n##### " }, { "h6", "\n\n###### " }, { "p", "\n\n" }, { "div", "\n\n" }, { "ul", "\n\n" }, { "ol", "\n\n" }, { "table", "\n\n" },
	{ "blockquote", "\n\n" }, { "hr", "\n\n---\n\n" }, { "pre", "\n```\n" }, { "/pre", "\n```\n" }, { "/h1", "\n\n" }, { "/h2", "\n\n" },
	{ "/h3", "\n\n" }, { "/h4", "\n\n" }, { "/p", "\n\n" }, { "/table", "\n\n" }, { "/td", " | " }, { "/th", " | " },
};

/* What a tag is replaced by; tag is what stands between "<" and ">". */
static const char *
mark_of(const char *tag, size_t len)
{
	size_t n = 0;

	while (n < len && !ascii_is_space(tag[n]))
		n++;
	if (n > 1 && tag[n - 1] == '/')
		n--;
	for (size_t i = 0; i < NELEM(marks); i++)
		if (ascii_is(tag, n, marks[i].tag))
			return marks[i].text;
	return "";
}

/* Appends the text with its tags replaced and its entities decoded. */
static void
replace_tags(struct buf *out, const char *s, size_t len)
{
	for (const char *end = s + len; s < end; ) {
		const char *close, *next;
		size_t n;

		if (*s == '&' && (n = html_entity(out, s, (size_t)(end - s))) > 0) {
			s += n;
			continue;
		}
		for (close = s + 1; *s == '<' && close < end && *close != '<' && *close != '>';
		     close++)
			;
		if (*s == '<' && close < end && *close == '>') {
			buf_adds(out, mark_of(s + 1, (size_t)(close - s) - 1));
			s = close + 1;
			continue;
		}
		for (next = s + 1; next < end && *next != '<' && *next != '&'; next++)
			;
		buf_add(out, s, (size_t)(next - s));
		s = next;
	}
}

void
html_answer(struct buf *out, const char *s, size_t len)
{
	const char *p, *end, *next;
	bool first = true;
	LOCAL(buf) b = buf_of(8 * len + 1);

	replace_tags(&b, s, len);
	for (p = b.data, end = p + b.len; p < end; p = next) {
		const char *stop = p;

		while (stop < end && !(*stop == '\n' && stop + 1 < end && stop[1] == '\n'))
			stop++;
		next = MIN(stop + 2, end);
		if (stop == end)
			next = end;
		if (ascii_is_blank(p, (size_t)(stop - p)))
			continue;
		p += *p == '\n';
		stop -= stop[-1] == '\n';
		if (!first)
			buf_adds(out, "\n\n");
		buf_add(out, p, (size_t)(stop - p));
		first = false;
	}
}

/* ---- whole pages ---- */

bool
html_tag_is(const char *s, size_t len, const char *name)
{
	size_t n = strlen(name);

	return ascii_begins(s, len, name) && (len == n || !ascii_is_alnum(s[n]));
}

/* The length of the element of that name that begins at s, up to its closing tag; 0: none does. */
static size_t
element(const char *s, size_t len, const char *name)
{
	if (!html_tag_is(s + 1, len - 1, name))
		return 0;
	for (size_t i = 1; i + 2 < len; i++)
		if (s[i] == '<' && s[i + 1] == '/' && html_tag_is(s + i + 2, len - i - 2, name))
			return i;
	return len;
}

size_t
html_hidden(const char *s, size_t len)
{
	static const char *const names[] = { "style", "script", "title", "template" };
	size_t n = 0;

	for (size_t i = 0; i < NELEM(names) && n == 0; i++)
		n = element(s, len, names[i]);
	return n;
}

/* Appends the text with its white space as single blanks, without any at its ends. */
static void
add_squeezed(struct buf *out, const char *s, size_t len)
{
	bool blank = true;
	size_t start = out->len;

	for (size_t i = 0; i < len; i++) {
		if (!ascii_is_space(s[i]))
			buf_addc(out, s[i]);
		else if (!blank)
			buf_addc(out, ' ');
		blank = ascii_is_space(s[i]);
	}
	while (out->len > start && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
}

static bool
read_title(const char *s, size_t len, struct buf *title)
{
	const char *end = s + len, *p = s, *close;

	while ((p = memchr(p, '<', (size_t)(end - p))) != NULL &&
	    !html_tag_is(p + 1, (size_t)(end - p) - 1, "title"))
		p++;
	if (p == NULL || (p = memchr(p, '>', (size_t)(end - p))) == NULL ||
	    (close = memchr(p, '<', (size_t)(end - p))) == NULL)
		return false;
	p++;
	LOCAL(buf) b = buf_of((size_t)(close - p) * 4 + 16);
	replace_tags(&b, p, (size_t)(close - p));
	if (!ascii_is_blank(b.data, b.len)) {
		buf_reset(title);
		add_squeezed(title, b.data, b.len);
	}
	len = b.len;
	return len > 0 && title->len > 0;
}

/* The length of the comment at s; 0: it is none. */
static size_t
comment(const char *s, size_t len)
{
	if (len < 4 || memcmp(s, "<!--", 4) != 0)
		return 0;
	for (size_t i = 4; i + 2 < len; i++)
		if (memcmp(s + i, "-->", 3) == 0)
			return i + 3;
	return len;
}

/* The length of the tag at s; 0: it is none. */
static size_t
tag_len(const char *s, size_t len)
{
	size_t n = 1;

	while (n < len && s[n] != '<' && s[n] != '>')
		n++;
	return n < len && s[n] == '>' ? n + 1 : 0;
}

bool
html_page(struct buf *out, const char *s, size_t len, struct buf *title)
{
	bool titled = read_title(s, len, title), blank = true;
	LOCAL(buf) b = buf_of(len + 1);

	for (size_t i = 0, n; i < len; i += n) {
		const char *p = s + i;
		size_t left = len - i, tag;

		if (*p == '<' && ((n = html_hidden(p, left)) > 0 || (n = comment(p, left)) > 0))
			continue;
		if (*p == '<' && (tag = tag_len(p, left)) > 0) {
			n = MAX(element(p, left, "pre"), tag);
			buf_add(&b, p, n);
			blank |= *mark_of(p + 1, tag - 2) != '\0';
			continue;
		}
		n = 1;
		if (!ascii_is_space(*p))
			buf_addc(&b, *p);
		else if (!blank)
			buf_addc(&b, ' ');
		blank = ascii_is_space(*p);
	}
	html_answer(out, b.data, b.len);
	return titled;
}
