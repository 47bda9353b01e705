/*
 * fields.c: one walk over the table a direction, and in it one case a kind.
 */
#include "records/fields.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/order.h"

const char **
field_text(const struct field *f, void *in)
{
	bool is = f->kind == FIELD_TEXT || f->kind == FIELD_NAME || f->kind == FIELD_RECORD ||
	    f->kind == FIELD_JSON || f->kind == FIELD_LIST || f->kind == FIELD_OBJECT;

	return is ? (const char **)(void *)((char *)in + f->at) : NULL;
}

/* ---- writing ---- */

static bool
is_shown(const struct field *f, bool none)
{
	return !none || (f->how & FIELD_SHOWN) != 0;
}

static void
write_number(struct buf *out, const struct field *f, int64_t v)
{
	if (is_shown(f, v == f->other))
		json_int(out, f->key, v);
}

static void
write_text(struct buf *out, const struct field *f, const char *s)
{
	if (s == NULL || !is_shown(f, *s == '\0'))
		return;
	if (f->kind == FIELD_JSON || f->kind == FIELD_LIST || f->kind == FIELD_OBJECT)
		json_raw(out, f->key, s, strlen(s));
	else
		json_str(out, f->key, s);
}

static void
write_field(struct buf *out, const struct field *f, const void *at)
{
	char hex[SHA256_TEXT];

	switch (f->kind) {
	case FIELD_ID:
		write_text(out, f, at);
		break;
	case FIELD_CONTENT:
		json_strn(out, f->key, *(const char *const *)at,
		    *(const size_t *)(const void *)((const char *const *)at + 1));
		break;
	case FIELD_TIME:
		if (is_shown(f, *(const int64_t *)at == TIME_NONE))
			json_time(out, f->key, *(const int64_t *)at);
		break;
	case FIELD_INT:
		write_number(out, f, *(const int64_t *)at);
		break;
	case FIELD_INT32:
		write_number(out, f, *(const int *)at);
		break;
	case FIELD_SHARE:
		json_num(out, f->key, *(const double *)at);
		break;
	case FIELD_WORD:
		write_text(out, f, f->names[*(const int *)at]);
		break;
	case FIELD_FLAG:
		if (*(const bool *)at)
			json_bool(out, f->key, true);
		break;
	case FIELD_BYTES:
		json_str(out, f->key, hex_format(at, (size_t)f->high, hex));
		break;
	default:
		write_text(out, f, *(const char *const *)at);
	}
}

void
fields_write(struct buf *out, const struct field *table, const char *user, const void *from)
{
	bool stored = true;

	for (const struct field *f = table; f->key != NULL; f++) {
		const char *at = (const char *)from + f->at;

		if (f->kind == FIELD_USER)
			json_str(out, f->key, user);
		else if (stored || (f->how & FIELD_STORED) == 0)
			write_field(out, f, at);
		if (f->kind == FIELD_ID && f == table)
			stored = *at != '\0';
	}
}

/* ---- reading ---- */

int
field_not_a(struct err *err, const char *key, const char *what)
{
	return err_set(err, ERR_DATA, "\"%s\" is not %s", key, what);
}

static int
read_text(const struct json *m, const struct field *f, const char **out, struct err *err)
{
	*out = "";
	if (m != NULL && m->kind != JSON_NULL) {
		if (m->kind != JSON_STRING)
			return field_not_a(err, f->key, "a string");
		*out = m->u.string;
	}
	if (**out == '\0' && (f->how & FIELD_MUST) != 0)
		return err_set(err, ERR_DATA, "no \"%s\"", f->key);
	if (f->kind == FIELD_NAME && strlen(*out) > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "\"%s\" is over %zu bytes", f->key,
		    conf_caps.id_bytes);
	return 0;
}

static int
read_content(const struct json *m, const struct field *f, const char **out, struct err *err)
{
	if (m == NULL || m->kind != JSON_STRING)
		return err_set(err, ERR_DATA, "no \"%s\" with a text", f->key);
	*out = m->u.string;
	*(size_t *)(void *)(out + 1) = m->len;
	return 0;
}

/* An id that is there has to be one. */
static int
read_id(const struct json *m, const struct field *f, char out[ID_TEXT], struct err *err)
{
	struct field there = *f;
	uint8_t ulid[ID_BYTES];
	const char *text;

	out[0] = '\0';
	if (m == NULL && (f->how & FIELD_MUST) == 0)
		return 0;
	there.how = FIELD_MUST;
	if (read_text(m, &there, &text, err) != 0)
		return -1;
	if (id_parse(text, strlen(text), ulid) != 0)
		return field_not_a(err, f->key, "an id");
	id_format(ulid, out);
	return 0;
}

static int
read_time(const struct json *m, const struct field *f, int64_t *us, struct err *err)
{
	const char *text;

	*us = TIME_NONE;
	if (read_text(m, f, &text, err) != 0)
		return -1;
	return *text == '\0' || time_parse(text, strlen(text), us, NULL) == 0
	    ? 0
	    : field_not_a(err, f->key, "a time");
}

static int
read_number(const struct json *m, const struct field *f, int64_t *out, struct err *err)
{
	*out = f->other;
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_NUMBER ||
	    !(m->u.number >= (double)f->low && m->u.number <= (double)f->high))
		return field_not_a(err, f->key, "a number that it may be");
	*out = (int64_t)m->u.number;
	return 0;
}

static int
read_share(const struct json *m, const struct field *f, double *out, struct err *err)
{
	*out = 0;
	if (m == NULL || m->kind != JSON_NUMBER || !(m->u.number >= 0 && m->u.number <= 1))
		return field_not_a(err, f->key, "a number from 0 to 1");
	*out = m->u.number;
	return 0;
}

static int
read_word(const struct json *m, const struct field *f, int *out, struct err *err)
{
	const char *text;

	if (read_text(m, f, &text, err) != 0)
		return -1;
	*out = text_index(text, f->names, (size_t)f->high);
	return *out >= 0 ? 0 : err_set(err, ERR_DATA, "unknown %s '%.100s'", f->key, text);
}

static int
read_json(const struct json *m, const struct field *f, struct arena *a, const char **out,
	struct err *err)
{
	*out = "";
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (f->kind == FIELD_LIST && m->kind != JSON_ARRAY)
		return field_not_a(err, f->key, "an array");
	if (f->kind == FIELD_OBJECT && m->kind != JSON_OBJECT)
		return field_not_a(err, f->key, "an object");
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	json_write(&b, m);
	*out = arena_strndup(a, b.data, b.len);
	return 0;
}

static int
read_bytes(const struct json *m, const struct field *f, uint8_t *out, struct err *err)
{
	size_t n = (size_t)f->high;
	const char *text = NULL;
	bool good = true;

	if (m == NULL)
		return (f->how & FIELD_MUST) != 0 ? err_set(err, ERR_DATA, "no \"%s\"", f->key) : 0;
	if (read_text(m, &(struct field){ .key = f->key }, &text, err) != 0 ||
	    strlen(text) != 2 * n)
		return field_not_a(err, f->key, "so many hexadecimal digits");
	for (size_t i = 0; i < n; i++) {
		int high = ascii_hex(text[2 * i]), low = ascii_hex(text[2 * i + 1]);

		good &= high >= 0 && low >= 0 && !ascii_is_upper(text[2 * i]) &&
		    !ascii_is_upper(text[2 * i + 1]);
		out[i] = (uint8_t)(high * 16 + low);
	}
	return good ? 0 : field_not_a(err, f->key, "hexadecimal digits");
}

static int
read_field(const struct json *m, const struct field *f, void *at, struct arena *a, struct err *err)
{
	char id[ID_TEXT];
	int64_t number;

	switch (f->kind) {
	case FIELD_TEXT:
	case FIELD_NAME:
		return read_text(m, f, at, err);
	case FIELD_CONTENT:
		return read_content(m, f, at, err);
	case FIELD_ID:
		return read_id(m, f, at, err);
	case FIELD_RECORD:
		if (read_id(m, f, id, err) != 0)
			return -1;
		*(const char **)at = arena_strdup(a, id);
		return 0;
	case FIELD_TIME:
		return read_time(m, f, at, err);
	case FIELD_INT:
		return read_number(m, f, at, err);
	case FIELD_INT32:
		if (read_number(m, f, &number, err) != 0)
			return -1;
		*(int *)at = (int)number;
		return 0;
	case FIELD_SHARE:
		return read_share(m, f, at, err);
	case FIELD_WORD:
		return read_word(m, f, at, err);
	case FIELD_FLAG:
		*(bool *)at = m != NULL && m->kind == JSON_TRUE;
		return 0;
	case FIELD_JSON:
	case FIELD_LIST:
	case FIELD_OBJECT:
		return read_json(m, f, a, at, err);
	case FIELD_BYTES:
		return read_bytes(m, f, at, err);
	default:
		return 0;
	}
}

int
fields_read(const struct json *v, const struct field *table, void *to, struct arena *a,
	struct err *err)
{
	for (const struct field *f = table; f->key != NULL; f++)
		if (f->kind != FIELD_USER && (f->how & FIELD_OUT) == 0 &&
		    read_field(json_get(v, f->key), f, (char *)to + f->at, a, err) != 0)
			return -1;
	return 0;
}

static bool
is_ours(const char *key, const struct field *const *tables, const char *const *more)
{
	for (; *tables != NULL; tables++)
		for (const struct field *f = *tables; f->key != NULL; f++)
			if (f->key[0] == key[0] && strcmp(f->key, key) == 0)
				return true;
	for (; *more != NULL; more++)
		if ((*more)[0] == key[0] && strcmp(*more, key) == 0)
			return true;
	return false;
}

const char *
fields_others(const struct json *v, const struct field *const *tables, const char *const *more,
	struct arena *a)
{
	LOCAL(buf) b = { .len = 0 };

	for (size_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];

		if (is_ours(m->key, tables, more))
			continue;
		if (b.len == 0) {
			buf_init(&b, conf_caps.output_bytes);
			json_open(&b);
		}
		json_key(&b, m->key);
		json_write(&b, &m->value);
	}
	if (b.len == 0)
		return "";
	json_close(&b);
	return arena_strndup(a, b.data, b.len);
}
