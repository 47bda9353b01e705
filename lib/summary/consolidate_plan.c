/*
 * consolidate_plan.c: greedy grouping. The oldest fact that is in no group takes the facts
 * most similar to it, up to GROUP_MOST in all; with fewer than GROUP_LEAST there is no group.
 */
#include "summary/consolidate_plan.h"

#include "base/alloc.h"
#include "base/order.h"
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

/*
 * How closely two facts belong together: 2 when they share a key or tag, 1 to 1.5 by cosine, 0 when
 * they must not stand in one group.
 */
static double
affinity_of(const struct groupable *a, const struct groupable *b, size_t n_dims, double min_cosine,
	enum summarize_by by)
{
	if (strcmp(a->agent, b->agent) != 0 || strcmp(a->project, b->project) != 0)
		return 0;
	if (by != BY_EMBEDDINGS && (share_key(a->key, b->key) || share_tag(a, b)))
		return 2;
	if (by == BY_TAGS || a->vec == NULL || b->vec == NULL)
		return 0;
	double cosine = vec_dot(a->vec, b->vec, n_dims);
	return cosine >= min_cosine ? 1 + cosine / 2 : 0;
}

struct near_one { double affinity; uint32_t at; };

ORDER_DOWN_BY(by_affinity, struct near_one, affinity, at)

size_t
consolidate_plan(const struct groupable *items, size_t n, size_t n_dims, double min_cosine,
	enum summarize_by by, uint32_t *group)
{
	FREED struct near_one *near = xreallocarray(NULL, n + 1, sizeof(*near));
	uint32_t n_groups = 0;

	memset(group, 0, n * sizeof(*group));
	for (size_t i = 0; i < n; i++) {
		size_t n_near = 0;
		if (group[i] != 0)
			continue;
		for (size_t k = i + 1; k < n; k++) {
			double affinity = group[k] == 0
			    ? affinity_of(&items[i], &items[k], n_dims, min_cosine, by)
			    : 0;
			if (affinity > 0)
				near[n_near++] = (struct near_one){ affinity, (uint32_t)k };
		}
		if (n_near + 1 < GROUP_LEAST)
			continue;
		qsort(near, n_near, sizeof(*near), by_affinity);
		group[i] = ++n_groups;
		for (size_t k = 0; k < MIN(n_near, GROUP_MOST - 1); k++)
			group[near[k].at] = n_groups;
	}
	return n_groups;
}
