/*
 * assign.c: numbers to clusters and back, around evolve, or k-means where a number of clusters is
 * asked for.
 */
#include "cluster/assign.h"

#include "base/alloc.h"
#include "base/order.h"
#include "math/evolve.h"

#define STEPS       30
/* of many points, which begin from centroids that a sample has settled */
#define STEPS_LARGE 10
#define LARGE       20000
#define TRIES       8
#define SEED        1

struct known { uint32_t number; size_t n, first; };

ORDER_BY(known_by_number, struct known, number)

ORDER_DOWN_BY(known_by_size, struct known, n, first)

/* The numbers that are kept, ascending, each once: *n of them. */
static struct known *
kept_numbers(const uint32_t *kept, size_t n_points, size_t *n)
{
	struct known *all = xreallocarray(NULL, n_points + 1, sizeof(*all));
	size_t n_all = 0;

	for (size_t i = 0; i < n_points; i++)
		if (kept[i] != KMEANS_NONE)
			all[n_all++] = (struct known){ kept[i], 0, 0 };
	qsort(all, n_all, sizeof(*all), known_by_number);
	*n = 0;
	for (size_t i = 0; i < n_all; i++)
		if (*n == 0 || all[*n - 1].number != all[i].number)
			all[(*n)++] = all[i];
	return all;
}

static void
go_on(const struct kmeans_points *p, const struct assign_options *o,
	const struct kmeans_options *kmeans, const uint32_t *kept, const struct known *known,
	size_t n_known, struct assignment *d)
{
	/*
	 * Numbers that were handed out stay: nothing is alike enough to be merged. The first
	 * clusters may be as small as they are.
	 */
	const struct evolve_options e = { .kmeans = *kmeans,
		.max = o->max > 0 ? o->max : KMEANS_MAX,
		.least = n_known > 0 ? o->least : 1,
		.near = o->near,
		.alike = 2,
		.merge_small = false };
	FREED uint32_t *into = xreallocarray(NULL, n_known + 1, sizeof(*into));

	for (size_t i = 0; i < p->n; i++) {
		const struct known key = { kept[i], 0, 0 };
		const struct known *at = kept[i] == KMEANS_NONE
		    ? NULL
		    : bsearch(&key, known, n_known, sizeof(*known), known_by_number);
		d->of[i] = at != NULL ? (uint32_t)(at - known) : KMEANS_NONE;
	}
	d->k = evolve(p, &e, n_known, d->of, into);
}

/* As many as are asked for. Zeros, which are near to nothing, are left out. */
static void
divide(const struct kmeans_points *p, size_t k, const struct kmeans_options *kmeans,
	struct assignment *d)
{
	size_t n_dims = p->n_dims;
	FREED size_t *from = xreallocarray(NULL, p->n, sizeof(*from));
	FREED int16_t *some = xreallocarray(NULL, p->n * n_dims + 1, sizeof(*some)), *c = NULL;
	FREED uint32_t *of = xreallocarray(NULL, p->n, sizeof(*of));
	struct kmeans_points used = { some, 0, n_dims };

	for (size_t i = 0; i < p->n; i++) {
		d->of[i] = KMEANS_NONE;
		if (kmeans_is_zero(p->v + i * n_dims, n_dims))
			continue;
		memcpy(some + used.n * n_dims, p->v + i * n_dims, n_dims * sizeof(*some));
		from[used.n++] = i;
	}
	d->k = MIN(k, used.n);
	c = xcalloc(d->k * n_dims + 1, sizeof(*c));
	if (d->k > 0)
		kmeans_run(&used, d->k, kmeans, of, c);
	for (size_t i = 0; i < used.n; i++)
		d->of[from[i]] = of[i];
}

static void
number(size_t n, const struct known *known, size_t n_known, struct assignment *d)
{
	FREED struct known *new = xcalloc(d->k - n_known + 1, sizeof(*new));
	uint32_t next = n_known > 0 ? known[n_known - 1].number : 0;

	d->numbers = xcalloc(d->k + 1, sizeof(*d->numbers));
	for (size_t j = 0; j < d->k; j++)
		if (j < n_known)
			d->numbers[j] = known[j].number;
		else
			new[j - n_known] = (struct known){ (uint32_t)j, 0, n };
	for (size_t i = 0; i < n; i++)
		if (d->of[i] != KMEANS_NONE && d->of[i] >= n_known &&
		    new[d->of[i] - n_known].n++ == 0)
			new[d->of[i] - n_known].first = i;
	qsort(new, d->k - n_known, sizeof(*new), known_by_size);
	for (size_t j = 0; j < d->k - n_known; j++)
		d->numbers[new[j].number] = next + 1 + (uint32_t)j;
}

void
assign_points(const struct kmeans_points *p, const struct assign_options *o, const uint32_t *kept,
	struct assignment *out)
{
	const struct kmeans_options kmeans = { o->n_threads, p->n > LARGE ? STEPS_LARGE : STEPS,
		TRIES, SEED };
	size_t n_known;
	FREED struct known *known = kept_numbers(kept, p->n, &n_known);

	*out = (struct assignment){ .of = xreallocarray(NULL, p->n + 1, sizeof(*out->of)) };
	if (n_known == 0 && o->k > 0 && p->n > 0)
		divide(p, o->k, &kmeans, out);
	else if (p->n > 0)
		go_on(p, o, &kmeans, kept, known, n_known, out);
	number(p->n, known, n_known, out);
}

void
assignment_release(struct assignment *d)
{
	free(d->of);
	free(d->numbers);
}
