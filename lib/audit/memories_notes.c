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
 * Lines between them are records, too, a line that was wrapped with the one before it. Lists that a
 * person has copied out of a chat's settings look the same, but for "[2024-05-01] - " before an
 * item.
 */
#include <ctype.h>

#include "audit/memories_parts.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/span.h"
#include "base/utf8.h"
#include "clean/context_guard.h"

struct span { const char *p; size_t len; };

static struct span
trim(struct span s)
{
	s.p = ascii_trim(s.p, &s.len);
	return s;
}

/* The next line of text from *at on, trimmed; false: there is none. */
static bool
next_line(const char *text, size_t len, size_t *at, struct span *line)
{
	if (*at >= len)
		return false;
	const char *end = memchr(text + *at, '\n', len - *at);
	size_t n = end != NULL ? (size_t)(end - text) - *at : len - *at;
	*line = trim((struct span){ text + *at, n });
	*at += n + 1;
	return true;
}

/* "# Title", "**Title**", "Title:" and rules of dashes say nothing by themselves. */
static bool
is_heading(struct span s)
{
	return s.p[0] == '#' || s.p[s.len - 1] == ':' ||
	    (s.len > 4 && span_begins(s.p, s.len, "**") && span_ends(s.p, s.len, "**")) ||
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

/* scope: of which files alone it says something */
struct front { struct span title, scope; int64_t time_us; };

static bool
take_key(struct span line, const char *key, struct span *value)
{
	if (!span_begins(line.p, line.len, key))
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
	bool scoped = false;

	*f = (struct front){ { "", 0 }, { "", 0 }, TIME_NONE };
	if (!next_line(text, len, &from, &line) || !span_is(line.p, line.len, "---"))
		return;
	while (next_line(text, len, &from, &line)) {
		n++;
		if (span_is(line.p, line.len, "---")) {
			*at = from;
			*number = n;
			if (strspn(f->scope.p, "*/") >= f->scope.len)
				f->scope.len = 0;      /* of every file */
			return;
		}
		if (take_key(line, "title:", &value) ||
		    (f->title.len == 0 && take_key(line, "name:", &value)))
			f->title = value;
		else if (take_key(line, "globs:", &value) || take_key(line, "applyTo:", &value) ||
		    take_key(line, "paths:", &value))
			scoped = true, f->scope = value;
		else if (scoped && f->scope.len == 0 && take_item(&line))
			f->scope = line;
		else if (take_key(line, "modified:", &value) ||
		    take_key(line, "updated_at:", &value) ||
		    (f->time_us == TIME_NONE && take_key(line, "created:", &value)))
			time_parse(value.p, value.len, &f->time_us, &end_us);
	}
}

/* ---- texts ---- */

static void
add_line(struct memories *m, const struct memory_item *like, struct span s)
{
	struct memory_item r = *like;

	r.content = arena_strndup(&m->arena, s.p, s.len);
	r.len = s.len;
	memories_add(m, &r);
}

#define NESTED_MOST 8          /* lists in each other */
#define WRAPPED_LEAST 50       /* bytes of a line that may go on in the next */
#define ABOUT_BYTES 200        /* of an item, before those that are under it */

struct lines {
	const char *text;
	size_t len, at;
	uint64_t number;
	unsigned unended;          /* blocks of which no end is to come, a bit each */
};

static bool
read_line(struct lines *l, struct span *line)
{
	l->number += l->at < l->len;
	return next_line(l->text, l->len, &l->at, line);
}

/*
 * Whether the line begins a block that nobody means to be remembered: code, a comment, what mem has
 * written. l is then behind it. One that does not end is text.
 */
static bool
skip_block(struct lines *l, struct span line)
{
	static const char *const blocks[][2] = { { "```", "```" }, { "~~~", "~~~" },
		{ "<!--", "-->" }, { MEM_FENCE_OPEN, MEM_FENCE_CLOSE } };

	for (size_t i = 0; i < NELEM(blocks); i++) {
		struct lines ahead = *l;
		struct span end = line;
		bool is = span_begins(line.p, line.len, blocks[i][0]) &&
		    (l->unended >> i & 1) == 0, more = is;

		if (more && strcmp(blocks[i][0], blocks[i][1]) == 0)
			more = read_line(&ahead, &end);
		while (more && span_find(end.p, end.len, blocks[i][1]) == end.len)
			more = read_line(&ahead, &end);
		if (more) {
			*l = ahead;
			return true;
		}
		l->unended |= (unsigned)is << i;
	}
	return false;
}

static size_t
indent_of(const struct lines *l, struct span line)
{
	const char *p = line.p;

	while (p > l->text && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	return (size_t)(line.p - p);
}

/* The reading of one text: "at hand" is a record whose next line may be to come. */
struct notes {
	struct memories *m;
	struct memory_item like;
	struct front front;
	const char *heading;       /* above; "" */
	const char *lead;          /* a line that ends in ":" above a list; NULL: none */
	/* the items [n_over] that a deeper one is under, each with all that it is under itself */
	struct { const char *text; size_t indent; } over[NESTED_MOST];
	size_t n_over;
	struct buf text;           /* at hand; empty: none */
	bool is_item;
	size_t indent;
	uint64_t line;
	size_t *breaks, n_breaks, cap;     /* where the next lines of it begin */
};

/* What the record at hand is said of; it is not so of everything. */
static const char *
about_of(const struct notes *v)
{
	struct arena *a = &v->m->arena;
	const char *of = v->lead != NULL ? v->lead : v->heading;

	if (v->n_over > 0)
		return v->over[v->n_over - 1].text;
	if (*of == '\0' && v->front.title.len > 0)
		of = arena_strndup(a, v->front.title.p, v->front.title.len);
	if (v->front.scope.len == 0)
		return of;
	return arena_printf(a, "%.*s%s%s", (int)v->front.scope.len, v->front.scope.p,
	    *of != '\0' ? ", " : "", of);
}

/* Of "[Words](where) more" the words and what follows. */
static struct span
without_link(struct arena *a, struct span s)
{
	const char *end = s.p + s.len, *words, *where;

	if (!span_begins(s.p, s.len, "[") || (words = memchr(s.p, ']', s.len)) == NULL ||
	    words + 1 >= end ||
	    words[1] != '(' || (where = memchr(words, ')', (size_t)(end - words))) == NULL)
		return s;
	s.p = arena_printf(a, "%.*s%.*s", (int)(words - s.p - 1), s.p + 1,
	    (int)(end - where - 1), where + 1);
	return trim((struct span){ s.p, strlen(s.p) });
}

/* The breaks of the record at hand as memories.h has them; what is taken off is at its start. */
static const size_t *
breaks_of(const struct notes *v)
{
	size_t *out = arena_alloc(&v->m->arena, (v->n_breaks + 1) * sizeof(*out));

	for (size_t i = 0; i < v->n_breaks; i++)
		out[i] = v->text.len - v->breaks[i];
	return out;
}

/* Ends the record at hand. */
static void
end_note(struct notes *v)
{
	struct span s = { arena_strndup(&v->m->arena, v->text.data, v->text.len), v->text.len };
	struct memory_item r = v->like;
	bool hosted = r.host != NULL, leads = s.len > 0 && s.p[s.len - 1] == ':';

	r.n_breaks = v->n_breaks;
	r.breaks = breaks_of(v);
	buf_reset(&v->text);
	v->n_breaks = 0;
	if (strspn(s.p, "-=_* ") >= s.len)
		return;
	r.line = v->line;
	r.time_us = v->front.time_us;
	if (hosted) {
		s = without_link(&v->m->arena, s);
		s.len -= leads;
		r.about = about_of(v);
		r.is_part = v->lead != NULL || v->n_over > 0;
		const char *about = arena_printf(&v->m->arena, "%s%s%.*s", r.about,
		    *r.about != '\0' ? ": " : "", (int)utf8_clip(s.p, s.len, ABOUT_BYTES), s.p);
		if (v->is_item && v->n_over < NESTED_MOST) {
			v->over[v->n_over].text = about;
			v->over[v->n_over++].indent = v->indent;
		} else if (leads) {
			v->lead = about;
		}
		if (leads)
			return;
	} else {
		take_category(&s, &r.time_us);
		take_tail(&s);
	}
	/* relations of a note name the other note in two brackets */
	if (s.len > 0 && (hosted || span_find(s.p, s.len, "[[") == s.len))
		add_line(v->m, &r, s);
}

/*
 * Whether a line of a host's file says nothing by itself: a heading, a row of a table, the import
 * of another file.
 */
static bool
take_heading(struct notes *v, struct span line)
{
	size_t level = 0;

	if (strspn(line.p, "-=_* ") >= line.len) {
		/* the line above it was the heading */
		if (v->text.len > 0 && !v->is_item) {
			v->heading = arena_strndup(&v->m->arena, v->text.data, v->text.len);
			v->lead = NULL;
			buf_reset(&v->text);
		}
		end_note(v);
		return true;
	}
	while (level < line.len && line.p[level] == '#')
		level++;
	if (level == 0 && line.p[0] != '|' &&
	    (line.p[0] != '@' || memchr(line.p, ' ', line.len) != NULL))
		return false;
	end_note(v);
	v->n_over = 0;
	if (level > 0) {
		line = trim((struct span){ line.p + level, line.len - level });
		/* the title of all of it, or the host's own, is no part of what each says */
		if (level == 1 || span_find(line.p, line.len, "Memor") < line.len)
			line.len = 0;
		v->heading = arena_strndup(&v->m->arena, line.p, line.len);
		v->lead = NULL;
	}
	return true;
}

/* Whether a line goes on with the one at hand, which broke off near the edge of a page. */
static bool
is_wrapped(const struct notes *v, struct span line)
{
	return !v->is_item && v->text.len >= WRAPPED_LEAST &&
	    strchr(".!?:;", v->text.data[v->text.len - 1]) == NULL &&
	    islower((unsigned char)line.p[0]);
}

static void
read_note(struct notes *v, const struct lines *l, struct span line)
{
	size_t indent = indent_of(l, line);
	bool hosted = v->like.host != NULL, is_item = take_item(&line);

	if (!is_item && hosted && take_heading(v, line))
		return;
	if (!is_item && v->text.len > 0 &&
	    (hosted || (v->is_item && indent > 0) || is_wrapped(v, line))) {
		buf_addc(&v->text, ' ');
		*xpush(v->breaks, v->n_breaks, v->cap) = v->text.len;
		buf_add(&v->text, line.p, line.len);
		return;
	}
	end_note(v);
	if (!is_item && !hosted && is_heading(line))
		return;
	while (v->n_over > 0 && v->over[v->n_over - 1].indent >= indent)
		v->n_over--;
	if (!is_item && v->n_over == 0)
		v->lead = NULL;
	buf_add(&v->text, line.p, line.len);
	v->is_item = is_item;
	v->indent = indent;
	v->line = l->number;
}

static void
read_notes(struct memories *m, const struct memory_item *like, const char *text, size_t len)
{
	struct notes v = { .m = m, .like = *like, .heading = "" };
	struct lines l = { text, len, 0, 0, 0 };
	struct span line;

	buf_init(&v.text, len + 1);
	read_front(text, len, &l.at, &l.number, &v.front);
	if (like->host == NULL)
		v.like.about = arena_strndup(&m->arena, v.front.title.p, v.front.title.len);
	while (read_line(&l, &line))
		if (line.len == 0 || skip_block(&l, line))
			end_note(&v);
		else
			read_note(&v, &l, line);
	end_note(&v);
	free(v.breaks);
	buf_release(&v.text);
}

void
memories_notes(struct memories *m, const char *host, const char *name, const char *text,
	size_t len)
{
	read_notes(m, &(struct memory_item){ .form = host != NULL ? host : "notes", .file = name,
		.id = "", .about = "", .until_us = TIME_NONE, .host = host }, text, len);
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
