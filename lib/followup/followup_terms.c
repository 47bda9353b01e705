/*
 * followup_terms.c: chooses the words of the conversation that belong into a question that leaves
 * something out. Each content word that the question lacks is a candidate; a logistic regression on
 * where and how often it was said, its form and what the question lacks gives its probability.
 */

#include "followup/followup_parts.h"

#include "math/real.h"

/* Turn numbers that features refer to. */
struct parts {
	int last, before, first;   /* questions; -1: there is none */
	int topic;                 /* the last question that was complete */
	int answer;                /* the last turn, when it is an answer */
	int first_answer;
	float n_questions, n_answers;
};

static void
find_parts(const struct conversation *t, struct parts *p)
{
	size_t n = t->n - 1;

	*p = (struct parts){ -1, -1, -1, -1, -1, -1, 0, 0 };
	for (size_t i = 0; i < n; i++) {
		p->n_answers += t->turns[i].role == CONVERSATION_OTHER;
		if (t->turns[i].role == CONVERSATION_OTHER && p->first_answer < 0)
			p->first_answer = (int)i;
		if (t->turns[i].role != CONVERSATION_USER)
			continue;
		p->n_questions++;
		p->before = p->last;
		p->last = (int)i;
		if (p->first < 0)
			p->first = (int)i;
		if (t->turns[i].need < 0.5f)
			p->topic = (int)i;
	}
	if (n > 0 && t->turns[n - 1].role == CONVERSATION_OTHER)
		p->answer = (int)n - 1;
}

static bool
ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n + 1 && memcmp(text + len - n, end, n) == 0;
}

static bool
is_word(const struct conversation_turn *turn, const struct conversation_word *w,
	const char *const *words)
{
	for (; *words != NULL; words++) {
		size_t n = strlen(*words), i = 0;
		while (i < n && w->start + i < w->end &&
		    (turn->text[w->start + i] | 0x20) == (*words)[i])
			i++;
		if (i == n && w->end - w->start == n)
			return true;
	}
	return false;
}

static bool
in_question(const struct conversation_turn *q, uint32_t term)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->words[i].term == term)
			return true;
	return false;
}

/* Sets the features of one place where the word was said. */
static void
look_at_place(const struct conversation *t, const struct parts *p, size_t turn, size_t word,
	float x[N_TERM_FEATURES])
{
	static const char *const of[] = { "of", "about", "for", "in", NULL },
				 *const the[] = { "the", NULL }, *const a[] = { "a", "an", NULL },
				 *const be[] = { "is", "are", "was", "were", "do", "does", "did",
					 "has", "have", "can", NULL };
	const struct conversation_turn *at = &t->turns[turn], *q = &t->turns[t->n - 1];
	const struct conversation_word *w = &at->words[word];
	size_t from = word, to = word + 1;
	int i = (int)turn;

	while (from > 0 && at->words[from - 1].run == w->run &&
	    !(at->words[from - 1].flags & CONVERSATION_STOP))
		from--;
	while (
	    to < at->n && at->words[to].run == w->run && !(at->words[to].flags & CONVERSATION_STOP))
		to++;
	for (size_t k = from; k < to; k++)
		if (k != word && in_question(q, at->words[k].term))
			x[TERM_BESIDE] = 1;
	if (w->flags & CONVERSATION_CAPITAL)
		x[TERM_CAPITAL] = 1;
	if (i == p->answer) {
		x[TERM_ANSWER] = 1;
		if (word < 8)
			x[TERM_ANSWER_EARLY] = 1;
		if (w->flags & CONVERSATION_CAPITAL)
			x[TERM_ANSWER_CAPITAL] = 1;
		if (at->n <= 8)
			x[TERM_ANSWER_SHORT] = 1;
	}
	if (i == p->first_answer)
		x[TERM_FIRST_ANSWER] = 1;
	if (at->role == CONVERSATION_OTHER)
		return;
	if (at->role == CONVERSATION_TITLE) {
		x[i == 0 ? TERM_TITLE : TERM_SECTION] = 1;
		return;
	}
	if (i == p->last)
		x[TERM_LAST] = 1;
	if (i == p->before)
		x[TERM_BEFORE] = 1;
	if (i == p->first)
		x[TERM_FIRST] = 1;
	if (i == p->topic)
		x[TERM_TOPIC] = 1;
	if (to == word + 1)
		x[TERM_HEAD] = 1;
	x[TERM_ALONE] = to - from == 1;
	x[TERM_RUN3] = to - from >= 3;
	if (from > 0) {
		x[TERM_AFTER_OF] = is_word(at, &at->words[from - 1], of);
		x[TERM_AFTER_THE] = is_word(at, &at->words[from - 1], the);
		x[TERM_AFTER_A] = is_word(at, &at->words[from - 1], a);
		x[TERM_AFTER_BE] = is_word(at, &at->words[from - 1], be);
	}
	x[TERM_START] = word == 0;
	x[TERM_END] = word + 1 == at->n;
	x[TERM_RIVALS] = real_logf(1 + (float)at->n_content);
}

/* Sets the features of the word's own form. */
static void
look_at_term(const struct conversation_term *term, const struct conversation_word *w,
	float x[N_TERM_FEATURES], const struct conversation_turn *turn)
{
	const char *text = turn->text + w->start;
	size_t len = w->end - w->start;

	x[TERM_BIAS] = 1;
	x[TERM_LIGHT] = (w->flags & CONVERSATION_LIGHT) != 0;
	x[TERM_NUMBER] = (w->flags & CONVERSATION_NUMBER) != 0;
	if (w->flags & CONVERSATION_HAN) {
		x[TERM_HAN_SHORT] = term->len <= 3;
		x[TERM_HAN_LONG] = term->len >= 12;
		return;
	}
	x[TERM_ING] = ends_with(text, len, "ing");
	x[TERM_ED] = ends_with(text, len, "ed");
	x[TERM_PLURAL] = ends_with(text, len, "s") && !ends_with(text, len, "ss");
	x[TERM_ADVERB] = ends_with(text, len, "ly");
	x[TERM_SHORT] = len <= 3;
	x[TERM_LONG] = len >= 8;
}

/*
 * The class of what the question leaves out, in this order: a person; several things; one thing; a
 * place or one of several things; nearly everything; something else.
 */
static unsigned
lack_class(const struct conversation *t, const struct lack *l)
{
	static const unsigned kinds[] = { 1u << AMBIGUITY_PERSON, 1u << AMBIGUITY_THEY,
		1u << AMBIGUITY_IT | 1u << AMBIGUITY_THIS | 1u << AMBIGUITY_THAT,
		1u << AMBIGUITY_ONE | 1u << AMBIGUITY_THERE | 1u << AMBIGUITY_SAME |
		    1u << AMBIGUITY_OTHER | 1u << AMBIGUITY_BOTH };

	for (unsigned i = 0; i < NELEM(kinds); i++)
		if (l->kinds & kinds[i])
			return i;
	return t->turns[t->n - 1].n_content <= 1 ? 4 : 5;
}

static void
set_pair_features(const struct conversation *t, const struct lack *l, float x[N_TERM_FEATURES])
{
	static const uint8_t placed[TERM_PLACES] = { TERM_TOPIC, TERM_LAST, TERM_ANSWER, TERM_FIRST,
		TERM_TITLE, TERM_CAPITAL };
	unsigned lack = lack_class(t, l);

	for (size_t i = 0; i < TERM_PLACES; i++)
		x[TERM_PLACED + lack * TERM_PLACES + i] = x[placed[i]];
	x[TERM_PLURAL_THEY] = lack == 1 && x[TERM_PLURAL] > 0;
	x[TERM_SINGULAR_IT] = lack == 2 && x[TERM_PLURAL] == 0;
	x[TERM_CAPITAL_PERSON] = lack == 0 && x[TERM_CAPITAL] > 0;
	x[TERM_CAPITAL_REST] = lack != 0 && x[TERM_CAPITAL] > 0;
}

/* Sets the features of words in a long answer that is the last turn. */
static void
look_at_long(const struct conversation *t, uint32_t *seen, const uint32_t *asked,
	const uint32_t *answered, struct candidate *list, struct arena *a)
{
	enum { NEAR = 8 };
	const struct conversation_turn *at = &t->turns[t->n - 2], *q = &t->turns[t->n - 1];
	uint32_t *times = arena_zalloc(a, (t->n_terms + 1) * sizeof(*times)), most = 0;
	size_t first = 1, last = at->n;

	while (first < at->n && !(at->words[first].flags & CONVERSATION_FIRST))
		first++;
	while (last > 1 && !(at->words[last - 1].flags & CONVERSATION_FIRST))
		last--;
	for (size_t k = 0; k < at->n; k++)
		if (seen[at->words[k].term] != 0) {
			times[at->words[k].term]++;
			most = MAX(most, times[at->words[k].term]);
		}
	for (size_t k = 0; k < at->n; k++) {
		const struct conversation_word *w = &at->words[k];
		float *x;

		if (seen[w->term] == 0)
			continue;
		x = list[seen[w->term] - 1].x;
		x[TERM_LONG_TIMES] = real_logf((float)times[w->term]);
		x[TERM_LONG_MOST] = most > 1 && times[w->term] == most;
		x[TERM_LONG_ASKED] = asked[w->term] > 0;
		x[TERM_LONG_ANSWERED] = answered[w->term] > 1;
		if (k < first)
			x[TERM_LONG_OPENS] = 1;
		if (k + 1 >= last)
			x[TERM_LONG_CLOSES] = 1;
		if ((k > 0 && at->words[k - 1].run == w->run &&
			!(at->words[k - 1].flags & CONVERSATION_STOP)) ||
		    (k + 1 < at->n && at->words[k + 1].run == w->run &&
			!(at->words[k + 1].flags & CONVERSATION_STOP)))
			x[TERM_LONG_RUN] = 1;
		for (size_t j = k > NEAR ? k - NEAR : 0; j < at->n && j <= k + NEAR; j++)
			if (!(at->words[j].flags & CONVERSATION_STOP) &&
			    in_question(q, at->words[j].term))
				x[TERM_LONG_NEAR] = 1;
	}
}

size_t
term_features(const struct conversation *t, const struct lack *l, struct candidate **out)
{
	const struct conversation_turn *q = &t->turns[t->n - 1];
	/* by term: index in list + 1, 0 for none */
	uint32_t *seen = arena_zalloc(t->arena, (t->n_terms + 1) * sizeof(*seen));
	struct candidate *list = arena_alloc(t->arena, (t->n_terms + 1) * sizeof(*list));
	uint32_t *turns = arena_zalloc(t->arena, (t->n_terms + 1) * 3 * sizeof(*turns)),
		 *asked = turns + t->n_terms + 1, *answered = asked + t->n_terms + 1;
	uint32_t *named = arena_zalloc(t->arena, (t->n_terms + 1) * sizeof(*named)), most_named = 0;
	uint32_t *newest = arena_zalloc(t->arena, (t->n_terms + 1) * sizeof(*newest));
	struct parts p;
	size_t n = 0;

	find_parts(t, &p);
	for (size_t i = t->n - 1; i-- > 0; ) {
		const struct conversation_turn *turn = &t->turns[i];
		for (size_t k = 0; k < turn->n; k++) {
			uint32_t term = turn->words[k].term;
			if ((turn->words[k].flags & CONVERSATION_STOP) || in_question(q, term))
				continue;
			if (seen[term] == 0) {
				list[n] = (struct candidate){ .term = term,
					.turn = (uint16_t)i,
					.word = (uint16_t)k };
				look_at_term(&t->terms[term], &turn->words[k], list[n].x, turn);
				list[n].x[TERM_STALE] =
				    turn->role != CONVERSATION_TITLE && (int)i < p.topic;
				list[n].x[TERM_AGE] = real_logf((float)(t->n - 1 - i));
				seen[term] = (uint32_t)++n;
			}
			if (turn->words[k].flags &
				(CONVERSATION_CAPITAL | CONVERSATION_LATIN_CAPITAL) &&
			    (turn->words[k].flags & CONVERSATION_CAPITAL || named[term] > 0)) {
				named[term]++;
				most_named = MAX(most_named, named[term]);
			}
			look_at_place(t, &p, i, k, list[seen[term] - 1].x);
			if (newest[term] != i + 1) {
				newest[term] = (uint32_t)i + 1;
				turns[term]++;
				asked[term] += turn->role == CONVERSATION_USER;
				answered[term] += turn->role == CONVERSATION_OTHER;
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct candidate *c = &list[i];
		c->x[TERM_ASKED_OFTEN] =
		    p.n_questions > 0 ? (float)asked[c->term] / p.n_questions : 0;
		c->x[TERM_ANSWERED_OFTEN] =
		    p.n_answers > 0 ? (float)answered[c->term] / p.n_answers : 0;
		c->x[TERM_OLDER_ANSWER] = answered[c->term] > 0 && asked[c->term] == 0 &&
		    c->x[TERM_ANSWER] == 0 && c->x[TERM_TITLE] == 0;
		c->x[TERM_NAMED] = most_named > 0 ? (float)named[c->term] / (float)most_named : 0;
		c->x[TERM_NAMED_MOST] = most_named > 0 && named[c->term] == most_named;
		c->x[TERM_NAMED_PERSON] = lack_class(t, l) == 0 ? c->x[TERM_NAMED] : 0;
		c->x[TERM_NAMED_THING] =
		    lack_class(t, l) == 1 || lack_class(t, l) == 2 ? c->x[TERM_NAMED] : 0;
		c->x[TERM_NAMED_NONE] = lack_class(t, l) > 3 ? c->x[TERM_NAMED] : 0;
		c->x[TERM_NAMED_TWICE] =
		    named[c->term] > 0 && asked[c->term] > 0 && answered[c->term] > 0;
		c->x[TERM_SPREAD] = (float)MIN(turns[c->term], 4) - 1;
		c->x[TERM_REPEATED] = c->x[TERM_FIRST] > 0 && turns[c->term] > 1;
		set_pair_features(t, l, c->x);
	}
	if (followup_kind(l) == FOLLOWUP_LENGTHY)
		look_at_long(t, seen, asked, answered, list, t->arena);
	*out = list;
	return n;
}

enum followup_kind
followup_kind(const struct lack *l)
{
	return l->han ? FOLLOWUP_HAN : l->lengthy ? FOLLOWUP_LENGTHY : FOLLOWUP_SPACED;
}

void
term_scores(const struct lack *l, const struct followup_weights *w, struct candidate *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float sum = 0;
		for (size_t k = 0; k < N_TERM_FEATURES; k++)
			sum += w->term[followup_kind(l)][k] * c[i].x[k];
		c[i].p = 1 / (1 + real_expf(-sum));
	}
}
