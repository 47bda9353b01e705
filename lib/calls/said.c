/* said.c: a turn that only calls tools holds no words; what the calls did stands for them. */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "calls/calls.h"

const char *
calls_said(const char *json, size_t most, struct arena *a)
{
	static const char *const did[] = { [FILE_NAMED] = "named", [FILE_READ] = "read",
		[FILE_CHANGED] = "changed" };
	const struct call *calls;
	size_t n;

	if (*json == '\0')
		return "";
	calls_read(json, strlen(json), "", a, &calls, &n);
	LOCAL(buf) b = buf_of(most + (1u << 20));
	for (size_t i = 0; i < n && b.len < most; i++) {
		const struct call *c = &calls[i];

		if (c->command != NULL)
			buf_addf(&b, "%s$ %s", b.len > 0 ? "; " : "", c->command);
		for (size_t k = 0; c->command == NULL && k < c->n_files; k++)
			buf_addf(&b, "%s%s %s", b.len > 0 ? "; " : "", did[c->files[k].did],
			    c->files[k].path);
		if (c->command == NULL && c->n_files == 0 && *c->tool != '\0')
			buf_addf(&b, "%scalled %s", b.len > 0 ? "; " : "", c->tool);
	}
	return b.len == 0 ? "called a tool"
			  : arena_strndup(a, b.data, utf8_clip(b.data, b.len, most));
}

bool
calls_alone(const char *content, size_t len, const char *json)
{
	return *json != '\0' && ascii_is_blank(content, len);
}
