/*
 * copied.c: a head is a name and a stamp, which is a time with or without a day. Programs put them together in few ways, and a file has one
 * of them: that which has the most heads in the first bytes.
 *
 *	Mara Klein  [10:32 AM]          BRACKET    Slack; Telegram, with a comma behind the name and the day in the brackets
 *	mara — Today at 10:32           DASH       Discord
 *	[10:32 AM] Mara Klein           BEFORE     Teams
 *	Mar 01, 2026 10:32:11 AM        ABOVE      Messages; the name is the next line
 *	Mara Klein                      BELOW      Slack and Teams in a browser: the stamp is the next line, or the one after a dash
 *	Mara Klein  10:32 AM            BESIDE     Google Chat, transcripts
 *
 * "[10:33 AM]" without a name, and a time alone BELOW, goes on with the speaker before it. A day that is only named, "Today", "Monday", is counted from the one in the
 * file's name; without that there is no time. Where stamps BELOW say am or pm, a bare time is no head's (BELOW_HALF).
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "verb/copied.h"
#include "verb/logtime.h"
#include "verb/speaker.h"

#define LINE_BYTES 160                     /* a longer line is no head */
#define NAMES_MOST 64
#define LINES_MOST 400                     /* looked at to tell the form */

enum form { BRACKET, DASH, BEFORE, ABOVE, BELOW_HALF, BELOW, BESIDE, N_FORMS };
enum day { NO_DAY, BASE, BEFORE_BASE, WEEKDAY, WRITTEN };

struct stamp {
	enum day sort;
	int weekday;
	char day[LINE_BYTES + 1], clock[40];
	bool half;                         /* am or pm: a time of day, and not one since something began */
};

struct head {
	char name[SPEAKER_BYTES + 1];         /* "": goes on with who spoke before */
	struct stamp stamp;
	size_t words;                      /* in the line; its end, mostly */
};

struct copied {
	enum form form;
	struct log_day base, days;         /* of the file's name; at hand */
	bool day_said;
	char who[SPEAKER_BYTES + 1];          /* "": nobody has spoken */
	int64_t when_us;
	char (*names)[SPEAKER_BYTES + 1];     /* [n_names], BELOW: only these begin a turn */
	size_t n_names;
	int awaited;                       /* BELOW: in so many lines the stamp of a name may still come */
	struct log_ids ids;
};

/* ---- lines ---- */

/* Without blanks at its ends, and with those that are no spaces as spaces; false: longer than any head. */
static bool
plain(const char *s, size_t len, char out[LINE_BYTES + 1])
{
	size_t n = 0;

	for (size_t i = 0, bytes; i < len; i += bytes) {
		char c = s[i];

		if (n == LINE_BYTES)
			return false;
		bytes = MAX(turns_mark(s + i, len - i, &c), 1);
		if ((c != '\0' || bytes == 1) && (n > 0 || !ascii_is_space(c)))
			out[n++] = c;
	}
	while (n > 0 && ascii_is_space(out[n - 1]))
		n--;
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

/* "Today at", "01.03.2026", "Mon 3/1" before a time. */
static bool
day_of(const char *s, size_t len, struct stamp *t)
{
	static const char *const between[] = { "at", "um", "\xc3\xa0", "a las", "alle", "om" };
	static const struct { const char *word; enum day sort; } words[] = {
		{ "today", BASE }, { "heute", BASE }, { "aujourd\xe2\x80\x99hui", BASE }, { "hoy", BASE }, { "hoje", BASE }, { "oggi", BASE }, { "vandaag", BASE },
		{ "\xe4\xbb\x8a\xe5\xa4\xa9", BASE }, { "\xe4\xbb\x8a\xe6\x97\xa5", BASE }, { "yesterday", BEFORE_BASE }, { "gestern", BEFORE_BASE },
		{ "hier", BEFORE_BASE }, { "ayer", BEFORE_BASE }, { "ontem", BEFORE_BASE }, { "ieri", BEFORE_BASE }, { "gisteren", BEFORE_BASE },
		{ "\xe6\x98\xa8\xe5\xa4\xa9", BEFORE_BASE }, { "\xe6\x98\xa8\xe6\x97\xa5", BEFORE_BASE },
	};
	static const char *const weekdays[] = { "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday" };
	struct log_day d = { .year = 2000 };
	char low[LINE_BYTES + 1];
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
		if (strncmp(weekdays[i], low, MIN(len, strlen(weekdays[i]))) == 0 && len <= strlen(weekdays[i])) {
			t->sort = WEEKDAY;
			t->weekday = i;
		}
	return t->sort != WRITTEN || log_day_set(&d, t->day);
}

/* A time that a text ends with, and the day before it; nothing else. */
static bool
stamp_of(const char *s, size_t len, struct stamp *t)
{
	memset(t, 0, sizeof(*t));
	if (len > LINE_BYTES)
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
set_name(struct head *h, const char *s, size_t len)
{
	while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == ',' || s[len - 1] == '\t'))
		len--;
	if (!speaker_is_name(s, len, SPEAKER_STAMP))
		return false;
	memcpy(h->name, s, len);
	h->name[len] = '\0';
	return true;
}

/* "Mara Klein  10:32 AM", "Mara Klein, Mon 10:32 AM": where the stamp begins, the longest that may be one; one blank parts them only where am or pm leaves no doubt. */
static bool
beside(const char *s, size_t len, struct head *h)
{
	while (len > 0 && s[len - 1] == ',')
		len--;
	for (size_t i = 1; i < len; i++) {
		bool wide = s[i] == '\t' || s[i] == ',' || (s[i] == ' ' && i + 1 < len && s[i + 1] == ' ');
		size_t from = i;

		if (!wide && s[i] != ' ')
			continue;
		while (from < len && strchr(" ,\t", s[from]) != NULL)
			from++;
		if (stamp_of(s + from, len - from, &h->stamp) && (wide || h->stamp.half) && set_name(h, s, i))
			return true;
		i = from - 1;
	}
	return false;
}

static bool
is_below(enum form form)
{
	return form == BELOW || form == BELOW_HALF;
}

/* Whether a line is a head, or of those over two lines the part that may begin a turn. */
static bool
head_of(enum form form, const char *line, size_t len, struct head *h)
{
	char s[LINE_BYTES + 1];
	const char *at;
	size_t n;

	memset(h, 0, sizeof(*h));
	h->words = len;
	/* "[10:33 AM]words" */
	if ((form == DASH || form == BRACKET || is_below(form)) && len > 5 && *line == '[' && (at = memchr(line, ']', MIN(len, 40))) != NULL &&
	    stamp_of(line + 1, (size_t)(at - line - 1), &h->stamp)) {
		h->words = (size_t)(at + 1 - line);
		return true;
	}
	if (!plain(line, len, s) || (n = strlen(s)) == 0)
		return false;
	switch (form) {
	case BRACKET:
		n -= s[n - 1] == ':';
		at = strrchr(s, '[');
		return at != NULL && at > s && s[n - 1] == ']' && stamp_of(at + 1, (size_t)(s + n - 1 - (at + 1)), &h->stamp) && set_name(h, s, (size_t)(at - s));
	case DASH:
		at = strstr(s, " \xe2\x80\x94 ");
		return at != NULL && stamp_of(at + 5, n - (size_t)(at + 5 - s), &h->stamp) && set_name(h, s, (size_t)(at - s));
	case BEFORE:
		at = *s == '[' ? strstr(s, "] ") : NULL;
		return at != NULL && stamp_of(s + 1, (size_t)(at - s - 1), &h->stamp) && set_name(h, at + 2, strlen(at + 2));
	case ABOVE:
		at = strstr(s, " (");
		return stamp_of(s, at != NULL ? (size_t)(at - s) : n, &h->stamp) && h->stamp.sort == WRITTEN;
	case BELOW_HALF:
	case BELOW:
		return stamp_of(s, n, &h->stamp) ? h->stamp.sort == NO_DAY : set_name(h, s, n);
	default:
		return beside(s, n, h);
	}
}

static bool
is_part(enum form form, const struct head *h)
{
	return form == ABOVE || (is_below(form) && h->name[0] != '\0');
}

/* What a head of two lines lacks, in the lines behind the first; *p behind it. */
static bool
rest_of_head(enum form form, const char **p, const char *end, struct head *h)
{
	const char *line, *from = *p, *next = *p;
	char s[LINE_BYTES + 1];
	size_t n;

	if (form == ABOVE)
		return (line = turns_line(p, end, &n)) != NULL && plain(line, n, s) && set_name(h, s, strlen(s));
	for (int dash = 0; dash < 2 && (line = turns_line(&next, end, &n)) != NULL; dash++) {
		size_t skip;

		if (!plain(line, n, s))
			break;
		skip = strncmp(s, "\xe2\x80\x94", 3) == 0 ? 3 + strspn(s + 3, " ") : 0;
		if (s[skip] == '\0' && skip > 0)
			continue;
		*p = next;
		if (stamp_of(s + skip, strlen(s + skip), &h->stamp) && (form == BELOW || h->stamp.half || h->stamp.sort != NO_DAY))
			return true;
		break;
	}
	*p = from;
	return false;
}

/* A line between days: "Sunday, March 1st", "----- March 1, 2026 -----" */
static bool
is_day(const char *line, size_t len, char day[LINE_BYTES + 1])
{
	char s[LINE_BYTES + 1];
	size_t from, n;
	struct stamp t;

	if (!plain(line, len, s))
		return false;
	from = strspn(s, "- ");
	for (n = strlen(s); n > from && strchr("- ", s[n - 1]) != NULL; n--)
		;
	if (n - from < 6 || (from < 3 && (strchr(s, ',') == NULL || !(s[0] >= 'A' && s[0] <= 'Z') || strstr(s, "day, ") == NULL)))
		return false;
	memset(&t, 0, sizeof(t));
	if (!day_of(s + from, n - from, &t) || t.sort != WRITTEN)
		return false;
	memcpy(day, t.day, sizeof(t.day));
	return true;
}

/* ---- what form a file has ---- */

struct counts {
	unsigned heads, bare, again;       /* heads; those without words; those of a name that was there before */
	bool first, capital;               /* the first line is one; every name has capitals */
};

static bool
is_capital(const char *name)
{
	for (const char *p = name; *p != '\0'; p++)
		if ((p == name || p[-1] == ' ') && !((*p >= 'A' && *p <= 'Z') || (unsigned char)*p >= 0x80 || *p == '('))
			return false;
	return true;
}

static bool
has_name(char (*names)[SPEAKER_BYTES + 1], size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void
count(enum form form, const char *bytes, size_t len, char (*names)[SPEAKER_BYTES + 1], size_t *n_names, struct counts *k)
{
	const char *p = bytes, *end = bytes + len, *line;
	bool words = true, any = false;
	char day[LINE_BYTES + 1];
	size_t n;

	*k = (struct counts){ .capital = true };
	*n_names = 0;
	for (int i = 0; i < LINES_MOST && (line = turns_line(&p, end, &n)) != NULL; i++) {
		struct head h;
		const char *behind = p;

		if (n == 0 || is_day(line, n, day))
			continue;
		if (!head_of(form, line, n, &h) || (is_part(form, &h) && !rest_of_head(form, &behind, end, &h))) {
			words = any = true;
			continue;
		}
		p = behind;
		if (h.name[0] == '\0')
			continue;
		k->first |= !any;
		any = true;
		k->heads++;
		k->bare += !words;
		words = h.words < n;
		k->capital &= is_capital(h.name);
		if (has_name(names, *n_names, h.name))
			k->again++;
		else if (*n_names < NAMES_MOST)
			memcpy(names[(*n_names)++], h.name, sizeof(h.name));
	}
}

/* The forms with little to tell them need a name that comes back. */
static bool
is_sure(enum form form, const struct counts *k)
{
	if (k->heads < 2 || !k->first || k->bare * 4 > k->heads)
		return false;
	if (form == BEFORE)
		return k->capital;
	return (!is_below(form) && form != BESIDE) || k->again > 0;
}

bool
copied_sniff(const char *bytes, size_t len)
{
	char (*names)[SPEAKER_BYTES + 1] = xcalloc(NAMES_MOST, sizeof(*names));
	struct counts k = { 0 };
	size_t n;
	bool sure = false;

	for (enum form form = 0; form < N_FORMS && !sure; form++) {
		count(form, bytes, len, names, &n, &k);
		sure = is_sure(form, &k);
	}
	free(names);
	return sure;
}

static void
learn(struct copied *c, const char *bytes, size_t len)
{
	struct log_order order = { .sure = false };
	const char *p = bytes, *end = bytes + len, *line;
	unsigned most = 0;
	struct counts k;
	bool sure = false;
	size_t n;

	for (enum form form = 0; form < N_FORMS && !sure; form++) {
		count(form, bytes, len, c->names, &c->n_names, &k);
		sure = is_sure(form, &k);
		if (sure || (k.heads > most && k.bare * 2 < k.heads)) {
			most = k.heads;
			c->form = form;
		}
	}
	count(c->form, bytes, len, c->names, &c->n_names, &k);
	while ((line = turns_line(&p, end, &n)) != NULL) {
		struct head h;
		const char *behind = p;

		if (head_of(c->form, line, n, &h) && (!is_part(c->form, &h) || rest_of_head(c->form, &behind, end, &h)))
			log_order_see(&order, h.stamp.day, h.stamp.clock);
	}
	c->days.month_first = log_order_month_first(&order, false);
}

struct copied *
copied_new(const char *bytes, size_t len, const char *name)
{
	struct copied *c = xcalloc(1, sizeof(*c));

	c->names = xcalloc(NAMES_MOST, sizeof(*c->names));
	learn(c, bytes, len);
	log_day_of_name(&c->base, name);
	return c;
}

void
copied_free(struct copied *c)
{
	if (c == NULL)
		return;
	log_ids_release(&c->ids);
	free(c->names);
	free(c);
}

/* ---- turns ---- */

bool
copied_begins(struct copied *c, const char *line, size_t len)
{
	char day[LINE_BYTES + 1];
	struct head h;
	int awaited = c->awaited > 0 ? c->awaited-- : 0;

	if (is_day(line, len, day))
		return true;
	if (!head_of(c->form, line, len, &h))
		return false;
	if (!is_below(c->form))
		return true;
	if (h.name[0] == '\0' && h.words == len) {
		c->awaited = 0;
		return awaited == 0;
	}
	if (h.name[0] != '\0' && !has_name(c->names, c->n_names, h.name))
		return false;
	c->awaited = h.name[0] != '\0' ? 2 : 0;
	return true;
}

static int64_t
time_of(struct copied *c, const struct stamp *t)
{
	struct civil day = { 0 };

	if (t->sort == WRITTEN) {
		log_day_set(&c->days, t->day);
	} else if (t->sort != NO_DAY || (c->days.year == 0 && !c->day_said && (t->half || c->form < BELOW))) {
		int64_t us = time_from_civil(c->base.year, c->base.month, c->base.day);
		int64_t back = t->sort == BEFORE_BASE ? 1 : t->sort == WEEKDAY ? ((us / US_PER_DAY + 4 - t->weekday - 1) % 7 + 7) % 7 + 1 : 0;

		time_civil(us - back * US_PER_DAY, &day);
		c->days.year = c->base.year != 0 ? day.year : 0;
		c->days.month = day.month;
		c->days.day = day.day;
	}
	c->day_said |= t->sort != NO_DAY;
	return log_day_time(&c->days, t->clock);
}

int
copied_read(struct copied *c, const char *unit, size_t len, struct arena *a, struct turn *out, struct err *err)
{
	const char *p = unit, *end = unit + len;
	char day[LINE_BYTES + 1];
	struct head h;
	size_t n;

	if (turns_line(&p, end, &n) == NULL)
		return 0;
	if (is_day(unit, n, day) && strspn(p, " \t\r\n") >= (size_t)(end - p)) {
		log_day_set(&c->days, day);
		c->day_said = true;
		return 0;
	}
	if (head_of(c->form, unit, n, &h) && (!is_part(c->form, &h) || rest_of_head(c->form, &p, end, &h))) {
		if (h.words < n)
			p = unit + h.words;
		if (h.name[0] != '\0')
			memcpy(c->who, h.name, sizeof(h.name));
		c->when_us = time_of(c, &h.stamp);
		out->text = p;
		out->len = (size_t)(end - p);
	}
	if (c->who[0] == '\0')
		return err_set(err, ERR_DATA, "words before a line with a name and a time; --from=text takes a turn a paragraph");
	out->time_us = c->when_us;
	out->id = log_id(&c->ids, unit, len, out->time_us, a);
	out->name = arena_strndup(a, c->who, strlen(c->who));
	while (out->len > 0 && ascii_is_space(*out->text)) {
		out->text++;
		out->len--;
	}
	while (out->len > 0 && ascii_is_space(out->text[out->len - 1]))
		out->len--;
	return out->len > 0;
}
