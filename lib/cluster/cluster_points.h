/*
 * cluster_points.h: what texts are compared by when they are sorted into topics.
 */
#pragma once

#include "cluster/cluster_terms.h"
#include "math/kmeans.h"

/* Of more texts words are not compared beside vectors: this takes long and adds little there. */
#define CLUSTER_POINTS_WORDS 20000

/*
 * The points of n texts, of which texts [n] are the numbers in t: unit vectors, or zeros for a text
 * that is like no other. v [n][n_dims]: vectors by meaning, zeros where there is none; NULL: by
 * words alone. The points are for the caller to free by their v. They differ from the vectors in
 * three ways: what all texts have in common is taken away, and most of what those in one language
 * have in common, or of people or of agents, as texts are to be sorted by topic; and words that two
 * texts share count, for a name is a sign of a topic that vectors do not know.
 */
struct kmeans_points cluster_points(const struct cluster_terms *t, const uint32_t *texts, size_t n,
	const int16_t *v, size_t n_dims);

/*
 * A message is about what those around it are about: "yes, that one" alone is like every other such
 * answer. Moves points towards those before and behind them in their session, and a little to that
 * of all of it. sessions [p->n]: a number; 0: it has none, and stays.
 */
void cluster_points_blend(const struct kmeans_points *p, const uint32_t *sessions);
