/*
 * markdown.c: a memory to be read, as one stream: a chapter a session, then what is known. What
 * was said is quoted, so that no heading of its own breaks the chapters; nothing of a text is an
 * HTML tag, and characters that drive a terminal or change how others look are left out.
 */
#include "transfer/export_parts.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "facts/subject.h"
#include "records/title.h"

#define CALLS_BYTES   2000                 /* of what the calls of a turn did */
#define HEADING_BYTES 100

struct page {
	struct exporter e;
	const char *heading;               /* of the list at hand; NULL: it is written */
};

/* ---- texts ---- */

/* The bytes of the character at p; *shown: whether it is one to be seen. */
static size_t
next_shown(const char *p, const char *end, bool *shown)
{
	uint32_t cp;
	size_t n = utf8_decode(p, end, &cp);

	*shown = n > 0 && !utf8_unsafe(cp);
	return MAX(n, 1);
}

/* On one line, with all that means something in Markdown escaped. */
static void
plain(struct buf *out, const char *text)
{
	const char *end = text + strlen(text);
	bool shown;

	for (size_t n; text < end; text += n) {
		n = next_shown(text, end, &shown);
		if (!shown && n == 1)
			buf_addc(out, ' ');
		if (n == 1 && strchr("\\`*_[]<>#|", *text) != NULL)
			buf_addc(out, '\\');
		if (shown)
			buf_add(out, text, n);
	}
}

/* Whether a line opens or closes a block of code. */
static bool
is_fence(const char *line, size_t len)
{
	size_t i = 0;

	while (i < len && ascii_is_space(line[i]))
		i++;
	return len - i >= 3 &&
	    (memcmp(line + i, "```", 3) == 0 || memcmp(line + i, "~~~", 3) == 0);
}

static void
quote_line(struct buf *out, const char *line, size_t len, bool is_code)
{
	const char *end = line + len;
	bool shown;

	buf_adds(out, len > 0 ? "> " : ">");
	for (size_t n; line < end; line += n) {
		n = next_shown(line, end, &shown);
		if (*line == '<' && !is_code)
			buf_addc(out, '\\');
		if (shown || *line == '\t')
			buf_add(out, line, n);
	}
	buf_addc(out, '\n');
}

/* is_calls: all of it is code, whatever stands in it. */
static void
quote(struct buf *out, const char *text, size_t len, bool is_calls)
{
	bool is_code = is_calls;

	while (len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t n = end != NULL ? (size_t)(end - text) : len;
		bool fence = is_fence(text, n) && !is_calls;

		quote_line(out, text, n, is_code || fence);
		is_code ^= fence;
		n += end != NULL;
		text += n;
		len -= n;
	}
	/* a block that is left open ends with its message */
	if (is_code && !is_calls)
		buf_adds(out, "> ```\n");
}

static void
add_time(struct buf *out, const char *before, int64_t us)
{
	char text[TIME_TEXT];

	if (us == TIME_NONE)
		return;
	buf_adds(out, before);
	buf_adds(out, time_format_second(us, text));
}

/* ---- sessions ---- */

/* As lists call it. */
static int
put_title(struct page *p, const struct session *v)
{
	struct arena *a = &p->e.redact.arena;
	const char *title;
	size_t n;

	if (session_title(p->e.s, &p->e.who, v, a, &title, p->e.err) != 0)
		return -1;
	title = redact_text(&p->e.redact, title, NULL);
	if (strlen(title) > HEADING_BYTES) {
		for (n = HEADING_BYTES; n > 0 && title[n] != ' '; n--)
			;
		title = arena_printf(a, "%.*s ...",
		    (int)(n > 0 ? n : utf8_clip(title, strlen(title), HEADING_BYTES)), title);
	}
	plain(p->e.out, title);
	return 0;
}

static int
put_session(struct page *p)
{
	const struct session *v = p->e.session;

	p->e.session = NULL;
	buf_adds(p->e.out, "# ");
	if (put_title(p, v) != 0)
		return -1;
	buf_adds(p->e.out, "\n\nSession ");
	plain(p->e.out, v->id);
	if (v->project != NULL && *v->project != '\0') {
		buf_adds(p->e.out, " of project ");
		plain(p->e.out, v->project);
	}
	add_time(p->e.out, ", from ", v->created_us);
	add_time(p->e.out, " to ", v->updated_us);
	buf_adds(p->e.out, "\n\n");
	return 0;
}

static int
put_message(void *arg, const struct message *m)
{
	struct page *p = arg;
	const char *text, *calls = "";
	size_t len = m->content_len;

	if (!part_has(p->e.o, m))
		return 0;
	arena_reset(&p->e.redact.arena);
	if (p->e.session != NULL && put_session(p) != 0)
		return -1;
	text = redact_text(&p->e.redact, m->content, &len);
	if (m->tool_calls != NULL && *m->tool_calls != '\0')
		calls = redact_text(&p->e.redact,
		    calls_said(m->tool_calls, CALLS_BYTES, &p->e.redact.arena), NULL);
	buf_adds(p->e.out, "**");
	plain(p->e.out, message_by(m));
	buf_adds(p->e.out, "**");
	add_time(p->e.out, ", ", m->time_us);
	buf_adds(p->e.out, "\n\n");
	quote(p->e.out, text, len, false);
	if (*calls != '\0') {
		buf_adds(p->e.out, len > 0 ? ">\n> ```\n" : "> ```\n");
		quote(p->e.out, calls, strlen(calls), true);
		buf_adds(p->e.out, "> ```\n");
	}
	buf_addc(p->e.out, '\n');
	return exporter_end_record(&p->e);
}

static int
walk_session(void *arg, const struct session *v, bool in_scope)
{
	struct page *p = arg;
	const char *wanted = p->e.o->who.session;
	struct scope in = p->e.who;

	(void)in_scope;
	if (wanted != NULL && *wanted != '\0' && strcmp(wanted, v->id) != 0)
		return 0;
	in.session = v->id;
	p->e.session = v;
	return messages_in_order(p->e.s, &in, &p->e.o->filter, put_message, p, p->e.err);
}

/* ---- what is known ---- */

/* The lines of a text below the line of its item, each as an item or as it is. */
static void
plain_lines(struct page *p, const char *text)
{
	struct arena *a = &p->e.redact.arena;

	for (size_t n; *text != '\0'; text += n + (text[n] == '\n')) {
		const char *line = text + strspn(text, " \t");

		n = strcspn(text, "\n");
		if (line >= text + n)
			continue;
		buf_adds(p->e.out, "\n  ");
		if (strncmp(line, "- ", 2) == 0) {
			buf_adds(p->e.out, "- ");
			line += 2;
		}
		plain(p->e.out, arena_strndup(a, line, (size_t)(text + n - line)));
	}
}

/* What lists call the session of a summary; its name where it is not there. */
static int
put_summarized(struct page *p, const struct fact *f)
{
	const struct session *v;

	if (sessions_find(p->e.s, &p->e.who, f->head.session, &p->e.redact.arena, &v,
		p->e.err) != 0)
		return -1;
	if (v != NULL)
		return put_title(p, v);
	plain(p->e.out, f->head.session);
	return 0;
}

static int
put_record(void *arg, const struct fact *f)
{
	struct page *p = arg;
	const char *text, *rest;           /* rest: what stands below the first line */

	if (!part_takes(p->e.o, f))
		return 0;
	arena_reset(&p->e.redact.arena);
	if (p->heading != NULL)
		buf_addf(p->e.out, "# %s\n\n", p->heading);
	p->heading = NULL;
	buf_adds(p->e.out, "- ");
	if (f->head.type == RECORD_FACT) {
		buf_adds(p->e.out, "**");
		plain(p->e.out, f->bank);
		buf_adds(p->e.out, "** ");
	}
	text = fact_shown(f, &p->e.redact.arena);
	if (exporter_later(&p->e, f, &p->e.redact.arena, &text, NULL) != 0)
		return -1;
	text = redact_text(&p->e.redact, text, NULL);
	rest = strchr(text, '\n');
	if (rest != NULL && f->head.type == RECORD_SUMMARY && *f->head.session != '\0') {
		if (put_summarized(p, f) != 0)
			return -1;
		rest = text;
	} else {
		plain(p->e.out, arena_strndup(&p->e.redact.arena, text, strcspn(text, "\n")));
	}
	add_time(p->e.out, ", said ", f->head.time_us);
	if (rest != NULL)
		plain_lines(p, rest);
	buf_addc(p->e.out, '\n');
	return exporter_end_record(&p->e);
}

static int
put_records(struct page *p, enum record_type type, const char *heading)
{
	struct record_filter f = RECORD_FILTER_ANY(type);

	p->heading = heading;
	int rc = records_each(p->e.s, &p->e.who, &f, put_record, p, p->e.err);
	if (p->heading == NULL)
		buf_addc(p->e.out, '\n');
	return rc;
}

int
export_markdown(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err)
{
	struct page p = { .heading = NULL };

	exporter_init(&p.e, s, o, out, ended, arg, err);
	int rc = sessions_in_order(s, &p.e.who, walk_session, &p, err) != 0 ||
	    put_records(&p, RECORD_FACT, "Facts") != 0 ||
	    put_records(&p, RECORD_REFLECTION, "Notes") != 0 ||
	    put_records(&p, RECORD_SUMMARY, "Summaries") != 0 ? -1 : 0;
	exporter_release(&p.e);
	return rc;
}
