/*
 * vectors_sort.c: slots into cells, a step at a time. A step reads and compares without a lock, and
 * writes in one transaction which finds that nobody else was at work; so a kill leaves either the
 * step or nothing of it, and the next process goes on behind the last slot that stands in a cell.
 * Centroids are made of a sample, once, and again when there are so many more vectors that there
 * ought to be twice as many cells: then the old ones are cleared first.
 *
 * What a search costs is pages: few large cells find less with as many vectors, many small ones
 * fill their pages less and have more centroids. Each slot stands in two cells, the second one on
 * another side of it (math/kmeans.h): where 400 pages of single entries hold .944 of the ten
 * nearest, as many of double ones hold .971, and of the two hundred nearest .955 in place of .903
 * (248,000 chat lines, 200 questions).
 */
#include "store/vectors/cells.h"

#include <math.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/conf.h"

#include "math/kmeans.h"

#define CELLS_LEAST   16
/*
 * times sqrt(n); with 1, as many vectors compared find .944 of the ten nearest, with 2 .966, with 4
 * .983 (222,000 chat lines)
 */
#define CELLS_FACTOR  4
#define SAMPLE_EACH   48                       /* vectors in the sample for each cell */
#define SAMPLE_MOST   49152
#define TRAIN_STEPS   5
/* vectors in a step; their codes are kept until they are written: 8 MB */
#define STEP_SLOTS    131072
#define READ_SLOTS    16384                    /* compared at a time */
/* a shorter tail is not worth a step: half a millisecond of a search */
#define TAIL_SLOTS    16384
#define CLEAR_CELLS   64                       /* in one transaction */

struct sorting {
	struct store *store;
	const struct vset *set;
	int64_t user;
	const char *name;                      /* the user's, or NULL */
	struct cells c;
	uint32_t n;                            /* slots */
	unsigned n_threads;
	struct err *err;
};

static uint32_t
cells_for(uint32_t n)
{
	return MAX(CELLS_LEAST, MIN((uint32_t)(CELLS_FACTOR * sqrt((double)n)), CELLS_MAX));
}

/* ---- reading slots ---- */

/* Makes v - c a unit vector; false: it is zero. */
static bool
fix(const struct vset *v, const uint8_t *slot, int16_t *out)
{
	const int8_t *x = slot_values(slot);
	double square = 0, scale;

	for (size_t d = 0; d < v->model.n_dims; d++)
		square += (double)(x[d] * x[d]);
	scale = square > 0 ? KMEANS_ONE / sqrt(square) : 0;
	for (size_t d = 0; d < v->model.n_dims; d++)
		out[d] = (int16_t)lrint(x[d] * scale);
	return square > 0;
}

/*
 * Reads slots first, first + step ..., n of them, in one snapshot, into out [n][D]; dead slots are
 * zeros, or left out.
 */
static int
read_slots(struct sorting *b, double first, double step, size_t n, bool dead_too, int16_t *out,
	size_t *n_out)
{
	const struct vset *v = b->set;
	int64_t lo = page_lo(b->user, v->no), at = -1;
	const uint8_t *page = NULL;
	uint32_t n_now = 0, n_dead;
	int rc = db_snapshot(b->store->db, b->err);

	*n_out = 0;
	if (rc == 0 && (rc = slots_count(b->store, v->no, b->user, &n_now, &n_dead, b->err)) == 0 &&
	    n_now < b->n)
		rc = err_set(b->err, ERR_BUSY,
		    "vectors of this model were dropped by another program");
	for (size_t i = 0; rc == 0 && i < n; i++) {
		uint32_t slot = (uint32_t)(first + (double)i * step), no = slot / v->per_byte;
		size_t bytes = MIN(v->per_byte, n_now - no * v->per_byte) * v->byte_bytes;
		if (no != at &&
		    (rc = slots_page(b->store, STMT_VBYTE_GET, lo + no, bytes, &page, b->err)) < 0)
			break;
		at = no;
		if (fix(v, page + slot % v->per_byte * v->byte_bytes,
			out + *n_out * v->model.n_dims) ||
		    dead_too)
			++*n_out;
	}
	db_snapshot_end(b->store->db);
	return rc;
}

/* ---- transactions ---- */

/*
 * Begins a transaction in which the cells are as they were when the step began. *as_was false: they
 * are not, and there is no transaction.
 */
static int
begin(struct sorting *b, bool *as_was)
{
	struct cells now;
	uint32_t n, n_dead;
	struct vset v;
	int rc;

	if (store_begin_user(b->store, b->name, b->err) < 0)
		return -1;
	if ((rc = vset_get(b->store, b->set->no, &v, b->err)) == 0)
		rc = cells_get(b->store, b->set->no, b->user, &now, b->err);
	if (rc < 0 || slots_count(b->store, b->set->no, b->user, &n, &n_dead, b->err) < 0)
		return store_end(b->store, -1, b->err);
	*as_was = now.made == b->c.made && now.k == b->c.k && now.n == b->c.n && n >= b->n;
	if (!*as_was)
		store_rollback(b->store);
	return 0;
}

static int
end(struct sorting *b, int rc)
{
	return store_end(b->store, rc, b->err);
}

/* Removes old cells, some at a time; searches read all codes from the first moment on. */
static int
clear(struct sorting *b)
{
	struct cells none = b->c;
	bool as_was;

	none.n = 0;
	if (begin(b, &as_was) < 0)
		return -1;
	if (!as_was)
		return 0;
	if (end(b, cells_put(b->store, b->set->no, b->user, &none, b->err)) < 0)
		return -1;
	b->c = none;
	for (uint32_t cell = 0; cell < CELLS_MAX; cell += CLEAR_CELLS) {
		if (begin(b, &as_was) < 0)
			return -1;
		if (!as_was)
			return 0;
		if (end(b, stmt_run(b->store, STMT_VCELL_DELETE, ARGS(cell_lo(b->user, b->set,
			cell), cell_hi(b->user, b->set, cell + CLEAR_CELLS - 1)), b->err)) < 0)
			return -1;
	}
	if (begin(b, &as_was) < 0)
		return -1;
	return as_was ? end(b, cells_drop(b->store, b->set->no, b->user, b->err)) : 0;
}

/* ---- centroids ---- */

static int
put_centroids(struct sorting *b, const int16_t *c, uint32_t k)
{
	const struct vset *v = b->set;
	uint8_t page[MAX(VECTOR_PAGE, SLOTS_ROOM)];
	float x[VEC_MAX_DIMS], scale;

	for (uint32_t i = 0; i < k; i++) {
		uint8_t *slot = page + i % v->per_byte * v->byte_bytes;
		for (size_t d = 0; d < v->model.n_dims; d++)
			x[d] = (float)c[i * v->model.n_dims + d] / KMEANS_ONE;
		vec_quantise(x, v->model.n_dims, (int8_t *)slot + SLOT_HEAD, &scale);
		slot_head(slot, i + 1, scale);
		if (((i + 1) % v->per_byte == 0 || i + 1 == k) &&
		    slots_put_page(b->store, STMT_VCENTROID_PUT,
			page_lo(b->user, v->no) + i / v->per_byte, page,
			(i % v->per_byte + 1) * v->byte_bytes, b->err) < 0)
			return -1;
	}
	return 0;
}

static int
train(struct sorting *b)
{
	uint32_t k = cells_for(b->n), *of;
	size_t want = MIN(b->n, MIN((size_t)k * SAMPLE_EACH, SAMPLE_MOST)), n,
	       dims = b->set->model.n_dims;
	struct kmeans_options o = { .n_threads = b->n_threads,
		.max_steps = TRAIN_STEPS,
		.n_tries = 1,
		.seed = 1 };
	FREED int16_t *sample = xreallocarray(NULL, want * dims, sizeof(*sample));
	FREED int16_t *c = xreallocarray(NULL, k * dims, sizeof(*c));
	bool as_was;
	int rc = read_slots(b, 0, (double)b->n / (double)want, want, false, sample, &n);

	if (rc == 0 && n >= k) {
		struct kmeans_points p = { sample, n, dims };
		of = xreallocarray(NULL, n, sizeof(*of));
		for (uint32_t i = 0; i < k; i++)
			memcpy(c + i * dims, sample + (size_t)((double)i / k * (double)n) * dims,
			    dims * sizeof(*c));
		kmeans_move(&p, k, &o, of, c);
		free(of);
		if ((rc = begin(b, &as_was)) == 0 && as_was) {
			b->c = (struct cells){ clock_now_us(), k, b->n, 0, true };
			rc = end(b,
			    put_centroids(b, c, k) < 0 ||
				    cells_put(b->store, b->set->no, b->user, &b->c, b->err) < 0
				? -1
				: 0);
		}
	}
	return rc;
}

/* ---- members ---- */

struct centroids { const struct vset *set; int16_t *c; };

static void
take_centroids(void *arg, uint32_t first, uint32_t n, const uint8_t *slots)
{
	struct centroids *to = arg;

	for (uint32_t i = 0; i < n; i++)
		fix(to->set, slots + i * to->set->byte_bytes,
		    to->c + (first + i) * (size_t)to->set->model.n_dims);
}

/* Finds the cells of slots b->c.n ...: of [n] and second [n]. */
static int
find_cells(struct sorting *b, uint32_t n, uint32_t *of, uint32_t *second)
{
	const struct vset *v = b->set;
	size_t dims = v->model.n_dims, got;
	FREED int16_t *c = xreallocarray(NULL, b->c.k * dims, sizeof(*c));
	FREED int16_t *x = xreallocarray(NULL, READ_SLOTS * dims, sizeof(*x));
	struct centroids to = { v, c };
	int rc = cells_centroids(b->store, v, b->user, b->c.k, take_centroids, &to, b->err);

	for (uint32_t at = 0; rc == 0 && at < n; at += READ_SLOTS) {
		size_t some = MIN(READ_SLOTS, n - at);
		if ((rc = read_slots(b, b->c.n + at, 1, some, true, x, &got)) == 0)
			kmeans_assign_near(&(struct kmeans_points){ x, some, dims }, c, b->c.k,
			    b->n_threads, of + at, second + at);
	}
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		if (second[i] == KMEANS_NONE)
			second[i] = (of[i] + 1) % b->c.k;
	return rc;
}

/* Makes the entries of the slots, each its code and its number: out [n][cell_bytes]. */
static int
read_codes(struct sorting *b, uint32_t n, uint8_t *out)
{
	const struct vset *v = b->set;
	uint32_t n_now, n_dead, at = UINT32_MAX;
	const uint8_t *page = NULL;

	if (slots_count(b->store, v->no, b->user, &n_now, &n_dead, b->err) < 0)
		return -1;
	for (uint32_t i = 0; i < n; i++, out += cell_bytes(v)) {
		uint32_t slot = b->c.n + i, no = slot / v->per_code;
		if (no != at &&
		    slots_page(b->store, STMT_VCODE_GET, page_lo(b->user, v->no) + no,
			MIN(v->per_code, n_now - no * v->per_code) * v->code_bytes, &page,
			b->err) < 0)
			return -1;
		at = no;
		memcpy(out, page + slot % v->per_code * v->code_bytes, v->code_bytes);
		put_le(out + v->code_bytes, slot, 4);
	}
	return 0;
}

/* Adds members at [n] of codes at the end of a cell. */
static int
append(struct sorting *b, uint32_t cell, const uint32_t *at, size_t n, const uint8_t *codes)
{
	const struct vset *v = b->set;
	int64_t lo = cell_lo(b->user, v, cell), id = lo;
	struct db_stmt *q =
	    stmt_start(b->store, STMT_VCELL_LAST, ARGS(lo, cell_hi(b->user, v, cell)), b->err);
	size_t each = cell_bytes(v), full = cell_per_page(v) * each, bytes = 0;
	uint8_t page[VECTOR_PAGE];
	int got = db_row(q, b->err);

	if (got < 0)
		return -1;
	if (got > 0) {
		id = db_column_int(q, 0);
		bytes = MIN((size_t)db_column_bytes(q, 1), full);
		if (bytes > 0)
			memcpy(page, db_column_blob(q, 1), bytes);
		db_reset(q);
	}
	for (size_t i = 0; i < n; i++) {
		if (bytes == full) {
			id++;
			bytes = 0;
		}
		memcpy(page + bytes, codes + at[i] * each, each);
		bytes += each;
		if ((bytes == full || i + 1 == n) &&
		    slots_put_page(b->store, STMT_VCELL_PUT, id, page, bytes, b->err) < 0)
			return -1;
	}
	return id - lo < (int64_t)1 << CELL_SHIFT ? 0
						  : err_set(b->err, ERR_DATA, "too many vectors");
}

/* Writes the slots into their cells, of [CELLS_EACH][n]. */
static int
put_members(struct sorting *b, uint32_t n, const uint32_t *of, const uint8_t *codes)
{
	FREED uint32_t *first = xcalloc(b->c.k + 2u, sizeof(*first));
	FREED uint32_t *at = xreallocarray(NULL, n, CELLS_EACH * sizeof(*at));
	size_t each = cell_bytes(b->set);
	int rc = 0;

	for (uint32_t i = 0; i < CELLS_EACH * n; i++)
		first[of[i] + 2] += slot_key(codes + i % n * each) != VECTOR_DEAD;
	for (uint32_t j = 2; j < b->c.k + 2; j++)
		first[j] += first[j - 1];
	for (uint32_t i = 0; i < CELLS_EACH * n; i++)
		if (slot_key(codes + i % n * each) != VECTOR_DEAD)
			at[first[of[i] + 1]++] = i % n;
	for (uint32_t j = 0; rc == 0 && j < b->c.k; j++)
		if (first[j + 1] > first[j])
			rc = append(b, j, at + first[j], first[j + 1] - first[j], codes);
	return rc;
}

/* Writes the places of the messages among the slots. */
static int
put_places(struct sorting *b, uint32_t n, const uint8_t *codes)
{
	const struct vset *v = b->set;
	uint8_t slots[PLACE_ROWS * 4];
	int64_t box = -1;
	size_t bytes = 0;
	uint32_t ignored;

	for (uint32_t i = 0; i <= n; i++) {
		const uint8_t *code = codes + (i < n ? i : 0) * cell_bytes(v);
		struct vector_key key;
		vector_key_unpack(slot_key(code), user_lo(b->user), &key);
		if (i < n &&
		    (slot_key(code) == VECTOR_DEAD || key.kind != VECTOR_MESSAGE || key.part != 0))
			continue;
		if (box >= 0 && (i == n || key.row >> PLACE_SHIFT != box) &&
		    place_write(b->store, v->no, box, slots, bytes, b->err) < 0)
			return -1;
		if (i == n)
			break;
		if (key.row >> PLACE_SHIFT != box) {
			struct place_reader p = { b->store, v->no, -1, NULL, 0 };
			if (place_read(&p, key.row, &ignored, b->err) < 0)
				return -1;
			box = key.row >> PLACE_SHIFT;
			memset(slots, 0, sizeof(slots));
			if ((bytes = MIN(p.n, sizeof(slots))) > 0)
				memcpy(slots, p.data, bytes);
		}
		size_t at = (size_t)(key.row & (PLACE_ROWS - 1)) * 4;
		bytes = MAX(bytes, at + 4);
		put_le(slots + at, b->c.n + i + 1, 4);
	}
	return 0;
}

static int
put_step(struct sorting *b, uint32_t n, const uint32_t *of)
{
	FREED uint8_t *codes = xreallocarray(NULL, n, cell_bytes(b->set));
	struct cells next = b->c;
	bool as_was;
	int rc = begin(b, &as_was);

	next.n += n;
	if (rc == 0 && as_was)
		rc = end(b,
		    read_codes(b, n, codes) < 0 || put_members(b, n, of, codes) < 0 ||
			    put_places(b, n, codes) < 0 ||
			    cells_put(b->store, b->set->no, b->user, &next, b->err) < 0
			? -1
			: 0);
	return rc;
}

/* ---- a step ---- */

int
cells_step(struct store *s, const struct vset *v, int64_t user, const char *name,
	unsigned n_threads, bool *more, struct err *err)
{
	struct sorting b = { .store = s,
		.set = v,
		.user = user,
		.name = name,
		.n_threads = MAX(n_threads, 1),
		.err = err };
	uint32_t n_dead, n, from = (uint32_t)conf_int("cells_from");
	FREED uint32_t *of = NULL;
	int rc;

	*more = false;
	if (slots_count(s, v->no, user, &b.n, &n_dead, err) < 0 ||
	    cells_get(s, v->no, user, &b.c, err) < 0)
		return -1;
	if (from == 0 || b.n - n_dead < from)
		return 0;
	*more = true;
	if (b.c.k > 0 && (b.c.k < cells_for(b.n) / 2 || b.c.n > b.n || !b.c.twice))
		return clear(&b);
	if (b.c.k == 0) {
		rc = train(&b);
		*more = b.c.k > 0;
		return rc;
	}
	n = MIN(b.n - b.c.n, STEP_SLOTS);
	if (n < MAX(MIN(TAIL_SLOTS, b.n / 8), 1)) {
		*more = false;
		return 0;
	}
	of = xreallocarray(NULL, n, CELLS_EACH * sizeof(*of));
	rc = find_cells(&b, n, of, of + n);
	if (rc == 0)
		rc = put_step(&b, n, of);
	return rc;
}

int
vectors_sort(struct store *s, const struct scope *who, int64_t set, unsigned n_threads, bool *more,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct vset v;

	*more = false;
	if (user <= 0 || vset_get(s, set, &v, err) < 0)
		return user == 0 ? 0 : -1;
	return cells_step(s, &v, user, who->user, n_threads, more, err);
}
