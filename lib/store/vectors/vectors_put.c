/*
 * vectors_put.c: stores vectors, and removes those of removed records. A vector is stored only if
 * it is still missing, so it does not matter which process was given which work.
 */
#include "store/vectors/cells.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/order.h"

#define BACKOFF_US (60 * US_PER_S)

struct made { struct vector_key key; size_t at; };     /* at is the index of its vector */

ORDER_OF(by_key, struct made, vector_key_compare(&a->key, &b->key))

/* Sorts keys, each once; leaves out other users' keys and unknown kinds. */
static size_t
in_order(const struct vector_key *keys, size_t n, int64_t user, struct made **out)
{
	struct made *m = xreallocarray(NULL, n + 1, sizeof(*m));
	size_t kept = 0, unique = 0;

	for (size_t i = 0; i < n; i++)
		if (keys[i].row >> USER_SHIFT == user && vector_source_of(keys[i].kind) != NULL)
			m[kept++] = (struct made){ keys[i], i };
	qsort(m, kept, sizeof(*m), by_key);
	for (size_t i = 0; i < kept; i++)
		if (unique == 0 || by_key(&m[unique - 1], &m[i]) != 0)
			m[unique++] = m[i];
	*out = m;
	return unique;
}

int
box_leave(struct store *s, int64_t set, const struct box *b, struct err *err)
{
	return b->done == b->was ? 0
	    : stmt_run(s, STMT_VDONE_PUT, ARGS(set, b->kind, b->no, b->done), err);
}

int
box_enter(struct store *s, int64_t set, struct box *b, const struct vector_key *k, struct err *err)
{
	if (b->no == k->row >> BOX_SHIFT && b->kind == k->kind)
		return 0;
	if (box_leave(s, set, b, err) < 0)
		return -1;
	b->kind = k->kind;
	b->no = k->row >> BOX_SHIFT;
	if (done_get(s, set, k->kind, b->no, &b->done, err) < 0)
		return -1;
	b->was = b->done;
	return 0;
}

int
vectors_parts(struct store *s, const struct vector_source *from, int64_t row, int64_t *parts,
	struct err *err)
{
	int64_t v[2];
	int got = stmt_numbers(s, from->all, ARGS(row, row, from->kind), v, NELEM(v), err);

	*parts = v[1];
	return got < 0 ? -1 : 0;
}

int
box_take(struct store *s, int64_t set, struct box *b, const struct vector_source *from, int64_t row,
	struct err *err)
{
	int64_t place = row & (BOX_ROWS - 1);
	bool waited;

	if (todo_delete(s, set, from->kind, row, &waited, err) < 0)
		return -1;
	if (place < b->done)
		return waited;
	if (todo_skip(s, from, set, b->no * BOX_ROWS + b->done, row - 1, err) < 0)
		return -1;
	b->done = place + 1;
	return 1;
}

/* Stores the vectors of one record, whose parts are m [n]. */
static int
put_record(struct slots *w, const struct made *m, size_t n, const float *v, struct err *err)
{
	size_t dims = w->set->model.n_dims;
	uint8_t slot[SLOTS_ROOM];
	float d[VEC_MAX_DIMS];

	for (size_t i = 0; i < n; i++) {
		memcpy(d, v + m[i].at * dims, dims * sizeof(*d));
		if (!vec_unit(d, dims))
			return err_set(err, ERR_DATA, "a vector is not finite, or zero");
		slot_fill(w->set, vector_key_pack(&m[i].key), d, slot);
		if (slots_add(w, slot, err) < 0)
			return -1;
	}
	return 0;
}

static int
put_all(struct slots *w, const struct made *m, size_t n, const float *v, size_t *n_put,
	struct err *err)
{
	struct box box = BOX_NONE;
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		const struct vector_source *from = vector_source_of(m[i].key.kind);
		int64_t parts;
		int got;
		for (end = i + 1;
		     end < n && m[end].key.row == m[i].key.row && m[end].key.kind == m[i].key.kind;
		     end++)
			;
		if (vectors_parts(w->store, from, m[i].key.row, &parts, err) < 0)
			return -1;
		if (parts != (int64_t)(end - i) || m[end - 1].key.part != parts - 1)
			continue;
		if (box_enter(w->store, w->set->no, &box, &m[i].key, err) < 0 ||
		    (got = box_take(w->store, w->set->no, &box, from, m[i].key.row, err)) < 0)
			return -1;
		if (got > 0 && put_record(w, m + i, end - i, v, err) < 0)
			return -1;
		*n_put += got > 0 ? end - i : 0;
	}
	return box_leave(w->store, w->set->no, &box, err);
}

/* Notes that these vectors could not be made. */
static int
put_failed(struct store *s, const struct scope *who, int64_t set, const struct vector_key *keys,
	size_t n, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err), parts, done;
	FREED struct made *m = NULL;
	struct vset model;
	int waits;

	if (user < 0 || vset_get(s, set, &model, err) < 0)
		return -1;
	n = in_order(keys, n, user, &m);
	for (size_t i = 0; i < n; i++) {
		const struct vector_key *k = &m[i].key;
		if (i > 0 && m[i - 1].key.row == k->row && m[i - 1].key.kind == k->kind)
			continue;
		if (vectors_parts(s, vector_source_of(k->kind), k->row, &parts, err) < 0 ||
		    (waits = todo_has(s, set, k->kind, k->row, err)) < 0 ||
		    done_get(s, set, k->kind, k->row >> BOX_SHIFT, &done, err) < 0)
			return -1;
		if (parts == 0 || (!waits && (k->row & (BOX_ROWS - 1)) < done))
			continue;
		if (stmt_run(s, STMT_VTODO_FAIL, ARGS(set, k->kind, k->row, clock_now_us(),
		    BACKOFF_US), err) < 0)
			return -1;
	}
	return 0;
}

int
vectors_put(struct store *s, const struct scope *who, int64_t set, const struct vector_key *keys,
	const float *v, size_t n, size_t *n_put,
	    struct err *err)
{
	int64_t user;
	FREED struct slots *w = NULL;
	FREED struct made *m = NULL;
	struct vset model;

	if (v == NULL)
		return put_failed(s, who, set, keys, n, err);
	*n_put = 0;
	if ((user = user_number(s, who->user, false, err)) < 0 || vset_get(s, set, &model, err) < 0)
		return -1;
	n = in_order(keys, n, user, &m);
	w = xmalloc(sizeof(*w));
	if (user == 0 || n == 0)
		return 0;
	if (slots_open(s, &model, user, w, err) != 0 || put_all(w, m, n, v, n_put, err) != 0)
		return -1;
	return *n_put > 0 ? slots_close(w, err) : 0;
}

/* ---- what goes ---- */

struct gone { unsigned kind; int64_t *rows; size_t n; uint32_t *slots; size_t n_slots, cap; };

/* Zeroes and notes the slots of removed records in a page of codes. */
static int
clear_codes(struct store *s, const struct vset *v, int64_t user, uint32_t first, uint32_t n,
	struct gone *g, struct err *err)
{
	int64_t id = page_lo(user, v->no) + first / v->per_code;
	uint8_t copy[VECTOR_PAGE];
	const uint8_t *page;
	size_t before = g->n_slots;

	if (slots_page(s, STMT_VCODE_GET, id, n * v->code_bytes, &page, err) < 0)
		return -1;
	memcpy(copy, page, n * v->code_bytes);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *slot = copy + i * v->code_bytes;
		struct vector_key k;
		vector_key_unpack(slot_key(slot), user_lo(user), &k);
		if (slot_key(slot) == VECTOR_DEAD || k.kind != g->kind ||
		    bsearch(&k.row, g->rows, g->n, sizeof(k.row), by_int64) == NULL)
			continue;
		memset(slot, 0, v->code_bytes);
		*xpush(g->slots, g->n_slots, g->cap) = first + i;
	}
	return g->n_slots == before
	    ? 0
	    : slots_put_page(s, STMT_VCODE_PUT, id, copy, n * v->code_bytes, err);
}

/* Zeroes the same slots in the pages of bytes. */
static int
clear_bytes(struct store *s, const struct vset *v, int64_t user, uint32_t n, const struct gone *g,
	struct err *err)
{
	uint8_t copy[MAX(VECTOR_PAGE, SLOTS_ROOM)];
	const uint8_t *page;

	for (size_t i = 0; i < g->n_slots;) {
		uint32_t no = g->slots[i] / v->per_byte,
			 here = MIN(v->per_byte, n - no * v->per_byte);
		int64_t id = page_lo(user, v->no) + no;
		if (slots_page(s, STMT_VBYTE_GET, id, here * v->byte_bytes, &page, err) < 0)
			return -1;
		memcpy(copy, page, here * v->byte_bytes);
		for (; i < g->n_slots && g->slots[i] / v->per_byte == no; i++)
			memset(copy + g->slots[i] % v->per_byte * v->byte_bytes, 0, v->byte_bytes);
		if (slots_put_page(s, STMT_VBYTE_PUT, id, copy, here * v->byte_bytes, err) < 0)
			return -1;
	}
	return 0;
}

/* Records that are still there are missing again. */
static int
queue_again(struct store *s, int64_t set, const struct gone *g, struct err *err)
{
	const struct vector_source *from = vector_source_of(g->kind);

	for (size_t i = 0; from != NULL && i < g->n; i++) {
		int64_t row = g->rows[i], done;
		bool was_there;
		if (todo_delete(s, set, from->kind, row, &was_there, err) < 0 ||
		    done_get(s, set, from->kind, row >> BOX_SHIFT, &done, err) < 0)
			return -1;
		if ((row & (BOX_ROWS - 1)) < done && todo_skip(s, from, set, row, row, err) < 0)
			return -1;
	}
	return 0;
}

static int
remove_from(struct store *s, const struct vset *v, int64_t user, struct gone *g, struct err *err)
{
	uint32_t n, n_dead;

	g->n_slots = 0;
	if (slots_count(s, v->no, user, &n, &n_dead, err) < 0)
		return -1;
	for (uint32_t i = 0; i < n; i += v->per_code)
		if (clear_codes(s, v, user, i, MIN(v->per_code, n - i), g, err) < 0)
			return -1;
	if (clear_bytes(s, v, user, n, g, err) < 0 ||
	    cells_remove(s, v, user, g->slots, g->n_slots, g->rows,
		g->kind == VECTOR_MESSAGE ? g->n : 0, err) < 0)
		return -1;
	if (g->n_slots > 0 &&
	    stmt_run(s, STMT_VUSER_PUT, ARGS(v->no, user, n, n_dead + (uint32_t)g->n_slots),
		err) < 0)
		return -1;
	return queue_again(s, v->no, g, err);
}

int
vectors_remove(struct store *s, const struct scope *who, enum vector_kind kind, const int64_t *rows,
	size_t n, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct gone g = { .kind = kind };
	struct vset v = { .no = 0 };
	int got = 1;

	if (user <= 0 || n == 0)
		return user < 0 ? -1 : 0;
	g.rows = xmalloc(n * sizeof(*g.rows));
	for (size_t i = 0; i < n; i++)
		if (rows[i] >> USER_SHIFT == user)
			g.rows[g.n++] = rows[i];
	qsort(g.rows, g.n, sizeof(*g.rows), by_int64);
	while (got > 0 && g.n > 0 && (got = vset_next(s, &v, err)) > 0)
		if (remove_from(s, &v, user, &g, err) < 0)
			got = -1;
	free(g.rows);
	free(g.slots);
	return got < 0 ? -1 : 0;
}
