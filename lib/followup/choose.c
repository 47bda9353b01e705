/*
 * choose.c: chooses among the words that a question may mean, by their probabilities and by two
 * rules. Where it asks for a person, one person is meant, and no other one. Where it asks for "the
 * second one" or "the other", one item of a list is meant ("A, B and C", "A or B", a list with
 * numbers or bullets), and none of its other items.
 */
#include "followup/followup_parts.h"

#define SURE      0.9f             /* what a rule says */
#define OF_GENDER 0.3f             /* for a person whose gender is known, and right */
/*
 * Factor on the probability of a day or month when a person or thing is meant: "Is he coming on
 * Tuesday?" "Did he call?"
 */
#define OF_A_DAY  0.3f
/* the least probability of a thing where a person and a thing are asked for */
#define BESIDE_PERSON 0.12f
#define THINGS    (CLASS(IT) | CLASS(THEY) | CLASS(PERSON))

#define ELSEWHERE 0.4f             /* factor for a word that was never said with the likeliest */

/*
 * The least probability of a word that is chosen; of one beside a chosen word; of the best of all,
 * when no word reaches the first. In a chat a wrong word does more harm.
 */
struct limits { float chosen, neighbour, best; };
static const struct limits limits[N_FOLLOWUP_KINDS] = { [FOLLOWUP_PLAIN] = { 0.29f, 0.2f, 0.12f },
	[FOLLOWUP_HAN] = { 0.25f, 1, 0.15f },
	[FOLLOWUP_CHAT] = { 0.455f, 0.15f, 0.25f } };

#define ONE_THING (CLASS(IT) | CLASS(THIS) | CLASS(THAT) | CLASS(THEY))
#define ITEMS      8
#define ITEM_WORDS 5
#define BESIDE_ITEM 0.6f           /* factor for what is no item, where one is asked for */
#define NAMED_WORDS 4              /* of an answer that only names a thing */
#define SKIPPED    3               /* words between a conjunction and its item */

struct item { size_t turn, from, to; };
struct list { struct item items[ITEMS]; size_t n; };

static bool
is_content(const struct conversation_word *w)
{
	return !(w->flags & CONVERSATION_STOP);
}

static bool
has_term(const struct conversation_turn *turn, size_t from, size_t to, uint32_t term)
{
	for (size_t k = from; k < to; k++)
		if (turn->words[k].term == term && is_content(&turn->words[k]))
			return true;
	return false;
}

/* ---- persons ---- */

static bool
is_human(const struct candidate *c)
{
	return c->x[TERM_HUMAN] > 0 || c->x[TERM_HUMAN_ELSE] > 0;
}

/* Whether both words stand in one run anywhere: "my teacher Mrs. Hall". */
static bool
one_name(const struct conversation *t, const struct candidate *a, const struct candidate *b)
{
	for (size_t i = 0; i + 1 < t->n; i++) {
		const struct conversation_turn *turn = &t->turns[i];
		uint16_t run = UINT16_MAX;

		for (size_t k = 0; k < turn->n; k++)
			if (is_content(&turn->words[k]) &&
			    (turn->words[k].term == a->term || turn->words[k].term == b->term)) {
				if (turn->words[k].run == run)
					return true;
				run = turn->words[k].run;
			}
	}
	return false;
}

/* Whether a comma stands before word k. */
static bool
has_comma(const struct conversation_turn *turn, size_t k)
{
	return k > 0 && turn->words[k].start > turn->words[k - 1].end &&
	    memchr(turn->text + turn->words[k - 1].end, ',',
		turn->words[k].start - turn->words[k - 1].end) != NULL;
}

/* The person whose name alone stands in the part of a sentence that word k is in; NULL: none. */
static const struct candidate *
person_beside(const struct conversation_turn *turn, size_t k, const struct candidate *c, size_t n)
{
	const struct candidate *found = NULL;
	size_t from = k, to = k + 1;

	while (from > 0 && !(turn->words[from].flags & CONVERSATION_FIRST) && !has_comma(turn, from))
		from--;
	while (to < turn->n && !(turn->words[to].flags & CONVERSATION_FIRST) && !has_comma(turn, to))
		to++;
	for (size_t i = 0; i < n; i++)
		if (is_human(&c[i]) && has_term(turn, from, to, c[i].term)) {
			if (found != NULL)
				return NULL;
			found = &c[i];
		}
	return found;
}

/* The person whom the question describes: "the florist", "the one from the hospital". */
static const struct candidate *
described(const struct conversation *t, const struct candidate *c, size_t n)
{
	const struct conversation_turn *q = &t->turns[t->n - 1];
	const struct candidate *found = NULL;

	for (size_t i = 1; i < q->n; i++) {
		if (!is_content(&q->words[i]) || !(q->words[i - 1].classes & CLASS(ARTICLE)) ||
		    (q->words[i].classes & (CLASS(LIGHT) | CLASSES_NAMES)))
			continue;
		for (size_t k = t->n - 1; k-- > 0 && found == NULL;)
			for (size_t m = 0; m < t->turns[k].n && found == NULL; m++)
				if (t->turns[k].words[m].term == q->words[i].term)
					found = person_beside(&t->turns[k], m, c, n);
	}
	return found;
}

static void
choose_person(const struct conversation *t, const struct lack *l, struct candidate *c, size_t n)
{
	const struct candidate *best = described(t, c, n);
	float most = best != NULL ? SURE + OF_GENDER : 0;

	for (size_t i = 0; i < n && (l->kinds & CLASS(PERSON)); i++) {
		float p = c[i].p + OF_GENDER * c[i].x[TERM_GENDER];

		if (is_human(&c[i]) && c[i].x[TERM_NO_GENDER] == 0 && p > most) {
			best = &c[i];
			most = p;
		}
	}
	if (best == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		if (is_human(&c[i]))
			c[i].p = &c[i] == best || one_name(t, best, &c[i]) ? MAX(c[i].p, SURE) : 0;
}

/* ---- answers ---- */

/* Whether a turn before the last answer has the word. */
static bool
was_said(const struct conversation *t, uint32_t term)
{
	for (size_t i = 0; i + 2 < t->n; i++)
		if (has_term(&t->turns[i], 0, t->turns[i].n, term))
			return true;
	return false;
}

/* An answer of nothing but a thing's name ("The sales tax.") says what is spoken of. */
static void
choose_answer(const struct conversation *t, struct candidate *c, size_t n)
{
	const struct conversation_turn *turn = &t->turns[t->n - 2];

	if (turn->role != CONVERSATION_OTHER || turn->n_runs != 1 || turn->asks ||
	    turn->n > NAMED_WORDS)
		return;
	for (size_t k = 0; k < turn->n; k++)
		if (turn->words[k].flags & CONVERSATION_NUMBER)
			return;
	for (size_t i = 0; i < n; i++)
		if (has_term(turn, 0, turn->n, c[i].term) && was_said(t, c[i].term) &&
		    c[i].x[TERM_LIGHT] == 0 &&
		    c[i].x[TERM_DAY] == 0 && c[i].x[TERM_VERB] == 0)
			c[i].p = MAX(c[i].p, SURE);
}

/* ---- places ---- */

/* The place that was named last is "there". */
static void
choose_place(const struct conversation *t, struct candidate *c, size_t n)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (c[i].x[TERM_AFTER_PLACE] > 0 && c[i].x[TERM_VERB] == 0 && !is_human(&c[i]) &&
		    (c[i].x[TERM_NAME] > 0 || c[i].x[TERM_HAN] > 0) &&
		    (best == n || c[i].turn > c[best].turn ||
			(c[i].turn == c[best].turn && c[i].word > c[best].word)))
			best = i;
	for (size_t i = 0; i < n && best < n; i++)
		if (i == best || ((c[i].x[TERM_NAME] > 0 || c[i].x[TERM_CAPITAL] > 0) &&
			one_name(t, &c[best], &c[i])))
			c[i].p = MAX(c[i].p, SURE);
		else if (c[i].x[TERM_AFTER_PLACE] > 0)
			c[i].p *= 0.5f;
}

/* ---- lists ---- */

/* Whether a sign that ends a phrase stands between word k and the one before it. */
static bool
broken(const struct conversation_turn *turn, size_t k)
{
	for (uint32_t i = turn->words[k - 1].end; i < turn->words[k].start; i++)
		if (strchr(".,;:?!\n", turn->text[i]) != NULL ||
		    (unsigned char)turn->text[i] >= 0xe3)
			return true;
	return false;
}

/* Whether word k can stand inside an item: "Scania in Lund", "the Pixel 8a". */
static bool
inside(const struct conversation_turn *turn, size_t k)
{
	const struct conversation_word *w = &turn->words[k];

	return is_content(w) ? !(w->classes & CLASS(VERB)) || w->flags & CONVERSATION_CAPITAL ||
		(k > 0 && (w[-1].classes & CLASS(ARTICLE)))        /* "the broken bell" */
			     : (w->classes & (CLASS(PLACE) | CLASS(ARTICLE))) != 0;
}

/* Cuts function words off both ends; false: nothing is left. */
static bool
trim(const struct conversation_turn *turn, struct item *it)
{
	while (it->from < it->to && !is_content(&turn->words[it->from]))
		it->from++;
	while (it->from < it->to && !is_content(&turn->words[it->to - 1]))
		it->to--;
	return it->from < it->to;
}

/* The item that ends before word k, or begins with it; false: there is none. */
static bool
item_before(const struct conversation *t, size_t turn, size_t k, struct item *it)
{
	const struct conversation_turn *at = &t->turns[turn];

	*it = (struct item){ turn, k, k };
	while (it->from > 0 && k - it->from < ITEM_WORDS + 1 && inside(at, it->from - 1) &&
	    (it->from == k || !broken(at, it->from))) {
		it->from--;
		if (at->words[it->from].classes & CLASS(ARTICLE))
			break;
	}
	return trim(at, it);
}

static bool
item_from(const struct conversation *t, size_t turn, size_t k, struct item *it)
{
	const struct conversation_turn *at = &t->turns[turn];

	/* over "stay with" in "the job at Novelis or stay with Brenner" */
	for (size_t n = 0; n < SKIPPED && k + 1 < at->n && !broken(at, k + 1) &&
	     !inside(at, k); n++)
		k++;
	*it = (struct item){ turn, k, k };
	while (it->to < at->n && it->to - k < ITEM_WORDS + 1 && inside(at, it->to) &&
	    (it->to == k || !broken(at, it->to)))
		it->to++;
	return trim(at, it);
}

/* The list around the conjunction at word k: "A, B and C". */
static void
read_joined(const struct conversation *t, size_t turn, size_t k, struct list *l)
{
	const struct conversation_turn *at = &t->turns[turn];
	struct item back[ITEMS];
	size_t n = 0;

	l->n = 0;
	while (n < ITEMS - 1 && item_before(t, turn, k, &back[n])) {
		bool comma = false;

		k = back[n++].from;
		/* over "the", and "then the" */
		while (k > 0 && !comma && !is_content(&at->words[k - 1]) &&
		    (at->words[k - 1].classes & (CLASS(ARTICLE) | CLASS(AND))))
			comma = has_comma(at, --k);
		if (k == 0 || !(comma || has_comma(at, k)))
			break;
	}
	while (n > 0)
		l->items[l->n++] = back[--n];
}

/* The list of lines with numbers or bullets that begins at word k. */
static void
read_lines(const struct conversation *t, size_t turn, size_t k, struct list *l)
{
	const struct conversation_turn *at = &t->turns[turn];

	for (l->n = 0; k < at->n && l->n < ITEMS; k++) {
		struct item *it = &l->items[l->n];

		if (!(at->words[k].flags & CONVERSATION_ITEM))
			continue;
		*it = (struct item){ turn, k, 0 };
		while (it->from < at->n && !is_content(&at->words[it->from]))
			it->from++;
		for (it->to = it->from; it->to < at->n && it->to < it->from + ITEM_WORDS &&
		     (it->to == it->from || at->words[it->to].run == at->words[it->to - 1].run);
		     it->to++)
			;
		l->n += trim(at, it);
	}
}

/* How often the words of an item are said in the talk; *newest: where last, higher is later. */
static size_t
mentions(const struct conversation *t, const struct item *it, size_t *newest)
{
	const struct conversation_turn *at = &t->turns[it->turn];
	size_t n = 0;

	*newest = 0;
	for (size_t i = 0; i + 1 < t->n; i++)
		for (size_t k = 0; k < t->turns[i].n; k++)
			if (has_term(at, it->from, it->to, t->turns[i].words[k].term)) {
				n++;
				*newest = (i << 16) + k;
			}
	return n;
}

/* Whether l begins as `from` does and has more items. */
static bool
goes_on(const struct list *from, const struct list *l)
{
	return l->n > from->n && from->items[0].turn == l->items[0].turn &&
	    from->items[0].from == l->items[0].from;
}

/* Finds the list that is talked about most; of equal ones the newest. */
static bool
find_list(const struct conversation *t, struct list *best)
{
	struct list l;
	size_t most = 0, newest;

	*best = (struct list){ .n = ITEMS };
	for (size_t i = 0; i + 1 < t->n; i++)
		for (size_t k = 0; k < t->turns[i].n; k++) {
			const struct conversation_word *w = &t->turns[i].words[k];
			bool line = (w->flags & CONVERSATION_ITEM) != 0;
			size_t n = line ? 100 : 0, least = SIZE_MAX;

			if (line)
				read_lines(t, i, k, &l);
			else if ((w->classes & CLASS(AND)) && k > 0) {
				read_joined(t, i, k, &l);
				l.n += l.n > 0 && item_from(t, i, k + 1, &l.items[l.n]);
			} else
				continue;
			for (size_t j = 0; j < l.n; j++)
				least = MIN(least, mentions(t, &l.items[j], &newest));
			n += least;
			if (l.n >= 2 && (n >= most || goes_on(best, &l))) {
				most = MAX(most, n);
				*best = l;
			}
			if (line)
				break;
		}
	return most > 0;
}

/* Whether the question asks for "the other one", and not for "other interesting things". */
static bool
asks_other(const struct conversation_turn *q, const struct lack *l)
{
	for (size_t i = 0; i < l->n; i++) {
		size_t k = l->found[i].word;

		if (l->found[i].kind == CLASS_OTHER &&
		    ((q->words[k].flags & CONVERSATION_HAN) ||
			(k > 0 && (q->words[k - 1].classes & CLASS(ARTICLE)) &&
			    (k + 1 == q->n || !is_content(&q->words[k + 1]) ||
				(q->words[k + 1].classes & CLASS(ONE))))))
			return true;
	}
	return false;
}

/* Which item the question asks for, from 1; 0: none. */
static size_t
wanted_item(const struct conversation *t, const struct lack *l, const struct list *list)
{
	const struct conversation_turn *q = &t->turns[t->n - 1];
	size_t oldest = SIZE_MAX, found = 0, named = 0, n_named = 0;

	for (size_t i = 0; i < l->n; i++) {
		classes c = q->words[l->found[i].word].classes;

		for (size_t k = 0; k < 5; k++)
			if (c & (CLASS(ITEM_1) << k))
				return k < list->n ? k + 1 : 0;
		if (c & CLASS(ITEM_LAST))
			return list->n;
	}
	/* "the second one": an article or number before the pronoun */
	for (size_t i = 1; i < q->n; i++)
		for (size_t k = 0; k < 6; k++)
			if ((q->words[i - 1].classes & (CLASS(ITEM_1) << k)) &&
			    (q->words[i].classes & CLASS(ONE)))
				return k == 5 ? list->n : k < list->n ? k + 1 : 0;
	/* "the startup" is in one item only */
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < q->n; k++)
			if (is_content(&q->words[k]) && !(q->words[k].classes & CLASS(LIGHT)) &&
			    has_term(&t->turns[list->items[i].turn], list->items[i].from,
				list->items[i].to, q->words[k].term))
				n_named++, named = i + 1;
	if (!asks_other(q, l))
		return n_named == 1 && l->chat ? named : 0;
	if (list->n != 2)
		return 0;
	/* "the other one" is the one that was not spoken of last */
	for (size_t i = 0; i < list->n; i++) {
		size_t newest;

		mentions(t, &list->items[i], &newest);
		if (newest < oldest) {
			oldest = newest;
			found = i + 1;
		}
	}
	return found;
}

static void
choose_item(const struct conversation *t, const struct lack *l, struct candidate *c, size_t n,
	uint8_t *what)
{
	struct list list;
	size_t wanted;

	wanted = find_list(t, &list) ? wanted_item(t, l, &list) : 0;
	for (size_t i = 0; i < n && wanted > 0; i++)
		c[i].p *= BESIDE_ITEM;
	for (size_t i = 0; i < n && wanted > 0; i++)
		for (size_t k = 0; k < list.n; k++) {
			const struct item *it = &list.items[k];

			if (!has_term(&t->turns[it->turn], it->from, it->to, c[i].term))
				continue;
			c[i].p = k + 1 == wanted ? MAX(c[i].p, SURE) : 0;
			if (k + 1 == wanted) {
				what[c[i].term] |= CHOSEN_ITEM;
				break;
			}
		}
}

/* ---- words ---- */

/* Whether both words are in one sentence anywhere in the talk. */
static bool
one_sentence(const struct conversation *t, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i + 1 < t->n; i++) {
		const struct conversation_turn *turn = &t->turns[i];
		bool has_a = false, has_b = false;

		for (size_t k = 0; k < turn->n; k++) {
			if (turn->words[k].flags & CONVERSATION_FIRST)
				has_a = has_b = false;
			has_a |= turn->words[k].term == a;
			has_b |= turn->words[k].term == b;
			if (has_a && has_b)
				return true;
		}
	}
	return false;
}

/*
 * In a chat about many things, what is meant beside the likeliest word was said in a sentence with
 * it; others belong to other topics.
 */
static void
keep_to_topic(const struct conversation *t, const struct lack *l, struct candidate *c, size_t n)
{
	for (size_t i = 1; i < n && l->chat; i++)
		if (c[i].p < SURE && !one_sentence(t, c[0].term, c[i].term))
			c[i].p *= ELSEWHERE;
}

static int
by_p(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	return (a->p < b->p) - (a->p > b->p);
}

static bool
beside_chosen(const struct conversation *t, const struct candidate *c, const float *p)
{
	const struct conversation_turn *turn = &t->turns[c->turn];

	for (size_t k = c->word > 0 ? c->word - 1u : 0; k < turn->n && k <= c->word + 1u; k++)
		if (k != c->word && turn->words[k].run == turn->words[c->word].run &&
		    is_content(&turn->words[k]) && p[turn->words[k].term] > 0)
			return true;
	return false;
}

void
antecedents_choose(const struct conversation *t, const struct lack *l, struct candidate *c,
	size_t n, float *p, uint8_t *what)
{
	const struct limits *least = &limits[l->kind];
	size_t n_chosen = 0;

	for (size_t i = 0; i < n; i++)
		what[c[i].term] = (uint8_t)((is_human(&c[i]) ? CHOSEN_HUMAN : 0) |
		    (c[i].x[TERM_AFTER_PLACE] > 0 ? CHOSEN_PLACE : 0));

	if (l->chat || (l->kinds & CLASS(PERSON)))
		choose_person(t, l, c, n);
	if (l->kinds & (THINGS | CLASS(THIS) | CLASS(THAT)))
		choose_answer(t, c, n);
	if (l->kinds & CLASS(THERE))
		choose_place(t, c, n);
	choose_item(t, l, c, n, what);
	for (size_t i = 0; i < n && (l->kinds & THINGS); i++)
		if (c[i].x[TERM_DAY] > 0)
			c[i].p *= OF_A_DAY;
	qsort(c, n, sizeof(*c), by_p);
	keep_to_topic(t, l, c, n);
	qsort(c, n, sizeof(*c), by_p);
	/* a person and a thing, where both are asked for */
	for (size_t i = 1; i < n && (l->kinds & CLASS(PERSON)) && (l->kinds & ONE_THING); i++)
		if (!is_human(&c[i]) && c[i].p >= BESIDE_PERSON) {
			c[i].p = MAX(c[i].p, least->chosen);
			break;
		}
	qsort(c, n, sizeof(*c), by_p);
	if (n > 0 && c[0].p >= least->best) {
		p[c[0].term] = c[0].p;
		n_chosen = 1;
	}
	for (size_t i = n_chosen; i < n && n_chosen < FOLLOWUP_WORDS && c[i].p >= least->chosen;
	     i++)
		p[c[i].term] = c[n_chosen++].p;
	for (size_t i = n_chosen;
	     i < n && n_chosen < FOLLOWUP_WORDS && c[i].p >= least->neighbour; i++)
		if (p[c[i].term] == 0 && beside_chosen(t, &c[i], p)) {
			p[c[i].term] = c[i].p;
			n_chosen++;
		}
}
