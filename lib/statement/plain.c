/*
 * plain.c: in doubt a sign stays: "2 ** 3", "*.c", what stands in code, a path with backslashes.
 */
#include "statement/plain.h"

#include "base/ascii.h"
#include "statement/clause.h"

#define HEADING 6                          /* most signs before a heading */
/* so far behind a mark its end is sought, or a line of marks would take time with its square */
#define REACH   1000

/* The rest of a line, from p to its end. */
struct line {
	const char *start, *p, *end;
};

static char
before(const struct line *l)
{
	return l->p > l->start ? l->p[-1] : ' ';
}

static char
behind(const struct line *l, size_t n)
{
	return l->p + n < l->end ? l->p[n] : ' ';
}

/* Where what begins at p ends at the latest. */
static const char *
reach(const struct line *l, const char *p)
{
	return p + MIN(l->end - p, REACH);
}

/* Whether a character is no part of an ASCII word, so that a mark may stand beside it. */
static bool
is_edge(char c)
{
	return !ascii_is_alnum(c);
}

/* The bytes of the marks at the start of a line; *item: one of them begins an item of a list. */
static size_t
head_len(const char *p, size_t len, bool *item)
{
	size_t at = 0, n, from;

	do {
		from = at;
		while (at < len && ascii_is_space(p[at]))
			at++;
		for (n = 0; at + n < len && p[at + n] == '#'; n++)
			;
		if (n > 0 && n <= HEADING && at + n < len && p[at + n] == ' ')
			at += n;
		n = at + 1 < len && p[at] == '\\';
		if (at + n + 1 < len && p[at + n] == '>' && p[at + n + 1] == ' ' &&
		    (at + n + 2 == len || !ascii_is_digit(p[at + n + 2])))
			at += n + 1;
		if (at < len && strchr("-*+", p[at]) != NULL && clause_marker(p + at, len - at)) {
			*item = true;
			at++;
		}
	} while (at > from);
	return at;
}

static void add_line(struct buf *out, struct line l);

/* The text of "[text](address)" at l->p, behind which l->p then stands; false: there is no link. */
static bool
add_link(struct buf *out, struct line *l)
{
	const char *text = l->p + 1, *close = text, *end = reach(l, text), *to;
	int deep = 0;

	if (ascii_is_alnum(before(l)) || strchr("])_", before(l)) != NULL)
		return false;                  /* a[i](x) */
	while (close < end && (*close != ']' || close[-1] == '\\'))
		close++;
	if (close + 1 >= end || close[1] != '(')
		return false;
	end = reach(l, close);
	for (to = close + 1; to < end && !ascii_is_space(*to); to++) {
		deep += *to == '(' ? 1 : *to == ')' ? -1 : 0;
		if (deep == 0)
			break;
	}
	if (to >= end || *to != ')' || to == close + 2)
		return false;
	add_line(out, (struct line){ text, text, close });
	l->p = to + 1;
	return true;
}

/* How many stars stand at p. */
static size_t
run_at(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] == '*')
		n++;
	return n;
}

/*
 * Adds what stands between the stars at l->p and as many that end it: "**so**"; in Chinese they
 * stand within words, too. Behind it l->p stands then; false: they begin nothing.
 */
static bool
add_marked(struct buf *out, struct line *l)
{
	size_t n = run_at(l->p, l->end), k;
	const char *text = l->p + n, *end = reach(l, text);

	if (n > 3 || !is_edge(before(l)) || before(l) == '/' || ascii_is_space(behind(l, n)))
		return false;
	for (const char *q = text; q < end; q += MAX(k, (size_t)1)) {
		k = run_at(q, l->end);
		if (k != n || ascii_is_space(q[-1]) || strchr("/(", q[-1]) != NULL ||
		    (q + n < l->end && (!is_edge(q[n]) || q[n] == '/')))
			continue;
		add_line(out, (struct line){ text, text, q });
		l->p = q + n;
		return true;
	}
	return false;
}

/* Whether the backslash at l->p only keeps the sign behind it from being a mark. */
static bool
is_escape(const struct line *l)
{
	return behind(l, 1) != ' ' && strchr("*_#>[]", behind(l, 1)) != NULL &&
	    is_edge(before(l)) && strchr(":\\/", before(l)) == NULL;
}

static void
add_line(struct buf *out, struct line l)
{
	if (l.end - l.p > 2 && *l.p == '`' &&
	    memchr(l.p + 1, '`', (size_t)(l.end - l.p) - 1) == l.end - 1) {
		buf_add(out, l.p + 1, (size_t)(l.end - l.p) - 2);
		return;
	}
	while (l.p < l.end) {
		const char *code = *l.p == '`'
		    ? memchr(l.p + 1, '`', (size_t)(l.end - l.p) - 1) : NULL;
		size_t n;

		if (code != NULL) {
			buf_add(out, l.p, (size_t)(code + 1 - l.p));
			l.p = code + 1;
		} else if (*l.p == '*' && add_marked(out, &l)) {
			continue;
		} else if (*l.p == '*') {
			n = run_at(l.p, l.end);
			buf_add(out, l.p, n);
			l.p += n;
		} else if (*l.p == '[' && add_link(out, &l)) {
			continue;
		} else {
			l.p += (*l.p == '\\' && is_escape(&l)) ||
			    (*l.p == '!' && behind(&l, 1) == '[');
			if (*l.p == '[' && add_link(out, &l))
				continue;
			buf_addc(out, ascii_is_space(*l.p) ? ' ' : *l.p);
			l.p++;
		}
	}
}

void
plain_add(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len, *p = text;
	size_t from = out->len;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl != NULL ? nl : end;
		const char *last = stop;
		bool item = false;

		p += head_len(p, (size_t)(stop - p), &item);
		while (last > p && ascii_is_space(last[-1]))
			last--;
		if (last > p && out->len > from)
			buf_adds(out, item && strchr(":;", out->data[out->len - 1]) == NULL
			    ? "; " : " ");
		add_line(out, (struct line){ p, p, last });
		while (out->len > from && out->data[out->len - 1] == ' ')
			out->data[--out->len] = '\0';
		p = stop + 1;
	}
	if (out->len == from)                  /* nothing but marks */
		buf_add(out, text, len);
}
