/*
 * edit_toml.c: reads statement by statement (a header, or a key with its value), and adds tables at
 * the end, a blank line before each.
 */
#include "base/ascii.h"
#include "base/conf.h"
#include "setup/edit_parts.h"

struct scan {
	const char *text;
	size_t len, at;
	/* the statement that was read */
	bool header, list;         /* [name], [[name]]; else a key */
	size_t start, end;         /* up to and with its last newline */
	struct buf name;           /* "mcp_servers.mem", without quotes and blanks */
};

static int
bad(const struct scan *s, struct err *err)
{
	size_t line = 1;

	for (size_t i = 0; i < s->at && i < s->len; i++)
		line += s->text[i] == '\n';
	return err_set(err, ERR_DATA, "invalid TOML in line %zu", line);
}

static char
look(const struct scan *s, size_t ahead)
{
	return s->at + ahead < s->len ? s->text[s->at + ahead] : '\0';
}

/* A string, at its quote. */
static int
skip_string(struct scan *s, struct err *err)
{
	char q = look(s, 0);
	bool three = look(s, 1) == q && look(s, 2) == q;

	for (s->at += three ? 3 : 1; s->at < s->len; s->at++) {
		char c = s->text[s->at];

		if (c == '\\' && q == '"')
			s->at++;
		else if (c == '\n' && !three)
			break;
		else if (c == q && (!three || (look(s, 1) == q && look(s, 2) == q))) {
			for (s->at += three ? 3 : 1; three && look(s, 0) == q;)
				s->at++;
			return 0;
		}
	}
	return bad(s, err);
}

static void
skip_comment(struct scan *s)
{
	while (s->at < s->len && s->text[s->at] != '\n')
		s->at++;
}

static int
skip_value(struct scan *s, struct err *err)
{
	int depth = 0;

	while (look(s, 0) == ' ' || look(s, 0) == '\t')
		s->at++;
	if (s->at >= s->len || strchr("#\r\n", look(s, 0)) != NULL)
		return bad(s, err);
	for (; s->at < s->len; s->at++) {
		char c = s->text[s->at];

		if (c == '"' || c == '\'') {
			if (skip_string(s, err) != 0)
				return -1;
			s->at--;
		} else if (c == '[' || c == '{') {
			depth++;
		} else if ((c == ']' || c == '}') && --depth < 0) {
			return bad(s, err);
		} else if (c == '#' && depth > 0) {
			skip_comment(s);
			s->at--;
		} else if (depth == 0 && strchr("#\r\n", c) != NULL) {
			return 0;
		}
	}
	return depth == 0 ? 0 : bad(s, err);
}

/* A name up to close; its quotes and the blanks around its dots are left out. */
static int
read_name(struct scan *s, char close, struct err *err)
{
	buf_reset(&s->name);
	for (; s->at < s->len && s->text[s->at] != close; s->at++) {
		char c = s->text[s->at];

		if (c == '"' || c == '\'') {
			size_t from = s->at + 1;

			if (skip_string(s, err) != 0)
				return -1;
			buf_add(&s->name, s->text + from, --s->at - from);
		} else if (ascii_is_alnum(c) || strchr("._-", c) != NULL) {
			buf_addc(&s->name, c);
		} else if (c != ' ' && c != '\t') {
			return bad(s, err);
		}
	}
	return s->at < s->len && s->name.len > 0 ? 0 : bad(s, err);
}

/* Reads the next statement. 1; 0 at the end; -1. */
static int
next(struct scan *s, struct err *err)
{
	size_t line;

	for (;;) {
		while (ascii_is_space(look(s, 0)) && s->at < s->len)
			s->at++;
		if (look(s, 0) != '#')
			break;
		skip_comment(s);
	}
	if (s->at >= s->len)
		return 0;
	for (line = s->at; line > 0 && s->text[line - 1] != '\n';)
		line--;
	s->start = line;
	s->header = look(s, 0) == '[';
	s->list = s->header && look(s, 1) == '[';
	s->at += (size_t)s->header + s->list;
	if (read_name(s, s->header ? ']' : '=', err) != 0)
		return -1;
	s->at++;
	if (s->list && s->text[s->at++] != ']')
		return bad(s, err);
	if (!s->header && skip_value(s, err) != 0)
		return -1;
	while (look(s, 0) == ' ' || look(s, 0) == '\t' || look(s, 0) == '\r')
		s->at++;
	if (look(s, 0) == '#')
		skip_comment(s);
	if (s->at < s->len && s->text[s->at] != '\n')
		return bad(s, err);
	s->at += s->at < s->len;
	s->end = s->at;
	return 1;
}

/* ---- tables ---- */

static bool
begins(const char *name, const char *with)
{
	size_t n = strlen(with);

	return strncmp(name, with, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

struct table { size_t start, end; };

/*
 * Finds the nth table of a piece, with the tables below it. 1; 0: there is none; -1: the text
 * cannot be read, or has it in another form.
 */
static int
find(const char *text, size_t len, const struct piece *p, size_t nth, struct table *t,
	struct err *err)
{
	struct scan s = { .text = text, .len = len };
	char want[128], table[128] = "", key[256];
	bool like = false, in = false, item = p->kind == PIECE_ITEM;
	const char *why = NULL;
	int rc, found = 0;

	snprintf(want, sizeof(want), item ? "%s" : "%s.%s", p->path[0], p->path[1]);
	buf_init(&s.name, conf_caps.output_bytes);
	while (why == NULL && (rc = next(&s, err)) > 0) {
		if (s.header) {
			bool below = begins(s.name.data, want);

			like = item ? s.list && strcmp(s.name.data, want) == 0 : below;
			if (like ? !item && s.list : item && below && !s.list)
				why = "is in another form";
			if (!like || item || !in) {
				in = like && !found && nth-- == 0;
				if (in)
					*t = (struct table){ s.start, s.end };
				found += in;
			}
			snprintf(table, sizeof(table), "%s.", s.name.data);
		} else if (!like) {
			snprintf(key, sizeof(key), "%s%s", table, s.name.data);
			if (begins(key, want) ||
			    (*table == '\0' && strcmp(key, p->path[0]) == 0))
				why = "is in another form";
		}
		if (in)
			t->end = s.end;
	}
	if (why != NULL)
		rc = err_set(err, ERR_DATA, "its '%s' %s", p->path[0], why);
	buf_release(&s.name);
	return rc < 0 ? -1 : found;
}

static void
put_table(struct buf *out, const struct piece *p, const char *newline)
{
	if (p->kind == PIECE_ITEM)
		buf_addf(out, "[[%s]]", p->path[0]);
	else
		buf_addf(out, "[%s.%s]", p->path[0], p->path[1]);
	for (size_t i = 0; i < p->value->len; i++) {
		buf_addf(out, "%s%s = ", newline, p->value->u.members[i].key);
		json_write(out, &p->value->u.members[i].value);
	}
}

/* The texts of two tables, but for their last newline. */
static bool
same(const char *a, size_t n, const char *b, size_t m)
{
	n = ascii_end(a, n);
	m = ascii_end(b, m);
	return n == m && memcmp(a, b, n) == 0;
}

static bool
calls_us(const char *text, const struct table *t)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	buf_add(&b, text + t->start, t->end - t->start);
	return strstr(b.data, "mem-hook") != NULL || strstr(b.data, "mem-mcp") != NULL;
}

/* Whether the original has this table, or, text NULL, any that calls us in its place. */
static bool
original_has(struct edit *e, const struct piece *p, const char *text, size_t len)
{
	const struct edit_original *o = e->original;
	struct table t;

	for (size_t i = 0; find(o->text, o->len, p, i, &t, NULL) > 0; i++)
		if (text == NULL ? calls_us(o->text, &t)
				 : same(o->text + t.start, t.end - t.start, text, len))
			return true;
	return false;
}

static int
toml_has(struct edit *e, const struct piece *p, struct err *err)
{
	struct table t;
	int rc = 0, found;
	LOCAL(buf) want = buf_of(conf_caps.output_bytes);

	put_table(&want, p, edit_newline(e));
	for (size_t i = 0; rc == 0 && (found = find(e->text.data, e->text.len, p, i, &t, err)) != 0;
	     i++) {
		if (found < 0)
			rc = -1;
		else if (same(e->text.data + t.start, t.end - t.start, want.data, want.len))
			rc = 1;
		else if (p->kind == PIECE_ENTRY && !calls_us(e->text.data, &t))
			rc = err_set(err, ERR_DATA, "its '%s' has another '%s'", p->path[0],
			    p->path[1]);
	}
	if (rc == 0)
		rc = original_has(e, p, NULL, 0);
	return rc;
}

static int
toml_add(struct edit *e, const struct piece *p, struct err *err)
{
	const char *newline = edit_newline(e);
	bool whole = e->text.len == 0 || e->text.data[e->text.len - 1] == '\n';

	(void)err;
	LOCAL(buf) out = buf_of(conf_caps.output_bytes);
	if (!whole)
		buf_adds(&out, newline);
	if (e->text.len > 0)
		buf_adds(&out, newline);
	put_table(&out, p, newline);
	if (whole)
		buf_adds(&out, newline);
	edit_replace(e, e->text.len, e->text.len, out.data, out.len);
	return 0;
}

static int
toml_remove(struct edit *e, const struct piece *p, struct err *err)
{
	const char *text = e->text.data;
	struct table t;
	int found;

	for (size_t i = 0; (found = find(text, e->text.len, p, i, &t, err)) > 0; i++) {
		if (!calls_us(text, &t) ||
		    (p->kind == PIECE_ENTRY
			    ? original_has(e, p, NULL, 0)
			    : original_has(e, p, text + t.start, t.end - t.start)))
			continue;
		/* the blank line before it */
		if (t.start >= 2 && text[t.start - 1] == '\n' && text[t.start - 2] == '\n')
			t.start--;
		else if (t.start >= 4 && memcmp(text + t.start - 4, "\r\n\r\n", 4) == 0)
			t.start -= 2;
		edit_cut_lines(e, t.start, t.end);
		return 1;
	}
	return found;
}

const struct editor edit_toml = { toml_has, toml_add, toml_remove };
