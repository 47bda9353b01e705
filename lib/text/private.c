/*
 * private.c: removes spans marked <private>...</private>. Spans may be nested; the outermost pair
 * is removed.
 */
#include "base/ascii.h"
#include "text/secrets.h"

/*
 * Returns the length in bytes of <private> or </private> at `at`, 0 when there is none. White space
 * before the ">" is allowed.
 */
static size_t
tag_at(const char *text, size_t len, size_t at, bool closing)
{
	const char *tag = closing ? "</private" : "<private";
	size_t n = strlen(tag), end = at + n;

	if (len - at < n + 1)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(text[at + i]) != tag[i])
			return 0;
	while (end < len && ascii_is_space(text[end]))
		end++;
	return end < len && text[end] == '>' ? end + 1 - at : 0;
}

/* Returns the end of the span whose opening tag ends at `at`, including nested spans. */
static size_t
private_end(const char *text, size_t len, size_t at)
{
	size_t n, depth = 1;
	const char *p;

	while (depth > 0 && (p = memchr(text + at, '<', len - at)) != NULL) {
		at = (size_t)(p - text);
		if ((n = tag_at(text, len, at, true)) > 0)
			depth--;
		else if ((n = tag_at(text, len, at, false)) > 0)
			depth++;
		at += n > 0 ? n : 1;
	}
	return depth > 0 ? len : at;
}

unsigned
secrets_drop_private(const char *text, size_t len, struct buf *out)
{
	size_t at = 0, done = 0, tag;
	unsigned n = 0;
	const char *p;

	buf_reset(out);
	while (at < len && (p = memchr(text + at, '<', len - at)) != NULL) {
		at = (size_t)(p - text);
		tag = tag_at(text, len, at, false);
		if (tag == 0) {
			at++;
			continue;
		}
		buf_add(out, text + done, at - done);
		at = done = private_end(text, len, at + tag);
		n++;
	}
	if (n > 0)
		buf_add(out, text + done, len - done);
	return n;
}
