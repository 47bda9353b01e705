/*
 * beside.c: nothing here fails. A conversation is worth reading without what lies beside it, and
 * whether a file is there, or whole, is up to the agent that writes it.
 */
#include "ingest/beside.h"

#include "base/arena.h"
#include "base/ascii.h"
#include "base/gz.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "ingest/json/cut.h"
#include "json/json.h"

#define FILE_BYTES   (64u << 10)
#define PARENTS_MOST 16

/*
 * Appends a name to the directory of path: "%" in it stands for the directory's own name, "@" for
 * the file's without its end.
 */
static void
place(const char *name, const char *path, const char *directory, struct buf *out)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;

	buf_reset(out);
	if (slash != NULL)
		buf_add(out, path, (size_t)(slash + 1 - path));
	for (; *name != '\0'; name++)
		if (*name == '%')
			buf_adds(out, directory);
		else if (*name == '@')
			buf_add(out, base, strcspn(base, "."));
		else
			buf_addc(out, *name);
}

/* Reads what is no pipe, which would keep us waiting; false: there is none. */
static bool
read_file(const char *path, struct buf *out)
{
	struct err ignored = ERR_INIT;

	buf_reset(out);
	return zip_has(path) && gz_add_file(path, out, &ignored) == 0;
}

/* Appends a member of the object: the file's text. */
static void
put(const char *key, const struct buf *text, struct buf *out)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v;
	size_t len = text->len;
	const char *p = ascii_trim(text->data, &len);

	if (len > 0 && memchr(p, '\0', len) == NULL && utf8_valid(p, len)) {
		if (out->len == 0)
			json_open(out);
		if (json_parse(p, len, &a, &v, NULL) == 0)
			json_raw(out, key, p, len);
		else
			json_strn(out, key, p, len);
	}
}

void
beside_read(const char *map, const char *path, const char *directory, struct buf *out)
{
	char *names = json_plan_line(map, "# beside:"), *save = NULL;

	buf_reset(out);
	if (names == NULL)
		return;
	LOCAL(buf) name = buf_of(1u << 16);
	LOCAL(buf) text = buf_of(FILE_BYTES);
	for (char *w = strtok_r(names, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
		const char *base = path_base(w);

		place(w, path, directory, &name);
		if (!name.full && read_file(name.data, &text) && !text.full)
			put(base, &text, out);
	}
	if (out->len > 0)
		json_close(out);
	free(names);
}

/* Reads the first line of a file, an object, to its end. */
static const struct json *
first_line(const char *path, struct buf *text, struct arena *a)
{
	const struct json *v;
	const char *end;

	if (!read_file(path, text) || (end = memchr(text->data, '\n', text->len)) == NULL ||
	    json_parse(text->data, (size_t)(end - text->data), a, &v, NULL) != 0 ||
	    v->kind != JSON_OBJECT)
		return NULL;
	text->len = (size_t)(end - text->data);
	return v;
}

/* What the name of a file that is gone tells: "TIME_ID.jsonl", or the id itself. */
static void
put_gone(const char *base, struct buf *out)
{
	const char *id = strrchr(base, '_');

	id = id != NULL && id[1] != '\0' ? id + 1 : base;
	json_open(out);
	json_strn(out, "id", id, strcspn(id, "."));
	json_close(out);
}

void
beside_parents(const char *map, const char *path, struct buf *out)
{
	char *line = json_plan_line(map, "# parents:"), *key = line;
	LOCAL(arena) a = ARENA_INIT;

	buf_reset(out);
	if (line == NULL)
		return;
	key += strspn(key, " ");
	key[strcspn(key, " ")] = '\0';
	LOCAL(buf) text = buf_of(FILE_BYTES);
	LOCAL(buf) name = buf_of(1u << 16);
	LOCAL(buf) own = buf_of(1u << 16);
	buf_adds(&own, path);
	const struct json *head = first_line(path, &text, &a);
	for (int i = 0; i < PARENTS_MOST && head != NULL; i++) {
		const char *parent = json_get_string(head, key, NULL), *base;

		if (parent == NULL || *parent == '\0' || strlen(parent) >= 4096)
			break;
		parent = arena_strndup(&a, parent, strlen(parent));
		base = path_base(parent);
		buf_reset(&name);
		buf_adds(&name, parent);
		if ((head = first_line(parent, &text, &a)) == NULL) {
			/* the directory was moved, or is on another machine */
			place(base, own.data, "", &name);
			head = first_line(name.data, &text, &a);
		}
		buf_addc(out, out->len > 0 ? ',' : '[');
		if (head != NULL && json_get_string(head, "id", NULL) != NULL)
			buf_add(out, text.data, text.len);
		else
			put_gone(base, out);
		buf_reset(&own);
		buf_adds(&own, name.data);
	}
	if (out->len > 0)
		json_array_close(out);
	free(line);
}
