/*
 * vectors_queue.c: which records have no vector yet, without a row for each: rows of a box (a
 * session) are stored in ascending order, so one number a box says up to where all is done. What
 * comes after it is missing, and storing a message costs the queue nothing. Exceptions below the
 * number, and records that failed and wait, have a row in vector_todo.
 */
#include "store/sql/column.h"
#include "store/vectors/slots.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"

#define PAGE_ROWS  64
#define PAGE_BYTES (4u << 20) /* bytes of text that are fetched before the callback runs */

#define SOURCE(kind, of) \
	{ kind, STMT_V##of##_BOXES, STMT_V##of##_RECORDS, STMT_V##of##_DUE, STMT_V##of##_ALL, \
	    STMT_V##of##_SKIP, STMT_V##of##_COUNT, STMT_V##of##_COUNT_TODO }
const struct vector_source vector_sources[] = {
	SOURCE(VECTOR_MESSAGE, MESSAGE),
	SOURCE(VECTOR_FACT, RECORD),
	SOURCE(VECTOR_SUMMARY, RECORD),
	SOURCE(VECTOR_REFLECTION, RECORD),
	SOURCE(VECTOR_PROFILE, PROFILE),
};
const size_t vector_n_sources = NELEM(vector_sources);

const struct vector_source *
vector_source_of(unsigned kind)
{
	for (size_t i = 0; i < vector_n_sources; i++)
		if (vector_sources[i].kind == kind)
			return &vector_sources[i];
	return NULL;
}

/*
 * Whether records of a kind want vectors: not if the settings leave them out, or if they must not
 * leave this machine. They do not count as missing then.
 */
static bool
is_wanted(const struct vector_source *from, bool by_service)
{
	if (from->kind == VECTOR_PROFILE)
		return !by_service;
	return from->kind != VECTOR_MESSAGE || strcmp(conf_text("embed_policy"), "distilled") != 0;
}

int
todo_has(struct store *s, int64_t set, enum vector_kind kind, int64_t row, struct err *err)
{
	return stmt_number(s, STMT_VTODO_HAS, ARGS(set, kind, row), NULL, err);
}

int
todo_delete(struct store *s, int64_t set, enum vector_kind kind, int64_t row, bool *was_there,
	struct err *err)
{
	int rc = stmt_run(s, STMT_VTODO_DELETE, ARGS(set, kind, row), err);

	*was_there = rc == 0 && db_changes(s->db) > 0;
	return rc;
}

int
todo_skip(struct store *s, const struct vector_source *from, int64_t set, int64_t lo, int64_t hi,
	struct err *err)
{
	return lo > hi ? 0 : stmt_run(s, from->skip, ARGS(set, lo, hi, from->kind), err);
}

int
done_get(struct store *s, int64_t set, enum vector_kind kind, int64_t box, int64_t *done,
	struct err *err)
{
	return stmt_number(s, STMT_VDONE_GET, ARGS(set, kind, box), done, err) < 0 ? -1 : 0;
}

int
count_missing(struct store *s, int64_t set, bool by_service, int64_t user_first, int64_t user_last,
	int64_t tries, int64_t *n, struct err *err)
{
	int64_t lo = user_first << USER_SHIFT,
		hi = user_last >= INT64_MAX >> USER_SHIFT ? INT64_MAX : user_hi(user_last);
	int64_t some, todo;

	*n = 0;
	for (size_t i = 0; i < vector_n_sources; i++) {
		const struct vector_source *from = &vector_sources[i];
		if (is_wanted(from, by_service) &&
		    (stmt_want(s, from->count, ARGS(set, lo >> BOX_SHIFT, hi >> BOX_SHIFT,
		    from->kind), err) < 0 ||
		    stmt_want(s, from->count_todo, ARGS(set, lo, hi, tries, from->kind), err) < 0))
			return -1;
	}
	for (size_t i = 0; i < vector_n_sources; i++) {
		const struct vector_source *from = &vector_sources[i];
		if (!is_wanted(from, by_service))
			continue;
		if (stmt_number(s, from->count, ARGS(set, lo >> BOX_SHIFT, hi >> BOX_SHIFT,
			from->kind), &some, err) < 0 ||
		    stmt_number(s, from->count_todo, ARGS(set, lo, hi, tries, from->kind), &todo,
			err) < 0)
			return -1;
		*n += some + todo;
	}
	return 0;
}

/* If another program has dropped the set, this makes no difference. */
static int
is_by_service(struct store *s, int64_t set, bool *by_service, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_VSET_BY_NO, ARGS(set), err);
	struct vset v;
	int got = vset_read(q, &v, err);

	*by_service = got > 0 && vectors_by_service(v.model.sha256);
	return got < 0 ? -1 : 0;
}

/* ---- what is missing ---- */

/* parts -1: not cut */
struct item { int64_t row, speaker; int parts; const char *text; size_t len; };

struct missing {
	struct store *store;
	const struct scope *who;
	int64_t user, set;
	size_t n, limit;
	missing_fn *fn;
	void *arg;
	struct err *err;
	int rc;                                /* what fn returned */
	struct arena arena;
	struct item items[PAGE_ROWS];
	size_t n_items;
	struct vector_missing at;              /* the message whose parts are being given */
	const char *text;
};

/* Reads a page of rows from q (row, parts, speaker, text). */
static int
fetch(struct missing *m, struct db_stmt *q)
{
	size_t bytes = 0;
	int got = 1;

	arena_reset(&m->arena);
	m->n_items = 0;
	while (m->n_items < PAGE_ROWS && bytes < PAGE_BYTES && (got = db_row(q, m->err)) > 0) {
		struct item *v = &m->items[m->n_items++];
		v->row = db_column_int(q, 0);
		v->parts = db_column_type(q, 1) == DB_NULL ? -1 : db_column_int(q, 1);
		v->speaker = db_column_int(q, 2);
		v->text = column_text_len(q, 3, &m->arena, &v->len);
		bytes += v->len;
	}
	db_reset(q);
	return got < 0 ? -1 : 0;
}

static int
give(struct missing *m, const char *text, size_t len)
{
	m->at.text = text;
	m->at.len = len;
	m->n++;
	m->rc = m->fn(m->arg, &m->at);
	m->at.key.part++;
	return m->rc;
}

static int
give_chunk(void *arg, const struct chunk *c)
{
	struct missing *m = arg;

	return m->at.key.part == PARTS_MAX ? 1 : give(m, m->text + c->start, c->len);
}

/* Gives the page to the callback. 1: go on; 0: that is enough; -1. */
static int
give_page(struct missing *m, const struct vector_source *from)
{
	for (size_t i = 0; i < m->n_items; i++) {
		const struct item *v = &m->items[i];
		struct message message = { .row = v->row,
			.content = v->text,
			.content_len = v->len };
		if (m->n >= m->limit)
			return 0;
		m->text = v->text;
		m->at.key = (struct vector_key){ v->row, 0, (uint8_t)from->kind };
		m->at.speaker =
		    label_text(m->store, m->user, LABEL_SPEAKER, v->speaker, &m->arena, m->err);
		if (m->at.speaker == NULL)
			return -1;
		db_reset_all(m->store->db);
		if (from->kind != VECTOR_MESSAGE || v->parts < 0)
			give(m, v->text, v->len);
		else if (chunks_of(m->store, m->who, &message, give_chunk, m, m->err) < 0)
			return -1;
		if (m->rc != 0)
			return m->rc < 0 ? -1 : 0;
	}
	return m->n < m->limit;
}

/*
 * Gives all pages of a statement with parameters set, lo, hi, fourth and fifth, as many as it has.
 */
static int
give_pages(struct missing *m, const struct vector_source *from, enum stmt which, int64_t lo,
	int64_t hi, int64_t fourth, int64_t fifth)
{
	int rc = 1;

	do {
		if (fetch(m, stmt_start(m->store, which, ARGS(m->set, lo, hi, fourth, fifth,
		    from->kind), m->err)) < 0)
			return -1;
		if (m->n_items == 0)
			return 1;
		if (db_goes_on(m->store, lo - 1, m->items[m->n_items - 1].row, m->err) < 0)
			return -1;
		lo = m->items[m->n_items - 1].row + 1;
	} while ((rc = give_page(m, from)) > 0);
	return rc;
}

/* Gives those that failed or were passed over, and are due now. */
static int
give_due(struct missing *m, const struct vector_source *from)
{
	return give_pages(m, from, from->due, user_lo(m->user), user_hi(m->user), clock_now_us(),
	    PAGE_ROWS);
}

static int
give_box(struct missing *m, const struct vector_source *from, int64_t lo, int64_t hi)
{
	return give_pages(m, from, from->records, lo, hi, PAGE_ROWS, 0);
}

static int
give_new(struct missing *m, const struct vector_source *from)
{
	int64_t lo = user_lo(m->user) >> BOX_SHIFT, hi = user_hi(m->user) >> BOX_SHIFT,
		box[PAGE_ROWS], done[PAGE_ROWS];
	size_t n = PAGE_ROWS;
	int got = 1;

	while (n == PAGE_ROWS) {
		struct db_stmt *q =
		    stmt_start(m->store, from->boxes, ARGS(m->set, lo, hi, PAGE_ROWS, 0,
			from->kind), m->err);

		for (n = 0; n < PAGE_ROWS && (got = db_row(q, m->err)) > 0; n++) {
			box[n] = db_column_int(q, 0);
			done[n] = db_column_int(q, 1);
		}
		db_reset(q);
		if (got < 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			if ((got = give_box(m, from, box[i] * BOX_ROWS + done[i],
				 box[i] * BOX_ROWS + BOX_ROWS - 1)) <= 0)
				return got;
		if (n > 0 && db_goes_on(m->store, lo - 1, box[n - 1], m->err) < 0)
			return -1;
		lo = n > 0 ? box[n - 1] + 1 : lo;
	}
	return 1;
}

int
vectors_missing(struct store *s, const struct scope *who, int64_t set, size_t limit, missing_fn *fn,
	void *arg, struct err *err)
{
	const struct scope whole = { who->user, NULL, NULL, NULL };
	FREED struct missing *m = NULL;
	int64_t user = user_number(s, who->user, false, err);
	bool by_service;
	int rc = 1;

	if (user <= 0 || limit == 0)
		return user < 0 ? -1 : 0;
	if (is_by_service(s, set, &by_service, err) < 0)
		return -1;
	m = xcalloc(1, sizeof(*m));
	m->store = s;
	m->who = &whole;
	m->user = user;
	m->set = set;
	m->limit = limit;
	m->fn = fn;
	m->arg = arg;
	m->err = err;
	for (size_t i = 0; rc > 0 && i < vector_n_sources; i++)
		if (is_wanted(&vector_sources[i], by_service) &&
		    (rc = give_due(m, &vector_sources[i])) > 0)
			rc = give_new(m, &vector_sources[i]);
	arena_release(&m->arena);
	db_reset_all(s->db);
	return rc < 0 ? -1 : 0;
}
