/*
 * chat_window_head.c: a head is a name and a stamp, which is a time with or without a day. Programs
 * put them together in these ways:
 *
 *	Mara Klein  [10:32 AM]       BRACKET  Slack; Telegram has "Mara Klein, [1/3/26 10:32]"
 *	mara — Today at 10:32        DASH     Discord
 *	[10:32 AM] Mara Klein        BEFORE   Teams
 *	Mar 01, 2026 10:32:11 AM     ABOVE    Messages; the name is the next line
 *	Mara Klein                   BELOW    Slack and Teams in a browser: the stamp is the next line,
 *	                                      or the one after a dash
 *	Mara Klein  10:32 AM         BESIDE   Google Chat, transcripts
 *
 * "[10:33 AM]" without a name, and in the form BELOW a time alone, go on with the speaker before.
 * Where the stamps of the form BELOW say am or pm, a time without it is no head: BELOW_HALF.
 */
#include "base/ascii.h"
#include "formats/chat_window_head.h"
#include "formats/logtime.h"
#include "formats/turns.h"
#include "gen/chatlog_rows.h"

/*
 * Copies a line without blanks at its ends and with all blanks as spaces; false: it is longer than
 * any head.
 */
static bool
plain_line(const char *s, size_t len, char out[CHAT_WINDOW_LINE_BYTES + 1])
{
	size_t n = 0;

	for (size_t i = 0, bytes; i < len; i += bytes) {
		char c = s[i];

		if (n == CHAT_WINDOW_LINE_BYTES)
			return false;
		bytes = MAX(turns_mark(s + i, len - i, &c), 1);
		if ((c != '\0' || bytes == 1) && (n > 0 || !ascii_is_space(c)))
			out[n++] = c;
	}
	n = ascii_end(out, n);
	out[n] = '\0';
	return true;
}

static bool
ends_word(const char *s, size_t *len, const char *word)
{
	size_t n = strlen(word);

	if (*len < n || memcmp(s + *len - n, word, n) != 0 || (*len > n && s[*len - n - 1] != ' '))
		return false;
	*len -= n;
	return true;
}

/* Reads the day before a time: "Today at", "01.03.2026", "Mon 3/1". */
static bool
day_of(const char *s, size_t len, struct chat_window_stamp *t)
{
	static const char *const between[] = { CHATLOG_BETWEEN };
	static const struct { const char *word; enum chat_window_day sort; } words[] = {
		CHATLOG_DAYS
	};
	static const char *const weekdays[] = { "sunday", "monday", "tuesday", "wednesday",
		"thursday", "friday", "saturday" };
	struct log_day d = { .year = 2000 };
	char low[CHAT_WINDOW_LINE_BYTES + 1];
	size_t n = 0;

	while (len > 0 && s[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < NELEM(between); i++)
		if (ends_word(s, &len, between[i]))
			break;
	while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == ','))
		len--;
	memcpy(t->day, s, len);
	t->day[len] = '\0';
	for (; n < len; n++)
		low[n] = ascii_lower(s[n]);
	low[n] = '\0';
	t->sort = WRITTEN;
	if (len == 0)
		t->sort = NO_DAY;
	for (size_t i = 0; i < NELEM(words); i++)
		if (strcmp(words[i].word, low) == 0)
			t->sort = words[i].sort;
	for (int i = 0; len >= 3 && i < 7; i++)
		if (strncmp(weekdays[i], low, MIN(len, strlen(weekdays[i]))) == 0 &&
		    len <= strlen(weekdays[i])) {
			t->sort = WEEKDAY;
			t->weekday = i;
		}
	return t->sort != WRITTEN || log_day_set(&d, t->day);
}

/* Reads a text that is a stamp: a day or nothing, then a time, and nothing behind it. */
static bool
stamp_of(const char *s, size_t len, struct chat_window_stamp *t)
{
	memset(t, 0, sizeof(*t));
	if (len > CHAT_WINDOW_LINE_BYTES)
		return false;
	for (size_t i = 0; i < len; i++) {
		char rest[40];
		size_t n;

		if ((i > 0 && s[i - 1] != ' ') || len - i >= sizeof(rest))
			continue;
		memcpy(rest, s + i, len - i);
		rest[len - i] = '\0';
		if (log_clock(rest, &n) < 0 || n != len - i)
			continue;
		memcpy(t->clock, rest, sizeof(rest));
		t->half = !ascii_is_digit(rest[n - 1]) || !ascii_is_digit(rest[0]);
		return day_of(s, i, t);
	}
	return false;
}

static bool
set_name(struct chat_window_head *h, const char *s, size_t len)
{
	while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == ',' || s[len - 1] == '\t'))
		len--;
	if (!speaker_is_name(s, len, SPEAKER_STAMP))
		return false;
	memcpy(h->name, s, len);
	h->name[len] = '\0';
	return true;
}

/*
 * Reads "Mara Klein  10:32 AM" or "Mara Klein, Mon 10:32 AM". The stamp is the longest text at the
 * end that may be one. A single blank may part name and stamp only where am or pm leaves no doubt.
 */
static bool
read_beside(const char *s, size_t len, struct chat_window_head *h)
{
	while (len > 0 && s[len - 1] == ',')
		len--;
	for (size_t i = 1; i < len; i++) {
		bool wide =
		    s[i] == '\t' || s[i] == ',' || (s[i] == ' ' && i + 1 < len && s[i + 1] == ' ');
		size_t from = i;

		if (!wide && s[i] != ' ')
			continue;
		while (from < len && strchr(" ,\t", s[from]) != NULL)
			from++;
		if (stamp_of(s + from, len - from, &h->stamp) && (wide || h->stamp.half) &&
		    set_name(h, s, i))
			return true;
		i = from - 1;
	}
	return false;
}

bool
chat_window_is_below(enum chat_window_form form)
{
	return form == BELOW || form == BELOW_HALF;
}

bool
chat_window_head_begins(enum chat_window_form form, const char *line, size_t len,
	struct chat_window_head *h)
{
	char s[CHAT_WINDOW_LINE_BYTES + 1];
	const char *at;
	size_t n;

	memset(h, 0, sizeof(*h));
	h->words = len;
	/* "[10:33 AM]words" */
	if ((form == DASH || form == BRACKET || chat_window_is_below(form)) && len > 5 &&
	    *line == '[' && (at = memchr(line, ']', MIN(len, 40))) != NULL &&
	    stamp_of(line + 1, (size_t)(at - line - 1), &h->stamp)) {
		h->words = (size_t)(at + 1 - line);
		return true;
	}
	if (!plain_line(line, len, s) || (n = strlen(s)) == 0)
		return false;
	switch (form) {
	case BRACKET:
		n -= s[n - 1] == ':';
		at = strrchr(s, '[');
		return at != NULL && at > s && s[n - 1] == ']' &&
		    stamp_of(at + 1, (size_t)(s + n - 1 - (at + 1)), &h->stamp) &&
		    set_name(h, s, (size_t)(at - s));
	case DASH:
		at = strstr(s, " \xe2\x80\x94 ");
		return at != NULL && stamp_of(at + 5, n - (size_t)(at + 5 - s), &h->stamp) &&
		    set_name(h, s, (size_t)(at - s));
	case BEFORE:
		at = *s == '[' ? strstr(s, "] ") : NULL;
		return at != NULL && stamp_of(s + 1, (size_t)(at - s - 1), &h->stamp) &&
		    set_name(h, at + 2, strlen(at + 2));
	case ABOVE:
		at = strstr(s, " (");
		return stamp_of(s, at != NULL ? (size_t)(at - s) : n, &h->stamp) &&
		    h->stamp.sort == WRITTEN;
	case BELOW_HALF:
	case BELOW:
		return stamp_of(s, n, &h->stamp) ? h->stamp.sort == NO_DAY : set_name(h, s, n);
	default:
		return read_beside(s, n, h);
	}
}

static bool
has_second_line(enum chat_window_form form, const struct chat_window_head *h)
{
	return form == ABOVE || (chat_window_is_below(form) && h->name[0] != '\0');
}

/* Reads the rest of a head of two lines from *p, which moves behind it. */
static bool
rest_of_head(enum chat_window_form form, const char **p, const char *end,
	struct chat_window_head *h)
{
	const char *line, *from = *p, *next = *p;
	char s[CHAT_WINDOW_LINE_BYTES + 1];
	size_t n;

	if (form == ABOVE)
		return (line = turns_line(p, end, &n)) != NULL && plain_line(line, n, s) &&
		    set_name(h, s, strlen(s));
	for (int dash = 0; dash < 2 && (line = turns_line(&next, end, &n)) != NULL; dash++) {
		if (!plain_line(line, n, s))
			break;
		size_t skip = strncmp(s, "\xe2\x80\x94", 3) == 0 ? 3 + strspn(s + 3, " ") : 0;
		if (s[skip] == '\0' && skip > 0)
			continue;
		*p = next;
		if (stamp_of(s + skip, strlen(s + skip), &h->stamp) &&
		    (form == BELOW || h->stamp.half || h->stamp.sort != NO_DAY))
			return true;
		break;
	}
	*p = from;
	return false;
}

bool
chat_window_head(enum chat_window_form form, const char *line, size_t len, const char **behind,
	const char *end, struct chat_window_head *h)
{
	return chat_window_head_begins(form, line, len, h) &&
	    (!has_second_line(form, h) || rest_of_head(form, behind, end, h));
}

bool
chat_window_day(const char *line, size_t len, char day[CHAT_WINDOW_LINE_BYTES + 1])
{
	char s[CHAT_WINDOW_LINE_BYTES + 1];
	size_t from, n;
	struct chat_window_stamp t;

	if (!plain_line(line, len, s))
		return false;
	from = strspn(s, "- ");
	for (n = strlen(s); n > from && strchr("- ", s[n - 1]) != NULL; n--)
		;
	if (n - from < 6 ||
	    (from < 3 &&
		(strchr(s, ',') == NULL || !(s[0] >= 'A' && s[0] <= 'Z') ||
		    strstr(s, "day, ") == NULL)))
		return false;
	memset(&t, 0, sizeof(t));
	if (!day_of(s + from, n - from, &t) || t.sort != WRITTEN)
		return false;
	memcpy(day, t.day, sizeof(t.day));
	return true;
}
