/*
 * clash.c: a claim contradicts a sentence where all its other words are there, and at the place of
 * its value, told by the word before or behind, another of the same type stands.
 */
#include "audit/clash.h"

#include "statement/weigh.h"

#define SHARED_LEAST 2                     /* content words of both beside the value */
#define NEAR         6                     /* words in which something is denied */
#define SHARED_WORD  5                     /* ... where a word is */
#define MORE_MOST    1                     /* words that the sentence has besides */
#define MORE_NUMBER  3                     /* ... where a number is another */
#define MORE_HAN     12                    /* ... of Chinese, characters */
#define SHARED_NAME  3                     /* ... where a name is another */

enum type { TYPE_NONE, TYPE_NUMBER, TYPE_NAME, TYPE_OTHER };

struct sides { const struct said *claim, *text, *known; };

static bool
says(const struct said_word *w)
{
	return w->content && !w->empty && !w->person && !w->mine && !w->negates &&
	    (w->marks & SAID_SILENT) == 0;
}

static enum type
type_of(const struct said *s, const struct said_word *w)
{
	return w->number				     ? TYPE_NUMBER
	    : w->whole || (w->name && !s->german && !w->half) ? TYPE_NAME
							     : TYPE_OTHER;
}

/* Whether a statement has the word, and not one without weight that only looks like it. */
static bool
has(const struct said *s, const struct said_word *w)
{
	for (size_t i = 0; i < s->n; i++)
		if (!s->w[i].content && said_same(&s->w[i], w))
			return false;
	return weigh_has(s, w);
}

/* The word that says something before (-1) or behind (1) word i; NULL: there is none. */
static const struct said_word *
beside(const struct said *s, size_t i, int way)
{
	for (size_t k = i + (size_t)way; k < s->n; k += (size_t)way)
		if (says(&s->w[k]))
			return &s->w[k];
	return NULL;
}

static bool
is_word(const struct said_word *a, const struct said_word *b)
{
	return a != NULL && b != NULL && (said_same(a, b) ||
	    (a->len > 3 && a->len == b->len && memcmp(a->term, b->term, a->len) == 0));
}

/* Whether a statement denies something near word i. */
static bool
denies_near(const struct said *s, size_t i)
{
	for (size_t k = i > NEAR ? i - NEAR : 0; k < s->n && k <= i + NEAR; k++)
		if (s->w[k].negates && s->w[k].pole == 0)
			return true;
	return false;
}

/* Whether the word before or behind word i of the claim stands so beside word k of the text. */
static bool
is_beside(const struct sides *v, size_t i, size_t k, int way)
{
	return is_word(beside(v->claim, i, way), beside(v->text, k, way));
}

/*
 * Whether a word of the type that the claim lacks stands in the text in the place of word i, which
 * is denied there as it is in the claim.
 */
static unsigned
has_instead(const struct sides *v, size_t i, enum type type)
{
	unsigned most = 0, n;

	for (size_t k = 0; k < v->text->n; k++) {
		const struct said_word *w = &v->text->w[k];
		enum type as = type_of(v->text, w);

		if (!says(w) || has(v->claim, w) ||
		    (as != type && !(type == TYPE_OTHER && as == TYPE_NUMBER)))
			continue;
		if (denies_near(v->claim, i) != denies_near(v->text, k))
			continue;
		n = is_beside(v, i, k, -1) + is_beside(v, i, k, 1);
		most = MAX(most, n);
	}
	return most;
}

/* Whether the text has all words of the claim one behind the other. */
static bool
has_whole(const struct said *text, const struct said *claim)
{
	for (size_t k = 0, i; k + claim->n <= text->n; k++) {
		for (i = 0; i < claim->n && text->w[k + i].id == claim->w[i].id; i++)
			;
		if (i == claim->n)
			return true;
	}
	return false;
}

/* How many words the text has between those that both have and the claim lacks. */
static size_t
count_more(const struct said *text, const struct said *claim)
{
	size_t more = 0, inside = 0;
	bool begun = false;

	for (size_t i = 0; i < text->n; i++)
		if (!says(&text->w[i])) {
			continue;
		} else if (has(claim, &text->w[i])) {
			more += begun ? inside : 0;
			inside = 0;
			begun = true;
		} else {
			inside++;
		}
	return more;
}

/* Whether the text denies between the words that both have, or just before these. */
static unsigned
count_denials(const struct said *s, const struct said *other)
{
	size_t first = s->n, last = 0;
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (says(&s->w[i]) && has(other, &s->w[i])) {
			first = MIN(first, i);
			last = i;
		}
	for (size_t i = first > 2 ? first - 3 : 0; i < s->n && i <= last + 1; i++)
		n += s->w[i].negates && s->w[i].pole == 0;
	return n;
}

void
clash_find(const struct said *claim, const struct said *text, const struct said *known,
	struct clash *out)
{
	const struct sides v = { claim, text, known };
	size_t lacking[TYPE_OTHER + 1] = { 0 }, at = 0, values, more = count_more(text, claim);
	unsigned replaced = 0;
	bool han = false;
	bool denies = (count_denials(claim, text) > 0) != (count_denials(text, claim) > 0);

	*out = (struct clash){ .why = NULL, .bears = has_whole(text, claim) };
	if (out->bears)
		return;
	for (size_t i = 0; i < claim->n; i++) {
		const struct said_word *w = &claim->w[i];

		if (!says(w))
			continue;
		han |= w->half;
		if (has(text, w)) {
			out->n_shared++;
		} else if (!said_has(known, w)) {
			enum type type = type_of(claim, w);

			lacking[type]++;
			at = type != TYPE_OTHER ? i : at;
			replaced = MAX(replaced, type == TYPE_OTHER ? has_instead(&v, i, type) : 0);
		}
	}
	out->bears = lacking[TYPE_NUMBER] + lacking[TYPE_NAME] == 0 && !denies && replaced == 0;
	if (out->n_shared < SHARED_LEAST || more > (han ? MORE_HAN : MORE_NUMBER))
		return;
	values = lacking[TYPE_NUMBER] + lacking[TYPE_NAME];
	if (lacking[TYPE_OTHER] == 0 && values == 1 && lacking[TYPE_NUMBER] == 1 &&
	    has_instead(&v, at, TYPE_NUMBER) > 0)
		out->why = "what is stored has another number";
	else if (more > MORE_MOST || han)
		return;
	else if (lacking[TYPE_OTHER] == 1 && values == 0 && replaced == 2 &&
	    out->n_shared >= SHARED_WORD)
		out->why = "what is stored has another word";
	else if (lacking[TYPE_OTHER] == 0 && values == 1 && out->n_shared >= SHARED_NAME &&
	    has_instead(&v, at, TYPE_NAME) > 0)
		out->why = "what is stored has another name";
	else if (lacking[TYPE_OTHER] == 0 && values == 0 && denies)
		out->why = "what is stored says the opposite";
}
