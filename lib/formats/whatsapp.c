/*
 * whatsapp.c: the words of a line of WhatsApp's export, behind its time. On an iPhone a mark of
 * direction stands before what nobody wrote: pictures and files, which are shown, and notices.
 */
#include "base/buf.h"
#include "base/span.h"
#include "formats/whatsapp.h"
#include "gen/whatsapp_rows.h"

/* Whether a line that WhatsApp marks stands for a picture, a file or a place, in any language. */
static bool
is_attachment(const char *text, size_t len)
{
	static const char *const left_out[] = { WHATSAPP_LEFT_OUT };

	for (size_t i = 0; i < NELEM(left_out); i++)
		if (span_find(text, len, left_out[i]) < len)
			return true;
	return false;
}

/* Whether the words of a line of WhatsApp begin with the mark that it puts before its own. */
static bool
is_marked(const char *text, size_t len)
{
	return len >= 3 && memcmp(text, "\xe2\x80\x8e", 3) == 0;
}

void
whatsapp_count_marks(const char *line, size_t len, unsigned *marked, unsigned *plain)
{
	for (size_t i = 0; i + 2 < len; i++) {
		if (line[i] != ':' || line[i + 1] != ' ')
			continue;
		if (!is_marked(line + i + 2, len - i - 2))
			++*plain;
		else if (!is_attachment(line + i + 5, len - i - 5))
			++*marked;
		return;
	}
}

/* Whether the text, but for a full stop, is one of the sentences. */
static bool
is_one(const char *text, size_t len, const char *const *list, size_t n)
{
	len -= len > 0 && text[len - 1] == '.';
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == len && memcmp(list[i], text, len) == 0)
			return true;
	return false;
}

/* Cuts off the mark behind words that were edited. */
static void
cut_edited(struct turn *t)
{
	static const char *const edited[] = { WHATSAPP_EDITED };
	size_t at = t->len;

	while (at > 0 && t->text[at - 1] != '<' && t->text[at - 1] != '\n')
		at--;
	if (at == 0 || t->text[at - 1] != '<' || t->text[t->len - 1] != '>' ||
	    !is_one(t->text + at, t->len - at - 1, edited, NELEM(edited)))
		return;
	at--;
	at -= at >= 3 && is_marked(t->text + at - 3, 3) ? 3 : 0;
	while (at > 0 && (t->text[at - 1] == ' ' || t->text[at - 1] == '\n'))
		at--;
	t->len = at;
}

static bool
take_attachment(const char *text, size_t len, bool marks, struct arena *a, struct turn *out)
{
	static const char omitted[] = "Media omitted";
	bool marked = is_marked(text, len);
	struct buf b;

	if (memchr(text, '\n', len) != NULL)
		return true;
	if (span_find(text, len, "http://") < len || span_find(text, len, "https://") < len) {
		out->text += marked ? 3 : 0;
		out->len -= marked ? 3 : 0;
		return true;
	}
	text += marked ? 3 : 0;
	len -= marked ? 3 : 0;
	if (len > 2 && text[0] == '<' && text[len - 1] == '>') {
		text++;
		len -= 2;
		const char *colon = memchr(text, ':', len);
		bool omits = is_attachment(text, len);
		buf_init(&b, 1u << 16);
		if (colon != NULL)
			buf_addf(&b, "[file:%.*s]", (int)(len - (size_t)(colon + 1 - text)),
			    colon + 1);
		else
			buf_addf(&b, "[%.*s]", (int)(omits ? strlen(omitted) : len),
			    omits ? omitted : text);
	} else if (marked && is_attachment(text, len)) {
		buf_init(&b, 1u << 16);
		buf_addf(&b, "[%.*s]", (int)len, text);
	} else {
		return !marked || marks;
	}
	out->text = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	buf_release(&b);
	return true;
}

bool
whatsapp_words(struct turn *t, bool marks, struct arena *a)
{
	static const char *const deleted[] = { WHATSAPP_DELETED };
	size_t mark = is_marked(t->text, t->len) ? 3 : 0;

	cut_edited(t);
	return !is_one(t->text + mark, t->len - mark, deleted, NELEM(deleted)) &&
	    take_attachment(t->text, t->len, marks, a, t);
}

bool
whatsapp_name(const char *rest, size_t len, struct arena *a, struct turn *out)
{
	const char *colon = memchr(rest, ':', MIN(len, 100));
	bool quoted = false;

	while (colon != NULL && colon + 1 < rest + len && colon[1] != ' ' && colon[1] != '\n')
		colon = memchr(colon + 1, ':', (size_t)(rest + len - colon - 1));
	if (colon == NULL || colon - rest > 100)
		return false;
	/*
	 * a notice may have a colon in quotes: 'Ann changed the subject to "roof: done"'; in 'Bob
	 * "Bo" Cee: done' the colon is outside
	 */
	for (const char *p = rest; p < colon; p++)
		quoted = *p == '"' ? !quoted
		    : span_begins(p, (size_t)(colon - p), "“") ||
			span_begins(p, (size_t)(colon - p), "„") ||
			span_begins(p, (size_t)(colon - p), "«")
		    ? true
		    : (span_begins(p, (size_t)(colon - p), "”") ||
			  span_begins(p, (size_t)(colon - p), "»")) ? false : quoted;
	if (quoted)
		return false;
	/* skips marks of direction, and the "~" before names that are in no address book */
	while (rest < colon &&
	    (*rest == '~' || *rest == ' ' ||
		(colon - rest >= 3 && memcmp(rest, "\xe2\x80", 2) == 0)))
		rest += *rest == '\xe2' ? 3 : 1;
	size_t n = (size_t)(colon - rest);
	while (n > 0 &&
	    (rest[n - 1] == ' ' || (n >= 2 && memcmp(rest + n - 2, "\xc2\xa0", 2) == 0) ||
		(n >= 3 && memcmp(rest + n - 3, "\xe2\x80", 2) == 0)))
		n -= rest[n - 1] == ' ' ? 1 : rest[n - 2] == '\xc2' ? 2 : 3;
	out->name = arena_strndup(a, rest, n);
	out->text = colon + 1;
	out->len -= (size_t)(colon + 1 - rest);
	return true;
}
