/*
 * chosen.c: what both have at their start and at their end is one; what is left between must be a
 * value of one type. A name must be what is chosen, by a verb of choosing ("hire Ada", "hire Ben"
 * adds one to the other), and not what it is chosen for, or where. A number must count something
 * or be a date: "issue 12" and "issue 14" are two things.
 */
#include "statement/chosen.h"

#include "base/ascii.h"
#include "statement/cues.h"
#include "statement/statement.h"
#include "time/timewords.h"

#define TABLE      "schema/cues/values.txt"
#define BYTES      200                     /* a longer one says more than one thing */
#define NAME_MOST  3                       /* words of a name */
#define SPANS_MOST 4
#define ARTICLE    5                       /* bytes, with the blanks around it */

static bool
is_edge(char c)
{
	return !ascii_is_alnum(c) && (unsigned char)c < 0x80;
}

struct judge_side
chosen_bare(const struct judge_side *s)
{
	static _Thread_local struct cue_text found;
	struct judge_side bare = *s;
	const struct cue *cue;
	enum reading_kind kind = READ_FACT;
	size_t at = statement_label(s->text, s->len, &kind), end = s->len;

	if (at == 0 && !s->decided)            /* most facts are no decisions */
		return bare;
	cue_text_read(&found, "schema/cues/lasting.txt", s->text, s->len);
	if ((cue = cue_text_find(&found, "decided", 0)) != NULL)
		at = MAX(at, cue_end(cue));
	cue_text_read(&found, "schema/cues/ends.txt", s->text, s->len);
	if ((cue = cue_text_find(&found, "reason", at)) != NULL)
		end = cue->start;
	while (at < end && is_edge(s->text[at]))
		at++;
	if (end - at > 3 && memcmp(s->text + at, "to ", 3) == 0)
		at += 3;
	while (end > at && is_edge(s->text[end - 1]))
		end--;
	bare.text += at;
	bare.len = end - at;
	bare.decided |= kind == READ_DECISION;
	return bare;
}

/* What stands in one alone, between bytes that both have. */
struct between { size_t from, to; };

/* Leaves out what both have before (way 1) or behind, whole words alone. */
static void
find_between(const struct judge_side *a, const struct judge_side *b, struct between *x,
	struct between *y)
{
	size_t n = 0, m = 0, most = MIN(a->len, b->len);

	for (size_t i = 0; i < most && ascii_lower(a->text[i]) == ascii_lower(b->text[i]); i++)
		if (is_edge(a->text[i]))
			n = i + 1;
	for (size_t i = 1; n + i <= most &&
	     ascii_lower(a->text[a->len - i]) == ascii_lower(b->text[b->len - i]); i++)
		if (is_edge(a->text[a->len - i]))
			m = i;
	*x = (struct between){ n, a->len - m };
	*y = (struct between){ n, b->len - m };
}

/* Whether it is a name, each word of which has a capital. */
static bool
is_name(const char *text, size_t len)
{
	static _Thread_local struct said s;

	said_read(&s, text, len);
	for (size_t i = 0; i < s.n; i++)
		if (s.w[i].number || s.w[i].person || s.w[i].negates || !s.w[i].content ||
		    !(s.w[i].name || s.w[i].whole || (i == 0 && s.w[i].first)))
			return false;
	return s.n > 0 && s.n <= NAME_MOST;
}

/* How many words of the bytes around say what it is of, beside those of choosing and of time. */
static size_t
count_around(const struct judge_side *s, struct between x)
{
	static _Thread_local struct said said;
	static _Thread_local struct cue_text found;
	char text[BYTES];
	size_t n = 0;

	memcpy(text, s->text, s->len);
	memset(text + x.from, ' ', x.to - x.from);
	cue_text_read(&found, TABLE, text, s->len);
	for (size_t i = 0; i < found.n; i++)
		if (cue_text_is(&found, &found.cues[i], "choose") ||
		    cue_text_is(&found, &found.cues[i], "host"))
			memset(text + found.cues[i].start, ' ', found.cues[i].len);
	said_read(&said, text, s->len);
	for (size_t i = 0; i < said.n; i++)
		n += said.w[i].content && !said.w[i].empty && !said.w[i].person;
	return n;
}

/*
 * Whether what stands there is chosen: behind the verb, and perhaps an article; behind "host ...
 * on"; or at the start, where the verb stands at the end. "Ann uses Vim" chooses no Ann.
 */
static bool
is_chosen(const struct judge_side *s, struct between x)
{
	static _Thread_local struct cue_text found;
	bool host, chosen = false;

	cue_text_read(&found, TABLE, s->text, s->len);
	host = cue_text_find(&found, "host", 0) != NULL;
	for (size_t i = 0; i < found.n; i++) {
		size_t end = cue_end(&found.cues[i]);

		/* "o" is an article, too: "usar o Postgres" */
		if (cue_text_is(&found, &found.cues[i], "open") && found.cues[i].len > 1)
			return false;
		if (!cue_text_is(&found, &found.cues[i], host ? "at" : "choose"))
			continue;
		chosen |= (x.from == 0 && end == s->len) ||
		    (end < x.from && x.from - end <= ARTICLE &&
			memchr(s->text + end + 1, ' ', MAX(x.from - end, 2) - 2) == NULL);
	}
	return chosen;
}

/* Whether the number that stands there counts something, or is of a date; "hour" is one. */
static bool
is_counted(const struct judge_side *s, struct between x)
{
	static _Thread_local struct said behind, is;
	struct time_span spans[SPANS_MOST];
	size_t n = timewords_find(s->text, s->len, 0, spans, NELEM(spans));

	said_read(&is, s->text + x.from, x.to - x.from);
	if (is.n == 0 || is.n > 2 || (is.n == 2 && !(is.w[1].marks & SAID_UNIT)))
		return false;
	if (!is.w[0].number)
		return is.n == 1 && (is.w[0].marks & SAID_UNIT) != 0;
	for (size_t i = 0; i < n; i++)
		if (spans[i].start < x.to && x.from < spans[i].end)
			return true;
	said_read(&behind, s->text + x.to, s->len - x.to);
	return is.n == 2 || (behind.n > 0 && (behind.w[0].marks & SAID_UNIT) != 0);
}

bool
chosen_differ(const struct judge_side *a, const struct judge_side *b)
{
	struct between x, y;

	if (!a->decided || !b->decided || MAX(a->len, b->len) > BYTES)
		return false;
	find_between(a, b, &x, &y);
	if (x.from >= x.to || y.from >= y.to || count_around(a, x) == 0)
		return false;
	return (is_counted(a, x) && is_counted(b, y)) ||
	    (is_chosen(a, x) && is_name(a->text + x.from, x.to - x.from) &&
		is_name(b->text + y.from, y.to - y.from));
}
