/*
 * json_schema.c: a table of keywords says what argument each takes and how it is checked. The walk
 * goes down schema and value together, and keeps the path to where it stands, so that a message can
 * name the place. The depth of JSON texts (CAP_DEPTH) bounds it.
 */
#include <math.h>

#include "base/utf8.h"
#include "json/json_schema.h"

#define PATH_BYTES 200
#define KEY_BYTES  40                          /* shown of a name in a message */

struct walk {
	char path[PATH_BYTES];
	size_t len;                        /* may exceed the size: what does not fit is not shown */
	const struct json *schema;         /* of the keyword at hand */
	struct err *err;
};

static void
path_add(struct walk *w, const char *piece, size_t len)
{
	if (w->len + len < PATH_BYTES) {
		memcpy(w->path + w->len, piece, len);
		w->path[w->len + len] = '\0';
	}
	w->len += len;
}

static void
path_key(struct walk *w, const char *key)
{
	path_add(w, ".", 1);
	path_add(w, key, utf8_clip(key, strlen(key), KEY_BYTES));
}

static void
path_index(struct walk *w, size_t i)
{
	char text[32];

	path_add(w, text, (size_t)snprintf(text, sizeof(text), "[%zu]", i));
}

static void
path_cut(struct walk *w, size_t len)
{
	w->len = len;
	w->path[MIN(len, strlen(w->path))] = '\0';
}

static int
misfit(const struct walk *w, const char *what)
{
	return err_set(w->err, ERR_DATA, "%s: %s", w->path, what);
}

static int check(struct walk *w, const struct json *schema, const struct json *v);

/* ---- the keywords ---- */

static bool
is_type(const struct json *v, const char *name)
{
	static const struct { const char *name; enum json_kind kind, also; } types[] = {
		{ "null", JSON_NULL, JSON_NULL }, { "boolean", JSON_TRUE, JSON_FALSE }, { "number", JSON_NUMBER, JSON_NUMBER },
		{ "string", JSON_STRING, JSON_STRING }, { "array", JSON_ARRAY, JSON_ARRAY }, { "object", JSON_OBJECT, JSON_OBJECT } };

	if (strcmp(name, "integer") == 0)
		return v->kind == JSON_NUMBER && v->u.number == floor(v->u.number);
	for (size_t i = 0; i < NELEM(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return v->kind == types[i].kind || v->kind == types[i].also;
	return false;
}

static int
check_type(struct walk *w, const struct json *arg, const struct json *v)
{
	char text[60];

	if (arg->kind == JSON_STRING) {
		if (is_type(v, arg->u.string))
			return 0;
		snprintf(text, sizeof(text), "is not of type %.20s", arg->u.string);
		return misfit(w, text);
	}
	for (size_t i = 0; i < arg->len; i++)
		if (is_type(v, arg->u.items[i].u.string))
			return 0;
	return misfit(w, "is of none of the types allowed");
}

static int
check_enum(struct walk *w, const struct json *arg, const struct json *v)
{
	for (size_t i = 0; i < arg->len; i++)
		if (json_same(&arg->u.items[i], v))
			return 0;
	return misfit(w, "is not one of the values allowed");
}

static int
check_const(struct walk *w, const struct json *arg, const struct json *v)
{
	return json_same(arg, v) ? 0 : misfit(w, "is not the value asked for");
}

static int
check_member(struct walk *w, const struct json *schema, const struct json_member *m)
{
	size_t len = w->len;

	path_key(w, m->key);
	int rc = check(w, schema, &m->value);
	path_cut(w, len);
	return rc;
}

static int
check_properties(struct walk *w, const struct json *arg, const struct json *v)
{
	for (size_t i = 0; v->kind == JSON_OBJECT && i < v->len; i++) {
		const struct json *sub = json_get(arg, v->u.members[i].key);
		if (sub != NULL && check_member(w, sub, &v->u.members[i]) < 0)
			return -1;
	}
	return 0;
}

static int
check_additional(struct walk *w, const struct json *arg, const struct json *v)
{
	const struct json *named = json_get(w->schema, "properties");

	for (size_t i = 0; v->kind == JSON_OBJECT && i < v->len; i++) {
		if (json_get(named, v->u.members[i].key) != NULL)
			continue;
		if (check_member(w, arg, &v->u.members[i]) < 0)
			return -1;
	}
	return 0;
}

static int
check_required(struct walk *w, const struct json *arg, const struct json *v)
{
	for (size_t i = 0; v->kind == JSON_OBJECT && i < arg->len; i++)
		if (json_get(v, arg->u.items[i].u.string) == NULL)
			return err_set(w->err, ERR_DATA, "%s: has no '%.40s'", w->path,
			    arg->u.items[i].u.string);
	return 0;
}

static int
check_items(struct walk *w, const struct json *arg, const struct json *v)
{
	size_t len = w->len;

	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++) {
		path_index(w, i);
		if (check(w, arg, &v->u.items[i]) < 0)
			return -1;
		path_cut(w, len);
	}
	return 0;
}

static int
check_any(struct walk *w, const struct json *arg, const struct json *v)
{
	struct err *err = w->err;
	size_t len = w->len;
	int rc = -1;

	w->err = NULL;
	for (size_t i = 0; i < arg->len && rc < 0; i++) {
		rc = check(w, &arg->u.items[i], v);
		path_cut(w, len);
	}
	w->err = err;
	return rc < 0 ? misfit(w, "fits none of the shapes allowed") : 0;
}

enum takes {
	TAKES_ANY,
	TAKES_NUMBER,
	TAKES_STRINGS,
	TAKES_TYPE,
	TAKES_VALUES,
	TAKES_SCHEMA,
	TAKES_SCHEMAS,
	TAKES_NAMED_SCHEMAS
};

#define KEY(name, takes, check) { name, takes, check, JSON_NULL, false, NULL }

static const struct keyword {
	const char *name;
	enum takes takes;
	/* NULL: the keyword demands nothing, or is a bound */
	int (*check)(struct walk *w, const struct json *arg, const struct json *v);
	/* of a bound: what has it, whether it is the least, and what is wrong with less or more */
	enum json_kind kind;
	bool least;
	const char *wrong;
} keywords[] = {
	KEY("type", TAKES_TYPE, check_type), KEY("enum", TAKES_VALUES, check_enum),
	KEY("const", TAKES_ANY, check_const), KEY("required", TAKES_STRINGS, check_required),
	KEY("properties", TAKES_NAMED_SCHEMAS, check_properties),
	KEY("additionalProperties", TAKES_SCHEMA, check_additional),
	KEY("items", TAKES_SCHEMA, check_items), KEY("anyOf", TAKES_SCHEMAS, check_any),
	{ "minimum", TAKES_NUMBER, NULL, JSON_NUMBER, true, "is too small" },
	{ "maximum", TAKES_NUMBER, NULL, JSON_NUMBER, false, "is too large" },
	{ "minLength", TAKES_NUMBER, NULL, JSON_STRING, true, "is too short" },
	{ "maxLength", TAKES_NUMBER, NULL, JSON_STRING, false, "is too long" },
	{ "minItems", TAKES_NUMBER, NULL, JSON_ARRAY, true, "has too few items" },
	{ "maxItems", TAKES_NUMBER, NULL, JSON_ARRAY, false, "has too many items" },
	KEY("$schema", TAKES_ANY, NULL), KEY("$id", TAKES_ANY, NULL),
	KEY("$comment", TAKES_ANY, NULL), KEY("title", TAKES_ANY, NULL),
	KEY("description", TAKES_ANY, NULL), KEY("default", TAKES_ANY, NULL),
	KEY("examples", TAKES_ANY, NULL), KEY("format", TAKES_ANY, NULL),
};

static const struct keyword *
keyword_find(const char *name)
{
	for (size_t i = 0; i < NELEM(keywords); i++)
		if (strcmp(keywords[i].name, name) == 0)
			return &keywords[i];
	return NULL;
}

static int
check_bound(struct walk *w, const struct keyword *k, const struct json *arg, const struct json *v)
{
	if (v->kind != k->kind)
		return 0;
	double x = k->kind == JSON_NUMBER ? v->u.number
	    : k->kind == JSON_STRING	  ? (double)utf8_count(v->u.string, v->len)
					  : (double)v->len;
	return (k->least ? x >= arg->u.number : x <= arg->u.number) ? 0 : misfit(w, k->wrong);
}

static int
check(struct walk *w, const struct json *schema, const struct json *v)
{
	if (schema->kind == JSON_TRUE)
		return 0;
	if (schema->kind == JSON_FALSE)
		return misfit(w, "was not asked for");
	for (size_t i = 0; i < schema->len; i++) {
		const struct keyword *k = keyword_find(schema->u.members[i].key);
		const struct json *arg = &schema->u.members[i].value;

		w->schema = schema;
		if (k != NULL && ((k->check != NULL && k->check(w, arg, v) < 0) ||
		    (k->wrong != NULL && check_bound(w, k, arg, v) < 0)))
			return -1;
	}
	return 0;
}

int
json_schema_check(const struct json *schema, const struct json *value, struct err *err)
{
	struct walk w = { .path = "$", .len = 1, .err = err };

	return check(&w, schema, value);
}

/* ---- is it a schema? ---- */

static int known(struct walk *w, const struct json *schema);

static bool
all_strings(const struct json *v)
{
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++)
		if (v->u.items[i].kind != JSON_STRING)
			return false;
	return v->kind == JSON_ARRAY;
}

/* Checks the schemas inside an argument; -1 also when the argument has the wrong kind. */
static int
known_argument(struct walk *w, const struct keyword *k, const struct json *arg)
{
	size_t len = w->len;
	bool fits = true;

	switch (k->takes) {
	case TAKES_NUMBER:
		fits = arg->kind == JSON_NUMBER;
		break;
	case TAKES_STRINGS:
		fits = all_strings(arg);
		break;
	case TAKES_TYPE:
		fits = arg->kind == JSON_STRING || all_strings(arg);
		break;
	case TAKES_VALUES:
		fits = arg->kind == JSON_ARRAY;
		break;
	case TAKES_SCHEMA:
		return known(w, arg);
	case TAKES_SCHEMAS:
		fits = arg->kind == JSON_ARRAY;
		for (size_t i = 0; fits && i < arg->len; i++) {
			path_index(w, i);
			if (known(w, &arg->u.items[i]) < 0)
				return -1;
			path_cut(w, len);
		}
		break;
	case TAKES_NAMED_SCHEMAS:
		fits = arg->kind == JSON_OBJECT;
		for (size_t i = 0; fits && i < arg->len; i++) {
			path_key(w, arg->u.members[i].key);
			if (known(w, &arg->u.members[i].value) < 0)
				return -1;
			path_cut(w, len);
		}
		break;
	case TAKES_ANY:
		break;
	}
	return fits
	    ? 0
	    : err_set(w->err, ERR_CONFIG, "schema: %s: not what this keyword takes", w->path);
}

static int
known(struct walk *w, const struct json *schema)
{
	size_t len = w->len;

	if (schema->kind == JSON_TRUE || schema->kind == JSON_FALSE)
		return 0;
	if (schema->kind != JSON_OBJECT)
		return err_set(w->err, ERR_CONFIG, "schema: %s: is no schema", w->path);
	for (size_t i = 0; i < schema->len; i++) {
		const char *name = schema->u.members[i].key;
		const struct keyword *k = keyword_find(name);
		if (k == NULL)
			return err_set(w->err, ERR_CONFIG, "schema: %s: unknown keyword '%.40s'",
			    w->path, name);
		path_key(w, name);
		if (known_argument(w, k, &schema->u.members[i].value) < 0)
			return -1;
		path_cut(w, len);
	}
	return 0;
}

int
json_schema_known(const struct json *schema, struct err *err)
{
	struct walk w = { .path = "$", .len = 1, .err = err };

	return known(&w, schema);
}
