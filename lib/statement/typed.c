/*
 * typed.c: words that say nothing of what has the value are struck from both texts; what then
 * stands in one alone must be the value.
 */
#include "statement/typed.h"

#include "base/ascii.h"
#include "statement/cues.h"
#include "statement/stance.h"
#include "statement/weigh.h"

#define TABLE     "schema/cues/values.txt"
#define BYTES     300                      /* a longer statement says more than one thing */
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
	for (size_t i = 0; i < of->said->n; i++)
		all |= of->said->w[i].number ? NUMBER : 0;
	for (size_t i = 0; i < s.found.n; i++)
		if (strncmp(classes[s.found.cues[i].class].rest, "one", 3) == 0)
			all |= UINT64_C(1) << (s.found.cues[i].class % TYPED_GROUPS);
	return all;
}

/* ---- words of a group ---- */

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
read_bare(struct side *s, const struct side *other, int group)
{
	size_t n;
	const struct cue_class *classes = cues_classes(s->found.of, &n);
	char bare[BYTES];

	memcpy(bare, s->text, s->len);
	for (size_t i = 0; i < s->found.n; i++) {
		const struct cue *cue = &s->found.cues[i];
		const char *rest = classes[cue->class].rest;

		if (cue_text_is(&s->found, cue, "sets") || cue_text_is(&s->found, cue, "plain") ||
		    (strncmp(rest, "one", 3) == 0 &&
			find(other, classes[cue->class].name) != NULL) ||
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

bool
typed_differ(const struct judge_side *older, const struct judge_side *newer)
{
	static _Thread_local struct side a, b;
	int group;
	size_t in_a, in_b, numbers_a, numbers_b, names_a, names_b;

	if ((older->values & newer->values) <= SET)    /* SET itself is no value */
		return false;
	read_side(&a, older);
	read_side(&b, newer);
	if ((find(&a, "theirs") != NULL) != (find(&b, "theirs") != NULL))
		return false;
	group = group_of(&a, &b);
	read_bare(&a, &b, group);
	read_bare(&b, &a, group);
	in_a = count_alone(&a.said, &b.said, &numbers_a, &names_a);
	in_b = count_alone(&b.said, &a.said, &numbers_b, &names_b);
	if (group >= 0)
		return in_a == 0 && in_b == 0;
	if (in_a == 1 && in_b == 1 && numbers_a == 1 && numbers_b == 1)
		return has_common(&a.said, &b.said);
	return in_a > 0 && in_b > 0 && in_a == names_a && in_b == names_b && in_a <= NAME_MOST &&
	    in_b <= NAME_MOST && has_role(&a) && has_role(&b);
}
