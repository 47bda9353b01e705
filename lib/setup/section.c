/* section.c: blanks and ends of lines do not count as edited: editors change them unasked. */
#include "setup/section.h"

#include "base/ascii.h"
#include "base/hash.h"

#define OPEN  "<mem-context section=\""
#define CLOSE "</mem-context>"

static uint64_t
sum_of(const char *text, size_t len)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < len; i++)
		if (!ascii_is_space(text[i]))
			sum = hash64(&text[i], 1, sum);
	return sum;
}

/* Where the line at byte at ends, with its end. */
static size_t
line_end(const char *text, size_t len, size_t at)
{
	return MIN((size_t)(ascii_line_end(text + at, text + len) - text) + 1, len);
}

/* Where the next line that begins so begins, from byte at on; len: there is none. */
static size_t
line_with(const char *text, size_t len, size_t at, const char *begin)
{
	size_t n = strlen(begin);

	while (at < len && (len - at < n || memcmp(text + at, begin, n) != 0))
		at = line_end(text, len, at);
	return at;
}

/* Whether something stands behind what ends a line of ours, up to the end of the line. */
static bool
has_more(const char *text, size_t from, size_t end, const char *last)
{
	size_t n = strlen(last);

	while (end > from && ascii_is_space(text[end - 1]))
		end--;
	return end - from < n || memcmp(text + end - n, last, n) != 0;
}

int
section_find(const char *text, size_t len, struct section *out, struct err *err)
{
	size_t start = line_with(text, len, 0, OPEN), body = line_end(text, len, start);
	size_t close = line_with(text, len, body, CLOSE);
	unsigned long long sum, of;
	char head[64];

	*out = (struct section){ .start = 0 };
	if (start == len)
		return 0;
	snprintf(head, sizeof(head), "%.*s", (int)(body - start - strlen(OPEN)),
	    text + start + strlen(OPEN));
	if (close == len || sscanf(head, "%16llx.%16llx.%1u", &sum, &of, &out->n_before) != 3)
		return err_set(err, ERR_DATA, "has a section of mem without its end");
	*out = (struct section){ start, line_end(text, len, close), of, out->n_before,
		sum != sum_of(text + body, close - body) || has_more(text, start, body, "\">") };
	out->edited |= has_more(text, close, out->end, CLOSE);
	if (line_with(text, len, body, OPEN) < out->end ||
	    line_with(text, len, out->end, OPEN) < len)
		return err_set(err, ERR_DATA, "has two sections of mem");
	return 0;
}

void
section_put(const char *text, size_t len, const struct section *was, const char *body, uint64_t of,
	struct buf *out)
{
	bool found = was->start < was->end;
	const char *nl = memchr(text, '\n', len);
	const char *eol = nl != NULL && nl > text && nl[-1] == '\r' ? "\r\n" : "\n";
	unsigned before = found ? was->n_before : len == 0 ? 0 : text[len - 1] == '\n' ? 1 : 2;
	LOCAL(buf) lines = buf_of(out->max);

	buf_addf(&lines, OPEN "%016llx.%016llx.%u\" note=\"stored by the user in mem; made by "
	    "mem-sync, not to be edited here\">\n\n%s\n" CLOSE "\n",
	    (unsigned long long)sum_of(body, strlen(body)), (unsigned long long)of, before, body);
	buf_add(out, text, found ? was->start : len);
	for (unsigned i = 0; !found && i < before; i++)
		buf_adds(out, eol);
	for (size_t i = 0; i < lines.len; i++)
		if (lines.data[i] == '\n')
			buf_adds(out, eol);
		else
			buf_addc(out, lines.data[i]);
	if (found)
		buf_add(out, text + was->end, len - was->end);
}

/* Whether the line that ends there is empty. */
static bool
is_after_blank(const char *text, size_t end)
{
	if (end > 0 && text[end - 1] == '\n')
		end -= 1 + (end > 1 && text[end - 2] == '\r');
	return end == 0 || text[end - 1] == '\n';
}

void
section_take(const char *text, size_t len, const struct section *s, struct buf *out)
{
	size_t start = s->start;
	/* a line that had no end keeps it where another one follows now */
	unsigned n = s->n_before - (s->n_before > 1 && s->end < len);

	/* somebody may have taken out the empty line alone */
	if (s->n_before == 1 && !is_after_blank(text, start))
		n = 0;
	for (; n > 0 && start > 0 && text[start - 1] == '\n'; n--)
		start -= 1 + (start > 1 && text[start - 2] == '\r');
	buf_add(out, text, start);
	buf_add(out, text + s->end, len - s->end);
}
