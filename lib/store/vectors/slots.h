/*
 * slots.h: where a vector lies. Private to lib/store.
 *
 * The slots of a user in a set stand in two sorts of page, each a row of VECTOR_PAGE bytes or less
 * (or of one slot, where that is more), so that a row is one page of the file. All pages but the
 * last are full. Little endian; D dimensions, d the vector, c the set's centre, v = scale * bytes ~
 * d - c:
 *
 *	vector_code   key 8 | signs of Rv, D / 8 rounded up to 8 | <c, v>+<c, c> int16, / 32767 | gain of v * sqrt(D) uint16, / 16384
 *	vector_byte   key 8 | scale float32 | bytes D
 *
 * The first is made from the second (slot_code). A dead slot is zeros in both.
 */
#pragma once

#include "base/bytes.h"
#include "math/vec.h"
#include "store/sql/handle.h"
#include "store/vectors.h"

#define VECTOR_PAGE      4030
#define SLOT_HEAD        12 /* of a slot in both tables: all but signs or bytes */
#define SLOTS_ROOM       (VEC_MAX_DIMS + SLOT_HEAD)
#define SET_SHIFT        28                    /* of a page's id */
/* number of a set: what is left of the id below the user's */
#define VSET_MAX         65535
#define VECTORS_DAMAGED  "vectors are damaged (mem-check --repair rebuilds what can be)"

struct vset {
	int64_t no;
	struct vector_model model;             /* its centre is the one here */
	bool current;
	double centre_square;
	float centre[VEC_MAX_DIMS];
	size_t code_bytes, byte_bytes;         /* of a slot */
	uint32_t per_code, per_byte;           /* slots a page */
};

static inline int64_t
page_lo(int64_t user, int64_t set)
{
	return user_lo(user) + (set << SET_SHIFT);
}
static inline int64_t
page_hi(int64_t user, int64_t set)
{
	return user_lo(user) + ((set + 1) << SET_SHIFT) - 1;
}

static inline uint64_t slot_key(const uint8_t *p) { return get_le64(p); }

static inline float slot_scale(const uint8_t *p) { return get_le_float(p + 8); }

static inline const int8_t *slot_values(const uint8_t *p) { return (const int8_t *)p + SLOT_HEAD; }

/* ---- sets ---- */

/*
 * Reads the set that a statement of STMT_VSET_* gives, its parameter bound. 1; 0: there is none;
 * -1: the number is still read, or 0 where it cannot be told.
 */
int vset_read(struct db_stmt *q, struct vset *out, struct err *err);
/* The same for the next set behind v, whose number 0 begins. */
int vset_next(struct store *s, struct vset *v, struct err *err);
/* The set of that number; an error if there is none. */
int vset_get(struct store *s, int64_t no, struct vset *out, struct err *err);
/* Removes a set with the pages, counts and queues of all users. */
int vset_drop(struct store *s, int64_t set, struct err *err);

/* ---- slots ---- */

/* Writes key and scale into a slot of vector_byte. */
void slot_head(uint8_t *slot, uint64_t key, float scale);
/* Makes the slot in vector_byte of a unit vector. */
void slot_fill(const struct vset *v, uint64_t key, const float *d, uint8_t *out);
/* Makes the slot in vector_code from the one in vector_byte. */
void slot_code(const struct vset *v, const uint8_t *byte_slot, uint8_t *out);

struct slots {                                 /* of a user, to add some at the end */
	struct store *store;
	const struct vset *set;
	int64_t user;
	uint32_t n, n_dead;
	uint8_t code[VECTOR_PAGE], byte[MAX(VECTOR_PAGE, SLOTS_ROOM)];
};
int
slots_open(struct store *s, const struct vset *v, int64_t user, struct slots *out, struct err *err);
/* Adds a slot of vector_byte [byte_bytes of the set]. */
int slots_add(struct slots *w, const uint8_t *byte_slot, struct err *err);
/* Writes the last pages and the counts. */
int slots_close(struct slots *w, struct err *err);
int slots_count(struct store *s, int64_t set, int64_t user, uint32_t *n, uint32_t *n_dead,
	struct err *err);
/*
 * Reads a page of one of the two tables; it lasts until the statement's next use. ERR_IO: it has
 * other than bytes bytes.
 */
int slots_page(struct store *s, enum stmt which, int64_t id, size_t bytes, const uint8_t **out,
	struct err *err);
int slots_put_page(struct store *s, enum stmt which, int64_t id, const uint8_t *page, size_t bytes,
	struct err *err);

/*
 * In the open transaction: removes the vectors of records rows [n] from all sets; those of records
 * that are still there count as missing again. Cost: the user's codes are read.
 */
int vectors_remove(struct store *s, const struct scope *who, enum vector_kind kind,
	const int64_t *rows, size_t n, struct err *err);
/* In the order of kinds, rows and parts: for qsort. */
int vector_key_compare(const struct vector_key *a, const struct vector_key *b);
/* kind + 1 << 60 | part (16 bits) << 44 | row within the user (44 bits) */
uint64_t vector_key_pack(const struct vector_key *k);

/* ---- the queue ---- */
/* The statements of a kind of record that has vectors. A new kind is a row of vector_sources. */
struct vector_source {
	enum vector_kind kind;
	/* (set, lo, hi, limit, 0, kind): box and done of boxes lo to hi that may have more to do */
	enum stmt boxes;
	/*
	 * (set, lo, hi, limit, 0, kind): row, parts or NULL, speaker and text of rows lo to hi that
	 * want vectors and have not failed
	 */
	enum stmt records;
	/* (set, lo, hi, now, limit, kind): the same of rows in vector_todo that are due */
	enum stmt due;
	/* (lo, hi, kind): row and parts of rows that want vectors, ascending */
	enum stmt all;
	/* (set, lo, hi, kind): puts rows lo to hi that want vectors into vector_todo */
	enum stmt skip;
	/*
	 * (set, lo, hi, kind): parts that are not done of boxes lo to hi; (set, lo, hi, tries,
	 * kind): parts in vector_todo of rows that were tried less often
	 */
	enum stmt count, count_todo;
};
extern const struct vector_source vector_sources[];
extern const size_t vector_n_sources;

#define BOX_SHIFT  20
#define PARTS_MAX  65535
#define BOX_ROWS   ((int64_t)1 << BOX_SHIFT)

/* Whether the row is in vector_todo: 1, 0, -1. */
int todo_has(struct store *s, int64_t set, enum vector_kind kind, int64_t row, struct err *err);
int todo_delete(struct store *s, int64_t set, enum vector_kind kind, int64_t row, bool *was_there,
	struct err *err);
/*
 * A box into which vectors are put: what is done in it is kept here until it is left. begin with
 * BOX_NONE.
 */
struct box { unsigned kind; int64_t no, done, was; };
#define BOX_NONE { 0, -1, 0, 0 }
int box_enter(struct store *s, int64_t set, struct box *b, const struct vector_key *k,
	struct err *err);
int box_leave(struct store *s, int64_t set, const struct box *b, struct err *err);
/* Takes a record of it out of what is missing: 1, it was missing; 0, it was not; -1. */
int box_take(struct store *s, int64_t set, struct box *b, const struct vector_source *from,
	int64_t row, struct err *err);
/* How many vectors the record has in all, 0 when it is gone. */
int vectors_parts(struct store *s, const struct vector_source *from, int64_t row, int64_t *parts,
	struct err *err);
int todo_skip(struct store *s, const struct vector_source *from, int64_t set, int64_t lo,
	int64_t hi, struct err *err);
int done_get(struct store *s, int64_t set, enum vector_kind kind, int64_t box, int64_t *done,
	struct err *err);
/*
 * How many vectors of these users are missing; of failed ones only those tried less than tries
 * times.
 */
int count_missing(struct store *s, int64_t set, bool by_service, int64_t user_first,
	int64_t user_last, int64_t tries, int64_t *n, struct err *err);
const struct vector_source *vector_source_of(unsigned kind);   /* NULL: none */

/* ---- checking ---- */
/* Compares the vectors of all sets and users with the records, and tells what is wrong. */
int vectors_check(struct check *c);
/*
 * Puts right what vectors_check finds, of all sets and users: drops slots that cannot be read or
 * have no record, queues what is lost again, rebuilds codes, closes up dead slots, sorts into cells
 * anew, and removes pages of users and sets that do not exist. One transaction for each user, and
 * those of sorting.
 */
int vectors_mend(struct store *s, struct err *err);
