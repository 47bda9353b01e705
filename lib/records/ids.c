/*
 * ids.c: reads ids from lines of the standard input.
 */
#include "records/ids.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "json/json.h"
#include "json/ndjson.h"

static int
id_of_record(const struct json *v, const char **out, size_t *len, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);
	const char *key = type != NULL && strcmp(type, "chunk") == 0 ? "message" : "id";
	const char *user = json_get_string(v, "user", NULL);

	if (v->kind == JSON_STRING) {
		*out = v->u.string;
		*len = v->len;
		return 0;
	}
	if (user != NULL && strcmp(user, conf_text("user")) != 0)
		return err_set(err, ERR_DATA, ERR_OTHER_USER, user, conf_text("user"));
	*out = json_get_string(v, key, len);
	if (*out == NULL)
		return err_set(err, ERR_DATA, "a record without '%s'", key);
	return 0;
}

int
id_of_line(const char *line, size_t len, struct arena *a, const char **out, struct err *err)
{
	const struct json *v;
	const char *id;

	while (len > 0 && strchr(" \t\r\n", line[len - 1]) != NULL && line[len - 1] != '\0')
		len--;
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	*out = NULL;
	if (len == 0)
		return 0;
	id = line;
	if (*line == '{' || *line == '"') {
		if (json_parse(line, len, a, &v, err) != 0 || id_of_record(v, &id, &len, err) != 0)
			return -1;
	}
	if (len == 0)
		return err_set(err, ERR_DATA, "an empty id");
	if (len > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "an id of %zu bytes", len);
	if (memchr(id, '\0', len) != NULL)
		return err_set(err, ERR_DATA, "an id with a NUL byte in it");
	*out = arena_strndup(a, id, len);
	return 0;
}

struct ids {
	struct arena *arena;
	const char **id;
	size_t n, cap;
};

static int
add_id_of_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct ids *ids = arg;
	const char *id;

	if (id_of_line(l->text, l->len, ids->arena, &id, err) != 0)
		return -1;
	if (id != NULL) {
		xgrow(&ids->id, &ids->cap, ids->n + 1, sizeof(*ids->id));
		ids->id[ids->n++] = id;
	}
	return 0;
}

int
ids_read(const char *path, struct arena *a, const char ***out, size_t *n, struct err *err)
{
	struct ids ids = { .arena = a };
	int rc = ndjson_each(path, &(struct ndjson_fn){ &ids, add_id_of_line, NULL, NULL }, err);

	*out = ids.id;
	*n = ids.n;
	return rc;
}
