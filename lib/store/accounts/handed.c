/*
 * handed.c: what a search handed out, packed.
 *
 *	blob      names item item ...        names: hash of the signals' names, 4 bytes
 *	item      row (8), what became of it (1; the high bit: a record), rank (2), tokens (2),
 *	          score, p, sim, bm25 (floats), number of signals (1), signal signal ...
 *	signal    number (1), value (the upper half of a float); zeros are left out
 *
 * All little endian. Signals are known by their number, which another version may give to another.
 */
#include "store/handed.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/conf.h"
#include "base/hash.h"
#include "rank/signals.h"
#include "store/sql/column.h"
#include "store/sql/handle.h"
#include "store/accounts/answers.h"

#define HEAD_BYTES   4
#define ITEM_BYTES   30
#define SIGNAL_BYTES 3
#define RECORD_BIT   0x80
#define SMALL_MOST   65535

_Static_assert(N_SIGNALS < 128, "the number of signals is a byte");

const char *const handed_names[N_HANDED] = { "out", "beside", "no room", "twin", "nothing",
	"unlikely", "refused" };

void
handed_add(struct handed_list *to, const struct handed *h)
{
	*xpush(to->items, to->n, to->cap) = *h;
}

void
handed_list_release(struct handed_list *l)
{
	free(l->items);
	*l = (struct handed_list){ NULL, 0, 0 };
}

static void
put(struct buf *out, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		buf_addc(out, (char)(v >> 8 * i & 255));
}

static uint32_t
bits_of(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static uint32_t
names_hash(void)
{
	uint64_t h = 0;

	for (size_t i = 0; i < N_SIGNALS; i++)
		h = hash64(signals[i].name, strlen(signals[i].name), h);
	return (uint32_t)h;
}

/* ---- packing ---- */

static void
pack_item(struct buf *out, const struct handed *h)
{
	const float floats[] = { h->score, h->p, h->sim, h->bm25 };

	put(out, (uint64_t)h->row, 8);
	put(out, (unsigned)h->did | (h->is_record ? RECORD_BIT : 0), 1);
	put(out, MIN(h->rank, SMALL_MOST), 2);
	put(out, MIN(h->tokens, SMALL_MOST), 2);
	for (size_t i = 0; i < NELEM(floats); i++)
		put(out, bits_of(floats[i]), 4);
	size_t at = out->len;
	put(out, 0, 1);
	for (size_t i = 0; h->x != NULL && i < N_SIGNALS; i++) {
		/* rounded; signals are far from the largest float */
		uint32_t half = (bits_of(h->x[i]) + 0x8000) >> 16;

		if ((half & 0x7fff) == 0 || out->full)
			continue;
		put(out, i, 1);
		put(out, half, 2);
		out->data[at]++;
	}
}

void
handed_pack(const struct handed *h, size_t n, struct buf *out)
{
	if (n > 0)
		put(out, names_hash(), HEAD_BYTES);
	for (size_t i = 0; i < n; i++)
		pack_item(out, &h[i]);
}

/* The length of the item at the beginning of bytes; 0: there is no whole item. */
static size_t
item_len(const uint8_t *p, size_t len)
{
	size_t n = len < ITEM_BYTES ? 0 : ITEM_BYTES + SIGNAL_BYTES * (size_t)p[ITEM_BYTES - 1];

	return n <= len ? n : 0;
}

static void
unpack_item(const uint8_t *p, bool named, struct arena *a, struct handed *h)
{
	float *x = NULL;

	*h = (struct handed){ .row = (int64_t)get_le64(p),
		.is_record = (p[8] & RECORD_BIT) != 0,
		.did = (enum handed_did)MIN(p[8] & ~RECORD_BIT, N_HANDED - 1),
		.rank = get_le16(p + 9),
		.tokens = get_le16(p + 11),
		.score = get_le_float(p + 13),
		.p = get_le_float(p + 17),
		.sim = get_le_float(p + 21),
		.bm25 = get_le_float(p + 25) };
	if (!named || p[ITEM_BYTES - 1] == 0)
		return;
	h->x = x = arena_zalloc(a, N_SIGNALS * sizeof(*x));
	for (size_t i = 0; i < p[ITEM_BYTES - 1]; i++) {
		const uint8_t *signal = p + ITEM_BYTES + SIGNAL_BYTES * i;

		if (signal[0] < N_SIGNALS)
			x[signal[0]] = float_of_bits((uint32_t)get_le16(signal + 1) << 16);
	}
}

static void
unpack(const uint8_t *p, size_t len, struct arena *a, struct handed_list *to)
{
	bool named = len >= HEAD_BYTES && get_le32(p) == names_hash();
	struct handed h;
	size_t n;

	to->n = 0;
	for (size_t at = HEAD_BYTES; at < len && (n = item_len(p + at, len - at)) > 0; at += n) {
		unpack_item(p + at, named, a, &h);
		handed_add(to, &h);
	}
}

void
handed_bytes_each(const void *bytes, size_t len, handed_bytes_fn *fn, void *arg)
{
	const uint8_t *p = bytes;
	size_t n;

	for (size_t at = HEAD_BYTES; at < len && (n = item_len(p + at, len - at)) > 0; at += n)
		fn(arg, (p[at + 8] & RECORD_BIT) != 0, (int64_t)get_le64(p + at));
}

/* ---- reading ---- */

int
handed_each(struct store *s, const struct scope *who, handed_fn *fn, void *arg, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	LOCAL(handed_list) list = { NULL, 0, 0 };
	LOCAL(arena) a = ARENA_INIT;
	int got = 0, rc = 0;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	struct db_stmt *q = stmt_start(s, STMT_HANDED, ARGS(user), err);
	while (rc == 0 && (got = db_row(q, err)) > 0) {
		struct handed_answer v = { .time_us = db_column_int(q, 0) };

		arena_reset(&a);
		v.program = column_text(q, 1, &a);
		v.path = column_text(q, 2, &a);
		unpack(db_column_blob(q, 3), (size_t)db_column_bytes(q, 3), &a, &list);
		v.items = list.items;
		v.n = list.n;
		rc = fn(arg, &v);
	}
	if (got > 0)
		db_reset(q);
	return got < 0 || rc < 0 ? -1 : 0;
}

/* ---- going ---- */

/* Copies the items that stay. */
static void
keep(const uint8_t *p, size_t len, handed_goes_fn *goes, void *arg, struct buf *out)
{
	size_t n;

	buf_reset(out);
	buf_add(out, (const char *)p, MIN(len, HEAD_BYTES));
	for (size_t at = HEAD_BYTES; at < len && (n = item_len(p + at, len - at)) > 0; at += n)
		if (!goes(arg, (p[at + 8] & RECORD_BIT) != 0, (int64_t)get_le64(p + at)))
			buf_add(out, (const char *)p + at, n);
}


int
handed_remove(struct store *s, int64_t user, handed_goes_fn *goes, void *arg, struct err *err)
{
	int64_t id = 0;
	int rc = 0;
	LOCAL(buf) kept = buf_of(conf_caps.output_bytes);

	while (rc == 0) {
		struct db_stmt *q = stmt_start(s, STMT_HANDED_NEXT, ARGS(user, id), err);
		int got = db_row(q, err);

		if (got <= 0) {
			rc = got;
			break;
		}
		id = db_column_int(q, 0);
		size_t len = (size_t)db_column_bytes(q, 1);
		keep(db_column_blob(q, 1), len, goes, arg, &kept);
		db_reset(q);
		if (kept.len < len)
			rc = stmt_run(s, STMT_HANDED_SET, ARGS(BLOB(kept.data, kept.len), id,
			    user), err);
	}
	return rc;
}
