/*
 * thinking.c: a table of marks between which thinking stands. Those of XML may have attributes, and
 * Aider's have a hash in their name; the others are literal.
 */
#include "base/ascii.h"
#include "base/span.h"
#include "clean/thinking.h"
#include "gen/clean_rows.h"

static const char *const tags[] = { "think", "thinking", "thought", "thoughts", "reasoning",
	"antthinking", "seed:think", "thinking-content-", "reasoning-content-" };

static const struct { const char *open, *close, *behind; } marks[] = { CLEAN_THINKING };

static size_t
blanks(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && ascii_is_space(s[n]))
		n++;
	return n;
}

/* The offset behind the text, from a place on; 0: it does not come. */
static size_t
behind(const char *s, size_t len, size_t from, const char *what, size_t n)
{
	for (size_t i = from; i + n <= len; i++) {
		const char *at = memchr(s + i, what[0], len - n - i + 1);

		if (at == NULL)
			return 0;
		i = (size_t)(at - s);
		if (memcmp(at, what, n) == 0)
			return i + n;
	}
	return 0;
}

/* The length of the name of a tag of thinking that opens here; 0: none does. */
static size_t
tag_name(const char *s, size_t len)
{
	size_t n = 1;

	if (len < 3 || *s != '<')
		return 0;
	while (n < len && n < 80 && (ascii_is_alnum(s[n]) || s[n] == '-' || s[n] == ':'))
		n++;
	for (size_t i = 0; i < NELEM(tags) && n < len && (s[n] == '>' || s[n] == ' '); i++) {
		size_t k = strlen(tags[i]), same = 0;

		while (same < k && same + 1 < n && ascii_lower(s[1 + same]) == tags[i][same])
			same++;
		if (same == k && (k + 1 == n || tags[i][k - 1] == '-'))
			return n - 1;
	}
	return 0;
}

/* The length of a rule of dashes and the blanks behind it, as Aider puts one above its marks. */
static size_t
rule(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] == '-')
		n++;
	return n >= 10 && n < len && s[n] == '\n' ? n + 1 : 0;
}

/*
 * The length of the thinking that begins here, with the blanks behind it; 0: none does, or it never
 * ends, which *open tells.
 */
static size_t
thinking_at(const char *s, size_t len, bool *open)
{
	size_t name = tag_name(s, len), end = 0, skip = rule(s, len);

	*open = name > 0;
	if (name > 0) {
		char close[96];
		int n = snprintf(close, sizeof(close), "</%.*s>", (int)name, s + 1);

		end = behind(s, len, name, close, (size_t)n);
	}
	for (size_t i = 0; i < NELEM(marks) && end == 0; i++) {
		if (!span_begins(s + skip, len - skip, marks[i].open))
			continue;
		*open = true;
		end = behind(s, len, skip, marks[i].close, strlen(marks[i].close));
		if (end > 0 && span_begins(s + end, len - end, marks[i].behind))
			end += strlen(marks[i].behind);
	}
	return end > 0 ? end + blanks(s + end, len - end) : 0;
}

/* Where an answer begins whose service kept only the mark behind the thinking; 0: it did not. */
static size_t
behind_closing(const char *s, size_t len)
{
	size_t end = behind(s, len, 0, "\n</think>\n", 10);

	if (end == 0 || behind(s, end, 0, "<think", 6) > 0 || behind(s, end, 0, "```", 3) > 0)
		return 0;
	return end + blanks(s + end, len - end);
}

size_t
thinking_drop(const char *s, size_t len, struct buf *out)
{
	size_t at = blanks(s, len), n, from;
	bool code = false, open = false;

	buf_reset(out);
	for (from = at; (n = thinking_at(s + from, len - from, &open)) > 0; from += n)
		;
	if (from == at && (from = behind_closing(s, len)) == 0)
		return 0;
	/* the rest by lines, up to a tag that is not closed */
	open = false;
	for (at = from; at < len; at += n) {
		const char *nl = memchr(s + at, '\n', len - at);

		if (!code && !open && (n = thinking_at(s + at, len - at, &open)) > 0) {
			open = false;
			continue;
		}
		n = nl != NULL ? (size_t)(nl + 1 - (s + at)) : len - at;
		code ^= span_begins(s + at, n, "```");
		buf_add(out, s + at, n);
	}
	return len - out->len;
}
