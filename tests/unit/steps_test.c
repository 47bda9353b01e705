/*
 * steps_test.c: keys and values of an object that is read from a file, wherever what is read at
 * once ends in it.
 */
#include "ingest/json/steps.h"

#include "tap.h"

/* Every member of the object, with pad blanks before it, as "key=value ". */
static const char *
members(const char *text, size_t pad, struct buf *out)
{
	struct long_text t;
	struct json_steps s;
	struct err err = ERR_INIT;
	int got;

	long_text_init(&t, 0, 1u << 20);
	buf_reset(out);
	for (size_t i = 0; i < pad; i++)
		long_text_add(&t, " ", 1, &err);
	long_text_add(&t, text, strlen(text), &err);
	got = json_steps_begin(&s, &t, (struct json_span){ 0, t.len }, &err);
	while (got > 0 && (got = json_steps_next(&s, &err)) > 0) {
		buf_addf(out, "%s=", s.key);
		long_text_copy(&t, s.value.start, s.value.end, out, &err);
		buf_addc(out, ' ');
		s.n = 0;
	}
	if (got < 0)
		buf_addf(out, "!%s", err.msg);
	long_text_release(&t);
	return out->data;
}

int
main(void)
{
	static const char text[] = "{\"mapping\": {\"a\\\"]\": [1]}, \"\": \"x\\\\\", \"n\": 12}";
	const char *want = "mapping={\"a\\\"]\": [1]} =\"x\\\\\" n=12 ";
	size_t n_wrong = 0;
	struct buf b;

	buf_init(&b, 4096);
	is_str(members(text, 0, &b), want, "the members, as they are written");
	for (size_t i = 0; i <= sizeof(text); i++)
		if (strcmp(members(text, LONG_TEXT_WINDOW - i, &b), want) != 0) {
			n_wrong++;
			tap_note("with %zu bytes before the end: %s", i, b.data);
		}
	is_int((int64_t)n_wrong, 0, "they are the same wherever a window ends");
	buf_release(&b);
	return tap_done();
}
