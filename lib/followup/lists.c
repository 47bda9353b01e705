/*
 * lists.c: reads lists that were said ("A, B and C", "A or B", "first A, then B", lines with
 * numbers or bullets), and tells which item a question asks for: "the second one", "the other".
 */
#include "followup/followup_parts.h"

#define ITEMS      FOLLOWUP_ITEMS
#define ITEM_WORDS 5
#define SKIPPED    3               /* words between a conjunction and its item */

/* Whether a comma stands before word k. */
bool
conversation_comma(const struct conversation_turn *turn, size_t k)
{
	return k > 0 && turn->words[k].start > turn->words[k - 1].end &&
	    memchr(turn->text + turn->words[k - 1].end, ',',
		turn->words[k].start - turn->words[k - 1].end) != NULL;
}

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

	if (!word_is_content(w))
		return (w->classes & (CLASS(PLACE) | CLASS(DETERMINER))) != 0;
	return !(w->classes & CLASS(VERB)) || w->flags & CONVERSATION_CAPITAL ||
	    (k > 0 && (w[-1].classes & CLASS(DETERMINER)));           /* "the broken bell" */
}

/* Cuts function words off both ends; false: nothing is left. */
static bool
trim(const struct conversation_turn *turn, struct followup_item *it)
{
	while (it->from < it->to && !word_is_content(&turn->words[it->from]))
		it->from++;
	while (it->from < it->to && !word_is_content(&turn->words[it->to - 1]))
		it->to--;
	return it->from < it->to;
}

/* The item that ends before word k, or begins with it; false: there is none. */
static bool
item_before(const struct conversation *t, size_t turn, size_t k, struct followup_item *it)
{
	const struct conversation_turn *at = &t->turns[turn];

	*it = (struct followup_item){ turn, k, k };
	while (it->from > 0 && k - it->from < ITEM_WORDS + 1 && inside(at, it->from - 1) &&
	    (it->from == k || !broken(at, it->from))) {
		it->from--;
		if (at->words[it->from].classes & CLASS(DETERMINER))
			break;
	}
	return trim(at, it);
}

static bool
item_from(const struct conversation *t, size_t turn, size_t k, struct followup_item *it)
{
	const struct conversation_turn *at = &t->turns[turn];

	/* over "stay with" in "the job at Novelis or stay with Brenner" */
	for (size_t n = 0; n < SKIPPED && k + 1 < at->n && !broken(at, k + 1) &&
	     !inside(at, k); n++)
		k++;
	*it = (struct followup_item){ turn, k, k };
	while (it->to < at->n && it->to - k < ITEM_WORDS + 1 && inside(at, it->to) &&
	    (it->to == k || !broken(at, it->to)))
		it->to++;
	return trim(at, it);
}

/* The list around the conjunction at word k: "A, B and C". */
static void
read_joined(const struct conversation *t, size_t turn, size_t k, struct followup_list *l)
{
	const struct conversation_turn *at = &t->turns[turn];
	struct followup_item back[ITEMS];
	size_t n = 0;

	l->n = 0;
	while (n < ITEMS - 1 && item_before(t, turn, k, &back[n])) {
		bool comma = false;

		k = back[n++].from;
		/* over "the", and "then the" */
		while (k > 0 && !comma && !word_is_content(&at->words[k - 1]) &&
		    (at->words[k - 1].classes & (CLASS(DETERMINER) | CLASS(AND))))
			comma = conversation_comma(at, --k);
		if (k == 0 || !(comma || conversation_comma(at, k)))
			break;
	}
	while (n > 0)
		l->items[l->n++] = back[--n];
}

/* The list of lines with numbers or bullets that begins at word k. */
static void
read_lines(const struct conversation *t, size_t turn, size_t k, struct followup_list *l)
{
	const struct conversation_turn *at = &t->turns[turn];

	for (l->n = 0; k < at->n && l->n < ITEMS; k++) {
		struct followup_item *it = &l->items[l->n];

		if (!(at->words[k].flags & CONVERSATION_ITEM))
			continue;
		*it = (struct followup_item){ turn, k, 0 };
		while (it->from < at->n && !word_is_content(&at->words[it->from]))
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
mentions(const struct conversation *t, const struct followup_item *it, size_t *newest)
{
	const struct conversation_turn *at = &t->turns[it->turn];
	size_t n = 0;

	*newest = 0;
	for (size_t i = 0; i + 1 < t->n; i++)
		for (size_t k = 0; k < t->turns[i].n; k++)
			if (turn_has_term(at, it->from, it->to, t->turns[i].words[k].term)) {
				n++;
				*newest = (i << 16) + k;
			}
	return n;
}

/* Whether l begins as `from` does and has more items. */
static bool
goes_on(const struct followup_list *from, const struct followup_list *l)
{
	return l->n > from->n && from->items[0].turn == l->items[0].turn &&
	    from->items[0].from == l->items[0].from;
}

/* Finds the list that is talked about most; of equal ones the newest. */
static bool
find_list(const struct conversation *t, struct followup_list *best)
{
	struct followup_list l;
	size_t most = 0, newest;

	*best = (struct followup_list){ .n = ITEMS };
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

		if (l->found[i].kind == LEX_OTHER &&
		    ((q->words[k].flags & CONVERSATION_HAN) ||
			(k > 0 && (q->words[k - 1].classes & CLASS(DETERMINER)) &&
			    (k + 1 == q->n || !word_is_content(&q->words[k + 1]) ||
				(q->words[k + 1].classes & CLASS(ONE))))))
			return true;
	}
	return false;
}

/* Which item the question asks for, from 1; 0: none. */
static size_t
wanted_item(const struct conversation *t, const struct lack *l, const struct followup_list *list)
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
			if (word_is_content(&q->words[k]) &&
			    !(q->words[k].classes & CLASS(LIGHT)) &&
			    turn_has_term(&t->turns[list->items[i].turn], list->items[i].from,
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

size_t
lists_wanted(const struct conversation *t, const struct lack *l, struct followup_list *list)
{
	return find_list(t, list) ? wanted_item(t, l, list) : 0;
}
