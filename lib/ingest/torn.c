/*
 * torn.c: an object is followed from its bracket to that which closes it, by strings and nesting.
 */
#include "base/ascii.h"
#include "ingest/torn.h"
#include "json/json.h"

#define TRIES_MOST 64                      /* as many brackets of a line are tried */

static bool
is_between(char c)
{
	return ascii_is_space(c) || c == '\0' || c == ',' || c == 0x1e;
}

/* The length of the object at s; 0: it does not end. */
static size_t
object_at(const char *s, size_t len)
{
	struct json_scan scan = { .depth = 0 };
	bool ended;
	size_t n = json_scan(&scan, s, len, &ended);

	return ended ? n : 0;
}

/* The length of the opening of an object up to its first key: {"type" */
static size_t
opening(const char *s, size_t len)
{
	size_t i = 0;

	if (len == 0 || *s != '{')
		return 0;
	for (i = 1; i < len && ascii_is_space(s[i]); i++)
		;
	if (i == len || s[i] != '"')
		return i;
	for (i++; i < len && s[i] != '"'; i++)
		;
	return MIN(i + 1, len);
}

/* Whether a record may begin here, behind one that was broken off. */
static bool
begins_anew(const char *line, size_t at, size_t from, size_t len)
{
	size_t n = opening(line + from, len - from), had = opening(line + at, from - at);
	char before = from > at ? line[from - 1] : ' ';

	for (size_t i = from; i > at && ascii_is_space(before); i--)
		before = line[i - 1];
	return n > 2 && strchr(":,[", before) == NULL &&
	    memcmp(line + at, line + from, MIN(n, had)) == 0;
}

enum torn_got
torn_next(const char *line, size_t len, size_t *at, const char **piece, size_t *piece_len)
{
	size_t from = *at, n;
	int tries = 0;

	while (from < len && is_between(line[from]))
		from++;
	*piece = line + from;
	*at = len;
	*piece_len = len - from;
	if (from == len)
		return TORN_END;
	if (line[from] == '{' && (n = object_at(line + from, len - from)) > 0 &&
	    (from + n == len || is_between(line[from + n]) || line[from + n] == '{')) {
		*piece_len = n;
		*at = from + n;
		return TORN_WHOLE;
	}
	for (size_t i = from + 1; i < len && tries < TRIES_MOST; i++) {
		if (line[i] != '{' || !begins_anew(line, from, i, len))
			continue;
		tries++;
		if (object_at(line + i, len - i) == 0)
			continue;
		*piece_len = i - from;
		*at = i;
		break;
	}
	return TORN_BROKEN;
}
