/*
 * timenames.c: named parts of the year: seasons, quarters and feasts, in English and Chinese; and
 * pairs of spans that mean one time together.
 *
 * A season or a quarter is a row of months; a feast is a calendar day, a weekday of a month, or a
 * day of the lunar year. Without a year, a name whose dates are the same every year means that of
 * any year; a movable feast means the latest one that has begun.
 *
 * Joined are a part of any year and a year beside it ("Christmas last year", "summer of 2024",
 * 去年中秋节), a weekday and its week ("Tuesday last week"), and a weekday and its date.
 */
#include "base/ascii.h"
#include "time/timespan.h"

enum how { MONTHS, DAY, NTH, EASTER, MOON };
enum { SPRING, SUMMER, AUTUMN, WINTER, QUARTER };

/*
 * a to d depend on how. MONTHS: the first month, how many. DAY: month, day. NTH: month, weekday,
 * which of them, days after it. EASTER: days after it. MOON: column of the table moon, days after
 * that day, how many days.
 */
static const struct part { enum how how; int a, b, c, d; } parts[] = {
	[SPRING] = { MONTHS, 3, 3, 0, 0 }, [SUMMER] = { MONTHS, 6, 3, 0, 0 }, [AUTUMN] = { MONTHS, 9, 3, 0, 0 }, [WINTER] = { MONTHS, 12, 3, 0, 0 },
	[QUARTER] = { MONTHS, 1, 3, 0, 0 }, { MONTHS, 4, 3, 0, 0 }, { MONTHS, 7, 3, 0, 0 }, { MONTHS, 10, 3, 0, 0 },
	{ DAY, 1, 1, 0, 0 }, { DAY, 2, 14, 0, 0 }, { DAY, 3, 17, 0, 0 }, { DAY, 10, 31, 0, 0 }, { DAY, 12, 24, 0, 0 }, { DAY, 12, 25, 0, 0 }, { DAY, 12, 26, 0, 0 },
	{ DAY, 12, 31, 0, 0 }, { NTH, 11, 4, 4, 0 }, { NTH, 11, 4, 4, 1 }, { NTH, 5, 0, 2, 0 }, { NTH, 6, 0, 3, 0 }, { EASTER, -2, 0, 0, 0 }, { EASTER, 0, 0, 0, 0 },
	{ MOON, 0, -1, 8, 0 }, { MOON, 0, -1, 1, 0 }, { MOON, 0, 14, 1, 0 }, { MOON, 1, 0, 1, 0 }, { MOON, 2, 0, 1, 0 }, { DAY, 4, 4, 0, 0 }, { DAY, 10, 1, 0, 0 },
	{ DAY, 5, 1, 0, 0 }, { DAY, 11, 11, 0, 0 }, { MONTHS, 12, 1, 0, 0 }, { MONTHS, 1, 1, 0, 0 },
	{ MONTHS, 1, 6, 0, 0 }, { MONTHS, 7, 6, 0, 0 }, { MONTHS, 7, 2, 0, 0 }, { MONTHS, 1, 2, 0, 0 }, { DAY, 7, 4, 0, 0 },
};
enum {
	NEW_YEAR = QUARTER + 4,
	VALENTINE,
	PATRICK,
	HALLOWEEN,
	CHRISTMAS_EVE,
	CHRISTMAS,
	BOXING,
	NEW_YEARS_EVE,
	THANKSGIVING,
	BLACK_FRIDAY,
	MOTHERS,
	FATHERS,
	GOOD_FRIDAY,
	EASTER_SUNDAY,
	SPRING_FESTIVAL,
	SPRING_EVE,
	LANTERNS,
	DRAGON_BOAT,
	MID_AUTUMN,
	TOMBS,
	NATIONAL,
	LABOUR,
	SINGLES,
	YEAR_END,
	YEAR_START,
	HALF_1,
	HALF_2,
	LONG_HOLIDAYS,
	SHORT_HOLIDAYS,
	FOURTH_OF_JULY,
	N_PARTS
};
_Static_assert(NELEM(parts) == N_PARTS, "a name for each part");

/*
 * For each year from 2000 on, the day of the year, 1 for 1 January, of three lunar dates: the first
 * day of the year, the fifth of the fifth month, the fifteenth of the eighth.
 */
enum { MOON_FROM = 2000 };
static const uint16_t moon[][3] = {
	{ 36, 158, 256 }, { 24, 176, 274 }, { 43, 166, 264 }, { 32, 155, 254 }, { 22, 174, 272 }, { 40, 162, 261 }, { 29, 151, 279 }, { 49, 170, 268 }, { 38, 160, 258 },
	{ 26, 148, 276 }, { 45, 167, 265 }, { 34, 157, 255 }, { 23, 175, 274 }, { 41, 163, 262 }, { 31, 153, 251 }, { 50, 171, 270 }, { 39, 161, 259 }, { 28, 150, 277 },
	{ 47, 169, 267 }, { 36, 158, 256 }, { 25, 177, 275 }, { 43, 165, 264 }, { 32, 154, 253 }, { 22, 173, 272 }, { 41, 162, 261 }, { 29, 151, 279 }, { 48, 170, 268 },
	{ 37, 160, 258 }, { 26, 149, 277 }, { 44, 167, 265 }, { 34, 156, 255 }, { 23, 175, 274 }, { 42, 164, 263 }, { 31, 152, 251 }, { 50, 171, 270 }, { 39, 161, 259 },
	{ 28, 151, 278 }, { 46, 169, 267 }, { 35, 158, 256 }, { 24, 147, 275 }, { 43, 166, 264 }, { 32, 154, 253 }, { 22, 173, 271 }, { 41, 162, 260 }, { 30, 152, 279 },
	{ 48, 170, 268 }, { 37, 159, 258 }, { 26, 149, 277 }, { 45, 167, 266 }, { 33, 155, 254 }, { 23, 174, 273 },
};

/* ---- where they lie ---- */

/*
 * Returns Easter Sunday as a day of March, over 31 in April, by the formulas of Gauss and
 * Lichtenberg for the Gregorian calendar.
 */
static int
easter(int year)
{
	int k = year / 100, m = 15 + (3 * k + 3) / 4 - (8 * k + 13) / 25, s = 2 - (3 * k + 3) / 4,
	    a = year % 19, d = (19 * a + m) % 30;
	int r = (d + a / 11) / 29, og = 21 + d - r, sz = 7 - (year + year / 4 + s) % 7;

	return og + 7 - (og - sz) % 7;
}

/* Sets the part of the given year; false when its date is not known. */
static bool
in_year(struct time_span *s, int number, int year)
{
	const struct part *p = &parts[number];
	struct civil first;
	int64_t day;

	if (year < MIN_YEAR || year > MAX_YEAR ||
	    (p->how == MOON && (year < MOON_FROM || year >= MOON_FROM + (int)NELEM(moon))))
		return false;
	switch (p->how) {
	case MONTHS:
		timespan_set(s, time_from_civil(year, p->a, 1),
		    time_from_civil(year, p->a + p->b, 1), GRAIN_MONTH);
		return true;
	case DAY:
		day = time_from_civil(year, p->a, p->b);
		break;
	case NTH:
		time_civil(time_from_civil(year, p->a, 1), &first);
		day = time_from_civil(year, p->a,
		    1 + (p->b - first.weekday + 7) % 7 + 7 * (p->c - 1) + p->d);
		break;
	case EASTER:
		day = time_from_civil(year, 3, easter(year) + p->a);
		break;
	default:
		day = time_from_civil(year, 1, moon[year - MOON_FROM][p->a] + p->b);
		break;
	}
	timespan_set(s, day, day + (p->how == MOON ? p->c : 1) * US_PER_DAY,
	    p->how == MOON && p->c > 1 ? GRAIN_WEEK : GRAIN_DAY);
	return true;
}

/*
 * Sets the latest that is over (which -1), the latest that has begun (0), or the next that will
 * begin (1).
 */
static bool
in_year_near_now(struct time_span *s, int number, int which, int64_t now_us)
{
	struct civil now;
	struct time_span best = { .from_us = TIME_NONE };

	time_civil(now_us, &now);
	for (int year = now.year - 2; year <= now.year + 2; year++) {
		struct time_span at = *s;

		if (!in_year(&at, number, year))
			continue;
		if (which > 0 ? at.from_us > now_us && best.from_us == TIME_NONE
			      : (which < 0 ? at.to_us : at.from_us) <= now_us)
			best = at;
	}
	if (best.from_us == TIME_NONE)
		return false;
	*s = best;
	return true;
}

/* Sets the part of any year; for a movable feast, the latest that has begun. */
static bool
in_any_year(struct time_span *s, int number, int64_t now_us)
{
	const struct part *p = &parts[number];

	if (p->how != MONTHS && p->how != DAY)
		return in_year_near_now(s, number, 0, now_us);
	timespan_set(s, TIME_NONE, TIME_NONE, p->how == DAY ? GRAIN_DAY : GRAIN_MONTH);
	s->month = p->a;
	s->day = p->how == DAY ? p->b : 0;
	s->months = p->how == DAY ? 0 : p->b;
	return true;
}

/* Sets the season or feast that includes now, or else is nearest to it: "this winter". */
static bool
in_nearest_year(struct time_span *s, int number, int64_t now_us)
{
	struct time_span before = *s, after = *s;
	bool is_before = in_year_near_now(&before, number, 0, now_us),
	     is_after = in_year_near_now(&after, number, 1, now_us);

	if (!is_before && !is_after)
		return false;
	*s = is_before &&
		(!is_after || before.to_us > now_us ||
		    now_us - before.to_us < after.from_us - now_us)
	    ? before
	    : after;
	return true;
}

/* ---- English ---- */

enum need {
	NOTHING,
	/* beside a preposition, "last" or a year; without these, "spring" may be something else */
	PLACE ,
	YEAR
};

static const struct name { const char *text; uint8_t part; uint8_t need; } english[] = {
	{ "new year's eve", NEW_YEARS_EVE, NOTHING }, { "new years eve", NEW_YEARS_EVE, NOTHING }, { "new year's day", NEW_YEAR, NOTHING }, { "new year's", NEW_YEAR, NOTHING },
	{ "chinese new year", SPRING_FESTIVAL, NOTHING }, { "lunar new year", SPRING_FESTIVAL, NOTHING }, { "spring festival", SPRING_FESTIVAL, NOTHING },
	{ "valentine's day", VALENTINE, NOTHING }, { "valentines day", VALENTINE, NOTHING }, { "st. patrick's day", PATRICK, NOTHING }, { "st patrick's day", PATRICK, NOTHING },
	{ "halloween", HALLOWEEN, NOTHING }, { "christmas eve", CHRISTMAS_EVE, NOTHING }, { "christmas day", CHRISTMAS, NOTHING }, { "christmas", CHRISTMAS, NOTHING },
	{ "xmas", CHRISTMAS, NOTHING }, { "boxing day", BOXING, NOTHING }, { "thanksgiving", THANKSGIVING, NOTHING }, { "black friday", BLACK_FRIDAY, NOTHING },
	{ "mother's day", MOTHERS, NOTHING }, { "mothers day", MOTHERS, NOTHING }, { "father's day", FATHERS, NOTHING }, { "fathers day", FATHERS, NOTHING },
	{ "good friday", GOOD_FRIDAY, NOTHING }, { "easter", EASTER_SUNDAY, NOTHING }, { "mid-autumn festival", MID_AUTUMN, NOTHING },
	{ "dragon boat festival", DRAGON_BOAT, NOTHING }, { "lantern festival", LANTERNS, NOTHING },
	{ "springtime", SPRING, NOTHING }, { "spring", SPRING, PLACE }, { "summertime", SUMMER, NOTHING }, { "summer", SUMMER, PLACE }, { "autumn", AUTUMN, PLACE }, { "fall", AUTUMN, PLACE },
	{ "wintertime", WINTER, NOTHING }, { "winter", WINTER, PLACE },
	{ "q1", QUARTER, NOTHING }, { "q2", QUARTER + 1, NOTHING }, { "q3", QUARTER + 2, NOTHING }, { "q4", QUARTER + 3, NOTHING },
	{ "first quarter", QUARTER, YEAR }, { "second quarter", QUARTER + 1, YEAR }, { "third quarter", QUARTER + 2, YEAR }, { "fourth quarter", QUARTER + 3, YEAR },
	{ "first half", HALF_1, YEAR }, { "second half", HALF_2, YEAR }, { "fourth of july", FOURTH_OF_JULY, NOTHING },
	{ "end of the year", YEAR_END, NOTHING }, { "start of the year", YEAR_START, NOTHING }, { "beginning of the year", YEAR_START, NOTHING },
	{ "end of", YEAR_END, YEAR }, { "start of", YEAR_START, YEAR }, { "beginning of", YEAR_START, YEAR },
};

/* Behind these, with or without "the", the name of a season means a time. */
static const char *const before_seasons[] = { "in", "during", "over", "throughout", "since",
	"until", "by", "through", "early", "late", "mid", "that", "of", NULL };

/*
 * Returns where the phrase at text[at] ends, in any case and with either apostrophe; `at` when it
 * is not there or its last word goes on.
 */
static size_t
phrase_end(const char *text, size_t len, size_t at, const char *phrase)
{
	size_t from = at;

	for (; *phrase != '\0'; phrase++) {
		if (*phrase == '\'' && len - at >= 3 && memcmp(text + at, "\xe2\x80\x99", 3) == 0)
			at += 3;
		else if (at < len && ascii_lower(text[at]) == *phrase)
			at++;
		else
			return from;
	}
	return at < len && ascii_is_alnum(text[at]) ? from : at;
}

static size_t
any_phrase(const char *text, size_t len, size_t at, const char *const *list)
{
	for (; *list != NULL; list++) {
		size_t end = phrase_end(text, len, at, *list);
		if (end > at)
			return end;
	}
	return at;
}

static size_t
blanks(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] == ' ')
		at++;
	return at;
}

/*
 * Reads a year at text[at]: a number, "last year", "the year before last". Returns where it ends,
 * `at` when there is none.
 */
static size_t
read_year(const char *text, size_t len, size_t at, int64_t now_us, int *year)
{
	static const struct { const char *text; int offset; } years[] = {
		{ "last year", -1 }, { "this year", 0 }, { "next year", 1 }, { "the year before last", -2 }, { "the year", 0 } };
	struct civil now;
	size_t end = at;

	for (*year = 0; end < len && end < at + 4 && ascii_is_digit(text[end]); end++)
		*year = 10 * *year + (text[end] - '0');
	if (end == at + 4 && *year >= MIN_YEAR && *year <= MAX_YEAR &&
	    (end == len || (!ascii_is_alnum(text[end]) && text[end] != '-')))
		return end;
	time_civil(now_us, &now);
	for (size_t i = 0; i < NELEM(years); i++)
		if ((end = phrase_end(text, len, at, years[i].text)) > at) {
			*year = now.year + years[i].offset;
			return end;
		}
	return at;
}

/* Returns the start of the word before `at`, skipping blanks; `at` when there is none. */
static size_t
word_before(const char *text, size_t at)
{
	size_t end = at, start;

	while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '-'))
		end--;
	for (start = end; start > 0 && ascii_is_letter(text[start - 1]); start--)
		;
	return start < end ? start : at;
}

static bool
is_place(const char *text, size_t len, size_t at)
{
	size_t word = word_before(text, at);

	if (word != at && phrase_end(text, len, word, "the") > word)
		word = word_before(text, word);
	return any_phrase(text, len, word, before_seasons) > word;
}

size_t
timespan_english_name(const char *text, size_t len, size_t at, int64_t now_us, int which,
	struct time_span *s)
{
	bool done = false;

	for (size_t i = 0; i < NELEM(english) && !done; i++) {
		size_t end = ascii_lower(text[at]) == english[i].text[0]
		    ? phrase_end(text, len, at, english[i].text)
		    : at,
		       year_at, name_end = end;
		int year = 0;

		if (end == at)
			continue;
		year_at = blanks(text, len, end < len && text[end] == ',' ? end + 1 : end);
		for (const char *const *w = (const char *const[]){ "of", "in", NULL }; *w != NULL;
		     w++)
			if (phrase_end(text, len, year_at, *w) > year_at)
				year_at = blanks(text, len, phrase_end(text, len, year_at, *w));
		if (which == TIMESPAN_NO_WHICH)
			year_at = read_year(text, len, year_at, now_us, &year) > year_at
			    ? read_year(text, len, year_at, now_us, &year)
			    : end;
		if (year != 0) {
			done = in_year(s, english[i].part, year);
			end = year_at;
		} else if (which != TIMESPAN_NO_WHICH) {
			done = english[i].need != YEAR &&
			    (which == 0 ? in_nearest_year(s, english[i].part, now_us)
					: in_year_near_now(s, english[i].part, which, now_us));
		} else {
			done = english[i].need != YEAR &&
			    (english[i].need == NOTHING || is_place(text, len, at)) &&
			    in_any_year(s, english[i].part, now_us);
		}
		if (!done)
			return at;
		s->part = year == 0 && which == TIMESPAN_NO_WHICH ? english[i].part + 1 : 0;
		s->start = s->name_start = at;
		s->name_end = name_end;
		s->end = end;
	}
	return done ? s->end : at;
}

void
timespan_quarter(struct time_span *s, int64_t now_us, int offset)
{
	struct civil now;
	int64_t from;

	time_civil(now_us, &now);
	from = time_from_civil(now.year, (now.month - 1) / 3 * 3 + 1 + 3 * offset, 1);
	time_civil(from, &now);
	timespan_set(s, from, time_from_civil(now.year, now.month + 3, 1), GRAIN_MONTH);
}

/* ---- Chinese ---- */

/* Where one name begins another, the longer one comes first. */
static const struct name chinese[] = {
	{ "春节", SPRING_FESTIVAL, NOTHING }, { "过年", SPRING_FESTIVAL, NOTHING }, { "大年三十", SPRING_EVE, NOTHING }, { "除夕", SPRING_EVE, NOTHING }, { "元宵", LANTERNS, NOTHING },
	{ "端午", DRAGON_BOAT, NOTHING }, { "中秋", MID_AUTUMN, NOTHING }, { "清明", TOMBS, NOTHING }, { "国庆", NATIONAL, NOTHING }, { "劳动节", LABOUR, NOTHING }, { "五一", LABOUR, NOTHING },
	{ "十一假期", NATIONAL, NOTHING }, { "双十一", SINGLES, NOTHING }, { "元旦", NEW_YEAR, NOTHING }, { "情人节", VALENTINE, NOTHING }, { "圣诞", CHRISTMAS, NOTHING },
	{ "平安夜", CHRISTMAS_EVE, NOTHING }, { "万圣节", HALLOWEEN, NOTHING }, { "感恩节", THANKSGIVING, NOTHING }, { "母亲节", MOTHERS, NOTHING }, { "父亲节", FATHERS, NOTHING },
	{ "复活节", EASTER_SUNDAY, NOTHING }, { "春天", SPRING, NOTHING }, { "春季", SPRING, NOTHING }, { "夏天", SUMMER, NOTHING }, { "夏季", SUMMER, NOTHING }, { "秋天", AUTUMN, NOTHING },
	{ "秋季", AUTUMN, NOTHING }, { "冬天", WINTER, NOTHING }, { "冬季", WINTER, NOTHING }, { "第一季度", QUARTER, NOTHING }, { "第二季度", QUARTER + 1, NOTHING },
	{ "第三季度", QUARTER + 2, NOTHING }, { "第四季度", QUARTER + 3, NOTHING }, { "一季度", QUARTER, NOTHING }, { "二季度", QUARTER + 1, NOTHING }, { "三季度", QUARTER + 2, NOTHING },
	{ "四季度", QUARTER + 3, NOTHING }, { "上半年", HALF_1, NOTHING }, { "下半年", HALF_2, NOTHING }, { "暑假", LONG_HOLIDAYS, NOTHING }, { "寒假", SHORT_HOLIDAYS, NOTHING }, { "年底", YEAR_END, NOTHING }, { "年末", YEAR_END, NOTHING }, { "年初", YEAR_START, NOTHING }, { "底", YEAR_END, YEAR }, { "初", YEAR_START, YEAR },
};

size_t
timespan_chinese_name(const char *text, size_t len, size_t at, int64_t now_us, int year,
	struct time_span *s)
{
	for (size_t i = 0; i < NELEM(chinese); i++) {
		size_t n = strlen(chinese[i].text);

		if (len - at < n || memcmp(text + at, chinese[i].text, n) != 0 ||
		    (chinese[i].need == YEAR && year == 0))
			continue;
		if (!(year != 0 ? in_year(s, chinese[i].part, year)
				: in_any_year(s, chinese[i].part, now_us)))
			return at;
		s->part = year == 0 ? chinese[i].part + 1 : 0;
		s->name_start = at;
		s->name_end = at + n;
		return at + n;
	}
	return at;
}

/* ---- together ---- */

/*
 * Whether nothing but blanks, a comma, "of" or the like separates two spans, so that they may
 * belong together.
 */
static bool
may_join_across(const char *text, size_t from, size_t to)
{
	static const char *const joints[] = { "", " ", ", ", " of ", " in ", " on ", " the ",
		", the ", "'s ", "\xe2\x80\x99s ", "的", NULL };

	for (const char *const *s = joints; *s != NULL; s++)
		if (strlen(*s) == to - from && memcmp(text + from, *s, to - from) == 0)
			return true;
	return false;
}

static bool
is_week(const struct time_span *s)
{
	struct civil c;

	if (s->grain != GRAIN_WEEK || s->from_us == TIME_NONE ||
	    s->to_us - s->from_us != 7 * US_PER_DAY)
		return false;
	time_civil(s->from_us, &c);
	return c.weekday == 1;
}

/* Sets *out to what a and b mean together; false when they do not belong together. */
static bool
join_spans(const struct time_span *a, const struct time_span *b, struct time_span *out)
{
	struct civil c;

	*out = *a;
	if (a->weekday > 0 && is_week(b)) {
		int64_t day = b->from_us + (a->weekday + 5) % 7 * US_PER_DAY;

		timespan_set(out, day, day + US_PER_DAY, GRAIN_DAY);
		return true;
	}
	if (a->weekday > 0 && b->grain == GRAIN_DAY && b->day > 0) {
		*out = *b;
		return true;
	}
	if (b->grain != GRAIN_YEAR || b->from_us == TIME_NONE)
		return false;
	time_civil(b->from_us, &c);
	if (c.month != 1 || c.day != 1 || b->to_us != time_from_civil(c.year + 1, 1, 1))
		return false;
	if (a->part > 0) {
		if (!in_year(out, a->part - 1, c.year))
			return false;
		out->name_start = a->name_start;
		out->name_end = a->name_end;
		return true;
	}
	return a->from_us == TIME_NONE && a->month > 0 &&
	    timespan_date(out, c.year, a->month, a->day);
}

bool
timespan_join(const char *text, struct time_span *a, const struct time_span *b)
{
	struct time_span one;
	size_t start = a->start, end = b->end;

	if (!may_join_across(text, a->end, b->start) ||
	    (!join_spans(a, b, &one) && !join_spans(b, a, &one)))
		return false;
	*a = one;
	a->start = start;
	a->end = end;
	return true;
}
