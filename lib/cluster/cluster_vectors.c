/*
 * cluster_vectors.c: the vectors of a store, all slots in their order, each added to the record
 * that it is a part of.
 */
#include "cluster/cluster_parts.h"

#include "base/alloc.h"
#include "math/vec.h"

#define SLOTS_READ 256

/* Parts of a record stand beside each other, so a sum is whole when the next record comes. */
struct summing { struct clustering *x; struct cluster_item *of; float sum[VEC_MAX_DIMS]; };

static void
flush_sum(struct summing *u)
{
	struct clustering *x = u->x;

	if (u->of != NULL && vec_unit(u->sum, x->n_dims)) {
		kmeans_fix(u->sum, x->n_dims, x->v + (size_t)(u->of - x->items) * x->n_dims);
		u->of->has_vector = true;
	}
	memset(u->sum, 0, x->n_dims * sizeof(*u->sum));
	u->of = NULL;
}

static int
read_slots(struct summing *u, struct vectors *v, const uint64_t *keys, uint32_t first, uint32_t n,
	float *out, struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	uint32_t slots[SLOTS_READ];

	for (uint32_t i = 0; i < n; i++)
		slots[i] = first + i;
	if (vectors_get(v, slots, n, out, err) != 0)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		struct vector_key k;
		struct cluster_item *of;
		if (keys[first + i] == VECTOR_DEAD)
			continue;
		vector_key_unpack(keys[first + i], info->user_base, &k);
		if ((of = cluster_item_of(u->x, k.kind, k.row)) != u->of)
			flush_sum(u);
		if ((u->of = of) == NULL)
			continue;
		for (uint32_t d = 0; d < info->model.n_dims; d++)
			u->sum[d] += out[i * info->model.n_dims + d];
	}
	return 0;
}

int
cluster_read_vectors(struct clustering *x, struct err *err)
{
	struct vectors *v;
	FREED struct summing *u = xcalloc(1, sizeof(*u));
	FREED uint64_t *keys = NULL;
	FREED float *cosines = NULL, *out = NULL;
	int rc = 0;

	if (vectors_open(x->s, x->who, &v, err) != 0)
		return -1;
	const struct vectors_info *info = vectors_info(v);
	if (info->n == 0 || x->n == 0)
		goto close;
	x->n_dims = info->model.n_dims;
	x->v = xcalloc(x->n * x->n_dims, sizeof(*x->v));
	keys = xreallocarray(NULL, info->n, sizeof(*keys));
	cosines = xreallocarray(NULL, info->n, sizeof(*cosines));
	out = xreallocarray(NULL, (size_t)SLOTS_READ * x->n_dims, sizeof(*out));
	u->x = x;
	/* any question will do: it is the keys that are wanted */
	u->sum[0] = 1;
	rc = vectors_cosines(v, u->sum, keys, cosines, err);
	u->sum[0] = 0;
	for (uint32_t i = 0; i < info->n && rc == 0; i += SLOTS_READ)
		rc = read_slots(u, v, keys, i, MIN(SLOTS_READ, info->n - i), out, err);
	flush_sum(u);
close:
	vectors_close(v);
	return rc;
}
