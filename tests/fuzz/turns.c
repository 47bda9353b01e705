/*
 * turns: any bytes as a transcript that is no JSON, in a form that the first byte picks or that they look like. What is read of text is text, and its time one that a record can have.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "formats/turns.h"
#include "ingest/detect.h"

static const char *const forms[] = { "captions", "chatml", "claude-text", "irc", "whatsapp", "line", "kakaotalk", "zoom", "aider", "csv", "copied", "dialog", "mail" };

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
	PROMISE(memchr(turn.text, '\0', turn.len) == NULL && utf8_valid(turn.text, turn.len) && utf8_valid(turn.name, strlen(turn.name)) && utf8_valid(turn.part, strlen(turn.part)));
	if (turn.time_us != TIME_NONE) {
		time_format(turn.time_us, time);
		PROMISE(time_parse(time, strlen(time), &us, NULL) == 0);
	}
}

/* As mem-ingest gathers lines. */
static void
read_all(struct turns *t, const char *text, size_t size)
{
	const char *p = text, *unit = text, *line;
	size_t n;

	while ((line = turns_line(&p, text + size, &n)) != NULL)
		if (n > 0 && turns_begins(t, line, n) && line > unit) {
			read_unit(t, unit, (size_t)(line - unit));
			unit = line;
		}
	read_unit(t, unit, (size_t)(text + size - unit));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	const char *form;
	struct turns *t;
	char *text;

	if (size == 0)
		return 0;
	text = text_of(data + 1, size - 1, 1);         /* the lines of a reader have a NUL behind them, too */
	if (data[0] >= 240)
		detect_format(text, size - 1, "fuzz", &err);
	detect_is_document(text, size - 1);
	/* ten times what all else takes: the expressions of five forms are compiled */
	form = data[0] % 16 < NELEM(forms) ? forms[data[0] % 16] : turns_detect(text, size - 1);
	if (form != NULL) {
		t = turns_new(form, text, size - 1, "chat-2026-03-01.txt");
		PROMISE(t != NULL);
		read_all(t, text, size - 1);
		turns_in_doubt(t);
		turns_free(t);
	}
	free(text);
	return 0;
}
