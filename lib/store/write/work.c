/*
 * work.c: the lists of work, a page for 256 turns of a session.
 *
 *	page      item item ...              in the order of storing
 *	item      8 bytes, little endian:    turn within the page (8 bits), hash (48), kind (8)
 *
 * A page lies beside the pages of its neighbours in time, so storing appends, a session that goes
 * takes a range of rows along, and a search reads all pages one after the other, which for a
 * million calls is 10 MB. Lists by key would make each transaction write all over the table.
 */
#include "store/work.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "store/sql/column.h"
#include "store/sql/message_columns.h"
#include "store/sql/handle.h"
#include "store/write/writer.h"

#define PAGE_TURNS 256
#define TURN_MASK  255
#define KEY_SHIFT  8

/* The page being filled. */
struct work_page {
	int64_t id;                        /* 0: none */
	uint64_t *items;
	size_t n, cap;
	bool dirty;
	struct arena arena;
};

static int64_t
page_of(int64_t row)
{
	int64_t turn = row & (TURNS_MAX - 1);

	return row - turn + turn / PAGE_TURNS;
}

/* The first row of which page id has items. */
static int64_t
first_row(int64_t id)
{
	int64_t no = id & (TURNS_MAX - 1);

	return id - no + no * PAGE_TURNS;
}

/* Appends the items of a page; none if it is not stored. */
static int
read_page(struct store *s, int64_t id, struct work_page *p, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_WORK_GET, ARGS(id), err);
	int got = db_row(q, err);

	p->n = 0;
	if (got <= 0)
		return got;
	const uint8_t *bytes = db_column_blob(q, 0);
	size_t n = (size_t)db_column_bytes(q, 0) / 8;
	xgrow(&p->items, &p->cap, n, sizeof(*p->items));
	for (; p->n < n; p->n++)
		p->items[p->n] = get_le64(bytes + 8 * p->n);
	db_reset(q);
	return 0;
}

/* Writes a page, or removes it if it has no items. */
static int
write_page(struct store *s, const struct work_page *p, struct err *err)
{
	if (p->n == 0)
		return stmt_run(s, STMT_WORK_DELETE, ARGS(p->id, p->id), err);
	FREED uint8_t *bytes = xreallocarray(NULL, p->n, 8);
	for (size_t i = 0; i < p->n; i++)
		put_le(bytes + 8 * i, p->items[i], 8);
	return stmt_run(s, STMT_WORK_PUT, ARGS(p->id, BLOB(bytes, p->n * 8)), err);
}

/* ---- storing ---- */

int
work_flush(struct store *s, struct err *err)
{
	if (s->work == NULL || !s->work->dirty)
		return 0;
	s->work->dirty = false;
	return write_page(s, s->work, err);
}

void
work_close(struct store *s)
{
	if (s->work == NULL)
		return;
	arena_release(&s->work->arena);
	free(s->work->items);
	free(s->work);
	s->work = NULL;
}

/* The keys by which a message is found; a system message has none. */
static size_t
keys_of(const struct message *m, struct arena *a, uint64_t *keys)
{
	const struct work_text t = { m->tool_calls, m->content, m->extra, m->content_len,
		m->role == ROLE_TOOL };
	size_t n;

	work_keys_read(&t, a, keys, &n);
	return n;
}

int
work_add(struct store *s, const struct message *m, struct err *err)
{
	uint64_t keys[WORK_KEYS_MOST];
	int64_t id = page_of(m->row);
	struct work_page *p;
	size_t n;

	if (m->role != ROLE_TOOL && (m->tool_calls == NULL || *m->tool_calls == '\0'))
		return 0;
	if ((p = s->work) == NULL)
		p = s->work = xcalloc(1, sizeof(*p));
	arena_reset(&p->arena);
	if ((n = keys_of(m, &p->arena, keys)) == 0)
		return 0;
	if (p->id != id) {
		if (work_flush(s, err) < 0)
			return -1;
		p->id = 0;
		if (read_page(s, id, p, err) < 0)
			return -1;
		p->id = id;
	}
	xgrow(&p->items, &p->cap, p->n + n, sizeof(*p->items));
	for (size_t i = 0; i < n; i++)
		p->items[p->n++] = keys[i] << KEY_SHIFT | (uint64_t)(m->row & TURN_MASK);
	p->dirty = true;
	return 0;
}

/* What the lists need of a message, from a row of STMT_ALL_MESSAGES; borrowed. */
static void
read_message(struct db_stmt *q, struct message *m)
{
	*m = (struct message){ .row = db_column_int(q, MESSAGE_id),
		.role = (enum role)column_within(q, MESSAGE_role, N_ROLES),
		.content = column_peek(q, MESSAGE_content),
		.content_len = (size_t)db_column_bytes(q, MESSAGE_content),
		.tool_calls = column_peek(q, MESSAGE_tool_calls),
		.extra = column_peek(q, MESSAGE_extra) };
}

int
work_fill(struct store *s, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_ALL_MESSAGES, ARGS(-1, INT64_MAX), err);
	int64_t before = -1;
	struct message m;
	int got = 0;

	while (got >= 0 && (got = db_row(q, err)) > 0) {
		read_message(q, &m);
		if (db_goes_on(s, before, m.row, err) < 0 || work_add(s, &m, err) < 0)
			got = -1;
		before = m.row;
	}
	if (got == 0)
		got = work_flush(s, err);
	work_close(s);
	return got;
}

/* ---- going ---- */

int
work_remove(struct store *s, int64_t lo, int64_t hi, struct err *err)
{
	struct work_page p = { .arena = ARENA_INIT };
	int rc = 0;

	for (int64_t row = lo; row <= hi && rc == 0; row = first_row(p.id) + PAGE_TURNS) {
		size_t kept = 0;

		p.id = page_of(row);
		rc = read_page(s, p.id, &p, err);
		for (size_t i = 0; i < p.n; i++) {
			int64_t of = first_row(p.id) + (int64_t)(p.items[i] & TURN_MASK);

			if (of < lo || of > hi)
				p.items[kept++] = p.items[i];
		}
		if (rc == 0 && kept < p.n) {
			p.n = kept;
			rc = write_page(s, &p, err);
		}
	}
	free(p.items);
	return rc;
}

void
work_page_each(int64_t id, const void *bytes, size_t len, work_page_fn *fn, void *arg)
{
	for (size_t i = 0; i + 8 <= len; i += 8)
		fn(arg, first_row(id) +
		    (int64_t)(get_le64((const uint8_t *)bytes + i) & TURN_MASK));
}

/* ---- searching ---- */

struct found { struct work_row *items; size_t n, cap; };

static bool
is_wanted(uint64_t key, enum work_kind kind, const uint64_t *keys, size_t n)
{
	for (size_t i = 0; keys != NULL && i < n; i++)
		if (keys[i] == key)
			return true;
	return keys == NULL && work_key_kind(key) == kind;
}

static int
find_rows(struct store *s, int64_t user, enum work_kind kind, const uint64_t *keys, size_t n,
	struct found *to, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_WORK_PAGES, ARGS(ROWS_OF(user)), err);
	int got;

	while ((got = db_row(q, err)) > 0) {
		const uint8_t *bytes = db_column_blob(q, 1);
		size_t len = (size_t)db_column_bytes(q, 1);
		int64_t first = first_row(db_column_int(q, 0));

		for (size_t i = 0; i + 8 <= len; i += 8) {
			uint64_t v = get_le64(bytes + i);

			if (!is_wanted(v >> KEY_SHIFT, kind, keys, n))
				continue;
			*xpush(to->items, to->n, to->cap) =
			    (struct work_row){ first + (int64_t)(v & TURN_MASK),
				v >> KEY_SHIFT, TIME_NONE };
		}
	}
	return got;
}

/* The rows of a session follow each other. */
static int
find_times(struct store *s, int64_t user, struct found *f, struct err *err)
{
	int64_t session = -1, us = TIME_NONE;

	for (size_t i = 0; i < f->n; i++) {
		if (f->items[i].row >> TURN_BITS != session) {
			struct db_stmt *q;

			session = f->items[i].row >> TURN_BITS;
			q = stmt_start(s, STMT_SESSION_BY_ID, ARGS(user, session), err);
			int got = db_row(q, err);
			if (got < 0)
				return -1;
			us = got > 0 ? column_time(q, 6) : TIME_NONE;
			db_reset(q);
		}
		f->items[i].session_us = us;
	}
	return 0;
}

static int
newest_first(const void *x, const void *y)
{
	const struct work_row *a = x, *b = y;
	bool no_time = a->session_us == TIME_NONE;

	if (no_time != (b->session_us == TIME_NONE))
		return no_time ? 1 : -1;
	if (a->session_us != b->session_us)
		return a->session_us < b->session_us ? 1 : -1;
	return (a->row < b->row) - (a->row > b->row);
}

int
work_rows(struct store *s, const struct scope *who, enum work_kind kind, const uint64_t *keys,
	size_t n, struct work_row **out, size_t *n_out, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct found f = { NULL, 0, 0 };

	*out = NULL;
	*n_out = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (find_rows(s, user, kind, keys, n, &f, err) < 0 || find_times(s, user, &f, err) < 0) {
		free(f.items);
		return -1;
	}
	if (f.n > 0)
		qsort(f.items, f.n, sizeof(*f.items), newest_first);
	*out = f.items;
	*n_out = f.n;
	return 0;
}

/* ---- checking ---- */

static uint64_t
item_hash(int64_t row, uint64_t key)
{
	return hash64_mix(hash64_mix((uint64_t)row) ^ key);
}

void
work_sum_message(struct db_stmt *q, struct arena *a, uint64_t *sum)
{
	uint64_t keys[WORK_KEYS_MOST];
	struct message m;

	read_message(q, &m);
	arena_reset(a);
	size_t n = keys_of(&m, a, keys);
	for (size_t i = 0; i < n; i++)
		*sum += item_hash(m.row, keys[i]);
}

int
work_sum_lists(struct store *s, uint64_t *sum, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_WORK_ALL, NO_ARGS, err);
	int got;

	while ((got = db_row(q, err)) > 0) {
		const uint8_t *bytes = db_column_blob(q, 1);
		size_t len = (size_t)db_column_bytes(q, 1);

		for (size_t i = 0; i + 8 <= len; i += 8) {
			uint64_t v = get_le64(bytes + i);

			*sum += item_hash(first_row(db_column_int(q, 0)) +
			    (int64_t)(v & TURN_MASK), v >> KEY_SHIFT);
		}
	}
	return got;
}
