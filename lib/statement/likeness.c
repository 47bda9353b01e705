/*
 * likeness.c: lays the words of both statements beside each other: which are in both, and which of
 * these stand in one order (the longest common subsequence). A statement in which one thing is
 * exchanged for another keeps its frame; one that says the same in other words mostly does not.
 */
#include "statement/likeness.h"

#include "statement/stance.h"

/* Of pairs of real statements without a difference, weights that were learnt told no more. */
#define SAME       .65
#define FRAME_KEPT .5 /* the share of a frame from which on one other word is a difference */
#define FEW_WORDS  5  /* in so short a statement, any other word is: "we use it", "we fear it" */

/* Both statements beside each other. */
struct beside {
	const struct said *a, *b;
	/* of each word of a its place in b, -1: it is not there; and the other way round */
	int16_t in_b[SAID_WORDS], in_a[SAID_WORDS];
	bool kept_a[SAID_WORDS], kept_b[SAID_WORDS];   /* part of the common subsequence */
	unsigned n_shared;                             /* content words */
	unsigned only_a, only_b;                       /* content words that the other lacks */
	unsigned n_kept;
	unsigned n_turned, n_poles;                    /* words that stand for the other side */
	bool past_a, past_b;           /* in the past a verb that is in the present in the other */
	unsigned n_replaced;                           /* gaps with other words on both sides */
	bool swapped;                  /* those it is said of stand the other way round */
};

/* ---- laying them beside each other ---- */

/* Marks the longest sequence of words that stand in both in one order. */
static void
keep_common(struct beside *v)
{
	static _Thread_local uint8_t longest[SAID_WORDS + 1][SAID_WORDS + 1];
	size_t n = v->a->n, m = v->b->n, i = 0, j = 0;

	memset(longest[n], 0, m + 1);
	for (size_t k = n; k-- > 0;) {
		longest[k][m] = 0;
		for (size_t l = m; l-- > 0;)
			longest[k][l] = said_same(&v->a->w[k], &v->b->w[l])
			    ? (uint8_t)(longest[k + 1][l + 1] + 1)
			    : MAX(longest[k + 1][l], longest[k][l + 1]);
	}
	v->n_kept = longest[0][0];
	while (i < n && j < m)
		if (said_same(&v->a->w[i], &v->b->w[j])) {
			v->in_b[i] = (int16_t)j;
			v->in_a[j] = (int16_t)i;
			v->kept_a[i++] = v->kept_b[j++] = true;
		} else if (longest[i + 1][j] >= longest[i][j + 1]) {
			i++;
		} else {
			j++;
		}
}

/*
 * Pairs the words of a with those of b: those of the common sequence with each other, any other
 * with the first that is the same and has no pair yet.
 */
static void
pair_words(struct beside *v)
{
	for (size_t i = 0; i < v->a->n; i++)
		for (size_t j = 0; j < v->b->n && v->in_b[i] < 0; j++)
			if (v->in_a[j] < 0 && said_same(&v->a->w[i], &v->b->w[j])) {
				v->in_b[i] = (int16_t)j;
				v->in_a[j] = (int16_t)i;
			}
	for (size_t i = 0; i < v->a->n; i++) {
		const struct said_word *w = &v->a->w[i], *x = &v->b->w[MAX(v->in_b[i], 0)];
		if (v->in_b[i] < 0) {
			v->only_a += w->content;
			continue;
		}
		v->n_shared += w->content;
		v->past_a |= w->past && !x->past && w->turn == x->turn;
		v->past_b |= x->past && !w->past && w->turn == x->turn;
		v->n_turned += w->turn * x->turn < 0;
		v->n_poles += w->pole * x->pole < 0;
	}
	for (size_t j = 0; j < v->b->n; j++)
		v->only_b += v->in_a[j] < 0 && v->b->w[j].content;
}

/* Counts the gaps between common words that have content words on both sides. */
static void
count_gaps(struct beside *v)
{
	size_t i = 0, j = 0;

	while (i < v->a->n || j < v->b->n) {
		unsigned in_a = 0, in_b = 0;
		for (; i < v->a->n && !v->kept_a[i]; i++)
			in_a += v->in_b[i] < 0 && v->a->w[i].content;
		for (; j < v->b->n && !v->kept_b[j]; j++)
			in_b += v->in_a[j] < 0 && v->b->w[j].content;
		v->n_replaced += in_a > 0 && in_b > 0;
		i++;
		j++;
	}
}

/*
 * Whether those that both name stand the other way round: names and the speaker where there are
 * two of them, else what they are said of.
 */
static bool
stand_swapped(const struct beside *v, bool persons)
{
	int last = -1, n = 0;
	bool back = false;

	for (size_t i = 0; i < v->a->n; i++) {
		const struct said_word *w = &v->a->w[i];
		int at = v->in_b[i];
		if (at < 0 || (persons ? !(w->name || w->first || w->person) : !w->content) ||
		    (persons && w->first && !v->b->w[at].name && !v->b->w[at].first))
			continue;
		back |= at < last;
		last = at;
		n++;
	}
	return n > 1 && back;
}

static void
lay(struct beside *v, const struct said *a, const struct said *b)
{
	*v = (struct beside){ .a = a, .b = b };
	memset(v->in_b, -1, sizeof(v->in_b));
	memset(v->in_a, -1, sizeof(v->in_a));
	keep_common(v);
	pair_words(v);
	count_gaps(v);
	v->swapped = stand_swapped(v, true);
}

/* ---- what forbids taking them for the same ---- */

static unsigned
count_lacking(const struct said *s, const int16_t *in, bool numbers)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += in[i] < 0 && (numbers ? s->w[i].number : s->w[i].whole);
	return n;
}

static unsigned
count_negations(const struct said *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->w[i].negates && s->w[i].pole == 0;
	return n;
}

/* How many content words that the other lacks say "always", which "never" is the opposite of. */
static unsigned
count_always(const struct said *s, const int16_t *in)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += in[i] < 0 && s->w[i].content && (s->w[i].marks & SAID_ALWAYS) != 0;
	return n;
}

/* Whether it begins with a capital word, as a name does, that the other lacks. */
static bool
begins_with_another(const struct said *s, const int16_t *in)
{
	return s->n > 0 && !s->german && s->w[0].first && s->w[0].content && in[0] < 0;
}

/*
 * Whether one speaks of "I" and the other of "we", and both of nobody else; or one of the speaker,
 * and the other begins with what may be somebody's name.
 */
static bool
persons_differ(const struct beside *v)
{
	unsigned a = 0, b = 0;

	for (size_t i = 0; i < v->a->n; i++)
		if (v->a->w[i].person && v->in_b[i] >= 0)
			return false;
		else
			a += v->a->w[i].person;
	for (size_t j = 0; j < v->b->n; j++)
		b += v->b->w[j].person;
	return (a > 0 && (b > 0 || begins_with_another(v->b, v->in_a))) ||
	    (b > 0 && begins_with_another(v->a, v->in_b));
}

/*
 * Whether a name of one is not in the other. The first word of a sentence may be a name: then both
 * must have one that the other lacks.
 */
static bool
names_differ(const struct beside *v)
{
	unsigned a = 0, b = 0, first_a = 0, first_b = 0;

	if (v->a->german || v->b->german)
		return false;
	for (size_t i = 0; i < v->a->n; i++) {
		a += v->in_b[i] < 0 && v->a->w[i].name;
		first_a += v->in_b[i] < 0 && v->a->w[i].first && v->a->w[i].content;
	}
	for (size_t j = 0; j < v->b->n; j++) {
		b += v->in_a[j] < 0 && v->b->w[j].name;
		first_b += v->in_a[j] < 0 && v->b->w[j].first && v->b->w[j].content;
	}
	return a > 0 || b > 0 || (first_a > 0 && first_b > 0);
}

/* Whether they speak of other times, or one of an end, a wish or a question and the other not. */
static bool
stances_apart(const struct beside *v)
{
	/* "sold" and "bought", "lent" and "borrowed" are two sides of one thing */
	const unsigned converse = v->n_turned % 2 != 0 ? STANCE_ENDED | STANCE_HAPPENED : 0;
	unsigned a = v->a->stance & ~converse, b = v->b->stance & ~converse;

	return stances_differ(a, b) || (v->past_a && (b & STANCE_PAST) == 0) ||
	    (v->past_b && (a & STANCE_PAST) == 0);
}

static double
frame(const struct beside *v)
{
	return (double)v->n_kept / (double)MAX(MAX(v->a->n, v->b->n), 1);
}

/*
 * Whether the second is the first with its ends exchanged: a phrase that may stand in front or
 * behind ("on Sundays") has moved, or the sides of an "is", which name the same.
 */
static bool
is_rearranged(const struct beside *v)
{
	size_t at[SAID_WORDS], n = 0, k = 0;
	bool seam = false;

	for (size_t i = 0; i < v->a->n; i++) {
		if (v->a->w[i].empty)
			continue;
		if (v->in_b[i] < 0)
			return false;
		at[n++] = i;
	}
	while (k + 1 < n && v->in_b[at[k]] < v->in_b[at[k + 1]])
		k++;
	if (n < 2 || ++k >= n || v->in_b[at[n - 1]] > v->in_b[at[0]])
		return false;
	for (size_t i = k; i + 1 < n; i++)
		if (v->in_b[at[i]] > v->in_b[at[i + 1]])
			return false;
	for (size_t i = at[k - 1]; i < at[k]; i++)
		seam |= (v->a->w[i].marks & SAID_COPULA) != 0;
	return v->a->w[at[0]].lead || v->a->w[at[k]].lead ||
	    (seam && (v->a->w[0].marks & SAID_ARTICLE) == 0);
}

/* Whether words with weight, such as "my", "to" and "than", stand in another order. */
static bool
is_disordered(const struct beside *v)
{
	for (size_t i = 0; i < v->a->n; i++)
		if (!v->a->w[i].empty && v->in_b[i] >= 0 && !v->kept_a[i])
			return true;
	return false;
}

static bool
has_weight(const struct said_word *w)
{
	return !w->empty && !w->person && !w->negates;
}

/*
 * Whether each has a word with weight that the other lacks: "to Oslo", "from Oslo", unless the
 * point of view is another.
 */
static bool
is_turned_about(const struct beside *v)
{
	unsigned a = 0, b = 0;

	for (size_t i = 0; i < v->a->n; i++)
		a += has_weight(&v->a->w[i]) && v->in_b[i] < 0;
	for (size_t j = 0; j < v->b->n; j++)
		b += has_weight(&v->b->w[j]) && v->in_a[j] < 0;
	return a > 0 && b > 0 && v->n_turned % 2 == 0;
}

/*
 * Who does what to whom: the same when neither the order nor the point of view is another, or both
 * are.
 */
static bool
order_differs(const struct beside *v)
{
	bool whole = v->only_a + v->only_b == 0;
	bool by = whole && v->a->passive != v->b->passive, turned = (v->n_turned + by) % 2 != 0;
	bool swapped = v->swapped || ((whole || turned) && stand_swapped(v, false));

	if (turned || swapped)
		return turned != swapped && !(whole && !turned && is_rearranged(v));
	return whole && is_disordered(v) && !is_rearranged(v);
}

static const char *
find_difference(const struct beside *v, struct likeness *out)
{
	unsigned negations = count_negations(v->a), others = count_negations(v->b);
	bool negated = (MAX(negations, others) - MIN(negations, others) + v->n_poles) % 2 != 0;
	unsigned a = v->only_a - (negated ? count_always(v->a, v->in_b) : 0);
	unsigned b = v->only_b - (negated ? count_always(v->b, v->in_a) : 0);
	unsigned least = MIN(a, b), most = MAX(a, b);
	const char *why = NULL;

	if (count_lacking(v->a, v->in_b, true) + count_lacking(v->b, v->in_a, true) > 0)
		why = "numbers";
	else if (count_lacking(v->a, v->in_b, false) + count_lacking(v->b, v->in_a, false) > 0)
		why = "identifiers";
	else if (names_differ(v))
		why = "names";
	else if (order_differs(v))
		why = "order";
	else if ((v->n_replaced > 0 && frame(v) >= FRAME_KEPT) || persons_differ(v) ||
	    (most == 0 && is_turned_about(v)))
		why = "words";
	else if (stances_apart(v))
		why = "time";
	else if (least == 0 && most > 0 && 5 * v->n_kept >= 4 * MIN(v->a->n, v->b->n))
		why = "part";
	else if (most > 0 && MIN(v->a->n, v->b->n) <= FEW_WORDS)
		why = "words";
	out->negated = negated;
	negated &= why == NULL || strcmp(why, "time") == 0;
	out->opposite = negated && most == 0;
	return negated ? "negations" : why;
}

/* ---- judging ---- */

void
likeness(const struct said *older, const struct said *newer, struct likeness *out)
{
	struct beside v;
	unsigned all;

	lay(&v, older, newer);
	*out = (struct likeness){ .dice = 0 };
	out->differs = find_difference(&v, out);
	all = v.only_a + v.only_b + 2 * v.n_shared;
	out->dice = all > 0 ? 2 * (double)v.n_shared / (double)all : 0;
	out->exchanged = v.n_replaced == 1 ? frame(&v) : 0;
	out->is_same = out->differs == NULL && out->dice >= SAME;
}
