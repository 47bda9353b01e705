/*
 * score.c: keeps the figures of every question until the end, because percentiles cannot be summed;
 * that is a few hundred bytes a question.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "eval/score.h"
#include "json/json.h"
#include "math/measure.h"

struct entry {
	size_t category;
	struct score v;            /* of this question alone; ms_p50 is its time */
};

struct scores {
	unsigned k[SCORES_K_MAX];
	size_t n_k;
	struct entry *entries;
	size_t n, cap;
	/*
	 * [n_best] probabilities of best hits: of unanswerable questions, then of answerable ones
	 */
	double *best[2];
	size_t n_best[2], cap_best[2];
	struct numbered categories;
};

#define NO_CATEGORY "none"

unsigned
numbered_of(struct numbered *v, const char *name)
{
	/* from the end: the last name is asked for most often */
	for (size_t i = v->n; i-- > 0;)
		if (strcmp(v->items[i], name) == 0)
			return (unsigned)i;
	*xpush(v->items, v->n, v->cap) = xstrdup(name);
	return (unsigned)v->n - 1;
}

void
numbered_release(struct numbered *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->items[i]);
	free(v->items);
}

struct scores *
scores_new(const unsigned *k, size_t n_k)
{
	struct scores *s = xcalloc(1, sizeof *s);

	s->n_k = MIN(n_k, SCORES_K_MAX);
	memcpy(s->k, k, s->n_k * sizeof *k);
	return s;
}

void
scores_free(struct scores *s)
{
	if (!s)
		return;
	numbered_release(&s->categories);
	free(s->best[0]);
	free(s->best[1]);
	free(s->entries);
	free(s);
}

void
scores_add(struct scores *s, const char *category, const uint32_t *found, size_t n,
	size_t n_relevant, double ms)
{
	xgrow(&s->entries, &s->cap, s->n + 1, sizeof *s->entries);
	struct entry *e = &s->entries[s->n++];
	*e = (struct entry){ .category = numbered_of(&s->categories,
		category != NULL && *category != '\0' ? category : NO_CATEGORY),
		.v = { .n = 1, .ms_p50 = ms } };
	for (size_t i = 0; i < s->n_k; i++) {
		e->v.recall[i] = measure_recall(found, n, n_relevant, s->k[i]);
		e->v.any[i] = measure_any(found, n, n_relevant, s->k[i]);
		e->v.all[i] = measure_all(found, n, n_relevant, s->k[i]);
		e->v.ndcg[i] = measure_ndcg(found, n, n_relevant, s->k[i]);
	}
	e->v.mrr = measure_mrr(found, n, n_relevant, s->k[s->n_k - 1]);
}

void
scores_add_best(struct scores *s, bool is_answerable, double p)
{
	xgrow(&s->best[is_answerable], &s->cap_best[is_answerable], s->n_best[is_answerable] + 1,
	    sizeof **s->best);
	s->best[is_answerable][s->n_best[is_answerable]++] = p;
}

static void
measure_best(const struct scores *s, struct score *out)
{
	size_t n = 0;

	if (s->n_best[0] == 0 || s->n_best[1] == 0)
		return;
	out->n_unanswerable = s->n_best[0];
	out->auc = measure_auc(s->best[1], s->n_best[1], s->best[0], s->n_best[0]);
	double least = measure_percentile(s->best[1], s->n_best[1], 10);
	for (size_t i = 0; i < s->n_best[0]; i++)
		n += s->best[0][i] >= least;
	out->false_recalls = (double)n / (double)s->n_best[0];
}

static void
add_score(struct score *to, const struct score *v, size_t n_k)
{
	for (size_t i = 0; i < n_k; i++) {
		to->recall[i] += v->recall[i];
		to->any[i] += v->any[i];
		to->all[i] += v->all[i];
		to->ndcg[i] += v->ndcg[i];
	}
	to->mrr += v->mrr;
}

static void
divide(struct score *v, size_t n_k, double by)
{
	for (size_t i = 0; i < n_k; i++) {
		v->recall[i] /= by;
		v->any[i] /= by;
		v->all[i] /= by;
		v->ndcg[i] /= by;
	}
	v->mrr /= by;
}

/*
 * The mean over the questions of a category; over all of them when category is n_categories. ms [n]
 * is scratch memory.
 */
static void
category_mean(const struct scores *s, size_t category, double *ms, struct score *out)
{
	memset(out, 0, sizeof *out);
	out->category = category < s->categories.n ? s->categories.items[category] : "all";
	for (const struct entry *e = s->entries; e < s->entries + s->n; e++)
		if (category == s->categories.n || e->category == category) {
			add_score(out, &e->v, s->n_k);
			ms[out->n++] = e->v.ms_p50;
		}
	divide(out, s->n_k, (double)out->n);
	out->ms_p50 = measure_percentile(ms, out->n, 50);
	out->ms_p95 = measure_percentile(ms, out->n, 95);
}

void
scores_each(const struct scores *s, score_fn *fn, void *arg)
{
	bool is_named = s->categories.n > 1 ||
	    (s->categories.n == 1 && strcmp(s->categories.items[0], NO_CATEGORY) != 0);
	struct score one, macro;
	FREED double *ms = NULL;

	if (s->n == 0)
		return;
	ms = xcalloc(s->n, sizeof *ms);
	memset(&macro, 0, sizeof macro);
	for (size_t i = 0; i < s->categories.n; i++) {
		category_mean(s, i, ms, &one);
		add_score(&macro, &one, s->n_k);
		if (is_named)
			fn(arg, &one);
	}
	category_mean(s, s->categories.n, ms, &one);
	measure_best(s, &one);
	fn(arg, &one);
	divide(&macro, s->n_k, (double)s->categories.n);
	macro.category = "macro";
	macro.n = one.n;
	macro.ms_p50 = one.ms_p50;
	macro.ms_p95 = one.ms_p95;
	fn(arg, &macro);
}

static void
write_at(struct buf *out, const char *measure, unsigned k, double v)
{
	char key[32];

	snprintf(key, sizeof key, "%s@%u", measure, k);
	json_num(out, key, v);
}

void
score_write(struct buf *out, const struct scores *s, const char *strategy, const struct score *v)
{
	json_record(out, "score");
	json_str(out, "strategy", strategy);
	json_str(out, "category", v->category);
	json_int(out, "n", (int64_t)v->n);
	for (size_t i = 0; i < s->n_k; i++)
		write_at(out, "recall", s->k[i], v->recall[i]);
	for (size_t i = 0; i < s->n_k; i++)
		write_at(out, "any", s->k[i], v->any[i]);
	for (size_t i = 0; i < s->n_k; i++)
		write_at(out, "all", s->k[i], v->all[i]);
	for (size_t i = 0; i < s->n_k; i++)
		write_at(out, "ndcg", s->k[i], v->ndcg[i]);
	write_at(out, "mrr", s->k[s->n_k - 1], v->mrr);
	json_num(out, "ms_p50", v->ms_p50);
	json_num(out, "ms_p95", v->ms_p95);
	if (v->n_unanswerable > 0) {
		json_int(out, "unanswerable", (int64_t)v->n_unanswerable);
		json_num(out, "auc", v->auc);
		json_num(out, "false_recalls", v->false_recalls);
	}
	json_end(out);
}
