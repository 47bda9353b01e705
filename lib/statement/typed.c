/*
 * typed.c: words that say nothing of what has the value are struck from both texts; what then
 * stands in one alone must be the value.
 */
#include "statement/typed.h"

#include "base/ascii.h"
#include "statement/cues.h"
#include "statement/stance.h"
#include "statement/weigh.h"
#include "time/timewords.h"

#define TABLE     "schema/cues/values.txt"
#define BYTES     300                      /* a longer statement says more than one thing */
#define DAY       (UINT64_C(1) << 59)
#define MEASURE   (UINT64_C(1) << 60)
#define NUMBER    (UINT64_C(1) << 61)
#define ROLE      (UINT64_C(1) << 62)
#define SET       (UINT64_C(1) << 63)
#define NAME_MOST 3                        /* words of a name */

struct side {
	const char *text;
	size_t len;
	struct cue_text found;
	struct said said;
};

static const struct cue *
find(const struct side *s, const char *class)
{
	return cue_text_find(&s->found, class, 0);
}

/*
 * Whether it says that something is so now: behind a verb or a colon, before which no number says
 * of which one it is ("issue 12 is").
 */
static bool
is_set(const struct side *s)
{
	const struct cue *sets = find(s, "sets");
	const char *colon = memchr(s->text, ':', s->len);
	size_t at = sets != NULL ? sets->start : colon != NULL ? (size_t)(colon - s->text) : s->len;

	if (find(s, "open") != NULL || memchr(s->text, '?', s->len) != NULL)
		return false;
	for (size_t i = 0; i < at; i++)
		if (ascii_is_digit(s->text[i]))
			return false;
	return sets != NULL || (colon != NULL && colon > s->text);
}

static void
read_side(struct side *s, const struct judge_side *from)
{
	s->text = from->bare;
	s->len = MIN(from->bare_len, (size_t)BYTES);
	cue_text_read(&s->found, TABLE, s->text, s->len);
}

/* ---- what a side gives ---- */

bool
typed_is_form(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0;

	if (a_len > b_len)
		return typed_is_form(b, b_len, a, a_len);
	/* all letters of the shorter are in the longer, whose first letter it has */
	for (size_t k = 0; k < b_len && i < a_len && (k == 0 || i > 0); k++)
		i += ascii_lower(a[i]) == ascii_lower(b[k]);
	return i == a_len && (i > 1 || b_len == 1);
}

static bool
is_form(const struct side *a, const struct cue *x, const struct side *b, const struct cue *y)
{
	return typed_is_form(a->text + x->start, x->len, b->text + y->start, y->len);
}

/* The one word of a group that a side has; NULL: none, or several. */
static const struct cue *
only_one(const struct side *s, int class)
{
	const struct cue *one = NULL;

	for (size_t i = 0; i < s->found.n; i++) {
		if ((int)s->found.cues[i].class != class)
			continue;
		if (one != NULL && !is_form(s, one, s, &s->found.cues[i]))
			return NULL;
		one = &s->found.cues[i];
	}
	return one;
}

/* Where the only number of a text begins, as 3.10, 3,50 or 19:30 are; the end: none, or several. */
static size_t
only_number(const struct side *s)
{
	size_t at = s->len;

	for (size_t i = 0; i < s->len; i++) {
		if (!ascii_is_digit(s->text[i]))
			continue;
		if (at < s->len)
			return s->len;
		for (at = i; i + 1 < s->len && (ascii_is_digit(s->text[i + 1]) ||
		    (strchr(".,:", s->text[i + 1]) != NULL && i + 2 < s->len &&
			ascii_is_digit(s->text[i + 2]))); i++)
			;
	}
	return at;
}

/* Whether a word of the class stands before a byte, with nothing but a blank between. */
static bool
stands_before(const struct side *s, const char *class, size_t at)
{
	const struct cue *cue = find(s, class);

	while (cue != NULL && cue_end(cue) < at) {
		if (cue_end(cue) + 1 == at)
			return true;
		cue = cue_text_find(&s->found, class, cue_end(cue));
	}
	return false;
}

/*
 * Whether it gives a measure without a verb, behind what leads to one: "shipping from 80 euro". An
 * hour is one only where it comes again: "backups at 02:00 every night".
 */
static bool
is_measure(const struct side *s)
{
	size_t at = only_number(s);
	struct time_span span;

	if (at == s->len || find(s, "open") != NULL || find(s, "once") != NULL ||
	    (!stands_before(s, "leads", at) && !stands_before(s, "measured", at)) ||
	    timewords_find(s->text, s->len, 0, &span, 1) > 0)
		return false;
	return find(s, "again") != NULL ||
	    (find(s, "hour") == NULL && memchr(s->text + at, ':', s->len - at) == NULL);
}

/*
 * Whether it gives a day of the week on which something is, again and again or behind a verb right
 * before it: "rehearsal is now on Thursday", but not "the train on Monday is full".
 */
static bool
is_day(const struct side *s)
{
	const struct cue *day = only_one(s, cues_class(s->found.of, "weekday"));
	const struct cue *sets = find(s, "sets");
	static _Thread_local struct said between;

	if (day == NULL || find(s, "open") != NULL || find(s, "once") != NULL)
		return false;
	if (find(s, "again") != NULL || find(s, "weekdays") != NULL)
		return true;
	if (sets == NULL || cue_end(sets) > day->start)
		return false;
	said_read(&between, s->text + cue_end(sets), day->start - cue_end(sets));
	for (size_t i = 0; i < between.n; i++)
		if (between.w[i].content && !between.w[i].empty && !between.w[i].lead)
			return false;
	return true;
}

uint64_t
typed_values(const struct judge_side *of)
{
	const unsigned apart = STANCE_PAST | STANCE_FUTURE | STANCE_ENDED | STANCE_HAPPENED |
	    STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct side s;
	const struct cue_class *classes;
	uint64_t all;
	size_t n;

	read_side(&s, of);
	classes = cues_classes(s.found.of, &n);
	all = of->bare_len <= BYTES && (of->said->stance & apart) == 0 && is_set(&s) ? SET : 0;
	all |= find(&s, "role") != NULL ? ROLE : 0;
	if (of->bare_len <= BYTES && (of->said->stance & (apart | STANCE_SELF)) == 0 &&
	    memchr(s.text, '?', s.len) == NULL)
		all |= (is_measure(&s) ? MEASURE : 0) | (is_day(&s) ? DAY : 0);
	for (size_t i = 0; i < of->said->n; i++) {
		all |= of->said->w[i].number ? NUMBER : 0;
		all &= of->said->w[i].past ? ~MEASURE : ~UINT64_C(0);
	}
	for (size_t i = 0; i < s.found.n; i++)
		if (strncmp(classes[s.found.cues[i].class].rest, "one", 3) == 0)
			all |= UINT64_C(1) << (s.found.cues[i].class % TYPED_GROUPS);
	return all;
}

/* ---- words of a group ---- */

/* The group of which each side has another word; -1: none, or several. */
static int
group_of(const struct side *a, const struct side *b)
{
	size_t n;
	const struct cue_class *classes = cues_classes(a->found.of, &n);
	int found = -1;

	for (size_t k = 0; k < n; k++) {
		const struct cue *x, *y;

		if (strncmp(classes[k].rest, "one", 3) != 0 ||
		    (x = only_one(a, (int)k)) == NULL || (y = only_one(b, (int)k)) == NULL ||
		    is_form(a, x, b, y))
			continue;
		if (found >= 0)
			return -1;
		found = (int)k;
	}
	return found;
}

/*
 * Reads a side without words that say nothing, words of a group that both have, and those for the
 * thing of the group whose words differ.
 */
static void
read_bare(struct side *s, const struct side *other, int group, bool day)
{
	size_t n;
	const struct cue_class *classes = cues_classes(s->found.of, &n);
	char bare[BYTES];

	memcpy(bare, s->text, s->len);
	/* 3,50 is one number, and no thousands */
	for (size_t i = 1; i + 2 < s->len; i++)
		if (bare[i] == ',' && ascii_is_digit(bare[i - 1]) && ascii_is_digit(bare[i + 1]) &&
		    ascii_is_digit(bare[i + 2]) &&
		    (i + 3 == s->len || !ascii_is_digit(bare[i + 3])))
			bare[i] = '.';
	for (size_t i = 0; i < s->found.n; i++) {
		const struct cue *cue = &s->found.cues[i];
		const char *rest = classes[cue->class].rest;

		if (cue_text_is(&s->found, cue, "sets") || cue_text_is(&s->found, cue, "plain") ||
		    (strncmp(rest, "one", 3) == 0 &&
			find(other, classes[cue->class].name) != NULL) ||
		    (day && cue_text_is(&s->found, cue, "weekday")) ||
		    (group >= 0 && strncmp(rest, "of ", 3) == 0 &&
			strstr(rest, classes[group].name) != NULL))
			memset(bare + cue->start, ' ', cue->len);
	}
	said_read(&s->said, bare, s->len);
}

/* ---- what one has alone ---- */

/* Whether it says who or what has a role that there is one of: "the owner", but not "an owner". */
static bool
has_role(const struct side *s)
{
	return find(s, "role") != NULL && find(s, "some") == NULL && !s->said.german;
}

static bool
is_alone(const struct said *other, const struct said_word *w)
{
	return w->content && !w->empty && !w->person && !weigh_has(other, w);
}

/* How many words a has alone; *numbers, *names: how many of these are such. */
static size_t
count_alone(const struct said *a, const struct said *b, size_t *numbers, size_t *names)
{
	size_t n = 0;

	*numbers = *names = 0;
	for (size_t i = 0; i < a->n; i++) {
		if (a->w[i].negates && !said_has(b, &a->w[i]))
			return SAID_WORDS + 1;
		if (!is_alone(b, &a->w[i]))
			continue;
		n++;
		*numbers += a->w[i].number;
		*names += !a->w[i].number && (a->w[i].name || a->w[i].first);
	}
	return n;
}

static bool
has_common(const struct said *a, const struct said *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->w[i].content && !a->w[i].empty && !a->w[i].number && weigh_has(b, &a->w[i]))
			return true;
	return false;
}

/* Whether each gives another day of the week. */
static bool
have_days(const struct side *a, const struct side *b)
{
	int class = cues_class(a->found.of, "weekday");

	return !is_form(a, only_one(a, class), b, only_one(b, class));
}

bool
typed_differ(const struct judge_side *older, const struct judge_side *newer)
{
	static _Thread_local struct side a, b;
	uint64_t both = older->values & newer->values;
	bool set = (both & SET) != 0, day = (both & DAY) != 0;
	int group;
	size_t in_a, in_b, numbers_a, numbers_b, names_a, names_b;

	if (!day && (both & MEASURE) == 0 && both <= SET)      /* SET itself is no value */
		return false;
	read_side(&a, older);
	read_side(&b, newer);
	if ((find(&a, "theirs") != NULL) != (find(&b, "theirs") != NULL))
		return false;
	day = day && have_days(&a, &b);
	group = set ? group_of(&a, &b) : -1;
	read_bare(&a, &b, group, day);
	read_bare(&b, &a, group, day);
	in_a = count_alone(&a.said, &b.said, &numbers_a, &names_a);
	in_b = count_alone(&b.said, &a.said, &numbers_b, &names_b);
	if (group >= 0)
		return in_a == 0 && in_b == 0;
	if (in_a == numbers_a && in_b == numbers_b && in_a == in_b && in_a + day > 0 && in_a <= 1 &&
	    (set || day || (both & MEASURE) != 0))
		return has_common(&a.said, &b.said);
	return set && in_a > 0 && in_b > 0 && in_a == names_a && in_b == names_b &&
	    in_a <= NAME_MOST && in_b <= NAME_MOST && has_role(&a) && has_role(&b);
}
