/*
 * clash.c: a claim contradicts a sentence where all its other words are there, and at the place of
 * its value, told by the words before and behind, another of the same type stands. Only the
 * shortest part of the sentence that has all words of both is looked at.
 */
#include "audit/clash.h"

#include "statement/said_numbers.h"
#include "statement/weigh.h"

#define SHARED_LEAST 2                     /* content words of both beside the value */
#define SHARED_NAME  3                     /* ... where a name is another */
#define SHARED_WORD  5                     /* ... where a word is */
#define SHARED_EACH  5                     /* ... for each word that may be lacking */
#define MORE_MOST    1                     /* words that the sentence has besides */
#define MORE_NUMBER  3                     /* ... where a number is another */
#define MORE_HAN     12                    /* ... of Chinese, characters */
#define NUMBERS_MOST 8                     /* of a sentence, of which two are added */
#define NEAR         6                     /* words in which something is denied */

enum type { TYPE_NONE, TYPE_NUMBER, TYPE_NAME, TYPE_OTHER };

/* A claim beside a sentence. */
struct sides {
	const struct said *claim, *text;
	int16_t in_text[SAID_WORDS];       /* of each word of the claim one that is the same; -1 */
	int16_t in_claim[SAID_WORDS];      /* and the other way round */
	size_t first, last;                /* words of the shortest part that has all of both */
	size_t n_shared, lacking[TYPE_OTHER + 1];
	size_t value, n_apart;             /* the first value that is lacking; words to the last */
	size_t more;                       /* words that the part has alone */
	bool han, turned;                  /* turned: one has the opposite of a word: "open" */
	bool denies;                       /* only one of them does */
	bool elsewhere;                    /* a word that is lacking may be of another thing */
};

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

/* ---- laying them beside each other ---- */

static void
pair_words(struct sides *v)
{
	memset(v->in_text, -1, sizeof(v->in_text));
	memset(v->in_claim, -1, sizeof(v->in_claim));
	for (size_t i = 0; i < v->claim->n; i++) {
		if (!says(&v->claim->w[i]))
			continue;
		v->han |= v->claim->w[i].half;
		for (size_t k = 0; k < v->text->n; k++)
			if (says(&v->text->w[k]) && weigh_same(&v->claim->w[i], &v->text->w[k])) {
				v->in_text[i] = (int16_t)k;
				v->in_claim[k] = (int16_t)i;
			}
		v->n_shared += v->in_text[i] >= 0;
		v->turned ^= v->in_text[i] >= 0 &&
		    v->claim->w[i].pole * v->text->w[v->in_text[i]].pole < 0;
	}
}

/* The last word of the part from word k on that has all that both have; text->n: it has not. */
static size_t
part_end(const struct sides *v, size_t k)
{
	bool seen[SAID_WORDS] = { false };
	size_t n = 0;

	for (; k < v->text->n; k++) {
		int16_t i = v->in_claim[k];

		if (i < 0 || seen[i])
			continue;
		seen[i] = true;
		if (++n == v->n_shared)
			break;
	}
	return k;
}

static void
find_part(struct sides *v)
{
	v->first = 0;
	v->last = v->text->n > 0 ? v->text->n - 1 : 0;
	for (size_t k = 0; k < v->text->n; k++) {
		size_t end = v->in_claim[k] >= 0 ? part_end(v, k) : v->text->n;

		if (end < v->text->n && end - k < v->last - v->first) {
			v->first = k;
			v->last = end;
		}
	}
	for (size_t k = v->first; k <= v->last && k < v->text->n; k++)
		v->more += says(&v->text->w[k]) && v->in_claim[k] < 0;
}

static bool
denies_within(const struct said *s, size_t from, size_t to)
{
	for (size_t k = from; k < s->n && k <= to; k++)
		if (s->w[k].negates && s->w[k].pole == 0)
			return true;
	return false;
}

/* Whether a word before word i is of both: what is spoken of stands there. */
static bool
shares_before(const struct sides *v, size_t i)
{
	while (i > 0)
		if (v->in_text[--i] >= 0)
			return true;
	return false;
}

static void
lay(struct sides *v, const struct said *known)
{
	size_t last = 0;

	pair_words(v);
	find_part(v);
	v->denies = (denies_within(v->claim, 0, v->claim->n) != denies_within(v->text,
	    v->first > 1 ? v->first - 2 : 0, v->last + 1)) != v->turned;
	for (size_t i = 0; i < v->claim->n; i++) {
		const struct said_word *w = &v->claim->w[i];
		enum type type = type_of(v->claim, w);

		if (!says(w) || v->in_text[i] >= 0 || said_has(known, w))
			continue;
		v->lacking[type]++;
		if (type == TYPE_OTHER) {
			v->elsewhere |= (w->marks & SAID_UNIT) != 0 || !shares_before(v, i);
			continue;
		}
		if (v->lacking[TYPE_NUMBER] + v->lacking[TYPE_NAME] == 1)
			v->value = i;
		last = i;
	}
	v->n_apart = last - v->value;
}

/* ---- another in its place ---- */

/* The word that says something before (-1) or behind (1) word i; NULL: there is none. */
static const struct said_word *
beside(const struct said *s, size_t i, int way)
{
	for (size_t k = i + (size_t)way; k < s->n; k += (size_t)way)
		if (says(&s->w[k]))
			return &s->w[k];
	return NULL;
}

/* Whether the word before or behind word i of the claim stands so beside word k of the text. */
static bool
is_beside(const struct sides *v, size_t i, size_t k, int way)
{
	const struct said_word *a = beside(v->claim, i, way), *b = beside(v->text, k, way);

	return a != NULL && b != NULL && weigh_same(a, b);
}

/*
 * On how many sides a word that the claim lacks, of the type of word i, stands as that does;
 * denied: where both are denied, or neither.
 */
static unsigned
count_instead(const struct sides *v, size_t i, bool denied)
{
	enum type type = type_of(v->claim, &v->claim->w[i]);
	bool denies = denies_within(v->claim, i > NEAR ? i - NEAR : 0, i + NEAR);
	unsigned most = 0;

	for (size_t k = 0; k < v->text->n; k++) {
		enum type as = type_of(v->text, &v->text->w[k]);

		if (!says(&v->text->w[k]) || v->in_claim[k] >= 0 ||
		    (as != type && !(type == TYPE_OTHER && as == TYPE_NUMBER)) || (denied &&
			denies != denies_within(v->text, k > NEAR ? k - NEAR : 0, k + NEAR)))
			continue;
		most = MAX(most, (unsigned)is_beside(v, i, k, -1) + is_beside(v, i, k, 1));
	}
	return most;
}

/* The most sides of those of words that are no values. */
static unsigned
count_replaced(const struct sides *v, bool denied)
{
	unsigned most = 0;

	for (size_t i = 0; i < v->claim->n; i++)
		if (says(&v->claim->w[i]) && v->in_text[i] < 0 &&
		    type_of(v->claim, &v->claim->w[i]) == TYPE_OTHER)
			most = MAX(most, count_instead(v, i, denied));
	return most;
}

/* Whether the number of the claim is the sum, or the difference, of two that the sentence has. */
static bool
is_made_of(const struct sides *v)
{
	uint32_t of[NUMBERS_MOST], whole = v->claim->w[v->value].value;
	size_t n = 0;

	for (size_t k = 0; k < v->text->n && n < NUMBERS_MOST; k++)
		if (v->text->w[k].number && v->text->w[k].value != SAID_NO_VALUE)
			of[n++] = v->text->w[k].value;
	for (size_t i = 0; i < n && whole != SAID_NO_VALUE; i++)
		for (size_t k = 0; k < n; k++)
			if (k != i && (of[i] + of[k] == whole || of[i] - of[k] == whole))
				return true;
	return false;
}

static const char *
find_why(const struct sides *v)
{
	size_t other = v->lacking[TYPE_OTHER], n_numbers = v->lacking[TYPE_NUMBER],
	       values = n_numbers + v->lacking[TYPE_NAME];
	unsigned instead = values > 0 ? count_instead(v, v->value, true) : 0;

	/* "15 October" is one value */
	if (v->n_shared < SHARED_LEAST || v->more > (v->han ? MORE_HAN : MORE_NUMBER) ||
	    values > 2 || v->n_apart > 1)
		return NULL;
	if (n_numbers > 0 && instead > 0 && !is_made_of(v) &&
	    (other == 0 || (other == 1 && instead == 2 && !v->elsewhere)))
		return "what is stored has another number";
	if (n_numbers > 0 || v->more > MORE_MOST || v->han || values > 1 || other > 1)
		return NULL;
	if (other == 1 && values == 0)
		return v->n_shared >= SHARED_WORD && count_replaced(v, true) == 2
		    ? "what is stored has another word" : NULL;
	if (values == 1 && other == 0 && instead > 0 && v->n_shared >= SHARED_NAME)
		return "what is stored has another name";
	return values == 0 && other == 0 && v->denies ? "what is stored says the opposite" : NULL;
}

void
clash_find(const struct said *claim, const struct said *text, const struct said *known,
	struct clash *out)
{
	struct sides v = { .claim = claim, .text = text };

	*out = (struct clash){ .why = NULL, .bears = has_whole(text, claim) };
	if (out->bears)
		return;
	lay(&v, known);
	out->n_shared = v.n_shared;
	out->bears = v.lacking[TYPE_NUMBER] + v.lacking[TYPE_NAME] == 0 && !v.denies &&
	    v.lacking[TYPE_OTHER] * SHARED_EACH <= v.n_shared && count_replaced(&v, false) == 0;
	out->why = find_why(&v);
	out->number = out->why != NULL && v.lacking[TYPE_NUMBER] > 0;
	out->denied = out->why != NULL && v.lacking[TYPE_NUMBER] + v.lacking[TYPE_NAME] +
	    v.lacking[TYPE_OTHER] == 0;
}
