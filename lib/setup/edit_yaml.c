/*
 * edit_yaml.c: knows of YAML what a configuration is written in: a mapping whose keys stand at the
 * left edge, and below one of them a mapping whose entries are indented. Anything else at the left
 * edge is refused. An entry is added as the first of its mapping, right behind the key.
 */
#include "base/ascii.h"
#include "base/conf.h"
#include "setup/edit_parts.h"

struct line { size_t start, text, end, next; };        /* text: the first that is no blank */

static bool
next_line(const struct buf *t, size_t at, struct line *l)
{
	if (at >= t->len)
		return false;
	l->start = l->text = at;
	const char *end = memchr(t->data + at, '\n', t->len - at);
	l->next = end != NULL ? (size_t)(end + 1 - t->data) : t->len;
	l->end = end != NULL ? (size_t)(end - t->data) : t->len;
	while (l->end > at && ascii_is_space(t->data[l->end - 1]))
		l->end--;
	while (l->text < l->end && t->data[l->text] == ' ')
		l->text++;
	return true;
}

static bool
is_blank(const struct buf *t, const struct line *l)
{
	return l->text == l->end || t->data[l->text] == '#';
}

/* The length of the key that a line begins with, quotes included, and where its value is; or 0. */
static size_t
key_of(const struct buf *t, const struct line *l, size_t *value)
{
	const char *s = t->data + l->text;
	size_t len = l->end - l->text, n = 0;

	if (len > 0 && (*s == '"' || *s == '\'')) {
		for (n = 1; n < len && s[n] != *s;)
			n++;
		n += n < len;
	} else {
		while (n < len && (ascii_is_alnum(s[n]) || strchr("_-./ ", s[n]) != NULL))
			n++;
		while (n > 0 && s[n - 1] == ' ')
			n--;
	}
	if (n == 0 || n >= len || s[n] != ':' || (n + 1 < len && s[n + 1] != ' '))
		return 0;
	for (*value = l->text + n + 1; *value < l->end && t->data[*value] == ' ';)
		++*value;
	if (*value < l->end && t->data[*value] == '#')
		*value = l->end;
	return n;
}

static bool
key_is(const struct buf *t, const struct line *l, size_t n, const char *key)
{
	const char *s = t->data + l->text;

	if (*s == '"' || *s == '\'') {
		s++;
		n -= 2;
	}
	return n == strlen(key) && memcmp(s, key, n) == 0;
}

/* Where the mapping of a piece, and the entry in it, stand. */
struct place {
	bool has_key, has_entry;
	bool empty;                        /* the key's value is {} */
	size_t key_start, value, key_end;  /* of the key's line */
	size_t indent;                     /* of its entries; 0: there are none */
	size_t start, end;                 /* the lines of the entry */
};

static int
refuse(const struct buf *t, const struct line *l, struct err *err)
{
	size_t line = 1;

	for (size_t i = 0; i < l->start; i++)
		line += t->data[i] == '\n';
	return err_set(err, ERR_DATA, "line %zu is no plain mapping in YAML", line);
}

/* The lines of an entry, up to those that are indented as it is, without blank ones at the end. */
static void
find_entry(const struct buf *t, const struct piece *p, struct place *w)
{
	struct line l;
	size_t value, n;

	for (size_t at = w->key_end; next_line(t, at, &l); at = l.next) {
		size_t indent = l.text - l.start;

		if (is_blank(t, &l))
			continue;
		if (indent < w->indent || (w->has_entry && indent == w->indent))
			break;
		if (w->has_entry) {
			w->end = l.next;
		} else if (indent == w->indent && (n = key_of(t, &l, &value)) > 0 &&
		    key_is(t, &l, n, p->path[1])) {
			w->has_entry = true;
			w->start = l.start;
			w->end = l.next;
		}
	}
}

static int
find(const struct buf *t, const struct piece *p, struct place *w, struct err *err)
{
	struct line l;
	size_t value, n;
	bool begun = false, below = false;

	memset(w, 0, sizeof(*w));
	for (size_t at = 0; next_line(t, at, &l); at = l.next) {
		const char *s = t->data + l.start;

		if (is_blank(t, &l) || (!begun && l.end - l.start == 3 && memcmp(s, "---", 3) == 0))
			continue;
		if (below && (l.text > l.start || *s == '-')) {
			w->indent = l.text - l.start;
			if (*s == '\t' || key_of(t, &l, &value) == 0)
				return refuse(t, &l, err);
		}
		below = false;
		if (begun &&
		    (l.text > l.start || (*s == '-' && l.end - l.start > 1 && s[1] == ' ')))
			continue;
		begun = true;
		if (l.text > l.start || (n = key_of(t, &l, &value)) == 0)
			return refuse(t, &l, err);
		if (!key_is(t, &l, n, p->path[0]))
			continue;
		w->empty = value < l.end && l.end - value == 2 &&
		    memcmp(t->data + value, "{}", 2) == 0;
		if (w->has_key || (value < l.end && !w->empty))
			return refuse(t, &l, err);
		w->has_key = true;
		w->key_start = l.start;
		w->value = l.text + n + 1;
		w->key_end = l.next;
		below = !w->empty;
	}
	if (w->indent > 0)
		find_entry(t, p, w);
	return 0;
}

static void
put_entry(struct buf *out, const struct piece *p, size_t indent, const char *newline)
{
	buf_addf(out, "%*s%s:", (int)indent, "", p->path[1]);
	for (size_t i = 0; i < p->value->len; i++) {
		buf_addf(out, "%s%*s%s: ", newline, (int)(2 * indent), "",
		    p->value->u.members[i].key);
		json_write(out, &p->value->u.members[i].value);
	}
}

static bool
calls_us(const struct buf *t, const struct place *w)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	buf_add(&b, t->data + w->start, w->end - w->start);
	return strstr(b.data, "mem-mcp") != NULL;
}

/* What the original has in the place of the piece. */
static void
find_original(struct edit *e, const struct piece *p, struct buf *text, struct place *w)
{
	buf_add(text, e->original->text, e->original->len);
	if (find(text, p, w, NULL) != 0)
		memset(w, 0, sizeof(*w));
}

static bool
original_has(struct edit *e, const struct piece *p)
{
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);
	struct place w;

	find_original(e, p, &text, &w);
	return w.has_entry;
}

static int
yaml_has(struct edit *e, const struct piece *p, struct err *err)
{
	struct place w;
	size_t len;

	if (find(&e->text, p, &w, err) != 0)
		return -1;
	if (!w.has_entry)
		return 0;
	LOCAL(buf) want = buf_of(conf_caps.output_bytes);
	put_entry(&want, p, w.indent, edit_newline(e));
	for (len = w.end - w.start; len > 0 && ascii_is_space(e->text.data[w.start + len - 1]);)
		len--;
	bool same = len == want.len && memcmp(e->text.data + w.start, want.data, len) == 0;
	if (same)
		return 1;
	if (!calls_us(&e->text, &w))
		return err_set(err, ERR_DATA, "its '%s' has another '%s'", p->path[0], p->path[1]);
	return original_has(e, p);
}

static int
yaml_add(struct edit *e, const struct piece *p, struct err *err)
{
	const char *newline = edit_newline(e);
	bool whole = e->text.len == 0 || e->text.data[e->text.len - 1] == '\n';
	struct place w;

	if (find(&e->text, p, &w, err) != 0)
		return -1;
	LOCAL(buf) out = buf_of(conf_caps.output_bytes);
	if (!w.has_key) {
		if (!whole)
			buf_adds(&out, newline);
		buf_addf(&out, "%s:%s", p->path[0], newline);
		w.key_end = e->text.len;
	} else {
		if (w.empty) {
			struct line l;
			next_line(&e->text, w.key_start, &l);
			edit_replace(e, w.value, l.end, "", 0);
			w.key_end -= l.end - w.value;
		}
		whole = w.key_end < e->text.len || e->text.data[e->text.len - 1] == '\n';
		if (!whole)
			buf_adds(&out, newline);
	}
	put_entry(&out, p, w.indent > 0 ? w.indent : 2, newline);
	if (whole)
		buf_adds(&out, newline);
	edit_replace(e, w.key_end, w.key_end, out.data, out.len);
	return 0;
}

/* The mapping is empty now: it becomes as it was. */
static int
prune(struct edit *e, const struct piece *p, struct err *err)
{
	struct place w, was;
	LOCAL(buf) original = buf_of(conf_caps.output_bytes);
	struct line l, old;

	if (find(&e->text, p, &w, err) != 0)
		return -1;
	find_original(e, p, &original, &was);
	if (w.has_key && w.indent == 0 && next_line(&e->text, w.key_start, &l)) {
		if (!was.has_key)
			edit_cut_lines(e, w.key_start, w.key_end);
		else if (was.empty && next_line(&original, was.key_start, &old))
			edit_replace(e, l.start, l.end, original.data + old.start,
			    old.end - old.start);
	}
	return 0;
}

static int
yaml_remove(struct edit *e, const struct piece *p, struct err *err)
{
	struct place w;

	if (find(&e->text, p, &w, err) != 0)
		return -1;
	if (!w.has_entry || !calls_us(&e->text, &w) || original_has(e, p))
		return 0;
	edit_cut_lines(e, w.start, w.end);
	return prune(e, p, err) != 0 ? -1 : 1;
}

const struct editor edit_yaml = { yaml_has, yaml_add, yaml_remove };
