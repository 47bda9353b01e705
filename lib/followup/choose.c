/*
 * choose.c: chooses among the words that a question may mean, by their probabilities and by two
 * rules. Where it asks for a person, one person is meant, and no other one. Where it asks for "the
 * second one" or "the other", one item of a list is meant (lists.c), and none of its other items.
 */
#include "followup/followup_parts.h"
#include "base/order.h"

#define SURE      0.9f             /* what a rule says */
#define OF_GENDER 0.3f             /* for a person whose gender is known, and right */
/* the least probability of a thing where a person and a thing are asked for */
#define BESIDE_PERSON 0.12f

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
#define BESIDE_ITEM 0.6f           /* factor for what is no item, where one is asked for */

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
			if (word_is_content(&turn->words[k]) &&
			    (turn->words[k].term == a->term || turn->words[k].term == b->term)) {
				if (turn->words[k].run == run)
					return true;
				run = turn->words[k].run;
			}
	}
	return false;
}

/* The person whose name alone stands in the part of a sentence that word k is in; NULL: none. */
static const struct candidate *
person_beside(const struct conversation_turn *turn, size_t k, const struct candidate *c, size_t n)
{
	const struct candidate *found = NULL;
	size_t from = k, to = k + 1;

	while (from > 0 && !(turn->words[from].flags & CONVERSATION_FIRST) &&
	    !conversation_comma(turn, from))
		from--;
	while (to < turn->n && !(turn->words[to].flags & CONVERSATION_FIRST) &&
	    !conversation_comma(turn, to))
		to++;
	for (size_t i = 0; i < n; i++)
		if (is_human(&c[i]) && turn_has_term(turn, from, to, c[i].term)) {
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
		if (!word_is_content(&q->words[i]) ||
		    !(q->words[i - 1].classes & CLASS(DETERMINER)) ||
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

/* ---- items of a list ---- */

static void
choose_item(const struct conversation *t, const struct lack *l, struct candidate *c, size_t n,
	uint8_t *what)
{
	struct followup_list list;
	size_t wanted = lists_wanted(t, l, &list);

	for (size_t i = 0; i < n && wanted > 0; i++)
		c[i].p *= BESIDE_ITEM;
	for (size_t i = 0; i < n && wanted > 0; i++)
		for (size_t k = 0; k < list.n; k++) {
			const struct followup_item *it = &list.items[k];

			if (!turn_has_term(&t->turns[it->turn], it->from, it->to, c[i].term))
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

ORDER_OF(by_p, struct candidate, -ORDER_UP(p))

static bool
beside_chosen(const struct conversation *t, const struct candidate *c, const float *p)
{
	const struct conversation_turn *turn = &t->turns[c->turn];

	for (size_t k = c->word > 0 ? c->word - 1u : 0; k < turn->n && k <= c->word + 1u; k++)
		if (k != c->word && turn->words[k].run == turn->words[c->word].run &&
		    word_is_content(&turn->words[k]) && p[turn->words[k].term] > 0)
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
	if (l->kinds & CLASS(THERE))
		choose_place(t, c, n);
	choose_item(t, l, c, n, what);
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
