/*
 * timewords_test.c: time words of questions, as of Wednesday, 12 June 2024, 15:00; every span worked out by hand from a calendar.
 * A span is written TEXT=FROM..TO (the day after the last) and a letter for the grain, or with - for what is not named when it has no year.
 */
#include "tap.h"

#include "base/base.h"
#include "text/timewords.h"

static int64_t now;

static const struct { const char *text, *want; } spans[] = {
	/* relative days and weeks; a week begins on Monday */
	{ "what did I eat yesterday?", "yesterday=2024-06-11..2024-06-12d" },
	{ "the day before yesterday", "day before yesterday=2024-06-10..2024-06-11d" },
	{ "today, tomorrow and tonight", "today=2024-06-12..2024-06-13d tomorrow=2024-06-13..2024-06-14d tonight=2024-06-12..2024-06-13d" },
	{ "Last week", "Last week=2024-06-03..2024-06-10w" },
	{ "this week", "this week=2024-06-10..2024-06-17w" },
	{ "next week", "next week=2024-06-17..2024-06-24w" },
	{ "last weekend", "last weekend=2024-06-08..2024-06-10w" },
	{ "last month, last year", "last month=2024-05-01..2024-06-01m last year=2023-01-01..2024-01-01y" },
	{ "next month", "next month=2024-07-01..2024-08-01m" },
	{ "the past three months", "past three months=2024-03-12..2024-06-13m" },
	{ "in the last 10 days", "last 10 days=2024-06-02..2024-06-13d" },
	{ "the past week", "past week=2024-06-05..2024-06-13w" },
	{ "last night, this morning", "last night=2024-06-11..2024-06-12d this morning=2024-06-12..2024-06-13d" },
	/* ago */
	{ "two days ago", "two days ago=2024-06-10..2024-06-11d" },
	{ "a week ago", "a week ago=2024-06-03..2024-06-10w" },
	{ "a couple of months ago", "a couple of months ago=2024-04-01..2024-05-01m" },
	{ "3 years ago", "3 years ago=2021-01-01..2022-01-01y" },
	{ "20 hours ago", "20 hours ago=2024-06-11..2024-06-12d" },
	{ "6 months ago", "6 months ago=2023-12-01..2024-01-01m" },
	/* weekdays */
	{ "on Monday", "Monday=2024-06-10..2024-06-11d" },
	{ "on Wednesday", "Wednesday=2024-06-12..2024-06-13d" },
	{ "last Wednesday", "last Wednesday=2024-06-05..2024-06-06d" },
	{ "next Wednesday", "next Wednesday=2024-06-19..2024-06-20d" },
	{ "this Sunday", "this Sunday=2024-06-16..2024-06-17d" },
	{ "on Sun", "Sun=2024-06-09..2024-06-10d" },
	/* dates */
	{ "on 3 June 2023", "3 June 2023=2023-06-03..2023-06-04d" },
	{ "June 3rd, 2023", "June 3rd, 2023=2023-06-03..2023-06-04d" },
	{ "the 3rd of June", "3rd of June=-6-3d" },
	{ "Sept. 9", "Sept. 9=-9-9d" },
	{ "June 2023", "June 2023=2023-06-01..2023-07-01m" },
	{ "December 2023", "December 2023=2023-12-01..2024-01-01m" },
	{ "in 2023", "2023=2023-01-01..2024-01-01y" },
	{ "2024-05-01 and 2024-05", "2024-05-01=2024-05-01..2024-05-02d 2024-05=2024-05-01..2024-06-01m" },
	{ "2024/5/1 or 5/1/2024 or 13/5/2024", "2024/5/1=2024-05-01..2024-05-02d 5/1/2024=2024-05-01..2024-05-02d 13/5/2024=2024-05-13..2024-05-14d" },
	{ "29 February 2024", "29 February 2024=2024-02-29..2024-03-01d" },
	{ "2024-13-01 2024-02-30 2023-02-29 1/2 10-20 2023-2024 v2024-05 10.2024-05-01", "" },
	{ "I have 2023 files and 1999 bottles", "" },
	{ "last May, next May, last January, last June", "last May=2024-05-01..2024-06-01m next May=2025-05-01..2025-06-01m "
	  "last January=2024-01-01..2024-02-01m last June=2023-06-01..2023-07-01m" },
	/* words that are something else as well */
	{ "in May", "May=-5-0m" },
	{ "in may", "may=-5-0m" },
	{ "she said May was cold", "May=-5-0m" },
	{ "May 5", "May 5=-5-5d" },
	{ "may I ask? May I? it may rain. this may be wrong", "" },
	{ "march on; the sun is hot; he sat down; a second; mar the view; Jan said", "" },
	{ "in March, Jan 2020", "March=-3-0m Jan 2020=2020-01-01..2020-02-01m" },
	{ "the last week of May", "May=-5-0m" },
	{ "the last day, the next one, these days, back in the day", "" },
	/* Chinese */
	{ "上周三我去了哪里", "上周三=2024-06-05..2024-06-06d" },
	{ "上周", "上周=2024-06-03..2024-06-10w" },
	{ "去年五月", "去年五月=2023-05-01..2023-06-01m" },
	{ "去年五月三号", "去年五月三号=2023-05-03..2023-05-04d" },
	{ "前年", "前年=2022-01-01..2023-01-01y" },
	{ "三天前, 十二天之前", "三天前=2024-06-09..2024-06-10d 十二天之前=2024-05-31..2024-06-01d" },
	{ "2024年5月1日", "2024年5月1日=2024-05-01..2024-05-02d" },
	{ "5月", "5月=-5-0m" },
	{ "十二月二十五号", "十二月二十五号=-12-25d" },
	{ "上个月和最近两周", "上个月=2024-05-01..2024-06-01m 最近两周=2024-05-29..2024-06-13w" },
	{ "下下周二", "下下周二=2024-06-25..2024-06-26d" },
	{ "昨天 大前天", "昨天=2024-06-11..2024-06-12d 大前天=2024-06-09..2024-06-10d" },
	{ "星期天", "星期天=2024-06-09..2024-06-10d" },
	{ "一周一次, 每周一, 三个月, 十三月, 一下", "" },
	{ "", "" },
};

static void
check_spans(void)
{
	for (size_t i = 0; i < NELEM(spans); i++) {
		struct time_span s[8];
		char got[600] = "", from[TIME_TEXT], to[TIME_TEXT];
		size_t n = timewords_find(spans[i].text, strlen(spans[i].text), now, s, 8), at = 0;

		for (size_t k = 0; k < n; k++) {
			at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%.*s=", k ? " " : "", (int)(s[k].end - s[k].start), spans[i].text + s[k].start);
			if (s[k].from_us == TIME_NONE)
				at += (size_t)snprintf(got + at, sizeof(got) - at, "-%d-%d", s[k].month, s[k].day);
			else
				at += (size_t)snprintf(got + at, sizeof(got) - at, "%s..%s", time_format_day(s[k].from_us, from), time_format_day(s[k].to_us, to));
			at += (size_t)snprintf(got + at, sizeof(got) - at, "%c", "dwmy"[s[k].grain]);
		}
		is_str(got, spans[i].want, "%s", spans[i].text);
	}
}

static void
check_fields(void)
{
	struct time_span s[2];

	timewords_find("in June 2023", 12, now, s, 2);
	ok(s[0].year == 2023 && s[0].month == 6 && s[0].day == 0, "a month of a year names both");
	timewords_find("yesterday", 9, now, s, 2);
	ok(s[0].year == 0 && s[0].month == 0 && s[0].day == 0, "yesterday names none");
	is_int(timewords_find("today and tomorrow and yesterday", 32, now, s, 2), 2, "no more than asked for");
	is_int(timewords_find("today", 5, now, s, 0), 0, "none when none is asked for");
}

static const char *const asks[] = {
	"When did Caroline go to the group?", "What date was the meeting?", "how long ago did we move", "Which year was it?", "tell me when you left",
	"Do you know when she comes?", "When John has met Jane?", "when?", "When's the party", "我是什么时候去的", "你哪天回来", "会议的时间是什么？", NULL,
};
static const char *const asks_not[] = {
	"When I was young, I ate a lot. What did I eat?", "What did I say when we met", "How long has she practised?", "Where is it?", "whenever", "", "持续时间是什么", NULL,
};
static const char *const back[] = {
	"What did you say last time?", "Did I mention it before?", "as we discussed previously", "what I said earlier", "have we met before", "之前说过什么", "上次的方案", NULL,
};
static const char *const back_not[] = { "before we left", "earlier than five", "beforehand", "the last item", "", "以后", NULL };

static void
check_list(bool (*fn)(const char *, size_t), const char *name, const char *const *list, bool want)
{
	for (; *list != NULL; list++)
		ok(fn(*list, strlen(*list)) == want, "%s %s: %s", name, want ? "yes" : "no", *list);
}

int
main(void)
{
	static char noise[3000];
	struct time_span s[4];
	uint32_t seed = 3;
	unsigned bad = 0;

	time_parse("2024-06-12T15:00", 16, &now, NULL);
	check_spans();
	check_fields();
	check_list(timewords_asks_when, "asks when,", asks, true);
	check_list(timewords_asks_when, "asks when,", asks_not, false);
	check_list(timewords_looks_back, "looks back,", back, true);
	check_list(timewords_looks_back, "looks back,", back_not, false);

	/* pieces of time words in any order, in exact memory: spans in order and inside */
	for (unsigned round = 0; round < 20000; round++) {
		static const char *const bits[] = { "last ", "week", " ago", "3 ", "June", " 2023", "-05", "-01", "/", "上", "周", "三", "天前", "年", "月", ", ", "the ", "of ",
			"may ", "99999999999", "\xe4", "when", "before", "a ", "few ", "Monday ", "\xff", "th", "?", "十", "next ", "earlier" };
		size_t len = 0, n, end = 0;
		char *copy;

		while (len < 40) {
			const char *bit = bits[(seed = seed * 1664525u + 1013904223u) >> 27];

			memcpy(noise + len, bit, strlen(bit));
			len += strlen(bit);
		}
		copy = malloc(len);
		memcpy(copy, noise, len);
		n = timewords_find(copy, len, now, s, 4);
		for (size_t i = 0; i < n; i++) {
			bad += s[i].start < end || s[i].end <= s[i].start || s[i].end > len || (s[i].from_us != TIME_NONE && s[i].from_us >= s[i].to_us);
			end = s[i].end;
		}
		(void)timewords_asks_when(copy, len);
		(void)timewords_looks_back(copy, len);
		free(copy);
	}
	is_int(bad, 0, "20,000 jumbled texts");
	return tap_done();
}
