/*
 * html.c: HTML as plain text, without a parser: each tag is replaced by what a table says it does
 * to the lines, and all text stays. The pages that assistants write are simple enough for that.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "clean/html.h"

size_t
html_entity(struct buf *out, const char *s, size_t len)
{
	static const struct { const char *name, *text; } known[] = {
		{ "amp", "&" }, { "lt", "<" }, { "gt", ">" }, { "quot", "\"" }, { "apos", "'" }, { "nbsp", " " }, { "ndash", "\xe2\x80\x93" },
		{ "mdash", "\xe2\x80\x94" }, { "hellip", "\xe2\x80\xa6" }, { "rsquo", "\xe2\x80\x99" }, { "lsquo", "\xe2\x80\x98" },
		{ "ldquo", "\xe2\x80\x9c" }, { "rdquo", "\xe2\x80\x9d" }, { "euro", "\xe2\x82\xac" }, { "auml", "\xc3\xa4" }, { "ouml", "\xc3\xb6" },
		{ "uuml", "\xc3\xbc" }, { "Auml", "\xc3\x84" }, { "Ouml", "\xc3\x96" }, { "Uuml", "\xc3\x9c" }, { "szlig", "\xc3\x9f" }, { "eacute", "\xc3\xa9" },
	};
	const char *semi = memchr(s, ';', MIN(len, 12));
	size_t n = semi != NULL ? (size_t)(semi - s) - 1 : 0;
	char digits[12] = "", utf8[4];
	unsigned long cp;

	if (n == 0)
		return 0;
	if (s[1] == '#') {
		memcpy(digits, s + 2, n - 1);
		cp = (digits[0] | 0x20) == 'x' ? strtoul(digits + 1, NULL, 16)
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
		if (strlen(marks[i].tag) == n && memcmp(marks[i].tag, tag, n) == 0)
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

static bool
is_blank(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] > ' ')
			return false;
	return true;
}

void
html_answer(struct buf *out, const char *s, size_t len)
{
	const char *p, *end, *next;
	bool first = true;
	struct buf b;

	buf_init(&b, 8 * len + 1);
	replace_tags(&b, s, len);
	for (p = b.data, end = p + b.len; p < end; p = next) {
		const char *stop = p;

		while (stop < end && !(*stop == '\n' && stop + 1 < end && stop[1] == '\n'))
			stop++;
		next = MIN(stop + 2, end);
		if (stop == end)
			next = end;
		if (is_blank(p, (size_t)(stop - p)))
			continue;
		p += *p == '\n';
		stop -= stop[-1] == '\n';
		if (!first)
			buf_adds(out, "\n\n");
		buf_add(out, p, (size_t)(stop - p));
		first = false;
	}
	buf_release(&b);
}
