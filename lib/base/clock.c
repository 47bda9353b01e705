/*
 * clock.c: time as a count, and text to and from it, by own arithmetic on the proleptic Gregorian calendar.
 *
 * Nothing here asks the C library what a date is: its answer hangs on the locale, the time zone and the size of time_t.
 * Days are counted in eras of 400 years (146,097 days) that start on 1 March, so that the leap day is the last day of a year
 * (the method of H. Hinnant, "chrono-compatible low-level date algorithms").
 *
 * Text forms are read by a cursor; each reader moves it on success. All that is read lies in the years 1 to 9999.
 */
#include <time.h>

#include "base/ascii.h"
#include "base/clock.h"

#define US_PER_MS  1000ll
#define MIN_US     (-62135596800ll * US_PER_S)         /* 0001-01-01 */
#define END_US     (253402300800ll * US_PER_S)         /* 10000-01-01 */

static bool clock_fixed, clock_asked;
static int64_t clock_fixed_us;

void
clock_fix(int64_t us)
{
	clock_asked = true;
	clock_fixed = us != TIME_NONE;
	clock_fixed_us = us;
}

static int64_t
read_clock(clockid_t which)
{
	struct timespec ts;

	if (clock_gettime(which, &ts) != 0)
		return 0;
	return (int64_t)ts.tv_sec * US_PER_S + ts.tv_nsec / 1000;
}

int64_t
clock_now_us(void)
{
	if (!clock_asked) {
		const char *s = getenv("MEM_NOW");
		int64_t us = TIME_NONE;

		if (s != NULL && time_parse(s, strlen(s), &us, NULL) != 0)
			us = TIME_NONE;
		clock_fix(us);
	}
	return clock_fixed ? clock_fixed_us : read_clock(CLOCK_REALTIME);
}

int64_t
clock_mono_us(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* ---- the calendar ---- */

static int64_t
div_floor(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t
mod_floor(int64_t a, int64_t b)
{
	return a % b + (a % b < 0 ? b : 0);
}

static int64_t
days_from_civil(int64_t y, int m, int d)
{
	y -= m <= 2;
	int64_t era = div_floor(y, 400);
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;

	return era * 146097 + doe - 719468;
}

static int
days_in_month(int y, int m)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);

	return days[m - 1] + (m == 2 && leap);
}

void
time_civil(int64_t us, struct civil *c)
{
	int64_t days = div_floor(us, US_PER_DAY);
	int64_t rest = mod_floor(us, US_PER_DAY) / US_PER_S;
	int64_t z = days + 719468;
	int64_t era = div_floor(z, 146097);
	int64_t doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;

	c->day = (int)(doy - (153 * mp + 2) / 5 + 1);
	c->month = (int)(mp < 10 ? mp + 3 : mp - 9);
	c->year = (int)(yoe + era * 400 + (c->month <= 2));
	c->hour = (int)(rest / 3600);
	c->minute = (int)(rest / 60 % 60);
	c->second = (int)(rest % 60);
	c->weekday = (int)mod_floor(days + 4, 7);
}

int64_t
time_from_civil(int year, int month, int day)
{
	int64_t m = (int64_t)month - 1;
	int64_t y = (int64_t)year + div_floor(m, 12);
	int64_t days = days_from_civil(y, (int)(m - div_floor(m, 12) * 12) + 1, 1) + day - 1;
	int64_t most = INT64_MAX / US_PER_DAY - 1;

	/* far outside any date that text can name: hold still rather than overflow */
	days = MAX(MIN(days, most), -most);
	return days * US_PER_DAY;
}

/* ---- reading ---- */

struct cursor {
	const char *p, *end;
};

static bool
take(struct cursor *c, char want)
{
	if (c->p == c->end || *c->p != want)
		return false;
	c->p++;
	return true;
}

/* Exactly n digits, with a value of at least min and at most max. */
static bool
take_digits(struct cursor *c, int n, int min, int max, int *v)
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

/* ".25": microseconds, and the width of what its last digit counts; digits past the sixth are checked and dropped. */
static bool
take_fraction(struct cursor *c, int64_t *us, int64_t *unit_us)
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

/* "12:30", "12:30:15", "12:30:15.25" */
static bool
take_clock(struct cursor *c, int64_t *us, int64_t *unit_us)
{
	int h, m, s = 0;
	int64_t fraction = 0;

	if (!take_digits(c, 2, 0, 23, &h) || !take(c, ':') || !take_digits(c, 2, 0, 59, &m))
		return false;
	*unit_us = 60 * US_PER_S;
	if (take(c, ':')) {
		/* 60: a leap second, which is the first of the next minute here */
		if (!take_digits(c, 2, 0, 60, &s))
			return false;
		*unit_us = US_PER_S;
		if ((take(c, '.') || take(c, ',')) && !take_fraction(c, &fraction, unit_us))
			return false;
	}
	*us = ((int64_t)h * 3600 + m * 60 + s) * US_PER_S + fraction;
	return true;
}

static bool
take_word(struct cursor *c, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(c->end - c->p) < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char x = c->p[i];

		if (x >= 'A' && x <= 'Z')
			x = (char)(x + 32);
		if (x != word[i])
			return false;
	}
	c->p += n;
	return true;
}

/* "Z", "+02:00", "+0200", "+02", "UTC", "GMT", or the few names that RFC 2822 knows. *us is what to take off. */
static bool
take_zone(struct cursor *c, int64_t *us)
{
	static const struct { const char *name; int hours; } zones[] = {
		{ "utc", 0 }, { "gmt", 0 }, { "ut", 0 }, { "z", 0 }, { "est", -5 }, { "edt", -4 }, { "cst", -6 },
		{ "cdt", -5 }, { "mst", -7 }, { "mdt", -6 }, { "pst", -8 }, { "pdt", -7 },
	};
	int h, m = 0;
	bool west;

	for (size_t i = 0; i < NELEM(zones); i++)
		if (take_word(c, zones[i].name)) {
			*us = zones[i].hours * 3600 * US_PER_S;
			return true;
		}
	west = take(c, '-');
	if (!west && !take(c, '+'))
		return false;
	if (!take_digits(c, 2, 0, 23, &h))
		return false;
	if (take(c, ':') ? !take_digits(c, 2, 0, 59, &m) : c->p < c->end && !take_digits(c, 2, 0, 59, &m))
		return false;
	*us = ((int64_t)h * 3600 + m * 60) * US_PER_S;
	if (west)
		*us = -*us;
	return true;
}

struct span {
	int64_t from, to;
};

/* "2024", "2024-05", "2024-05-01", and with a time after "T" or a space. */
static int
parse_iso(struct cursor c, struct span *t)
{
	int y, m, d;
	int64_t us, unit, zone = 0;

	if (!take_digits(&c, 4, 1, 9999, &y))
		return -1;
	if (c.p == c.end) {
		*t = (struct span){ time_from_civil(y, 1, 1), time_from_civil(y + 1, 1, 1) };
		return 0;
	}
	if (!take(&c, '-') || !take_digits(&c, 2, 1, 12, &m))
		return -1;
	if (c.p == c.end) {
		*t = (struct span){ time_from_civil(y, m, 1), time_from_civil(y, m + 1, 1) };
		return 0;
	}
	if (!take(&c, '-') || !take_digits(&c, 2, 1, days_in_month(y, m), &d))
		return -1;
	int64_t day = time_from_civil(y, m, d);
	if (c.p == c.end) {
		*t = (struct span){ day, day + US_PER_DAY };
		return 0;
	}
	if (!take(&c, 'T') && !take(&c, 't') && !take(&c, ' '))
		return -1;
	if (!take_clock(&c, &us, &unit))
		return -1;
	bool blank = take(&c, ' ');
	if ((blank || c.p < c.end) && !take_zone(&c, &zone))
		return -1;
	t->from = day + us - zone;
	t->to = t->from + unit;
	return c.p == c.end ? 0 : -1;
}

/* Digits since 1970: up to 11 are seconds (to the year 5138), 12-14 milliseconds, 15-17 microseconds, 18-19 nanoseconds. */
static int
parse_epoch(struct cursor c, struct span *t)
{
	int64_t v = 0, unit = US_PER_S, fraction = 0;
	const char *start = c.p;

	/* four digits are a year, also where there is no such year */
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
		if (take(&c, '.') && !take_fraction(&c, &fraction, &unit))
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
		if (take_word(c, names[i]))
			return i;
	return -1;
}

/* "Wed, 1 May 2024 12:30:15 +0200", with RFC 2822's leave to omit the weekday, the seconds and two digits of the year. */
static int
parse_mail(struct cursor c, struct span *t)
{
	static const char *const weekdays[] = { "sun", "mon", "tue", "wed", "thu", "fri", "sat" };
	static const char *const months[] = {
		"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
	};
	int d, m, y;
	int64_t us, unit, zone = 0;

	if (index_of(&c, weekdays, 7) >= 0 && (!take(&c, ',') || !take(&c, ' ')))
		return -1;
	if (!take_digits(&c, 2, 1, 31, &d) && !take_digits(&c, 1, 1, 9, &d))
		return -1;
	if (!take(&c, ' ') || (m = index_of(&c, months, 12) + 1) == 0 || !take(&c, ' '))
		return -1;
	if (!take_digits(&c, 4, 1, 9999, &y)) {
		if (!take_digits(&c, 2, 0, 99, &y))
			return -1;
		y += y < 50 ? 2000 : 1900;
	}
	if (d > days_in_month(y, m) || !take(&c, ' ') || !take_clock(&c, &us, &unit))
		return -1;
	if (c.p < c.end && (!take(&c, ' ') || !take_zone(&c, &zone)))
		return -1;
	t->from = time_from_civil(y, m, d) + us - zone;
	t->to = t->from + unit;
	return c.p == c.end ? 0 : -1;
}

static int
deliver(const struct span *t, int64_t *us, int64_t *end_us)
{
	if (t->from < MIN_US || t->from >= END_US)
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
		return deliver(&t, us, end_us);
	return -1;
}

/* The same day of the month and time, n months before; a day that the month lacks becomes its last. */
static int64_t
months_before(int64_t us, int64_t n)
{
	struct civil c;

	time_civil(us, &c);
	int64_t since_day = mod_floor(us, US_PER_DAY);
	int64_t m = (int64_t)c.year * 12 + c.month - 1 - n;
	int y = (int)div_floor(m, 12);
	int month = (int)(m - (int64_t)y * 12) + 1;
	if (y < 1)
		return MIN_US - 1;         /* refused by deliver() */
	return time_from_civil(y, month, MIN(c.day, days_in_month(y, month))) + since_day;
}

int
time_parse_relative(const char *s, int64_t now_us, int64_t *us, int64_t *end_us)
{
	static const struct { const char *name; int64_t us; int months; } units[] = {
		{ "mo", 0, 1 }, { "min", 60 * US_PER_S, 0 }, { "m", 60 * US_PER_S, 0 }, { "s", US_PER_S, 0 },
		{ "h", 3600 * US_PER_S, 0 }, { "d", US_PER_DAY, 0 }, { "w", 7 * US_PER_DAY, 0 }, { "y", 0, 12 },
	};
	struct cursor c = { s, s + strlen(s) };
	int64_t today = now_us - mod_floor(now_us, US_PER_DAY), n = 0;
	struct span t = { now_us, now_us + 1 };

	if (take_word(&c, "now"))
		return c.p == c.end ? deliver(&t, us, end_us) : -1;
	if (take_word(&c, "today"))
		t = (struct span){ today, today + US_PER_DAY };
	else if (take_word(&c, "yesterday"))
		t = (struct span){ today - US_PER_DAY, today };
	if (c.p > s)
		return c.p == c.end ? deliver(&t, us, end_us) : -1;

	/* at most 6 digits: no unit overflows, and the years before 1 are refused below */
	while (c.p < c.end && ascii_is_digit(*c.p) && c.p - s < 6)
		n = n * 10 + (*c.p++ - '0');
	for (size_t i = 0; c.p > s && i < NELEM(units); i++) {
		struct cursor u = c;

		if (!take_word(&u, units[i].name) || u.p != u.end)
			continue;
		t.from = units[i].months ? months_before(now_us, n * units[i].months) : now_us - n * units[i].us;
		t.to = t.from + 1;
		return deliver(&t, us, end_us);
	}
	return time_parse(s, strlen(s), us, end_us);
}

/* ---- writing ---- */

static char *
put_digits(char *p, int v, int n)
{
	for (int i = n - 1; i >= 0; i--, v /= 10)
		p[i] = (char)('0' + v % 10);
	return p + n;
}

/* "2024-05-01T12:30:15"; every record that is printed has two of these, so not by snprintf. */
static int
put_civil(const struct civil *c, char out[TIME_TEXT])
{
	char *p = put_digits(out, c->year, 4);

	*p++ = '-';
	p = put_digits(p, c->month, 2);
	*p++ = '-';
	p = put_digits(p, c->day, 2);
	*p++ = 'T';
	p = put_digits(p, c->hour, 2);
	*p++ = ':';
	p = put_digits(p, c->minute, 2);
	*p++ = ':';
	p = put_digits(p, c->second, 2);
	return (int)(p - out);
}

char *
time_format(int64_t us, char out[TIME_TEXT])
{
	struct civil c;
	int fraction = (int)mod_floor(us, US_PER_S);
	int n;

	out[0] = '\0';
	if (us == TIME_NONE)
		return out;
	time_civil(us, &c);
	n = put_civil(&c, out);
	if (fraction != 0) {
		n += snprintf(out + n, TIME_TEXT - (size_t)n, ".%06d", fraction);
		while (out[n - 1] == '0')
			n--;
	}
	out[n] = 'Z';
	out[n + 1] = '\0';
	return out;
}

char *
time_format_day(int64_t us, char out[TIME_TEXT])
{
	struct civil c;

	out[0] = '\0';
	if (us == TIME_NONE)
		return out;
	time_civil(us, &c);
	snprintf(out, TIME_TEXT, "%04d-%02d-%02d", c.year, c.month, c.day);
	return out;
}

int64_t
time_parse_span(const char *s)
{
	static const struct { char unit; int64_t us; } units[] = {
		{ 's', US_PER_S }, { 'm', 60 * US_PER_S }, { 'h', 3600 * US_PER_S }, { 'd', US_PER_DAY }, { 'w', 7 * US_PER_DAY } };
	const char *p = s;
	int64_t n = 0;

	for (; *p >= '0' && *p <= '9' && p - s < 6; p++)
		n = n * 10 + (*p - '0');
	for (size_t i = 0; i < NELEM(units) && p > s && n > 0; i++)
		if (p[0] == units[i].unit && p[1] == '\0')
			return n * units[i].us;
	return -1;
}
