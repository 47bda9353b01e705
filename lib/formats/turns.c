/*
 * turns.c: the door to transcripts that are no JSON: each form has a reader of its own, and exactly
 * one of them is open.
 */
#include <time.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "formats/aider.h"
#include "formats/captions.h"
#include "formats/chat_window.h"
#include "formats/chatlog.h"
#include "formats/chatml.h"
#include "formats/labelled.h"
#include "formats/mail.h"
#include "formats/table.h"
#include "formats/turns.h"

struct turns {
	struct chatlog *chatlog;
	struct chat_window *copied;
	struct aider *aider;
	struct labelled *dialog;
	struct table *table;
	struct captions *captions;
	struct chatml *marked;             /* none of these: mail */
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
	time_t at;

	time_civil(us, &c);
	tm.tm_year = c.year - 1900;
	tm.tm_mon = c.month - 1;
	tm.tm_mday = c.day;
	tm.tm_hour = c.hour;
	tm.tm_min = c.minute;
	tm.tm_sec = c.second;
	tm.tm_isdst = -1;
	at = mktime(&tm);
	return at == (time_t)-1 ? us : (int64_t)at * US_PER_S;
}

bool
turns_starts(const char *line, size_t len, const char *what)
{
	return len >= strlen(what) && memcmp(line, what, strlen(what)) == 0;
}

size_t
turns_mark(const char *s, size_t len, char *as)
{
	static const struct { const char *mark; char as; } marks[] = {
		{ "\xe2\x80\x8e", '\0' }, { "\xe2\x80\x8f", '\0' }, { "\xe2\x80\xaa", '\0' }, { "\xe2\x80\xac", '\0' }, { "\xe2\x80\xaf", ' ' }, { "\xc2\xa0", ' ' },
	};

	if (len == 0 || (unsigned char)*s < 0xc2)
		return 0;
	for (size_t i = 0; i < NELEM(marks); i++)
		if (turns_starts(s, len, marks[i].mark)) {
			*as = marks[i].as;
			return strlen(marks[i].mark);
		}
	return 0;
}

bool
turns_is_fence(const char *line, size_t len)
{
	while (len > 0 && *line == ' ') {
		line++;
		len--;
	}
	return len >= 3 && (memcmp(line, "```", 3) == 0 || memcmp(line, "~~~", 3) == 0);
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

		while (t->len > 0 && ascii_is_space(t->text[t->len - 1]))
			t->len--;
		for (line = t->len; line > 0 && t->text[line - 1] != '\n'; line--)
			;
		if (t->len - line < 3 || strspn(t->text + line, "-*_= ") < t->len - line)
			break;
		t->len = line;
	}
}

/* ---- turns ---- */

const char *
turns_detect(const char *bytes, size_t len)
{
	const char *form;

	if (captions_detect(bytes, len))
		return "captions";
	if ((form = chatml_detect(bytes, len)) != NULL ||
	    (form = chatlog_detect(bytes, len)) != NULL)
		return form;
	if (table_detect(bytes, len))
		return "csv";
	return aider_detect(bytes, len)	     ? "aider"
	    : labelled_detect(bytes, len)    ? "dialog"
	    : chat_window_detect(bytes, len) ? "copied"
					     : NULL;
}

struct turns *
turns_new(const char *form, const char *bytes, size_t len, const char *name)
{
	struct turns *t = xcalloc(1, sizeof(*t));

	if (strcmp(form, "mail") == 0)
		return t;
	if (strcmp(form, "csv") == 0)
		t->table = table_new();
	else if (strcmp(form, "copied") == 0)
		t->copied = chat_window_new(bytes, len, name);
	else if (strcmp(form, "captions") == 0)
		t->captions = captions_new(bytes, len, name);
	else if (strcmp(form, "aider") == 0)
		t->aider = aider_new(bytes, len);
	else if (strcmp(form, "dialog") == 0)
		t->dialog = labelled_new(bytes, len);
	else if ((t->chatlog = chatlog_new(form, bytes, len, name)) == NULL &&
	    (t->marked = chatml_new(form)) == NULL) {
		free(t);
		return NULL;
	}
	return t;
}

void
turns_free(struct turns *t)
{
	if (t == NULL)
		return;
	chatlog_free(t->chatlog);
	chat_window_free(t->copied);
	aider_free(t->aider);
	labelled_free(t->dialog);
	table_free(t->table);
	captions_free(t->captions);
	chatml_free(t->marked);
	free(t);
}

bool
turns_in_doubt(const struct turns *t)
{
	return t->chatlog != NULL && chatlog_in_doubt(t->chatlog);
}

/* Its units say their charset. */
static bool
is_mail(const struct turns *t)
{
	return t->chatlog == NULL && t->copied == NULL && t->aider == NULL && t->dialog == NULL &&
	    t->table == NULL && t->captions == NULL && t->marked == NULL;
}

bool
turns_begins(struct turns *t, const char *line, size_t len)
{
	if (t->aider != NULL)
		return aider_begins(t->aider, line, len);
	if (t->dialog != NULL)
		return labelled_begins(t->dialog, line, len);
	if (t->table != NULL)
		return table_begins(t->table, line, len);
	if (t->captions != NULL)
		return captions_begins(t->captions, line, len);
	if (t->marked != NULL)
		return chatml_begins(t->marked, line, len);
	if (t->copied != NULL)
		return chat_window_begins(t->copied, line, len);
	return t->chatlog != NULL ? chatlog_begins(t->chatlog, line, len) : mail_begins(line, len);
}

static int
read_any(struct turns *t, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	*out = (struct turn){ "", "", TIME_NONE, NULL, unit, len, "", NULL, "" };
	if (t->table != NULL)
		return table_read(t->table, unit, len, a, &out->record, err);
	if (t->captions != NULL)
		return captions_read(t->captions, unit, len, a, out);
	if (t->marked != NULL)
		return chatml_read(t->marked, unit, len, a, out);
	if (t->aider != NULL)
		return aider_read(t->aider, unit, len, a, out);
	if (t->copied != NULL)
		return chat_window_read(t->copied, unit, len, a, out, err);
	if (t->chatlog != NULL)
		return chatlog_read(t->chatlog, unit, len, a, out, err);
	return t->dialog != NULL ? labelled_read(t->dialog, unit, len, a, out, err)
				 : mail_read(unit, len, a, &out->record, err);
}

/* The readers see what is no text, too: they count turns, and know who spoke last. */
int
turns_read(struct turns *t, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	int got = read_any(t, unit, len, a, out, err);

	/* a year that is none, or the last hours of 9999, west of Greenwich */
	if (got > 0 && out->time_us != TIME_NONE && !time_has_text(out->time_us))
		out->time_us = TIME_NONE;
	/* nor could a program read it that this one is piped into: JSON has none */
	if (!is_mail(t) && memchr(unit, '\0', len) != NULL)
		return err_set(err, ERR_DATA, "a NUL in it");
	if (is_mail(t) ||
	    (utf8_valid(unit, len) &&
		(got <= 0 ||
		    (utf8_valid(out->name, strlen(out->name)) &&
			utf8_valid(out->part, strlen(out->part))))))
		return got;
	return err_set(err, ERR_DATA, "not UTF-8 (iconv -f LATIN1 may make it so)");
}
