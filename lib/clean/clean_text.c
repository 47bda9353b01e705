/*
 * clean_text.c: turns content of any shape (a string, or parts) into plain text, and cleans text.
 */
#include "base/ascii.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/span.h"
#include "clean/clean_text.h"
#include "clean/context_guard.h"
#include "clean/speaker.h"
#include "store/store.h"
#include "text/personal.h"
#include "text/secret_find.h"
#include "text/secrets.h"

void
cleaner_init(struct cleaner *c)
{
	buf_init(&c->text, conf_caps.output_bytes);
	buf_init(&c->clean, conf_caps.output_bytes);
	buf_init(&c->json, conf_caps.output_bytes);
	c->keep_secrets = c->cut = c->in_call = false;
	c->personal = personal_parse(conf_text("redact"));
	c->n_redacted = 0;
	memset(c->clean_ids, 0, sizeof(c->clean_ids));
}

void
cleaner_release(struct cleaner *c)
{
	buf_release(&c->text);
	buf_release(&c->clean);
	buf_release(&c->json);
}

const char *
cleaner_keep(struct cleaner *c, const struct buf *b, size_t *len, struct arena *a)
{
	c->cut |= b->full;
	*len = b->len;
	return arena_strndup(a, b->data, b->len);
}

const char *
clean_secrets(struct cleaner *c, const char *s, size_t *len, struct arena *a)
{
	unsigned n;

	if (memchr(s, '<', *len) != NULL && secrets_drop_private(s, *len, &c->clean) > 0)
		s = cleaner_keep(c, &c->clean, len, a);
	if (!c->keep_secrets && (n = secrets_redact(s, *len, &c->clean)) > 0) {
		c->n_redacted += n;
		s = cleaner_keep(c, &c->clean, len, a);
	}
	return s;
}

/* s [*len] without what else the setting redact names. */
static const char *
clean_personal(struct cleaner *c, const char *s, size_t *len, struct arena *a)
{
	unsigned n = c->personal != 0 ? personal_redact(s, *len, c->personal, &c->clean) : 0;

	c->n_redacted += n;
	return n > 0 ? cleaner_keep(c, &c->clean, len, a) : s;
}

const char *
clean_content(struct cleaner *c, const char *s, size_t *len, bool unwrap, struct arena *a)
{
	if (context_guard_strip(s, *len, &c->clean) > 0)
		s = cleaner_keep(c, &c->clean, len, a);
	if (unwrap && context_guard_unwrap(s, *len, &c->clean) > 0)
		s = cleaner_keep(c, &c->clean, len, a);
	return clean_personal(c, clean_secrets(c, s, len, a), len, a);
}

const char *
clean_typed(const char *text, size_t *len, bool keep_secrets, struct arena *a)
{
	LOCAL(cleaner) c = { 0 };

	cleaner_init(&c);
	c.keep_secrets = keep_secrets;
	text = clean_content(&c, text, len, false, a);
	text = ascii_trim(text, len);
	return arena_strndup(a, text, *len);
}

const char *
clean_outgoing(const char *text, size_t *len, struct arena *a)
{
	LOCAL(cleaner) c = { 0 };

	cleaner_init(&c);
	text = clean_personal(&c, clean_secrets(&c, text, len, a), len, a);
	if (*len > 0)
		return text;
	*len = strlen("[private]");
	return "[private]";
}

#define ID_HASH 4                          /* bytes of the hash that keeps redacted ids apart */

const char *
clean_id(struct cleaner *c, const char *id, struct arena *a)
{
	size_t len = strlen(id);
	uint64_t hash = hash64(id, len, 0), *known = &c->clean_ids[hash % CLEAN_IDS];
	uint8_t sum[SHA256_BYTES];
	char digits[2 * ID_HASH + 1];

	if (len == 0 || *known == hash)
		return id;
	const char *clean = clean_secrets(c, id, &len, a);
	if (clean == id) {
		*known = hash;
		return id;
	}
	sha256(id, strlen(id), sum);
	return arena_printf(a, "%.*s#%s", (int)len, clean, hex_format(sum, ID_HASH, digits));
}

const char *
clean_source(struct cleaner *c, const char *source, struct arena *a)
{
	static const char head[] = "source:";
	const char *id = source + sizeof(head) - 1, *clean;

	if (strncmp(source, head, sizeof(head) - 1) != 0)
		return source;
	clean = clean_id(c, id, a);
	return clean == id ? source : arena_printf(a, "%s%s", head, clean);
}

static void
clean_member(struct cleaner *c, const struct json_member *m, struct arena *a)
{
	size_t len = m->key_len;
	const char *key = clean_secrets(c, m->key, &len, a), *form = NULL;

	json_item(&c->json, key, len);
	buf_addc(&c->json, ':');
	if (!c->keep_secrets && m->value.kind == JSON_STRING)
		form = secret_named(m->key, m->key_len, m->value.u.string, m->value.len);
	if (form == NULL) {
		clean_json(c, &m->value, a);
		return;
	}
	c->n_redacted++;
	buf_addf(&c->json, "\"[REDACTED:%s]\"", form);
}

void
clean_json(struct cleaner *c, const struct json *v, struct arena *a)
{
	struct buf *b = &c->json;
	size_t len = v->len;
	const char *s;

	switch (v->kind) {
	case JSON_STRING:
		s = clean_secrets(c, v->u.string, &len, a);
		s = c->in_call ? clean_personal(c, s, &len, a) : s;
		json_write_string(b, s, len);
		break;
	case JSON_ARRAY:
		json_array_open(b, NULL);
		for (size_t i = 0; i < v->len; i++) {
			json_next(b);
			clean_json(c, &v->u.items[i], a);
		}
		json_array_close(b);
		break;
	case JSON_OBJECT:
		json_open(b);
		for (size_t i = 0; i < v->len; i++)
			clean_member(c, &v->u.members[i], a);
		json_close(b);
		break;
	default:
		json_write(b, v);
	}
}

const char *
clean_members(struct cleaner *c, const struct json *v, const bool *left, struct arena *a)
{
	struct buf *b = &c->json;
	size_t len;

	buf_reset(b);
	for (size_t i = 0; i < v->len; i++) {
		if (!left[i])
			continue;
		if (b->len == 0)
			json_open(b);
		clean_member(c, &v->u.members[i], a);
	}
	if (b->len == 0)
		return "";
	json_close(b);
	return cleaner_keep(c, b, &len, a);
}

const char *
clean_list(struct cleaner *c, const char *json, struct arena *a)
{
	const struct json *v;
	size_t len;

	if (json[0] == '\0' || json_parse(json, strlen(json), a, &v, NULL) != 0)
		return json;
	buf_reset(&c->json);
	clean_json(c, v, a);
	return cleaner_keep(c, &c->json, &len, a);
}

static void
add_paragraph(struct buf *b, const char *s, size_t len)
{
	if (len == 0)
		return;
	if (b->len > 0)
		buf_adds(b, "\n\n");
	buf_add(b, s, len);
}

/* Shows a part that is not text as "[image]" or "[image: NAME]": its type up to the first "_". */
static void
add_placeholder(struct buf *b, const struct json *part, const char *type)
{
	static const char *const names[] = { "name", "file_name", "filename", "title" };
	const char *name = NULL;
	size_t len = 0;

	for (size_t i = 0; i < NELEM(names) && name == NULL; i++)
		name = json_get_string(part, names[i], &len);
	type += strncmp(type, "input_", 6) == 0 ? 6 : 0;
	if (b->len > 0)
		buf_adds(b, "\n\n");
	buf_addf(b, "[%.*s", (int)MIN(strcspn(type, "_"), 32), type);
	if (name != NULL && len > 0) {
		buf_adds(b, ": ");
		buf_add(b, name, len);
	}
	buf_addc(b, ']');
}

static bool
is_call(const char *type)
{
	static const char *const names[] = { "tool-call", "tool_call", "toolCall", "function_call",
		NULL };

	return span_ends(type, strlen(type), "tool_use") || text_in(type, names);
}

static bool
is_result(const char *type)
{
	return span_ends(type, strlen(type), "tool_result") || strcmp(type, "tool-result") == 0;
}

/*
 * Whether a part adds nothing to the text: thoughts, marks of progress, and calls, which are stored
 * apart.
 */
static bool
is_silent(const char *type)
{
	static const char *const names[] = { "reasoning", "think", "step-start", "step-finish",
		NULL };

	return is_call(type) || span_ends(type, strlen(type), "thinking") ||
	    text_in(type, names);
}

/* The result of a call: words, parts, or other JSON. */
static const struct json *
result_of(const struct json *part)
{
	static const char *const keys[] = { "content", "output", "result", "run" };
	const struct json *v = NULL, *inner;

	for (size_t i = 0; i < NELEM(keys) && v == NULL; i++)
		v = json_get(part, keys[i]);
	if (v != NULL && v->kind == JSON_OBJECT &&
	    ((inner = json_get(v, "value")) != NULL || (inner = json_get(v, "result")) != NULL))
		v = inner;
	return v;
}

static void add_part(struct buf *b, const struct json *part);

static void
add_result(struct buf *b, const struct json *v)
{
	if (v->kind == JSON_ARRAY) {
		for (size_t i = 0; i < v->len; i++)
			add_part(b, &v->u.items[i]);
	} else if (v->kind == JSON_OBJECT && json_get(v, "type") == NULL &&
	    json_get(v, "text") == NULL) {
		buf_adds(b, b->len > 0 ? "\n\n" : "");
		json_write(b, v);
	} else {
		add_part(b, v);
	}
}

static void
add_part(struct buf *b, const struct json *part)
{
	const char *s, *type = json_get_string(part, "type", NULL);
	const struct json *inner;
	size_t len;

	if (part->kind == JSON_STRING) {
		add_paragraph(b, part->u.string, part->len);
	} else if (type != NULL && is_silent(type)) {
		return;
	} else if ((inner = json_get(part, "text")) != NULL &&
	    (s = json_get_string(inner, "value", &len)) != NULL) {
		add_paragraph(b, s, len);
	} else if ((s = json_get_string(part, "text", &len)) != NULL ||
	    (s = json_get_string(part, "refusal", &len)) != NULL) {
		add_paragraph(b, s, len);
	} else if (type != NULL && is_result(type) && (inner = result_of(part)) != NULL) {
		add_result(b, inner);
	/* a part of text that holds null says nothing */
	} else if (type != NULL && !span_ends(type, strlen(type), "text")) {
		add_placeholder(b, part, type);
	}
}

int
content_text(struct cleaner *c, const struct json *v, struct arena *a, const char **out,
	size_t *len)
{
	const struct json *parts = v;

	*out = "";
	*len = 0;
	if (v == NULL || v->kind == JSON_NULL)
		return 0;
	if (v->kind == JSON_STRING) {
		*out = v->u.string;
		*len = v->len;
		return 0;
	}
	if (v->kind == JSON_OBJECT && (parts = json_get(v, "parts")) == NULL)
		parts = json_get(v, "content");
	buf_reset(&c->text);
	if (parts != NULL && parts->kind == JSON_ARRAY)
		for (size_t i = 0; i < parts->len; i++)
			add_part(&c->text, &parts->u.items[i]);
	else if (v->kind == JSON_OBJECT && json_get_string(v, "text", NULL) != NULL)
		add_part(&c->text, v);
	else
		return -1;
	*out = cleaner_keep(c, &c->text, len, a);
	return 0;
}

bool
content_is_result(const struct json *content, const char **call_id)
{
	static const char *const ids[] = { "tool_use_id", "toolUseID", "tool_call_id",
		"toolCallId" };

	*call_id = "";
	if (content == NULL || content->kind != JSON_ARRAY || content->len == 0)
		return false;
	for (size_t i = 0; i < content->len; i++) {
		const char *type = json_get_string(&content->u.items[i], "type", NULL), *id;

		if (type == NULL || !is_result(type))
			return false;
		for (size_t k = 0; k < NELEM(ids) && (*call_id)[0] == '\0'; k++)
			if ((id = json_get_string(&content->u.items[i], ids[k], NULL)) != NULL)
				*call_id = id;
	}
	return true;
}

static void
clean_call(struct cleaner *c, const struct json *v, struct arena *a)
{
	c->in_call = true;
	clean_json(c, v, a);
	c->in_call = false;
}

const char *
content_calls(struct cleaner *c, const struct json *calls, const struct json *content,
	struct arena *a)
{
	size_t len;

	buf_reset(&c->json);
	if (calls != NULL && calls->kind >= JSON_STRING && calls->len > 0) {
		clean_call(c, calls, a);
		return cleaner_keep(c, &c->json, &len, a);
	}
	for (size_t i = 0; content != NULL && content->kind == JSON_ARRAY && i < content->len;
	     i++) {
		const struct json *part = &content->u.items[i];
		const char *type = json_get_string(part, "type", NULL);

		if (type == NULL || !is_call(type))
			continue;
		if (c->json.len == 0)
			json_array_open(&c->json, NULL);
		json_next(&c->json);
		clean_call(c, part, a);
	}
	if (c->json.len == 0)
		return "";
	json_array_close(&c->json);
	return cleaner_keep(c, &c->json, &len, a);
}

/* ---- paragraphs ---- */

size_t
paragraph_speaker(const char *text, size_t len, struct arena *a, const char **name)
{
	const char *colon = memchr(text, ':', MIN(len, SPEAKER_BYTES + 1));
	size_t n = colon != NULL ? (size_t)(colon - text) : 0;

	*name = "";
	if (n == 0 || n + 2 >= len || (colon[1] != ' ' && colon[1] != '\n'))
		return 0;
	char *lower = arena_strndup(a, text, n);
	for (size_t i = 0; i < n; i++)
		lower[i] = ascii_lower(lower[i]);
	if (role_parse(lower) != ROLE_OTHER)
		*name = lower;
	else if (!speaker_is_nobody(text, n) && speaker_is_name(text, n, SPEAKER_PARAGRAPH))
		*name = arena_strndup(a, text, n);
	return (*name)[0] != '\0' ? n + 2 : 0;
}
