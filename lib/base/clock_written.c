/*
 * clock_written.c: reads dates as people and programs write them. The text is read word by word;
 * each word sets a part of the date or is skipped. If something is not understood, a part is given
 * twice, or day and month could change places, the text is no date.
 */
#include "base/ascii.h"
#include "base/clock.h"
#include "base/order.h"

struct written {
	const char *p, *end;
	int year, month, day;                              /* 0: not given */
	int hour, minute, second;
	int64_t fraction_us, zone_us;
	bool clock, half, zone;                            /* given; half is am or pm */
};

static bool
set(int *part, int value, int min, int max)
{
	if (*part != 0 || value < min || value > max)
		return false;
	*part = value;
	return true;
}

static bool
skip_text(struct written *w, const char *what)
{
	size_t n = strlen(what);

	if ((size_t)(w->end - w->p) < n || memcmp(w->p, what, n) != 0)
		return false;
	w->p += n;
	return true;
}

/* Reads up to most digits. Returns how many there were. */
static int
digits(struct written *w, int most, int *value)
{
	int n = 0;

	for (*value = 0; n < most && w->p < w->end && ascii_is_digit(*w->p); n++, w->p++)
		*value = *value * 10 + (*w->p - '0');
	return w->p < w->end && ascii_is_digit(*w->p) ? 0 : n;
}

/* Reads the rest of a time after "10:": "01", "01:05", "01:05.25". */
static bool
rest_of_clock(struct written *w, int hour)
{
	int64_t unit = US_PER_S;

	if (w->clock || hour > 23 || digits(w, 2, &w->minute) != 2 || w->minute > 59)
		return false;
	w->clock = true;
	w->hour = hour;
	if (!skip_text(w, ":"))
		return true;
	if (digits(w, 2, &w->second) != 2 || w->second > 60)
		return false;
	if (!skip_text(w, "."))
		return true;
	if (w->p == w->end || !ascii_is_digit(*w->p))
		return false;
	for (; w->p < w->end && ascii_is_digit(*w->p); w->p++)
		w->fraction_us += (*w->p - '0') * (unit /= 10);
	return true;
}

/* Reads the rest of a date: after "2024-" "05-01", after "1." or "5/" "5.2024", "1/24". */
static bool
rest_of_date(struct written *w, int first, int width, const char *sep)
{
	int second, third, n;

	if (digits(w, 2, &second) == 0 || !skip_text(w, sep))
		return false;
	n = digits(w, width == 4 ? 2 : 4, &third);
	if (n == 0)
		return false;
	if (width == 4)
		return set(&w->year, first, 1, 9999) && set(&w->month, second, 1, 12) &&
		    set(&w->day, third, 1, 31);
	if (n == 2)
		third += third < 70 ? 2000 : 1900;
	/* "5/1" is a day in May in some countries and in January in others */
	if (*sep != '.' && first <= 12 && second <= 12 && first != second)
		return false;
	if (*sep != '.' && second > 12) {
		int day = second;

		second = first;
		first = day;
	}
	return n != 3 && n != 1 && set(&w->year, third, 1, 9999) && set(&w->month, second, 1, 12) &&
	    set(&w->day, first, 1, 31);
}

static bool
number(struct written *w)
{
	static const char *const seps[] = { "-", "/", "." };
	static const char *const ends[] = { "st", "nd", "rd", "th" };
	int value, n = digits(w, 4, &value);

	if (n == 0)
		return false;
	if (n <= 2 && skip_text(w, ":"))
		return rest_of_clock(w, value);
	for (size_t i = 0; i < NELEM(seps); i++)
		if ((n == 4 || n <= 2) && w->end - w->p >= 2 && ascii_is_digit(w->p[1]) &&
		    skip_text(w, seps[i]))
			return rest_of_date(w, value, n, seps[i]);
	if (skip_text(w, "\xe5\xb9\xb4"))                       /* year */
		return set(&w->year, value, 1, 9999);
	if (skip_text(w, "\xe6\x9c\x88"))                       /* month */
		return set(&w->month, value, 1, 12);
	if (skip_text(w, "\xe6\x97\xa5") ||
	    skip_text(w, "\xe5\x8f\xb7"))            /* day, two ways */
		return set(&w->day, value, 1, 31);
	if (n == 4)
		return set(&w->year, value, 1, 9999);
	for (size_t i = 0; i < NELEM(ends); i++)
		if (skip_text(w, ends[i]))
			break;
	skip_text(w, ".");
	return n <= 2 && set(&w->day, value, 1, 31);
}

/* Sets am or pm, for an hour from 1 to 12. */
static bool
half_of_day(struct written *w, bool pm)
{
	if (w->half || (w->clock && (w->hour < 1 || w->hour > 12)))
		return false;
	w->half = true;
	w->hour = (w->clock ? w->hour % 12 : 0) + (pm ? 12 : 0);
	return true;
}

/* Which of the n names a word is, or abbreviates with at least three letters; -1: none. */
static int
name_of(const char *word, size_t len, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (len >= 3 && len <= strlen(names[i]) && memcmp(names[i], word, len) == 0)
			return i;
	return -1;
}

static bool
word(struct written *w)
{
	static const char *const months[] = { "january", "february", "march", "april", "may",
		"june", "july", "august", "september", "october", "november", "december" };
	static const char *const days[] = { "sunday", "monday", "tuesday", "wednesday", "thursday",
		"friday", "saturday" };
	static const char *const empty[] = { "at", "on", "of", "the", "t", "sept" };
	char s[16];
	size_t len = 0;
	int month;

	for (; w->p < w->end && ascii_is_letter(*w->p); w->p++) {
		if (len + 1 == sizeof(s))
			return false;
		s[len++] = ascii_lower(*w->p);
	}
	s[len] = '\0';
	if ((month = name_of(s, len, months, 12)) >= 0 || strcmp(s, "sept") == 0) {
		skip_text(w, ".");
		return set(&w->month, month >= 0 ? month + 1 : 9, 1, 12);
	}
	if (name_of(s, len, days, 7) >= 0)
		return true;
	if (strcmp(s, "am") == 0 || strcmp(s, "pm") == 0)
		return w->clock && half_of_day(w, s[0] == 'p');
	if (strcmp(s, "utc") == 0 || strcmp(s, "gmt") == 0 || strcmp(s, "z") == 0)
		return w->clock;
	return text_index(s, empty, NELEM(empty)) >= 0;
}

static bool
zone(struct written *w)
{
	bool west = *w->p++ == '-';
	int h, m = 0;

	if (!w->clock || w->zone || digits(w, 4, &h) == 0)
		return false;
	if (h > 99) {
		m = h % 100;
		h /= 100;
	} else if (skip_text(w, ":") && digits(w, 2, &m) != 2) {
		return false;
	}
	if (h > 23 || m > 59)
		return false;
	w->zone = true;
	w->zone_us = (h * 3600 + m * 60) * US_PER_S * (west ? -1 : 1);
	return true;
}

static bool
one(struct written *w)
{
	static const char *const blanks[] = { " ", ",", "(", ")", "@", "\t", "\xc2\xa0",
		"\xe2\x80\xaf", "\xe2\x80\x8e", "\xe2\x80\x8f" };

	for (size_t i = 0; i < NELEM(blanks); i++)
		if (skip_text(w, blanks[i]))
			return true;
	/* Chinese has "before noon" and "after noon" before the time */
	if (skip_text(w, "\xe4\xb8\x8a\xe5\x8d\x88"))
		return half_of_day(w, false);
	if (skip_text(w, "\xe4\xb8\x8b\xe5\x8d\x88"))
		return half_of_day(w, true);
	if (ascii_is_digit(*w->p))
		return number(w);
	if (ascii_is_letter(*w->p))
		return word(w);
	return (*w->p == '+' || *w->p == '-') && zone(w);
}

int
time_parse_written(const char *s, size_t len, int64_t *us)
{
	struct written w = { .p = s, .end = s + len };
	struct civil c;

	if (len > 80)
		return -1;
	while (w.p < w.end) {
		int before = w.hour;
		bool clock = w.clock;

		if (!one(&w))
			return -1;
		/* in "pm 2:30" am or pm came first */
		if (!clock && w.clock && w.half) {
			if (w.hour > 12 || before > 12)
				return -1;
			w.hour = w.hour % 12 + before;
		}
	}
	if (w.year == 0 || w.month == 0 || w.day == 0)
		return -1;
	int64_t day = time_from_civil(w.year, w.month, w.day);
	time_civil(day, &c);
	if (c.month != w.month)
		return -1;
	day += (((int64_t)w.hour * 60 + w.minute) * 60 + w.second) * US_PER_S + w.fraction_us -
	    w.zone_us;
	/* its zone may move it out of the years that text can name */
	if (!time_has_text(day))
		return -1;
	*us = day;
	return 0;
}
