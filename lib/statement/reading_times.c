/*
 * reading_times.c: when a statement holds, by time/timewords.h, which reads English and Chinese:
 * German words of time are put into English first.
 */
#include "statement/reading_parts.h"

#include "base/ascii.h"
#include "text/words.h"
#include "time/timewords.h"

enum { SPANS_MOST = 8, TEXT_MOST = 2 * READING_BYTES };

/* ---- German ---- */

/* By folded word; "" drops it. Those behind UNSURE are words of other languages, too. */
static const struct { const char *german, *english; } times[] = { { "montag", "Monday" },
	{ "dienstag", "Tuesday" }, { "mittwoch", "Wednesday" }, { "donnerstag", "Thursday" },
	{ "freitag", "Friday" }, { "samstag", "Saturday" }, { "sonntag", "Sunday" },
	{ "januar", "January" }, { "februar", "February" }, { "marz", "March" },
	{ "juni", "June" }, { "juli", "July" }, { "oktober", "October" },
	{ "dezember", "December" }, { "nachste", "next" }, { "nachsten", "next" },
	{ "nachstem", "next" }, { "nachster", "next" }, { "nachstes", "next" },
	{ "letzte", "last" }, { "letzten", "last" }, { "letztem", "last" }, { "letzter", "last" },
	{ "letztes", "last" }, { "woche", "week" }, { "monat", "month" }, { "jahr", "year" },
	{ "heute", "today" }, { "gestern", "yesterday" }, { "sommer", "summer" },
	{ "herbst", "autumn" }, { "fruhling", "spring" }, { "ostern", "Easter" },
	{ "weihnachten", "Christmas" }, { "bis", "until" }, { "seit", "since" }, { "mai", "May" },
	{ "morgen", "tomorrow" }, { "im", "in" }, { "zum", "" }, { "zur", "" }, { "dem", "" },
	{ "den", "" }, { "am", "on" }, { "ab", "from" }, { "vom", "from" } };
enum { UNSURE = NELEM(times) - 10 };

static size_t
word_end(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != ' ' && strchr(",.;:!?", text[at]) == NULL)
		at++;
	return at;
}

/* The row of times of a word; NELEM(times): there is none. */
static size_t
row_of(const char *word, size_t len)
{
	char folded[3 * READING_NAME + 1];
	size_t n, i = 0;

	if (len > READING_NAME)
		return NELEM(times);
	n = words_fold(word, len, folded);
	while (i < NELEM(times) && (strlen(times[i].german) != n ||
	    memcmp(times[i].german, folded, n) != 0))
		i++;
	return i;
}

static bool
is_german(const char *text, size_t len)
{
	for (size_t i = 0, end; i < len; i = end + 1) {
		end = word_end(text, len, i);
		if (row_of(text + i, end - i) < UNSURE)
			return true;
	}
	return false;
}

/* Writes the text with its German words of time put into English, and "3." as "3". */
static size_t
to_english(const char *text, size_t len, char out[TEXT_MOST])
{
	size_t n = 0;

	for (size_t i = 0, end; i < len; i = end) {
		size_t row, k;
		end = word_end(text, len, i);
		row = row_of(text + i, end - i);
		k = row < NELEM(times) ? strlen(times[row].english) : end - i;
		if (n + k + 2 > TEXT_MOST)
			break;
		memcpy(out + n, row < NELEM(times) ? times[row].english : text + i, k);
		n += k;
		if (end == len)
			break;
		if ((text[end] == '.' && end > i && end - i <= 2 &&
			ascii_is_digit(text[end - 1])) ||
		    (text[end] == ' ' && row < NELEM(times) && k == 0))
			end++;
		else
			out[n++] = text[end++];
	}
	return n;
}

/* ---- all languages ---- */

static bool
holds(const char *text, size_t len, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(words[i]);
		for (size_t at = 0; at + k <= len; at++)
			if (memcmp(text + at, words[i], k) == 0)
				return true;
	}
	return false;
}

/*
 * Gives a month or a day of any year the year that is meant: the last one of something that has
 * happened, else the next.
 */
static void
choose_year(const struct reader *r, const char *text, struct time_span *s)
{
	static const char *const from[] = { "from ", "starting ", "ab ", "从" };
	size_t before = s->start > 12 ? s->start - 12 : 0;
	int64_t now = r->by->time_us;
	struct civil c;
	/* "we have got a concert in June" is to come */
	bool past = reader_has(r, "past") || reader_has(r, "since") ||
	    (reader_has(r, "ended") &&
		!holds(text + before, s->start - before, from, NELEM(from))) ||
	    (reader_has(r, "began") && !reader_has(r, "have"));

	time_civil(now, &c);
	for (int year = c.year + 1; year >= c.year - 1; year--) {
		int months = MAX(s->months, 1);
		s->from_us = time_from_civil(year, s->month, MAX(s->day, 1));
		s->to_us = s->day > 0 ? s->from_us + US_PER_DAY
				      : time_from_civil(year, s->month + months, 1);
		if (past ? s->from_us <= now
			 : s->to_us > now && time_from_civil(year - 1, s->month, s->day) <= now)
			return;
	}
}

/*
 * What lasts until Friday lasts until the next one, and a time in the text is the last one of its
 * name. TIME_NONE: an end that is over says nothing of what is told as present.
 */
static int64_t
end_of(const struct reader *r, const char *text, const struct time_span *s)
{
	static const char *const over[] = { "yesterday", "gestern", "last ", "letzte", "昨", "上" };
	int64_t now = r->by->time_us, week = 7 * US_PER_DAY;

	if (s->to_us > now || reader_has(r, "past") || reader_has(r, "ended") ||
	    holds(text + s->start, s->end - s->start, over, NELEM(over)))
		return s->to_us;
	return now - s->to_us < week ? s->to_us + week : TIME_NONE;
}

/* Whether what stands before the span makes it an end: "until", 直到, 到. */
static bool
is_until(const char *text, size_t start)
{
	static const char *const until[] = { "until ", "till ", "through ", "bis ", "直到", "hasta ",
		"fino a ", "jusqu'" };
	static const char *const to[] = { "提前到", "推迟到", "延到", "改到", "挪到", "移到", "调到", "定到", "推到",
		"得到", "收到", "想到", "延期到", "搬到", "回到", "来到" };
	size_t before = start > 12 ? start - 12 : 0, near = start > 9 ? start - 9 : 0;

	return holds(text + before, start - before, until, NELEM(until)) ||
	    (start >= 3 && memcmp(text + start - 3, "到", 3) == 0 &&
		!holds(text + near, start - near, to, NELEM(to)));
}

/* Whether a word that ends something does: "I quit", but not "I did not quit". */
static bool
says_end(const struct reader *r)
{
	int ended = cues_class(r->says, "ended");

	for (size_t i = 0; i < r->n_cues; i++) {
		size_t start = r->cues[i].start, end = start + r->cues[i].len;
		if ((int)r->cues[i].class == ended &&
		    polarity_of(r->text, r->len, start, end) != POLARITY_DENIED)
			return true;
	}
	return false;
}

void
reader_times(struct reader *r)
{
	struct time_span spans[SPANS_MOST];
	struct reading *out = r->out;
	char english[TEXT_MOST];
	const char *text = r->text;
	size_t n, len = r->len;

	out->from_us = out->to_us = TIME_NONE;
	out->ends = (says_end(r) && out->polarity != POLARITY_DENIED) ||
	    out->polarity == POLARITY_ENDED;
	if (r->by->time_us == TIME_NONE)
		return;
	if (is_german(text, len)) {
		len = to_english(text, len, english);
		text = english;
	}
	n = timewords_find(text, len, r->by->time_us, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++) {
		if (spans[i].from_us == TIME_NONE && spans[i].month == 0)
			continue;
		if (spans[i].from_us == TIME_NONE)
			choose_year(r, text, &spans[i]);
		if (is_until(text, spans[i].start))
			out->to_us = end_of(r, text, &spans[i]);
		else if (out->from_us == TIME_NONE &&
		    (reader_has(r, "since") || !reader_has(r, "habit")) &&
		    (reader_has(r, "changed") || reader_has(r, "began") || out->ends))
			out->from_us = spans[i].from_us;
	}
	if (out->polarity == POLARITY_PAST && out->to_us == TIME_NONE)
		out->to_us = r->by->time_us;
}
