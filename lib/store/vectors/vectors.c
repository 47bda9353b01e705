/*
 * vectors.c: sets of vectors, and the slots of a user in a set. Slots are only added at the end, so
 * storing a batch rewrites one page of each table and writes new ones. A removed vector leaves a
 * dead slot, as a reader may have the numbers of slots.
 */
#include "store/sql/column.h"
#include "base/bytes.h"
#include "store/vectors/cells.h"

#include <math.h>

#include "base/alloc.h"

uint64_t
vector_key_pack(const struct vector_key *k)
{
	return (uint64_t)(k->kind + 1u) << 60 | (uint64_t)k->part << USER_SHIFT |
	    ((uint64_t)k->row & (((uint64_t)1 << USER_SHIFT) - 1));
}

_Static_assert(USER_SHIFT == 44, "vector_key_unpack says so");

int
vector_key_compare(const struct vector_key *a, const struct vector_key *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->part > b->part) - (a->part < b->part);
}

/* ---- sets ---- */

static int
read_centre(struct vset *v, const uint8_t *bytes, size_t n)
{
	if (n == 0)
		return 0;
	if (n != 4 * (size_t)v->model.n_dims)
		return -1;
	for (size_t i = 0; i < v->model.n_dims; i++)
		if (!isfinite(v->centre[i] = get_le_float(bytes + 4 * i)))
			return -1;
	v->model.centre = v->centre;
	v->centre_square = vec_dot(v->centre, v->centre, v->model.n_dims);
	return 0;
}

int
vset_read(struct db_stmt *q, struct vset *out, struct err *err)
{
	struct vector_model *m = &out->model;
	int got;

	memset(out, 0, sizeof(*out));
	if ((got = db_row(q, err)) <= 0)
		return got;
	out->no = db_column_int(q, 0);
	if (out->no < 1 || out->no > VSET_MAX) {       /* its pages would be another user's */
		out->no = 0;
		db_reset(q);
		return err_set(err, ERR_IO, VECTORS_DAMAGED);
	}
	snprintf(m->name, sizeof(m->name), "%s", column_peek(q, 1));
	column_copy(q, 2, m->sha256, SHA256_BYTES);
	m->n_dims = (uint32_t)MAX(1, MIN(db_column_int(q, 3), VEC_MAX_DIMS));
	m->unrelated = (float)db_column_real(q, 4);
	out->current = db_column_int(q, 6) != 0;
	out->byte_bytes = SLOT_HEAD + m->n_dims;
	out->code_bytes = SLOT_HEAD + vec_code_bytes(m->n_dims);
	out->per_byte = (uint32_t)MAX(1, VECTOR_PAGE / out->byte_bytes);
	out->per_code = (uint32_t)(VECTOR_PAGE / out->code_bytes);
	got = read_centre(out, db_column_blob(q, 5), (size_t)db_column_bytes(q, 5));
	db_reset(q);
	return got == 0 ? 1 : err_set(err, ERR_IO, VECTORS_DAMAGED);
}

int
vset_next(struct store *s, struct vset *v, struct err *err)
{
	return vset_read(stmt_start(s, STMT_VSET_NEXT, ARGS(v->no), err), v, err);
}

int
vset_get(struct store *s, int64_t no, struct vset *out, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_VSET_BY_NO, ARGS(no), err);
	int got;

	if ((got = vset_read(q, out, err)) == 0)
		return err_set(err, ERR_BUSY,
		    "vectors of this model were dropped by another program");
	return got < 0 ? -1 : 0;
}

static int
vset_make(struct store *s, const struct vector_model *m, int64_t *no, struct err *err)
{
	FREED uint8_t *centre = m->centre == NULL ? NULL : xreallocarray(NULL, m->n_dims, 4);

	for (size_t i = 0; centre != NULL && i < m->n_dims; i++)
		put_le_float(centre + 4 * i, m->centre[i]);
	int got = stmt_number(s, STMT_VSET_PUT, ARGS(m->name, BLOB(m->sha256, SHA256_BYTES),
	    m->n_dims, m->unrelated, BLOB(centre, 4 * m->n_dims)), no, err);
	return got < 0 ? -1 : 0;
}

int
vectors_set(struct store *s, const struct vector_model *m, int64_t *set, struct err *err)
{
	struct vset v;
	int got;

	if (m->n_dims < 1 || m->n_dims > VEC_MAX_DIMS)
		return err_set(err, ERR_DATA, "vectors of %u dimensions; 1 to %d can be stored",
		    m->n_dims, VEC_MAX_DIMS);
	for (size_t i = 0; m->centre != NULL && i < m->n_dims; i++)
		if (!(fabsf(m->centre[i]) <= 1))
			return err_set(err, ERR_DATA, "centre of model '%s' is out of range",
			    m->name);
	if ((got = vset_read(stmt_start(s, STMT_VSET_BY_SHA256, ARGS(BLOB(m->sha256,
	    SHA256_BYTES)), err), &v, err)) < 0)
		return -1;
	if (got == 0)
		return vset_make(s, m, set, err);
	*set = v.no;
	return v.model.n_dims == m->n_dims
	    ? 0
	    : err_set(err, ERR_DATA, "model '%s' has %u dimensions, its vectors %u", m->name,
		  m->n_dims, v.model.n_dims);
}


/* Removes the pages, counts and queue of a user in a set. */
static int
forget_user(struct store *s, int64_t set, int64_t user, struct err *err)
{
	static const enum stmt pages[] = { STMT_VCODES_DELETE, STMT_VBYTES_DELETE };

	if (stmts_run(s, pages, NELEM(pages), ARGS(page_lo(user, set), page_hi(user, set)),
		err) < 0 ||
	    stmt_run(s, STMT_VDONES_DELETE, ARGS(set, user_lo(user) >> BOX_SHIFT,
		user_hi(user) >> BOX_SHIFT), err) < 0 ||
	    stmt_run(s, STMT_VTODOS_DELETE, ARGS(set, ROWS_OF(user)), err) < 0 ||
	    cells_drop(s, set, user, err) < 0)
		return -1;
	return stmt_run(s, STMT_VUSER_DELETE, ARGS(set, user), err);
}

int
vset_drop(struct store *s, int64_t set, struct err *err)
{
	struct numbers users = { NULL, 0, 0 };
	int rc = stmt_each_number(s, STMT_USERS, NO_ARGS, &users, err);

	for (size_t i = 0; rc == 0 && i < users.n; i++)
		rc = forget_user(s, set, users.at[i], err);
	free(users.at);
	return rc < 0 ? -1 : stmt_run(s, STMT_VSET_DELETE, ARGS(set), err);
}

int
vectors_switch(struct store *s, int64_t set, bool *switched, struct err *err)
{
	struct vset v;
	int64_t n_missing;
	struct err narrow = ERR_INIT;
	int got;

	*switched = false;
	if (vset_get(s, set, &v, err) < 0)
		return -1;
	/* whoever sees one user's vectors alone does not know whether any are missing */
	if (db_sees_all(s, &narrow) != 0 && narrow.code == ERR_PERM)
		return 0;
	if (count_missing(s, set, vectors_by_service(v.model.sha256), 0, INT64_MAX >> USER_SHIFT,
		VECTORS_TRIES, &n_missing, err) < 0)
		return -1;
	if (n_missing > 0)
		return 0;
	*switched = !v.current;
	if (stmt_run(s, STMT_VSET_SWITCH, ARGS(set), err) < 0)
		return -1;
	for (v.no = 0; (got = vset_next(s, &v, err)) > 0;)
		if (v.no != set && vset_drop(s, v.no, err) < 0)
			return -1;
	return got;
}

/* ---- slots ---- */

void
slot_head(uint8_t *slot, uint64_t key, float scale)
{
	put_le(slot, key, 8);
	put_le_float(slot + 8, scale);
}

void
slot_fill(const struct vset *v, uint64_t key, const float *d, uint8_t *out)
{
	size_t n = v->model.n_dims;
	float x[VEC_MAX_DIMS], scale;

	for (size_t i = 0; i < n; i++)
		x[i] = v->model.centre == NULL ? d[i] : d[i] - v->model.centre[i];
	vec_quantise(x, n, (int8_t *)out + SLOT_HEAD, &scale);
	slot_head(out, key, scale);
}

void
slot_code(const struct vset *v, const uint8_t *byte_slot, uint8_t *out)
{
	size_t n = v->model.n_dims;
	const int8_t *values = slot_values(byte_slot);
	float scale = slot_scale(byte_slot), gain;
	uint8_t *tail = out + v->code_bytes - 4;
	double along = v->centre_square;

	memset(out, 0, v->code_bytes);
	if (slot_key(byte_slot) == VECTOR_DEAD)
		return;
	memcpy(out, byte_slot, 8);
	vec_code(values, n, out + 8, &gain);
	for (size_t i = 0; v->model.centre != NULL && i < n; i++)
		along += (double)v->model.centre[i] * values[i] * (double)scale;
	put_le(tail, (uint64_t)(int64_t)lrint(MAX(-1.0, MIN(along, 1.0)) * 32767), 2);
	put_le(tail + 2,
	    (uint64_t)lrint(
		MAX(0.0, MIN((double)gain * (double)scale * sqrt((double)n) * 16384, 65535.0))),
	    2);
}

int
slots_page(struct store *s, enum stmt which, int64_t id, size_t bytes, const uint8_t **out,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, which, ARGS(id), err);
	int got;

	if ((got = db_row(q, err)) < 0)
		return -1;
	if (got == 0 || (size_t)db_column_bytes(q, 0) != bytes)
		return err_set(err, ERR_IO, VECTORS_DAMAGED);
	*out = db_column_blob(q, 0);
	return 0;
}

int
slots_put_page(struct store *s, enum stmt which, int64_t id, const uint8_t *page, size_t bytes,
	struct err *err)
{
	return stmt_run(s, which, ARGS(id, BLOB(page, bytes)), err);
}

int
slots_count(struct store *s, int64_t set, int64_t user, uint32_t *n, uint32_t *n_dead,
	struct err *err)
{
	int64_t v[2];
	int got = stmt_numbers(s, STMT_VUSER_GET, ARGS(set, user), v, NELEM(v), err);

	*n = (uint32_t)MAX(0, MIN(v[0], (int64_t)INT32_MAX));
	*n_dead = (uint32_t)MAX(0, MIN(v[1], (int64_t)*n));
	return got < 0 ? -1 : 0;
}

/* Reads the page that is not full yet into its buffer. */
static int
load_last(struct slots *w, enum stmt which, uint32_t per_page, size_t slot_bytes, uint8_t *into,
	struct err *err)
{
	uint32_t rest = w->n % per_page;
	const uint8_t *page;

	if (rest == 0)
		return 0;
	if (slots_page(w->store, which, page_lo(w->user, w->set->no) + w->n / per_page,
		rest * slot_bytes, &page, err) < 0)
		return -1;
	memcpy(into, page, rest * slot_bytes);
	db_reset(w->store->stmts[which]);
	return 0;
}

int
slots_open(struct store *s, const struct vset *v, int64_t user, struct slots *w, struct err *err)
{
	w->store = s;
	w->set = v;
	w->user = user;
	if (slots_count(s, v->no, user, &w->n, &w->n_dead, err) < 0)
		return -1;
	if (load_last(w, STMT_VCODE_GET, v->per_code, v->code_bytes, w->code, err) < 0)
		return -1;
	return load_last(w, STMT_VBYTE_GET, v->per_byte, v->byte_bytes, w->byte, err);
}

int
slots_add(struct slots *w, const uint8_t *byte_slot, struct err *err)
{
	const struct vset *v = w->set;
	int64_t first = page_lo(w->user, v->no);

	if (w->n / v->per_byte >> SET_SHIFT != 0 || w->n == INT32_MAX)
		return err_set(err, ERR_DATA, "too many vectors");
	slot_code(v, byte_slot, w->code + w->n % v->per_code * v->code_bytes);
	memcpy(w->byte + w->n % v->per_byte * v->byte_bytes, byte_slot, v->byte_bytes);
	w->n++;
	if (w->n % v->per_code == 0 &&
	    slots_put_page(w->store, STMT_VCODE_PUT, first + w->n / v->per_code - 1, w->code,
		v->per_code * v->code_bytes, err) < 0)
		return -1;
	if (w->n % v->per_byte == 0 &&
	    slots_put_page(w->store, STMT_VBYTE_PUT, first + w->n / v->per_byte - 1, w->byte,
		v->per_byte * v->byte_bytes, err) < 0)
		return -1;
	return 0;
}

int
slots_close(struct slots *w, struct err *err)
{
	const struct vset *v = w->set;
	int64_t first = page_lo(w->user, v->no);
	uint32_t codes = w->n % v->per_code, bytes = w->n % v->per_byte;

	if (codes > 0 &&
	    slots_put_page(w->store, STMT_VCODE_PUT, first + w->n / v->per_code, w->code,
		codes * v->code_bytes, err) < 0)
		return -1;
	if (bytes > 0 &&
	    slots_put_page(w->store, STMT_VBYTE_PUT, first + w->n / v->per_byte, w->byte,
		bytes * v->byte_bytes, err) < 0)
		return -1;
	return stmt_run(w->store, STMT_VUSER_PUT, ARGS(v->no, w->user, w->n, w->n_dead), err);
}
