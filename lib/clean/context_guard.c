/*
 * context_guard.c: one scan does both jobs. At the start of a line, and at each "<" within it, a
 * table of tags is searched. The next closing tag of each kind is looked up once and remembered, so
 * that a text of nothing but opening tags is still read only once. A text without "<" costs one
 * memchr.
 */
#include "base/ascii.h"
#include "clean/context_guard.h"
#include "gen/clean_rows.h"

struct tag {
	const char *name;          /* between "<" and the first blank or ">" */
	bool keep;                 /* only the tags are cut, and what is inside stays */
	bool anywhere;             /* programs also put it inside a line */
	const char *with;          /* only with this in it: people write such tags, too */
};

static const struct tag own_tags[] = {
	{ "mem-context", false, true, NULL },
	{ NULL, false, false, NULL }
};

static const struct tag agent_tags[] = { CLEAN_TAGS { .name = NULL } };

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

struct scan {
	const struct tag *tags;
	const char *text, *end;
	/*
	 * by tag: its next closing tag; end: there is none. Looked up again when the scan has
	 * passed it
	 */
	const char *closes[64];
};

/* The byte after the opening tag at p, which is a "<"; NULL: no such tag is there. */
static const char *
after_open(const struct tag *t, const char *p, const char *end)
{
	size_t n = strlen(t->name);
	const char *start = p;

	if ((size_t)(end - p) < n + 2 || memcmp(p + 1, t->name, n) != 0 ||
	    strchr("> \t\r\n", p[1 + n]) == NULL || p[1 + n] == '\0')
		return NULL;
	for (p += 1 + n; p < end && *p != '<'; p++)
		if (*p == '>')
			return t->with == NULL || find(start, p, t->with, strlen(t->with)) != NULL
			    ? p + 1
			    : NULL;
	return NULL;
}

static const char *
next_close(struct scan *sc, size_t tag, const char *from)
{
	char closing[64];
	size_t n = (size_t)snprintf(closing, sizeof(closing), "</%s>", sc->tags[tag].name);
	const char *close = sc->closes[tag];

	if (close == NULL || close < from) {
		close = find(from, sc->end, closing, n);
		sc->closes[tag] = close = close != NULL ? close : sc->end;
	}
	return close;
}

static bool
is_quoted(const struct scan *sc, const char *p)
{
	return p > sc->text && p[-1] == '`';
}

/*
 * Whether the tag is opened again before it is closed: then the first one, inside a line, only
 * mentions it.
 */
static bool
opens_again(const struct scan *sc, const struct tag *t, const char *p, const char *close)
{
	for (; (p = memchr(p, '<', (size_t)(close - p))) != NULL; p++)
		if (!is_quoted(sc, p) && after_open(t, p, sc->end) != NULL)
			return true;
	return false;
}

/* Whether a span of one of the tags begins at p, which is a "<". */
static bool
span_at(struct scan *sc, const char *p, bool in_line, struct span *out)
{
	if (in_line && is_quoted(sc, p))
		return false;
	for (size_t i = 0; sc->tags[i].name != NULL; i++) {
		const struct tag *t = &sc->tags[i];
		const char *inside, *close;

		if ((in_line && !t->anywhere) || (inside = after_open(t, p, sc->end)) == NULL)
			continue;
		close = next_close(sc, i, inside);
		if (close == sc->end || (in_line && opens_again(sc, t, inside, close)))
			return false;
		*out = (struct span){ inside, close, close + strlen(t->name) + 3, t->keep };
		return true;
	}
	return false;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

static void
trim(struct buf *b)
{
	const char *start = ascii_trim(b->data, &b->len);

	memmove(b->data, start, b->len);
	b->data[b->len] = '\0';
}

/*
 * Closes the gap that a span left. Of the blanks on both sides one goes, and so does the newline
 * after a span that had lines of its own.
 */
static const char *
close_gap(const struct span *s, bool in_line, const char *end, struct buf *out)
{
	const char *p = s->end;

	if (in_line && out->len > 0 && is_blank(out->data[out->len - 1]) &&
	    (p == end || ascii_is_space(*p)))
		out->data[--out->len] = '\0';
	else if (!in_line && !s->keep && p < end && *p == '\n' &&
	    (out->len == 0 || out->data[out->len - 1] == '\n'))
		p++;
	return p;
}

static unsigned
cut_spans(const struct tag *tags, const char *text, size_t len, struct buf *out)
{
	struct scan sc = { .tags = tags, .text = text, .end = text + len };
	const char *end = text + len, *p = text, *kept = text;
	/* false at the start of a line, and straight after a span */
	bool in_line = false;
	unsigned n = 0;

	buf_reset(out);
	while (p < end) {
		const char *at = in_line ? p : skip_blanks(p, end);
		struct span s;

		if (at < end && *at == '<' && span_at(&sc, at, in_line, &s)) {
			buf_add(out, kept, (size_t)(p - kept));
			if (s.keep)
				buf_add(out, s.inside, (size_t)(s.inside_end - s.inside));
			kept = p = close_gap(&s, in_line, end, out);
			in_line = false;
			n++;
			continue;
		}
		p = at < end && *at == '<' ? at + 1 : at;
		while (p < end && *p != '<' && *p != '\n')
			p++;
		in_line = p < end && *p == '<';
		p += p < end && *p == '\n';
	}
	if (n == 0)
		return 0;
	buf_add(out, kept, (size_t)(end - kept));
	trim(out);
	return n;
}

unsigned
context_guard_strip(const char *text, size_t len, struct buf *out)
{
	static const char open[] = MEM_FENCE_OPEN;

	buf_reset(out);
	if (find(text, text + len, open, sizeof(open) - 1) == NULL)
		return 0;
	return cut_spans(own_tags, text, len, out);
}

unsigned
context_guard_unwrap(const char *text, size_t len, struct buf *out)
{
	buf_reset(out);
	if (memchr(text, '<', len) == NULL)
		return 0;
	return cut_spans(agent_tags, text, len, out);
}
