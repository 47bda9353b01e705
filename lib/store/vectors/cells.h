/*
 * cells.h: the vectors of a large memory by what they are near to. Private to lib/store.
 *
 * A cell is the vectors that are nearer to its centroid than to another's, and those for which it
 * is a second one. Slots 0 .. n-1 of a user in a set stand in cells, each in CELLS_EACH, as copies
 * of their codes; those from n on are the tail, of which a search reads the codes themselves. So
 * whatever n is, every slot is in one of the two, and sorting may stop anywhere. Little endian:
 *
 *	vector_centroid   as vector_byte (slots.h): key: number of the cell + 1; d - c of the centroid, unit
 *	vector_cell       as vector_code, and behind each: slot 4. A cell's pages are full but the last; a dead slot is zeros
 *	vector_cells      trained is negative: each slot stands in CELLS_EACH cells; else in one, as was made at first and is made anew
 *	vector_place      of 512 rows of messages, as many as needed: the slot of the first vector + 1, or 0: 4
 */
#pragma once

#include "base/hash.h"
#include "store/vectors/slots.h"

#define CELL_SHIFT   16                        /* of a cell's first page, behind page_lo */
#define CELLS_EACH   2
#define CELL_LEAST   8
#define CELLS_MAX    4096                      /* SET_SHIFT - CELL_SHIFT bits */
#define PLACE_SHIFT  9
#define PLACE_ROWS   ((int64_t)1 << PLACE_SHIFT)

struct cells {
	int64_t made; /* when the centroids were made, which identifies them */
	uint32_t k, trained; /* number of centroids, 0: none; slots when they were made */
	/* slots in cells; 0: the old cells are to be cleared */
	uint32_t n;
	bool twice;                            /* each slot stands in CELLS_EACH of them */
};

static inline size_t cell_bytes(const struct vset *v) { return v->code_bytes + 4; }
static inline uint32_t
cell_per_page(const struct vset *v)
{
	return (uint32_t)(VECTOR_PAGE / cell_bytes(v));
}
static inline int64_t
cell_lo(int64_t user, const struct vset *v, uint32_t cell)
{
	return page_lo(user, v->no) + ((int64_t)cell << CELL_SHIFT);
}
static inline int64_t
cell_hi(int64_t user, const struct vset *v, uint32_t cell)
{
	return cell_lo(user, v, cell + 1) - 1;
}

/* ---- cells.c ---- */
int cells_get(struct store *s, int64_t set, int64_t user, struct cells *out, struct err *err);
int cells_put(struct store *s, int64_t set, int64_t user, const struct cells *c, struct err *err);
/* In the open transaction: removes all cells, centroids and places of the user in the set. */
int cells_drop(struct store *s, int64_t set, int64_t user, struct err *err);
/* Calls fn for all k centroids, a page at a time: slots [n][byte_bytes]. */
typedef void centroids_fn(void *arg, uint32_t first, uint32_t n, const uint8_t *slots);
int cells_centroids(struct store *s, const struct vset *v, int64_t user, uint32_t k,
	centroids_fn *fn, void *arg, struct err *err);
/*
 * In the open transaction: takes slots [n], ascending, which were those of messages rows [n_rows],
 * out of the cells. A centroid of a few vectors nearly shows them, so if fewer than CELL_LEAST stay
 * in some cell, all cells are removed and made anew later. Cost: the user's cells are read.
 */
int cells_remove(struct store *s, const struct vset *v, int64_t user, const uint32_t *slots,
	size_t n, const int64_t *rows, size_t n_rows, struct err *err);
/* The place of a message's first vector: its slot, or UINT32_MAX. */
/* box -1 at first */
struct place_reader { struct store *store; int64_t set, box; const uint8_t *data; size_t n; };
int place_read(struct place_reader *p, int64_t row, uint32_t *slot, struct err *err);
int place_write(struct store *s, int64_t set, int64_t box, const uint8_t *slots, size_t bytes,
	struct err *err);

/*
 * Adds how many entries of cells and places differ from the slots. hashes [n] are those of the
 * slots' codes (code_hash), 0 for a dead slot.
 */
int cells_examine(struct store *s, const struct vset *v, int64_t user, const uint64_t *hashes,
	uint32_t n, int64_t *n_wrong, struct err *err);
static inline uint64_t
code_hash(const uint8_t *code, size_t bytes)
{
	return hash64(code, bytes, 1) | 1;
}

/* ---- vectors_sort.c ---- */
/* Does a step of vectors_sort. name: the user's; NULL: it is not known. */
int cells_step(struct store *s, const struct vset *v, int64_t user, const char *name,
	unsigned n_threads, bool *more, struct err *err);

/* ---- vectors_scan.c: comparing a question's vector with those of a user ---- */
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
