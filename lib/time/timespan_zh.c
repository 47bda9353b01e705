/*
 * timespan_zh.c: Chinese time words: fixed ones (昨天, 上个月), counted ones (三天前, 最近两周), dates (去年五月三号,
 * 2024年5月1日), weekdays (上周三, 星期天), and named parts of the year (timenames.c) with their year
 * (去年中秋).
 *
 * Chinese has no spaces, so words are compared at the place where they may begin; where one word
 * begins another, the longer one comes first in a table.
 */
#include "base/ascii.h"
#include "time/timespan.h"

struct word { const char *text; int value; };

struct reader {
	const char *text;
	size_t len, at;
};

/* Days, counted from today. */
static const struct word days[] = {
	{ "大前天", -3 }, { "前天", -2 }, { "前晚", -2 }, { "昨天", -1 }, { "昨晚", -1 }, { "昨日", -1 }, { "今天", 0 }, { "今早", 0 }, { "今晚", 0 },
	{ "今日", 0 }, { "明天", 1 }, { "明早", 1 }, { "明晚", 1 }, { "明日", 1 }, { "大后天", 3 }, { "后天", 2 }, { NULL, 0 },
};

static const struct word years[] = { { "大前年", -3 }, { "前年", -2 }, { "去年", -1 },
	{ "今年", 0 }, { "明年", 1 }, { "后年", 2 }, { NULL, 0 } };

static const struct word months[] = {
	{ "上上个月", -2 }, { "上个月", -1 }, { "上月", -1 }, { "这个月", 0 }, { "本月", 0 }, { "下下个月", 2 }, { "下个月", 1 }, { "下月", 1 }, { NULL, 0 },
};

static const struct word weeks[] = {
	{ "上上个星期", -2 }, { "上上星期", -2 }, { "上上周", -2 }, { "上个星期", -1 }, { "上个礼拜", -1 }, { "上星期", -1 }, { "上礼拜", -1 }, { "上周", -1 },
	{ "这个星期", 0 }, { "这个礼拜", 0 }, { "这星期", 0 }, { "这礼拜", 0 }, { "这周", 0 }, { "本周", 0 }, { "下下个星期", 2 }, { "下下星期", 2 }, { "下下周", 2 }, { "下个星期", 1 }, { "下个礼拜", 1 },
	{ "下星期", 1 }, { "下礼拜", 1 }, { "下周", 1 }, { NULL, 0 },
};

static const struct word bare_weeks[] = { { "星期", 0 }, { "礼拜", 0 }, { "周", 0 }, { NULL, 0 } };

static const struct word weekdays[] = {
	{ "一", 1 }, { "二", 2 }, { "三", 3 }, { "四", 4 }, { "五", 5 }, { "六", 6 }, { "日", 0 }, { "天", 0 }, { "末", 7 }, { NULL, 0 },
};

static const struct word numerals[] = {
	{ "一", 1 }, { "二", 2 }, { "两", 2 }, { "三", 3 }, { "四", 4 }, { "五", 5 }, { "六", 6 }, { "七", 7 }, { "八", 8 }, { "九", 9 }, { "几", 3 }, { NULL, 0 },
};

static const struct word units[] = {
	{ "天", GRAIN_DAY }, { "日", GRAIN_DAY }, { "周", GRAIN_WEEK }, { "个星期", GRAIN_WEEK }, { "星期", GRAIN_WEEK }, { "个礼拜", GRAIN_WEEK },
	{ "个月", GRAIN_MONTH }, { "年", GRAIN_YEAR }, { NULL, 0 },
};

static const struct word agos[] = { { "以前", 0 }, { "之前", 0 }, { "前", 0 }, { NULL, 0 } };
static const struct word recents[] = { { "最近", 1 }, { "过去", 1 }, { "近", 1 }, { "未来", -1 },
	{ NULL, 0 } };
static const struct word year_ends[] = { { "年", 0 }, { NULL, 0 } };
static const struct word month_ends[] = { { "月份", 0 }, { "月", 0 }, { NULL, 0 } };
static const struct word day_ends[] = { { "日", 0 }, { "号", 0 }, { NULL, 0 } };

static bool
read_word(struct reader *r, const struct word *list, int *value)
{
	for (; list->text != NULL; list++) {
		size_t n = strlen(list->text);

		if (r->len - r->at < n || memcmp(r->text + r->at, list->text, n) != 0)
			continue;
		r->at += n;
		*value = list->value;
		return true;
	}
	return false;
}

/* Reads ASCII digits, or a numeral up to ninety-nine. */
static bool
read_number(struct reader *r, int *value)
{
	static const struct word ten[] = { { "十", 10 }, { NULL, 0 } };
	int tens = 1, ones = 0, x;
	bool any = false;

	for (*value = 0; r->at < r->len && ascii_is_digit(r->text[r->at]); any = true) {
		if (*value > 9999)
			return false;
		*value = *value * 10 + (r->text[r->at++] - '0');
	}
	if (any)
		return true;
	if (read_word(r, numerals, &ones))
		any = true;
	if (!read_word(r, ten, &x)) {
		*value = ones;
		return any;
	}
	if (any)
		tens = ones;
	ones = 0;
	(void)read_word(r, numerals, &ones);
	*value = 10 * tens + ones;
	return true;
}

/* Reads month and day behind a year, where they are given: "五月三号". */
static void
read_month_day(struct reader *r, int *month, int *day)
{
	size_t before = r->at;
	int n, x;

	*month = *day = 0;
	if (!read_number(r, &n) || !read_word(r, month_ends, &x) || n < 1 || n > 12) {
		r->at = before;
		return;
	}
	*month = n;
	before = r->at;
	if (!read_number(r, &n) || !read_word(r, day_ends, &x) || n < 1 || n > 31) {
		r->at = before;
		return;
	}
	*day = n;
}

/* Reads the name of a part of the year, in the given year or in any. */
static bool
read_name(struct reader *r, int64_t now_us, int year, struct time_span *s)
{
	size_t end = timespan_chinese_name(r->text, r->len, r->at, now_us, year, s);
	bool is = end > r->at;

	r->at = end;
	return is;
}

/* Reads a year digit by digit: 二零二三. */
static bool
read_year_digits(struct reader *r, int *year)
{
	static const struct word zero[] = { { "零", 0 }, { "〇", 0 }, { NULL, 0 } };
	int digit;

	*year = 0;
	for (int i = 0; i < 4; i++) {
		if (!read_word(r, zero, &digit) && !read_word(r, numerals, &digit))
			return false;
		*year = 10 * *year + digit;
	}
	return true;
}

/* Reads 2024年5月1日, 去年五月, 五月三号, 五月, 去年春节, 春节. */
static bool
read_date(struct reader *r, int64_t now_us, struct time_span *s)
{
	struct reader year = *r;
	int n, x, month, day;
	struct civil now;

	time_civil(now_us, &now);
	if (read_word(&year, years, &n)) {
		*r = year;
		read_month_day(r, &month, &day);
		if (month)
			return timespan_date(s, now.year + n, month, day);
		if (read_name(r, now_us, now.year + n, s))
			return true;
		timespan_unit(s, now_us, GRAIN_YEAR, n);
		return true;
	}
	if (read_number(&year, &n) && n >= MIN_YEAR && n <= MAX_YEAR &&
	    read_word(&year, year_ends, &x)) {
		*r = year;
		read_month_day(r, &month, &day);
		return (month == 0 && read_name(r, now_us, n, s)) ||
		    timespan_date(s, n, month, day);
	}
	year = *r;
	if (read_year_digits(&year, &n) && n >= MIN_YEAR && n <= MAX_YEAR &&
	    read_word(&year, year_ends, &x)) {
		*r = year;
		read_month_day(r, &month, &day);
		return (month == 0 && read_name(r, now_us, n, s)) ||
		    timespan_date(s, n, month, day);
	}
	if (read_name(r, now_us, 0, s))
		return true;
	read_month_day(r, &month, &day);
	return month && timespan_date(s, 0, month, day);
}

/* Reads 上个月, 上个月十二号, 上月底. */
static bool
read_month_word(struct reader *r, int64_t now_us, struct time_span *s)
{
	struct reader day = *r;
	struct civil c;
	int offset, n, x;

	if (!read_word(r, months, &offset))
		return false;
	timespan_unit(s, now_us, GRAIN_MONTH, offset);
	time_civil(s->from_us, &c);
	day = *r;
	if (read_number(&day, &n) && read_word(&day, day_ends, &x) &&
	    timespan_date(s, c.year, c.month, n))
		*r = day;
	return true;
}

/* Reads 三天前, 最近两周, 半年前. */
static bool
read_count(struct reader *r, int64_t now_us, struct time_span *s)
{
	static const struct word half_year[] = { { "半年", 0 }, { NULL, 0 } };
	int recent = 0, n, unit, x;

	if (read_word(r, half_year, &n)) {
		timespan_unit(s, now_us, GRAIN_MONTH, -6);
		return read_word(r, agos, &x);
	}

	(void)read_word(r, recents, &recent);
	if (!read_number(r, &n) || !read_word(r, units, &unit) || n < 1 || n > 1000)
		return false;
	if (recent != 0) {
		timespan_rolling(s, now_us, (enum time_grain)unit, recent * n);
		return true;
	}
	if (!read_word(r, agos, &x))
		return false;
	timespan_unit(s, now_us, (enum time_grain)unit, -n);
	return true;
}

/* Whether a count precedes, so that no week or Monday is meant: 一周一次, 每周一. */
static bool
counted_before(const struct reader *r)
{
	static const struct word others[] = { { "每", 0 }, { "半", 0 }, { "十", 0 }, { NULL, 0 } };
	struct reader before = { r->text, r->at, r->at - 3 };
	int n;

	return r->at >= 3 && (read_word(&before, numerals, &n) || read_word(&before, others, &n));
}

/* Reads 上周, 上周三, 周末, 星期天. */
static bool
read_week(struct reader *r, int64_t now_us, struct time_span *s)
{
	int offset, day;

	if (read_word(r, weeks, &offset)) {
		if (!read_word(r, weekdays, &day))
			timespan_unit(s, now_us, GRAIN_WEEK, offset);
		else if (day == 7)
			timespan_weekend(s, now_us, offset);
		else
			timespan_weekday_of(s, now_us, day, offset);
		return true;
	}
	if (counted_before(r) || !read_word(r, bare_weeks, &offset) ||
	    !read_word(r, weekdays, &day))
		return false;
	if (day == 7) {
		timespan_weekend(s, now_us, 0);
	} else {
		timespan_weekday(s, now_us, day, 0);
		s->weekday = day + 1;
	}
	return true;
}

/*
 * Whether a time word may begin here: with one of these characters or a digit. Rejects most
 * characters.
 */
static bool
may_start(const char *p, size_t len)
{
	static const char starts[] = "一二两三四五六七八九十几大前昨今明后去上这本下星礼周最过近未半春夏秋冬元除端中清国劳双情圣平万感母父复第年暑寒";

	if ((unsigned char)*p < 0x80)
		return ascii_is_digit(*p);
	if (len < 3)
		return false;
	for (const char *s = starts; *s != '\0'; s += 3)
		if (p[2] == s[2] && p[1] == s[1] && p[0] == s[0])
			return true;
	return false;
}

size_t
timespan_chinese(const char *text, size_t len, size_t at, int64_t now_us, struct time_span *s)
{
	struct reader r = { text, len, at }, whole = r;
	int n;

	if (!may_start(text + at, len - at) ||
	    (read_word(&r, numerals, &n) && counted_before(&whole)))
		/* not inside a number either */
		return at;
	r.at = at;
	if (read_word(&r, days, &n)) {
		timespan_unit(s, now_us, GRAIN_DAY, n);
		return r.at;
	}
	if (read_month_word(&r, now_us, s))
		return r.at;
	if (read_week(&r, now_us, s))
		return r.at;
	r.at = at;
	if (read_date(&r, now_us, s))
		return r.at;
	r.at = at;
	return read_count(&r, now_us, s) ? r.at : at;
}
