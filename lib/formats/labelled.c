/*
 * labelled.c: conversations as plain text or Markdown, where each turn begins with its speaker:
 * "Mara: words", "**User:**", "## Assistant". A line begins a turn (is its head) when a speaker
 * stands before its colon, or alone in a heading or in bold, and when he is among those who speak
 * in the file (labelled_sides.c). Lines in blocks of code begin none; but a block that was never
 * closed ends at the next head.
 */
#include "base/ascii.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/span.h"
#include "formats/labelled_head.h"
#include "formats/logtime.h"
#include "formats/reader.h"

/* as often it is looked ahead whether a block of code was closed */
#define LOOKS_MOST 2000

struct labelled {
	struct labelled_sides *sides;
	struct turns_fence fence;          /* the block of code that is open */
	unsigned looks;
	bool seen;                         /* a turn has been read */
	unsigned lines;                    /* lines read so far */
	/*
	 * Markdown may begin with front matter between two "---": there is some; this line is
	 * inside
	 */
	bool has_front, front;
	struct log_day days;               /* only its order of day and month is used */
};

static bool
is_bar(const char *line, size_t len)
{
	return len == 3 && memcmp(line, "---", 3) == 0;
}

/*
 * Skips front matter: keys and values between two "---" at the start of Markdown. Where both sides
 * of a chat stand before colons there, and one of them below as well, the two "---" are rules
 * between turns and nothing is skipped.
 */
static const char *
skip_front_matter(const char *bytes, size_t len)
{
	const char *p = bytes, *line, *behind = NULL;
	bool user = false, assistant = false;
	struct labelled_head h;
	size_t n;

	if ((line = turns_line(&p, bytes + len, &n)) == NULL || !is_bar(line, n))
		return bytes;
	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		if (behind == NULL && is_bar(line, n)) {
			behind = p;
			if (!user || !assistant)
				return behind;
		} else if (labelled_head(line, n, &h) && h.role != NULL && !h.alone) {
			if (behind != NULL)
				return bytes;
			user |= strcmp(h.role, "user") == 0;
			assistant |= strcmp(h.role, "assistant") == 0;
		}
	}
	return behind != NULL ? behind : bytes;
}

/* ---- dialogues ---- */

/*
 * Moves a time that stands alone in the first line of the words to t->time_us. false: there is
 * none.
 */
static bool
cut_time_line(struct labelled *d, struct turn *t)
{
	const char *p = t->text, *line;
	size_t n;

	if ((line = turns_line(&p, t->text + t->len, &n)) == NULL ||
	    !log_moment(&d->days, line, n, &t->time_us))
		return false;
	t->local = true;
	t->len -= (size_t)(p - t->text);
	t->text = p;
	return true;
}

/* Learns from the times of the turns whether their days begin with the day or the month. */
static void
learn_order(struct labelled *d, const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	struct log_order order = { .sure = false };
	bool below = false;
	struct labelled_head h;
	size_t n;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		bool head = labelled_sides_head(d->sides, line, n, &h);

		if (head && h.said_at != NULL)
			log_order_see_in(&order, h.said_at, h.said_at_len);
		else if (below)
			log_order_see_in(&order, line, n);
		below = head && h.words >= n;
	}
	d->days.month_first = log_order_month_first(&order, false);
}

/* A file is a dialogue when both a person and an assistant speak. */
static const char *
labelled_detect(const char *bytes, size_t len)
{
	const char *p = skip_front_matter(bytes, len);
	struct labelled_sides *sides = labelled_sides_learn(p, (size_t)(bytes + len - p));
	bool is = labelled_sides_is_chat(sides);

	labelled_sides_free(sides);
	return is ? "dialog" : NULL;
}

bool
turns_may_be_talk(const char *bytes, size_t len)
{
	struct labelled_sides *sides = labelled_sides_learn(bytes, len);
	bool may = labelled_sides_may_talk(sides);

	labelled_sides_free(sides);
	return may;
}

static void *
labelled_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct labelled *d = xcalloc(1, sizeof(*d));
	const char *p = skip_front_matter(bytes, len);

	(void)form;
	(void)name;
	d->has_front = p != bytes;
	d->sides = labelled_sides_learn(p, (size_t)(bytes + len - p));
	learn_order(d, bytes, len);
	return d;
}

static void
labelled_close(void *state)
{
	struct labelled *d = state;

	labelled_sides_free(d->sides);
	free(d);
}

static bool
is_head_line(const void *state, const char *line, size_t len, struct turns_fence *behind)
{
	struct labelled_head h;

	if (!labelled_sides_head(((const struct labelled *)state)->sides, line, len, &h))
		return false;
	labelled_head_fence(line, len, &h, behind);
	return true;
}

static bool
labelled_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct labelled *d = state;
	struct labelled_head h;

	if (is_bar(line, len) && (d->front || (d->has_front && d->lines == 0))) {
		d->front = !d->front;
		d->lines++;
		return false;
	}
	d->lines++;
	if (d->front || turns_fence_see(&d->fence, line, len) ||
	    !labelled_sides_head(d->sides, line, len, &h))
		return false;
	if (d->fence.n > 0) {
		/* looking ahead takes the line away */
		struct turns_fence behind = { 0, 0 };

		labelled_head_fence(line, len, &h, &behind);
		if (d->looks++ >= LOOKS_MOST ||
		    !turns_fence_is_broken(&d->fence, &behind, around, is_head_line, d))
			return false;
		d->fence = behind;
		return true;
	}
	labelled_head_fence(line, len, &h, &d->fence);
	return true;
}

/*
 * Whether the line is what is left of a head, "er:** words", or has something before one. It is
 * asked of the first line of a file, which may have been torn.
 */
static bool
is_torn_head(const struct labelled *d, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	size_t n = colon != NULL ? (size_t)(colon - line) : 0;

	if (colon == NULL)
		return false;
	while (n > 0 && strchr("*_`] ", line[n - 1]) != NULL)
		n--;
	return labelled_sides_end_so(d->sides, line, n);
}

/* Whether a unit is the title, rules and remarks before the first turn. */
static bool
is_preamble(const struct labelled *d, const char *unit, size_t len)
{
	const char *p = skip_front_matter(unit, len), *line;
	size_t n;

	if (p == unit && (line = turns_line(&p, unit + len, &n)) != NULL) {
		if (is_torn_head(d, line, n))
			return false;
		p = unit;
	}
	while ((line = turns_line(&p, unit + len, &n)) != NULL)
		if (n > 0 && strchr("#<*_->=|", *line) == NULL && memchr(line, ':', n) == NULL)
			return false;
	return true;
}

/*
 * Whether a unit is about the file: "**User:** Ann" and "**Created:** 3/1/2026" one below the
 * other, before the first turn.
 */
static bool
is_file_header(const char *unit, size_t len)
{
	const char *p = unit, *line;
	unsigned lines = 0;
	size_t n;

	while ((line = turns_line(&p, unit + len, &n)) != NULL) {
		if (n == 0)
			continue;
		for (size_t i = 2; i + 3 < n && line[i] != '*'; i++)
			if (line[i + 1] == ':' && memcmp(line + i + 2, "**", 2) == 0)
				lines++;
		if (!span_begins(line, n, "**") || lines == 0)
			return false;
		if (lines == 2)
			return true;
	}
	return false;
}

/* Removes "Powered by [a program](its page)", which some exports have behind the last turn. */
static void
cut_advert(struct turn *t)
{
	size_t line = t->len;

	while (line > 0 && t->text[line - 1] != '\n')
		line--;
	if (line == 0 || !span_begins(t->text + line, t->len - line, "Powered by ["))
		return;
	t->len = line;
	turns_trim(t);
}

/* Some exports put ">" before every line of a turn. */
static void
unquote(struct arena *a, struct turn *t)
{
	const char *p = t->text, *end = p + t->len, *line;
	char *plain = arena_alloc(a, t->len + 1);
	size_t n, len = 0;

	while ((line = turns_line(&p, end, &n)) != NULL) {
		size_t mark = n > 1 && line[1] == ' ' ? 2 : 1;

		if (n == 0 || *line != '>')
			return;
		memcpy(plain + len, line + mark, n - MIN(n, mark));
		len += n - MIN(n, mark);
		plain[len++] = '\n';
	}
	t->text = plain;
	t->len = len;
	turns_trim(t);
}

static int
labelled_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct labelled *d = state;
	size_t first = (size_t)(ascii_line_end(unit, unit + len) - unit);
	struct labelled_head h;

	if (!d->seen && is_file_header(unit, len))
		return 0;
	if (!labelled_sides_head(d->sides, unit, first, &h)) {
		if (!d->seen && is_preamble(d, unit, len))
			return 0;
		return err_set(err, ERR_DATA,
		    "words before anybody speaks (NAME: or a heading); --from=text takes a turn a "
		    "paragraph");
	}
	d->seen = true;
	out->role = h.role != NULL ? h.role : "";
	if (h.role == NULL)
		out->name = arena_strndup(a, h.name, strlen(h.name));
	if (h.said_at != NULL && time_parse(h.said_at, h.said_at_len, &out->time_us, NULL) != 0 &&
	    time_parse_written(h.said_at, h.said_at_len, &out->time_us) != 0) {
		out->local = log_moment(&d->days, h.said_at, h.said_at_len, &out->time_us);
		if (!out->local)
			out->time_us = TIME_NONE;
	}
	out->text = unit + h.words;
	out->len = len - h.words;
	turns_trim(out);
	if (out->time_us == TIME_NONE && cut_time_line(d, out))
		turns_trim(out);
	if (h.alone)
		unquote(a, out);
	cut_advert(out);
	return out->len > 0;
}

const struct reader labelled_reader = {
	.forms = { { "dialog", { ".txt", ".md", ".text" } } },
	.detect = labelled_detect,
	.open = labelled_open,
	.close = labelled_close,
	.begins = labelled_begins,
	.read = labelled_read,
};
