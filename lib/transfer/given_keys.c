/*
 * given_keys.c: values of keys, each checked as it is read.
 */
#include "transfer/given_keys.h"

#include "base/base64.h"
#include "base/conf.h"

int
given_not_a(struct err *err, const char *key, const char *what)
{
	return err_set(err, ERR_DATA, "\"%s\" is not %s", key, what);
}

int
given_text_of(const struct json *v, const char *key, const char **out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = "";
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_STRING)
		return given_not_a(err, key, "a string");
	*out = m->u.string;
	return 0;
}

int
given_some_text(const struct json *v, const char *key, const char **out, struct err *err)
{
	if (given_text_of(v, key, out, err) != 0)
		return -1;
	return **out != '\0' ? 0 : err_set(err, ERR_DATA, "no \"%s\"", key);
}

int
given_name_of(const struct json *v, const char *key, const char **out, struct err *err)
{
	if (given_text_of(v, key, out, err) != 0)
		return -1;
	return strlen(*out) <= conf_caps.id_bytes
	    ? 0
	    : err_set(err, ERR_DATA, "\"%s\" is over %zu bytes", key, conf_caps.id_bytes);
}

int
given_time_of(const struct json *v, const char *key, int64_t *us, struct err *err)
{
	const char *text;

	*us = TIME_NONE;
	if (given_text_of(v, key, &text, err) != 0)
		return -1;
	return *text == '\0' || time_parse(text, strlen(text), us, NULL) == 0
	    ? 0
	    : given_not_a(err, key, "a time");
}

int
given_some_time(const struct json *v, const char *key, int64_t *us, struct err *err)
{
	if (given_time_of(v, key, us, err) != 0)
		return -1;
	return *us != TIME_NONE ? 0 : err_set(err, ERR_DATA, "no \"%s\"", key);
}

int
given_int_of(const struct json *v, const char *key, int64_t low, int64_t high, int64_t otherwise,
	int64_t *out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = otherwise;
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_NUMBER || !(m->u.number >= (double)low && m->u.number <= (double)high))
		return given_not_a(err, key, "a number that it may be");
	*out = (int64_t)m->u.number;
	return 0;
}

int
given_share_of(const struct json *v, const char *key, double *out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = 0;
	if (m == NULL || m->kind != JSON_NUMBER || !(m->u.number >= 0 && m->u.number <= 1))
		return given_not_a(err, key, "a number from 0 to 1");
	*out = m->u.number;
	return 0;
}

int
given_word_of(const struct json *v, const char *key, int (*parse)(const char *), int *out,
	struct err *err)
{
	const char *text;

	if (given_some_text(v, key, &text, err) != 0)
		return -1;
	return (*out = parse(text)) >= 0 ? 0
					 : err_set(err, ERR_DATA, "unknown %s '%.100s'", key, text);
}

int
given_id_of(const struct json *v, const char *key, char out[ID_TEXT], struct err *err)
{
	uint8_t ulid[ID_BYTES];
	const char *text;

	if (given_some_text(v, key, &text, err) != 0)
		return -1;
	if (id_parse(text, strlen(text), ulid) != 0)
		return given_not_a(err, key, "an id");
	id_format(ulid, out);
	return 0;
}

int
given_maybe_id(const struct json *v, const char *key, char out[ID_TEXT], struct err *err)
{
	out[0] = '\0';
	return json_get(v, key) == NULL ? 0 : given_id_of(v, key, out, err);
}

/* 1 + the value of each digit; 0: it is none. */
static const uint8_t nibbles[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15,
	['f'] = 16
};

int
given_hex_of(const struct json *v, const char *key, uint8_t *out, size_t n, bool *has,
	struct err *err)
{
	const char *text;
	bool good = true;

	*has = json_get(v, key) != NULL;
	if (!*has)
		return 0;
	if (given_text_of(v, key, &text, err) != 0 || strlen(text) != 2 * n)
		return given_not_a(err, key, "so many hexadecimal digits");
	for (size_t i = 0; i < n; i++) {
		uint8_t high = nibbles[(uint8_t)text[2 * i]];
		uint8_t low = nibbles[(uint8_t)text[2 * i + 1]];

		good &= high > 0 && low > 0;
		out[i] = (uint8_t)((high - 1) * 16 + low - 1);
	}
	return good ? 0 : given_not_a(err, key, "hexadecimal digits");
}

int
given_json_of(const struct json *v, const char *key, int kind, struct arena *a, const char **out,
	struct err *err)
{
	const struct json *m = json_get(v, key);
	struct buf b;

	*out = "";
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (kind >= 0 && (int)m->kind != kind)
		return given_not_a(err, key, kind == JSON_ARRAY ? "an array" : "an object");
	buf_init(&b, conf_caps.output_bytes);
	json_write(&b, m);
	*out = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return 0;
}

static bool
is_one_of(const char *key, const char *const keys[])
{
	for (size_t i = 0; keys[i] != NULL; i++)
		if (keys[i][0] == key[0] && keys[i][1] == key[1] && strcmp(keys[i], key) == 0)
			return true;
	return false;
}

const char *
given_others(const struct json *v, const char *const ours[], struct arena *a)
{
	const char *text = "";
	struct buf b;
	size_t first = 0;

	while (first < v->len && is_one_of(v->u.members[first].key, ours))
		first++;
	if (first == v->len)
		return text;
	buf_init(&b, conf_caps.output_bytes);
	for (size_t i = first; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];

		if (is_one_of(m->key, ours))
			continue;
		buf_addc(&b, b.len == 0 ? '{' : ',');
		json_write_string(&b, m->key, m->key_len);
		buf_addc(&b, ':');
		json_write(&b, &m->value);
	}
	buf_addc(&b, '}');
	text = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return text;
}

int
given_content_of(const struct json *v, const char **content, size_t *len, struct err *err)
{
	const struct json *m = json_get(v, "content");

	if (m == NULL || m->kind != JSON_STRING)
		return err_set(err, ERR_DATA, "no \"content\" with a text");
	*content = m->u.string;
	*len = m->len;
	return 0;
}

int
given_bytes_of(const struct json *m, const char *key, struct arena *a, uint8_t **out, size_t *n,
	struct err *err)
{
	*n = 0;
	if (m == NULL)
		return 0;
	if (m->kind != JSON_STRING || (*n = base64_bytes(m->u.string, m->len)) == 0)
		return given_not_a(err, key, "bytes in base64");
	*out = arena_alloc(a, *n);
	return base64_decode(m->u.string, m->len, *out)
	    ? 0
	    : given_not_a(err, key, "bytes in base64");
}

int
given_sha256_of(const struct json *v, const char *key, uint8_t out[SHA256_BYTES], struct err *err)
{
	bool has;

	if (given_hex_of(v, key, out, SHA256_BYTES, &has, err) != 0)
		return -1;
	return has ? 0 : err_set(err, ERR_DATA, "no \"%s\"", key);
}
