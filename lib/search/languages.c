/*
 * languages.c: turns in another language than the question. They have none of its words but names,
 * and a model of many languages puts all texts of the question's own nearer. So what is said in the
 * question's language leads without having to do with it. Where no turn has many of the question's
 * words, the meaning of those in other languages counts for what their words cannot say.
 */
#include "search/search_run.h"

#include "lexicon/lex.h"

/* candidates whose language is told: the best by their scores, and the nearest in meaning */
#define BY_SCORE   60
#define BY_MEANING 30
/*
 * The share of the question's words that one of these has at best: from ENOUGH_WORDS on words find
 * what is asked for, and up to FEW_WORDS they tell nothing.
 */
#define FEW_WORDS    0.3f
#define ENOUGH_WORDS 0.7f
/* function words that a question and a turn must have of a language */
#define OF_QUESTION  1.0f
#define OF_TURN      2.1f

/* Writes the candidates to be looked at; returns how many. */
static size_t
choose(const struct run *r, const float *scores, size_t out[BY_SCORE + BY_MEANING])
{
	LOCAL(topk) best, near;
	size_t n = 0, n_best;

	topk_init(&best, BY_SCORE);
	topk_init(&near, BY_MEANING);
	for (size_t i = 0; i < r->found.n; i++) {
		topk_add(&best, scores[i], (int64_t)i);
		topk_add(&near, dense_turn(r->dense, r->found.at[i].turn), (int64_t)i);
	}
	for (; n < best.n; n++)
		out[n] = (size_t)best.items[n].id;
	n_best = n;
	for (size_t k = 0; k < near.n; k++) {
		size_t i = 0;
		while (i < n_best && out[i] != (size_t)near.items[k].id)
			i++;
		if (i == n_best)
			out[n++] = (size_t)near.items[k].id;
	}
	return n;
}

int
candidates_foreign(struct run *r, float *scores, bool *any, struct err *err)
{
	unsigned asked_in = lex_written_in(r->q->text, r->q->len, OF_QUESTION);
	size_t at[BY_SCORE + BY_MEANING], n, len;
	uint32_t turns[BY_SCORE + BY_MEANING];
	struct index_wants wants = { .texts = turns };
	float words = 0, foreign;
	const char *text;

	if (asked_in == LEX_ANY)
		return 0;
	n = wants.n_texts = choose(r, scores, at);
	for (size_t k = 0; k < n; k++) {
		turns[k] = r->found.at[at[k]].turn;
		words = MAX(words, r->found.at[at[k]].cover / r->found.expected_near);
	}
	foreign = MIN((ENOUGH_WORDS - words) / (ENOUGH_WORDS - FEW_WORDS), 1);
	if (foreign <= 0)
		return 0;
	if (index_want(r->s->index, &wants, err) < 0)
		return -1;
	for (size_t k = 0; k < n; k++) {
		if (index_text(r->s->index, turns[k], &text, &len, err) < 0)
			return -1;
		if ((asked_in & lex_written_in(text, len, OF_TURN)) != 0)
			continue;
		*any = true;
		r->found.foreign[at[k]] = foreign;
		scores[at[k]] = candidates_score(r, at[k]);
	}
	return 0;
}
