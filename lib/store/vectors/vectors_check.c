/*
 * vectors_check.c: checks a user's vectors, and that every record that counts as done has its own.
 * Errors are corrected from the table of bytes, which has the keys too; what cannot be is queued to
 * be embedded again.
 *
 * There are two walks: over the slots, which gives a list of keys, and over the records that want
 * vectors, which is merged with the list in order. The check and the repair use both.
 */
#include "store/vectors/cells.h"

#include <math.h>

#include "base/alloc.h"
#include "store/sql/handle.h"

struct entry { struct vector_key key; bool keep; };    /* of a live slot, in order of slots */

/* What is found in one set. */
struct vectors_state {
	int64_t n, n_dead;                     /* slots, and those that hold nothing any more */
	int64_t n_gone;                        /* of no record, or the second of one chunk */
	int64_t n_torn;                        /* their key or bytes cannot be read */
	int64_t n_lost;                        /* records thought done, without their vectors */
	int64_t n_codes;                       /* codes that were not made from their bytes */
	int64_t n_cells;                       /* entries of cells that differ from the codes */
};

struct walk {
	struct store *store;
	const struct vset *set;
	int64_t user;
	struct entry *entries;
	size_t n, cap;
	struct entry **order;                  /* entries by kind, row and part */
	struct vectors_state *found;
	bool mend;                             /* whether what is lost is queued */
	struct err *err;
};

static bool
slot_is_sane(const uint8_t *slot)
{
	return slot_key(slot) >> 60 != 0 && isfinite(slot_scale(slot)) && slot_scale(slot) >= 0;
}

/* ---- the slots ---- */

static int
see_slot(struct walk *w, const uint8_t *slot)
{
	if (slot_key(slot) == VECTOR_DEAD)
		return 0;
	if (!slot_is_sane(slot)) {
		w->found->n_torn++;
		return 0;
	}
	struct entry *e = xpush(w->entries, w->n, w->cap);
	vector_key_unpack(slot_key(slot), user_lo(w->user), &e->key);
	e->keep = true;
	return 0;
}

typedef int slot_fn(struct walk *w, const uint8_t *slot);

/*
 * Calls fn for every slot of vector_byte that can be read, whatever the counts say. Pages are
 * copied, as fn may write earlier ones.
 */
static int
each_slot(struct walk *w, slot_fn *fn)
{
	const struct vset *v = w->set;
	int64_t lo = page_lo(w->user, v->no), hi = page_hi(w->user, v->no);
	uint8_t copy[MAX(VECTOR_PAGE, SLOTS_ROOM)];

	for (;;) {
		struct db_stmt *q = stmt_start(w->store, STMT_VBYTE_FROM, ARGS(lo, hi), w->err);
		int got;
		if ((got = db_row(q, w->err)) <= 0)
			return got;
		if (db_goes_on(w->store, lo - 1, db_column_int(q, 0), w->err) < 0)
			return -1;
		lo = db_column_int(q, 0) + 1;
		size_t bytes = (size_t)db_column_bytes(q, 1);
		if (bytes > v->per_byte * v->byte_bytes || bytes % v->byte_bytes != 0) {
			w->found->n_torn++;
			bytes = 0;
		}
		if (bytes > 0)
			memcpy(copy, db_column_blob(q, 1), bytes);
		db_reset(q);
		for (size_t at = 0; at < bytes; at += v->byte_bytes)
			if (fn(w, copy + at) < 0)
				return -1;
	}
}

/*
 * Compares the pages of both tables with the counts, each code with its bytes, and cells with
 * codes.
 */
static int
compare_pages(struct walk *w, uint32_t n, uint32_t n_dead, uint64_t *hashes)
{
	const struct vset *v = w->set;
	int64_t first = page_lo(w->user, v->no);
	uint32_t seen_dead = 0;
	uint8_t codes[VECTOR_PAGE], want[SLOTS_ROOM];
	const uint8_t *data, *bytes = NULL;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t in_code = i % v->per_code, in_byte = i % v->per_byte;
		if (in_code == 0) {
			size_t size = MIN(v->per_code, n - i) * v->code_bytes;
			if (slots_page(w->store, STMT_VCODE_GET, first + i / v->per_code, size,
				&data, w->err) < 0)
				return -1;
			memcpy(codes, data, size);
		}
		if (in_byte == 0 &&
		    slots_page(w->store, STMT_VBYTE_GET, first + i / v->per_byte,
			MIN(v->per_byte, n - i) * v->byte_bytes, &bytes, w->err) < 0)
			return -1;
		data = bytes + in_byte * v->byte_bytes;
		slot_code(v, data, want);
		w->found->n_codes +=
		    memcmp(want, codes + in_code * v->code_bytes, v->code_bytes) != 0;
		seen_dead += slot_key(data) == VECTOR_DEAD;
		hashes[i] = slot_key(data) == VECTOR_DEAD
		    ? 0
		    : code_hash(codes + in_code * v->code_bytes, v->code_bytes);
	}
	w->found->n_codes += seen_dead != n_dead;
	return cells_examine(w->store, v, w->user, hashes, n, &w->found->n_cells, w->err);
}

static int
compare(struct walk *w)
{
	uint32_t n, n_dead;
	FREED uint64_t *hashes = NULL;

	if (slots_count(w->store, w->set->no, w->user, &n, &n_dead, w->err) < 0)
		return -1;
	w->found->n += n;
	w->found->n_dead += n_dead;
	hashes = xcalloc(n + 1u, sizeof(*hashes));
	return compare_pages(w, n, n_dead, hashes);
}

/* ---- the records ---- */

static int
by_key(const void *x, const void *y)
{
	const struct entry *a = *(struct entry *const *)x, *b = *(struct entry *const *)y;
	int c = vector_key_compare(&a->key, &b->key);

	return c != 0 ? c : (a > b) - (a < b);
}

/* Compares a record of so many parts with the entries order[at .. end) that have its key. */
static int
see_record(struct walk *w, const struct vector_source *from, int64_t row, int64_t parts, size_t at,
	size_t end)
{
	int64_t set = w->set->no, done;
	int waits = todo_has(w->store, set, from->kind, row, w->err);
	bool whole = (int64_t)(end - at) == parts, thought_done, was_there;

	if (waits < 0 || done_get(w->store, set, from->kind, row >> BOX_SHIFT, &done, w->err) < 0)
		return -1;
	thought_done = (row & (BOX_ROWS - 1)) < done && !waits;
	for (size_t i = at; whole && i < end; i++)
		whole = w->order[i]->key.part == i - at;
	if (whole && thought_done)
		return 0;
	w->found->n_gone += (int64_t)(end - at);
	for (size_t i = at; i < end; i++)
		w->order[i]->keep = false;
	if (!thought_done)
		return 0;
	w->found->n_lost++;
	if (!w->mend)
		return 0;
	return todo_delete(w->store, set, from->kind, row, &was_there, w->err) < 0
	    ? -1
	    : todo_skip(w->store, from, set, row, row, w->err);
}

struct record { int64_t row, parts; };

static int
records_after(struct walk *w, const struct vector_source *from, int64_t lo, struct record *out,
	size_t *n)
{
	struct db_stmt *q = stmt_start(w->store, from->all, ARGS(lo, user_hi(w->user),
	    from->kind), w->err);
	int got = 1;

	*n = 0;
	while (*n < REBUILD_BATCH && (got = db_row(q, w->err)) > 0)
		out[(*n)++] = (struct record){ db_column_int(q, 0), db_column_int(q, 1) };
	db_reset(q);
	return got < 0 ? -1 : 0;
}

static void
drop(struct walk *w, size_t at)
{
	w->order[at]->keep = false;
	w->found->n_gone++;
}

static int
see_records(struct walk *w)
{
	FREED struct record *batch = xcalloc(REBUILD_BATCH, sizeof(*batch));
	size_t at = 0, n = 0;
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < vector_n_sources; k++) {
		const struct vector_source *from = &vector_sources[k];
		int64_t lo = user_lo(w->user);
		do {
			rc = records_after(w, from, lo, batch, &n);
			for (size_t i = 0; rc == 0 && i < n; i++) {
				struct vector_key key = { batch[i].row, 0, (uint8_t)from->kind };
				size_t end;
				while (at < w->n &&
				    vector_key_compare(&w->order[at]->key, &key) < 0)
					drop(w, at++);
				for (end = at; end < w->n && w->order[end]->key.row == key.row &&
				     w->order[end]->key.kind == key.kind;
				     end++)
					;
				rc = see_record(w, from, key.row, batch[i].parts, at, end);
				at = end;
			}
			if (rc == 0 && n > 0 &&
			    (rc = db_goes_on(w->store, lo - 1, batch[n - 1].row, w->err)) == 0)
				lo = batch[n - 1].row + 1;
		} while (rc == 0 && n == REBUILD_BATCH);
	}
	while (rc == 0 && at < w->n)
		drop(w, at++);
	return rc;
}

static int
walk_all(struct walk *w)
{
	if (each_slot(w, see_slot) < 0)
		return -1;
	w->order = xreallocarray(NULL, w->n + 1, sizeof(*w->order));
	for (size_t i = 0; i < w->n; i++)
		w->order[i] = &w->entries[i];
	qsort(w->order, w->n, sizeof(*w->order), by_key);
	return see_records(w);
}

static void
walk_end(struct walk *w)
{
	free(w->entries);
	free(w->order);
}

/* ---- telling ---- */

static int
tell_vectors(struct check *c, const struct vset *v, const struct vectors_state *all)
{
	const struct { int64_t n; const char *message; } bad[] = {
		{ all->n_torn, "slots or pages that cannot be read" }, { all->n_gone, "vectors of no message" },
		{ all->n_lost, "messages whose vectors are missing and not queued" }, { all->n_codes, "codes or counts that are not those of the vectors" },
		{ all->n_cells, "entries of cells that are not those of the codes" },
	};
	bool ok = true;

	for (size_t i = 0; i < NELEM(bad); i++) {
		ok &= bad[i].n == 0;
		if (bad[i].n > 0 &&
		    check_tell(c, 2, "vectors", "%s: %lld %s", v->model.name, (long long)bad[i].n,
			bad[i].message) < 0)
			return -1;
	}
	return ok ? check_tell(c, 0, "vectors", "%s: %lld hold together", v->model.name,
			(long long)(all->n - all->n_dead))
		  : 0;
}

static int
check_set(struct check *c, const struct vset *v, const struct numbers *users)
{
	struct vectors_state all = { 0 };
	int rc = 0;

	for (size_t i = 0; i < users->n && rc == 0; i++) {
		struct walk w = { .store = c->store, .set = v, .user = users->at[i],
			.found = &all, .err = c->err };

		rc = walk_all(&w) < 0 || compare(&w) < 0 ? -1 : 0;
		walk_end(&w);
	}
	return rc < 0 ? check_tell(c, 2, "vectors", "%s: %s", v->model.name, c->err->msg)
	    : tell_vectors(c, v, &all);
}

int
vectors_check(struct check *c)
{
	struct numbers users = { NULL, 0, 0 };
	struct vset v = { .no = 0 };
	int got = 0, rc = stmt_each_number(c->store, STMT_USERS, NO_ARGS, &users, c->err);

	while (rc == 0 && (got = vset_next(c->store, &v, c->err)) > 0)
		rc = check_set(c, &v, &users);
	if (rc == 0 && got < 0)
		rc = check_tell(c, 2, "vectors", "%s", c->err->msg);
	free(users.at);
	return rc;
}

/* ---- putting right ---- */

struct mender { struct walk walk; struct slots to; size_t at; };

/*
 * Slots are written where they were read or earlier, so nothing is overwritten that is still to be
 * read.
 */
static int
write_slot(struct walk *w, const uint8_t *slot)
{
	struct mender *m = (struct mender *)w;

	if (slot_key(slot) == VECTOR_DEAD || !slot_is_sane(slot) || !w->entries[m->at++].keep)
		return 0;
	return slots_add(&m->to, slot, w->err);
}

static int
mend(struct mender *m, struct err *err)
{
	struct walk *w = &m->walk;
	const struct vset *v = w->set;
	int64_t lo = page_lo(w->user, v->no), hi = page_hi(w->user, v->no);

	if (walk_all(w) < 0)
		return -1;
	m->to = (struct slots){ .store = w->store, .set = v, .user = w->user };
	if (cells_drop(w->store, v->no, w->user, err) < 0)
		return -1;
	if (each_slot(w, write_slot) < 0 ||
	    stmt_run(w->store, STMT_VBYTES_DELETE,
		ARGS(lo + (m->to.n + v->per_byte - 1) / v->per_byte, hi), err) < 0 ||
	    stmt_run(w->store, STMT_VCODES_DELETE,
		ARGS(lo + (m->to.n + v->per_code - 1) / v->per_code, hi), err) < 0)
		return -1;
	if (m->to.n == 0)
		return stmt_run(w->store, STMT_VUSER_DELETE, ARGS(v->no, w->user), err);
	return slots_close(&m->to, err);
}

static int
mend_user(struct store *s, const struct vset *v, int64_t user, struct err *err)
{
	struct vectors_state found = { 0 };
	struct mender *m;
	bool more = true;
	int rc;

	if (store_begin(s, err) < 0)
		return -1;
	m = xcalloc(1, sizeof(*m));
	m->walk = (struct walk){ .store = s, .set = v, .user = user, .found = &found,
		.mend = true, .err = err };
	rc = mend(m, err);
	walk_end(&m->walk);
	free(m);
	rc = store_end(s, rc, err);
	while (rc == 0 && more)
		rc = cells_step(s, v, user, NULL, 1, &more, err);
	return rc;
}

static int
clear_strays(struct store *s, struct err *err)
{
	static const enum stmt strays[] = { STMT_VSTRAY_USERS, STMT_VSTRAY_CODES, STMT_VSTRAY_BYTES,
		STMT_VSTRAY_DONES, STMT_VSTRAY_TODOS, STMT_VSTRAY_SORTED, STMT_VSTRAY_CENTROIDS,
		STMT_VSTRAY_CELLS, STMT_VSTRAY_PLACES };

	return stmts_run(s, strays, NELEM(strays), NO_ARGS, err);
}

int
vectors_mend(struct store *s, struct err *err)
{
	struct numbers users = { NULL, 0, 0 };
	struct vset v = { .no = 0 };
	int got, rc = stmt_each_number(s, STMT_USERS, NO_ARGS, &users, err);

	while (rc == 0 && (got = vset_next(s, &v, err)) != 0) {
		if (got > 0) {
			for (size_t i = 0; rc == 0 && i < users.n; i++)
				rc = mend_user(s, &v, users.at[i], err);
		} else {
			/* it is damaged, but may have a number */
			rc = v.no == 0 || store_begin(s, err) < 0 ? -1
			    : store_end(s, vset_drop(s, v.no, err), err);
		}
	}
	free(users.at);
	if (rc < 0 || store_begin(s, err) < 0)
		return -1;
	return store_end(s, clear_strays(s, err), err);
}
