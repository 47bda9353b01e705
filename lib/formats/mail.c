/*
 * mail.c: mail as files of messages: mbox (RFC 4155, with ">From " for lines that look like a
 * beginning) or one message (.eml). A message is headers, a blank line and a body, which may
 * consist of parts with headers of their own. Its plain text is what was said; HTML is read only
 * where there is no plain text. A thread is named by the id of its first message, which every reply
 * has in its References, so the mailboxes of both sides give the same sessions; of a reply that
 * names only what it answers, it is that one's, where it stands before it in the file.
 */
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "formats/mail_text.h"
#include "formats/reader.h"

#define DEPTH_MOST 16                      /* parts may lie in parts this deep */

struct span { const char *s; size_t len; };

static struct span
trimmed(const char *s, size_t len)
{
	s = ascii_trim(s, &len);
	return (struct span){ s, len };
}

/* The length of the name in "Subject: ...", up to the colon; 0: the line is no header. */
static size_t
header_name(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (ascii_is_alnum(s[n]) || s[n] == '-' || s[n] == '_'))
		n++;
	return n > 0 && n < len && s[n] == ':' ? n : 0;
}

/* The headers, which end at a blank line; *body is what comes after that. */
static struct span
headers_of(const char *s, size_t len, struct span *body)
{
	const char *end = s + len;

	for (const char *p = s; p < end; p = ascii_line_end(p, end) + 1) {
		if (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n')) {
			const char *after = ascii_line_end(p, end) + 1;

			*body = (struct span){ after, after < end ? (size_t)(end - after) : 0 };
			return (struct span){ s, (size_t)(p - s) };
		}
	}
	*body = (struct span){ end, 0 };
	return (struct span){ s, len };
}

/* The value of a header, with the lines on which it continues; len 0: there is no such header. */
static struct span
header(struct span h, const char *name)
{
	const char *end = h.s + h.len;

	for (const char *p = h.s; p < end; p = ascii_line_end(p, end) + 1) {
		size_t n = header_name(p, (size_t)(ascii_line_end(p, end) - p));
		const char *stop = ascii_line_end(p, end);

		if (n != strlen(name) || strncasecmp(p, name, n) != 0)
			continue;
		while (stop + 1 < end && (stop[1] == ' ' || stop[1] == '\t'))
			stop = ascii_line_end(stop + 1, end);
		return trimmed(p + n + 1, (size_t)(stop - p) - n - 1);
	}
	return (struct span){ "", 0 };
}

/* The value of NAME=VALUE behind a ";", without its quotes; "": there is none. */
static const char *
parameter(struct span v, const char *name, struct arena *a)
{
	size_t n = strlen(name);

	for (size_t i = 0; i + n + 1 < v.len; i++) {
		struct span at = { v.s + i + n + 1, v.len - i - n - 1 };
		size_t len = 0;

		if (v.s[i] == '"') {
			for (i++; i < v.len && v.s[i] != '"'; i++)
				;
			continue;
		}
		if (i == 0 || strchr("; \t\n", v.s[i - 1]) == NULL ||
		    strncasecmp(v.s + i, name, n) != 0 || v.s[i + n] != '=')
			continue;
		if (*at.s == '"') {
			while (1 + len < at.len && at.s[1 + len] != '"')
				len++;
			return arena_strndup(a, at.s + 1, len);
		}
		while (len < at.len && strchr("; \t\r\n", at.s[len]) == NULL)
			len++;
		return arena_strndup(a, at.s, len);
	}
	return "";
}

/* The text of a header in one line, decoded, in the arena. */
static const char *
words_of(struct span v, struct arena *a)
{
	LOCAL(buf) line = buf_of(v.len + 1);

	for (size_t i = 0; i < v.len; i++)
		if (v.s[i] != '\r' &&
		    !(v.s[i] == '\n' && i + 1 < v.len && ascii_is_space(v.s[i + 1])))
			buf_addc(&line, v.s[i] == '\n' || v.s[i] == '\t' ? ' ' : v.s[i]);
	LOCAL(buf) b = buf_of(4 * v.len + 64);
	mail_header_words(&b, line.data, line.len);
	return arena_strndup(a, b.data, b.len);
}

/* "Mara Klein <mara@example.org>": the name, else the address. */
static const char *
name_of(struct span v, struct arena *a)
{
	const char *text = words_of(v, a), *open = strrchr(text, '<'), *close;

	if (open == NULL || open == text)
		return open != NULL && (close = strchr(open, '>')) != NULL
		    ? arena_strndup(a, open + 1, (size_t)(close - open - 1))
		    : text;
	struct span name = trimmed(text, (size_t)(open - text));
	if (name.len >= 2 && (*name.s == '"' || *name.s == '\'') && name.s[name.len - 1] == *name.s)
		name = trimmed(name.s + 1, name.len - 2);
	return name.len > 0 ? arena_strndup(a, name.s, name.len) : text;
}

/* What stands in the first "<...>" of a header; "": there is none. */
static const char *
first_message_id(struct span v, struct arena *a)
{
	const char *open = strchr(words_of(v, a), '<'),
		   *close = open != NULL ? strchr(open, '>') : NULL;

	return close != NULL ? arena_strndup(a, open + 1, (size_t)(close - open - 1)) : "";
}

/* ---- the body ---- */

struct body {
	struct buf plain, html, files;
	struct arena *a;
};

static void add_part(struct body *b, struct span headers, struct span body, int depth);

static void
add_bounded_part(struct body *b, const char *s, const char *end, int depth)
{
	struct span body, headers = headers_of(s, (size_t)(end - s), &body);

	add_part(b, headers, body, depth + 1);
}

/* Adds the parts between the boundaries. The closing boundary of the last may be missing. */
static void
add_parts(struct body *b, const char *boundary, struct span body, int depth)
{
	const char *end = body.s + body.len, *from = NULL;
	size_t n = strlen(boundary);

	for (const char *p = body.s, *nl; p < end && n > 0; p = nl + 1) {
		nl = ascii_line_end(p, end);
		if ((size_t)(nl - p) < n + 2 || memcmp(p, "--", 2) != 0 ||
		    memcmp(p + 2, boundary, n) != 0)
			continue;
		/* the boundary "b1" is also the beginning of "b10" */
		struct span rest = trimmed(p + 2 + n, (size_t)(nl - p) - n - 2);
		if (rest.len > 0 && (rest.len != 2 || memcmp(rest.s, "--", 2) != 0))
			continue;
		if (from != NULL)
			add_bounded_part(b, from, p, depth);
		from = rest.len > 0 ? NULL : MIN(nl + 1, end);
	}
	if (from != NULL)
		add_bounded_part(b, from, end, depth);
}

static void
add_part(struct body *b, struct span headers, struct span body, int depth)
{
	struct span type = header(headers, "Content-Type"),
		    disposition = header(headers, "Content-Disposition");
	const char *file = parameter(disposition, "filename", b->a), *coding;
	struct buf *to;

	if (*file == '\0')
		file = parameter(type, "name", b->a);
	if (type.len >= 10 && strncasecmp(type.s, "multipart/", 10) == 0) {
		if (depth < DEPTH_MOST)
			add_parts(b, parameter(type, "boundary", b->a), body, depth);
		return;
	}
	if (*file != '\0' ||
	    (disposition.len >= 10 && strncasecmp(disposition.s, "attachment", 10) == 0)) {
		buf_adds(&b->files, "\n[file");
		buf_adds(&b->files, *file != '\0' ? ": " : "");
		mail_header_words(&b->files, file, strlen(file));
		buf_adds(&b->files, "]");
		return;
	}
	to = type.len == 0 || (type.len >= 10 && strncasecmp(type.s, "text/plain", 10) == 0)
	    ? &b->plain
	    : type.len >= 9 && strncasecmp(type.s, "text/html", 9) == 0 ? &b->html
									: NULL;
	if (to == NULL)
		return;
	type = type.len > 0 ? type : (struct span){ "text/plain", 10 };
	coding = words_of(header(headers, "Content-Transfer-Encoding"), b->a);
	LOCAL(buf) bytes = buf_of(body.len + 1);
	mail_decode(&bytes, coding, body.s, body.len);
	mail_to_utf8(to, parameter(type, "charset", b->a), bytes.data, bytes.len);
	buf_addc(to, '\n');
}

/* ---- messages ---- */

/* Whether a message of an mbox begins with this line. */
static bool
is_mbox_line(const char *line, size_t len)
{
	size_t colons = 0, n;

	/* "From mara@example.org Sun Mar  1 10:00:00 2026" */
	if (len < 20 || memcmp(line, "From ", 5) != 0)
		return false;
	for (n = len; n > 5 && ascii_is_space(line[n - 1]); n--)
		;
	for (size_t i = 5; i < n; i++)
		colons += line[i] == ':' && ascii_is_digit(line[i - 1]);
	return colons >= 1 && ascii_is_digit(line[n - 1]);
}

/*
 * A file is mail when it begins as an mbox does, or with headers of which one is From with an
 * address, and another is a header that mail has.
 */
static const char *
mail_detect(const char *bytes, size_t len)
{
	static const char *const others[] = { "Date", "Message-ID", "Subject", "Received",
		"MIME-Version", "Return-Path" };
	struct span headers, body, from;
	size_t n = 0;

	if (is_mbox_line(bytes, (size_t)(ascii_line_end(bytes, bytes + len) - bytes)))
		return "mail";
	if (header_name(bytes, len) == 0)
		return NULL;
	headers = headers_of(bytes, len, &body);
	for (size_t i = 0; i < NELEM(others); i++)
		n += header(headers, others[i]).len > 0;
	from = header(headers, "From");
	return n > 0 && from.len > 0 && memchr(from.s, '@', from.len) != NULL ? "mail" : NULL;
}

static void
put(struct json *v, const char *key, const char *text)
{
	json_put_text(v, key, text, strlen(text));
}

/*
 * The date of the mail. A date that cannot be read is returned as it is written, so that the reader
 * of the record can report it.
 */
static const char *
time_of(struct span date, struct arena *a)
{
	const char *comment = memchr(date.s, '(', date.len);
	struct span t = trimmed(date.s, comment != NULL ? (size_t)(comment - date.s) : date.len);
	char text[TIME_TEXT];
	int64_t us;

	if (t.len == 0 || time_parse(t.s, t.len, &us, NULL) != 0)
		return words_of(t, a);
	time_format(us, text);
	return arena_strdup(a, text);
}

/*
 * The text of a message. The subject is part of it only in the message that begins a thread: a
 * reply has its subject from that one.
 */
static const char *
content_of(struct span headers, struct span body, const char *subject, bool reply, struct arena *a)
{
	struct body b = { .a = a };
	size_t most = 4 * (headers.len + body.len) + 4096;

	buf_init(&b.plain, most);
	buf_init(&b.html, most);
	buf_init(&b.files, most);
	LOCAL(buf) text = buf_of(most);
	LOCAL(buf) own = buf_of(most);
	add_part(&b, headers, body, 0);
	bool html = trimmed(b.plain.data, b.plain.len).len == 0;
	if (html)
		mail_html_text(&b.plain, b.html.data, b.html.len, reply);
	mail_own_words(&own, b.plain.data, b.plain.len, reply, !html);
	struct span said = trimmed(own.data, own.len);
	if (html && reply && said.len == 0) {
		/* what looks like a quote is all there is */
		buf_reset(&b.plain);
		mail_html_text(&b.plain, b.html.data, b.html.len, false);
		said = trimmed(b.plain.data, b.plain.len);
	}
	if (!reply && *subject != '\0')
		buf_addf(&text, "%s\n\n", subject);
	buf_add(&text, said.s, said.len);
	buf_add(&text, b.files.data, b.files.len);
	said = trimmed(text.data, text.len);
	const char *out = arena_strndup(a, said.s, said.len);
	buf_release(&b.plain);
	buf_release(&b.html);
	buf_release(&b.files);
	return out;
}

static bool
is_mail(struct span headers)
{
	static const char *const names[] = { "From", "Date", "Subject", "To", "Message-ID",
		"Received", "MIME-Version", "Content-Type" };

	for (size_t i = 0; i < NELEM(names); i++)
		if (header(headers, names[i]).len > 0)
			return true;
	return false;
}

/*
 * Whether it goes to many, who cannot answer them all: a newsletter (RFC 2369). A list on which
 * people talk says where to post.
 */
static bool
is_newsletter(struct span headers, struct arena *a)
{
	struct span post = header(headers, "List-Post");

	return (post.len == 0 || strncasecmp(post.s, "NO", 2) == 0) &&
	    (header(headers, "List-Unsubscribe").len > 0 || header(headers, "List-Id").len > 0 ||
		strcasecmp(words_of(header(headers, "Precedence"), a), "bulk") == 0);
}

/* ---- threads ---- */

/* Of which thread replies were: some programs name only the message that is answered. */
struct threads {
	struct keyed places;                   /* by hash of the id: in of, from 1 */
	const char **of;
	size_t n, cap;
	struct arena a;
};

static uint64_t
key_of(const char *id)
{
	return hash64(id, strlen(id), 0);
}

static void
note_thread(struct threads *t, const char *id, const char *thread)
{
	*xpush(t->of, t->n, t->cap) = arena_strdup(&t->a, thread);
	keyed_at(&t->places, key_of(id))->value = t->n;
}

/* The thread of the message, where it is one that came before; else the message itself. */
static const char *
thread_of(const struct threads *t, const char *id)
{
	uint64_t place = *id != '\0' ? keyed_value(&t->places, key_of(id)) : 0;

	return place > 0 ? t->of[place - 1] : id;
}

static void *
mail_open(const char *form, const char *bytes, size_t len, const char *name)
{
	(void)form, (void)bytes, (void)len, (void)name;
	return xcalloc(1, sizeof(struct threads));
}

static void
mail_close(void *state)
{
	struct threads *t = state;

	arena_release(&t->a);
	keyed_release(&t->places);
	free(t->of);
	free(t);
}

static bool
mail_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	(void)around;
	(void)state;
	return is_mbox_line(line, len);
}

/*
 * A message as a record: content (its text, without what it quotes), name, time, source_id, session
 * (the first message of its thread), subject, to, and whether it is a newsletter. The content is ""
 * when it has no words.
 */
static int
mail_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct json *v = arena_alloc(a, sizeof(*v));
	struct json_member *members = arena_alloc(a, 11 * sizeof(*members));
	size_t skip = is_mbox_line(unit, (size_t)(ascii_line_end(unit, unit + len) - unit))
	    ? MIN((size_t)(ascii_line_end(unit, unit + len) - unit) + 1, len)
	    : 0;
	struct span body, headers = headers_of(unit + skip, len - skip, &body);
	const char *id = first_message_id(header(headers, "Message-ID"), a),
		   *thread = first_message_id(header(headers, "References"), a);
	const char *subject = words_of(header(headers, "Subject"), a), *content;

	if (skip == 0 && !is_mail(headers))
		return err_set(err, ERR_DATA, "no mail: it has no headers");
	if (*thread == '\0')
		thread = thread_of(state, first_message_id(header(headers, "In-Reply-To"), a));
	bool reply = *thread != '\0';
	if (reply && *id != '\0')
		note_thread(state, id, thread);
	content = content_of(headers, body, subject, reply, a);
	*v = (struct json){ JSON_OBJECT, 0, { .members = members } };
	members[v->len++] = (struct json_member){ "content", 7,
		{ JSON_STRING, strlen(content), { .string = content } } };
	put(v, "role", "user");
	put(v, "name", name_of(header(headers, "From"), a));
	put(v, "time", time_of(header(headers, "Date"), a));
	put(v, "session", *thread != '\0' ? thread : id);
	put(v, "source_id", id);
	put(v, "subject", subject);
	put(v, "to", words_of(header(headers, "To"), a));
	if (is_newsletter(headers, a))
		members[v->len++] = (struct json_member){ "newsletter", 10, { .kind = JSON_TRUE } };
	/* anybody may have sent this mail, so it is trusted little */
	put(v, "origin", "import");
	members[v->len++] = (struct json_member){ "trust", 5, { JSON_NUMBER, 0, { .number = 1 } } };
	out->record = v;
	return 1;
}

const struct reader mail_reader = {
	.forms = { { "mail", { ".mbox", ".eml" } } },
	.detect = mail_detect,
	.open = mail_open,
	.close = mail_close,
	.begins = mail_begins,
	.read = mail_read,
	.any_charset = true,
};
