/* pieces.c: the text is written anew with our commands in it, read again, and taken apart. */
#include "setup/pieces.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/embedded.h"

#define HOOK   "mem-hook "
#define SERVER "mem-mcp"

void
shell_word(struct buf *out, const char *s)
{
	bool plain = *s != '\0';

	for (const char *p = s; *p != '\0'; p++)
		plain &= ascii_is_alnum(*p) || strchr("/._-+=:,@", *p) != NULL;
	if (plain) {
		buf_adds(out, s);
		return;
	}
	buf_addc(out, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

void
command_shell(struct buf *out, const char *path, const struct commands *c)
{
	shell_word(out, path);
	for (const char *const *o = c->options; *o != NULL; o++) {
		buf_addc(out, ' ');
		shell_word(out, *o);
	}
}

static void
add_options(struct buf *out, const struct commands *c)
{
	for (const char *const *o = c->options; *o != NULL; o++)
		json_item(out, *o, strlen(*o));
}

/* Appends v as JSON, with our commands where our names stand. */
static void
write_with(struct buf *out, const struct json *v, const struct commands *c)
{
	if (v->kind == JSON_STRING && strncmp(v->u.string, HOOK, sizeof(HOOK) - 1) == 0) {
		struct buf command = buf_of(conf_caps.output_bytes);
		command_shell(&command, c->hook, c);
		buf_adds(&command, v->u.string + sizeof(HOOK) - 2);
		json_write_string(out, command.data, command.len);
		buf_release(&command);
	} else if (v->kind == JSON_STRING && strcmp(v->u.string, SERVER) == 0) {
		json_write_string(out, c->server, strlen(c->server));
	} else if (v->kind == JSON_ARRAY) {
		bool alone = v->len == 1 && v->u.items[0].kind == JSON_STRING &&
		    strcmp(v->u.items[0].u.string, SERVER) == 0;

		json_array_open(out, NULL);
		for (size_t i = 0; i < v->len; i++) {
			json_next(out);
			write_with(out, &v->u.items[i], c);
		}
		if (alone)
			add_options(out, c);
		json_array_close(out);
	} else if (v->kind == JSON_OBJECT) {
		json_open(out);
		for (size_t i = 0; i < v->len; i++) {
			const struct json_member *m = &v->u.members[i];

			json_key(out, m->key);
			if (strcmp(m->key, "args") == 0) {
				json_array_open(out, NULL);
				add_options(out, c);
				json_array_close(out);
			} else {
				write_with(out, &m->value, c);
			}
		}
		json_close(out);
	} else {
		json_write(out, v);
	}
}

static void
add(struct pieces *p, struct piece one)
{
	*xpush(p->list, p->n, p->cap) = one;
}

static void
add_items(struct pieces *p, const char *outer, const char *inner, const struct json *list)
{
	for (size_t i = 0; i < list->len; i++)
		add(p, (struct piece){ PIECE_ITEM, { outer, inner }, inner != NULL ? 2 : 1,
			&list->u.items[i] });
}

static void
take_apart(struct pieces *p, const struct json *all)
{
	for (size_t i = 0; i < all->len; i++) {
		const char *name = all->u.members[i].key;
		const struct json *v = &all->u.members[i].value;

		if (v->kind == JSON_ARRAY)
			add_items(p, name, NULL, v);
		else if (v->kind != JSON_OBJECT)
			add(p, (struct piece){ PIECE_DEFAULT, { name, NULL }, 1, v });
		for (size_t j = 0; v->kind == JSON_OBJECT && j < v->len; j++) {
			const struct json_member *m = &v->u.members[j];

			if (m->value.kind == JSON_ARRAY)
				add_items(p, name, m->key, &m->value);
			else
				add(p, (struct piece){ PIECE_ENTRY, { name, m->key }, 2,
					&m->value });
		}
	}
}

int
pieces_add(struct pieces *p, const char *adds, const struct commands *c, struct arena *a,
	struct err *err)
{
	const struct embedded *file = strncmp(adds, "schema/", 7) == 0 ? embedded_find(adds) : NULL;
	const struct json *v;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	if (json_parse(file != NULL ? file->text : adds, file != NULL ? file->len : strlen(adds), a,
		&v, err) != 0)
		return -1;
	write_with(&b, v, c);
	if (json_parse(b.data, b.len, a, &v, err) != 0)
		return -1;
	take_apart(p, v);
	return 0;
}

int
pieces_file(const char *name, const struct commands *c, struct buf *out, struct err *err)
{
	static const char call[] = "\"mem-hook\", [";
	const struct embedded *file = embedded_find(name);
	const char *at = file != NULL ? strstr(file->text, call) : NULL;

	if (at == NULL)
		return err_set(err, ERR_BUG, "'%s' calls no mem-hook", name);
	buf_add(out, file->text, (size_t)(at - file->text));
	json_write_string(out, c->hook, strlen(c->hook));
	buf_adds(out, ", [");
	for (const char *const *o = c->options; *o != NULL; o++) {
		json_write_string(out, *o, strlen(*o));
		buf_adds(out, ", ");
	}
	buf_adds(out, at + sizeof(call) - 1);
	return 0;
}

bool
piece_is_ours(const struct json *v)
{
	if (v->kind == JSON_STRING)
		return strstr(v->u.string, "mem-hook") != NULL ||
		    strstr(v->u.string, SERVER) != NULL;
	for (size_t i = 0; (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT) && i < v->len; i++)
		if (piece_is_ours(v->kind == JSON_ARRAY ? &v->u.items[i]
							: &v->u.members[i].value))
			return true;
	return false;
}
