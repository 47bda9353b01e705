/*
 * mail_html.c: HTML of mail as text. Mailers put what a reply quotes into elements of their own,
 * which a table names by their attributes: a quote in an element gets the marks that it has in
 * plain text, and a rule stands where all that follows is quoted, so mail_own_words takes either
 * out.
 */
#include "base/ascii.h"
#include "clean/html.h"
#include "formats/mail_text.h"
#include "gen/mail_rows.h"

struct html {
	struct buf *out;
	bool blank;                        /* a blank here would be one too many */
	/* the element that quotes, and how many of its name are open; "": none does */
	char quote[16];
	unsigned depth;
};

enum quotes { NO_QUOTE, QUOTE, RULE, LEAD };

/* What a tag begins: a quote, a rule above one, or the line that leads to one. */
static enum quotes
quotes_by(const char *tag, size_t len)
{
	static const struct { const char *name, *has; enum quotes quotes; } marks[] = {
		MAIL_QUOTES
	};

	for (size_t i = 0; i < NELEM(marks); i++) {
		size_t n = strlen(marks[i].name);

		if (html_tag_is(tag, len, marks[i].name) &&
		    ascii_has(tag + n, len - n, marks[i].has))
			return marks[i].quotes;
	}
	return NO_QUOTE;
}

static void
end_line(struct html *h)
{
	if (h->out->len > 0 && h->out->data[h->out->len - 1] != '\n')
		buf_addc(h->out, '\n');
	h->blank = true;
}

/* What of a quoted line comes first gets its mark. */
static void
begin_text(struct html *h)
{
	if (h->depth > 0 && (h->out->len == 0 || h->out->data[h->out->len - 1] == '\n'))
		buf_adds(h->out, "> ");
}

/* Whether the last line of text leads to a quote: "On Mon, 11 May 2026 at 10:00, Ben wrote:" */
static bool
is_led_to(const struct buf *out)
{
	size_t end = ascii_end(out->data, out->len), at;
	bool digit = false;

	for (at = end; at > 0 && out->data[at - 1] != '\n'; at--)
		digit |= ascii_is_digit(out->data[at - 1]);
	return end > at && out->data[end - 1] == ':' && digit && out->data[at] != '>';
}

/* A tag in a reply: where a quote begins and ends. */
static void
quote_tag(struct html *h, const char *tag, size_t len)
{
	size_t n = 0;

	if (h->depth > 0) {
		bool close = *tag == '/';

		if (html_tag_is(tag + close, len - close, h->quote) && tag[len - 1] != '/')
			h->depth += close ? -1u : 1u;
		if (h->depth == 0)
			end_line(h);
		return;
	}
	enum quotes quotes = quotes_by(tag, len);
	if (quotes == NO_QUOTE && html_tag_is(tag, len, "blockquote") && is_led_to(h->out))
		quotes = QUOTE;
	if (quotes == NO_QUOTE)
		return;
	end_line(h);
	if (quotes == RULE)
		buf_adds(h->out, MAIL_QUOTED "\n");
	else if (quotes == LEAD && h->out->len > 0)
		buf_addc(h->out, '\n');
	if (quotes != QUOTE)
		return;
	while (n < len && n + 1 < sizeof(h->quote) && ascii_is_alnum(tag[n]))
		n++;
	memcpy(h->quote, tag, n);
	h->quote[n] = '\0';
	h->depth = 1;
}

void
mail_html_text(struct buf *out, const char *s, size_t len, bool reply)
{
	static const char *const lines[] = { "br", "p", "div", "tr", "li", "h1", "h2", "h3",
		"blockquote", "table", "/p", "/div", "/table", "/blockquote", "/ul", "/ol", "/li",
		"/tr", "/h1", "/h2", "/h3" };
	struct html h = { .out = out, .blank = true };
	/* the offset behind the last ">": after it a "<" cannot begin a tag */
	size_t tags_end = len;

	while (tags_end > 0 && s[tags_end - 1] != '>')
		tags_end--;
	for (size_t i = 0; i < len; ) {
		const char *close;
		size_t n;

		if (s[i] == '<' && (n = html_hidden(s + i, len - i)) > 0) {
			i += n;
		} else if (s[i] == '<' && i < tags_end &&
		    (close = memchr(s + i, '>', len - i)) != NULL) {
			n = (size_t)(close - s) - i - 1;
			for (size_t k = 0; k < NELEM(lines); k++)
				if (html_tag_is(s + i + 1, n, lines[k]))
					end_line(&h);
			if (reply && n > 0)
				quote_tag(&h, s + i + 1, n);
			i = (size_t)(close + 1 - s);
		} else if (s[i] == '&') {
			begin_text(&h);
			n = html_entity(out, s + i, len - i);
			if (n == 0)
				buf_addc(out, '&');
			i += MAX(n, 1);
			h.blank = false;
		} else {
			if (!ascii_is_space(s[i])) {
				begin_text(&h);
				buf_addc(out, s[i]);
			} else if (!h.blank) {
				buf_addc(out, ' ');
			}
			h.blank = ascii_is_space(s[i++]);
		}
	}
}
