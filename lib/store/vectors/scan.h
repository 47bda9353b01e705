/*
 * scan.h: a question and the vectors that it is asked of. Private to lib/store.
 */
#ifndef STORE_VECTORS_SCAN_H
#define STORE_VECTORS_SCAN_H

#include "store/vectors/cells.h"

struct vectors {
	struct store *store;
	struct vset set;                       /* no 0: there is none */
	struct vectors_info info;
	int64_t user;
	uint32_t n_dead;
	bool own;                              /* the snapshot is ours to end */
	struct cells cells;
};

struct vectors_question {
	const struct vset *set;
	bool exact;
	double exact_base, code_base;
	struct vec_query bytes;
	struct vec_planes planes;
	double code_unit;                      /* of a stored gain and a product */
};

/*
 * Codes [n], stride bytes apart: their cosines, of all of them, also of the dead. n at most
 * VECTORS_PER_PAGE.
 */
void vscore_codes(const struct vectors_question *a, const uint8_t *codes, size_t stride, uint32_t n,
	float *cosines);
float vscore_bytes(const struct vectors_question *a, const uint8_t *slot);
/*
 * Reads a page that the statement stands on slot by slot; the slot in its page, which is read when
 * it is not the one before.
 */
struct place { struct vectors *v; uint32_t page; const uint8_t *data; };
const uint8_t *vslot_at(struct place *p, uint32_t slot, struct err *err);
/* Slots [n] will be read so: declared. */
int vslots_want(struct vectors *v, const uint32_t *slots, size_t n, struct err *err);

struct vector_hit { uint64_t key; float cosine; uint32_t slot; };
/*
 * The k nearest, best first, *n of them: all codes, or those of the nearest cells, then the bytes
 * of the best VECTORS_RESCORED or 4 k.
 */
#define VECTORS_RESCORED 200
int vectors_nearest(struct vectors *v, const float *q, size_t k, struct vector_hit *out, size_t *n,
	struct err *err);

/* Estimates of those in cells and the tail, as vectors_estimate gives them. */
int vectors_probe(struct vectors *v, const float *q, vectors_found_fn *fn, void *arg,
	struct err *err);

#endif
