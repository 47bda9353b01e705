/*
 * turns.c: all calls go through the rows of the reader table (reader.h), so this file knows no
 * format by name. A struct turns is one open file and the reader of its format.
 */
#include <time.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "formats/reader.h"
#include "formats/turns.h"

#define READER_ADDRESS(name) &name,
static const struct reader *const readers[] = { READERS(READER_ADDRESS) };
#undef READER_ADDRESS

struct turns {
	const struct reader *reader;
	void *state;                       /* of the reader */
};

/* ---- for the readers ---- */

const char *
turns_line(const char **p, const char *end, size_t *len)
{
	const char *line = *p, *nl;

	if (line >= end)
		return NULL;
	nl = memchr(line, '\n', (size_t)(end - line));
	*p = nl != NULL ? nl + 1 : end;
	*len = (size_t)((nl != NULL ? nl : end) - line);
	if (*len > 0 && line[*len - 1] == '\r')
		(*len)--;
	return line;
}

int64_t
turns_local_time(int64_t us)
{
	struct civil c;
	struct tm tm = { 0 };

	time_civil(us, &c);
	tm.tm_year = c.year - 1900;
	tm.tm_mon = c.month - 1;
	tm.tm_mday = c.day;
	tm.tm_hour = c.hour;
	tm.tm_min = c.minute;
	tm.tm_sec = c.second;
	tm.tm_isdst = -1;
	time_t at = mktime(&tm);
	return at == (time_t)-1 ? us : (int64_t)at * US_PER_S;
}

size_t
turns_mark(const char *s, size_t len, char *as)
{
	uint32_t cp = 0;
	size_t n;

	if (len == 0 || (unsigned char)*s < 0xc2 || (n = utf8_decode(s, s + len, &cp)) == 0 ||
	    utf8_bom(s, n) == 0)
		return 0;
	*as = cp == 0xa0 || cp == 0x202f ? ' ' : '\0';
	return n;
}

/* How many marks a fence has that begins here; 0: none does. *bare: nothing else stands there. */
static size_t
fence_marks(const char *line, size_t len, bool *bare)
{
	size_t i = 0, n;

	while (i < len && line[i] == ' ')
		i++;
	if (i == len || (line[i] != '`' && line[i] != '~'))
		return 0;
	for (n = 0; i + n < len && line[i + n] == line[i]; n++)
		;
	*bare = true;
	for (size_t k = i + n; k < len; k++) {
		*bare &= ascii_is_space(line[k]);
		if (line[k] == '`' && line[i] == '`')
			return 0;
	}
	return n >= 3 ? n : 0;
}

bool
turns_fence_see(struct turns_fence *f, const char *line, size_t len)
{
	bool bare;
	size_t n = fence_marks(line, len, &bare), at = 0;

	if (n == 0)
		return false;
	while (line[at] == ' ')
		at++;
	if (f->n == 0 || (line[at] == f->mark && n == f->n && !bare))
		*f = (struct turns_fence){ line[at], n };
	else if (line[at] == f->mark && n >= f->n && bare)
		f->n = 0;
	else
		return false;
	return true;
}

/* as many lines behind one are looked at to know whether a block of code was closed */
#define LOOK_LINES 200

/* What is odd when the text is read with a block open or not: heads and openings inside of one. */
static unsigned
oddities(struct turns_fence f, const char *bytes, size_t len, bool whole, turns_head_fn *is_head,
	const void *state)
{
	const char *p = bytes, *line;
	bool blank = false;
	unsigned odd = 0;
	size_t n;

	for (int i = 0; i < LOOK_LINES && (line = turns_line(&p, bytes + len, &n)) != NULL; i++) {
		bool was = f.n > 0, fence = turns_fence_see(&f, line, n);
		struct turns_fence behind = { 0, 0 };

		if (fence)
			odd += was && f.n > 0;
		else if ((blank || !was) && n > 0 && is_head(state, line, n, &behind)) {
			odd += was;
			f = was ? f : behind;
		}
		blank = n == 0;
	}
	return odd + (whole && p >= bytes + len && f.n > 0);
}

bool
turns_fence_is_broken(const struct turns_fence *f, const struct turns_fence *behind,
	const struct turns_around *around, turns_head_fn *is_head, const void *state)
{
	const char *bytes;
	size_t len;

	if (!around->after_blank || around->ahead == NULL)
		return false;
	bool whole = around->ahead(around->arg, &bytes, &len);
	return oddities(*behind, bytes, len, whole, is_head, state) <
	    oddities(*f, bytes, len, whole, is_head, state);
}

void
turns_trim(struct turn *t)
{
	while (t->len > 0 && (*t->text == '\n' || *t->text == '\r')) {
		t->text++;
		t->len--;
	}
	for (;;) {
		size_t line;

		t->len = ascii_end(t->text, t->len);
		for (line = t->len; line > 0 && t->text[line - 1] != '\n'; line--)
			;
		if (t->len - line < 3 || strspn(t->text + line, "-*_= ") < t->len - line)
			break;
		t->len = line;
	}
}

/* ---- turns ---- */

const struct turns_form *
turns_form(size_t i)
{
	for (size_t k = 0; k < NELEM(readers); k++)
		for (const struct turns_form *f = readers[k]->forms; f->name != NULL; f++)
			if (i-- == 0)
				return f;
	return NULL;
}

const char *
turns_detect(const char *bytes, size_t len)
{
	const char *form = NULL;

	for (size_t i = 0; i < NELEM(readers) && form == NULL; i++)
		form = readers[i]->detect(bytes, len);
	return form;
}

static const struct reader *
reader_of(const char *form)
{
	for (size_t i = 0; i < NELEM(readers); i++)
		for (const struct turns_form *f = readers[i]->forms; f->name != NULL; f++)
			if (strcmp(f->name, form) == 0)
				return readers[i];
	return NULL;
}

struct turns *
turns_open(const char *form, const char *bytes, size_t len, const char *name)
{
	const struct reader *reader = reader_of(form);
	struct turns *t;

	if (reader == NULL)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->reader = reader;
	t->state = reader->open != NULL ? reader->open(form, bytes, len, name) : NULL;
	return t;
}

void
turns_close(struct turns *t)
{
	if (t == NULL)
		return;
	if (t->reader->close != NULL)
		t->reader->close(t->state);
	free(t);
}

bool
turns_in_doubt(const struct turns *t)
{
	return t->reader->in_doubt != NULL && t->reader->in_doubt(t->state);
}

bool
turns_any_charset(const struct turns *t)
{
	return t->reader->any_charset;
}

bool
turns_begins(struct turns *t, const char *line, size_t len, const struct turns_around *around)
{
	return t->reader->begins(t->state, line, len, around);
}

static bool
is_utf8(const char *s)
{
	return utf8_valid(s, strlen(s));
}

/* A reader gets units that are not text as well: it counts turns, and knows who spoke last. */
int
turns_read(struct turns *t, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	*out = (struct turn){ .role = "", .name = "", .time_us = TIME_NONE, .text = unit,
		.len = len, .id = "", .was_id = "", .part = "" };
	int got = t->reader->read(t->state, unit, len, a, out, err);
	out->written_us = out->time_us;
	if (got > 0 && out->local && out->time_us != TIME_NONE)
		out->time_us = turns_local_time(out->time_us);
	/* records cannot hold the year 0, or 10000 as it begins west of Greenwich */
	if (got > 0 && out->time_us != TIME_NONE && !time_has_text(out->time_us))
		out->time_us = TIME_NONE;
	if (t->reader->any_charset)
		return got;
	/* in JSON a string may hold a NUL, but programs that read our output could not */
	if (memchr(unit, '\0', len) != NULL)
		return err_set(err, ERR_DATA, "a NUL in it");
	if (utf8_valid(unit, len) && (got <= 0 || (is_utf8(out->name) && is_utf8(out->part))))
		return got;
	return err_set(err, ERR_DATA, "not UTF-8 (iconv -f %s may make it so)",
	    utf8_latin1(unit, len) ? "LATIN1" : "ITS-ENCODING");
}
