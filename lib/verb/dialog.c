/*
 * dialog.c: a line is the head of a turn when what stands before its colon, or all that a heading or bold line has, is a speaker. Speakers
 * are the words for the two sides of a chat, and names that come back: which they are is learnt from the file's first bytes, so that
 * "Note: ..." within an answer is no one's turn. Blocks of code are not looked into.
 *
 * Aider writes "# aider chat started at TIME", "#### what was typed", "> what it did", and between these what the model said; it ends its own
 * lines with two blanks.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "verb/dialog.h"

#define NAMES_MOST  256
#define NAME_BYTES  48
#define NAME_WORDS  4

struct name { char text[NAME_BYTES + 1]; unsigned count; };

struct dialog {
	bool aider, typed_blanks;          /* Aider's; its lines of a person end with two blanks */
	struct name *names;                /* [n_names], of the first bytes */
	size_t n_names;
	bool all_names;                    /* most lines have one: any name is one */
	bool fence, seen;                  /* inside a block of code; some turn has begun */
	int last;                          /* Aider: enum part of the line before */
	char started[TIME_TEXT];           /* the time of the chat at hand, as Aider wrote it */
	int64_t started_us;
};

/* ---- who ---- */

static const struct { const char *word, *role; } sides[] = {
	{ "user", "user" }, { "human", "user" }, { "me", "user" }, { "you", "user" }, { "prompt", "user" }, { "you said", "user" }, { "user said", "user" },
	{ "customer", "user" }, { "assistant", "assistant" }, { "ai", "assistant" }, { "bot", "assistant" }, { "model", "assistant" },
	{ "chatgpt", "assistant" }, { "chatgpt said", "assistant" }, { "gpt", "assistant" }, { "claude", "assistant" }, { "gemini", "assistant" },
	{ "copilot", "assistant" }, { "github copilot", "assistant" }, { "cursor", "assistant" }, { "grok", "assistant" }, { "deepseek", "assistant" },
	{ "agent", "assistant" }, { "chatbot", "assistant" }, { "response", "assistant" }, { "perplexity", "assistant" }, { "mistral", "assistant" },
	{ "ai assistant", "assistant" }, { "system", "system" }, { "tool", "tool" },
};
/* Words that stand before colons and are nobody's name. */
static const char *const no_names[] = {
	"note", "notes", "warning", "error", "example", "examples", "output", "input", "result", "results", "step", "summary", "answer", "question", "todo",
	"tip", "hint", "usage", "see", "date", "time", "title", "subject", "to", "from", "cc", "re", "http", "https", "file", "code", "source", "important",
	"conclusion", "total", "pros", "cons", "fix", "cause", "problem", "solution", "topic", "created", "exported", "updated", "model", "link", "tags",
};

static const char *
side_of(const char *name)
{
	for (size_t i = 0; i < NELEM(sides); i++)
		if (strcmp(sides[i].word, name) == 0)
			return sides[i].role;
	return NULL;
}

static void
lower(char *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		out[i] = ascii_lower(s[i]);
	out[len] = '\0';
}

struct head {
	char name[NAME_BYTES + 1];
	const char *role;          /* NULL: a name */
	size_t words;              /* where in the line these begin */
	bool alone;                /* no colon: a heading, or bold */
	const char *said_at;       /* what stands in brackets after the name; NULL: nothing */
	size_t said_at_len;
};

static bool
is_mark(char c)
{
	return c == '*' || c == '_' || c == '#' || c == '>' || c == '`' || c == '[' || c == ']';
}

/* Blanks, Markdown's marks and small pictures, before a name. */
static size_t
skip_marks(const char *s, size_t len, bool *marked)
{
	size_t i = 0;

	*marked = false;
	while (i < len) {
		if (s[i] == ' ') {
			i++;
		} else if (is_mark(s[i])) {
			*marked = true;
			i++;
		} else if (len - i >= 4 && memcmp(s + i, "\xf0\x9f", 2) == 0) {
			i += 4;
		} else if (len - i >= 3 && (memcmp(s + i, "\xef\xb8\x8f", 3) == 0 || memcmp(s + i, "\xe2\x80\x8d", 3) == 0)) {
			i += 3;
		} else {
			break;
		}
	}
	return i;
}

/* "2026-03-01 10:05:00 ", "10:05] " before a name: where that begins; 0: there is none. */
static size_t
skip_time(const char *s, size_t len, size_t from, struct head *h)
{
	size_t i = from;
	bool clock = false;

	for (; i < len && strchr("0123456789:./-,TZ+ ])", s[i]) != NULL; i++)
		clock |= s[i] == ':' && i > from && ascii_is_digit(s[i - 1]) && i + 1 < len && ascii_is_digit(s[i + 1]);
	if (!clock || i == len || i == from || strchr(" ])", s[i - 1]) == NULL)
		return 0;
	h->said_at = s + from;
	h->said_at_len = i - from;
	while (h->said_at_len > 0 && strchr(" ,])", h->said_at[h->said_at_len - 1]) != NULL)
		h->said_at_len--;
	return i;
}

/* A name has few words and begins with a capital, or with a letter that is not Latin. */
static bool
looks_like_name(const char *s, size_t len)
{
	unsigned words = 1;

	if (len == 0 || len > NAME_BYTES || !((*s >= 'A' && *s <= 'Z') || (unsigned char)*s >= 0xc3))
		return false;
	for (size_t i = 0; i < len; i++) {
		words += s[i] == ' ';
		if (strchr("!\"$%&/;<=>?@\\[]^{}|~,#*`", s[i]) != NULL)
			return false;
	}
	return words <= NAME_WORDS;
}

/* Whether a line may be a head; whether it is one, who says it, is for its caller. */
static bool
head_of(const char *s, size_t len, struct head *h)
{
	bool marked;
	size_t start = skip_marks(s, len, &marked), end, n;
	char low[NAME_BYTES + 1];

	h->said_at = NULL;
	if (start < len && ascii_is_digit(s[start]) && (n = skip_time(s, len, start, h)) > 0) {
		bool more;

		start = n + skip_marks(s + n, len - n, &more);
		marked |= more;
	}
	for (end = start; end < len && end - start <= NAME_BYTES + 30; end++)
		if (s[end] == ':' || is_mark(s[end]) || s[end] == '(' || (len - end >= 3 && memcmp(s + end, "\xef\xbc\x9a", 3) == 0))
			break;
	for (n = end - start; n > 0 && s[start + n - 1] == ' '; n--)
		;
	if (n == 0 || n > NAME_BYTES)
		return false;
	/* "(10:05)", then marks and the colon, in whatever order they come */
	if (end < len && s[end] == '(') {
		const char *close = memchr(s + end, ')', len - end);

		if (close == NULL)
			return false;
		h->said_at = s + end + 1;
		h->said_at_len = (size_t)(close - h->said_at);
		end = (size_t)(close + 1 - s);
	}
	h->alone = true;
	for (; end < len; end++) {
		if (s[end] == ':')
			h->alone = false;
		else if (len - end >= 3 && memcmp(s + end, "\xef\xbc\x9a", 3) == 0 && h->alone)
			h->alone = false, end += 2;
		else if (!(is_mark(s[end]) || (s[end] == ' ' && !h->alone) || (s[end] == ' ' && end + 1 == len)))
			break;
		if (!h->alone && end + 1 < len && s[end + 1] == ' ') {
			end += 2;
			break;
		}
	}
	/* a colon in the middle of something: "10:05", "http://" */
	if (!h->alone && end < len && end > 0 && s[end - 1] == ':' && s[end] != ' ')
		return false;
	if (h->alone && (end < len || !marked))
		return false;
	lower(low, s + start, n);
	h->role = side_of(low);
	memcpy(h->name, s + start, n);
	h->name[n] = '\0';
	h->words = MIN(end, len);
	if (h->role != NULL)
		return true;
	for (size_t i = 0; i < NELEM(no_names); i++)
		if (strcmp(no_names[i], low) == 0)
			return false;
	return looks_like_name(s + start, n);
}

static struct name *
find_name(const struct dialog *d, const char *text)
{
	for (size_t i = 0; i < d->n_names; i++)
		if (strcmp(d->names[i].text, text) == 0)
			return &d->names[i];
	return NULL;
}

static bool
is_head(const struct dialog *d, const char *line, size_t len, struct head *h)
{
	const struct name *name;

	if (!head_of(line, len, h))
		return false;
	if (h->role != NULL)
		return true;
	name = find_name(d, h->name);
	return (d->all_names && !h->alone) || (name != NULL && name->count > 1);
}

static bool
is_fence(const char *line, size_t len)
{
	while (len > 0 && *line == ' ') {
		line++;
		len--;
	}
	return len >= 3 && (memcmp(line, "```", 3) == 0 || memcmp(line, "~~~", 3) == 0);
}

/* A block of code that begins behind the name, and does not end in the same line. */
static bool
opens_fence(const char *line, size_t len, const struct head *h)
{
	const char *p = line + MIN(h->words, len), *end = line + len;
	size_t n = 0;

	if (!is_fence(p, (size_t)(end - p)))
		return false;
	for (; end - p >= 3; p++)
		if (memcmp(p, "```", 3) == 0 || memcmp(p, "~~~", 3) == 0) {
			n++;
			p += 2;
		}
	return n == 1;
}

static void
learn_names(struct dialog *d, const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	size_t n, lines = 0, heads = 0;
	bool fence = false;
	struct head h;

	d->names = xcalloc(NAMES_MOST, sizeof(*d->names));
	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		struct name *name;

		if (is_fence(line, n))
			fence = !fence;
		if (n == 0 || fence)
			continue;
		lines++;
		if (!head_of(line, n, &h))
			continue;
		fence = opens_fence(line, n, &h);
		heads++;
		if ((name = find_name(d, h.name)) != NULL) {
			name->count++;
		} else if (d->n_names < NAMES_MOST) {
			name = &d->names[d->n_names++];
			memcpy(name->text, h.name, sizeof(h.name));
			name->count = 1;
		}
	}
	d->all_names = heads * 2 >= lines;
}

/* ---- Aider ---- */

enum part { NOTHING, STARTED, TYPED, DID, SAID };

static bool
starts(const char *line, size_t len, const char *what)
{
	return len >= strlen(what) && memcmp(line, what, strlen(what)) == 0;
}

static bool
ends_in_blanks(const char *line, size_t len)
{
	return len >= 2 && line[len - 1] == ' ' && line[len - 2] == ' ';
}

static enum part
part_of(const struct dialog *d, const char *line, size_t len)
{
	if (starts(line, len, "# aider chat started at "))
		return STARTED;
	if (starts(line, len, "#### ") && (!d->typed_blanks || ends_in_blanks(line, len)))
		return TYPED;
	if (starts(line, len, "> ") && (!d->typed_blanks || ends_in_blanks(line, len)))
		return DID;
	return SAID;
}

static bool
aider_begins(struct dialog *d, const char *line, size_t len)
{
	enum part part = d->fence ? SAID : part_of(d, line, len);
	bool begins = (int)part != d->last;

	if (part == SAID && is_fence(line, len))
		d->fence = !d->fence;
	d->last = (int)part;
	return begins;
}

/* What was typed, without what Aider put around each line. */
static int
read_typed(const char *unit, size_t len, struct arena *a, struct turn *out)
{
	const char *p = unit, *line;
	size_t n;
	struct buf b;

	buf_init(&b, len + 1);
	while ((line = turns_line(&p, unit + len, &n)) != NULL) {
		if (b.len > 0)
			buf_addc(&b, '\n');
		if (ends_in_blanks(line, n))
			n -= 2;
		if (n > 5)
			buf_add(&b, line + 5, n - 5);
	}
	out->role = "user";
	out->text = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	buf_release(&b);
	return strcmp(out->text, "<blank>") != 0;
}

static int
aider_read(struct dialog *d, const char *unit, size_t len, struct arena *a, struct turn *out)
{
	static const char head[] = "# aider chat started at ";
	const char *nl = memchr(unit, '\n', len);
	size_t first = nl != NULL ? (size_t)(nl - unit) : len;
	int64_t us;

	out->part = arena_strndup(a, d->started, strlen(d->started));
	out->time_us = d->started_us;
	switch (part_of(d, unit, first)) {
	case STARTED:
		first -= sizeof(head) - 1;
		d->started_us = time_parse(unit + sizeof(head) - 1, first, &us, NULL) == 0 ? turns_local_time(us) : TIME_NONE;
		snprintf(d->started, sizeof(d->started), "%.*s", (int)first, unit + sizeof(head) - 1);
		return 0;
	case TYPED:
		return read_typed(unit, len, a, out);
	case DID:
		return 0;
	default:
		out->role = "assistant";
		return 1;
	}
}

/* ---- dialogues ---- */

const char *
dialog_sniff(const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	size_t n;
	bool user = false, assistant = false, fence = false;
	struct head h;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		if (starts(line, n, "# aider chat started at "))
			return "aider";
		if (is_fence(line, n))
			fence = !fence;
		if (fence || !head_of(line, n, &h) || h.role == NULL)
			continue;
		fence = opens_fence(line, n, &h);
		user |= strcmp(h.role, "user") == 0;
		assistant |= strcmp(h.role, "assistant") == 0;
		if (user && assistant)
			return "dialog";
	}
	return NULL;
}

struct dialog *
dialog_new(const char *form, const char *bytes, size_t len)
{
	bool aider = strcmp(form, "aider") == 0;
	struct dialog *d;
	const char *p = bytes, *line;
	size_t n;

	if (!aider && strcmp(form, "dialog") != 0)
		return NULL;
	d = xcalloc(1, sizeof(*d));
	d->aider = aider;
	d->started_us = TIME_NONE;
	if (!aider)
		learn_names(d, bytes, len);
	while (aider && !d->typed_blanks && (line = turns_line(&p, bytes + len, &n)) != NULL)
		d->typed_blanks = starts(line, n, "#### ") && ends_in_blanks(line, n);
	return d;
}

void
dialog_free(struct dialog *d)
{
	if (d == NULL)
		return;
	free(d->names);
	free(d);
}

bool
dialog_begins(struct dialog *d, const char *line, size_t len)
{
	struct head h;

	if (d->aider)
		return aider_begins(d, line, len);
	if (is_fence(line, len))
		d->fence = !d->fence;
	if (d->fence || !is_head(d, line, len, &h))
		return false;
	d->fence = opens_fence(line, len, &h);
	return true;
}

/* Markdown's title, its rules and remarks, before anybody speaks. */
static bool
is_preamble(const char *unit, size_t len)
{
	const char *p = unit, *line;
	size_t n;

	while ((line = turns_line(&p, unit + len, &n)) != NULL)
		if (n > 0 && strchr("#<*_->=|", *line) == NULL && memchr(line, ':', n) == NULL)
			return false;
	return true;
}

/* Blank lines at both ends go, and rules that part turns. */
static void
trim(struct turn *t)
{
	while (t->len > 0 && (*t->text == '\n' || *t->text == '\r')) {
		t->text++;
		t->len--;
	}
	for (;;) {
		size_t line;

		while (t->len > 0 && ascii_is_space(t->text[t->len - 1]))
			t->len--;
		for (line = t->len; line > 0 && t->text[line - 1] != '\n'; line--)
			;
		if (t->len - line < 3 || strspn(t->text + line, "-*_= ") < t->len - line)
			break;
		t->len = line;
	}
}

int
dialog_read(struct dialog *d, const char *unit, size_t len, struct arena *a, struct turn *out, struct err *err)
{
	const char *nl = memchr(unit, '\n', len);
	struct head h;

	if (d->aider) {
		int got = aider_read(d, unit, len, a, out);

		if (got > 0)
			trim(out);
		return got > 0 && out->len > 0;
	}
	if (!is_head(d, unit, nl != NULL ? (size_t)(nl - unit) : len, &h)) {
		if (!d->seen && is_preamble(unit, len))
			return 0;
		return err_set(err, ERR_DATA, "words before anybody speaks (NAME: or a heading); --from=text takes a turn a paragraph");
	}
	d->seen = true;
	out->role = h.role != NULL ? h.role : "";
	if (h.role == NULL)
		out->name = arena_strndup(a, h.name, strlen(h.name));
	if (h.said_at != NULL && time_parse(h.said_at, h.said_at_len, &out->time_us, NULL) != 0 &&
	    time_parse_written(h.said_at, h.said_at_len, &out->time_us) != 0)
		out->time_us = TIME_NONE;
	out->text = unit + h.words;
	out->len = len - h.words;
	trim(out);
	return out->len > 0;
}
