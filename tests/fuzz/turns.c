/*
 * turns: any bytes as a transcript that is no JSON. The first line names the form; where it names
 * none, the form is what the rest looks like. What is read of text is text, and its time one that a
 * record can have.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "formats/turns.h"
#include "ingest/detect.h"

static void
is_text(const struct json *v)
{
	if (v->kind == JSON_STRING)
		PROMISE(utf8_valid(v->u.string, v->len));
	for (size_t i = 0; v->kind == JSON_OBJECT && i < v->len; i++) {
		PROMISE(utf8_valid(v->u.members[i].key, v->u.members[i].key_len));
		is_text(&v->u.members[i].value);
	}
}

static void
read_unit(struct turns *t, const char *unit, size_t len)
{
	static struct arena a;
	struct err err = ERR_INIT;
	char time[TIME_TEXT];
	struct turn turn;
	int64_t us;
	int got;

	arena_reset(&a);
	if (len == 0)
		return;
	got = turns_read(t, unit, len, &a, &turn, &err);
	PROMISE(got >= 0 || (err.code == ERR_DATA && err.msg[0] != '\0'));
	if (got <= 0)
		return;
	if (turn.record != NULL) {
		is_text(turn.record);
		return;
	}
	PROMISE(memchr(turn.text, '\0', turn.len) == NULL && utf8_valid(turn.text, turn.len) &&
	    utf8_valid(turn.name, strlen(turn.name)) && utf8_valid(turn.part, strlen(turn.part)));
	if (turn.time_us != TIME_NONE) {
		time_format(turn.time_us, time);
		PROMISE(time_parse(time, strlen(time), &us, NULL) == 0);
	}
}

struct rest { const char *p, *end; };

static bool
ahead(void *arg, const char **bytes, size_t *len)
{
	const struct rest *r = arg;

	*bytes = r->p;
	*len = (size_t)(r->end - r->p);
	return true;
}

/* As mem-ingest gathers lines. */
static void
read_all(struct turns *t, const char *text, size_t size)
{
	const char *p = text, *unit = text, *line;
	struct rest rest = { .end = text + size };
	struct turns_around around = { false, ahead, &rest };
	size_t n;

	while ((line = turns_line(&p, text + size, &n)) != NULL) {
		rest.p = p;
		if (n > 0 && turns_begins(t, line, n, &around) && line > unit) {
			read_unit(t, unit, (size_t)(line - unit));
			unit = line;
		}
		around.after_blank = n == 0;
	}
	read_unit(t, unit, (size_t)(text + size - unit));
}

/* The form that the first line names, if any. */
static const char *
form_named(const char *line, size_t len)
{
	const struct turns_form *form;

	for (size_t i = 0; (form = turns_form(i)) != NULL; i++)
		if (strlen(form->name) == len && memcmp(form->name, line, len) == 0)
			return form->name;
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = size > 0 ? memchr(data, '\n', size) : NULL;
	struct err err = ERR_INIT;
	const char *form;
	struct turns *t;
	char *text;

	if (nl == NULL)
		return 0;
	form = form_named((const char *)data, (size_t)(nl - data));
	size -= (size_t)(nl + 1 - data);
	/* the lines of a reader have a NUL behind them, too */
	text = text_of(nl + 1, size, 1);
	/* detection compiles the expressions of five forms: ten times the time of all the rest */
	if (form == NULL) {
		detect_format(text, size, "fuzz", &err);
		form = turns_detect(text, size);
	}
	detect_is_document(text, size);
	if (form != NULL) {
		t = turns_open(form, text, size, "chat-2026-03-01.txt");
		PROMISE(t != NULL);
		read_all(t, text, size);
		turns_in_doubt(t);
		turns_close(t);
	}
	free(text);
	return 0;
}
