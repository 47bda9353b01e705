/*
 * aider.c: the history that Aider keeps of its chats, .aider.chat.history.md. It holds "# aider
 * chat started at TIME", "#### " before what was typed, "> " before what Aider did, and between
 * these the answers of the model. Lines that Aider itself writes end with two blanks.
 */
#include "base/ascii.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/span.h"
#include "formats/reader.h"

/* as often it is looked ahead whether a block of code was closed */
#define LOOKS_MOST 2000

enum part { NOTHING, STARTED, TYPED, DID, SAID };

struct aider {
	/* in this file the lines that a person typed end with two blanks */
	bool typed_blanks;
	struct turns_fence fence;          /* the block of code that is open */
	unsigned looks;
	enum part last;                    /* what the line before was */
	/* the start of the chat that is being read, as it is written */
	char started[TIME_TEXT];
	int64_t started_us;
};

static bool
ends_in_blanks(const char *line, size_t len)
{
	return len >= 2 && line[len - 1] == ' ' && line[len - 2] == ' ';
}

static enum part
line_part(const struct aider *d, const char *line, size_t len)
{
	if (span_begins(line, len, "# aider chat started at "))
		return STARTED;
	if (span_begins(line, len, "#### ") && (!d->typed_blanks || ends_in_blanks(line, len)))
		return TYPED;
	if (span_begins(line, len, "> ") && (!d->typed_blanks || ends_in_blanks(line, len)))
		return DID;
	return SAID;
}

static bool
is_own_line(const void *state, const char *line, size_t len, struct turns_fence *behind)
{
	(void)behind;
	return line_part(state, line, len) != SAID;
}

/*
 * Whether a line of Aider's form, within a block of code, shows that the block was never closed:
 * where what is typed ends with blanks, every such line behind a blank one does.
 */
static bool
breaks_fence(struct aider *d, enum part part, const struct turns_around *around)
{
	const struct turns_fence none = { 0, 0 };

	if (!around->after_blank && part != STARTED)
		return false;
	return part == STARTED || d->typed_blanks ||
	    (d->looks++ < LOOKS_MOST &&
		turns_fence_is_broken(&d->fence, &none, around, is_own_line, d));
}

static bool
aider_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct aider *d = state;
	enum part part = line_part(d, line, len);

	if (part == SAID)
		turns_fence_see(&d->fence, line, len);
	else if (d->fence.n > 0 && !breaks_fence(d, part, around))
		part = SAID;
	else
		d->fence.n = 0;
	bool begins = part != d->last;
	d->last = part;
	return begins;
}

/*
 * Reads what was typed, without the marks and blanks that Aider puts around each line. false:
 * nothing was typed.
 */
static bool
read_typed(const char *unit, size_t len, struct arena *a, struct turn *out)
{
	const char *p = unit, *line;
	size_t n;
	LOCAL(buf) b = buf_of(len + 1);

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
	return strcmp(out->text, "<blank>") != 0;
}

static int
aider_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct aider *d = state;
	static const char head[] = "# aider chat started at ";
	size_t first = (size_t)(ascii_line_end(unit, unit + len) - unit);
	int64_t us;

	(void)err;
	out->part = arena_strndup(a, d->started, strlen(d->started));
	out->time_us = d->started_us;
	out->local = true;
	out->no_time = d->started[0] != '\0' ? out->part : NULL;
	switch (line_part(d, unit, first)) {
	case STARTED:
		first -= sizeof(head) - 1;
		d->started_us = time_parse(unit + sizeof(head) - 1, first, &us, NULL) == 0
		    ? us
		    : TIME_NONE;
		snprintf(d->started, sizeof(d->started), "%.*s", (int)first,
		    unit + sizeof(head) - 1);
		return 0;
	case TYPED:
		if (!read_typed(unit, len, a, out))
			return 0;
		break;
	case DID:
		return 0;
	default:
		out->role = "assistant";
		break;
	}
	turns_trim(out);
	return out->len > 0;
}

static const char *
aider_detect(const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	size_t n;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL)
		if (span_begins(line, n, "# aider chat started at "))
			return "aider";
	return NULL;
}

static void *
aider_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct aider *d = xcalloc(1, sizeof(*d));
	const char *p = bytes, *line;
	size_t n;

	(void)form;
	(void)name;
	d->started_us = TIME_NONE;
	while (!d->typed_blanks && (line = turns_line(&p, bytes + len, &n)) != NULL)
		d->typed_blanks = span_begins(line, n, "#### ") && ends_in_blanks(line, n);
	return d;
}

const struct reader aider_reader = {
	.forms = { { "aider", { ".md" } } },
	.detect = aider_detect,
	.open = aider_open,
	.close = free,
	.begins = aider_begins,
	.read = aider_read,
};
