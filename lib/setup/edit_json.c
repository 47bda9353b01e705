/*
 * edit_json.c: after each change the text is read again, so that places never go stale. What is
 * added comes behind all that its list or mapping has, comments too; the comma goes right behind
 * the value before it. It is laid out as the text around it is. Taking it out is the reverse, byte
 * for byte.
 */
#include "base/ascii.h"
#include "base/conf.h"
#include "setup/edit_parts.h"
#include "setup/json_doc.h"

static int
read_doc(struct edit *e, struct json_node **root, struct err *err)
{
	return json_doc_read(e->text.data, e->text.len, &e->arena, root, err);
}

/* The list or mapping that the piece goes into; NULL: it is not there. */
static struct json_node *
container(struct json_node *root, const struct piece *p)
{
	int depth = p->kind == PIECE_ITEM ? p->depth : p->depth - 1;

	for (int i = 0; root != NULL && i < depth; i++)
		root = json_doc_get(root, p->path[i]);
	return root;
}

static struct json_node *
original_container(struct edit *e, const struct piece *p)
{
	struct json_node *root = NULL;

	if (json_doc_read(e->original->text, e->original->len, &e->arena, &root, NULL) != 0)
		return NULL;
	return container(root, p);
}

/* Whether the list of the original has the item. */
static bool
original_has(struct edit *e, const struct json_node *list, const struct json *item)
{
	for (const struct json_node *m = list != NULL ? list->first : NULL; m != NULL; m = m->next)
		if (json_doc_is(e->original->text, m, item, &e->arena))
			return true;
	return false;
}

static int
wrong_kind(const struct json_node *v, const struct piece *p, struct err *err)
{
	bool list = p->kind == PIECE_ITEM;

	if (v == NULL || v->kind == (list ? JSON_ARRAY : JSON_OBJECT))
		return 0;
	return err_set(err, ERR_DATA, "its '%s' is no %s", p->path[list ? p->depth - 1 : 0],
	    list ? "list" : "mapping");
}

/* A mapping on the way to a container must be one. */
static int
check_way(struct json_node *root, const struct piece *p, struct err *err)
{
	struct json_node *outer = root;

	if (root != NULL && root->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "it is no JSON object");
	if (p->kind == PIECE_ITEM && p->depth == 2 &&
	    (outer = json_doc_get(root, p->path[0])) != NULL && outer->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "its '%s' is no mapping", p->path[0]);
	return wrong_kind(container(root, p), p, err);
}

static int
json_has(struct edit *e, const struct piece *p, struct err *err)
{
	struct json_node *root, *in, *member, *was;

	arena_reset(&e->arena);
	if (read_doc(e, &root, err) != 0 || check_way(root, p, err) != 0)
		return -1;
	if ((in = container(root, p)) == NULL)
		return 0;
	was = original_container(e, p);
	if (p->kind == PIECE_ITEM) {
		for (struct json_node *m = in->first; m != NULL; m = m->next)
			if (json_doc_is(e->text.data, m, p->value, &e->arena))
				return 1;
		for (struct json_node *m = was != NULL ? was->first : NULL; m != NULL; m = m->next)
			if (piece_is_ours(json_doc_value(e->original->text, m, &e->arena)))
				return 1;              /* the user's own call of our program */
		return 0;
	}
	if ((member = json_doc_get(in, p->path[p->depth - 1])) == NULL)
		return 0;
	if (p->kind == PIECE_DEFAULT || json_doc_is(e->text.data, member, p->value, &e->arena))
		return 1;
	if (!piece_is_ours(json_doc_value(e->text.data, member, &e->arena)))
		return err_set(err, ERR_DATA, "its '%s' has another '%s'", p->path[0], p->path[1]);
	return json_doc_get(was, p->path[p->depth - 1]) != NULL;
}

/* ---- adding ---- */

/* The blanks that the line of a place begins with. */
static size_t
indent_of(const struct edit *e, size_t at, const char **blanks)
{
	const char *t = e->text.data;
	size_t line = at, n = 0;

	while (line > 0 && t[line - 1] != '\n')
		line--;
	while (t[line + n] == ' ' || t[line + n] == '\t')
		n++;
	*blanks = t + line;
	return n;
}

/* What one step of the text is indented by. */
static void
step_of(const struct edit *e, struct buf *step)
{
	const char *line = e->text.data, *end = line + e->text.len, *blanks;

	buf_reset(step);
	while (step->len == 0 && (line = memchr(line, '\n', (size_t)(end - line))) != NULL) {
		size_t n = indent_of(e, (size_t)(++line - e->text.data), &blanks);
		if (n > 0 && strchr("\"{[/", blanks[n]) != NULL && blanks[n] != '\0')
			buf_add(step, blanks, n);
	}
	if (step->len == 0)
		buf_adds(step, "  ");
}

struct layout { const char *newline; struct buf *step; bool lines; };

static void
put_break(struct buf *out, const struct layout *l, const char *indent, int depth)
{
	buf_adds(out, l->newline);
	buf_adds(out, indent);
	while (depth-- > 0)
		buf_adds(out, l->step->data);
}

static void
put(struct buf *out, const struct json *v, const struct layout *l, const char *indent, int depth)
{
	bool object = v->kind == JSON_OBJECT, lines = l->lines && v->len > 0;

	if (!object && v->kind != JSON_ARRAY) {
		json_write(out, v);
		return;
	}
	if (!object)                           /* a list of plain values stays on its line */
		for (size_t i = 0; lines && i < v->len; i++)
			lines = v->u.items[i].kind == JSON_OBJECT;
	buf_addc(out, object ? '{' : '[');
	for (size_t i = 0; i < v->len; i++) {
		if (i > 0)
			buf_adds(out, lines ? "," : ", ");
		if (lines)
			put_break(out, l, indent, depth + 1);
		if (object) {
			json_write_string(out, v->u.members[i].key, v->u.members[i].key_len);
			buf_adds(out, ": ");
		}
		put(out, object ? &v->u.members[i].value : &v->u.items[i], l, indent, depth + 1);
	}
	if (lines)
		put_break(out, l, indent, depth);
	buf_addc(out, object ? '}' : ']');
}

static bool
on_lines(const struct edit *e, const struct json_node *in)
{
	size_t end = ascii_end(e->text.data, e->text.len);

	if (in->first != NULL)
		return memchr(e->text.data + in->start, '\n', in->end - in->start) != NULL;
	return in->up == NULL || memchr(e->text.data, '\n', end) != NULL;
}

static void
add_to(struct edit *e, const struct json_node *in, const char *key, const struct json *value)
{
	const char *t = e->text.data, *blanks;
	LOCAL(buf) out = buf_of(conf_caps.output_bytes);
	LOCAL(buf) indent = buf_of(conf_caps.output_bytes);
	LOCAL(buf) step = buf_of(conf_caps.output_bytes);
	size_t at = in->end - 1, n;
	struct layout l = { edit_newline(e), &step, on_lines(e, in) };

	step_of(e, &step);
	while (ascii_is_space(t[at - 1]))
		at--;
	if (in->first != NULL &&
	    memchr(t + in->start, '\n', in->first->from - in->start) != NULL) {
		n = indent_of(e, in->first->from, &blanks);
		buf_add(&indent, blanks, n);
	} else {
		n = indent_of(e, in->up != NULL ? in->from : in->start, &blanks);
		buf_add(&indent, blanks, n);
		buf_adds(&indent, step.data);
	}
	if (l.lines)
		put_break(&out, &l, indent.data, 0);
	else if (in->first != NULL)
		buf_addc(&out, ' ');
	if (key != NULL) {
		json_write_string(&out, key, strlen(key));
		buf_adds(&out, ": ");
	}
	put(&out, value, &l, indent.data, 0);
	if (in->last != NULL && in->last->comma != 0)
		buf_addc(&out, ',');
	if (l.lines && in->first == NULL && memchr(t + at, '\n', in->end - 1 - at) == NULL) {
		n = indent_of(e, in->up != NULL ? in->from : in->start, &blanks);
		buf_adds(&out, l.newline);
		buf_add(&out, blanks, n);
	}
	edit_replace(e, at, at, out.data, out.len);
	if (in->last != NULL && in->last->comma == 0)
		edit_replace(e, in->last->end, in->last->end, ",", 1);
}

static int
json_add(struct edit *e, const struct piece *p, struct err *err)
{
	static const struct json object = { .kind = JSON_OBJECT }, array = { .kind = JSON_ARRAY };
	int depth = p->kind == PIECE_ITEM ? p->depth : p->depth - 1;
	struct json_node *root, *in, *next;

	arena_reset(&e->arena);
	if (read_doc(e, &root, err) != 0)
		return -1;
	if (root == NULL) {
		size_t end = e->text.len;
		bool begun = end == 0 || e->text.data[end - 1] == '\n';

		edit_replace(e, end, end, begun ? "{}\n" : "\n{}\n", begun ? 3 : 4);
		return json_add(e, p, err);
	}
	in = root;
	for (int i = 0; i < depth; i++) {
		if ((next = json_doc_get(in, p->path[i])) == NULL) {
			add_to(e, in, p->path[i],
			    p->kind == PIECE_ITEM && i == depth - 1 ? &array : &object);
			return json_add(e, p, err);
		}
		in = next;
	}
	add_to(e, in, p->kind == PIECE_ITEM ? NULL : p->path[p->depth - 1], p->value);
	return 0;
}

/* ---- taking out ---- */

static void
cut(struct edit *e, const struct json_node *v)
{
	const char *t = e->text.data;
	size_t from = v->from, end = v->comma != 0 ? v->comma + 1 : v->end;
	size_t comma = v->comma == 0 && v->prev != NULL ? v->prev->comma : 0;
	struct json_node *root;

	while (ascii_is_space(t[from - 1]))
		from--;
	LOCAL(buf) kept = buf_of(conf_caps.output_bytes);
	buf_add(&kept, t, e->text.len);
	edit_replace(e, from, end, "", 0);
	if (comma != 0)
		edit_replace(e, comma, comma + 1, "", 0);
	/* a comment up to the end of the line before must not swallow what comes behind */
	if (json_doc_read(e->text.data, e->text.len, &e->arena, &root, NULL) != 0) {
		buf_reset(&e->text);
		buf_add(&e->text, kept.data, kept.len);
		edit_replace(e, v->from, end, "", 0);
		if (comma != 0)
			edit_replace(e, comma, comma + 1, "", 0);
	}
}

/* The list or mapping, empty now, as the original has it, which is without anything, too. */
static void
restore(struct edit *e, const struct json_node *in, const struct json_node *was)
{
	if (was->first == NULL && was->kind == in->kind)
		edit_replace(e, in->start, in->end, e->original->text + was->start,
		    was->end - was->start);
}

/* The file was blank; what was added to it ends in a newline, and began with one if it had to. */
static void
cut_root(struct edit *e, const struct json_node *root)
{
	const char *was = e->original->text;
	size_t from = root->start, end = root->end, n = e->original->len;

	end += end < e->text.len && e->text.data[end] == '\n';
	from -= from > 0 && n > 0 && was[n - 1] != '\n';
	edit_replace(e, from, end, "", 0);
}

/* What has become empty, and was not there or was empty before, becomes as it was. */
static int
prune(struct edit *e, const struct piece *p, struct err *err)
{
	int depth = p->kind == PIECE_ITEM ? p->depth : p->depth - 1;
	struct json_node *root, *was_root = NULL;

	if (json_doc_read(e->original->text, e->original->len, &e->arena, &was_root, err) != 0)
		return -1;
	for (; depth >= 0; depth--) {
		struct json_node *in, *was = was_root;

		if (read_doc(e, &root, err) != 0)
			return -1;
		in = root;
		for (int i = 0; i < depth && in != NULL; i++) {
			in = json_doc_get(in, p->path[i]);
			was = json_doc_get(was, p->path[i]);
		}
		if (in == NULL || in->first != NULL)
			continue;
		if (was != NULL) {
			restore(e, in, was);
			break;
		}
		if (depth > 0)
			cut(e, in);
		else
			cut_root(e, in);
	}
	return 0;
}

static int
json_remove(struct edit *e, const struct piece *p, struct err *err)
{
	struct json_node *root, *in, *was, *v = NULL;

	arena_reset(&e->arena);
	if (read_doc(e, &root, err) != 0)
		return -1;
	if ((in = container(root, p)) == NULL ||
	    in->kind != (p->kind == PIECE_ITEM ? JSON_ARRAY : JSON_OBJECT))
		return 0;
	was = original_container(e, p);
	if (p->kind == PIECE_ITEM) {
		for (v = in->last; v != NULL; v = v->prev) {
			const struct json *item = json_doc_value(e->text.data, v, &e->arena);
			if (piece_is_ours(item) && !original_has(e, was, item))
				break;
		}
	} else if (json_doc_get(was, p->path[p->depth - 1]) == NULL) {
		v = json_doc_get(in, p->path[p->depth - 1]);
		if (v != NULL && p->kind == PIECE_ENTRY &&
		    !piece_is_ours(json_doc_value(e->text.data, v, &e->arena)))
			v = NULL;
		/* others may rely on a default by now */
		if (v != NULL && p->kind == PIECE_DEFAULT && root->first != root->last &&
		    (was == NULL || was->first == NULL))
			v = NULL;
	}
	if (v == NULL)
		return 0;
	cut(e, v);
	return prune(e, p, err) != 0 ? -1 : 1;
}

const struct editor edit_json = { json_has, json_add, json_remove };
