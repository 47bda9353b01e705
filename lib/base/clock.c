/*
 * clock.c: time as a count, as a date and as text, by arithmetic on the proleptic Gregorian
 * calendar. The C library is not asked what a date is, because its answer depends on the locale,
 * the time zone and the size of time_t.
 *
 * Days are counted in eras of 400 years (146,097 days) that start on 1 March, so that the leap day
 * is the last day of a year (the method of H. Hinnant, "chrono-compatible low-level date
 * algorithms").
 */
#include <time.h>

#include "base/clock.h"

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

	/* this is far outside all dates that text can name: it is clamped so as not to overflow */
	days = MAX(MIN(days, most), -most);
	return days * US_PER_DAY;
}

int64_t
time_midnight(int64_t us)
{
	return us - mod_floor(us, US_PER_DAY);
}

/* ---- writing ---- */

static char *
put_digits(char *p, int v, int n)
{
	for (int i = n - 1; i >= 0; i--, v /= 10)
		p[i] = (char)('0' + v % 10);
	return p + n;
}

/*
 * Writes "2024-05-01T12:30:15". Every record printed has two of these, so snprintf would be too
 * slow.
 */
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

	out[0] = '\0';
	if (!time_has_text(us))
		return out;
	time_civil(us, &c);
	int n = put_civil(&c, out);
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
time_format_second(int64_t us, char out[TIME_TEXT])
{
	return time_format(us == TIME_NONE ? us : us - mod_floor(us, US_PER_S), out);
}

char *
time_format_day(int64_t us, char out[TIME_TEXT])
{
	struct civil c;

	out[0] = '\0';
	if (!time_has_text(us))
		return out;
	time_civil(us, &c);
	snprintf(out, TIME_TEXT, "%04d-%02d-%02d", c.year, c.month, c.day);
	return out;
}
