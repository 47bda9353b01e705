/*
 * vectors_given.c: vectors out and in as they are stored. What is written of a vector is the slot
 * that has its bytes; its code is made of that, so that it is the same in the other store.
 */
#include "base/alloc.h"
#include "base/order.h"
#include "store/sql/column.h"
#include "store/vectors/slots.h"
#include "store/transfer.h"
#include "store/write/writer.h"

#define KEY_BYTES 8                            /* of a byte's slot, before what is given */

/* ---- out ---- */

struct place { uint64_t key; uint32_t slot; };

struct vectors_out {
	struct store *s;
	struct vset set;
	int64_t user;
	uint32_t n_slots;
	struct place *places;                  /* [n] by key */
	size_t n;
	uint8_t *parts;
	size_t cap;
};

ORDER_BY(by_key, struct place, key)

static int
read_keys(struct vectors_out *v, struct err *err)
{
	const uint8_t *page;

	v->places = xreallocarray(NULL, v->n_slots + 1, sizeof(*v->places));
	for (uint32_t first = 0; first < v->n_slots; first += v->set.per_code) {
		uint32_t here = MIN(v->set.per_code, v->n_slots - first);

		if (slots_page(v->s, STMT_VCODE_GET,
		    page_lo(v->user, v->set.no) + first / v->set.per_code,
		    here * v->set.code_bytes, &page, err) < 0)
			return -1;
		for (uint32_t i = 0; i < here; i++) {
			uint64_t key = slot_key(page + i * v->set.code_bytes);

			if (key != VECTOR_DEAD)
				v->places[v->n++] = (struct place){ key, first + i };
		}
	}
	qsort(v->places, v->n, sizeof(*v->places), by_key);
	return 0;
}

int
vectors_out_open(struct store *s, const struct scope *who, struct vectors_out **out,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q = stmt_start(s, STMT_VSET_CURRENT, NO_ARGS, err);
	struct vectors_out *v = xcalloc(1, sizeof(*v));
	uint32_t n_dead;
	int got = user < 0 ? -1 : vset_read(q, &v->set, err);

	*out = NULL;
	v->s = s;
	v->user = user;
	if (got > 0 && user > 0 &&
	    (slots_count(s, v->set.no, user, &v->n_slots, &n_dead, err) < 0 ||
	    read_keys(v, err) < 0))
		got = -1;
	if (got > 0 && v->n > 0)
		*out = v;
	else
		vectors_out_close(v);
	return got < 0 ? -1 : 0;
}

void
vectors_out_close(struct vectors_out *v)
{
	if (v == NULL)
		return;
	free(v->places);
	free(v->parts);
	free(v);
}

/* Appends the bytes of a slot; 0: another record has it by now. */
static int
read_part(struct vectors_out *v, const struct place *p, size_t at, struct err *err)
{
	uint32_t no = p->slot / v->set.per_byte,
		 here = MIN(v->set.per_byte, v->n_slots - no * v->set.per_byte);
	size_t bytes = v->set.byte_bytes - KEY_BYTES;
	struct db_stmt *q = stmt_start(v->s, STMT_VBYTE_GET, ARGS(page_lo(v->user,
	    v->set.no) + no), err);
	int got;

	if ((got = db_row(q, err)) < 0)
		return -1;
	/* the last page may have grown since, and nothing of it moves */
	if (got == 0 || (size_t)db_column_bytes(q, 0) < here * v->set.byte_bytes)
		return err_set(err, ERR_IO, VECTORS_DAMAGED);
	const uint8_t *slot = (const uint8_t *)db_column_blob(q, 0) +
	    p->slot % v->set.per_byte * v->set.byte_bytes;
	if (slot_key(slot) != p->key)
		return 0;
	xgrow(&v->parts, &v->cap, (at + 1) * bytes, 1);
	memcpy(v->parts + at * bytes, slot + KEY_BYTES, bytes);
	return 1;
}

int
vectors_out_of(struct vectors_out *v, enum vector_kind kind, int64_t row,
	struct vectors_given *out, struct err *err)
{
	struct vector_key k = { row, 0, (uint8_t)kind };
	struct place want = { vector_key_pack(&k), 0 };
	int got = 1;

	memcpy(out->model, v->set.model.sha256, SHA256_BYTES);
	out->n_parts = 0;
	while (got > 0) {
		const struct place *p = bsearch(&want, v->places, v->n, sizeof(want), by_key);

		if (p == NULL)
			break;
		if ((got = read_part(v, p, out->n_parts, err)) > 0)
			out->n_parts++;
		k.part++;
		want.key = vector_key_pack(&k);
	}
	db_reset_all(v->s->db);
	if (got == 0)
		out->n_parts = 0;
	out->part_bytes = v->set.byte_bytes - KEY_BYTES;
	out->parts = v->parts;
	return got < 0 ? -1 : 0;
}

int
vectors_current(struct store *s, vector_model_fn *fn, void *arg, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_VSET_CURRENT, NO_ARGS, err);
	struct vset v;
	int got = vset_read(q, &v, err);

	return got <= 0 ? got : fn(arg, &v.model) < 0 ? -1 : 0;
}

/* ---- in ---- */

struct vectors_in {
	struct store *s;
	struct scope who;
	struct vset set;
	struct slots slots;
	struct box box;
	size_t n_put;
	struct arena arena;
};

int
vectors_in_open(struct store *s, const struct scope *who, const uint8_t model[SHA256_BYTES],
	struct vectors_in **out, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	struct db_stmt *q =
	    stmt_start(s, STMT_VSET_BY_SHA256, ARGS(BLOB(model, SHA256_BYTES)), err);
	struct vectors_in *v = xcalloc(1, sizeof(*v));
	int got = user < 0 ? -1 : vset_read(q, &v->set, err);

	*out = NULL;
	if (got == 0)
		err_set(err, ERR_DATA, "the model of the vectors is not before them");
	v->s = s;
	v->who = (struct scope){ xstrdup(who->user), NULL, NULL, NULL };
	v->box = (struct box)BOX_NONE;
	if (got > 0 && slots_open(s, &v->set, user, &v->slots, err) == 0) {
		*out = v;
		return 0;
	}
	vectors_in_free(v);
	return -1;
}

/* The row of a record and its text, in the arena; 0: it is not there. */
static int
find_text(struct vectors_in *v, const struct vectors_given *g, int64_t *row, const char **text,
	size_t *len, struct err *err)
{
	uint8_t ulid[ID_BYTES];
	const struct fact *f;
	struct db_stmt *q;

	*row = 0;
	if (g->kind != VECTOR_MESSAGE) {
		if (records_find(v->s, &v->who, g->id, &v->arena, &f, err) < 0)
			return -1;
		if (f != NULL) {
			*row = f->head.row;
			*text = f->head.content;
			*len = f->head.content_len;
		}
		return 0;
	}
	if (id_parse(g->id, strlen(g->id), ulid) < 0)
		return -1;
	int got = stmt_number(v->s, STMT_MESSAGE_ROW, ARGS(BLOB(ulid, ID_BYTES)), row, err);
	if (got < 0 || *row >> USER_SHIFT != v->slots.user) {
		*row = 0;
		return got < 0 ? -1 : 0;
	}
	q = stmt_start(v->s, STMT_MESSAGE_TEXT, ARGS(*row, ROWS_OF(v->slots.user)), err);
	if ((got = db_row(q, err)) < 0)
		return -1;
	*text = got > 0 ? column_text(q, 0, &v->arena) : "";
	*len = got > 0 ? (size_t)db_column_bytes(q, 0) : 0;
	db_reset(q);
	return 0;
}

/* As slot_fill makes them: a scale that is no larger than a difference, and no byte below -127. */
static bool
is_sound(const struct vectors_in *v, const struct vectors_given *g)
{
	size_t bytes = v->set.byte_bytes - KEY_BYTES;

	for (size_t i = 0; i < g->n_parts && g->part_bytes == bytes; i++) {
		const uint8_t *part = g->parts + i * bytes;
		uint8_t slot[SLOT_HEAD] = { 0 };

		memcpy(slot + KEY_BYTES, part, 4);
		float scale = slot_scale(slot);
		if (!(scale >= 0 && scale <= 1) || memchr(part + 4, 0x80, bytes - 4) != NULL)
			return false;
	}
	return g->n_parts > 0 && g->part_bytes == bytes;
}

static int
add_parts(struct vectors_in *v, const struct vectors_given *g, int64_t row, struct err *err)
{
	uint8_t slot[SLOTS_ROOM];

	for (size_t i = 0; i < g->n_parts; i++) {
		const struct vector_key k = { row, (uint16_t)i, (uint8_t)g->kind };

		slot_head(slot, vector_key_pack(&k), 0);
		memcpy(slot + KEY_BYTES, g->parts + i * g->part_bytes, g->part_bytes);
		if (slots_add(&v->slots, slot, err) < 0)
			return -1;
	}
	return 0;
}

int
vectors_in_put(struct vectors_in *v, const struct vectors_given *g, enum give_did *did,
	struct err *err)
{
	const struct vector_source *from = vector_source_of(g->kind);
	uint8_t sum[SHA256_BYTES];
	const char *text = "";
	struct vector_key k = { 0, 0, (uint8_t)g->kind };
	size_t len = 0;
	int64_t parts;
	int got;

	arena_reset(&v->arena);
	if (from == NULL || !is_sound(v, g))
		return err_set(err, ERR_DATA, "no vectors of '%s'", v->set.model.name);
	if (find_text(v, g, &k.row, &text, &len, err) < 0)
		return -1;
	*did = GIVEN_BURIED;
	if (k.row == 0)
		return 0;
	sha256(text, len, sum);
	*did = GIVEN_DIFFERS;
	if (memcmp(sum, g->of, sizeof(sum)) != 0)
		return 0;
	if (vectors_parts(v->s, from, k.row, &parts, err) < 0)
		return -1;
	if (parts != (int64_t)g->n_parts)
		return err_set(err, ERR_DATA,
		    "its text is cut otherwise here: mem-embed makes its vectors anew");
	if (box_enter(v->s, v->set.no, &v->box, &k, err) < 0 ||
	    (got = box_take(v->s, v->set.no, &v->box, from, k.row, err)) < 0)
		return -1;
	*did = got > 0 ? GIVEN_STORED : GIVEN_SAME;
	v->n_put += got > 0;
	return got > 0 ? add_parts(v, g, k.row, err) : 0;
}

int
vectors_in_close(struct vectors_in *v, struct err *err)
{
	int rc = 0;

	if (v == NULL)
		return 0;
	if (box_leave(v->s, v->set.no, &v->box, err) < 0 ||
	    (v->n_put > 0 && slots_close(&v->slots, err) < 0))
		rc = -1;
	vectors_in_free(v);
	return rc;
}

void
vectors_in_free(struct vectors_in *v)
{
	if (v == NULL)
		return;
	arena_release(&v->arena);
	free((char *)(uintptr_t)v->who.user);
	free(v);
}
