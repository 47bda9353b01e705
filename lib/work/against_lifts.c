/*
 * against_lifts.c: what ends a rule. In doubt nothing does: one sentence must name what the rule is
 * of, and say that it is allowed or used where the rule forbids it, that it is used no more or
 * another of its kind is where the rule wants it, or that the rule itself is over. That the thing
 * is at version 9 now, or is broken again, says nothing of that.
 */
#include "statement/ended.h"
#include "statement/sentence.h"
#include "statement/vouch.h"
#include "work/against_parts.h"

#define SENTENCE_BYTES 1500        /* so far a newer text is read */
#define USED_NEAR      2           /* words from "we use" to what is used */
#define HAN_BYTES      3           /* of a character: one alone is a particle */
#define SHARE_NAMED    3           /* of what a rule is of, one in so many is named again */

/* What a rule is of: what is done, and places that are everywhere, do not say it. */
static bool
is_object(const struct against_word *w)
{
	return against_is_content(w) && !against_says(w, AGAINST_CONCEPTS | SAYS(ALL));
}

struct rule {
	struct against_words words;
	size_t n_objects;
	bool forbids, number;
};

struct newer {
	const struct rule *rule;
	struct against_words words;
};

static bool
is_of_rule(const struct rule *r, const struct against_word *w)
{
	return r->n_objects > 0 ? is_object(w) : against_is_content(w);
}

/* Whether the word is a thing of the rule, or, rival, another of its kind. */
static bool
names(const struct rule *r, const struct against_word *w, bool rival)
{
	for (size_t k = 0; k < r->words.n; k++) {
		const struct against_word *o = &r->words.w[k];

		if (is_of_rule(r, o) && (rival ? against_rivals(w, o) : against_same(w, o, true)))
			return true;
	}
	return false;
}

/* Whether enough of what the rule is of is named to be about the same. */
static bool
is_about(const struct newer *v)
{
	const struct rule *r = v->rule;
	size_t shared = 0;

	for (size_t k = 0; k < r->words.n; k++) {
		bool named = false;

		for (size_t i = 0; i < v->words.n && is_of_rule(r, &r->words.w[k]); i++) {
			const struct against_word *w = &v->words.w[i];

			named |= !w->number && !against_says(w, SAYS(KEEP) | SAYS(RULE)) &&
			    against_is_content(w) && against_same(w, &r->words.w[k], true);
		}
		shared += named;
	}
	return shared > 0 && shared * SHARE_NAMED >= r->n_objects;
}

/* Whether a word says something besides; Chinese is one word up to the next other sign. */
static bool
is_more(const struct against_words *v, size_t i)
{
	const unsigned small = SAYS(LIFTS) | SAYS(KEEP) | SAYS(RULE) | SAYS(NOW);

	return i < v->n && !against_says(&v->w[i], small) &&
	    (v->w[i].han ? v->w[i].n > HAN_BYTES : against_is_content(&v->w[i]));
}

/* "Allowed" at word i is said of the thing right before it: of "npm", not "the npm page". */
static bool
is_said_of(const struct newer *v, size_t i, bool rival)
{
	size_t at = i, end = i;

	while (end < v->words.n && against_says(&v->words.w[end], SAYS(LIFTS)))
		end++;
	if (is_more(&v->words, end))
		return false;
	while (at > 0 && !is_more(&v->words, at - 1))
		at--;
	return at > 0 && names(v->rule, &v->words.w[at - 1], rival) &&
	    (at == 1 || !against_says(&v->words.w[at - 2], SAYS(WHERE) | SAYS(ASIDE)) ||
		against_says(&v->words.w[at - 2], SAYS(RULE)));
}

/* "We use npm": the thing stands near behind word i, and is not "the npm page". */
static bool
is_used(const struct newer *v, size_t i, bool rival)
{
	const struct against_words *w = &v->words;

	if (!(w->w[i].begins & SAYS(USE)))
		return false;
	for (size_t k = i + 1; k < w->n && k <= i + USED_NEAR; k++)
		if (names(v->rule, &w->w[k], rival) && (!is_more(w, k + 1) || w->w[k + 1].part))
			return true;
	return false;
}

/* Whether the sentence has words of all of these classes. */
static bool
has(const struct newer *v, unsigned says)
{
	unsigned all = 0;

	for (size_t i = 0; i < v->words.n; i++)
		all |= v->words.w[i].says;
	return (all & says) == says;
}

/* Whether the sentence says that the thing, or another of its kind, is used or may be. */
static bool
permits(const struct newer *v, bool rival)
{
	for (size_t i = 0; i < v->words.n; i++) {
		const struct against_word *w = &v->words.w[i];

		if (against_says(w, SAYS(NOT) | SAYS(OUT) | SAYS(THIRD) | SAYS(PASSING)))
			return false;
		if (((w->begins & SAYS(LIFTS)) && is_said_of(v, i, rival)) || is_used(v, i, rival))
			return true;
	}
	return false;
}

/* Whether the sentence says of the thing that it is used no more. */
static bool
is_dropped(const struct newer *v)
{
	bool used = false;

	for (size_t i = 0; i < v->words.n; i++)
		used |= is_used(v, i, false);
	return used && has(v, SAYS(VOID));
}

static bool
has_number(const struct against_words *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->w[i].number)
			return true;
	return false;
}

/* fits: the change does what the newer text says. */
static bool
sentence_lifts(const struct newer *v, const struct against_text *older, const char *text,
	size_t len, bool fits)
{
	const struct rule *r = v->rule;
	bool about = is_about(v);

	if (fits && about && !r->forbids)
		return true;
	if (sentence_asks(text, len) || !vouch_is_own(text, len))
		return false;
	if (about && (has(v, SAYS(NORM) | SAYS(VOID)) || (r->forbids && permits(v, false)) ||
	    (r->number && has_number(&v->words) && has(v, SAYS(NOW)))))
		return true;
	return !r->forbids && (permits(v, true) || (about && (is_dropped(v) ||
	    ended_text(older->text, older->len, text, len))));
}

bool
against_lifts(const struct against_text *older, const struct against_text *newer, bool fits)
{
	size_t len = MIN(newer->len, (size_t)SENTENCE_BYTES);
	struct rule r = { .n_objects = 0 };
	struct newer v = { .rule = &r };
	struct arena a = ARENA_INIT;
	bool lifts = false;

	against_words_read(older->text, older->len, false, &a, &r.words);
	for (size_t k = 0; k < r.words.n; k++) {
		r.n_objects += is_object(&r.words.w[k]);
		r.forbids |= against_says(&r.words.w[k], SAYS(NOT) | SAYS(OUT));
		r.number |= r.words.w[k].number;
	}
	for (size_t at = 0, next; at < len && !lifts; at = next) {
		next = MAX(sentence_end(newer->text, at, len), at + 1);
		against_words_read(newer->text + at, next - at, false, &a, &v.words);
		lifts = sentence_lifts(&v, older, newer->text + at, next - at, fits);
	}
	arena_release(&a);
	return lifts;
}
