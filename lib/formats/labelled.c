/*
 * labelled.c: conversations as plain text or Markdown, where each turn begins with its speaker:
 * "Mara: words", "**User:**", "## Assistant". A line begins a turn (is its head) when a speaker
 * stands before its colon, or alone in a heading or in bold. Speakers are the words for the two
 * sides of a chat, and names that come back: these are learnt from the first bytes of the file, so
 * that "Note: ..." within an answer begins no turn. Lines in blocks of code begin none either.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "clean/speaker.h"
#include "formats/logtime.h"
#include "formats/reader.h"

#define NAMES_MOST 256

struct name { char text[SPEAKER_BYTES + 1]; unsigned count; };

struct labelled {
	struct name *names;                /* [n_names], found in the first bytes */
	size_t n_names;
	/* most lines have a name, so every name counts, not only those that come back */
	bool all_names;
	bool fence, seen;                  /* inside a block of code; a turn has been read */
	unsigned lines;                    /* lines read so far */
	/*
	 * Markdown may begin with front matter between two "---": there is some; this line is
	 * inside
	 */
	bool has_front, front;
	struct log_day days;               /* only its order of day and month is used */
};

/* ---- who ---- */

struct head {
	char name[SPEAKER_BYTES + 1];
	const char *role;          /* NULL: a name */
	size_t words;              /* offset of the words in the line */
	bool alone;                /* there is no colon: it is a heading, or bold */
	const char *said_at;       /* the time in brackets after the name; NULL: none */
	size_t said_at_len;
};

static bool
is_mark(char c)
{
	return c == '*' || c == '_' || c == '#' || c == '>' || c == '`' || c == '[' || c == ']';
}

/* Skips blanks, marks of Markdown and emoji before a name. */
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
		} else if (len - i >= 3 &&
		    (memcmp(s + i, "\xef\xb8\x8f", 3) == 0 ||
			memcmp(s + i, "\xe2\x80\x8d", 3) == 0)) {
			i += 3;
		} else {
			break;
		}
	}
	return i;
}

/*
 * Skips a time before a name: "2026-03-01 10:05:00 ", "10:05] ". Returns where the name begins; 0:
 * there is no time.
 */
static size_t
skip_time(const char *s, size_t len, size_t from, struct head *h)
{
	size_t i = from;
	bool clock = false;

	for (; i < len && strchr("0123456789:./-,TZ+ ])", s[i]) != NULL; i++)
		clock |= s[i] == ':' && i > from && ascii_is_digit(s[i - 1]) && i + 1 < len &&
		    ascii_is_digit(s[i + 1]);
	if (!clock || i == len || i == from || strchr(" ])", s[i - 1]) == NULL)
		return 0;
	h->said_at = s + from;
	h->said_at_len = i - from;
	while (h->said_at_len > 0 && strchr(" ,])", h->said_at[h->said_at_len - 1]) != NULL)
		h->said_at_len--;
	return i;
}

/* Whether a line looks like a head. Whether the name in it speaks here, the caller decides. */
static bool
head_of(const char *s, size_t len, struct head *h)
{
	bool marked;
	size_t start = skip_marks(s, len, &marked), end, n;

	h->said_at = NULL;
	if (start < len && ascii_is_digit(s[start]) && (n = skip_time(s, len, start, h)) > 0) {
		bool more;

		start = n + skip_marks(s + n, len - n, &more);
		marked |= more;
	}
	for (end = start; end < len && end - start <= SPEAKER_BYTES + 30; end++)
		if (s[end] == ':' || is_mark(s[end]) || s[end] == '(' ||
		    (len - end >= 3 && memcmp(s + end, "\xef\xbc\x9a", 3) == 0))
			break;
	for (n = end - start; n > 0 && s[start + n - 1] == ' '; n--)
		;
	if (n == 0 || n > SPEAKER_BYTES)
		return false;
	/* skips "(10:05)" or "(the model) (10:05)", then marks and the colon in any order */
	while (end < len && s[end] == '(') {
		const char *close = memchr(s + end, ')', len - end);

		if (close == NULL)
			return false;
		h->said_at = s + end + 1;
		h->said_at_len = (size_t)(close - h->said_at);
		end = (size_t)(close + 1 - s);
		end += end + 1 < len && s[end] == ' ' && s[end + 1] == '(';
	}
	h->alone = true;
	for (; end < len; end++) {
		if (s[end] == ':')
			h->alone = false;
		else if (len - end >= 3 && memcmp(s + end, "\xef\xbc\x9a", 3) == 0 && h->alone)
			h->alone = false, end += 2;
		else if (!(is_mark(s[end]) || (s[end] == ' ' && !h->alone) ||
			     (s[end] == ' ' && end + 1 == len)))
			break;
		if (!h->alone && end + 1 < len && s[end + 1] == ' ') {
			end += 2;
			break;
		}
	}
	/* a colon in the middle of something, as in "10:05" or "http://", makes no head */
	if (!h->alone && end < len && end > 0 && s[end - 1] == ':' && s[end] != ' ')
		return false;
	if (h->alone && (end < len || !marked))
		return false;
	h->role = speaker_side(s + start, n, false);
	memcpy(h->name, s + start, n);
	h->name[n] = '\0';
	h->words = MIN(end, len);
	return h->role != NULL ||
	    (!speaker_is_nobody(s + start, n) && speaker_is_name(s + start, n, SPEAKER_HEAD));
}

static struct name *
find_name(const struct labelled *d, const char *text)
{
	for (size_t i = 0; i < d->n_names; i++)
		if (strcmp(d->names[i].text, text) == 0)
			return &d->names[i];
	return NULL;
}

static bool
is_head(const struct labelled *d, const char *line, size_t len, struct head *h)
{
	const struct name *name;

	if (!head_of(line, len, h))
		return false;
	if (h->role != NULL)
		return true;
	name = find_name(d, h->name);
	return (d->all_names && !h->alone) || (name != NULL && name->count > 1);
}

/* Whether a block of code begins behind the name and does not end in the same line. */
static bool
opens_fence(const char *line, size_t len, const struct head *h)
{
	const char *p = line + MIN(h->words, len), *end = line + len;
	size_t n = 0;

	if (!turns_is_fence(p, (size_t)(end - p)))
		return false;
	for (; end - p >= 3; p++)
		if (memcmp(p, "```", 3) == 0 || memcmp(p, "~~~", 3) == 0) {
			n++;
			p += 2;
		}
	return n == 1;
}

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
	struct head h;
	size_t n;

	if ((line = turns_line(&p, bytes + len, &n)) == NULL || !is_bar(line, n))
		return bytes;
	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		if (behind == NULL && is_bar(line, n)) {
			behind = p;
			if (!user || !assistant)
				return behind;
		} else if (head_of(line, n, &h) && h.role != NULL && !h.alone) {
			if (behind != NULL)
				return bytes;
			user |= strcmp(h.role, "user") == 0;
			assistant |= strcmp(h.role, "assistant") == 0;
		}
	}
	return behind != NULL ? behind : bytes;
}

static void
learn_names(struct labelled *d, const char *bytes, size_t len)
{
	const char *p = skip_front_matter(bytes, len), *line;
	size_t n, lines = 0, heads = 0;
	bool fence = false;
	struct head h;

	d->names = xcalloc(NAMES_MOST, sizeof(*d->names));
	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		struct name *name;

		if (turns_is_fence(line, n))
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
	struct head h;
	size_t n;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		bool head = is_head(d, line, n, &h);

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
	const char *p = skip_front_matter(bytes, len), *line;
	size_t n;
	bool user = false, assistant = false, fence = false;
	struct head h;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		if (turns_is_fence(line, n))
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

static void *
labelled_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct labelled *d = xcalloc(1, sizeof(*d));

	(void)form;
	(void)name;
	d->has_front = skip_front_matter(bytes, len) != bytes;
	learn_names(d, bytes, len);
	learn_order(d, bytes, len);
	return d;
}

static void
labelled_close(void *state)
{
	struct labelled *d = state;

	free(d->names);
	free(d);
}

static bool
labelled_begins(void *state, const char *line, size_t len)
{
	struct labelled *d = state;
	struct head h;

	if (is_bar(line, len) && (d->front || (d->has_front && d->lines == 0))) {
		d->front = !d->front;
		d->lines++;
		return false;
	}
	d->lines++;
	if (turns_is_fence(line, len))
		d->fence = !d->fence;
	if (d->front || d->fence || !is_head(d, line, len, &h))
		return false;
	d->fence = opens_fence(line, len, &h);
	return true;
}

/* Whether a unit is the title, rules and remarks before the first turn. */
static bool
is_preamble(const char *unit, size_t len)
{
	const char *p = skip_front_matter(unit, len), *line;
	size_t n;

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
		if (!turns_starts(line, n, "**") || lines == 0)
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
	if (line == 0 || !turns_starts(t->text + line, t->len - line, "Powered by ["))
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
	const char *nl = memchr(unit, '\n', len);
	struct head h;

	if (!d->seen && is_file_header(unit, len))
		return 0;
	if (!is_head(d, unit, nl != NULL ? (size_t)(nl - unit) : len, &h)) {
		if (!d->seen && is_preamble(unit, len))
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
	    time_parse_written(h.said_at, h.said_at_len, &out->time_us) != 0 &&
	    !log_moment(&d->days, h.said_at, h.said_at_len, &out->time_us))
		out->time_us = TIME_NONE;
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
