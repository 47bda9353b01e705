/*
 * ellipsis.c: "and in Boston?", "what about spinach?", 那杭州呢: a question before is asked again
 * with another phrase in it. Of the phrases of that question, the one is replaced that is most like
 * the new one: behind the same preposition, a name where there is a name, a day where there is a
 * day. A phrase with a preposition that has no like goes to the end.
 */
#include "followup/followup_parts.h"

#define MOST_WORDS 5               /* of the new phrase */
/*
 * The least likeness of a phrase that is replaced: in a question, and in what tells something
 * ("I want a Thai restaurant in the north").
 */
#define ALIKE      1
#define VERY_ALIKE 4
#define MOST_BACK  3               /* turns of the user that are looked at */

struct phrase_place {
	const struct conversation_word *preposition, *article;     /* NULL: none */
	size_t from, to;           /* with the article, without the preposition */
	size_t head;               /* its last content word */
};

static bool
same_text(const struct conversation_turn *a, const struct conversation_word *wa,
	const struct conversation_turn *b, const struct conversation_word *wb)
{
	size_t len = wa->end - wa->start;

	return len == wb->end - wb->start &&
	    memcmp(a->text + wa->start, b->text + wb->start, len) == 0;
}

static bool
is_preposition(const struct conversation_turn *turn, const struct conversation_word *w)
{
	return !word_is_content(w) &&
	    ((w->classes & CLASS(PLACE)) || conversation_is(turn, w, LEX_PHRASE_PREPOSITION));
}

/* Returns the word behind "and", "what about", "und was ist mit"; 0: there is none. */
static size_t
behind_opener(const struct conversation_turn *q)
{
	size_t k = 0, end;

	while (k < q->n && (q->words[k].classes & CLASS(JOIN)))
		k++;
	end = conversation_begins(q, k, LEX_ABOUT_PHRASE);
	while (k < q->n && q->words[k].start < end)
		k++;
	return k;
}

/* Whether a sign that ends a phrase stands between word k and the one before it. */
static bool
broken(const struct conversation_turn *turn, size_t k)
{
	for (uint32_t i = turn->words[k - 1].end; i < turn->words[k].start; i++)
		if (strchr(",;:?!\n", turn->text[i]) != NULL ||
		    (unsigned char)turn->text[i] >= 0xe3)
			return true;
	return (turn->words[k].flags & CONVERSATION_FIRST) != 0;
}

/* Reads the new phrase: a preposition, an article and content words, and nothing else. */
static bool
read_new(const struct conversation_turn *q, const struct lack *l, struct phrase_place *x)
{
	size_t from = behind_opener(q), to = q->n, k;

	if (to > from && conversation_is(q, &q->words[to - 1], LEX_PHRASE_LAST))
		to--;
	else if (l->han)
		return false;
	if ((from == 0 && !l->han) || to <= from || to - from > MOST_WORDS)
		return false;
	*x = (struct phrase_place){ .to = to, .head = to - 1 };
	for (k = from + 1; k < q->n; k++)
		if (broken(q, k) && k < to)
			return false;
	k = from;
	if (k < to && is_preposition(q, &q->words[k]))
		x->preposition = &q->words[k++];
	x->from = k;
	if (k < to && !word_is_content(&q->words[k]) && (q->words[k].classes & CLASS(DETERMINER)))
		x->article = &q->words[k++];
	if (k == to)
		return false;
	for (; k < to; k++)
		if (!word_is_content(&q->words[k]) ||
		    ((q->words[k].classes & CLASS(VERB)) &&
			!(q->words[k].flags & CONVERSATION_CAPITAL)))
			return false;
	for (size_t i = 0; i < l->n; i++)
		if (l->found[i].word >= from && l->found[i].word < to)
			return false;
	return true;
}

/*
 * Reads the phrase of `turn` that begins with the content word k; false: it is none that can be
 * replaced. Behind a name only the noun `head` is of it: "Thai food", but not "Louvre open".
 */
static bool
read_old(const struct conversation_turn *turn, size_t k, uint32_t head, struct phrase_place *x)
{
	const struct conversation_word *w = turn->words;
	size_t to = k + 1, from = k;

	*x = (struct phrase_place){ .to = to };
	if (!(w[k].flags & CONVERSATION_CAPITAL) &&
	    ((w[k].classes & CLASS(VERB)) ||
		(to < turn->n && w[to].run == w[k].run && (w[to].flags & CONVERSATION_CAPITAL))))
		return false;
	while (to < turn->n && w[to].run == w[k].run && word_is_content(&w[to]) &&
	    !broken(turn, to) &&
	    ((w[to].flags & (CONVERSATION_LATIN_CAPITAL | CONVERSATION_NUMBER)) ||
		!(w[k].flags & CONVERSATION_CAPITAL) || w[to].term == head))
		to++;
	if (from > 0 && !word_is_content(&w[from - 1]) && (w[from - 1].classes & CLASS(DETERMINER)))
		from--;
	x->from = from;
	x->article = from < k ? &w[from] : NULL;
	if (from > 0 && is_preposition(turn, &w[from - 1]))
		x->preposition = &w[from - 1];
	/* in "what does a ship burn" the verb stands behind */
	if (to - k > 1 && from > 0 && conversation_is(turn, &w[from - 1], LEX_DOES))
		to--;
	while (to - k > 1 && !(w[to - 1].flags & CONVERSATION_HAN) &&
	    (w[to - 1].classes & (CLASS(VERB) | CLASS(LIGHT))))
		to--;
	x->to = to;
	x->head = to - 1;
	return true;
}

/* What a word is, so that another of its sort can stand in its place. */
static int
sort_of(const struct conversation_turn *turn, size_t k)
{
	const struct conversation_word *w = &turn->words[k];

	return (w->classes & CLASS(A_DAY)) || (w->flags & CONVERSATION_NUMBER) ? 1
	    : (w->flags & CONVERSATION_CAPITAL) && !turn->german	     ? 2
									     : 0;
}

static int
likeness(const struct conversation_turn *q, const struct phrase_place *x,
	const struct conversation_turn *turn, const struct phrase_place *y)
{
	const struct conversation_word *of = x->preposition, *old = y->preposition;
	int sum = 0;

	if (of != NULL)
		sum += old != NULL && same_text(q, of, turn, old) ? 3 : -4;
	else
		sum += old == NULL;
	if (q->words[x->head].term == turn->words[y->head].term)
		sum += 3;
	sum += sort_of(q, x->head) == sort_of(turn, y->head) ? 1 + sort_of(turn, y->head) : -2;
	sum += x->article != NULL && y->article != NULL;
	if (y->from > 0 && conversation_is(turn, &turn->words[y->from - 1], LEX_ASKED_NOUN))
		sum -= 3;
	return sum;
}

/* Finds the phrase of the turn that is most like x, and at least so like; empty: there is none. */
static int
find_like(const struct conversation_turn *q, const struct phrase_place *x,
	const struct conversation_turn *turn, int least, struct phrase_place *found)
{
	int best = least - 1;

	*found = (struct phrase_place){ .from = turn->n, .to = turn->n };
	for (size_t k = 0; k < turn->n; k++) {
		struct phrase_place y;

		if (!word_is_content(&turn->words[k]) ||
		    !read_old(turn, k, q->words[x->head].term, &y))
			continue;
		int n = likeness(q, x, turn, &y);
		if (n > best) {
			best = n;
			*found = y;
		}
		k = y.to - 1;
	}
	return best;
}

/* Whether the turn itself means something that was said before it. */
static bool
points_back(const struct conversation_turn *turn)
{
	struct reference found[REFERENCES];
	bool points = false;

	for (size_t n = references_find(turn, found); n > 0; n--)
		points |= found[n - 1].kind <= LEX_THERE;
	return points;
}

bool
ellipsis_find(const struct conversation *t, const struct lack *l, struct ellipsis *e)
{
	const struct conversation_turn *q = &t->turns[t->n - 1], *last = NULL;
	struct phrase_place x, y;
	size_t n_asked = 0;

	if (!read_new(q, l, &x))
		return false;
	*e = (struct ellipsis){ .new_from = x.from, .new_to = x.to };
	for (size_t i = t->n - 1; i-- > 0 && n_asked < MOST_BACK; ) {
		const struct conversation_turn *turn = &t->turns[i];

		if (turn->role != CONVERSATION_USER)
			continue;
		n_asked++;
		if (points_back(turn))
			continue;
		int n = find_like(q, &x, turn, n_asked == 1 && turn->asks ? ALIKE : VERY_ALIKE, &y);
		if (y.from < y.to && (n >= VERY_ALIKE || last == NULL)) {
			e->turn = i;
			e->from = y.from;
			e->to = y.to;
			e->new_from = x.from;
			last = turn;
		}
		if (y.from < y.to && n >= VERY_ALIKE)
			return true;
		if (last == NULL && turn->asks) {
			e->turn = i;
			e->from = e->to = turn->n;
			e->new_from = x.from - (x.preposition != NULL);
			last = turn;
		}
	}
	return last != NULL && (e->to > e->from || (x.preposition != NULL && !l->han));
}
