/*
 * logtime.c: a day is three numbers, or has its month as a word; a time of day is two or three
 * numbers, with am or pm on either side.
 */
#include "base/ascii.h"
#include "base/clock.h"
#include "base/hash.h"
#include "formats/logtime.h"
#include "formats/turns.h"

/*
 * Reads up to three numbers of a text, and how many digits each has. Returns how many there are; 4:
 * more than three.
 */
static int
numbers_of(const char *s, int n[3], int width[3])
{
	int k = 0;

	memset(n, 0, 3 * sizeof(*n));
	memset(width, 0, 3 * sizeof(*width));
	while (*s != '\0') {
		if (!ascii_is_digit(*s)) {
			s++;
			continue;
		}
		if (k == 3)
			return 4;
		for (; ascii_is_digit(*s); s++, width[k]++)
			n[k] = width[k] < 5 ? n[k] * 10 + (*s - '0') : n[k];
		k++;
	}
	return k;
}

static bool
has_letters(const char *s)
{
	for (; *s != '\0'; s++)
		if (ascii_is_letter(s[0]) && ascii_is_letter(s[1]) && ascii_is_letter(s[2]))
			return true;
	return false;
}

/* ---- day and month ---- */

void
log_order_see(struct log_order *o, const char *day, const char *clock)
{
	int n[3], width[3];

	if (o->sure || numbers_of(day, n, width) != 3 || width[0] == 4)
		return;
	if (n[0] > 12 || n[1] > 12 || strchr(day, '.') != NULL) {
		o->sure = true;
		o->month_first = n[1] > 12 && strchr(day, '.') == NULL;
		return;
	}
	o->two |= n[0] != n[1];
	o->halves |= strpbrk(clock, "AP") != NULL;
	o->small |= n[0] < 10 || n[1] < 10;
	o->padded |= (n[0] < 10 && width[0] == 2) || (n[1] < 10 && width[1] == 2);
	o->short_year |= width[2] == 2;
	for (int k = 0; k < 2; k++) {
		/* k 0 reads the day first, k 1 the month */
		int at = (int)(time_from_civil(n[2] < 100 ? 2000 + n[2] : n[2], n[1 - k], n[k]) /
		    US_PER_DAY);

		if (o->last[k] != 0) {
			o->back[k] += at < o->last[k];
			o->apart[k] += at < o->last[k] ? o->last[k] - at : at - o->last[k];
		}
		o->last[k] = at;
	}
}

bool
log_order_month_first(const struct log_order *o, bool english)
{
	bool unpadded = o->small && !o->padded;

	if (o->sure)
		return o->month_first;
	if (o->back[0] != o->back[1])
		return o->back[1] < o->back[0];
	if (o->apart[0] != o->apart[1])
		return o->apart[1] < o->apart[0];
	return o->halves || (unpadded && o->short_year && english);
}

bool
log_order_in_doubt(const struct log_order *o, bool english)
{
	return o->two && !o->sure && o->back[0] == o->back[1] && o->apart[0] == o->apart[1] &&
	    !o->padded && !log_order_month_first(o, english);
}

bool
log_day_set(struct log_day *d, const char *s)
{
	int n[3], width[3], count = numbers_of(s, n, width), year = d->year;
	char text[160];
	int64_t us;
	struct civil c;

	if (count == 3 || (count == 2 && !has_letters(s) && width[0] <= 2 && width[1] <= 2)) {
		bool year_first = width[0] == 4;
		int first = year_first ? n[1] : n[0], second = year_first ? n[2] : n[1];

		if (count == 3)
			year = year_first ? n[0] : n[2] < 100 ? 2000 + n[2] : n[2];
		else if (strlen(s) > 6)
			return false;
		d->year = year;
		d->month = year_first || d->month_first ? first : second;
		d->day = year_first || d->month_first ? second : first;
		/* a number is too large for its place, so there is no such day */
		if (d->month < 1 || d->month > 12 || d->day < 1 || d->day > 31)
			d->year = 0;
		return true;
	}
	/*
	 * a year is added to a day without one, so that it can be parsed; 2000, so that February
	 * 29th is a day
	 */
	snprintf(text, sizeof(text), "%.100s %d", s, year != 0 ? year : 2000);
	if (time_parse_written(s, strlen(s), &us) != 0) {
		if (time_parse_written(text, strlen(text), &us) != 0)
			return false;
	} else {
		year = 1;
	}
	time_civil(us, &c);
	d->year = year != 0 ? c.year : 0;
	d->month = c.month;
	d->day = c.day;
	return true;
}

void
log_day_of_name(struct log_day *d, const char *name)
{
	for (const char *p = path_base(name); *p != '\0'; p++) {
		int y, m, day, n = 0;

		if (!ascii_is_digit(*p) || (p > name && ascii_is_digit(p[-1])))
			continue;
		if (((sscanf(p, "%4d-%2d-%2d%n", &y, &m, &day, &n) == 3 && n == 10) ||
			(sscanf(p, "%4d%2d%2d%n", &y, &m, &day, &n) == 3 && n == 8)) &&
		    y > 1970 && m >= 1 && m <= 12 && day >= 1 && day <= 31) {
			d->year = y;
			d->month = m;
			d->day = day;
			return;
		}
	}
}

/* ---- the time of day ---- */

/*
 * Reads am or pm: "a. m.", "PM", or the words that three other languages have before the numbers.
 * Returns the bytes read; *pm says which.
 */
static size_t
half_at(const char *s, bool *pm)
{
	static const struct { const char *text; bool pm; } halves[] = {
		{ "\xe4\xb8\x8a\xe5\x8d\x88", false }, { "\xe4\xb8\x8b\xe5\x8d\x88", true }, { "\xe5\x8d\x88\xe5\x89\x8d", false },
		{ "\xe5\x8d\x88\xe5\xbe\x8c", true }, { "\xec\x98\xa4\xec\xa0\x84", false }, { "\xec\x98\xa4\xed\x9b\x84", true },
	};
	size_t i = 1;

	for (size_t k = 0; k < NELEM(halves); k++) {
		*pm = halves[k].pm;
		if (strncmp(s, halves[k].text, strlen(halves[k].text)) == 0)
			return strlen(halves[k].text);
	}
	*pm = (s[0] | 0x20) == 'p';
	if (!*pm && (s[0] | 0x20) != 'a')
		return 0;
	i += s[i] == '.';
	i += s[i] == ' ';
	if ((s[i] | 0x20) != 'm')
		return 0;
	i++;
	i += s[i] == '.';
	return ascii_is_letter(s[i]) ? 0 : i;
}

/* One or two digits; -1: none. */
static int
two_digits(const char **p)
{
	if (!ascii_is_digit(**p))
		return -1;
	int v = *(*p)++ - '0';
	if (ascii_is_digit(**p))
		v = v * 10 + (*(*p)++ - '0');
	return ascii_is_digit(**p) ? -1 : v;
}

int
log_clock(const char *s, size_t *len)
{
	const char *p = s, *end;
	bool pm = false, half;
	int h, m, sec = 0;
	size_t n = half_at(p, &pm);

	half = n > 0;
	p += n;
	while (half && *p == ' ')
		p++;
	if ((h = two_digits(&p)) < 0 || (*p != ':' && *p != '.') || !ascii_is_digit(p[1]) ||
	    !ascii_is_digit(p[2]))
		return -1;
	p++;
	if ((m = two_digits(&p)) < 0)
		return -1;
	if ((*p == ':' || *p == '.') && ascii_is_digit(p[1])) {
		p++;
		if ((sec = two_digits(&p)) < 0)
			return -1;
	}
	for (end = p; *end == ' '; end++)
		;
	if (!half && (n = half_at(end, &pm)) > 0) {
		half = true;
		p = end + n;
	}
	if (m > 59 || sec > 60 || h > 23 || (half && h > 12))
		return -1;
	*len = (size_t)(p - s);
	return ((half ? h % 12 + (pm ? 12 : 0) : h) * 60 + m) * 60 + sec;
}

int64_t
log_day_time(const struct log_day *d, const char *clock)
{
	size_t len;
	struct civil c;
	int s = log_clock(clock, &len);

	if (d->year == 0 || s < 0)
		return TIME_NONE;
	int64_t us = time_from_civil(d->year, d->month, d->day);
	time_civil(us, &c);
	return c.month == d->month ? us + s * US_PER_S : TIME_NONE;
}

/* Splits "3/1/2026, 10:32 AM" into day and time; false: it has not both. */
static bool
split_moment(const char *s, size_t len, char day[80], char clock[80])
{
	while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == '_' || s[len - 1] == '*'))
		len--;
	while (len > 0 && (*s == ' ' || *s == '_' || *s == '*')) {
		s++;
		len--;
	}
	if (len >= 80)
		return false;
	for (size_t i = 1; i < len; i++) {
		size_t n, d = i;

		memcpy(clock, s + i, len - i);
		clock[len - i] = '\0';
		if (s[i - 1] != ' ' || log_clock(clock, &n) < 0 || n != len - i)
			continue;
		while (d > 0 && (s[d - 1] == ' ' || s[d - 1] == ','))
			d--;
		d -= d > 3 && memcmp(s + d - 3, " at", 3) == 0 ? 3 : 0;
		memcpy(day, s, d);
		day[d] = '\0';
		return d > 0;
	}
	return false;
}

bool
log_moment(const struct log_day *d, const char *s, size_t len, int64_t *us)
{
	struct log_day day = *d;
	char date[80], clock[80];

	if (!split_moment(s, len, date, clock) || !log_day_set(&day, date))
		return false;
	*us = log_day_time(&day, clock);
	return *us != TIME_NONE;
}

void
log_order_see_in(struct log_order *o, const char *s, size_t len)
{
	char day[80], clock[80];

	if (split_moment(s, len, day, clock))
		log_order_see(o, day, clock);
}

/* ---- ids ---- */

/* The hash as an id, with how many had it before. */
static const char *
id_text(struct keyed *n_of, uint64_t hash, struct arena *a)
{
	uint64_t n = keyed_at(n_of, hash)->value++;

	return arena_printf(a, n == 0 ? "%016llx" : "%016llx:%llu", (unsigned long long)hash,
	    (unsigned long long)n);
}

void
log_id(struct keyed *n_of, const char *unit, size_t len, struct turn *out, struct arena *a)
{
	bool dated = out->time_us != TIME_NONE;
	uint64_t words = dated ? hash64(out->text, out->len, (uint64_t)out->time_us + 1) : 0;
	int64_t here_us = dated ? turns_local_time(out->time_us) : TIME_NONE;
	const char *was = id_text(n_of, hash64(unit, len, (uint64_t)here_us), a);

	out->id = dated ? id_text(n_of, words, a) : was;
	out->was_id = dated ? was : "";
}
