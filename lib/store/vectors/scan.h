/* scan.h: comparing a question's vector with those of a user. Private to lib/store. */
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
	double offset;                         /* of all cosines */
};

struct vectors_question {
	const struct vset *set;
	bool exact;
	double exact_base, code_base, share;   /* share: how much of c is in the question */
	struct vec_query bytes;
	struct vec_planes planes;
	double code_unit; /* what the product of a stored gain and a code counts */
};

/*
 * Writes what q has apart from the centre c to x [n_dims]: x = q - *share c, <x, c> = 0. Returns
 * <q, c>.
 */
double
vectors_off_centre(const struct vectors *v, const float *q, float *x, double *share);
/* The cosines of codes [n], stride bytes apart, dead slots too; n is at most VECTORS_PER_PAGE. */
void vscore_codes(const struct vectors_question *a, const uint8_t *codes, size_t stride, uint32_t n,
	float *cosines);
float vscore_bytes(const struct vectors_question *a, const uint8_t *slot);
/*
 * The slot in its page of vector_byte; the page is read if it is another than for the slot before.
 */
struct place { struct vectors *v; uint32_t page; const uint8_t *data; };
const uint8_t *vslot_at(struct place *p, uint32_t slot, struct err *err);
/* Declares that slots [n] will be read by vslot_at. */
int vslots_want(struct vectors *v, const uint32_t *slots, size_t n, struct err *err);

#endif
