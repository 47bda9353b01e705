/* cluster_points_test.c: topics are nearer than manners of saying. */
#include "cluster/cluster_points.h"

#include "tap.h"

#define DIMS 4
#define EACH 40                        /* texts of a topic in a manner */
#define N    (4 * EACH)

/*
 * Two topics, [0] and [1], each told by people with names, which all have [2], and by a user and an
 * agent, which have [3]. Fills the vectors; text i is of topic i % 2 and of manner i / 2 % 2.
 */
static void
fill(struct cluster_terms *t, uint32_t *texts, int16_t *v, bool named)
{
	char word[16];

	for (uint32_t i = 0; i < N; i++) {
		float x[DIMS] = { 0 };

		x[i % 2] = .5F;
		x[2 + i / 2 % 2] = .86F;
		kmeans_fix(x, DIMS, v + i * DIMS);
		snprintf(word, sizeof(word), "word%u", i);
		cluster_terms_add(t, word, strlen(word),
		    named && i / 2 % 2 == 0 ? "Ida" : "");
		texts[i] = i;
	}
}

/* The product of two points. */
static double
product(const struct kmeans_points *p, size_t a, size_t b)
{
	double sum = 0;

	for (size_t d = 0; d < p->n_dims; d++)
		sum += (double)p->v[a * p->n_dims + d] * p->v[b * p->n_dims + d];
	return sum;
}

static bool
topic_is_nearer(bool named)
{
	struct cluster_terms *t = cluster_terms_new();
	uint32_t texts[N];
	int16_t v[N * DIMS];

	fill(t, texts, v, named);
	struct kmeans_points p = cluster_points(t, texts, N, v, DIMS);
	bool is = product(&p, 0, 2) > product(&p, 0, 1);
	free((void *)(uintptr_t)p.v);
	cluster_terms_free(t);
	return is;
}

int
main(void)
{
	ok(topic_is_nearer(true), "talks of people and of agents are near by their topic");
	ok(!topic_is_nearer(false), "what nobody with a name says has no manner of its own");
	return tap_done();
}
