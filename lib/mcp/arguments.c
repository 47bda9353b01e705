/*
 * arguments.c: clients and their models write null, or nothing, for an argument that may be
 * missing, and a number or a list as text. What is meant is certain then, so it is taken. Only the
 * top of a schema is looked at: no tool has more.
 */
#include <strings.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "json/json_schema.h"
#include "mcp/mcp_parts.h"

#define NAME_BYTES 40                      /* shown of a name that is not known */

const struct json *
mcp_get(const struct json *v, const char *key)
{
	const struct json *got = json_get(v, key);

	return got != NULL && got->kind != JSON_NULL ? got : NULL;
}

static struct json
text_value(const char *s, size_t len, struct arena *a)
{
	return (struct json){ .kind = JSON_STRING,
		.len = len,
		.u.string = arena_strndup(a, s, len) };
}

/* Whether items of a list may be of any length: sentences, in which a comma parts nothing. */
static bool
are_sentences(const struct json *schema)
{
	return json_get(json_get(schema, "items"), "maxLength") == NULL;
}

/* The items of "a, b"; no piece may have a blank inside, or the whole is one item. */
static struct json
split(const char *s, size_t len, bool whole, struct arena *a)
{
	struct json *items = arena_zalloc(a, (len + 1) * sizeof(*items));
	struct json out = { .kind = JSON_ARRAY, .u.items = items };

	for (const char *p = s, *end = s + len; !whole && p <= end;) {
		const char *comma = memchr(p, ',', (size_t)(end - p)), *piece = p;
		size_t n = (size_t)((comma != NULL ? comma : end) - p);

		p += n + 1;
		piece = ascii_trim(piece, &n);
		for (size_t i = 0; i < n; i++)
			whole |= ascii_is_space(piece[i]);
		if (n > 0)
			items[out.len++] = text_value(piece, n, a);
	}
	if (whole || out.len == 0) {
		items[0] = text_value(s, len, a);
		out.len = 1;
	}
	return out;
}

/* What a text stands for where the schema wants another type; false: nothing that is certain. */
static bool
read_text(const struct json *v, const char *type, const struct json *schema, struct arena *a,
	struct json *out)
{
	const char *s = v->u.string;
	size_t len = v->len;
	const struct json *in;
	bool list = strcmp(type, "array") == 0;

	s = ascii_trim(s, &len);
	if (json_parse(s, len, a, &in, NULL) == 0 && (list ? in->kind == JSON_ARRAY
		: strcmp(type, "boolean") == 0 ? in->kind == JSON_TRUE || in->kind == JSON_FALSE
		: in->kind == JSON_NUMBER)) {
		*out = *in;
		return true;
	}
	if (list)
		*out = split(s, len, are_sentences(schema), a);
	else if (len == 4 && strncasecmp(s, "true", 4) == 0)
		out->kind = JSON_TRUE;
	else if (len == 5 && strncasecmp(s, "false", 5) == 0)
		out->kind = JSON_FALSE;
	else
		return false;
	return true;
}

/* Sets *out to what v means for the schema of an argument: v itself where nothing is to be done. */
static void
read_value(const struct json *v, const struct json *schema, struct arena *a, struct json *out)
{
	const char *type = json_get_string(schema, "type", NULL);
	bool text = type == NULL || strcmp(type, "string") == 0;       /* or one of an enum */

	*out = *v;
	if (v->kind == JSON_STRING && !text) {
		if (!read_text(v, type, schema, a, out))
			*out = *v;
	} else if (v->kind == JSON_ARRAY && v->len == 1 && text) {
		*out = v->u.items[0];
	} else if (v->kind == JSON_NUMBER && text) {
		LOCAL(buf) b = buf_of(100);
		json_write_number(&b, v->u.number);
		*out = text_value(b.data, b.len, a);
	}
}

static int
set_unknown(const struct json_member *m, const struct json *known, struct err *err)
{
	LOCAL(buf) names = buf_of(sizeof(err->msg) / 2);

	for (size_t i = 0; i < known->len; i++)
		buf_addf(&names, "%s%s", i > 0 ? ", " : "", known->u.members[i].key);
	return err_set(err, ERR_DATA, "unknown argument '%.*s': known are %s",
	    (int)utf8_clip(m->key, m->key_len, NAME_BYTES), m->key, names.data);
}

static bool
is_required(const struct json *schema, const char *key)
{
	const struct json *list = json_get(schema, "required");

	for (size_t i = 0; list != NULL && i < list->len; i++)
		if (strcmp(list->u.items[i].u.string, key) == 0)
			return true;
	return false;
}

int
mcp_arguments(const struct json *schema, const struct json *args, struct arena *a,
	const struct json **out, struct err *err)
{
	const struct json *known = json_get(schema, "properties");
	struct json_member *members = arena_alloc(a, (args->len + 1) * sizeof(*members));
	struct json *fit = arena_zalloc(a, sizeof(*fit));

	*fit = (struct json){ .kind = JSON_OBJECT, .u.members = members };
	for (size_t i = 0; i < args->len; i++) {
		const struct json_member *m = &args->u.members[i];
		const struct json *of = json_get(known, m->key);
		struct json_member *to = &members[fit->len];

		if (of == NULL)
			return set_unknown(m, known, err);
		*to = *m;
		read_value(&m->value, of, a, &to->value);
		if (is_required(schema, m->key) || (to->value.kind != JSON_NULL &&
		    (to->value.kind != JSON_STRING || to->value.len > 0)))
			fit->len++;
	}
	*out = fit;
	return json_schema_check(schema, fit, err);
}
