/*
 * vectors_gone.c: finds the stored bytes of the vectors of records that are to be removed, for a
 * proof that none of them is left.
 */
#include "store/vectors/slots.h"

#include "base/alloc.h"
#include "base/order.h"
#include "store/prune.h"

struct places {
	struct store *s;
	int64_t user;
	const struct vector_rows *of;
	vector_bytes_fn *fn;
	void *arg;
	uint32_t *slots;                       /* [n], ascending */
	size_t n, cap;
};

/* Reads all codes; the copies in cells are the same bytes. */
static int
tell_codes(struct places *p, const struct vset *v, uint32_t n, struct err *err)
{
	const uint8_t *page;
	struct vector_key k;

	p->n = 0;
	for (uint32_t first = 0; first < n; first += v->per_code) {
		uint32_t here = MIN(v->per_code, n - first);

		if (slots_page(p->s, STMT_VCODE_GET, page_lo(p->user, v->no) + first / v->per_code,
			here * v->code_bytes, &page, err) < 0)
			return -1;
		for (uint32_t i = 0; i < here; i++) {
			const uint8_t *slot = page + i * v->code_bytes;

			vector_key_unpack(slot_key(slot), user_lo(p->user), &k);
			if (slot_key(slot) == VECTOR_DEAD || k.kind != p->of->kind ||
			    bsearch(&k.row, p->of->rows, p->of->n, sizeof(k.row),
				by_int64) == NULL)
				continue;
			p->fn(p->arg, slot_key(slot), slot + 8, v->code_bytes - 8);
			*xpush(p->slots, p->n, p->cap) = first + i;
		}
	}
	return 0;
}

static int
tell_bytes(struct places *p, const struct vset *v, uint32_t n, struct err *err)
{
	const uint8_t *page = NULL;

	for (size_t i = 0; i < p->n; i++) {
		uint32_t no = p->slots[i] / v->per_byte,
			 here = MIN(v->per_byte, n - no * v->per_byte);

		if ((i == 0 || no != p->slots[i - 1] / v->per_byte) &&
		    slots_page(p->s, STMT_VBYTE_GET, page_lo(p->user, v->no) + no,
			here * v->byte_bytes, &page, err) < 0)
			return -1;
		const uint8_t *slot = page + p->slots[i] % v->per_byte * v->byte_bytes;
		p->fn(p->arg, slot_key(slot), slot + 8, v->byte_bytes - 8);
	}
	return 0;
}

int
vectors_bytes_each(struct store *s, const struct scope *who, const struct vector_rows *of,
	vector_bytes_fn *fn, void *arg, struct err *err)
{
	struct places p = { .s = s, .user = user_number(s, who->user, false, err), .of = of,
		.fn = fn, .arg = arg };
	struct vset v = { .no = 0 };
	uint32_t n, n_dead;
	int got = p.user < 0 ? -1 : p.user > 0 && of->n > 0;

	while (got > 0 && (got = vset_next(s, &v, err)) > 0)
		if (slots_count(s, v.no, p.user, &n, &n_dead, err) < 0 ||
		    tell_codes(&p, &v, n, err) < 0 || tell_bytes(&p, &v, n, err) < 0)
			got = -1;
	free(p.slots);
	return got < 0 ? -1 : 0;
}
