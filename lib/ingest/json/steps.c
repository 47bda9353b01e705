#include "ingest/json/steps.h"
#include "json/json.h"

/* Makes sure that there is a byte to look at. 1; 0: the text has ended; -1. */
static int
look(struct json_steps *s, struct err *err)
{
	if (s->n > 0)
		return 1;
	if (s->at >= s->end)
		return 0;
	if (long_text_at(s->t, s->at, &s->p, &s->n, err) != 0)
		return -1;
	s->n = (size_t)MIN(s->n, s->end - s->at);
	return 1;
}

static void
advance(struct json_steps *s, size_t n)
{
	s->p += n;
	s->n -= n;
	s->at += n;
}

static int
no_json(struct err *err)
{
	return err_set(err, ERR_DATA, "invalid JSON");
}

/* The next byte that is no white space and no comma, not consumed; 0: the text has ended; -1. */
static int
next_byte(struct json_steps *s, struct err *err)
{
	int got;

	while ((got = look(s, err)) > 0) {
		if (strchr(" \t\r\n,", *s->p) == NULL || *s->p == '\0')
			return (unsigned char)*s->p;
		advance(s, 1);
	}
	return got;
}

/*
 * Steps over a string, whose bytes between the quotes are put into key, if there is one, or over an
 * object or an array.
 */
static int
skip_quoted(struct json_steps *s, char *key, struct err *err)
{
	struct json_scan scan = { .depth = 0 };
	uint64_t start = s->at;
	bool ended = false;
	size_t len = 0, n, k;
	int got;

	while (!ended && (got = look(s, err)) > 0) {
		n = json_scan(&scan, s->p, s->n, &ended);
		for (k = s->at == start; key != NULL && k < n && len < JSON_STEPS_KEY; k++)
			key[len++] = s->p[k];
		advance(s, n);
	}
	if (!ended)
		return got < 0 ? -1 : no_json(err);
	if (key != NULL)
		key[len < JSON_STEPS_KEY ? len - 1 : 0] = '\0';
	return 0;
}

static int
skip_word(struct json_steps *s, struct err *err)
{
	int got;

	while ((got = look(s, err)) > 0 && strchr(" \t\r\n,]}", *s->p) == NULL)
		advance(s, 1);
	return got < 0 ? -1 : 0;
}

static int
skip_value(struct json_steps *s, struct err *err)
{
	int c = next_byte(s, err), rc;

	if (c <= 0 || c == ']' || c == '}')
		return c < 0 ? -1 : no_json(err);
	s->value.start = s->at;
	rc = c == '"' || c == '{' || c == '[' ? skip_quoted(s, NULL, err) : skip_word(s, err);
	s->value.end = s->at;
	return rc;
}

int
json_steps_begin(struct json_steps *s, struct long_text *t, struct json_span span, struct err *err)
{
	*s = (struct json_steps){ .t = t, .at = span.start, .end = span.end };
	int c = next_byte(s, err);
	if (c != '{' && c != '[')
		return c < 0 ? -1 : 0;
	s->closing = c == '{' ? '}' : ']';
	advance(s, 1);
	return 1;
}

int
json_steps_next(struct json_steps *s, struct err *err)
{
	int c = next_byte(s, err);

	if (c <= 0)
		return c < 0 ? -1 : no_json(err);
	if (c == s->closing)
		return 0;
	s->whole.start = s->at;
	s->key[0] = '\0';
	if (s->closing == '}') {
		if (c != '"')
			return no_json(err);
		if (skip_quoted(s, s->key, err) != 0 || (c = next_byte(s, err)) < 0)
			return -1;
		if (c != ':')
			return no_json(err);
		advance(s, 1);
	}
	if (skip_value(s, err) != 0)
		return -1;
	s->whole.end = s->at;
	return 1;
}
