/*
 * gate_test.c: the gate reads a prompt by its length, whatever stands behind it or in it.
 */
#include "tap.h"

#include "hook/gate.h"

static double
ask(const char *prompt, size_t len)
{
	struct err err = ERR_INIT;
	double p = -1;

	ok(gate_ask(prompt, len, &p, &err) == 0, "it is answered: %.*s", (int)len, prompt);
	return p;
}

int
main(void)
{
	static const char text[] = "please run the linter";
	static const char *const behind[] = { "?", "\xef\xbc\x9f", " as we always do", "{}<>" };
	size_t len = strlen(text);
	double want = ask(text, len);
	char *alone = malloc(len), more[64], nul[] = "run\0\0\0\0 it";

	/* no byte behind it belongs to anybody: a sanitizer tells who reads on */
	memcpy(alone, text, len);
	ok(ask(alone, len) == want, "a prompt without an end");
	free(alone);
	for (size_t i = 0; i < NELEM(behind); i++) {
		snprintf(more, sizeof(more), "%s%s", text, behind[i]);
		ok(ask(more, len) == want, "what stands behind is not read: %s", behind[i]);
		ok(ask(more, strlen(more)) != want, "but is where it belongs to it");
	}
	want = ask(nul, sizeof(nul) - 1);
	for (size_t i = 3; i < 7; i++)
		nul[i] = ' ';
	ok(ask(nul, sizeof(nul) - 1) == want, "a NUL is no sign of code");
	return tap_done();
}
