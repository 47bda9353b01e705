/*
 * cells.c: reading and clearing what vectors_sort.c writes.
 */
#include "store/vectors/cells.h"

#include <math.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/order.h"

int
cells_get(struct store *s, int64_t set, int64_t user, struct cells *out, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_VCELLS_GET, ARGS(set, user), err);
	int got;

	memset(out, 0, sizeof(*out));
	if ((got = db_row(q, err)) <= 0)
		return got;
	out->made = db_column_int(q, 0);
	out->k = (uint32_t)MAX(0, MIN(db_column_int(q, 1), CELLS_MAX));
	out->twice = db_column_int(q, 2) < 0;
	out->trained =
	    (uint32_t)MIN(llabs(MAX(db_column_int(q, 2), -(int64_t)INT32_MAX)), (int64_t)INT32_MAX);
	out->n = out->k == 0 ? 0 : (uint32_t)MAX(0, MIN(db_column_int(q, 3), (int64_t)INT32_MAX));
	db_reset(q);
	return 0;
}

int
cells_put(struct store *s, int64_t set, int64_t user, const struct cells *c, struct err *err)
{
	return stmt_run(s, STMT_VCELLS_PUT, ARGS(set, user, c->made, c->k,
	    c->twice ? -(int64_t)c->trained : c->trained, c->n), err);
}

int
cells_drop(struct store *s, int64_t set, int64_t user, struct err *err)
{
	static const enum stmt pages[] = { STMT_VCELL_DELETE, STMT_VCENTROIDS_DELETE };

	return stmts_run(s, pages, NELEM(pages), ARGS(page_lo(user, set), page_hi(user, set)),
		   err) < 0 ||
		stmt_run(s, STMT_VPLACES_DELETE, ARGS(set, user_lo(user) >> PLACE_SHIFT,
		    user_hi(user) >> PLACE_SHIFT), err) < 0
	    ? -1
	    : stmt_run(s, STMT_VCELLS_DELETE, ARGS(set, user), err);
}

int
cells_centroids(struct store *s, const struct vset *v, int64_t user, uint32_t k, centroids_fn *fn,
	void *arg, struct err *err)
{
	int64_t lo = page_lo(user, v->no);
	struct db_stmt *q = stmt_start(s, STMT_VCENTROIDS, ARGS(lo, page_hi(user, v->no)), err);
	uint32_t at = 0;
	int got = 1;

	while (at < k && (got = db_row(q, err)) > 0) {
		uint32_t n = MIN(v->per_byte, k - at);
		const uint8_t *slots = db_column_blob(q, 1);
		bool sane = db_column_int(q, 0) == lo + at / v->per_byte &&
		    (size_t)db_column_bytes(q, 1) == n * v->byte_bytes;
		for (uint32_t i = 0; sane && i < n; i++)
			sane = slot_key(slots + i * v->byte_bytes) == at + i + 1 &&
			    isfinite(slot_scale(slots + i * v->byte_bytes));
		if (!sane)
			break;
		fn(arg, at, n, slots);
		at += n;
	}
	db_reset(q);
	return got < 0 ? -1 : at == k ? 0 : err_set(err, ERR_IO, VECTORS_DAMAGED);
}

/* ---- places ---- */

int
place_read(struct place_reader *p, int64_t row, uint32_t *slot, struct err *err)
{
	size_t at = (size_t)(row & (PLACE_ROWS - 1)) * 4;
	uint32_t v;

	*slot = UINT32_MAX;
	if (p->box != row >> PLACE_SHIFT) {
		struct db_stmt *q =
		    stmt_start(p->store, STMT_VPLACE_GET, ARGS(p->set, row >> PLACE_SHIFT), err);
		int got = db_row(q, err);
		if (got < 0)
			return -1;
		p->box = row >> PLACE_SHIFT;
		p->n = got > 0 ? (size_t)db_column_bytes(q, 0) : 0;
		p->data = got > 0 ? db_column_blob(q, 0) : NULL;
	}
	if (at + 4 <= p->n && (v = get_le32(p->data + at)) > 0)
		*slot = v - 1;
	return 0;
}

int
place_write(struct store *s, int64_t set, int64_t box, const uint8_t *slots, size_t bytes,
	struct err *err)
{
	return stmt_run(s, STMT_VPLACE_PUT, ARGS(set, box, BLOB(slots, bytes)), err);
}

/* ---- what goes ---- */

/* Copies the next page of cells from *lo on: 1; 0: there is none; -1. */
static int
next_page(struct store *s, int64_t *lo, int64_t hi, int64_t *id, uint8_t *copy, size_t *bytes,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_VCELL_FROM, ARGS(*lo, hi), err);
	int got;

	if ((got = db_row(q, err)) <= 0)
		return got;
	*id = db_column_int(q, 0);
	*bytes = (size_t)MIN(db_column_bytes(q, 1), VECTOR_PAGE);
	if (*bytes > 0)
		memcpy(copy, db_column_blob(q, 1), *bytes);
	db_reset(q);
	if (db_goes_on(s, *lo - 1, *id, err) < 0)
		return -1;
	*lo = *id + 1;
	return 1;
}

/* Removes rows from the places. */
static int
clear_places(struct store *s, int64_t set, const int64_t *rows, size_t n, struct err *err)
{
	uint8_t copy[PLACE_ROWS * 4];
	uint32_t slot;

	for (size_t i = 0; i < n;) {
		struct place_reader p = { s, set, -1, NULL, 0 };
		int64_t box = rows[i] >> PLACE_SHIFT;
		if (place_read(&p, rows[i], &slot, err) < 0)
			return -1;
		size_t bytes = MIN(p.n, sizeof(copy));
		if (bytes > 0)
			memcpy(copy, p.data, bytes);
		for (; i < n && rows[i] >> PLACE_SHIFT == box; i++) {
			size_t at = (size_t)(rows[i] & (PLACE_ROWS - 1)) * 4;
			if (at + 4 <= bytes)
				memset(copy + at, 0, 4);
		}
		if (bytes > 0 && place_write(s, set, box, copy, bytes, err) < 0)
			return -1;
	}
	return 0;
}

int
cells_remove(struct store *s, const struct vset *v, int64_t user, const uint32_t *slots, size_t n,
	const int64_t *rows, size_t n_rows, struct err *err)
{
	int64_t lo = page_lo(user, v->no), id;
	size_t each = cell_bytes(v), bytes;
	uint8_t copy[VECTOR_PAGE];
	int64_t cell = -1;
	uint32_t n_left = 0;
	bool some = false, few = false; /* this cell has lost entries; some cell has few left */
	struct cells c;
	int got;

	if (n == 0)
		return 0;
	if (cells_get(s, v->no, user, &c, err) < 0)
		return -1;
	if (c.k == 0)
		return 0;
	while ((got = next_page(s, &lo, page_hi(user, v->no), &id, copy, &bytes, err)) > 0) {
		bool any = false;

		if (id >> CELL_SHIFT != cell) {
			few |= some && n_left < CELL_LEAST;
			cell = id >> CELL_SHIFT;
			some = false;
			n_left = 0;
		}
		for (size_t at = 0; at + each <= bytes; at += each) {
			uint32_t slot = get_le32(copy + at + v->code_bytes);
			if (slot_key(copy + at) == VECTOR_DEAD)
				continue;
			if (bsearch(&slot, slots, n, sizeof(slot), by_uint32) == NULL) {
				n_left++;
				continue;
			}
			memset(copy + at, 0, each);
			any = true;
		}
		some |= any;
		if (any && slots_put_page(s, STMT_VCELL_PUT, id, copy, bytes, err) < 0)
			return -1;
	}
	if (got < 0)
		return -1;
	return few || (some && n_left < CELL_LEAST)
	    ? cells_drop(s, v->no, user, err)
	    : clear_places(s, v->no, rows, n_rows, err);
}

/* ---- checking ---- */

struct examined {
	struct store *store;
	const struct vset *set;
	int64_t user;
	const uint64_t *hashes;
	uint32_t n;
	struct place_reader places;
	int64_t n_wrong;
};

/*
 * Compares an entry of a cell with its slot. A slot is to be in a cell only once, and in no more
 * than two. seen: the cell in which it was found + 1, or that it was found in two.
 */
#define IN_TWO 0xffff

static int
examine_entry(struct examined *x, uint32_t cell, const uint8_t *entry, uint16_t *seen,
	struct err *err)
{
	uint32_t slot = get_le32(entry + x->set->code_bytes), place;
	struct vector_key key;

	if (slot_key(entry) == VECTOR_DEAD)
		return 0;
	if (slot >= x->n || seen[slot] == IN_TWO || seen[slot] == cell + 1 ||
	    x->hashes[slot] != code_hash(entry, x->set->code_bytes)) {
		x->n_wrong++;
		return 0;
	}
	seen[slot] = seen[slot] == 0 ? (uint16_t)(cell + 1) : IN_TWO;
	vector_key_unpack(slot_key(entry), user_lo(x->user), &key);
	if (key.kind != VECTOR_MESSAGE || key.part != 0)
		return 0;
	if (place_read(&x->places, key.row, &place, err) < 0)
		return -1;
	x->n_wrong += place != slot;
	return 0;
}

static void
see_centroid(void *arg, uint32_t first, uint32_t n, const uint8_t *slots)
{
	(void)arg;
	(void)first;
	(void)n;
	(void)slots;
}

int
cells_examine(struct store *s, const struct vset *v, int64_t user, const uint64_t *hashes,
	uint32_t n, int64_t *n_wrong, struct err *err)
{
	int64_t lo = page_lo(user, v->no), id;
	struct examined x = { .store = s,
		.set = v,
		.user = user,
		.hashes = hashes,
		.places = { s, v->no, -1, NULL, 0 } };
	uint8_t copy[VECTOR_PAGE];
	FREED uint16_t *seen = NULL;
	struct cells c;
	size_t bytes;
	int got, rc = 0;

	if (cells_get(s, v->no, user, &c, err) < 0)
		return -1;
	if (c.n == 0)
		return 0;
	x.n = MIN(c.n, n);
	x.n_wrong = c.n > n || cells_centroids(s, v, user, c.k, see_centroid, NULL, err) < 0;
	seen = xcalloc(x.n + 1, sizeof(*seen));
	while ((got = next_page(s, &lo, page_hi(user, v->no), &id, copy, &bytes, err)) > 0 &&
	    rc == 0) {
		x.n_wrong += bytes % cell_bytes(v) != 0 || id >= cell_lo(user, v, c.k);
		for (size_t at = 0; rc == 0 && at + cell_bytes(v) <= bytes; at += cell_bytes(v))
			rc =
			    examine_entry(&x, (uint32_t)((id - page_lo(user, v->no)) >> CELL_SHIFT),
				copy + at, seen, err);
	}
	for (uint32_t i = 0; i < x.n; i++)
		x.n_wrong += hashes[i] != 0 && (c.twice ? seen[i] != IN_TWO : seen[i] == 0);
	*n_wrong += x.n_wrong;
	return got < 0 || rc < 0 ? -1 : 0;
}
