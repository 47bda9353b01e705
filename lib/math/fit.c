/*
 * fit.c: listwise softmax, minimised by L-BFGS.
 *
 * The gradient of one question is the sum over its candidates of (p - t) x, where p is the softmax
 * of the scores and t the target distribution: one pass for the scores, one for the sum. With a few
 * hundred questions of a few hundred candidates a step takes milliseconds, so every step reads all
 * of them and there is no learning rate to choose.
 */
#include <math.h>

#include "base/alloc.h"
#include "math/fit.h"
#include "math/real.h"
#include "math/topk.h"

#define PAIRS 10
#define TRIES 40

/* The weight of a question: 1 / (categories with questions * questions of its category). */
struct balance {
	double *of_category;       /* [n] */
	size_t n, n_used;
};

static bool
is_used(const struct fit_question *q, const struct fit_options *opt)
{
	return q->n > 0 && q->n_targets > 0 &&
	    (opt->leave_group < 0 || q->group != (unsigned long)opt->leave_group);
}

static void
balance_init(struct balance *b, const struct fit_set *set, const struct fit_options *opt)
{
	size_t i, n_categories = 0;

	b->n = 0;
	b->n_used = 0;
	for (i = 0; i < set->n_questions; i++)
		b->n = MAX(b->n, (size_t)set->questions[i].category + 1);
	b->of_category = xcalloc(MAX(b->n, 1), sizeof *b->of_category);
	for (i = 0; i < set->n_questions; i++)
		if (is_used(&set->questions[i], opt)) {
			b->of_category[set->questions[i].category]++;
			b->n_used++;
		}
	for (i = 0; i < b->n; i++)
		n_categories += b->of_category[i] > 0;
	for (i = 0; i < b->n; i++)
		if (b->of_category[i] > 0)
			b->of_category[i] = 1 / (b->of_category[i] * (double)n_categories);
}

/*
 * Sets p [n] to the softmax of the scores; returns the logarithm of the normaliser, so that log
 * p[i] is the score minus it.
 */
static double
softmax(const struct fit_question *q, size_t n_features, const double *w, double *p,
	double *target_score)
{
	double max = -INFINITY, sum = 0, z;
	const float *row = q->x;
	size_t i, f;

	for (i = 0; i < q->n; i++, row += n_features) {
		for (z = 0, f = 0; f < n_features; f++)
			z += w[f] * (double)row[f];
		p[i] = z;
		max = MAX(max, z);
	}
	for (*target_score = 0, i = 0; i < q->n_targets; i++)
		*target_score += p[q->targets[i]] / (double)q->n_targets;
	for (i = 0; i < q->n; i++) {
		p[i] = real_exp(p[i] - max);
		sum += p[i];
	}
	for (i = 0; i < q->n; i++)
		p[i] /= sum;
	return max + real_log(sum);
}

static double
question_loss(const struct fit_question *q, size_t n_features, const double *w, double weight,
	double *p, double *g)
{
	double target_score, log_sum = softmax(q, n_features, w, p, &target_score), c;
	const float *row = q->x;
	size_t i, f;

	if (g) {
		for (i = 0; i < q->n_targets; i++)
			p[q->targets[i]] -= 1 / (double)q->n_targets;
		for (i = 0; i < q->n; i++, row += n_features)
			for (c = weight * p[i], f = 0; f < n_features; f++)
				g[f] += c * (double)row[f];
	}
	return weight * (log_sum - target_score);
}

static double
loss_of(const struct fit_set *set, const struct fit_options *opt, const struct balance *b,
	const double *w, double *p, double *g)
{
	double loss = 0;

	if (g)
		memset(g, 0, set->n_features * sizeof *g);
	for (size_t i = 0; i < set->n_questions; i++)
		if (is_used(&set->questions[i], opt))
			loss += question_loss(&set->questions[i], set->n_features, w,
			    b->of_category[set->questions[i].category], p, g);
	for (size_t f = 0; f < set->n_features; f++) {
		loss += opt->l2 * w[f] * w[f];
		if (g)
			g[f] = opt->fixed && opt->fixed[f] ? 0 : g[f] + 2 * opt->l2 * w[f];
	}
	return loss;
}

static size_t
n_candidates_max(const struct fit_set *set)
{
	size_t i, n = 1;

	for (i = 0; i < set->n_questions; i++)
		n = MAX(n, set->questions[i].n);
	return n;
}

static double
dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/*
 * The last PAIRS steps s and changes of gradient y, as a ring buffer: pair j of n is at (first + j)
 * % PAIRS.
 */
struct history {
	double s[PAIRS][FIT_FEATURES_MAX], y[PAIRS][FIT_FEATURES_MAX], rho[PAIRS];
	size_t n, first;
};

static void
history_add(struct history *h, const double *w0, const double *g0, const double *w1,
	const double *g1, size_t n_features)
{
	size_t at = (h->first + h->n) % PAIRS, f;
	double sy = 0;

	for (f = 0; f < n_features; f++)
		sy += (w1[f] - w0[f]) * (g1[f] - g0[f]);
	if (sy <= 1e-300) /* no curvature along this step, so it would break the approximation */
		return;
	for (f = 0; f < n_features; f++) {
		h->s[at][f] = w1[f] - w0[f];
		h->y[at][f] = g1[f] - g0[f];
	}
	h->rho[at] = 1 / sy;
	if (h->n < PAIRS)
		h->n++;
	else
		h->first = (h->first + 1) % PAIRS;
}

/* The two-loop recursion: d = -H g. */
static void
history_direction(const struct history *h, const double *g, double *d, size_t n_features)
{
	double alpha[PAIRS], beta, scale = 1;
	size_t j, at, f;

	for (f = 0; f < n_features; f++)
		d[f] = -g[f];
	for (j = h->n; j-- > 0; ) {
		at = (h->first + j) % PAIRS;
		alpha[j] = h->rho[at] * dot(h->s[at], d, n_features);
		for (f = 0; f < n_features; f++)
			d[f] -= alpha[j] * h->y[at][f];
	}
	if (h->n) {
		at = (h->first + h->n - 1) % PAIRS;
		scale = 1 / (h->rho[at] * dot(h->y[at], h->y[at], n_features));
	}
	for (f = 0; f < n_features; f++)
		d[f] *= scale;
	for (j = 0; j < h->n; j++) {
		at = (h->first + j) % PAIRS;
		beta = h->rho[at] * dot(h->y[at], d, n_features);
		for (f = 0; f < n_features; f++)
			d[f] += (alpha[j] - beta) * h->s[at][f];
	}
}

static double
largest(const double *g, size_t n_features)
{
	double max = 0;

	for (size_t f = 0; f < n_features; f++)
		max = MAX(max, fabs(g[f]));
	return max;
}

struct search {
	double w[FIT_FEATURES_MAX], g[FIT_FEATURES_MAX], d[FIT_FEATURES_MAX];
	double next_w[FIT_FEATURES_MAX], next_g[FIT_FEATURES_MAX];
	double loss, next_loss;
	struct history history;
};

/*
 * Halves the step until the loss falls enough (Armijo's condition). Returns false when no step
 * helps: this is the minimum, as far as doubles can tell.
 */
static bool
line_search(const struct fit_set *set, const struct fit_options *opt, const struct balance *b,
	double *p, struct search *s)
{
	double slope = dot(s->g, s->d, set->n_features), step = 1;

	/* the first direction is the bare gradient, whose length means nothing */
	if (s->history.n == 0)
		step = MIN(1, 1 / MAX(largest(s->g, set->n_features), 1e-300));
	for (size_t i = 0; slope < 0 && i < TRIES; i++, step /= 2) {
		for (size_t f = 0; f < set->n_features; f++)
			s->next_w[f] = s->w[f] + step * s->d[f];
		s->next_loss = loss_of(set, opt, b, s->next_w, p, s->next_g);
		if (isfinite(s->next_loss) && s->next_loss <= s->loss + 1e-4 * step * slope)
			return true;
	}
	return false;
}

int
fit_weights(const struct fit_set *set, const struct fit_options *opt, double *w,
	struct fit_report *rep)
{
	size_t n_bytes = set->n_features * sizeof *w;
	struct balance b;
	FREED struct search *s = NULL;
	unsigned step;
	FREED double *p = NULL;

	if (set->n_features > FIT_FEATURES_MAX)
		return -1;
	balance_init(&b, set, opt);
	if (b.n_used == 0) {
		free(b.of_category);
		return -1;
	}
	p = xcalloc(n_candidates_max(set), sizeof *p);
	s = xcalloc(1, sizeof *s);
	memcpy(s->w, w, n_bytes);
	s->loss = loss_of(set, opt, &b, s->w, p, s->g);
	for (step = 0; step < opt->max_steps && largest(s->g, set->n_features) > opt->gradient;
	     step++) {
		history_direction(&s->history, s->g, s->d, set->n_features);
		if (!line_search(set, opt, &b, p, s))
			break;
		history_add(&s->history, s->w, s->g, s->next_w, s->next_g, set->n_features);
		memcpy(s->w, s->next_w, n_bytes);
		memcpy(s->g, s->next_g, n_bytes);
		s->loss = s->next_loss;
	}
	memcpy(w, s->w, n_bytes);
	if (rep)
		*rep =
		    (struct fit_report){ s->loss, largest(s->g, set->n_features), step, b.n_used };
	free(b.of_category);
	return 0;
}

size_t
fit_rank(const struct fit_question *q, size_t n_features, const double *w, size_t k, uint32_t *top)
{
	LOCAL(topk) t;
	size_t i, f, n;
	double z;

	topk_init(&t, k);
	for (i = 0; i < q->n; i++) {
		for (z = 0, f = 0; f < n_features; f++)
			z += w[f] * (double)q->x[i * n_features + f];
		topk_add(&t, (float)z, (int64_t)i);
	}
	topk_sort(&t);
	n = MIN(t.n, k);
	for (i = 0; i < n; i++)
		top[i] = (uint32_t)t.items[i].id;
	return n;
}
