/*
 * need.c: decides whether a question needs the turns before it, by a logistic regression on its
 * form and on how its words relate to the conversation.
 */
#include "followup/followup_parts.h"
#include "gen/followup_weights.h"
#include "math/real.h"

const struct followup_weights followup_weights = {
	.need = { { FOLLOWUP_NEED_PLAIN_WEIGHTS }, { FOLLOWUP_NEED_HAN_WEIGHTS },
		{ FOLLOWUP_NEED_CHAT_WEIGHTS } },
	.term = { { FOLLOWUP_TERM_PLAIN_WEIGHTS }, { FOLLOWUP_TERM_HAN_WEIGHTS },
		{ FOLLOWUP_TERM_CHAT_WEIGHTS } },
};

/* the least score of need for a question that asks the one before again */
#define AGAIN 1.0f
#define CHAT  0.2 /* of the user's turns tell something: it is a chat */
#define WEAK  (CLASS(LIGHT) | CLASS(VERB))

static bool
is_content(const struct conversation_word *w)
{
	return !(w->flags & CONVERSATION_STOP);
}

/* Sets the features of how each sentence begins. */
static void
look_at_starts(const struct conversation_turn *q, float x[N_NEEDS])
{
	for (size_t i = 0; i < q->n; i++) {
		classes c = q->words[i].classes;

		if (c & CLASS(WHY))
			x[NEED_WHY] = 1;
		if (i > 0 && !(q->words[i].flags & CONVERSATION_FIRST))
			continue;
		x[NEED_JOINED] = MAX(x[NEED_JOINED], (c & CLASS(JOIN)) != 0);
		if (conversation_begins(q, i, LEX_ABOUT_PHRASE) > 0)
			x[NEED_ABOUT] = 1;
		if (conversation_begins(q, i, LEX_WHAT_IS) > 0)
			x[NEED_WHAT_IS] = 1;
	}
	if (q->n > 0 && q->words[q->n - 1].end >= 6 &&
	    lex_word(q->text + q->words[q->n - 1].end - 3, 3, LEX_ABOUT_END, LEX_ANY, NULL))
		x[NEED_ABOUT] = 1;
}

static void
look_back(const struct conversation_turn *q, struct lack *l, float x[N_NEEDS])
{
	float content_before = -1;

	l->n = references_find(q, l->found);
	for (size_t i = 0; i < l->n; i++) {
		const struct reference *r = &l->found[i];

		l->kinds |= CLASS_OF(r->kind);
		x[NEED_IT + (r->kind - LEX_IT)] = 1;
		if (r->kind > LEX_THERE)
			continue;
		x[NEED_POINTS] = 1;
		if (content_before >= 0 || r->kind > LEX_PERSON)
			continue;
		content_before = 0;
		for (size_t k = 0; k < r->word; k++)
			content_before += is_content(&q->words[k]) && !(q->words[k].classes & WEAK);
	}
	x[NEED_LATE] = content_before >= 2;
	x[NEED_LATE_ANY] = content_before >= 1 && content_before < 2;
}

static bool
was_said(const struct conversation *t, size_t from, size_t to, uint32_t term)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = 0; k < t->turns[i].n; k++)
			if (t->turns[i].words[k].term == term)
				return true;
	return false;
}

/* Sets the features of words: content words, words said before, articles and prepositions. */
static void
look_at_words(const struct conversation *t, size_t at, const struct conversation_turn *q,
	float x[N_NEEDS])
{
	float content = 0, old = 0, weak = 0, run = 0, longest = 0;

	for (size_t i = 0; i < q->n; i++) {
		const struct conversation_word *w = &q->words[i];

		if (w->classes & CLASS(ME))
			x[NEED_ME] = 1;
		if (w->classes & CLASS(YOU))
			x[NEED_YOU] = 1;
		if (w->classes & CLASS(POLITE))
			x[NEED_POLITE] = 1;
		if (!is_content(w)) {
			if ((w->classes & CLASS(DETERMINER)) && i + 1 < q->n && is_content(w + 1) &&
			    (w[1].classes & CLASS(RELATION)))
				x[NEED_THE_RELATION] = 1;
			if (conversation_is(q, w, LEX_POSSESSOR) && i + 1 < q->n)
				x[NEED_OF] = 1;
			continue;
		}
		content++;
		run = i > 0 && is_content(w - 1) && w[-1].run == w->run ? run + 1 : 1;
		longest = MAX(longest, run);
		weak += (w->classes & CLASS(LIGHT)) != 0;
		old += was_said(t, 0, at, w->term);
		if (w->flags & CONVERSATION_CAPITAL)
			x[NEED_CAPITAL] = 1;
	}
	x[NEED_SINGLE] = content == 1;
	x[NEED_PAIR] = content == 2;
	x[NEED_MANY] = content >= 4;
	x[NEED_RUN] = real_logf(1 + longest);
	x[NEED_OLD] = content > 0 ? old / content : 0;
	x[NEED_NEW] = content > 0 && old == 0;
	x[NEED_LIGHT] = content > 0 ? weak / content : 0;
}

/*
 * Whether the newest place of the term has a neighbour that the question lacks, so that the term is
 * only part of a name.
 */
static bool
is_part_of_name(const struct conversation *t, size_t at, const struct conversation_turn *q,
	uint32_t term)
{
	for (size_t i = at; i-- > 0; ) {
		const struct conversation_turn *turn = &t->turns[i];
		for (size_t k = 0; k < turn->n; k++) {
			bool found = false;
			if (turn->words[k].term != term)
				continue;
			for (size_t m = k > 0 ? k - 1 : 0; m < turn->n && m <= k + 1; m++) {
				bool has = turn->words[m].run != turn->words[k].run ||
				    !is_content(&turn->words[m]) ||
				    (turn->words[m].classes & (CLASS(LIGHT) | CLASS(RELATION)));
				for (size_t j = 0; j < q->n && !has; j++)
					has = q->words[j].term == turn->words[m].term;
				found |= !has;
			}
			return found;
		}
	}
	return false;
}

/* Sets the features of words that name a topic, and of relational words, which need one. */
static void
look_for_topic(const struct conversation *t, size_t at, const struct conversation_turn *q,
	float x[N_NEEDS])
{
	float n = 0, longest = 0;

	for (size_t i = 0; i < q->n; i++) {
		const struct conversation_word *w = &q->words[i];
		bool relation = (w->classes & CLASS(RELATION)) != 0;

		if (!is_content(w))
			continue;
		x[NEED_RELATION_END] = relation;
		if (relation || (w->classes & WEAK))
			continue;
		n++;
		if (is_part_of_name(t, at, q, w->term))
			x[NEED_PARTLY] = 1;
		if (!was_said(t, 0, at, w->term))
			longest = MAX(longest, (float)(w->end - w->start));
	}
	x[NEED_NO_TOPIC] = n == 0;
	x[NEED_TOPIC_1] = n == 1;
	x[NEED_TOPIC_LENGTH] = MIN(longest, 12) / 10;
}

void
need_features(const struct conversation *t, size_t at, struct lack *l, float x[N_NEEDS])
{
	const struct conversation_turn *q = &t->turns[at];
	size_t n_before = 0, n_asked = 0, n_told = 0, han = 0;

	memset(x, 0, N_NEEDS * sizeof(*x));
	memset(l, 0, sizeof(*l));
	x[NEED_BIAS] = 1;
	look_at_starts(q, x);
	look_back(q, l, x);
	look_at_words(t, at, q, x);
	look_for_topic(t, at, q, x);
	l->bare = x[NEED_NO_TOPIC] > 0;
	for (size_t i = 0; i < q->n; i++)
		han += (q->words[i].flags & CONVERSATION_HAN) != 0;
	l->han = 2 * han > q->n;
	for (size_t i = 0; i < at; i++) {
		n_before += t->turns[i].role != CONVERSATION_TITLE;
		n_asked += t->turns[i].role == CONVERSATION_USER;
		n_told += t->turns[i].role == CONVERSATION_USER && !t->turns[i].asks &&
		    t->turns[i].n > 0 && !(t->turns[i].words[0].classes & CLASS(TELL));
		if (t->turns[i].role == CONVERSATION_OTHER)
			x[NEED_ANSWERED] = 1;
	}
	l->chat = x[NEED_ANSWERED] > 0 && q->asks && !t->turns[at - 1].asks &&
	    n_told >= MAX(1, n_asked * CHAT);
	l->kind = l->han ? FOLLOWUP_HAN : l->chat ? FOLLOWUP_CHAT : FOLLOWUP_PLAIN;
	x[NEED_WORDS] = real_logf(1 + (float)q->n);
	x[NEED_TURNS] = real_logf(1 + (float)n_before);
	x[NEED_FIRST] = n_asked == 0;
	x[NEED_QUESTION] = q->asks;
}

float
need_score(const struct conversation *t, size_t at, struct lack *l)
{
	float x[N_NEEDS], sum = 0;
	struct ellipsis e;

	need_features(t, at, l, x);
	if (at == 0)
		return 0;
	/* the weights are of English, German and Chinese: elsewhere something must point back */
	if (t->turns[at].foreign && !t->turns[at].german && l->n == 0 && x[NEED_JOINED] == 0 &&
	    x[NEED_ABOUT] == 0)
		return 0;
	for (size_t i = 0; i < N_NEEDS; i++)
		sum += followup_weights.need[l->kind][i] * x[i];
	if (at + 1 == t->n && ellipsis_find(t, l, &e))
		sum = MAX(sum, AGAIN);
	else if (x[NEED_ABOUT] == 0 && question_is_whole(t, at, l))
		return 0;
	return 1 / (1 + real_expf(-sum));
}
