/* partition.h: measures how well clusters agree with labels. */
#pragma once

#include "base/base.h"

struct partition {
	double homogeneity;                /* 1: no cluster has two labels in it */
	double completeness;               /* 1: no label is in two clusters */
	double v;                          /* their harmonic mean */
	size_t n_labels, n_clusters;       /* number of different ones */
};

/*
 * Compares labels [n] with clusters [n], any numbers (Rosenberg and Hirschberg 2007, beta 1). Where
 * there is only one label or cluster, the measure is 1. Cost: n log n.
 */
void partition_compare(const uint32_t *labels, const uint32_t *clusters, size_t n,
	struct partition *out);
