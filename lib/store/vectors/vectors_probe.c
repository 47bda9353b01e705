/*
 * vectors_probe.c: the cells that are nearest to a question, and the tail behind them; a sample,
 * which says what all cosines are like; and single messages by their place.
 *
 *	slots   0 ............................ cells.n ...... n
 *	         in cells: those of a few cells       all
 */
#include "store/vectors/cells.h"

#include <math.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/conf.h"
#include "base/order.h"
#include "math/topk.h"

/*
 * share of the nearest cell's product with the question; a cell with less seldom has near vectors
 */
#define FAR_CELL     0.45f
#define SAMPLE_PAGES 128 /* pages of codes: some 8,500 vectors of 384 dimensions */

/* ---- found: keys, cosines and slots of live ones, a page at a time ---- */

struct found {
	struct vectors *v;
	struct vectors_question *a;
	vectors_found_fn *fn;
	void *arg;
	/* a bit for each slot that was given to fn; NULL: no slot comes twice */
	uint64_t *seen;
};

/* Whether the slot is to be given to fn. */
static inline bool
is_new(struct found *f, uint32_t slot)
{
	uint64_t bit = (uint64_t)1 << slot % 64;

	if (f->seen == NULL)
		return true;
	if (f->seen[slot / 64] & bit)
		return false;
	f->seen[slot / 64] |= bit;
	return true;
}

/* Gives n codes that stand together to fn; numbers NULL: their slots are first, first + 1 ... */
static void
tell(struct found *f, const uint8_t *slots, size_t stride, uint32_t n, const uint32_t *numbers,
	uint32_t first)
{
	uint64_t keys[VECTORS_PER_PAGE];
	float cosines[VECTORS_PER_PAGE];
	uint32_t at[VECTORS_PER_PAGE], kept = 0;

	vscore_codes(f->a, slots, stride, n, cosines);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t key = slot_key(slots + i * stride);
		uint32_t slot = numbers != NULL ? numbers[i] : first + i;
		if (key == VECTOR_DEAD || !is_new(f, slot))
			continue;
		keys[kept] = key;
		cosines[kept] = cosines[i];
		at[kept++] = slot;
	}
	f->fn(f->arg, kept, keys, cosines, at);
}

static int
read_cell(struct found *f, uint32_t cell, struct err *err)
{
	struct vectors *v = f->v;
	struct db_stmt *q = stmt_start(v->store, STMT_VCELL, ARGS(cell_lo(v->user, &v->set, cell),
	    cell_hi(v->user, &v->set, cell)), err);
	size_t each = cell_bytes(&v->set);
	uint32_t numbers[VECTORS_PER_PAGE];
	int got = 1;

	while (got > 0 && (got = db_row(q, err)) > 0) {
		const uint8_t *page = db_column_blob(q, 0);
		size_t bytes = (size_t)db_column_bytes(q, 0);
		uint32_t n = (uint32_t)(bytes / each);
		bool sane = bytes % each == 0 && n <= cell_per_page(&v->set);
		for (uint32_t i = 0; sane && i < n; i++) {
			numbers[i] = get_le32(page + i * each + v->set.code_bytes);
			sane = numbers[i] < v->info.n;
		}
		if (!sane)
			got = err_set(err, ERR_IO, VECTORS_DAMAGED);
		else if (n > 0)
			tell(f, page, each, n, numbers, 0);
	}
	db_reset(q);
	return got < 0 ? -1 : 0;
}

/* Gives those of slots first ... end - 1 that are on a page of codes. */
static int
read_codes(struct found *f, uint32_t no, uint32_t first, uint32_t end, struct err *err)
{
	struct vectors *v = f->v;
	uint32_t start = no * v->set.per_code, n = MIN(v->set.per_code, v->info.n - start),
		 skip = first > start ? first - start : 0;
	uint32_t rest = MIN(n, end - start);
	const uint8_t *page;

	if (slots_page(v->store, STMT_VCODE_GET, page_lo(v->user, v->set.no) + no,
		n * v->set.code_bytes, &page, err) < 0)
		return -1;
	tell(f, page + skip * v->set.code_bytes, v->set.code_bytes, rest - skip, NULL,
	    start + skip);
	return 0;
}

/* Those of slots first ... end - 1 that are on a page of codes. */
struct part { uint32_t no, first, end; };
struct parts { struct part *at; size_t n, cap; };

/* Adds the pages that have these slots. */
static void
add_slots(struct parts *to, const struct vectors *v, uint32_t first, uint32_t end)
{
	for (uint32_t no = first / MAX(v->set.per_code, 1); no * v->set.per_code < end; no++) {
		*xpush(to->at, to->n, to->cap) = (struct part){ no, first, end };
	}
}

static int
want_parts(struct vectors *v, const struct parts *p, struct err *err)
{
	for (size_t i = 0; i < p->n; i++)
		if (stmt_want(v->store, STMT_VCODE_GET, ARGS(page_lo(v->user, v->set.no) +
		    p->at[i].no), err) < 0)
			return -1;
	return 0;
}

static int
read_parts(struct found *f, const struct parts *p, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < p->n && rc == 0; i++)
		rc = read_codes(f, p->at[i].no, p->at[i].first, p->at[i].end, err);
	return rc;
}

/*
 * The most cells that are read: so many that they have cells_probed times the square root of all
 * entries.
 */
static uint32_t
n_probes(const struct vectors *v)
{
	double want = (double)conf_int("cells_probed") * v->cells.k / sqrt((double)v->cells.n) /
	    (v->cells.twice ? CELLS_EACH : 1);

	return want < 1 ? 1 : want < v->cells.k ? (uint32_t)want : v->cells.k;
}

ORDER_BY(by_id, struct topk_item, id)

struct comparing { size_t slot_bytes; struct vec_query q; struct topk *best; };

static void
compare(void *arg, uint32_t first, uint32_t n, const uint8_t *slots)
{
	struct comparing *x = arg;

	for (uint32_t i = 0; i < n; i++, slots += x->slot_bytes)
		topk_add(x->best,
		    (float)((double)slot_scale(slots) * x->q.step *
			vec_query_dot(&x->q, slot_values(slots))),
		    first + i);
}

/*
 * A question in the midst of some cells needs few of them; one that is far from all cells takes the
 * most.
 */
static void
leave_far(struct topk *best)
{
	float nearest = 0;
	size_t kept = 0;

	for (size_t i = 0; i < best->n; i++)
		nearest = MAX(nearest, best->items[i].score);
	for (size_t i = 0; i < best->n; i++)
		if (nearest == 0 || best->items[i].score >= FAR_CELL * nearest)
			best->items[kept++] = best->items[i];
	best->n = kept;
}

/*
 * Orders cells by <x, centroid>, x being q without what it shares with c, which for cells at the
 * same distance from c is how near their vectors are.
 */
static int
choose(const struct vectors *v, const float *q, struct topk *best, struct err *err)
{
	struct comparing x = { .slot_bytes = v->set.byte_bytes, .best = best };
	float d[VEC_MAX_DIMS];
	double share;

	vectors_off_centre(v, q, d, &share);
	vec_query(&x.q, d, v->set.model.n_dims);
	if (cells_centroids(v->store, &v->set, v->user, v->cells.k, compare, &x, err) < 0)
		return -1;
	if (best->n < v->cells.k)
		leave_far(best);
	qsort(best->items, best->n, sizeof(*best->items), by_id);
	return 0;
}

static int
read_near(struct found *f, const float *q, struct err *err)
{
	struct vectors *v = f->v;
	LOCAL(topk) best = { 0 };

	f->seen = xcalloc(v->info.n / 64 + 1u, sizeof(*f->seen));
	topk_init(&best, n_probes(v));
	int rc = choose(v, q, &best, err);
	for (size_t i = 0; rc == 0 && i < best.n; i++) {
		uint32_t cell = (uint32_t)best.items[i].id;
		rc = stmt_want(v->store, STMT_VCELL, ARGS(cell_lo(v->user, &v->set, cell),
		    cell_hi(v->user, &v->set, cell)), err);
	}
	for (size_t i = 0; rc == 0 && i < best.n; i++)
		rc = read_cell(f, (uint32_t)best.items[i].id, err);
	free(f->seen);
	f->seen = NULL;
	return rc;
}

/* Evenly spread pages. */
static void
add_sample(struct parts *to, const struct vectors *v)
{
	uint32_t n_pages = (v->info.n + v->set.per_code - 1) / MAX(v->set.per_code, 1),
		 n = MIN(n_pages, SAMPLE_PAGES);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = (uint32_t)((uint64_t)i * n_pages / n) * v->set.per_code;
		add_slots(to, v, first, MIN(first + v->set.per_code, v->info.n));
	}
}

/* ---- messages by their rows ---- */

static int
want_places(struct vectors *v, const int64_t *rows, size_t n, struct err *err)
{
	for (size_t i = 0; db_gathers(v->store->db) && i < n; i++)
		if (stmt_want(v->store, STMT_VPLACE_GET, ARGS(v->set.no, rows[i] >> PLACE_SHIFT),
		    err) < 0)
			return -1;
	return 0;
}

/* The pages of the rows, each once. */
static int
add_beside(struct parts *to, struct vectors *v, const int64_t *rows, size_t n, struct err *err)
{
	struct place_reader places = { v->store, v->set.no, -1, NULL, 0 };
	FREED uint32_t *pages = xreallocarray(NULL, n + 1, sizeof(*pages));
	uint32_t slot;
	size_t n_pages = 0;
	int rc = want_places(v, rows, n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = place_read(&places, rows[i], &slot, err);
		if (rc == 0 && slot < v->info.n &&
		    (n_pages == 0 || pages[n_pages - 1] != slot / v->set.per_code))
			pages[n_pages++] = slot / v->set.per_code;
	}
	qsort(pages, n_pages, sizeof(*pages), by_uint32);
	for (size_t i = 0; rc == 0 && i < n_pages; i++)
		if (i == 0 || pages[i] != pages[i - 1])
			add_slots(to, v, pages[i] * v->set.per_code,
			    MIN((pages[i] + 1) * v->set.per_code, v->info.n));
	return rc;
}

/* The best cosine of a message's chunks, the first of which has that slot. */
static int
best_part(struct place *p, const struct vectors_question *a, int64_t row, uint32_t slot,
	float *cosine, uint32_t *at, struct err *err)
{
	struct vector_key key;

	for (unsigned part = 0; slot < p->v->info.n; slot++, part++) {
		const uint8_t *bytes = vslot_at(p, slot, err);
		float c;
		if (bytes == NULL)
			return -1;
		vector_key_unpack(slot_key(bytes), p->v->info.user_base, &key);
		if (slot_key(bytes) == VECTOR_DEAD || key.kind != VECTOR_MESSAGE ||
		    key.row != row || key.part != part)
			break;
		if ((c = vscore_bytes(a, bytes)) > *cosine) {
			*cosine = c;
			*at = slot;
		}
	}
	return 0;
}

int
vectors_of_messages(struct vectors *v, const float *q, const int64_t *rows, size_t n,
	float *cosines, uint32_t *slots, struct err *err)
{
	struct place p = { v, 0, NULL };
	struct place_reader places = { v->store, v->set.no, -1, NULL, 0 };
	struct vectors_question *a = vectors_question_new(v, q);
	FREED uint32_t *first = xreallocarray(NULL, n + 1, sizeof(*first));
	int rc = want_places(v, rows, n, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = place_read(&places, rows[i], &first[i], err);
	/* with the slot after each, which tells whether the message has another chunk */
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (first[i] < v->info.n)
			rc = vslots_want(v, (const uint32_t[]){ first[i],
			    MIN(first[i] + 1, v->info.n - 1) }, 2, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		cosines[i] = -2;
		slots[i] = 0;
		if (first[i] < v->info.n)
			rc = best_part(&p, a, rows[i], first[i], &cosines[i], &slots[i], err);
	}
	vectors_question_free(a);
	return rc;
}

int
vectors_estimate(struct vectors *v, const float *q, const struct vectors_some *some,
	vectors_found_fn *fn, void *arg, struct err *err)
{
	struct found f = { v, NULL, fn, arg, NULL };
	struct parts p = { NULL, 0, 0 };
	bool cells = some->which == VECTORS_NEAR && v->info.n_cells > 0;
	int rc = 0;

	if (some->which == VECTORS_NEAR)
		add_slots(&p, v, cells ? v->cells.n : 0, v->info.n);
	else if (some->which == VECTORS_SAMPLE)
		add_sample(&p, v);
	else if (some->which == VECTORS_BESIDE)
		rc = add_beside(&p, v, some->rows, some->n, err);
	else
		for (size_t i = 0; i < some->n; i++)
			add_slots(&p, v, some->slots[i] - (some->slots[i] > 0),
			    MIN(some->slots[i] + 2, v->info.n));
	f.a = vectors_question_new(v, q);
	if (rc == 0)
		rc = want_parts(v, &p, err);
	if (rc == 0 && cells)
		rc = read_near(&f, q, err);
	if (rc == 0)
		rc = read_parts(&f, &p, err);
	vectors_question_free(f.a);
	free(p.at);
	return rc;
}
