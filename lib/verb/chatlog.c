/*
 * chatlog.c: a table of what a line of each looks like: an expression, and which of its groups are the day, the time, the name and
 * the words. WhatsApp's turns may go on over lines; those of IRC are a line each, and the day stands in lines of its own or in the file's
 * name. A log's times are those of the place where it was written, taken to be that of this machine.
 */
#include <regex.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "verb/chatlog.h"

#define GROUPS 8
#define SAME_MOST 256                      /* turns of one minute that are told apart when they are alike */

enum kind { SAID, ACTION, DAY, NOTICE };

/* Groups: 0 is none. */
static const struct form {
	const char *name, *regex;
	enum kind kind;
	uint8_t day, time, who, words;
} forms[] = {
#define WA_DAY  "([0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4})"
#define WA_TIME "((\xe4\xb8\x8a\xe5\x8d\x88|\xe4\xb8\x8b\xe5\x8d\x88)?[0-9]{1,2}[:.][0-9]{2}([:.][0-9]{2})?( ?[aApP]\\.? ?[mM]\\.?)?)"
	{ "whatsapp", "^\\[" WA_DAY "[.,]*( [a-zA-Z\xc3\xa0]{1,3})? " WA_TIME "\\] (.*)$", SAID, 1, 3, 0, 7 },
	{ "whatsapp", "^" WA_DAY "[.,]*( [a-zA-Z\xc3\xa0]{1,3})? " WA_TIME " ?- (.*)$", SAID, 1, 3, 0, 7 },
#define CLOCK "([0-9]{2}:[0-9]{2}(:[0-9]{2})?)"
#define FULL  "([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(:[0-9]{2})?)[^ \t]*"
	{ "irc", "^--- (Log opened|Day changed|Log closed) (.*)$", DAY, 2, 0, 0, 0 },
	{ "irc", "^\\*\\*\\*\\* (BEGIN|ENDING) LOGGING AT (.*)$", DAY, 2, 0, 0, 0 },
	{ "irc", "^" CLOCK " (-!-|!).*$", NOTICE, 0, 0, 0, 0 },
	{ "irc", "^" CLOCK " <[ @+%&~]?([^ >]+)> (.*)$", SAID, 0, 1, 3, 4 },
	{ "irc", "^" CLOCK "  \\* ([^ ]+) (.*)$", ACTION, 0, 1, 3, 4 },
	{ "irc", "^\\[" CLOCK "\\] \\*\\*\\* .*$", NOTICE, 0, 0, 0, 0 },
	{ "irc", "^\\[" CLOCK "\\] <[ @+%&~]?([^ >]+)> (.*)$", SAID, 0, 1, 3, 4 },
	{ "irc", "^\\[" CLOCK "\\] \\* ([^ ]+) (.*)$", ACTION, 0, 1, 3, 4 },
	{ "irc", "^\\[?" FULL "\\]? <[ @+%&~]?([^ >]+)> (.*)$", SAID, 1, 2, 4, 5 },
	{ "irc", "^\\[?" FULL "\\]? \\*\\*\\* .*$", NOTICE, 0, 0, 0, 0 },
	{ "irc", "^\\[?" FULL "\\]? \\* ([^ ]+) (.*)$", ACTION, 1, 2, 4, 5 },
	{ "irc", "^" FULL "\t(-->|<--|--|=!=)\t.*$", NOTICE, 0, 0, 0, 0 },
	{ "irc", "^" FULL "\t *\\*\t([^ ]+) (.*)$", ACTION, 1, 2, 4, 5 },
	{ "irc", "^" FULL "\t[@+%&~]?([^\t ]+)\t(.*)$", SAID, 1, 2, 4, 5 },
	{ "irc", "^([A-Z][a-z]{2} [0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) <([^ >]+)>[ \t](.*)$", SAID, 1, 2, 3, 4 },
	{ "irc", "^([A-Z][a-z]{2} [0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) \\*.*$", NOTICE, 0, 0, 0, 0 },
};

struct chatlog {
	regex_t regex[NELEM(forms)];
	bool compiled[NELEM(forms)];
	bool month_first;
	bool per_line;                     /* no turn goes on over lines */
	int year, month, day;              /* of the lines that say only a time; 0: not known */
	uint64_t same[SAME_MOST];          /* hashes of the last turns */
	unsigned n_same;
	int64_t moment_us;
	struct buf line;
};

/* ---- lines ---- */

/* Without marks of direction, and blanks that are no spaces as spaces. */
static void
plain_line(struct buf *out, const char *s, size_t len)
{
	static const struct { const char *from, *to; } marks[] = {
		{ "\xe2\x80\x8e", "" }, { "\xe2\x80\x8f", "" }, { "\xe2\x80\xaf", " " }, { "\xc2\xa0", " " }, { "\xe2\x80\xaa", "" }, { "\xe2\x80\xac", "" },
	};

	buf_reset(out);
	for (size_t i = 0; i < len; ) {
		size_t k = 0;

		while (k < NELEM(marks) && strncmp(s + i, marks[k].from, MIN(len - i, strlen(marks[k].from))) != 0)
			k++;
		if ((unsigned char)s[i] >= 0x80 && k < NELEM(marks) && len - i >= strlen(marks[k].from)) {
			buf_adds(out, marks[k].to);
			i += strlen(marks[k].from);
		} else {
			buf_addc(out, s[i++]);
		}
	}
}

static const struct form *
form_of(struct chatlog *l, const char *line, regmatch_t groups[GROUPS])
{
	for (size_t i = 0; i < NELEM(forms); i++)
		if (l->compiled[i] && regexec(&l->regex[i], line, GROUPS, groups, 0) == 0)
			return &forms[i];
	return NULL;
}

static const struct form *
look(struct chatlog *l, const char *line, size_t len, regmatch_t groups[GROUPS])
{
	plain_line(&l->line, line, MIN(len, 2000));
	return form_of(l, l->line.data, groups);
}

static const char *
group(const struct chatlog *l, const regmatch_t *g, char *out, size_t size)
{
	size_t len = g->rm_so < 0 ? 0 : MIN((size_t)(g->rm_eo - g->rm_so), size - 1);

	if (len > 0)
		memcpy(out, l->line.data + g->rm_so, len);
	out[len] = '\0';
	return out;
}

/* Where in the line as it is stands what is at this place in the plain line. */
static size_t
place_in(const char *s, size_t len, size_t plain)
{
	size_t i = 0;

	for (size_t at = 0; i < len && at < plain; ) {
		if (strncmp(s + i, "\xe2\x80", MIN(len - i, 2)) == 0 && len - i >= 3 && strchr("\x8e\x8f\xaa\xac", s[i + 2]) != NULL) {
			i += 3;
			continue;
		}
		i += strncmp(s + i, "\xe2\x80\xaf", MIN(len - i, 3)) == 0 ? 3 : strncmp(s + i, "\xc2\xa0", MIN(len - i, 2)) == 0 ? 2 : 1;
		at++;
	}
	return i;
}

/* ---- times ---- */

/* Three numbers, however they are parted; false: not three. */
static bool
numbers_of(const char *s, int n[3], int width[3])
{
	int k = 0;

	memset(n, 0, 3 * sizeof(*n));
	memset(width, 0, 3 * sizeof(*width));
	for (; *s != '\0' && k < 3; s++) {
		if (ascii_is_digit(*s)) {
			n[k] = n[k] * 10 + (*s - '0');
			width[k]++;
		} else {
			k++;
		}
	}
	return k == 2 && width[0] > 0 && width[1] > 0 && width[2] > 0;
}

/* A day of numbers, in this file's order, or in words; without its year that of the lines before. */
static void
set_day(struct chatlog *l, const char *s)
{
	int n[3], width[3];
	char text[256];
	int64_t us;
	struct civil c;

	if (numbers_of(s, n, width)) {
		bool year_first = width[0] == 4;

		l->year = year_first ? n[0] : n[2] < 100 ? 2000 + n[2] : n[2];
		l->month = year_first || !l->month_first ? n[1] : n[0];
		l->day = year_first ? n[2] : l->month_first ? n[1] : n[0];
		return;
	}
	snprintf(text, sizeof(text), "%s %d", s, l->year);
	if (time_parse_written(s, strlen(s), &us) != 0 && time_parse_written(text, strlen(text), &us) != 0)
		return;
	time_civil(us, &c);
	l->year = c.year;
	l->month = c.month;
	l->day = c.day;
}

/* "10.01.05 p. m." on the day that is known. */
static int64_t
time_on_day(const struct chatlog *l, const char *clock)
{
	char text[96];
	size_t at;
	int64_t us;

	if (l->year == 0)
		return TIME_NONE;
	at = (size_t)snprintf(text, sizeof(text), "%04d-%02d-%02d ", l->year, l->month, l->day);
	for (const char *p = clock; *p != '\0' && at + 2 < sizeof(text); p++) {
		if (*p == '.' && ascii_is_digit(p[1]))
			text[at++] = ':';
		else if (*p != '.' && *p != ' ')
			text[at++] = *p;
	}
	text[at] = '\0';
	return time_parse_written(text, at, &us) == 0 ? turns_local_time(us) : TIME_NONE;
}

/* In which order day and month stand: a number over 12 tells, else the days do not go back, else the clock of twelve hours. */
static void
learn_order(struct chatlog *l, const char *bytes, size_t len)
{
	int last[2] = { 0, 0 }, back[2] = { 0, 0 };
	bool halves = false;
	regmatch_t g[GROUPS];

	for (const char *p = bytes, *end = bytes + len, *nl; p < end; p = nl + 1) {
		const struct form *f;
		char day[40], clock[40];
		int n[3], width[3];

		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			nl = end;
		f = look(l, p, (size_t)(nl - p), g);
		if (f == NULL || f->day == 0 || f->kind != SAID || !numbers_of(group(l, &g[f->day], day, sizeof(day)), n, width) || width[0] == 4)
			continue;
		if (n[0] > 12 || n[1] > 12 || strchr(day, '.') != NULL) {
			l->month_first = n[1] > 12 && strchr(day, '.') == NULL;
			return;
		}
		halves |= strpbrk(group(l, &g[f->time], clock, sizeof(clock)), "aApP") != NULL;
		for (int k = 0; k < 2; k++) {
			int at = (n[2] * 13 + n[1 - k]) * 32 + n[k];           /* 0: the day first */

			back[k] += at < last[k];
			last[k] = at;
		}
	}
	l->month_first = back[0] != back[1] ? back[1] < back[0] : halves;
}

/* A day in the file's name: "znc-2026-03-01.log", "20260301.log" */
static void
day_of_name(struct chatlog *l, const char *name)
{
	const char *base = strrchr(name, '/');

	for (const char *p = base != NULL ? base + 1 : name; *p != '\0'; p++) {
		int y, m, d, n = 0;

		if (!ascii_is_digit(*p) || (p > name && ascii_is_digit(p[-1])))
			continue;
		if (((sscanf(p, "%4d-%2d-%2d%n", &y, &m, &d, &n) == 3 && n == 10) || (sscanf(p, "%4d%2d%2d%n", &y, &m, &d, &n) == 3 && n == 8)) &&
		    y > 1970 && m >= 1 && m <= 12 && d >= 1 && d <= 31) {
			l->year = y;
			l->month = m;
			l->day = d;
			return;
		}
	}
}

/* ---- turns ---- */

const char *
chatlog_sniff(const char *bytes, size_t len)
{
	static const char *const names[] = { "irc", "whatsapp" };
	const char *end = bytes + len;

	for (size_t i = 0; i < NELEM(names); i++) {
		struct chatlog *l = chatlog_new(names[i], "", 0, "");
		unsigned fits = 0, lines = 0;
		regmatch_t g[GROUPS];

		for (const char *p = bytes, *nl; p < end && lines < 20; p = nl + 1) {
			if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
				nl = end;
			if (nl == p)
				continue;
			lines++;
			fits += look(l, p, (size_t)(nl - p - (nl[-1] == '\r')), g) != NULL;
		}
		chatlog_free(l);
		/* turns of several lines may leave few that begin one */
		if (fits > 0 && fits * (i == 0 ? 2 : 4) >= lines)
			return names[i];
	}
	return NULL;
}

struct chatlog *
chatlog_new(const char *form, const char *bytes, size_t len, const char *name)
{
	struct chatlog *l;

	if (strcmp(form, "irc") != 0 && strcmp(form, "whatsapp") != 0)
		return NULL;
	l = xcalloc(1, sizeof(*l));
	buf_init(&l->line, 1u << 16);
	for (size_t i = 0; i < NELEM(forms); i++)
		l->compiled[i] = strcmp(forms[i].name, form) == 0 && regcomp(&l->regex[i], forms[i].regex, REG_EXTENDED) == 0;
	l->per_line = strcmp(form, "irc") == 0;
	learn_order(l, bytes, len);
	day_of_name(l, name);
	return l;
}

void
chatlog_free(struct chatlog *l)
{
	if (l == NULL)
		return;
	for (size_t i = 0; i < NELEM(forms); i++)
		if (l->compiled[i])
			regfree(&l->regex[i]);
	buf_release(&l->line);
	free(l);
}

bool
chatlog_begins(struct chatlog *l, const char *line, size_t len)
{
	regmatch_t g[GROUPS];

	return l->per_line || look(l, line, len, g) != NULL;
}

/* The turn's hash, and how many of this moment had it before. */
static const char *
id_of(struct chatlog *l, const char *unit, size_t len, int64_t time_us, struct arena *a)
{
	uint64_t hash = hash64(unit, len, (uint64_t)time_us);
	unsigned before = 0;
	char text[40];

	if (time_us != l->moment_us)
		l->n_same = 0;
	l->moment_us = time_us;
	for (unsigned i = 0; i < l->n_same; i++)
		before += l->same[i] == hash;
	if (l->n_same < SAME_MOST)
		l->same[l->n_same++] = hash;
	snprintf(text, sizeof(text), before == 0 ? "%016llx" : "%016llx:%u", (unsigned long long)hash, before);
	return arena_strndup(a, text, strlen(text));
}

/* WhatsApp marks what is no text: "<Media omitted>", "\u200eimage omitted", "\u200e<attached: 1.jpg>". false: a notice. */
static bool
stand_in(const char *text, size_t len, struct arena *a, struct turn *out)
{
	bool marked = len >= 3 && memcmp(text, "\xe2\x80\x8e", 3) == 0;
	const char *colon;
	struct buf b;

	if (memchr(text, '\n', len) != NULL)
		return true;
	text += marked ? 3 : 0;
	len -= marked ? 3 : 0;
	if (len > 2 && text[0] == '<' && text[len - 1] == '>') {
		text++;
		len -= 2;
		colon = memchr(text, ':', len);
		buf_init(&b, 1u << 16);
		if (colon != NULL)
			buf_addf(&b, "[file:%.*s]", (int)(len - (size_t)(colon + 1 - text)), colon + 1);
		else
			buf_addf(&b, "[%.*s]", (int)len, text);
	} else if (marked && len <= 60) {
		buf_init(&b, 1u << 16);
		buf_addf(&b, "[%.*s]", (int)len, text);
	} else {
		return !marked;
	}
	out->text = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	buf_release(&b);
	return true;
}

/* "Mara: words", after the time. false: nobody says it. */
static bool
read_whatsapp(const char *rest, size_t len, struct arena *a, struct turn *out)
{
	const char *colon = memchr(rest, ':', MIN(len, 100));
	size_t n;

	while (colon != NULL && colon + 1 < rest + len && colon[1] != ' ' && colon[1] != '\n')
		colon = memchr(colon + 1, ':', (size_t)(rest + len - colon - 1));
	if (colon == NULL || colon - rest > 100 || memchr(rest, '"', (size_t)(colon - rest)) != NULL)
		return false;
	/* marks of direction, and "~" before a name that is in nobody's book */
	while (rest < colon && (*rest == '~' || *rest == ' ' || (colon - rest >= 3 && memcmp(rest, "\xe2\x80", 2) == 0)))
		rest += *rest == '\xe2' ? 3 : 1;
	n = (size_t)(colon - rest);
	while (n > 0 && (rest[n - 1] == ' ' || (n >= 2 && memcmp(rest + n - 2, "\xc2\xa0", 2) == 0) || (n >= 3 && memcmp(rest + n - 3, "\xe2\x80", 2) == 0)))
		n -= rest[n - 1] == ' ' ? 1 : rest[n - 2] == '\xc2' ? 2 : 3;
	out->name = arena_strndup(a, rest, n);
	out->text = colon + 1;
	out->len -= (size_t)(colon + 1 - rest);
	return true;
}

/* "User: ..." after a time, as programs write it, is a side of a chat and no name. */
static void
name_to_role(struct turn *out)
{
	static const char *const words[][2] = { { "user", "user" }, { "human", "user" }, { "assistant", "assistant" }, { "ai", "assistant" },
	    { "bot", "assistant" }, { "chatgpt", "assistant" }, { "system", "system" } };
	char low[16];
	size_t n = 0;

	for (; n + 1 < sizeof(low) && out->name[n] != '\0'; n++)
		low[n] = ascii_lower(out->name[n]);
	low[n] = '\0';
	for (size_t i = 0; i < NELEM(words) && out->name[n] == '\0'; i++) {
		if (strcmp(low, words[i][0]) == 0) {
			out->role = words[i][1];
			out->name = "";
			return;
		}
	}
}

int
chatlog_read(struct chatlog *l, const char *unit, size_t len, struct arena *a, struct turn *out, struct err *err)
{
	const char *nl = memchr(unit, '\n', len), *end = unit + len;
	regmatch_t g[GROUPS];
	const struct form *f = look(l, unit, nl != NULL ? (size_t)(nl - unit) : len, g);
	char text[200];
	size_t words;

	if (f == NULL)
		return err_set(err, ERR_DATA, "no line of a log like the others");
	if (f->day > 0)
		set_day(l, group(l, &g[f->day], text, sizeof(text)));
	if (f->kind == DAY || f->kind == NOTICE)
		return 0;
	out->time_us = time_on_day(l, group(l, &g[f->time], text, sizeof(text)));
	out->id = id_of(l, unit, len, out->time_us, a);
	words = place_in(unit, len, (size_t)g[f->words].rm_so);
	out->text = unit + words;
	out->len = len - words;
	if (f->who > 0) {
		group(l, &g[f->who], text, sizeof(text));
		out->name = arena_strndup(a, text, strlen(text));
	} else {
		const char *rest = out->text;

		if (!read_whatsapp(rest, out->len, a, out))
			return 0;
		out->len = (size_t)(end - out->text);
		if (out->len > 0 && *out->text == ' ') {
			out->text++;
			out->len--;
		}
		if (!stand_in(out->text, out->len, a, out))
			return 0;
	}
	name_to_role(out);
	if (f->kind == ACTION) {
		char *typed = arena_alloc(a, out->len + 5);

		memcpy(typed, "/me ", 4);
		memcpy(typed + 4, out->text, out->len);
		out->text = typed;
		out->len += 4;
	}
	return 1;
}
