/*
 * ids.c: what lines of the standard input name.
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

	if (v->kind == JSON_STRING) {
		*out = v->u.string;
		*len = v->len;
		return 0;
	}
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

int
ids_read(const char *path, struct arena *a, const char ***ids, size_t *n, struct err *err)
{
	struct ndjson *in = NULL;
	struct err why = ERR_INIT;
	const char *line, *id;
	size_t len, cap = 0;
	int got = 0, rc = ndjson_open(path, 0, &in, err);

	*ids = NULL;
	*n = 0;
	while (rc == 0 && (got = ndjson_next(in, &line, &len, err)) != NDJSON_END) {
		if (got < 0) {
			rc = -1;
		} else if (got == NDJSON_TOO_LONG || id_of_line(line, len, a, &id, &why) != 0) {
			rc = err_set(err, ERR_DATA, "%s:%llu: %s", ndjson_name(in), (unsigned long long)ndjson_line(in),
				     got == NDJSON_TOO_LONG ? "the line is too long" : why.msg);
		} else if (id != NULL) {
			xgrow(ids, &cap, *n + 1, sizeof(**ids));
			(*ids)[(*n)++] = id;
		}
	}
	ndjson_close(in);
	return rc;
}
