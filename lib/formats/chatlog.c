/*
 * chatlog.c: what chat programs write: the logs of IRC clients, the exports of WhatsApp, LINE and
 * KakaoTalk, the chat of a Zoom meeting. A table has for each format what its lines look like, as
 * regular expressions, and which groups of an expression are the day, the time, the name and the
 * words. A turn may go on over several lines, but in IRC each line is a turn. The day stands in
 * each line, in lines of its own, or in the file's name. Times are local to the place where the log
 * was written, which is taken to be that of this machine.
 */
#include <pthread.h>
#include <regex.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/span.h"
#include "clean/speaker.h"
#include "formats/logtime.h"
#include "formats/reader.h"
#include "formats/whatsapp.h"
#include "gen/chatlog_rows.h"
#include "gen/text_rows.h"

#define GROUPS 13
#define MARKS_LEAST 20                     /* with fewer, marks are those of notices */

enum kind { SAID, ACTION, DAY, NOTICE, HEAD };

/* What the lines of each format look like; schema/rows/chatlog.txt tells the columns. */
static const struct form {
	const char *name;
	enum kind kind;
	uint8_t day, time, who, words;
	const char *regex;
} forms[] = { CHATLOG_FORMS };

/* Each process compiles them once: that takes longer than to look at a file with them. */
static regex_t regexes[NELEM(forms)];
static bool compiled[NELEM(forms)];
static pthread_once_t compiled_once = PTHREAD_ONCE_INIT;

struct chatlog {
	const char *name;                  /* of the format whose forms its lines have */
	bool per_line;                     /* each line is a turn */
	struct log_day days;
	/* WhatsApp's mark stands before nearly all words, so it tells no notice */
	bool marks;
	bool doubt;                        /* nothing told which number is the month */
	struct keyed ids;
	struct buf line;
};

/* ---- lines ---- */

/* Copies a line without marks of direction, and with other blanks as spaces. */
static void
plain_line(struct buf *out, const char *s, size_t len)
{
	buf_reset(out);
	for (size_t i = 0, n; i < len; i += n) {
		char c = s[i];

		n = MAX(turns_mark(s + i, len - i, &c), 1);
		if (c != '\0' || n == 1)
			buf_addc(out, c);
	}
}

static void
compile_all(void)
{
	for (size_t i = 0; i < NELEM(forms); i++)
		compiled[i] = regcomp(&regexes[i], forms[i].regex, REG_EXTENDED) == 0;
}

static const struct form *
form_of(struct chatlog *l, const char *line, regmatch_t groups[GROUPS])
{
	for (size_t i = 0; i < NELEM(forms); i++)
		if (compiled[i] && strcmp(forms[i].name, l->name) == 0 &&
		    regexec(&regexes[i], line, GROUPS, groups, 0) == 0)
			return &forms[i];
	return NULL;
}

static const struct form *
match_line(struct chatlog *l, const char *line, size_t len, regmatch_t groups[GROUPS])
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

/* The offset in the original line of what stands at an offset of the plain line. */
static size_t
offset_in_line(const char *s, size_t len, size_t plain)
{
	size_t i = 0;

	for (size_t at = 0, n; i < len && at < plain; i += n) {
		char c = s[i];

		n = MAX(turns_mark(s + i, len - i, &c), 1);
		at += c != '\0' || n == 1;
	}
	return i;
}

/* Learns from the days in the file whether they begin with the day or the month. */
static void
learn_order(struct chatlog *l, const char *bytes, size_t len)
{
	struct log_order order = { .sure = false };
	regmatch_t g[GROUPS];
	bool english = false;
	unsigned marked = 0, plain = 0;

	for (const char *p = bytes, *end = bytes + len, *nl; p < end; p = nl + 1) {
		const struct form *f;
		char day[80], clock[40];

		nl = ascii_line_end(p, end);
		f = match_line(l, p, (size_t)(nl - p - (nl > p && nl[-1] == '\r')), g);
		if (f == NULL || f->day == 0)
			continue;
		if (f->who == 0)
			whatsapp_count_marks(p, (size_t)(nl - p), &marked, &plain);
		english |= strstr(l->line.data, " omitted") != NULL ||
		    strstr(l->line.data, " end-to-end encrypted") != NULL ||
		    strstr(l->line.data, "This message was deleted") != NULL;
		log_order_see(&order, group(l, &g[f->day], day, sizeof(day)),
		    group(l, &g[f->time], clock, sizeof(clock)));
	}
	l->marks = marked >= MARKS_LEAST && marked > 20 * plain;
	l->days.month_first = log_order_month_first(&order, english);
	l->doubt = log_order_in_doubt(&order, english);
}

/* ---- turns ---- */

static void *
chatlog_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct chatlog *l = xcalloc(1, sizeof(*l));

	buf_init(&l->line, 1u << 16);
	pthread_once(&compiled_once, compile_all);
	l->name = form;
	l->per_line = strcmp(form, "irc") == 0;
	learn_order(l, bytes, len);
	log_day_of_name(&l->days, name);
	return l;
}

static void
chatlog_close(void *state)
{
	struct chatlog *l = state;

	buf_release(&l->line);
	keyed_release(&l->ids);
	free(l);
}

/*
 * Whether the first lines are of this format: its head, or enough lines that begin a turn. Turns go
 * on over lines, so a fourth of the lines is enough; in IRC each line is a turn, but half are
 * enough, since programs write lines of their own.
 */
static bool
has_form(const char *form, const char *bytes, size_t len)
{
	struct chatlog *l = chatlog_open(form, "", 0, "");
	bool irc = strcmp(form, "irc") == 0;
	unsigned fits = 0, heads = 0, said = 0, lines = 0;
	const char *p = bytes, *end = bytes + len, *line;
	regmatch_t g[GROUPS];
	size_t n;

	while (lines < 20 && (line = turns_line(&p, end, &n)) != NULL) {
		const struct form *f = n > 0 ? match_line(l, line, n, g) : NULL;

		fits += f != NULL;
		/* Teams writes the same brackets, but only a name behind them */
		said += f != NULL && f->kind == SAID &&
		    (f->who > 0 || strstr(l->line.data + g[f->words].rm_so, ": ") != NULL);
		heads += f != NULL && f->kind == HEAD && lines == 0;
		lines += n > 0;
	}
	chatlog_close(l);
	return heads > 0 || (fits > 0 && fits * (irc ? 2 : 4) >= lines && (said > 0 || irc));
}

static const char *
chatlog_detect(const char *bytes, size_t len)
{
	for (const struct turns_form *f = chatlog_reader.forms; f->name != NULL; f++)
		if (has_form(f->name, bytes, len))
			return f->name;
	return NULL;
}

static bool
chatlog_in_doubt(const void *state)
{
	const struct chatlog *l = state;

	return l->doubt;
}

static bool
chatlog_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct chatlog *l = state;
	regmatch_t g[GROUPS];

	(void)around;
	return l->per_line || match_line(l, line, len, g) != NULL;
}

/*
 * Whether what stands behind the star of an action is what an IRC client tells of a nick: that it
 * came, went, or has another name.
 */
static bool
is_irc_notice(const char *text, size_t len)
{
	static const char *const begins[] = { TEXT_IRC_NOTICES };
	const char *close;

	len = (size_t)(ascii_line_end(text, text + len) - text);
	/* "(~ana@host) has joined #loom" */
	if (len > 0 && *text == '(' && (close = memchr(text, ')', len)) != NULL &&
	    memchr(text, '@', (size_t)(close - text)) != NULL) {
		len -= (size_t)(close + 1 - text);
		text = close + 1;
		for (; len > 0 && *text == ' '; text++)
			len--;
	}
	for (size_t i = 0; i < NELEM(begins); i++)
		if (span_begins(text, len, begins[i]))
			/*
			 * "/me left the pump on", "/me has quit (finally) smoking" are actions: a
			 * notice names a channel, or ends with a reason
			 */
			return i < 2 || i > 5 || memchr(text, '#', len) != NULL ||
			    text[len - 1] == ')' || text[len - 1] == ']' ||
			    len == strlen(begins[i]);
	return false;
}

/* LINE puts a turn of several lines into quotes, and doubles the quotes inside. */
static void
unquote(struct arena *a, struct turn *out)
{
	size_t n = 0;

	out->len = ascii_end(out->text, out->len);
	if (out->len < 3 || out->text[0] != '"' || out->text[out->len - 1] != '"' ||
	    memchr(out->text, '\n', out->len) == NULL)
		return;
	char *plain = arena_alloc(a, out->len);
	for (size_t i = 1; i + 1 < out->len; i++) {
		plain[n++] = out->text[i];
		i += out->text[i] == '"' && i + 2 < out->len && out->text[i + 1] == '"';
	}
	out->text = plain;
	out->len = n;
}

/* Programs that write their own chats have "User" or "Assistant" where a name would stand. */
static void
name_to_role(struct turn *out)
{
	const char *side = speaker_side_of_nick(out->name, strlen(out->name));

	if (side == NULL)
		return;
	out->role = side;
	out->name = "";
}

static bool
has_words(const char *p, const char *end)
{
	while (p < end && ascii_is_space(*p))
		p++;
	return p < end;
}

/* The next newline behind that at p; end: there is none. */
static const char *
line_end(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p + 1, '\n', (size_t)(end - p) - 1) : NULL;

	return nl != NULL ? nl : end;
}

static int
chatlog_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct chatlog *l = state;
	const char *nl = memchr(unit, '\n', len), *end = unit + len;
	regmatch_t g[GROUPS];
	const struct form *f = match_line(l, unit, nl != NULL ? (size_t)(nl - unit) : len, g);
	char text[200];
	size_t words;

	if (f == NULL)
		return err_set(err, ERR_DATA, "no line of a log like the others");
	if (f->day > 0)
		log_day_set(&l->days, group(l, &g[f->day], text, sizeof(text)));
	if ((f->kind == DAY && nl != NULL && has_words(nl, end)) ||
	    (f->kind == HEAD && nl != NULL && has_words(line_end(line_end(nl, end), end), end)))
		return err_set(err, ERR_DATA, "lines behind it that are none of such a log");
	if (f->kind != SAID && f->kind != ACTION)
		return 0;
	out->time_us = f->time > 0
	    ? log_day_time(&l->days, group(l, &g[f->time], text, sizeof(text)))
	    : TIME_NONE;
	/*
	 * a missing time is reported only where the line has a day: else nothing may tell the day
	 */
	if (out->time_us == TIME_NONE && f->day > 0 && f->time > 0)
		out->no_time = arena_strdup(a, group(l, &g[f->day], text, sizeof(text)));
	out->local = true;
	words = offset_in_line(unit, len, f->words > 0 ? (size_t)g[f->words].rm_so : l->line.len);
	while (f->words == 0 && words < len && ascii_is_space(unit[words]))
		words++;
	out->text = unit + words;
	out->len = len - words;
	if (f->who > 0) {
		group(l, &g[f->who], text, sizeof(text));
		out->name = arena_strndup(a, text, strlen(text));
		log_id(&l->ids, unit, len, out, a);
		if (strcmp(f->name, "line") == 0)
			unquote(a, out);
	} else {
		const char *rest = out->text;

		if (!whatsapp_name(rest, out->len, a, out))
			return 0;
		out->len = (size_t)(end - out->text);
		if (out->len > 0 && *out->text == ' ') {
			out->text++;
			out->len--;
		}
		log_id(&l->ids, unit, len, out, a);
		if (!whatsapp_words(out, l->marks, a))
			return 0;
	}
	name_to_role(out);
	if (f->kind == ACTION && is_irc_notice(out->text, out->len))
		return 0;
	if (f->kind == ACTION) {
		char *typed = arena_alloc(a, out->len + 5);

		memcpy(typed, "/me ", 4);
		memcpy(typed + 4, out->text, out->len);
		out->text = typed;
		out->len += 4;
	}
	return 1;
}

const struct reader chatlog_reader = {
	.forms = {
		{ "line", { ".txt" } },
		{ "kakaotalk", { ".txt" } },
		{ "zoom", { ".txt" } },
		{ "irc", { ".log", ".txt", ".weechatlog" } },
		{ "whatsapp", { ".txt" } },
	},
	.detect = chatlog_detect,
	.open = chatlog_open,
	.close = chatlog_close,
	.begins = chatlog_begins,
	.read = chatlog_read,
	.in_doubt = chatlog_in_doubt,
};
