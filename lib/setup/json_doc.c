/* json_doc.c: reads the brackets itself and leaves strings, numbers and words to json/json.h. */
#include "setup/json_doc.h"

#include "base/ascii.h"
#include "base/conf.h"
#include "base/utf8.h"

struct doc {
	const char *text;
	size_t len, at;
	struct arena *arena;
	unsigned depth;
};

static int
bad(const struct doc *d, struct err *err)
{
	return err_set(err, ERR_DATA, "invalid JSON at byte %zu", d->at + 1);
}

/* Goes on behind blanks and comments. -1: a comment does not end. */
static int
skip(struct doc *d)
{
	for (;;) {
		const char *p = d->text + d->at, *end;

		if (d->at < d->len && ascii_is_space(*p)) {
			d->at++;
		} else if (d->len - d->at < 2 || p[0] != '/' || (p[1] != '/' && p[1] != '*')) {
			return 0;
		} else if (p[1] == '/') {
			end = memchr(p, '\n', d->len - d->at);
			d->at = end != NULL ? (size_t)(end - d->text) : d->len;
		} else {
			for (d->at += 2; d->at + 1 < d->len &&
			     (d->text[d->at] != '*' || d->text[d->at + 1] != '/');)
				d->at++;
			if (d->at + 1 >= d->len)
				return -1;
			d->at += 2;
		}
	}
}

static size_t
scalar_end(const struct doc *d)
{
	size_t i = d->at;

	if (d->text[i] == '"') {
		for (i++; i < d->len && d->text[i] != '"'; i++)
			i += d->text[i] == '\\';
		return MIN(i + 1, d->len);
	}
	while (i < d->len && (ascii_is_alnum(d->text[i]) || strchr("+-.", d->text[i]) != NULL) &&
	    d->text[i] != '\0')
		i++;
	return i;
}

static int read_value(struct doc *d, struct json_node *v, struct err *err);

static int
read_key(struct doc *d, struct json_node *v, struct err *err)
{
	const struct json *key;
	size_t end = d->at < d->len ? scalar_end(d) : d->at;

	v->from = d->at;
	if (end == d->at || d->text[d->at] != '"' ||
	    json_parse(d->text + d->at, end - d->at, d->arena, &key, err) != 0)
		return bad(d, err);
	v->key = key->u.string;
	d->at = end;
	if (skip(d) != 0 || d->at >= d->len || d->text[d->at] != ':')
		return bad(d, err);
	d->at++;
	return skip(d) != 0 ? bad(d, err) : 0;
}

/* Behind the opening bracket. */
static int
read_members(struct doc *d, struct json_node *v, struct err *err)
{
	char close = v->kind == JSON_OBJECT ? '}' : ']';

	for (;;) {
		struct json_node *child;

		if (skip(d) != 0 || d->at >= d->len)
			return bad(d, err);
		if (d->text[d->at] == close)
			break;
		if (v->last != NULL && v->last->comma == 0)
			return bad(d, err);
		child = arena_zalloc(d->arena, sizeof(*child));
		if (v->kind == JSON_OBJECT && read_key(d, child, err) != 0)
			return -1;
		if (read_value(d, child, err) != 0)
			return -1;
		if (v->kind == JSON_ARRAY)
			child->from = child->start;
		child->up = v;
		child->prev = v->last;
		if (v->last != NULL)
			v->last->next = child;
		else
			v->first = child;
		v->last = child;
		if (skip(d) != 0)
			return bad(d, err);
		if (d->at < d->len && d->text[d->at] == ',')
			child->comma = d->at++;
	}
	d->at++;
	return 0;
}

static int
read_value(struct doc *d, struct json_node *v, struct err *err)
{
	const struct json *scalar;

	if (d->at >= d->len)
		return bad(d, err);
	v->start = d->at;
	if (d->text[d->at] == '{' || d->text[d->at] == '[') {
		v->kind = d->text[d->at] == '{' ? JSON_OBJECT : JSON_ARRAY;
		if (++d->depth > conf_caps.depth)
			return err_set(err, ERR_DATA, "JSON is nested too deep");
		d->at++;
		if (read_members(d, v, err) != 0)
			return -1;
		d->depth--;
	} else {
		size_t end = scalar_end(d);

		if (end == d->at || json_parse(d->text + d->at, end - d->at, d->arena, &scalar,
			err) != 0)
			return bad(d, err);
		v->kind = scalar->kind;
		d->at = end;
	}
	v->end = d->at;
	return 0;
}

int
json_doc_read(const char *text, size_t len, struct arena *a, struct json_node **root,
	struct err *err)
{
	struct doc d = { text, len, utf8_bom(text, len), a, 0 };

	*root = NULL;
	if (skip(&d) != 0)
		return bad(&d, err);
	if (d.at == len)
		return 0;
	*root = arena_zalloc(a, sizeof(**root));
	if (read_value(&d, *root, err) != 0)
		return -1;
	(*root)->from = (*root)->start;
	if (skip(&d) != 0 || d.at != len)
		return bad(&d, err);
	return 0;
}

struct json_node *
json_doc_get(const struct json_node *v, const char *key)
{
	if (v == NULL || v->kind != JSON_OBJECT)
		return NULL;
	for (struct json_node *m = v->last; m != NULL; m = m->prev)
		if (strcmp(m->key, key) == 0)
			return m;
	return NULL;
}

/* Appends the node without comments and commas that JSON does not have. */
static void
write_plain(struct buf *out, const char *text, const struct json_node *v)
{
	if (v->kind != JSON_OBJECT && v->kind != JSON_ARRAY) {
		buf_add(out, text + v->start, v->end - v->start);
		return;
	}
	buf_addc(out, text[v->start]);
	for (const struct json_node *m = v->first; m != NULL; m = m->next) {
		if (m->key != NULL) {
			json_write_string(out, m->key, strlen(m->key));
			buf_addc(out, ':');
		}
		write_plain(out, text, m);
		if (m->next != NULL)
			buf_addc(out, ',');
	}
	buf_addc(out, text[v->end - 1]);
}

const struct json *
json_doc_value(const char *text, const struct json_node *v, struct arena *a)
{
	static const struct json none = { .kind = JSON_NULL };
	const struct json *value;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	write_plain(&b, text, v);
	if (json_parse(b.data, b.len, a, &value, NULL) != 0)
		value = &none;
	return value;
}

bool
json_doc_is(const char *text, const struct json_node *v, const struct json *value, struct arena *a)
{
	return v->kind == value->kind && json_same(json_doc_value(text, v, a), value);
}
