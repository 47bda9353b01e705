/*
 * memories_notes.c: texts with a record a line. Of a note in basic-memory's form
 *
 *	---
 *	title: Coffee
 *	modified: 2024-05-01
 *	---
 *	- [method] Pour over keeps the flavour #brewing (from the course)
 *	- requires [[Burr grinder]]
 *
 * the items of lists are records, without their category, tags and context; relations are none.
 * Lists that a person has copied out of a chat's settings look the same, but for "[2024-05-01] - "
 * before an item.
 */
#include <ctype.h>

#include "audit/memories_parts.h"

struct span { const char *p; size_t len; };

static struct span
trim(struct span s)
{
	while (s.len > 0 && isspace((unsigned char)*s.p)) {
		s.p++;
		s.len--;
	}
	while (s.len > 0 && isspace((unsigned char)s.p[s.len - 1]))
		s.len--;
	return s;
}

/* The next line of text from *at on, trimmed; false: there is none. */
static bool
next_line(const char *text, size_t len, size_t *at, struct span *line)
{
	const char *end;
	size_t n;

	if (*at >= len)
		return false;
	end = memchr(text + *at, '\n', len - *at);
	n = end != NULL ? (size_t)(end - text) - *at : len - *at;
	*line = trim((struct span){ text + *at, n });
	*at += n + 1;
	return true;
}

static bool
begins(struct span s, const char *with)
{
	return s.len >= strlen(with) && memcmp(s.p, with, strlen(with)) == 0;
}

/* "# Title", "**Title**", "Title:" and rules of dashes say nothing by themselves. */
static bool
is_heading(struct span s)
{
	return s.p[0] == '#' || s.p[s.len - 1] == ':' ||
	    (s.len > 4 && begins(s, "**") && memcmp(s.p + s.len - 2, "**", 2) == 0) ||
	    strspn(s.p, "-=_* ") >= s.len;
}

/* Whether s begins an item of a list, which is then what follows the mark. */
static bool
take_item(struct span *s)
{
	size_t digits = 0;

	if (s->len > 2 && strchr("-*+", s->p[0]) != NULL && s->p[1] == ' ') {
		*s = trim((struct span){ s->p + 2, s->len - 2 });
		return s->len > 0;
	}
	while (digits < s->len && isdigit((unsigned char)s->p[digits]))
		digits++;
	if (digits == 0 || digits > 3 || digits + 2 > s->len || s->p[digits] != '.' ||
	    s->p[digits + 1] != ' ')
		return false;
	*s = trim((struct span){ s->p + digits + 2, s->len - digits - 2 });
	return s->len > 0;
}

/* Takes "[...]" from the start of s, and its time where it is one. */
static void
take_category(struct span *s, int64_t *time_us)
{
	const char *end;
	int64_t until_us;

	if (s->len == 0 || s->p[0] != '[' || (s->len > 1 && s->p[1] == '[') ||
	    (end = memchr(s->p, ']', s->len)) == NULL)
		return;
	time_parse(s->p + 1, (size_t)(end - s->p) - 1, time_us, &until_us);
	*s = trim((struct span){ end + 1, s->len - (size_t)(end + 1 - s->p) });
	if (s->len > 2 && s->p[0] == '-' && s->p[1] == ' ')
		*s = trim((struct span){ s->p + 2, s->len - 2 });
}

/* Takes " (context)" and " #tag" from the end of s. */
static void
take_tail(struct span *s)
{
	for (;;) {
		size_t n = s->len;

		if (n > 0 && s->p[n - 1] == ')')
			while (n > 0 && s->p[n - 1] != '(')
				n--;
		else
			while (n > 0 && s->p[n - 1] != '#' && !isspace((unsigned char)s->p[n - 1]))
				n--;
		if (n < 3 || (s->p[n - 1] != '(' && s->p[n - 1] != '#') ||
		    !isspace((unsigned char)s->p[n - 2]))
			return;
		*s = trim((struct span){ s->p, n - 1 });
	}
}

/* ---- front matter ---- */

struct front { struct span title; int64_t time_us; };

static bool
take_key(struct span line, const char *key, struct span *value)
{
	if (!begins(line, key))
		return false;
	*value = trim((struct span){ line.p + strlen(key), line.len - strlen(key) });
	if (value->len > 1 && strchr("'\"", value->p[0]) != NULL)
		*value = (struct span){ value->p + 1, value->len - 2 };
	return true;
}

/* Reads the block between two lines "---" at the start; *at and *number go behind it. */
static void
read_front(const char *text, size_t len, size_t *at, uint64_t *number, struct front *f)
{
	struct span line, value;
	size_t from = 0;
	uint64_t n = 1;
	int64_t end_us;

	*f = (struct front){ { "", 0 }, TIME_NONE };
	if (!next_line(text, len, &from, &line) || line.len != 3 || !begins(line, "---"))
		return;
	while (next_line(text, len, &from, &line)) {
		n++;
		if (line.len == 3 && begins(line, "---")) {
			*at = from;
			*number = n;
			return;
		}
		if (take_key(line, "title:", &value))
			f->title = value;
		else if (take_key(line, "modified:", &value) ||
		    take_key(line, "updated_at:", &value) ||
		    (f->time_us == TIME_NONE && take_key(line, "created:", &value)))
			time_parse(value.p, value.len, &f->time_us, &end_us);
	}
}

/* ---- texts ---- */

/* Relations of a note name the other note in two brackets. */
static bool
has_link(struct span s)
{
	for (size_t i = 0; i + 1 < s.len; i++)
		if (s.p[i] == '[' && s.p[i + 1] == '[')
			return true;
	return false;
}

static void
add_line(struct memories *m, const struct memory_item *like, struct span s)
{
	struct memory_item r = *like;

	r.content = arena_strndup(&m->arena, s.p, s.len);
	r.len = s.len;
	memories_add(m, &r);
}

void
memories_notes(struct memories *m, const char *name, const char *text, size_t len)
{
	struct memory_item r = { .form = "notes", .file = name, .id = "", .about = "",
		.until_us = TIME_NONE };
	size_t at = 0, start, n = m->n;
	uint64_t number = 0, first;
	struct front front;
	struct span line;

	read_front(text, len, &at, &number, &front);
	r.about = arena_strndup(&m->arena, front.title.p, front.title.len);
	start = at;
	first = number;
	for (int all = 0; all < 2 && m->n == n; all++) {
		at = start;
		r.line = first;
		while (next_line(text, len, &at, &line)) {
			r.line++;
			if (line.len == 0 || (!take_item(&line) && (!all || is_heading(line))))
				continue;
			r.time_us = front.time_us;
			take_category(&line, &r.time_us);
			take_tail(&line);
			if (line.len > 0 && !has_link(line))
				add_line(m, &r, line);
		}
	}
}

void
memories_lines(struct memories *m, const struct memory_item *like)
{
	struct memory_item r = *like;
	struct span line;
	size_t at = 0;
	unsigned n = 0;

	while (next_line(like->content, like->len, &at, &line)) {
		if (line.len == 0)
			continue;
		n++;
		if (is_heading(line))
			continue;
		take_item(&line);
		r.id = arena_printf(&m->arena, "%s:%u", like->id, n);
		add_line(m, &r, line);
	}
}
