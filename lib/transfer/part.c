/*
 * part.c: the filter of an export, and its secrets.
 */
#include "transfer/export_parts.h"

#include "base/order.h"
#include "json/json.h"

static bool
is_given(const char *text)
{
	return text != NULL && *text != '\0';
}

bool
part_is(const struct export_options *o)
{
	const struct message_filter *f = &o->filter;

	return is_given(o->who.agent) || is_given(o->who.project) || is_given(o->who.session) ||
	    f->role >= 0 || f->said_by.names != NULL || f->since_us != TIME_NONE ||
	    f->until_us != TIME_NONE || f->min_trust > 0 || o->ids != NULL;
}

static bool
has_id(const struct export_options *o, const char *id)
{
	return o->ids == NULL ||
	    bsearch(&id, o->ids, o->n_ids, sizeof(*o->ids), by_text) != NULL;
}

bool
part_has(const struct export_options *o, const struct message *m)
{
	return has_id(o, m->id) || has_id(o, m->session);
}

bool
part_takes(const struct export_options *o, const struct fact *f)
{
	const struct message_filter *w = &o->filter;
	int64_t time_us = f->head.time_us;

	if (w->role >= 0 || w->said_by.names != NULL || f->head.trust < w->min_trust ||
	    !has_id(o, f->head.id))
		return false;
	if (is_given(o->who.session) && strcmp(o->who.session, f->head.session) != 0)
		return false;
	return (w->since_us == TIME_NONE || (time_us != TIME_NONE && time_us >= w->since_us)) &&
	    (w->until_us == TIME_NONE || (time_us != TIME_NONE && time_us < w->until_us));
}

const char *
redact_text(struct redactor *r, const char *text, size_t *len)
{
	if (text == NULL || !r->on)
		return text;
	size_t n = len != NULL ? *len : strlen(text);
	text = clean_secrets(&r->cleaner, text, &n, &r->arena);
	if (len == NULL)
		return arena_strndup(&r->arena, text, n);
	*len = n;
	return text;
}

const char *
redact_json(struct redactor *r, const char *text)
{
	struct err ignored = ERR_INIT;
	const struct json *v;

	if (!is_given(text) || !r->on)
		return text;
	if (json_parse(text, strlen(text), &r->arena, &v, &ignored) != 0)
		return "";
	buf_reset(&r->cleaner.json);
	clean_json(&r->cleaner, v, &r->arena);
	return arena_strndup(&r->arena, r->cleaner.json.data, r->cleaner.json.len);
}
