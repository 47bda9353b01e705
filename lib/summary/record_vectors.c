/*
 * record_vectors.c: one pass over the keys of the user's vectors finds the slots of the records
 * asked for; then only those slots are read.
 */
#include "summary/record_vectors.h"

#include "base/alloc.h"

static size_t
find_row(const int64_t *rows, size_t n, int64_t row)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (rows[mid] < row)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && rows[lo] == row ? lo : n;
}

/*
 * Finds the slots of the records' first chunks, ascending; of receives the index in rows that each
 * belongs to.
 */
static int
find_slots(struct vectors *v, enum vector_kind kind, const int64_t *rows, size_t n, uint32_t *slots,
	size_t *of, size_t *n_slots, struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	uint64_t *keys = xreallocarray(NULL, info->n + 1, sizeof(*keys));
	float *cosines = xreallocarray(NULL, info->n + 1, sizeof(*cosines)),
	      *q = xcalloc(info->model.n_dims, sizeof(*q));

	q[0] = 1; /* any query vector will do, as only the keys are wanted */
	*n_slots = 0;
	int rc = vectors_cosines(v, q, keys, cosines, err);
	for (uint32_t k = 0; rc == 0 && k < info->n && *n_slots < n; k++) {
		struct vector_key key;
		size_t i;
		if (keys[k] == VECTOR_DEAD)
			continue;
		vector_key_unpack(keys[k], info->user_base, &key);
		if (key.kind != kind || key.part != 0 || (i = find_row(rows, n, key.row)) == n)
			continue;
		slots[*n_slots] = k;
		of[(*n_slots)++] = i;
	}
	free(keys);
	free(cosines);
	free(q);
	return rc;
}

static int
get_vectors(struct vectors *v, enum vector_kind kind, const int64_t *rows, size_t n,
	struct record_vectors *out, struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	uint32_t *slots = xreallocarray(NULL, n + 1, sizeof(*slots));
	size_t *of = xreallocarray(NULL, n + 1, sizeof(*of)), n_slots;
	float *all = NULL;
	int rc;

	out->n_dims = info->model.n_dims;
	out->unrelated = info->model.unrelated;
	out->v = xcalloc(n * out->n_dims + 1, sizeof(*out->v));
	if ((rc = find_slots(v, kind, rows, n, slots, of, &n_slots, err)) == 0 && n_slots > 0) {
		all = xreallocarray(NULL, n_slots * out->n_dims, sizeof(*all));
		rc = vectors_get(v, slots, n_slots, all, err);
	}
	for (size_t i = 0; rc == 0 && i < n_slots; i++) {
		out->has[of[i]] = true;
		memcpy(out->v + of[i] * out->n_dims, all + i * out->n_dims,
		    out->n_dims * sizeof(*all));
	}
	free(slots);
	free(of);
	free(all);
	return rc;
}

int
record_vectors(struct store *s, const struct scope *who, enum vector_kind kind, const int64_t *rows,
	size_t n, struct record_vectors *out, struct err *err)
{
	struct vectors *v;
	int rc = 0;

	*out = (struct record_vectors){ .has = xcalloc(n + 1, sizeof(bool)) };
	if (vectors_open(s, who, &v, err) < 0)
		return -1;
	if (vectors_info(v)->model.name[0] != '\0' && vectors_info(v)->n > 0)
		rc = get_vectors(v, kind, rows, n, out, err);
	vectors_close(v);
	return rc;
}
