/*
 * guard.c: one scan for both jobs, over lines: at the start of each a table of tags is asked. Text without "<" costs a memchr.
 */
#include "verb/guard.h"

struct tag {
	const char *name;          /* between "<" and the first blank or ">" */
	bool keep;                 /* what is inside stays */
};

static const struct tag own_tags[] = {
	{ "mem-context", false },
	{ NULL, false }
};

static const struct tag agent_tags[] = {
	{ "system-reminder", false },
	{ "system_reminder", false },
	{ "command-name", false },
	{ "command-message", false },
	{ "command-contents", false },
	{ "command-args", true },
	{ "local-command-stdout", false },
	{ "local-command-stderr", false },
	{ "local-command-caveat", false },
	{ "bash-input", true },
	{ "bash-stdout", false },
	{ "bash-stderr", false },
	{ "user-prompt-submit-hook", false },
	{ "session-start-hook", false },
	{ "task-notification", false },
	{ "new-diagnostics", false },
	{ "ide_opened_file", false },
	{ "ide_selection", false },
	{ "ide_diagnostics", false },
	{ "environment_context", false },
	{ "user_instructions", false },
	{ "permissions instructions", false },
	{ "collaboration_mode", false },
	{ "turn_aborted", false },
	{ "session_context", false },
	{ NULL, false }
};

struct span {
	const char *inside, *inside_end;
	const char *end;           /* after the closing tag */
	bool keep;
};

static const char *
find(const char *p, const char *end, const char *what, size_t n)
{
	for (; (size_t)(end - p) >= n; p++) {
		p = memchr(p, what[0], (size_t)(end - p) - n + 1);
		if (p == NULL)
			return NULL;
		if (memcmp(p, what, n) == 0)
			return p;
	}
	return NULL;
}

/* Whether a span of one of the tags begins at p, which is a "<". */
static bool
span_at(const struct tag *tags, const char *p, const char *end, struct span *out)
{
	for (const struct tag *t = tags; t->name != NULL; t++) {
		size_t n = strlen(t->name);
		const char *after = p + 1 + n, *open_end, *close;
		char closing[64];

		if ((size_t)(end - p) < n + 2 || memcmp(p + 1, t->name, n) != 0 || strchr("> \t\r\n", *after) == NULL)
			continue;
		open_end = memchr(after, '>', (size_t)(end - after));
		if (open_end == NULL)
			return false;
		n = (size_t)snprintf(closing, sizeof(closing), "</%s>", t->name);
		close = find(open_end + 1, end, closing, n);
		if (close == NULL)
			return false;
		*out = (struct span){ open_end + 1, close, close + n, t->keep };
		return true;
	}
	return false;
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void
trim(struct buf *b)
{
	size_t start = 0;

	while (b->len > 0 && is_space(b->data[b->len - 1]))
		b->len--;
	while (start < b->len && is_space(b->data[start]))
		start++;
	memmove(b->data, b->data + start, b->len - start);
	b->len -= start;
	b->data[b->len] = '\0';
}

static unsigned
cut(const struct tag *tags, const char *text, size_t len, struct buf *out)
{
	const char *end = text + len, *p = text, *kept = text;
	unsigned n = 0;

	buf_reset(out);
	while (p < end) {
		const char *at = skip_blanks(p, end);
		struct span s;

		if (at < end && *at == '<' && span_at(tags, at, end, &s)) {
			buf_add(out, kept, (size_t)(p - kept));
			if (s.keep)
				buf_add(out, s.inside, (size_t)(s.inside_end - s.inside));
			n++;
			p = s.end;
			/* the newline after a span that had lines of its own goes with it */
			if (!s.keep && p < end && *p == '\n' && (out->len == 0 || out->data[out->len - 1] == '\n'))
				p++;
			kept = p;
			continue;
		}
		p = memchr(at, '\n', (size_t)(end - at));
		p = p == NULL ? end : p + 1;
	}
	if (n == 0)
		return 0;
	buf_add(out, kept, (size_t)(end - kept));
	trim(out);
	return n;
}

unsigned
guard_strip(const char *text, size_t len, struct buf *out)
{
	static const char open[] = MEM_FENCE_OPEN;

	buf_reset(out);
	if (find(text, text + len, open, sizeof(open) - 1) == NULL)
		return 0;
	return cut(own_tags, text, len, out);
}

unsigned
guard_unwrap(const char *text, size_t len, struct buf *out)
{
	buf_reset(out);
	if (memchr(text, '<', len) == NULL)
		return 0;
	return cut(agent_tags, text, len, out);
}
