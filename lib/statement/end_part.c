/* end_part.c: parts are cut at commas, "and" and the like; times name nothing that has ended. */
#include "statement/end_part.h"

#include <ctype.h>

#include "statement/stance.h"
#include "statement/values.h"
#include "statement/weigh.h"

#define PART_BYTES 2000
#define HAN_THING  3                       /* so many characters count as one thing */

/* ---- parts ---- */

/* The bytes of the mark at p, perhaps behind a number, that ends a part; 0: none does. */
static size_t
mark_at(const char *p, const char *end, bool number)
{
	static const char *const marks[] = { ",", ";", ":", " and ", " but ", ". ", "! ", "，",
		"；", "。", "：", " und ", " aber ", " y ", " et " };

	for (size_t i = 0; i < NELEM(marks); i++) {
		size_t n = strlen(marks[i]);

		/* "at 10:30", "1,240", "am 3. April" */
		if ((size_t)(end - p) > n && memcmp(p, marks[i], n) == 0 &&
		    !(n == 1 && isdigit((unsigned char)p[1])) &&
		    !(*p == '.' && number))
			return n;
	}
	return 0;
}

struct end_span
end_part_next(const char **at, const char *end)
{
	const char *start = *at, *p = start;
	size_t mark = 0;

	while (p < end && (mark = mark_at(p, end, p > start &&
	    isdigit((unsigned char)p[-1]))) == 0)
		p++;
	*at = p < end ? p + mark : end;
	while (start < p && *start == ' ')
		start++;
	return (struct end_span){ start, (size_t)(p - start) };
}

/* ---- words of the table ---- */

/* Whether a cue is of a phrase that names nothing: the "for" of "for good". */
static bool
is_aside(const struct cue_text *t, const struct cue *cue)
{
	for (const struct cue *c = t->cues; c < t->cues + t->n && c->start <= cue->start; c++)
		if (c->len > cue->len && cue_end(c) >= cue_end(cue) && cue_text_is(t, c, "aside"))
			return true;
	return false;
}

void
end_part_read(struct end_part *p, struct end_span at)
{
	size_t n = 0;

	p->at = at;
	cue_text_read(&p->found, END_TABLE, at.text, at.len);
	for (size_t i = 0; i < p->found.n; i++)
		if (!is_aside(&p->found, &p->found.cues[i]))
			p->found.cues[n++] = p->found.cues[i];
	p->found.n = n;
}

bool
end_part_may_end(const struct end_part *p)
{
	static const char *const kinds[] = { "ends", "none", "more", "moves", "where" };
	size_t n;
	const struct cue_class *classes = cues_classes(p->found.of, &n);
	unsigned all = 0;

	for (size_t i = 0; i < p->found.n; i++)
		for (size_t k = 0; k < NELEM(kinds); k++)
			if (strcmp(classes[p->found.cues[i].class].rest, kinds[k]) == 0)
				all |= 1u << k;
	return (all & 1) != 0 || (all & 6) == 6 || (all & 24) == 24;
}

const struct cue *
end_part_find(const struct end_part *p, const char *class, size_t from)
{
	return cue_text_find(&p->found, class, from);
}

bool
end_part_hedged(const struct end_part *p, const struct cue *cue)
{
	const struct cue *hedge = end_part_find(p, "hedge", 0);

	return hedge != NULL && hedge->start < cue->start;
}

/* Whether a word of the table may name what has ended. */
static bool
is_named(const struct end_part *p, const struct cue *cue)
{
	static const char *const classes[] = { "to", "bound", "from", "spell", "habit" };

	for (size_t i = 0; i < NELEM(classes); i++)
		if (cue_text_is(&p->found, cue, classes[i]))
			return true;
	return false;
}

void
end_part_named(const struct end_part *p, size_t from, size_t to, struct said *s)
{
	char bare[PART_BYTES];

	to = MIN(to, from + sizeof(bare) - 1);
	memcpy(bare, p->at.text + from, to - from);
	for (size_t i = 0; i < p->found.n; i++) {
		const struct cue *cue = &p->found.cues[i];

		if (!is_named(p, cue) && cue->start >= from && cue_end(cue) <= to)
			memset(bare + cue->start - from, ' ', cue->len);
	}
	values_read_untimed(s, bare, to - from);
}

void
end_part_habit(const char *text, size_t len, struct said *s)
{
	static _Thread_local struct cue_text t;
	char bare[PART_BYTES];

	len = MIN(len, sizeof(bare));
	memcpy(bare, text, len);
	cue_text_read(&t, END_TABLE, text, len);
	for (size_t i = 0; i < t.n; i++)
		if (cue_text_is(&t, &t.cues[i], "habit") && cue_end(&t.cues[i]) <= len)
			memset(bare + t.cues[i].start, ' ', t.cues[i].len);
	values_read_untimed(s, bare, len);
}

size_t
end_part_bound(const struct end_part *p, size_t from)
{
	const struct cue *bound = end_part_find(p, "bound", from);

	return bound != NULL ? bound->start : p->at.len;
}

void
end_aims(const char *text, size_t len, struct said *s)
{
	static _Thread_local struct end_part p;
	const char *at = text, *end = text + MIN(len, (size_t)PART_BYTES);
	char aims[PART_BYTES + 1];
	size_t n = 0;

	while (at < end) {
		const struct cue *aim;

		end_part_read(&p, end_part_next(&at, end));
		if ((aim = end_part_find(&p, "aim", 0)) == NULL)
			continue;
		memcpy(aims + n, p.at.text + aim->start, p.at.len - aim->start);
		n += p.at.len - aim->start;
	}
	said_read(s, aims, n);
}

const struct cue *
end_part_scope(const struct end_part *p)
{
	static const struct said nothing;
	const struct cue *on = end_part_find(p, "scope", 0);

	/* "on utilise" begins with no place */
	return on == NULL || on == p->found.cues ||
		values_own_time(p->at.text + cue_end(on), p->at.len - cue_end(on), &nothing)
	    ? NULL
	    : on;
}

/* "No more than two": such a word stands right behind. */
static bool
is_than(const struct end_part *p, const struct cue *more)
{
	const struct cue *than = end_part_find(p, "than", cue_end(more));

	return than != NULL && than->start == cue_end(more) + 1;
}

bool
end_part_no_more(const struct end_part *p)
{
	const struct cue *whole = end_part_find(p, "whole", 0), *once = end_part_find(p, "once", 0);
	static const char *const pairs[][2] = { { "none_de", "more_de" },
		{ "none_fr", "more_fr" }, { "none_es", "more_es" }, { "none_it", "more_it" },
		{ "none_pt", "more_pt" }, { "none_pl", "more_pl" } };

	if ((whole != NULL && !is_than(p, whole)) || (once != NULL && !end_part_hedged(p, once)))
		return true;
	for (size_t i = 0; i < NELEM(pairs) && whole == NULL; i++) {
		const struct cue *none = end_part_find(p, pairs[i][0], 0);
		const struct cue *more =
		    none != NULL ? end_part_find(p, pairs[i][1], cue_end(none)) : NULL;

		if (more != NULL && !is_than(p, more))
			return true;
	}
	return false;
}

/* ---- things ---- */

bool
end_is_thing(const struct said_word *w)
{
	return !weigh_is_silent(w) && !weigh_is_light(w) && !w->negates && w->pole == 0;
}

size_t
end_things(const struct said *s, const struct said *other, bool has)
{
	size_t n = 0, n_han = 0;

	for (size_t i = 0; i < s->n; i++)
		if (end_is_thing(&s->w[i]) && (other == NULL || weigh_has(other, &s->w[i]) == has))
			*(s->w[i].half ? &n_han : &n) += 1;
	return n + (n_han + HAN_THING - 1) / HAN_THING;
}

bool
end_is_standing(const struct said *claim)
{
	return !weigh_denies(claim) && (claim->stance & (STANCE_PAST | STANCE_ENDED |
	    STANCE_WANTS | STANCE_TRIES | STANCE_ASKS)) == 0;
}
