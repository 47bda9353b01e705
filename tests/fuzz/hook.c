/*
 * hook: any bytes as what a host says to mem-hook, as a prompt for the gate, and as what a host is
 * answered.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "hook/gate.h"
#include "hook/host.h"
#include "json/json.h"

static void
ask(const char *prompt, size_t len)
{
	struct err err = ERR_INIT;
	double p = -1;

	if (gate_ask(prompt, len, &p, &err) == 0)
		PROMISE(p >= 0 && p <= 1);
	else
		PROMISE(*err.msg != '\0');
}

/* An answer is JSON, or the text itself. */
static void
answer(const struct host *h, enum hook_event event, const char *text, size_t len,
	struct arena *a)
{
	struct buf b;
	struct err err = ERR_INIT;
	const struct json *v;

	buf_init(&b, SIZE_MAX / 4);
	host_answer(h, event, text, len, &b);
	if (h->form == HOST_PLAIN)
		PROMISE(b.len == len && memcmp(b.data, text, len) == 0);
	else
		PROMISE(json_parse(b.data, b.len - 1, a, &v, &err) == 0 && v->kind == JSON_OBJECT);
	buf_release(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct hook_call said;
	struct err err = ERR_INIT;
	char *text = text_of(data, size, 0);

	memset(&said, 0, sizeof(said));
	if (host_read(text, size, &a, &said, &err) == 0) {
		PROMISE(utf8_valid(said.session, strlen(said.session)));
		PROMISE(utf8_valid(said.transcript, strlen(said.transcript)));
		PROMISE(utf8_valid(said.prompt, said.prompt_len));
		if (said.prompt_len > 0)
			ask(said.prompt, said.prompt_len);
		for (const struct host *h = hosts; h->name != NULL; h++) {
			host_event(h, said.session);
			for (int e = 0; e < N_HOOK_EVENTS; e++)
				answer(h, (enum hook_event)e, said.prompt, said.prompt_len, &a);
		}
	} else {
		PROMISE(*err.msg != '\0');
	}
	free(text);
	/* a prompt has no NUL, and one behind it */
	text = text_of(data, size, 1);
	if (size > 0 && utf8_valid(text, size) && memchr(text, '\0', size) == NULL)
		ask(text, size);
	free(text);
	arena_release(&a);
	return 0;
}
