/*
 * search_shared.c: looks only into the posting lists of a few words, since no turn is ranked: a
 * search of words costs as much as the question's, and this a tenth of it.
 */
#include "search/search_run.h"

#include "base/alloc.h"
#include "math/real.h"

#define ROLE_OF_USER 0                 /* as index/corpus.h packs it */
#define FEW          100.0f            /* turns, of which each word is held to be rare */
#define NEWER        1e-3f             /* of turns that have the same words, the newer */

/* Adds the word to the score of each turn that has it. */
static int
add_word(struct index *x, const struct index_word *w, struct posting_list *list, float *scores,
	float *rarity, struct err *err)
{
	float n = MAX((float)index_corpus(x)->n, FEW);
	size_t at = list->n;

	if (index_list(x, w->text, w->len, list, err) < 0)
		return -1;
	*rarity = real_logf(1 + n / (float)(list->n - at + 1)) / real_logf(1 + n / 2);
	for (; at < list->n; at++)
		scores[list->items[at].doc] += *rarity * *rarity;
	return 0;
}

static void
take_best(struct search *s, const struct posting_list *list, float *scores, size_t most,
	struct search_result *r)
{
	const struct corpus *c = index_corpus(s->index);
	struct topk best;

	topk_init(&best, most);
	for (size_t i = 0; i < list->n; i++) {
		uint32_t turn = list->items[i].doc;

		if (scores[turn] > 0 && corpus_role(c, turn) == ROLE_OF_USER)
			topk_add(&best, scores[turn] + NEWER * (float)turn / (float)c->n, turn);
		scores[turn] = 0;
	}
	topk_sort(&best);
	for (size_t i = 0; i < best.n; i++)
		search_add_hit(s, r, corpus_row(c,
		    (uint32_t)best.items[i].id))->score = best.items[i].score;
	topk_release(&best);
}

int
search_shared(struct search *s, const struct scope *who, const struct index_word *words, size_t n,
	size_t most, float *rarity, struct search_result *r, struct err *err)
{
	struct posting_list list = { .n = 0 };
	float *scores = NULL;
	int rc;

	memset(r, 0, sizeof(*r));
	arena_reset(&s->arena);
	if ((rc = index_enter(s->store, who, &s->index, err)) == 0 &&
	    (rc = index_load(s->index, words, n, err)) == 0)
		scores = xcalloc(index_corpus(s->index)->n + 1u, sizeof(*scores));
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = add_word(s->index, &words[i], &list, scores, &rarity[i], err);
	if (rc == 0) {
		take_best(s, &list, scores, most, r);
		rc = search_fetch(s, who, r, err);
	}
	free(scores);
	posting_list_release(&list);
	index_end(s->index);
	return rc;
}
