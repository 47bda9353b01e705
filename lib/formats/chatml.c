/*
 * chatml.c: texts in which the marks of a program say where a turn begins. ChatML is the form in
 * which models are given conversations: "<|im_start|>ROLE", the words, "<|im_end|>"; some programs
 * write "<|ROLE|>" instead.
 *
 * The other text is the screen of Claude Code, as its /export writes it. What was typed stands
 * behind "> ", or behind a sharper arrow in later versions. What the model said stands behind a
 * dot, and so do its calls of tools, whose results stand behind a corner. The lines that follow are
 * indented by two blanks.
 *
 *	> how big is the cell in
 *	  the box?
 *
 *	⏺ Read(src/box.c)                       a call of a tool: no turn
 *	  ⎿  Read 120 lines
 *
 *	⏺ It is a LiFePO4 cell:
 *
 *	  - 6 Ah
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/span.h"
#include "formats/reader.h"
#include "gen/text_rows.h"

struct chatml {
	bool chatml;
	/*
	 * 'i' when the first mark was "<|im_start|>", another letter when it was "<|ROLE|>": marks
	 * of the other kind are words in this file
	 */
	char sort;
};

/* ---- ChatML ---- */

/*
 * The role that a mark at s names; *words is the offset of the words behind it. NULL: no mark
 * stands there.
 */
static const char *
role_at(const char *s, size_t len, size_t *words)
{
	static const char *const roles[] = { "system", "user", "assistant", "tool" };
	bool im = span_begins(s, len, "<|im_start|>");
	size_t at = im ? 12 : 2;

	for (size_t i = 0; (im || span_begins(s, len, "<|")) && i < NELEM(roles); i++) {
		size_t n = at + strlen(roles[i]);

		if (!span_begins(s + at, len - at, roles[i]) ||
		    (im ? n < len && ascii_is_letter(s[n]) : !span_begins(s + n, len - n, "|>")))
			continue;
		*words = im ? n : n + 2;
		return roles[i];
	}
	return NULL;
}

/* Whether what stands before the first turn is one mark, as of where a text begins. */
static bool
is_mark(const char *unit, size_t len)
{
	len = ascii_end(unit, len);
	return len == 0 || (*unit == '<' && unit[len - 1] == '>' && memchr(unit, ' ', len) == NULL);
}

static int
read_chatml(const char *unit, size_t len, struct turn *out, struct err *err)
{
	static const char *const ends[] = { "<|im_end|>", "<|end|>", "<|endoftext|>", "</s>" };
	size_t words;

	out->role = role_at(unit, len, &words);
	if (out->role == NULL)
		return is_mark(unit, len) ? 0
		    : err_set(err, ERR_DATA, "words before the mark of the first turn");
	out->text = unit + words;
	out->len = len - words;
	for (size_t i = 0; i < out->len; i++) {
		size_t k = 0;

		while (k < NELEM(ends) && !span_begins(out->text + i, out->len - i, ends[k]))
			k++;
		if (k < NELEM(ends))
			out->len = i;
	}
	return 1;
}

/* ---- Claude Code ---- */

enum mark { NOTHING, TYPED, SAID, NOTICE };

static enum mark
mark_of(const char *s, size_t len, size_t *words)
{
	static const struct { const char *text; enum mark mark; } marks[] = { TEXT_SCREEN_MARKS };

	for (size_t i = 0; i < NELEM(marks); i++) {
		if (span_begins(s, len, marks[i].text)) {
			*words = strlen(marks[i].text);
			return marks[i].mark;
		}
	}
	*words = 0;
	return NOTHING;
}

/* Whether a line is the call of a tool: "Read(src/box.c)", "mcp-server - tool (MCP)(a: 1)" */
static bool
is_call(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && (ascii_is_alnum(s[i]) || strchr("_-. ", s[i]) != NULL))
		i++;
	return i > 0 && i < len && s[i] == '(' &&
	    (s[i - 1] != ' ' || span_begins(s + i, len - i, "(MCP)"));
}

/*
 * Appends the lines without the two blanks before each. false: one of them has a corner, so this is
 * the result of a tool or the answer to a command, and nobody said it.
 */
static bool
read_indented(const char *s, size_t len, struct buf *b)
{
	const char *end = s + len;

	for (const char *nl; s < end; s = nl + 1) {
		size_t blanks = 0;

		nl = ascii_line_end(s, end);
		while (s + blanks < nl && s[blanks] == ' ')
			blanks++;
		if (span_begins(s + blanks, (size_t)(nl - s) - blanks, "\xe2\x8e\xbf"))
			return false;
		buf_add(b, s + MIN(blanks, 2), (size_t)(nl - s) - MIN(blanks, 2));
		if (nl < end)
			buf_addc(b, '\n');
	}
	return true;
}

static int
read_screen(const char *unit, size_t len, struct arena *a, struct turn *out)
{
	size_t words, first = (size_t)(ascii_line_end(unit, unit + len) - unit);
	enum mark mark = mark_of(unit, first, &words);

	if ((mark != TYPED && mark != SAID) ||
	    (mark == SAID && is_call(unit + words, first - words)))
		return 0;
	/* "/model" is a command; a path has a second slash */
	if (mark == TYPED && words < first && unit[words] == '/' &&
	    memchr(unit + words + 1, '/', first - words - 1) == NULL)
		return 0;
	LOCAL(buf) b = buf_of(len + 1);
	bool said = read_indented(unit + words, len - words, &b);
	out->role = mark == TYPED ? "user" : "assistant";
	out->text = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	return said;
}

/* ---- turns ---- */

static const char *
chatml_detect(const char *bytes, size_t len)
{
	const char *p = bytes, *end = bytes + len;
	bool user = false, model = false, typed = false, said = false, claude = false;

	for (const char *nl; p < end; p = nl + 1) {
		const char *role;
		size_t n, words;

		nl = ascii_line_end(p, end);
		n = (size_t)(nl - p);
		if ((role = role_at(p, n, &words)) != NULL) {
			user |= strcmp(role, "user") == 0;
			model |= strcmp(role, "assistant") == 0;
		}
		enum mark mark = mark_of(p, n, &words);
		typed |= mark == TYPED;
		said |= mark == SAID;
		for (size_t i = 0; i + 11 <= n && !claude; i++)
			claude = memcmp(p + i, "Claude Code", 11) == 0 ||
			    span_begins(p + i, n - i, "  \xe2\x8e\xbf");
	}
	return user && model ? "chatml" : typed && said && claude ? "claude-text" : NULL;
}

static void *
chatml_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct chatml *m = xcalloc(1, sizeof(*m));

	(void)bytes;
	(void)len;
	(void)name;
	m->chatml = strcmp(form, "chatml") == 0;
	return m;
}

static bool
chatml_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct chatml *m = state;
	size_t words;

	(void)around;
	if (!m->chatml)
		return mark_of(line, len, &words) != NOTHING;
	if (role_at(line, len, &words) == NULL ||
	    (m->sort != '\0' && (m->sort == 'i') != (line[2] == 'i')))
		return false;
	m->sort = line[2];
	return true;
}

static int
chatml_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	const struct chatml *m = state;
	int got = m->chatml ? read_chatml(unit, len, out, err) : read_screen(unit, len, a, out);

	if (got <= 0)
		return 0;
	out->text = ascii_trim(out->text, &out->len);
	return out->len > 0;
}

const struct reader chatml_reader = {
	.forms = { { "chatml", { ".txt", ".chatml" } }, { "claude-text", { ".txt" } } },
	.detect = chatml_detect,
	.open = chatml_open,
	.close = free,
	.begins = chatml_begins,
	.read = chatml_read,
};
