/*
 * labelled_sides.c: which heads begin turns. All lines of the first bytes that look like heads are
 * gathered, each as its name with its style, and in their order. Where both sides of a chat are
 * named by words in one style, these are its speakers and nobody else is: labels that tools and
 * pasted errors have before colons belong to the turn. Other words for a side, and other styles,
 * count only where they take turns with the first: a label does not. Where only the assistant is
 * named, the name that speaks first is the other side. Where neither is, the names that come back
 * speak, or all names, if most lines have one.
 */
#include "base/alloc.h"
#include "formats/labelled_head.h"
#include "lexicon/lex.h"

#define SPEAKERS_MOST 512
/* of a talk whose speakers are names alone: the least lines, the most people */
#define TALK_LINES    4
#define TALK_PEOPLE   8

struct speaker {
	char name[SPEAKER_BYTES + 1];
	const char *role;          /* NULL: a name */
	enum speaker_sure sure;
	uint32_t style;
	bool alone, account;
	unsigned count, asks;
	bool addresses;            /* says I or you */
	bool speaks;
};

struct labelled_sides {
	struct speaker *all;       /* [n] */
	size_t n;
	uint16_t *order;           /* [n_order], numbers of speakers as they come in the text */
	size_t n_order, cap_order;
	bool first;                /* the first line with words is a head */
	bool most;                 /* most lines are heads */
	bool talk;                 /* all are, and they are some */
	bool asks;                 /* one of them asks */
	/* what turned out */
	bool user, assistant;      /* a word names this side */
	bool any_name;             /* names speak that are not among the speakers */
	uint32_t style;            /* of the first speakers */
};

static bool
is_role(const struct speaker *v, const char *role)
{
	return v->role != NULL && strcmp(v->role, role) == 0;
}

/* ---- what is there ---- */

static struct speaker *
find(const struct labelled_sides *s, const struct labelled_head *h)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i].style == h->style && strcmp(s->all[i].name, h->name) == 0)
			return &s->all[i];
	return NULL;
}

/* Whether a label is written as no name is: "DE", "Q"; or is a word that names nobody: "Before". */
static bool
is_label(const char *name)
{
	struct lex_token t;
	size_t len = strlen(name);
	bool small = false;

	for (size_t i = 0; i < len; i++)
		small |= (unsigned char)name[i] >= 0x80 || (name[i] >= 'a' && name[i] <= 'z');
	return !small || (lex_next(name, len, 0, &t) && t.end == len && t.n_senses > 0 &&
	    !lex_is(&t, LEX_NAME_MAN, LEX_ANY, NULL) &&
	    !lex_is(&t, LEX_NAME_WOMAN, LEX_ANY, NULL));
}

static void
see(struct labelled_sides *s, const struct labelled_head *h, const char *line, size_t len)
{
	struct speaker *v = find(s, h);

	if (v == NULL) {
		if (s->n == SPEAKERS_MOST)
			return;
		v = &s->all[s->n++];
		memcpy(v->name, h->name, sizeof(v->name));
		v->role = h->role;
		v->sure = h->sure;
		v->style = h->style;
		v->alone = h->alone;
		v->account = h->account;
	}
	v->count++;
	v->asks += line[len - 1] == '?';
	v->addresses = v->addresses ||
	    speaker_addresses(line + h->words, len - MIN(h->words, len));
	*xpush(s->order, s->n_order, s->cap_order) = (uint16_t)(v - s->all);
}

struct rest { const char *p; size_t len; };

static bool
rest_of(void *arg, const char **bytes, size_t *len)
{
	const struct rest *r = arg;

	*bytes = r->p;
	*len = r->len;
	return true;
}

static bool
is_side_line(const void *state, const char *line, size_t len, struct turns_fence *behind)
{
	struct labelled_head h;

	(void)state;
	if (!labelled_head(line, len, &h) || h.role == NULL)
		return false;
	labelled_head_fence(line, len, &h, behind);
	return true;
}

static void
gather(struct labelled_sides *s, const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	struct turns_fence fence = { 0, 0 };
	struct turns_around around = { .ahead = rest_of };
	unsigned lines = 0, heads = 0, looks = 0, asks = 0;
	size_t n;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		struct rest rest = { p, (size_t)(bytes + len - p) };
		struct turns_fence behind = { 0, 0 };
		struct labelled_head h;

		around.arg = &rest;
		if (n > 0 && turns_fence_see(&fence, line, n))
			continue;
		if (n > 0 && fence.n > 0 && is_side_line(NULL, line, n, &behind) &&
		    looks++ < SPEAKERS_MOST &&
		    turns_fence_is_broken(&fence, &behind, &around, is_side_line, NULL))
			fence.n = 0;
		around.after_blank = n == 0;
		if (n == 0 || fence.n > 0)
			continue;
		lines++;
		if (!labelled_head(line, n, &h))
			continue;
		labelled_head_fence(line, n, &h, &fence);
		heads += !h.account;
		asks += line[n - 1] == '?';
		s->first |= lines == 1;
		see(s, &h, line, n);
	}
	s->most = heads * 2 >= lines;
	s->talk = heads == lines && lines >= TALK_LINES;
	s->asks = asks > 0;
}

/* ---- both sides by words ---- */

/* How often a side is named in a style, by the words that are the surest of the frequent ones. */
static unsigned
side_in_style(const struct labelled_sides *s, const char *role, uint32_t style, bool any_style,
	enum speaker_sure *sure)
{
	unsigned most = 0, n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (is_role(&s->all[i], role) && (any_style || s->all[i].style == style))
			most = MAX(most, s->all[i].count);
	*sure = SPEAKER_MAYBE;
	for (size_t i = 0; i < s->n; i++) {
		const struct speaker *v = &s->all[i];

		if (!is_role(v, role) || (!any_style && v->style != style) || v->count * 3 < most)
			continue;
		n = v->sure < *sure ? v->count : v->sure == *sure ? n + v->count : n;
		*sure = MIN(*sure, v->sure);
	}
	return n;
}

static void
take_side(struct labelled_sides *s, const char *role, bool any_style)
{
	enum speaker_sure sure;
	unsigned n = side_in_style(s, role, s->style, any_style, &sure), most = 0;

	for (size_t i = 0; n > 0 && i < s->n; i++)
		if (is_role(&s->all[i], role) && (any_style || s->all[i].style == s->style) &&
		    s->all[i].sure == sure)
			most = MAX(most, s->all[i].count);
	for (size_t i = 0; n > 0 && i < s->n; i++) {
		struct speaker *v = &s->all[i];

		if (is_role(v, role) && (any_style || v->style == s->style) && v->sure == sure &&
		    v->count * 3 >= most)
			v->speaks = true;
	}
}

static bool
is_side(const struct speaker *v)
{
	return is_role(v, "user") || is_role(v, "assistant");
}

/* Whether a head is one of those that are looked at together: of a style, or all. */
static bool
is_other(const struct labelled_sides *s, const struct speaker *v, const uint32_t *style)
{
	return !v->speaks && is_side(v) && v->style != s->style &&
	    (style != NULL ? v->style == *style : (v->style == 0) == (s->style == 0));
}

/*
 * Whether the sides change at most places where one speaks, among those that speak already; one
 * NULL: where any of the others does.
 */
static bool
takes_turns(const struct labelled_sides *s, const struct speaker *one, const uint32_t *style)
{
	const struct speaker *before = NULL, *at = NULL;
	unsigned good = 0, n = 0;

	for (size_t i = 0; i <= s->n_order; i++) {
		const struct speaker *next = i < s->n_order ? &s->all[s->order[i]] : NULL;

		if (next != NULL && !next->speaks && next != one &&
		    (one != NULL || !is_other(s, next, style)))
			continue;
		if (at != NULL && (one != NULL ? at == one : is_other(s, at, style))) {
			n++;
			good += (before == NULL || strcmp(before->role, at->role) != 0) &&
			    (next != NULL ? strcmp(next->role, at->role) != 0
					  : at->alone || good > 0);
		}
		before = at;
		at = next;
	}
	return good * 2 > n;
}

/*
 * Whether other heads are those of a part of its own, before or behind all who speak already: the
 * heads of an example within an answer lie between them.
 */
static bool
is_apart(const struct labelled_sides *s, const uint32_t *style)
{
	size_t first = s->n_order, last = 0, from = s->n_order, to = 0;

	for (size_t i = 0; i < s->n_order; i++) {
		const struct speaker *v = &s->all[s->order[i]];

		if (v->speaks) {
			first = MIN(first, i);
			last = i;
		} else if (is_other(s, v, style)) {
			from = MIN(from, i);
			to = i;
		}
	}
	return from > last || to < first;
}

/* A tool's or the system's head: the first of all, or one that the assistant answers. */
static bool
is_third(const struct labelled_sides *s, const struct speaker *v)
{
	unsigned good = 0;

	if (v->style == s->style && (v->alone || (&s->all[s->order[0]] == v && v->count == 1)))
		return true;
	for (size_t i = 0; i + 1 < s->n_order; i++) {
		const struct speaker *next = &s->all[s->order[i + 1]];

		good += &s->all[s->order[i]] == v &&
		    ((next->speaks && is_role(next, "assistant")) || is_role(next, "tool"));
	}
	return is_role(v, "tool") && (v->style == 0) == (s->style == 0) && good * 2 > v->count;
}

static void
take_part(struct labelled_sides *s, const uint32_t *style)
{
	bool take = is_apart(s, style) && takes_turns(s, NULL, style);

	for (size_t i = 0; take && i < s->n; i++)
		s->all[i].speaks |= is_other(s, &s->all[i], style);
}

static void
take_others(struct labelled_sides *s)
{
	take_part(s, NULL);
	for (size_t i = 0; i < s->n; i++) {
		struct speaker *v = &s->all[i];

		if (v->speaks || v->role == NULL)
			continue;
		if (!is_side(v))
			v->speaks = is_third(s, v);
		else if (v->style == s->style)
			v->speaks = takes_turns(s, v, NULL);
		else if ((v->style == 0) == (s->style == 0))
			take_part(s, &v->style);
	}
}

/* Takes the style in which both sides are named most often. false: there is none. */
static bool
take_both(struct labelled_sides *s)
{
	enum speaker_sure sure;
	unsigned most = 0;

	for (size_t i = 0; i < s->n; i++) {
		unsigned n = MIN(side_in_style(s, "user", s->all[i].style, false, &sure),
		    side_in_style(s, "assistant", s->all[i].style, false, &sure));

		if (s->all[i].role == NULL || n <= most)
			continue;
		most = n;
		s->style = s->all[i].style;
	}
	return most > 0;
}

/* ---- names ---- */

/* Whether a later word of a name begins with a small letter, as in "Ran terminal command". */
static bool
is_phrase(const char *name)
{
	static const char *const between[] = { "von", "van", "de", "der", "den", "da", "do", "dos",
		"del", "della", "di", "du", "la", "le", "bin", "ibn", "el", "al", "y", "e", "zu" };

	for (const char *p = strchr(name, ' '); p != NULL; p = strchr(p + 1, ' ')) {
		size_t n = strcspn(p + 1, " ");
		bool small = p[1] >= 'a' && p[1] <= 'z';

		for (size_t i = 0; small && i < NELEM(between); i++)
			small = strncmp(between[i], p + 1, n) != 0 || between[i][n] != '\0';
		if (small)
			return true;
	}
	return false;
}

/* Whether a name stands beside the assistant on either side: a label in a turn does not. */
static bool
is_beside_assistant(const struct labelled_sides *s, const struct speaker *v)
{
	bool before = false, behind = false;

	for (size_t i = 0; i + 1 < s->n_order; i++) {
		const struct speaker *a = &s->all[s->order[i]], *b = &s->all[s->order[i + 1]];

		before |= a == v && b->speaks && is_role(b, "assistant");
		behind |= b == v && a->speaks && is_role(a, "assistant");
	}
	return before && behind;
}

/* The assistant is named: the other side is the name that speaks before it, and most often. */
static void
take_first_name(struct labelled_sides *s)
{
	struct speaker *user = NULL;

	for (size_t i = 0; i < s->n_order; i++) {
		struct speaker *v = &s->all[s->order[i]];

		if (v->speaks)
			break;
		if (v->role == NULL && v->style == s->style && !is_phrase(v->name) &&
		    (user == NULL || v->count > user->count))
			user = v;
	}
	if (user != NULL)
		user->speaks = true;
	for (size_t i = 0; i < s->n; i++) {
		struct speaker *v = &s->all[i];

		v->speaks |= v->role == NULL && !v->account && v->count > 1 &&
		    v->style == s->style && !is_phrase(v->name) && is_beside_assistant(s, v);
	}
}

static void
take_names(struct labelled_sides *s)
{
	const struct speaker *most = NULL;

	for (size_t i = 0; i < s->n; i++)
		if (s->all[i].role == NULL && !s->all[i].account &&
		    (most == NULL || s->all[i].count > most->count))
			most = &s->all[i];
	if (!s->user && most != NULL)
		s->style = most->style;
	for (size_t i = 0; i < s->n; i++) {
		struct speaker *v = &s->all[i];

		v->speaks |= v->role == NULL && !v->account && v->style == s->style &&
		    (v->count > 1 || (s->most && !v->alone));
	}
	s->any_name = s->most;
}

/* ---- the file ---- */

struct labelled_sides *
labelled_sides_learn(const char *bytes, size_t len)
{
	struct labelled_sides *s = xcalloc(1, sizeof(*s));

	s->all = xcalloc(SPEAKERS_MOST, sizeof(*s->all));
	gather(s, bytes, len);
	for (size_t i = 0; i < s->n; i++) {
		s->user |= is_role(&s->all[i], "user");
		s->assistant |= is_role(&s->all[i], "assistant");
	}
	if (s->user && s->assistant) {
		bool one_style = take_both(s);

		take_side(s, "user", !one_style);
		take_side(s, "assistant", !one_style);
		take_others(s);
		return s;
	}
	for (size_t i = s->n; i-- > 0;)
		if (s->all[i].role != NULL)
			s->style = s->all[i].style;
	for (size_t i = 0; i < s->n; i++)
		s->all[i].speaks = s->all[i].role != NULL && s->all[i].style == s->style;
	if (s->assistant)
		take_first_name(s);
	else
		take_names(s);
	return s;
}

void
labelled_sides_free(struct labelled_sides *s)
{
	free(s->all);
	free(s->order);
	free(s);
}

bool
labelled_sides_may_talk(const struct labelled_sides *s)
{
	bool may = s->talk && s->n >= 2 && s->n <= TALK_PEOPLE;

	for (size_t i = 0; i < s->n && may; i++)
		may = s->all[i].role == NULL && s->all[i].style == 0 && !s->all[i].alone &&
		    s->all[i].count > 1 && !is_label(s->all[i].name);
	return may;
}

/*
 * Whether some people talk, of whom one says I or you: a list of keys with their values asks
 * nothing, and what has questions only behind one name is a list of them.
 */
static bool
is_talk(const struct labelled_sides *s)
{
	bool is = s->asks && labelled_sides_may_talk(s), addressed = false;

	for (size_t i = 0; i < s->n && is; i++) {
		is = s->all[i].asks < s->all[i].count;
		addressed |= s->all[i].addresses;
	}
	return is && addressed;
}

bool
labelled_sides_is_chat(const struct labelled_sides *s)
{
	bool name = false;

	for (size_t i = 0; i < s->n; i++)
		name |= s->all[i].speaks && s->all[i].role == NULL;
	return (s->assistant && (s->user || (s->first && name))) || is_talk(s);
}

bool
labelled_sides_end_so(const struct labelled_sides *s, const char *name, size_t len)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t n = strlen(s->all[i].name), least = MIN(n, len);

		if (s->all[i].speaks &&
		    memcmp(s->all[i].name + n - least, name + len - least, least) == 0)
			return true;
	}
	return false;
}

bool
labelled_sides_head(const struct labelled_sides *s, const char *line, size_t len,
	struct labelled_head *h)
{
	const struct speaker *v;

	if (!labelled_head(line, len, h))
		return false;
	if ((v = find(s, h)) != NULL)
		return v->speaks;
	if (h->role != NULL)
		return h->style == s->style && h->sure != SPEAKER_MAYBE;
	return s->any_name && !h->alone && !h->account && h->style == s->style;
}
