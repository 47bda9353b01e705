/*
 * timealone.c: what a question for a time alone asks for ("what happened in June", "anything from
 * last week?", 上周发生了什么): ranges of time. A word such as "happened" then says nothing of the text
 * that answers.
 */
#include "base/ascii.h"
#include "time/timespan.h"

/* Words that ask for whatever was said or done. Sorted by strcmp. */
static const char *const fillers[] = {
	"activity", "anything", "ask", "asked", "chat", "chats", "chatted", "conversation",
	"conversations", "day", "days", "discuss", "discussed", "discussion", "discussions",
	"event", "events", "everything", "exactly", "find", "get", "give", "go", "going", "gone",
	"happen", "happened", "happening", "happens", "history", "list", "mention", "mentioned",
	"mentions", "message", "messages", "new", "news", "note", "notes", "occurred", "recap",
	"remember", "remind", "said", "say", "saying", "see", "session", "sessions", "show",
	"something", "speak", "spoke", "spoken", "stuff", "summarise", "summarize", "summary",
	"take", "talk", "talked", "talking", "tell", "thing", "things", "time", "times", "told",
	"took", "topic", "topics", "typed", "went", "wrote",
};

static const char *const unspaced[] = { "发生", "發生", "事情", "聊天", "聊", "说", "說", "讨论", "討論", "谈", "談",
	"提到", "做", "干", "事", "总结", "總結", "回顾", "记录", "列出", "内容", "消息", "对话", "話", "话" };

static bool
is_filler(const char *text, size_t start, size_t end)
{
	size_t low = 0, high = NELEM(fillers), n = end - start;

	while (low < high) {
		size_t mid = (low + high) / 2, i = 0;
		const char *w = fillers[mid];
		for (; i < n && w[i] != '\0' && w[i] == ascii_lower(text[start + i]); i++)
			;
		if (i == n && w[i] == '\0')
			return true;
		if (i < n && (unsigned char)w[i] < (unsigned char)ascii_lower(text[start + i]))
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool
timewords_is_filler(const char *text, size_t len, size_t start, size_t end)
{
	if ((unsigned char)text[start] < 0x80)
		return is_filler(text, start, end);
	for (size_t i = 0; i < NELEM(unspaced); i++) {
		size_t n = strlen(unspaced[i]);
		for (size_t at = end > n ? end - n : 0; at <= start && at + n <= len; at++)
			if (memcmp(text + at, unspaced[i], n) == 0)
				return true;
	}
	return false;
}

/* The latest time of this name that has begun by now: June is last year's while it is May. */
static struct time_range
latest(const struct time_span *s, int64_t now_us)
{
	struct time_span from = *s, to = *s;
	struct civil now;
	int months = MAX(s->months, 1);

	if (s->from_us != TIME_NONE)
		return (struct time_range){ s->from_us, s->to_us };
	time_civil(now_us, &now);
	for (int year = now.year; year > now.year - 9; year--) {
		int last = s->month + months - 2;
		if (!timespan_date(&from, year, s->month, s->day) || from.from_us > now_us ||
		    !timespan_date(&to, year + last / 12, last % 12 + 1, s->day))
			continue;
		return (struct time_range){ from.from_us, to.to_us };
	}
	return (struct time_range){ 0, 0 };
}

/* Whether the text before `end` ends in the word. */
static bool
ends_in(const char *text, size_t end, const char *word)
{
	size_t n = strlen(word);

	while (end > 0 && text[end - 1] == ' ')
		end--;
	if (end < n || (end > n && ascii_is_alnum(text[end - n - 1])))
		return false;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(text[end - n + i]) != word[i])
			return false;
	return true;
}

static bool
ends_in_any(const char *text, size_t end, const char *const *words)
{
	for (; *words != NULL; words++)
		if (ends_in(text, end, *words))
			return true;
	return false;
}

/* Whether what stands between two times makes one range of them: "from May to July". */
static bool
joins(const char *text, const struct time_span *a, const struct time_span *b)
{
	static const char *const to[] = { "to", "until", "till", "through", "-", "–", "到",
		"至", NULL };
	size_t n = 0;

	for (size_t i = a->end; i < b->start; i++)
		n += text[i] != ' ';
	return n <= 7 &&
	    (ends_in_any(text, b->start, to) ||
		(ends_in(text, b->start, "and") && ends_in(text, a->start, "between")));
}

size_t
timewords_ranges(const char *text, const struct time_span *spans, size_t n, int64_t now_us,
	struct time_range *out)
{
	static const char *const since[] = { "since", NULL }, *const after[] = { "after", NULL },
				 *const before[] = { "before", "until", "till", NULL };
	size_t n_out = 0;

	for (size_t i = 0; i < n; i++) {
		struct time_range r = latest(&spans[i], now_us);
		if (r.from_us >= r.to_us)
			continue;
		if (i > 0 && n_out > 0 && joins(text, &spans[i - 1], &spans[i])) {
			out[n_out - 1].to_us = MAX(out[n_out - 1].to_us, r.to_us);
			continue;
		}
		if (ends_in_any(text, spans[i].start, since))
			r.to_us = INT64_MAX;
		else if (ends_in_any(text, spans[i].start, after))
			r = (struct time_range){ r.to_us, INT64_MAX };
		else if (ends_in_any(text, spans[i].start, before))
			r = (struct time_range){ INT64_MIN, r.from_us };
		out[n_out++] = r;
	}
	return n_out;
}
