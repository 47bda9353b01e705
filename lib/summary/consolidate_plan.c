/*
 * consolidate_plan.c: nearest to the oldest first, GROUP_MOST at most, and no group under
 * GROUP_LEAST.
 */
#include "summary/consolidate_plan.h"

#include "base/alloc.h"
#include "math/vec.h"

static bool
share_key(const char *a, const char *b)
{
	size_t n = strcspn(a, "./:");

	return n > 0 && n == strcspn(b, "./:") && memcmp(a, b, n) == 0;
}

static bool
share_tag(const struct groupable *a, const struct groupable *b)
{
	for (size_t i = 0; i < a->n_tags; i++)
		for (size_t k = 0; k < b->n_tags; k++)
			if (a->tags[i] == b->tags[k])
				return true;
	return false;
}

/* 0: they are not joined. */
static double
joined(const struct groupable *a, const struct groupable *b, size_t n_dims, double min_cosine,
	enum summarize_by by)
{
	double cosine;

	if (strcmp(a->agent, b->agent) != 0 || strcmp(a->project, b->project) != 0)
		return 0;
	if (by != BY_EMBEDDINGS && (share_key(a->key, b->key) || share_tag(a, b)))
		return 2;
	if (by == BY_TAGS || a->vec == NULL || b->vec == NULL)
		return 0;
	cosine = vec_dot(a->vec, b->vec, n_dims);
	return cosine >= min_cosine ? 1 + cosine / 2 : 0;
}

struct near_one { double how; uint32_t at; };

static int
by_how(const void *pa, const void *pb)
{
	const struct near_one *a = pa, *b = pb;

	return a->how != b->how ? (a->how < b->how) - (a->how > b->how)
				: (a->at > b->at) - (a->at < b->at);
}

size_t
consolidate_plan(const struct groupable *items, size_t n, size_t n_dims, double min_cosine,
	enum summarize_by by, uint32_t *group)
{
	struct near_one *near = xreallocarray(NULL, n + 1, sizeof(*near));
	uint32_t n_groups = 0;

	memset(group, 0, n * sizeof(*group));
	for (size_t i = 0; i < n; i++) {
		size_t n_near = 0;
		if (group[i] != 0)
			continue;
		for (size_t k = i + 1; k < n; k++) {
			double how = group[k] == 0
			    ? joined(&items[i], &items[k], n_dims, min_cosine, by)
			    : 0;
			if (how > 0)
				near[n_near++] = (struct near_one){ how, (uint32_t)k };
		}
		if (n_near + 1 < GROUP_LEAST)
			continue;
		qsort(near, n_near, sizeof(*near), by_how);
		group[i] = ++n_groups;
		for (size_t k = 0; k < MIN(n_near, GROUP_MOST - 1); k++)
			group[near[k].at] = n_groups;
	}
	free(near);
	return n_groups;
}
