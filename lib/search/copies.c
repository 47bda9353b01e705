/*
 * copies.c: a prompt that is stored when it is asked finds itself before all else, and so does each
 * copy of it: a host that asks twice, a session that was resumed. It answers nothing, so it is no
 * candidate. What is looked up by its own words is another matter: only a question that asks has
 * copies.
 *
 * Few turns have nearly all words of the question and are about as long. Only their texts are read
 * and compared, word by word, without regard to order.
 */
#include "search/search_run.h"

#include "base/alloc.h"
#include "base/order.h"

#define COPY_WORDS  6               /* shorter questions are asked again in earnest */
#define COPY_SHARE  0.9f            /* of the words of both texts; a prefix or a tag may differ */
#define COPY_COVER  0.8f            /* of the question's idf, for a turn to be looked at */
#define COPY_LENGTH 0.7f            /* least ratio of their lengths, for the same */
#define COPIES_MOST 64              /* turns that are looked at */

struct bag { uint64_t *words; size_t n, cap; };

static int
add_word(void *arg, const struct word *w)
{
	struct bag *b = arg;

	if (w->kind == WORD_PART || w->kind == WORD_PAIR)
		return 0;
	*xpush(b->words, b->n, b->cap) = w->hash;
	return 0;
}

static void
fill(struct bag *b, const char *text, size_t len)
{
	b->n = 0;
	words_each(text, len, add_word, b);
	if (b->n > 0)
		qsort(b->words, b->n, sizeof(*b->words), by_uint64);
}

/* The share of the longer one's words that both have, each as often as it occurs in both. */
static float
share(const struct bag *a, const struct bag *b)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		n += a->words[i] == b->words[k];
		if (a->words[i] < b->words[k])
			i++;
		else if (a->words[i] > b->words[k])
			k++;
		else {
			i++;
			k++;
		}
	}
	return (float)n / (float)MAX(MAX(a->n, b->n), 1u);
}

static bool
may_be_copy(const struct run *r, const struct bag *asked, const struct bm25_scores *at)
{
	float n = (float)corpus_words(r->corpus, at->turn), n_asked = (float)asked->n;

	return at->cover >= COPY_COVER * r->found.best.cover && n >= COPY_LENGTH * n_asked &&
	    n * COPY_LENGTH <= n_asked;
}

/* The scores by which the others are divided, without what only a copy reached. */
static void
measure_again(struct run *r)
{
	struct bm25_best *best = &r->found.best, most = { .turn = 0 };

	for (size_t i = 0; i < r->found.n; i++) {
		const struct bm25_scores *at = &r->found.at[i];
		most.turn = MAX(most.turn, at->self);
		most.window = MAX(most.window, at->window);
		most.head = MAX(most.head, at->head);
		most.session = MAX(most.session, at->of_session);
	}
	best->turn = most.turn > 0 ? most.turn : best->turn;
	best->window = most.window > 0 ? most.window : best->window;
	best->head = most.head > 0 ? most.head : best->head;
	best->session = most.session > 0 ? most.session : best->session;
}

/* Fills in which candidates [n_found] are looked at, and declares their texts. */
static int
choose(struct run *r, const struct bag *asked, bool *looks, struct err *err)
{
	struct search *s = r->s;
	uint32_t turns[COPIES_MOST];
	struct index_wants wants = { .texts = turns };

	for (size_t i = 0; i < r->found.n && wants.n_texts < COPIES_MOST; i++)
		if ((looks[i] = may_be_copy(r, asked, &r->found.at[i])))
			turns[wants.n_texts++] = r->found.at[i].turn;
	return index_want(s->index, &wants, err);
}

int
copies_drop(struct run *r, struct err *err)
{
	struct search *s = r->s;
	struct bag asked = { NULL, 0, 0 }, said = { NULL, 0, 0 };
	FREED bool *looks = NULL;
	size_t kept = 0, len;
	const char *text;
	int rc = 0;

	if (r->q->copies || !prompt_asks(r->q->text, r->q->len))
		return 0;
	fill(&asked, r->q->text, r->q->len);
	if (asked.n < COPY_WORDS)
		goto out;
	looks = xcalloc(r->found.n + 1, sizeof(*looks));
	rc = choose(r, &asked, looks, err);
	for (size_t i = 0; rc == 0 && i < r->found.n; i++) {
		bool copy = false;
		if (looks[i]) {
			rc = index_text(s->index, r->found.at[i].turn, &text, &len, err);
			fill(&said, text, len);
			copy = share(&asked, &said) >= COPY_SHARE;
		}
		if (!copy)
			r->found.at[kept++] = r->found.at[i];
	}
	if (rc == 0 && kept < r->found.n) {
		r->found.n = kept;
		measure_again(r);
	}
out:
	free(asked.words);
	free(said.words);
	return rc;
}
