/*
 * partition.c: entropies of two partitions of the same things, from their sorted pairs of numbers:
 * equal pairs stand together, so counting needs no table.
 */
#include "math/partition.h"

#include "base/alloc.h"
#include "base/order.h"
#include "math/real.h"

/* The entropy of the sorted keys [n], in nats; *n_kinds receives how many differ. */
static double
entropy(const uint64_t *keys, size_t n, size_t *n_kinds)
{
	double sum = 0;
	size_t from = 0;

	*n_kinds = 0;
	for (size_t i = 1; i <= n; i++) {
		if (i < n && keys[i] == keys[from])
			continue;
		double share = (double)(i - from) / (double)n;
		sum -= share * real_log(share);
		++*n_kinds;
		from = i;
	}
	return sum;
}

void
partition_compare(const uint32_t *labels, const uint32_t *clusters, size_t n, struct partition *out)
{
	FREED uint64_t *keys = xreallocarray(NULL, MAX(n, 1), sizeof(*keys));
	double h[3];
	size_t n_kinds[3];

	for (unsigned which = 0; which < 3; which++) {
		for (size_t i = 0; i < n; i++)
			keys[i] = which == 0 ? labels[i]
			    : which == 1     ? clusters[i]
					     : (uint64_t)labels[i] << 32 | clusters[i];
		qsort(keys, n, sizeof(*keys), by_uint64);
		h[which] = entropy(keys, n, &n_kinds[which]);
	}
	out->n_labels = n_kinds[0];
	out->n_clusters = n_kinds[1];
	/* mutual information, divided by the entropy of either */
	out->homogeneity = h[0] > 0 ? (h[0] + h[1] - h[2]) / h[0] : 1;
	out->completeness = h[1] > 0 ? (h[0] + h[1] - h[2]) / h[1] : 1;
	out->v = out->homogeneity + out->completeness > 0
	    ? 2 * out->homogeneity * out->completeness / (out->homogeneity + out->completeness)
	    : 0;
}
