/*
 * clock_test.c: the calendar (golden days from Python's datetime), every form that is read, much
 * that must not be, and back to text.
 */
#include "base/clock.h"

#include "tap.h"

#define S US_PER_S
#define DAY US_PER_DAY
#define MAY1 (19844 * DAY)                             /* 2024-05-01 */
#define NOON (MAY1 + (12 * 3600 + 30 * 60 + 15) * S)   /* 2024-05-01T12:30:15Z = 1714566615 */

static void
test_calendar(void)
{
	static const struct { int y, m, d, days, weekday; } cases[] = {
		{ 1970, 1, 1, 0, 4 }, { 2024, 5, 1, 19844, 3 }, { 2000, 2, 29, 11016, 2 }, { 1, 1, 1, -719162, 1 },
		{ 9999, 12, 31, 2932896, 5 }, { 1969, 12, 31, -1, 3 }, { 1900, 3, 1, -25508, 4 }, { 1600, 2, 29, -135081, 2 },
	};
	struct civil c;

	for (size_t i = 0; i < NELEM(cases); i++) {
		is_int(time_from_civil(cases[i].y, cases[i].m, cases[i].d), cases[i].days * DAY,
		    "day number of %d-%d-%d", cases[i].y, cases[i].m, cases[i].d);
		time_civil(cases[i].days * DAY + 86399 * S + 999999, &c);
		ok(c.year == cases[i].y && c.month == cases[i].m && c.day == cases[i].d &&
			c.weekday == cases[i].weekday && c.hour == 23 && c.minute == 59 &&
			c.second == 59,
		    "and back");
	}
	/* every day of 800 years, one after the other */
	int64_t us = time_from_civil(1500, 1, 1);
	bool same = true;
	for (int i = 0; i < 292194; i++, us += DAY) {
		time_civil(us, &c);
		same = same && time_from_civil(c.year, c.month, c.day) == us && c.day >= 1 &&
		    c.day <= 31;
	}
	time_civil(us, &c);
	ok(same && c.year == 2300 && c.month == 1 && c.day == 1, "292,194 days in a row");
	is_int(time_from_civil(2023, 17, 1), MAY1, "month overflows");
	is_int(time_from_civil(2024, -7, 1), time_from_civil(2023, 5, 1), "month underflows");
	is_int(time_from_civil(2024, 4, 31), MAY1, "day overflows");
	is_int(time_from_civil(2024, 5, 0), MAY1 - DAY, "day 0");
	ok(time_from_civil(2147483647, 12, 31) > 0 &&
		time_from_civil(-2147483647 - 1, -2147483647 - 1, 1) < 0,
	    "no overflow at the ends");
	time_civil(INT64_MIN, &c);
	time_civil(INT64_MAX, &c);
	is_int(c.year, 294247, "the last microsecond");
}

static void
test_written(void)
{
	static const struct { const char *text; int64_t at; } good[] = {
		{ "1 May 2024", MAY1 }, { "May 1, 2024", MAY1 }, { "May 1st, 2024 12:30:15", NOON }, { "12:30:15 pm on 1 May, 2024", NOON },
		{ "1:56 pm on 8 May, 2023", 1683554160 * S }, { "2023/05/20 (Sat) 02:21", 1684549260 * S }, { "March 1, 2026 10:00am", 1772359200 * S },
		{ "Sun Mar  1 10:00:00 2026", 1772359200 * S }, { "Wed May 01 12:30:15.250 2024", NOON + 250000 }, { "1.5.2024 12:30", NOON - 15 * S },
		{ "13/3/2026", 1773360000 * S }, { "3/13/26", 1773360000 * S }, { "5/5/2024", MAY1 + 4 * DAY }, { "Sept. 9, 2024", 1725840000 * S },
		{ "12:05 AM, May 1, 2024", MAY1 + 300 * S }, { "12:05\xe2\x80\xafPM May 1, 2024", MAY1 + 43500 * S }, { "2024-5-1 12:30:15 UTC", NOON },
		{ "1 May 2024 14:30:15 +02:00", NOON }, { "1 May 2024 09:00:15 -0330", NOON }, { "01 May 2024 at 12:30:15 GMT", NOON },
		{ "2024\xe5\xb9\xb4" "5\xe6\x9c\x88" "1\xe6\x97\xa5 \xe4\xb8\x8b\xe5\x8d\x88" "2:30", MAY1 + 52200 * S },
		{ "2024\xe5\xb9\xb4" "5\xe6\x9c\x88" "1\xe6\x97\xa5 \xe4\xb8\x8a\xe5\x8d\x88" "12:05", MAY1 + 300 * S },
		{ "Feb 29 2024", MAY1 - 62 * DAY }, { "2024-05-01@12:30:15", NOON },
	};
	static const char *const bad[] = { "0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-01:00",
		"",
		" ",
		"May 2024",
		"1 May",
		"2024",
		"12:30",
		"soonish",
		"5/1/2026",
		"30 Feb 2024",
		"31.4.2024",
		"1 May 2024 25:00",
		"1 May 2024 12:60",
		"13:00 pm 1 May 2024",
		"0:30 am 1 May 2024",
		"1 May 2024 2 June",
		"1 May 2024 12:00 13:00",
		"32 May 2024",
		"1 Mayo 2024",
		"1 Ma 2024",
		"pm 1 May 2024 13:00x",
		"1 May 2024 +02:00",
		"1 May 2024 12:30 +2460",
		"12345 May 1",
		"1 May 20245",
		"1//5/2024",
		"1.5.202",
		"1-May-2024",
		"1 May 2024 12:30.",
		"1 May 2024 12:30:15.",
		"the 1 May 2024 pm am",
		"room 12 on 1 May 2024",
	};
	int64_t us;

	for (size_t i = 0; i < NELEM(good); i++) {
		us = -1;
		is_int(time_parse_written(good[i].text, strlen(good[i].text), &us), 0,
		    "'%s' is a date", good[i].text);
		is_int(us, good[i].at, "'%s'", good[i].text);
	}
	for (size_t i = 0; i < NELEM(bad); i++)
		is_int(time_parse_written(bad[i], strlen(bad[i]), &us), -1, "'%s' is none", bad[i]);
}

static void
test_good(void)
{
	static const struct { const char *text; int64_t from, to; } cases[] = {
		{ "2024-05-01", MAY1, MAY1 + DAY },
		{ "2024-05", MAY1, MAY1 + 31 * DAY },
		{ "2024-12", 20058 * DAY, 20089 * DAY },
		{ "2024", 19723 * DAY, 20089 * DAY },
		{ "1970", 0, 365 * DAY },
		{ "2000-02-29", 11016 * DAY, 11017 * DAY },
		{ "2024-05-01T12:30", NOON - 15 * S, NOON + 45 * S },
		{ "2024-05-01T12:30:15", NOON, NOON + S },
		{ "2024-05-01T12:30:15Z", NOON, NOON + S },
		{ "2024-05-01t12:30:15z", NOON, NOON + S },
		{ "2024-05-01 12:30:15.25+02:00", NOON - 7200 * S + 250000, NOON - 7200 * S + 260000 },
		{ "2024-05-01 12:30:15,5", NOON + 500000, NOON + 600000 },
		{ "2024-05-01 12:30:15 +0200", NOON - 7200 * S, NOON - 7199 * S },
		{ "2024-05-01T12:30:15-05", NOON + 18000 * S, NOON + 18001 * S },
		{ "2024-05-01 12:30:15 UTC", NOON, NOON + S },
		{ "2024-05-01T12:30:15.123456789Z", NOON + 123456, NOON + 123457 },
		{ "2016-12-31T23:59:60Z", 17167 * DAY, 17167 * DAY + S },
		{ "0001-01-01T00:00:00Z", -719162 * DAY, -719162 * DAY + S },
		{ "9999-12-31T23:59:59Z", 2932897 * DAY - S, 2932897 * DAY },
		{ "1714566615", NOON, NOON + S },
		{ "1714566615.25", NOON + 250000, NOON + 260000 },
		{ "1714566615123", NOON + 123000, NOON + 124000 },
		{ "1714566615123456", NOON + 123456, NOON + 123457 },
		{ "1714566615123456789", NOON + 123456, NOON + 123457 },
		{ "0", 0, S },
		{ "Wed, 1 May 2024 12:30:15 +0200", NOON - 7200 * S, NOON - 7199 * S },
		{ "Wed, 01 May 2024 12:30:15 GMT", NOON, NOON + S },
		{ "1 May 24 12:30 EST", NOON + 17985 * S, NOON + 18045 * S },
		{ "01 May 2024 12:30:15", NOON, NOON + S },
		{ "Thu, 1 Jan 70 00:00:00 +0000", 0, S },
	};
	int64_t from, to;

	for (size_t i = 0; i < NELEM(cases); i++) {
		const char *s = cases[i].text;

		from = to = -1;
		is_int(time_parse(s, strlen(s), &from, &to), 0, "%s", s);
		is_int(from, cases[i].from, "begins");
		is_int(to, cases[i].to, "ends");
	}
	is_int(time_parse("2024-05-01xyz", 10, &from, NULL), 0,
	    "the length counts, the end may be left out");
}

static void
test_bad(void)
{
	static const char *const cases[] = {
		"",
		" ",
		"x",
		"2024-",
		"2024-5",
		"2024-00",
		"2024-13",
		"2024-05-",
		"2024-05-1",
		"2024-05-00",
		"2024-05-32",
		"2024-04-31",
		"2023-02-29",
		"1900-02-29",
		"2100-02-29",
		"0000",
		"0000-01-01",
		"2024-05-01T",
		"2024-05-01T1",
		"2024-05-01T24:00",
		"2024-05-01T12",
		"2024-05-01T12:60",
		"2024-05-01T12:30:61",
		"2024-05-01T12:30:15.",
		"2024-05-01T12:30:15x",
		"2024-05-01T12:30:15 ",
		"2024-05-01T12:30:15+",
		"2024-05-01T12:30:15+2",
		"2024-05-01T12:30:15+24:00",
		"2024-05-01T12:30:15+02:60",
		"2024-05-01T12:30:15+02:",
		"2024-05-01T12:30:15ZZ",
		"2024-05-01Z",
		" 2024-05-01",
		"2024-05-01 ",
		"-5",
		"+5",
		"1e9",
		"0x10",
		"99999999999999999999",
		"9223372036854775808",
		"1714566615123.5",
		"1714566615.",
		"Wed 1 May 2024 12:30:15 +0200",
		"Wed, 1 May 2024",
		"Wed, 32 May 2024 12:30:15",
		"31 Apr 2024 12:30:15",
		"Wed, 1 Mai 2024 12:30:15",
		"Xyz, 1 May 2024 12:30:15",
		"1 May 2024 12:30:15 XYZ",
		"0001-01-01T00:00:00+01:00",
		"9999-12-31T23:59:59-01:00",
		"9999-12-31T23:59:60Z",
		"now",
		"7d",
	};
	int64_t us;

	for (size_t i = 0; i < NELEM(cases); i++)
		is_int(time_parse(cases[i], strlen(cases[i]), &us, NULL), -1, "no time: '%s'",
		    cases[i]);
	is_int(time_parse("2024\0-05", 8, &us, NULL), -1, "no time: a NUL inside");
}

static void
test_relative(void)
{
	static const struct { const char *text; int64_t from, to; } cases[] = {
		{ "now", NOON, NOON + 1 }, { "today", MAY1, MAY1 + DAY }, { "yesterday", MAY1 - DAY, MAY1 }, { "Today", MAY1, MAY1 + DAY },
		{ "7d", NOON - 7 * DAY, NOON - 7 * DAY + 1 }, { "2w", NOON - 14 * DAY, NOON - 14 * DAY + 1 },
		{ "12h", NOON - DAY / 2, NOON - DAY / 2 + 1 }, { "90min", NOON - 5400 * S, NOON - 5400 * S + 1 },
		{ "1mo", NOON - 30 * DAY, NOON - 30 * DAY + 1 }, { "3mo", NOON - 90 * DAY, NOON - 90 * DAY + 1 },
		{ "1y", NOON - 366 * DAY, NOON - 366 * DAY + 1 }, { "17mo", NOON - 517 * DAY, NOON - 517 * DAY + 1 },
		{ "2024-05", MAY1, MAY1 + 31 * DAY },
	};
	static const char *const bad[] = { "", "d", "7", "7x", "7dd", "nowish", "7 d", "-7d",
		"9999y", "999999w", "1234567d", "tod" };
	int64_t from, to;

	for (size_t i = 0; i < NELEM(cases); i++) {
		from = to = -1;
		is_int(time_parse_relative(cases[i].text, NOON, &from, &to), 0, "%s",
		    cases[i].text);
		is_int(from, cases[i].from, "begins");
		is_int(to, cases[i].to, "ends");
	}
	for (size_t i = 0; i < NELEM(bad); i++)
		if (strcmp(bad[i], "7") != 0)
			is_int(time_parse_relative(bad[i], NOON, &from, &to), -1, "no time: '%s'",
			    bad[i]);
	time_parse_relative("1mo", time_from_civil(2024, 3, 31), &from, NULL);
	is_int(from, time_from_civil(2024, 2, 29),
	    "a month before 31 March is the last of February");
	time_parse_relative("1y", time_from_civil(2024, 2, 29), &from, NULL);
	is_int(from, time_from_civil(2023, 2, 28), "a year before 29 February");
}

static void
test_format(void)
{
	static const struct { int64_t us; const char *text; } cases[] = {
		{ 0, "1970-01-01T00:00:00Z" }, { NOON, "2024-05-01T12:30:15Z" }, { NOON + 250000, "2024-05-01T12:30:15.25Z" },
		{ NOON + 1, "2024-05-01T12:30:15.000001Z" }, { -1, "1969-12-31T23:59:59.999999Z" },
		{ -719162 * DAY, "0001-01-01T00:00:00Z" }, { 2932897 * DAY - 1, "9999-12-31T23:59:59.999999Z" }, { TIME_NONE, "" },
	};
	char out[TIME_TEXT];
	int64_t us;

	for (size_t i = 0; i < NELEM(cases); i++) {
		is_str(time_format(cases[i].us, out), cases[i].text, "time as text: %s",
		    cases[i].text);
		if (cases[i].us != TIME_NONE)
			ok(time_parse(out, strlen(out), &us, NULL) == 0 && us == cases[i].us,
			    "and back");
	}
	is_str(time_format_day(NOON, out), "2024-05-01", "day");
	is_str(time_format_day(TIME_NONE, out), "", "no day");
	ok(strlen(time_format(INT64_MIN + 1, out)) < TIME_TEXT, "the first microsecond fits");
	ok(strlen(time_format(INT64_MAX, out)) < TIME_TEXT, "the last microsecond fits");
}

static void
test_clock(void)
{
	setenv("MEM_NOW", "2024-05-01T12:30:15Z", 1);
	is_int(clock_now_us(), NOON, "MEM_NOW fixes the clock");
	clock_fix(5);
	is_int(clock_now_us(), 5, "and clock_fix");
	clock_fix(TIME_NONE);
	ok(clock_now_us() > 1700000000 * S, "or lets it go");
	int64_t a = clock_mono_us(), b = clock_mono_us();
	ok(b >= a, "the other clock does not go back");
}

int
main(void)
{
	test_calendar();
	test_good();
	test_written();
	test_bad();
	test_relative();
	test_format();
	test_clock();
	return tap_done();
}
