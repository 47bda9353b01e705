/*
 * chosen.c: what both have at their start and at their end is one; what is left between must be a
 * value of one type. A name must be what is chosen, by a verb of choosing ("hire Ada", "hire Ben"
 * adds one to the other), and not what it is chosen for, or where. A number must count something
 * or be a date: "issue 12" and "issue 14" are two things.
 */
#include "statement/chosen.h"

#include "base/ascii.h"
#include "statement/statement.h"
#include "statement/typed.h"
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

void
chosen_bare(struct judge_side *s, const struct end_part *ends)
{
	static _Thread_local struct cue_text found;
	const struct cue *cue;
	enum reading_kind kind = READ_FACT;
	size_t at = statement_label(s->text, s->len, &kind), end = s->len;

	s->bare = s->text;
	s->bare_len = s->len;
	if (at == 0 && !s->decided)            /* most facts are no decisions */
		return;
	cue_text_read(&found, "schema/cues/lasting.txt", s->text, s->len);
	if ((cue = cue_text_find(&found, "decided", 0)) != NULL)
		at = MAX(at, cue_end(cue));
	if ((cue = end_part_find(ends, "reason", at)) != NULL)
		end = cue->start;
	if ((cue = end_part_find(ends, "decided_to", at)) != NULL && cue->start <= at + 2)
		at = cue_end(cue);
	while (at < end && is_edge(s->text[at]))
		at++;
	while (end > at && is_edge(s->text[end - 1]))
		end--;
	s->bare += at;
	s->bare_len = end - at;
	s->decided |= kind == READ_DECISION;
}

/* What stands in one alone, between bytes that both have. */
struct between { const char *text; size_t from, to; };

/*
 * Leaves out what both have in front and behind, whole words alone. False: in one nothing is left,
 * or more than a value.
 */
static bool
find_between(const struct judge_side *a, const struct judge_side *b, struct between *x,
	struct between *y)
{
	size_t n = 0, m = 0, most = MIN(a->bare_len, b->bare_len), n_x = 0, n_y = 0;

	*x = (struct between){ a->bare, 0, a->bare_len };
	*y = (struct between){ b->bare, 0, b->bare_len };
	for (size_t i = 0; i < most && ascii_lower(x->text[i]) == ascii_lower(y->text[i]); i++)
		if (is_edge(x->text[i]))
			n = i + 1;
	for (size_t i = 1; n + i <= most &&
	     ascii_lower(x->text[x->to - i]) == ascii_lower(y->text[y->to - i]); i++)
		if (is_edge(x->text[x->to - i]))
			m = i;
	x->from = y->from = n;
	x->to -= m;
	y->to -= m;
	for (size_t i = n; i < MAX(x->to, y->to); i++) {
		n_x += i < x->to && x->text[i] == ' ';
		n_y += i < y->to && y->text[i] == ' ';
	}
	return n < MIN(x->to, y->to) && MAX(n_x, n_y) < NAME_MOST;
}

/* Whether it is a name, each word of which has a capital. */
static bool
is_name(const struct between *x)
{
	static _Thread_local struct said s;

	said_read(&s, x->text + x->from, x->to - x->from);
	for (size_t i = 0; i < s.n; i++)
		if (s.w[i].number || s.w[i].person || s.w[i].negates || !s.w[i].content ||
		    !(s.w[i].name || s.w[i].whole || (i == 0 && s.w[i].first)))
			return false;
	return s.n > 0 && s.n <= NAME_MOST;
}

/* Whether words around say what it is of, beside those of choosing and of time. */
static bool
is_of_something(const struct between *x, const struct cue_text *found, size_t len)
{
	static _Thread_local struct said said;
	char text[BYTES];

	memcpy(text, x->text, len);
	memset(text + x->from, ' ', x->to - x->from);
	for (size_t i = 0; i < found->n; i++)
		if (cue_text_is(found, &found->cues[i], "choose") ||
		    cue_text_is(found, &found->cues[i], "host"))
			memset(text + found->cues[i].start, ' ', found->cues[i].len);
	said_read(&said, text, len);
	for (size_t i = 0; i < said.n; i++)
		if (said.w[i].content && !said.w[i].empty && !said.w[i].person)
			return true;
	return false;
}

/*
 * Whether what stands there is chosen: behind the verb, and perhaps an article; behind "host ...
 * on"; or at the start, before what it is for, where the verb stands at the end. "Ann uses Vim"
 * chooses no Ann, nor does "Ann soll Vim nutzen".
 */
static bool
is_chosen(const struct between *x, const struct cue_text *found, size_t len)
{
	const struct cue *aim = cue_text_find(found, "aim", x->to);
	bool host = cue_text_find(found, "host", 0) != NULL, chosen = false;
	bool first = x->from == 0 && aim != NULL && aim->start == x->to + 1;

	for (size_t i = 0; i < found->n; i++) {
		size_t end = cue_end(&found->cues[i]);

		/* "o" is an article, too: "usar o Postgres" */
		if (cue_text_is(found, &found->cues[i], "open") && found->cues[i].len > 1)
			return false;
		if (!cue_text_is(found, &found->cues[i], host ? "at" : "choose"))
			continue;
		chosen |= (first && end == len) ||
		    (end < x->from && x->from - end <= ARTICLE &&
			memchr(x->text + end + 1, ' ', MAX(x->from - end, 2) - 2) == NULL);
	}
	return chosen;
}

/* Whether the number that stands there counts something, or is of a date; "hour" is one. */
static bool
is_counted(const struct between *x, size_t len)
{
	static _Thread_local struct said behind, is;
	struct time_span spans[SPANS_MOST];
	size_t n;

	said_read(&is, x->text + x->from, x->to - x->from);
	if (is.n == 0 || is.n > 2 || (is.n == 2 && !(is.w[1].marks & SAID_UNIT)))
		return false;
	if (!is.w[0].number)
		return is.n == 1 && (is.w[0].marks & SAID_UNIT) != 0;
	n = timewords_find(x->text, len, 0, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++)
		if (spans[i].start < x->to && x->from < spans[i].end)
			return true;
	said_read(&behind, x->text + x->to, len - x->to);
	return is.n == 2 || (behind.n > 0 && (behind.w[0].marks & SAID_UNIT) != 0);
}

bool
chosen_differ(const struct judge_side *a, const struct judge_side *b)
{
	static _Thread_local struct cue_text found;
	struct between x, y;

	if (!a->decided || !b->decided || MAX(a->bare_len, b->bare_len) > BYTES ||
	    !find_between(a, b, &x, &y))
		return false;
	cue_text_read(&found, TABLE, a->bare, a->bare_len);
	return is_of_something(&x, &found, a->bare_len) &&
	    ((is_counted(&x, a->bare_len) && is_counted(&y, b->bare_len)) ||
		(is_chosen(&x, &found, a->bare_len) && is_name(&x) && is_name(&y) &&
		    !typed_is_form(x.text + x.from, x.to - x.from, y.text + y.from,
			y.to - y.from)));
}

bool
chosen_by_others(const struct judge_side *a, const struct judge_side *b)
{
	static _Thread_local struct cue_text found;
	const struct cue *acts;
	struct between x, y;

	if (!find_between(a, b, &x, &y) || x.from > 0)
		return false;
	cue_text_read(&found, TABLE, a->bare, a->bare_len);
	acts = cue_text_find(&found, "acts", x.to);
	return acts != NULL && acts->start == x.to + 1;
}
