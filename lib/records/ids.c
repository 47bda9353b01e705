/*
 * ids.c: reads ids from lines of the standard input.
 */
#include "records/ids.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/id.h"
#include "json/json.h"
#include "json/ndjson.h"
#include "store/records.h"

/* Where a record has the ids that it is about, if that is not its key "id". */
static const struct of_type { const char *type, *key, *list, *otherwise; } of_types[] = {
	{ "session", "id", NULL, "session" },
	{ "chunk", "message", NULL, "id" },
	/* a duplicate, which was not stored, has no "id", and a session that goes only its name */
	{ "verdict", "of", NULL, "session" },
	{ "step", "step", NULL, "id" },
	{ "context", NULL, "items", NULL },
	{ "finding", NULL, "records", NULL },
	{ "hook", NULL, "given", NULL },
	{ "resume", "session", NULL, "id" },
	{ "digest", "id", NULL, "session" },
};

struct ids {
	struct arena *arena;
	struct id_given *id;
	size_t n, cap;
};

static int
add_id(struct ids *ids, const char *id, size_t len, bool of_session, struct err *err)
{
	if (len == 0)
		return err_set(err, ERR_DATA, "an empty id");
	if (len > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "an id of %zu bytes", len);
	if (memchr(id, '\0', len) != NULL)
		return err_set(err, ERR_DATA, "an id with a NUL byte in it");
	*xpush(ids->id, ids->n, ids->cap) =
	    (struct id_given){ arena_strndup(ids->arena, id, len), of_session };
	return 0;
}

static int
add_key(struct ids *ids, const struct json *v, const char *key, bool of_session, struct err *err)
{
	const char *form = json_get_string(v, "form", NULL), *id;
	const struct json *number = json_get(v, key);
	char text[24];
	size_t len;

	if (form != NULL && strcmp(form, "mem") != 0)
		return err_set(err, ERR_DATA,
		    "it is about a memory of the form '%.40s', which this store does not have",
		    form);
	if (number != NULL && number->kind == JSON_NUMBER) {
		len = (size_t)snprintf(text, sizeof(text), "%.0f", number->u.number);
		return add_id(ids, text, len, of_session, err);
	}
	if ((id = json_get_string(v, key, &len)) == NULL)
		return err_set(err, ERR_DATA, "a record without '%s'", key);
	return add_id(ids, id, len, of_session, err);
}

static int
add_ids_of_record(struct ids *ids, const struct json *v, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL),
		   *user = json_get_string(v, "user", NULL);
	struct of_type of = { "", "id", NULL, NULL };
	int rc = 0;

	if (v->kind == JSON_STRING)
		return add_id(ids, v->u.string, v->len, false, err);
	if (user != NULL && strcmp(user, conf_text("user")) != 0)
		return err_set(err, ERR_DATA, ERR_OTHER_USER, user, conf_text("user"));
	for (size_t i = 0; i < NELEM(of_types) && type != NULL; i++)
		if (strcmp(of_types[i].type, type) == 0)
			of = of_types[i];
	if (ndjson_is_end(v))
		return 0;
	if (of.list == NULL && json_get(v, of.key) == NULL)
		of.key = json_get(v, "id") == NULL && *of.type != '\0' ? of.otherwise : "id";
	if (of.list == NULL)
		return add_key(ids, v, of.key, strcmp(of.key, "session") == 0 ||
		    strcmp(of.type, "session") == 0, err);
	const struct json *list = json_get(v, of.list);
	if (list == NULL || list->kind != JSON_ARRAY)
		return 0;
	/* a summary that an agent was told need not be stored */
	for (size_t i = 0; i < list->len && rc == 0; i++)
		if (strcmp(of.type, "hook") != 0 || json_get(&list->u.items[i], "id") != NULL)
			rc = add_key(ids, &list->u.items[i], "id", false, err);
	return rc;
}

/* Adds the ids that a line holds. */
static int
add_ids(struct ids *ids, const char *line, size_t len, struct err *err)
{
	const struct json *v;

	while (len > 0 && strchr(" \t\r\n", line[len - 1]) != NULL && line[len - 1] != '\0')
		len--;
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	if (len == 0)
		return 0;
	if (*line != '{' && *line != '"')
		return add_id(ids, line, len, false, err);
	return json_parse(line, len, ids->arena, &v, err) != 0 ? -1
								: add_ids_of_record(ids, v, err);
}

int
ids_of_line(const char *line, size_t len, struct arena *a, struct id_given **out, size_t *n,
	struct err *err)
{
	struct ids ids = { .arena = a };
	int rc = add_ids(&ids, line, len, err);

	*out = ids.id;
	*n = ids.n;
	return rc;
}

static int
add_ids_of_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	return add_ids(arg, l->text, l->len, err);
}

int
ids_read(const char *path, struct arena *a, struct id_given **out, size_t *n, struct err *err)
{
	struct ids ids = { .arena = a };
	int rc = ndjson_each(path, &(struct ndjson_fn){ &ids, add_ids_of_line, NULL, NULL }, err);

	*out = ids.id;
	*n = ids.n;
	return rc;
}

int
ids_given(char **args, int n_args, struct arena *a, struct id_given **ids, size_t *n,
	struct err *err)
{
	if (n_args == 1 && strcmp(args[0], "-") == 0)
		return ids_read("-", a, ids, n, err);
	*n = (size_t)n_args;
	*ids = xreallocarray(NULL, *n + 1, sizeof(**ids));
	for (size_t i = 0; i < *n; i++)
		(*ids)[i] = (struct id_given){ args[i], false };
	return 0;
}

bool
id_is_whole(const char *text)
{
	uint8_t bytes[ID_BYTES];
	size_t len = strlen(text);

	return (len == ID_TEXT - 1 && id_parse(text, len, bytes) == 0) ||
	    strncmp(text, "source:", 7) == 0;
}

int
ids_find(struct store *s, const struct scope *who, struct id_given id, struct arena *a,
	struct id_found *out, struct err *err)
{
	const struct scope all = { .user = who->user };
	const struct message *m = NULL;
	const struct fact *f = NULL;
	const struct session *v = NULL;
	bool later = !id.of_session && id_is_whole(id.text);

	if (!later && sessions_find(s, &all, id.text, a, &v, err) != 0)
		return -1;
	if (v == NULL && !id.of_session &&
	    (messages_find(s, &all, id.text, a, &m, err) != 0 ||
		(m == NULL && records_find(s, &all, id.text, a, &f, err) != 0) ||
		(later && m == NULL && f == NULL &&
		    sessions_find(s, &all, id.text, a, &v, err) != 0)))
		return -1;
	*out = m != NULL ? (struct id_found){ m->id, m->session }
	    : f != NULL	 ? (struct id_found){ f->head.id, f->head.session }
	    : v != NULL	 ? (struct id_found){ v->id, v->id }
			 : (struct id_found){ NULL, "" };
	return 0;
}
