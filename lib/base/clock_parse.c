/*
 * clock_parse.c: reads times in the forms that programs write. Each function reads from a cursor
 * and moves it on success. All times read lie in the years 1 to 9999.
 */
#include "base/ascii.h"
#include "base/clock.h"

#define US_PER_MS  1000ll
#define MIN_US     (-62135596800ll * US_PER_S)         /* 0001-01-01 */
#define END_US     (253402300800ll * US_PER_S)         /* 10000-01-01 */

struct cursor {
	const char *p, *end;
};

static bool
skip_byte(struct cursor *c, char want)
{
	if (c->p == c->end || *c->p != want)
		return false;
	c->p++;
	return true;
}

/* Reads exactly n digits with a value from min to max. */
static bool
read_digits(struct cursor *c, int n, int min, int max, int *v)
{
	int x = 0;

	if (c->end - c->p < n)
		return false;
	for (int i = 0; i < n; i++) {
		if (!ascii_is_digit(c->p[i]))
			return false;
		x = x * 10 + (c->p[i] - '0');
	}
	if (x < min || x > max)
		return false;
	c->p += n;
	*v = x;
	return true;
}

/*
 * Reads the digits after a point: ".25" as microseconds, and in *unit_us what the last digit
 * counts. Digits after the sixth are checked and dropped.
 */
static bool
read_fraction(struct cursor *c, int64_t *us, int64_t *unit_us)
{
	int64_t unit = US_PER_S, x = 0;
	const char *start = c->p;

	for (; c->p < c->end && ascii_is_digit(*c->p); c->p++) {
		if (unit == 1)
			continue;
		unit /= 10;
		x += (*c->p - '0') * unit;
	}
	if (c->p == start)
		return false;
	*us = x;
	*unit_us = unit;
	return true;
}

/* Reads "12:30", "12:30:15" or "12:30:15.25". */
static bool
read_clock(struct cursor *c, int64_t *us, int64_t *unit_us)
{
	int h, m, s = 0;
	int64_t fraction = 0;

	if (!read_digits(c, 2, 0, 23, &h) || !skip_byte(c, ':') || !read_digits(c, 2, 0, 59, &m))
		return false;
	*unit_us = 60 * US_PER_S;
	if (skip_byte(c, ':')) {
		/* 60 is a leap second, which counts as the first second of the next minute */
		if (!read_digits(c, 2, 0, 60, &s))
			return false;
		*unit_us = US_PER_S;
		if ((skip_byte(c, '.') || skip_byte(c, ',')) &&
		    !read_fraction(c, &fraction, unit_us))
			return false;
	}
	*us = ((int64_t)h * 3600 + m * 60 + s) * US_PER_S + fraction;
	return true;
}

static bool
read_word(struct cursor *c, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(c->end - c->p) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(c->p[i]) != word[i])
			return false;
	c->p += n;
	return true;
}

/*
 * Reads "Z", "+02:00", "+0200", "+02", "UTC", "GMT", or one of the few names in RFC 2822. *us is
 * what must be subtracted.
 */
static bool
read_zone(struct cursor *c, int64_t *us)
{
	static const struct { const char *name; int hours; } zones[] = {
		{ "utc", 0 }, { "gmt", 0 }, { "ut", 0 }, { "z", 0 }, { "est", -5 }, { "edt", -4 }, { "cst", -6 },
		{ "cdt", -5 }, { "mst", -7 }, { "mdt", -6 }, { "pst", -8 }, { "pdt", -7 },
	};
	int h, m = 0;

	for (size_t i = 0; i < NELEM(zones); i++)
		if (read_word(c, zones[i].name)) {
			*us = zones[i].hours * 3600 * US_PER_S;
			return true;
		}
	bool west = skip_byte(c, '-');
	if (!west && !skip_byte(c, '+'))
		return false;
	if (!read_digits(c, 2, 0, 23, &h))
		return false;
	if (skip_byte(c, ':') ? !read_digits(c, 2, 0, 59, &m)
			 : c->p < c->end && !read_digits(c, 2, 0, 59, &m))
		return false;
	*us = ((int64_t)h * 3600 + m * 60) * US_PER_S;
	if (west)
		*us = -*us;
	return true;
}

/* ---- forms ---- */

static int
days_in_month(int y, int m)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);

	return days[m - 1] + (m == 2 && leap);
}

struct span {
	int64_t from, to;
};

/* Reads "2024", "2024-05" or "2024-05-01", which a time may follow after "T" or a space. */
static int
parse_iso(struct cursor c, struct span *t)
{
	int y, m, d;
	int64_t us, unit, zone = 0;

	if (!read_digits(&c, 4, 1, 9999, &y))
		return -1;
	if (c.p == c.end) {
		*t = (struct span){ time_from_civil(y, 1, 1), time_from_civil(y + 1, 1, 1) };
		return 0;
	}
	if (!skip_byte(&c, '-') || !read_digits(&c, 2, 1, 12, &m))
		return -1;
	if (c.p == c.end) {
		*t = (struct span){ time_from_civil(y, m, 1), time_from_civil(y, m + 1, 1) };
		return 0;
	}
	if (!skip_byte(&c, '-') || !read_digits(&c, 2, 1, days_in_month(y, m), &d))
		return -1;
	int64_t day = time_from_civil(y, m, d);
	if (c.p == c.end) {
		*t = (struct span){ day, day + US_PER_DAY };
		return 0;
	}
	if (!skip_byte(&c, 'T') && !skip_byte(&c, 't') && !skip_byte(&c, ' '))
		return -1;
	if (!read_clock(&c, &us, &unit))
		return -1;
	bool blank = skip_byte(&c, ' ');
	if ((blank || c.p < c.end) && !read_zone(&c, &zone))
		return -1;
	t->from = day + us - zone;
	t->to = t->from + unit;
	return c.p == c.end ? 0 : -1;
}

/*
 * Reads digits since 1970: up to 11 are seconds (to the year 5138), 12-14 milliseconds, 15-17
 * microseconds, 18-19 nanoseconds.
 */
static int
parse_epoch(struct cursor c, struct span *t)
{
	int64_t v = 0, unit = US_PER_S, fraction = 0;
	const char *start = c.p;

	/* four digits are a year, also if that year is refused */
	if (c.end - c.p == 4)
		return -1;
	for (; c.p < c.end && ascii_is_digit(*c.p); c.p++) {
		if (v > (INT64_MAX - 9) / 10)
			return -1;
		v = v * 10 + (*c.p - '0');
	}
	if (c.p == start)
		return -1;
	if (v < 100000000000ll) {
		if (skip_byte(&c, '.') && !read_fraction(&c, &fraction, &unit))
			return -1;
		t->from = v * US_PER_S + fraction;
	} else if (v < 100000000000000ll) {
		t->from = v * US_PER_MS;
		unit = US_PER_MS;
	} else {
		t->from = v < 100000000000000000ll ? v : v / 1000;
		unit = 1;
	}
	t->to = t->from + unit;
	return c.p == c.end ? 0 : -1;
}

static int
index_of(struct cursor *c, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (read_word(c, names[i]))
			return i;
	return -1;
}

/*
 * Reads "Wed, 1 May 2024 12:30:15 +0200"; by RFC 2822 the weekday, the seconds and two digits of
 * the year may be missing.
 */
static int
parse_mail(struct cursor c, struct span *t)
{
	static const char *const weekdays[] = { "sun", "mon", "tue", "wed", "thu", "fri", "sat" };
	static const char *const months[] = {
		"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
	};
	int d, m, y;
	int64_t us, unit, zone = 0;

	if (index_of(&c, weekdays, 7) >= 0 && (!skip_byte(&c, ',') || !skip_byte(&c, ' ')))
		return -1;
	if (!read_digits(&c, 2, 1, 31, &d) && !read_digits(&c, 1, 1, 9, &d))
		return -1;
	if (!skip_byte(&c, ' ') || (m = index_of(&c, months, 12) + 1) == 0 || !skip_byte(&c, ' '))
		return -1;
	if (!read_digits(&c, 4, 1, 9999, &y)) {
		if (!read_digits(&c, 2, 0, 99, &y))
			return -1;
		y += y < 50 ? 2000 : 1900;
	}
	if (d > days_in_month(y, m) || !skip_byte(&c, ' ') || !read_clock(&c, &us, &unit))
		return -1;
	if (c.p < c.end && (!skip_byte(&c, ' ') || !read_zone(&c, &zone)))
		return -1;
	t->from = time_from_civil(y, m, d) + us - zone;
	t->to = t->from + unit;
	return c.p == c.end ? 0 : -1;
}

bool
time_has_text(int64_t us)
{
	return us >= MIN_US && us < END_US;
}

static int
set_span(const struct span *t, int64_t *us, int64_t *end_us)
{
	if (!time_has_text(t->from))
		return -1;
	*us = t->from;
	if (end_us != NULL)
		*end_us = t->to;
	return 0;
}

int
time_parse(const char *s, size_t len, int64_t *us, int64_t *end_us)
{
	struct cursor c = { s, s + len };
	struct span t;

	if (parse_iso(c, &t) == 0 || parse_epoch(c, &t) == 0 || parse_mail(c, &t) == 0)
		return set_span(&t, us, end_us);
	return -1;
}

/*
 * The same day of the month and time, n months before; a day that the month lacks becomes its last.
 */
static int64_t
months_before(int64_t us, int64_t n)
{
	struct civil c;

	time_civil(us, &c);
	int64_t m = (int64_t)c.year * 12 + c.month - 1 - n;
	if (m < 12)
		return MIN_US - 1;         /* set_span() refuses this */
	int y = (int)(m / 12), month = (int)(m % 12) + 1;
	return time_from_civil(y, month, MIN(c.day, days_in_month(y, month))) + us -
	    time_midnight(us);
}

int
time_parse_relative(const char *s, int64_t now_us, int64_t *us, int64_t *end_us)
{
	static const struct { const char *name; int64_t us; int months; } units[] = {
		{ "mo", 0, 1 }, { "min", 60 * US_PER_S, 0 }, { "m", 60 * US_PER_S, 0 }, { "s", US_PER_S, 0 },
		{ "h", 3600 * US_PER_S, 0 }, { "d", US_PER_DAY, 0 }, { "w", 7 * US_PER_DAY, 0 }, { "y", 0, 12 },
	};
	struct cursor c = { s, s + strlen(s) };
	int64_t today = time_midnight(now_us), n = 0;
	struct span t = { now_us, now_us + 1 };

	if (read_word(&c, "now"))
		return c.p == c.end ? set_span(&t, us, end_us) : -1;
	if (read_word(&c, "today"))
		t = (struct span){ today, today + US_PER_DAY };
	else if (read_word(&c, "yesterday"))
		t = (struct span){ today - US_PER_DAY, today };
	if (c.p > s)
		return c.p == c.end ? set_span(&t, us, end_us) : -1;

	/* with at most 6 digits no unit overflows, and years before 1 are refused below */
	while (c.p < c.end && ascii_is_digit(*c.p) && c.p - s < 6)
		n = n * 10 + (*c.p++ - '0');
	for (size_t i = 0; c.p > s && i < NELEM(units); i++) {
		struct cursor u = c;

		if (!read_word(&u, units[i].name) || u.p != u.end)
			continue;
		t.from = units[i].months ? months_before(now_us, n * units[i].months)
					 : now_us - n * units[i].us;
		t.to = t.from + 1;
		return set_span(&t, us, end_us);
	}
	return time_parse(s, strlen(s), us, end_us);
}

int64_t
time_parse_span(const char *s)
{
	static const struct { char unit; int64_t us; } units[] = {
		{ 's', US_PER_S }, { 'm', 60 * US_PER_S }, { 'h', 3600 * US_PER_S }, { 'd', US_PER_DAY }, { 'w', 7 * US_PER_DAY } };
	const char *p = s;
	int64_t n = 0;

	for (; ascii_is_digit(*p) && p - s < 6; p++)
		n = n * 10 + (*p - '0');
	for (size_t i = 0; i < NELEM(units) && p > s && n > 0; i++)
		if (p[0] == units[i].unit && p[1] == '\0')
			return n * units[i].us;
	return -1;
}
