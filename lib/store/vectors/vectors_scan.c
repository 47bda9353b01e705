/*
 * vectors_scan.c: what a question is to a user's vectors. Pages come one by one in order of slots;
 * nothing of them is kept but a key and a cosine a slot.
 *
 * With q = share c + x the question, <x, c> = 0, and d = c + v a vector: exactly
 * <q, d> = <q, c> + scale <q, bytes>; from a code <q, d> = share <c, d> + <x, v>, the last
 * estimated by the signs of v (math/vec.h). Taking its share of c off the question as well makes
 * the estimated part, and so its error, as small as it can be.
 */
#include "store/vectors/cells.h"

#include <math.h>

#include "base/alloc.h"

/* Bytes of a slot in the table that is scanned, codes or bytes. */
static size_t
slot_bytes(const struct vectors *v)
{
	return v->info.exact ? v->set.byte_bytes : v->set.code_bytes;
}

static enum stmt
pages_of(const struct vectors *v)
{
	return v->info.exact ? STMT_VBYTES : STMT_VCODES;
}

/* Reads what the user has in the set that searches use. */
static int
load(struct vectors *v, struct err *err)
{
	int got = vset_read(stmt_start(v->store, STMT_VSET_CURRENT, NO_ARGS, err), &v->set, err);

	if (got < 0 || (got > 0 &&
	    (stmt_want(v->store, STMT_VUSER_GET, ARGS(v->set.no, v->user), err) < 0 ||
		stmt_want(v->store, STMT_VCELLS_GET, ARGS(v->set.no, v->user), err) < 0 ||
		slots_count(v->store, v->set.no, v->user, &v->info.n, &v->n_dead, err) < 0 ||
		cells_get(v->store, v->set.no, v->user, &v->cells, err) < 0)))
		return -1;
	v->info.model = v->set.model;
	v->info.user_base = user_lo(v->user);
	v->info.n_cells = v->cells.n > 0 && v->cells.n <= v->info.n ? v->cells.k : 0;
	v->info.exact = v->info.n <= VECTORS_EXACT;
	v->info.per_page = v->info.exact ? v->set.per_byte : v->set.per_code;
	v->info.page_bytes = v->info.per_page * slot_bytes(v);
	return 0;
}

int
vectors_open(struct store *s, const struct scope *who, struct vectors **out, struct err *err)
{
	struct vectors *v = *out = xcalloc(1, sizeof(*v));

	v->store = s;
	v->own = !db_has_snapshot(s->db);
	if ((!v->own || db_snapshot(s->db, err) == 0) && stmt_want(s, STMT_VSET_CURRENT, NO_ARGS,
	    err) == 0 && (v->user = user_number(s, who->user, false, err)) >= 0 && load(v,
	    err) == 0)
		return 0;
	vectors_close(v);
	*out = NULL;
	return -1;
}

void
vectors_close(struct vectors *v)
{
	if (v == NULL)
		return;
	if (v->own)
		db_snapshot_end(v->store->db);
	free(v);
}

const struct vectors_info *
vectors_info(const struct vectors *v)
{
	return &v->info;
}

/* ---- a question ---- */

void
vectors_offset(struct vectors *v, double offset)
{
	v->offset = offset;
}

double
vectors_off_centre(const struct vectors *v, const float *q, float *x, double *share)
{
	const float *c = v->set.model.centre;
	size_t n = v->set.model.n_dims;
	double along = c == NULL ? 0 : vec_dot(q, c, n);

	*share = v->set.centre_square > 0 ? along / v->set.centre_square : 0;
	for (size_t i = 0; i < n; i++)
		x[i] = c == NULL ? q[i] : q[i] - (float)*share * c[i];
	return along;
}

struct vectors_question *
vectors_question_new(const struct vectors *v, const float *q)
{
	struct vectors_question *a = xmalloc(sizeof(*a));
	const struct vset *set = &v->set;
	size_t n = set->model.n_dims;
	float x[VEC_MAX_DIMS];

	a->set = set;
	a->exact = v->info.exact;
	a->exact_base = v->offset + vectors_off_centre(v, q, x, &a->share);
	a->code_base = a->exact_base - a->share * set->centre_square;
	vec_query(&a->bytes, q, n);
	vec_rotate(x, n);
	vec_planes(&a->planes, x, n);
	a->code_unit = (double)a->planes.step / 16384 / sqrt((double)n);
	return a;
}

void
vectors_question_free(struct vectors_question *a)
{
	free(a);
}

float
vscore_bytes(const struct vectors_question *a, const uint8_t *slot)
{
	return (float)(a->exact_base +
	    (double)slot_scale(slot) * a->bytes.step * vec_query_dot(&a->bytes, slot_values(slot)));
}

static void
exact_cosines(const struct vectors_question *a, const uint8_t *page, uint32_t n, float *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = vscore_bytes(a, page + i * a->set->byte_bytes);
}

void
vscore_codes(const struct vectors_question *a, const uint8_t *codes, size_t stride, uint32_t n,
	float *out)
{
	int32_t dot[VECTORS_PER_PAGE];
	const uint8_t *tail = codes + a->set->code_bytes - 4;

	vec_planes_dot(&a->planes, codes + 8, stride, n, dot);
	for (uint32_t i = 0; i < n; i++, tail += stride) {
		int16_t along = (int16_t)(uint16_t)(tail[0] | tail[1] << 8);
		uint16_t gain = (uint16_t)(tail[2] | tail[3] << 8);
		out[i] = (float)(a->code_base + a->share * along / 32767.0 +
		    gain * a->code_unit * dot[i]);
	}
}

_Static_assert(VECTOR_PAGE / SLOT_HEAD <= VECTORS_PER_PAGE, "room for a page's keys");

void
vectors_score(const struct vectors_question *a, const uint8_t *page, uint32_t n, uint64_t *keys,
	float *cosines)
{
	size_t bytes = a->exact ? a->set->byte_bytes : a->set->code_bytes;

	if (a->exact)
		exact_cosines(a, page, n, cosines);
	else
		vscore_codes(a, page, bytes, n, cosines);
	for (uint32_t i = 0; i < n; i++)
		if ((keys[i] = slot_key(page + i * bytes)) == VECTOR_DEAD)
			cosines[i] = -2;
}

/* ---- all slots ---- */

int
vectors_want(struct vectors *v, struct err *err)
{
	return v->info.n == 0 || v->info.n_cells > 0 ? 0 :
		stmt_want(v->store, pages_of(v), ARGS(page_lo(v->user, v->set.no),
		    page_hi(v->user, v->set.no)), err);
}

static int
each_page(struct vectors *v, vectors_page_fn *fn, void *arg, struct err *err)
{
	int64_t lo = page_lo(v->user, v->set.no);
	struct db_stmt *rows = stmt_start(v->store, pages_of(v), ARGS(lo, page_hi(v->user,
	    v->set.no)), err);
	uint32_t first = 0, n;
	int got, rc = 0;

	while ((got = db_row(rows, err)) > 0 && first < v->info.n) {
		n = MIN(v->info.per_page, v->info.n - first);
		if (db_column_int(rows, 0) != lo + first / v->info.per_page ||
		    (size_t)db_column_bytes(rows, 1) != n * slot_bytes(v))
			break;
		if ((rc = fn(arg, first, n, db_column_blob(rows, 1), n * slot_bytes(v))) != 0)
			break;
		first += n;
	}
	db_reset(rows);
	if (got >= 0 && rc == 0 && (got > 0 || first < v->info.n))
		return err_set(err, ERR_IO, VECTORS_DAMAGED);
	return got < 0 ? -1 : 0;
}

int
vectors_pages(struct vectors *v, vectors_page_fn *fn, void *arg, struct err *err)
{
	if (v->info.n == 0)
		return 0;
	db_scanning(v->store->db, true);
	int rc = each_page(v, fn, arg, err);
	db_scanning(v->store->db, false);
	return rc;
}

struct scan { struct vectors_question *question; uint64_t *keys; float *cosines; };

static int
score_page(void *arg, uint32_t first, uint32_t n, const uint8_t *page, size_t bytes)
{
	struct scan *s = arg;

	(void)bytes;
	vectors_score(s->question, page, n, s->keys + first, s->cosines + first);
	return 0;
}

int
vectors_cosines(struct vectors *v, const float *q, uint64_t *keys, float *cosines, struct err *err)
{
	struct scan s = { vectors_question_new(v, q), keys, cosines };
	int rc = vectors_pages(v, score_page, &s, err);

	vectors_question_free(s.question);
	return rc;
}

/* ---- some slots ---- */

const uint8_t *
vslot_at(struct place *p, uint32_t slot, struct err *err)
{
	const struct vset *set = &p->v->set;
	uint32_t page = slot / set->per_byte, n;

	if (slot >= p->v->info.n) {
		err_set(err, ERR_BUG, "no slot %u", slot);
		return NULL;
	}
	if (p->data == NULL || page != p->page) {
		n = MIN(set->per_byte, p->v->info.n - page * set->per_byte);
		if (slots_page(p->v->store, STMT_VBYTE_GET, page_lo(p->v->user, set->no) + page,
			n * set->byte_bytes, &p->data, err) < 0)
			return NULL;
		p->page = page;
	}
	return p->data + slot % set->per_byte * set->byte_bytes;
}

int
vslots_want(struct vectors *v, const uint32_t *slots, size_t n, struct err *err)
{
	int64_t page, last = -1;

	for (size_t i = 0; db_gathers(v->store->db) && i < n; i++, last = page) {
		page = slots[i] / v->set.per_byte;
		if (page != last && stmt_want(v->store, STMT_VBYTE_GET, ARGS(page_lo(v->user,
		    v->set.no) + page), err) < 0)
			return -1;
	}
	return 0;
}

int
vectors_rescore(struct vectors *v, const float *q, const uint32_t *slots, size_t n, float *cosines,
	struct err *err)
{
	struct place p = { v, 0, NULL };
	int rc = 0;

	if (n == 0)
		return 0;
	if (vslots_want(v, slots, n, err) < 0)
		return -1;
	struct vectors_question *a = vectors_question_new(v, q);
	for (size_t i = 0; i < n && rc == 0; i++) {
		const uint8_t *slot = vslot_at(&p, slots[i], err);
		if (slot == NULL)
			rc = -1;
		else
			cosines[i] = slot_key(slot) == VECTOR_DEAD ? -2 : vscore_bytes(a, slot);
	}
	vectors_question_free(a);
	return rc;
}

int
vectors_get(struct vectors *v, const uint32_t *slots, size_t n, float *out, struct err *err)
{
	struct place p = { v, 0, NULL };
	size_t dims = v->set.model.n_dims;
	const float *c = v->set.model.centre;

	if (vslots_want(v, slots, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++, out += dims) {
		const uint8_t *slot = vslot_at(&p, slots[i], err);
		if (slot == NULL)
			return -1;
		memset(out, 0, dims * sizeof(*out));
		if (slot_key(slot) == VECTOR_DEAD)
			continue;
		for (size_t k = 0; k < dims; k++)
			out[k] =
			    (c == NULL ? 0 : c[k]) + slot_scale(slot) * (float)slot_values(slot)[k];
		vec_unit(out, dims);
	}
	return 0;
}
