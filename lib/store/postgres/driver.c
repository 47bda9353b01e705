/*
 * driver.c: the functions of store/db.h for PostgreSQL: statements, rows and values. All values are
 * sent in binary form. When a statement is run, all its rows are fetched and kept by the client, so
 * other statements may be run while it stands on one.
 */
#include "store/postgres/postgres.h"

#include "base/alloc.h"

/* ---- parameters ---- */

static struct db_stmt *
postgres_prepare(struct db *d, int which, const char *sql, const char *what, struct err *err)
{
	struct db_stmt *q = xcalloc(1, sizeof(*q));

	(void)err;
	q->driver = &server_driver;
	q->db = d;
	q->which = which;
	snprintf(q->what, sizeof(q->what), "%s", what);
	dialect_of(which, sql, &q->dialect);
	if (d->spread)
		spread(which, &q->dialect);
	return q;
}

/* The value of a parameter, after releasing what it held. */
static struct value *
value_at(struct db_stmt *q, int at, unsigned type, const void *bytes, int len)
{
	struct value *v = &q->values[at - 1];

	free(v->own);
	*v = (struct value){ .type = type, .bytes = bytes, .len = len };
	return v;
}

void
pg_set_user(struct db_stmt *q)
{
	const struct dialect *how = &q->dialect;

	if (how->user_from == 0)
		return;
	uint64_t v = pg_get(q->values[how->user_from - 1].number, 8);
	pg_put(value_at(q, how->n_parameters, PG_INT8, NULL, 8)->number, 8, v >> how->user_shift);
}

/* Bytes where a text could be: a zero byte in front says which they are. */
static void
bind_led(struct db_stmt *q, int at, const void *bytes, int n_bytes)
{
	char *own = xmalloc((size_t)n_bytes + 1);

	*own = '\0';
	if (n_bytes > 0)
		memcpy(own + 1, bytes, (size_t)n_bytes);
	value_at(q, at, PG_BYTEA, own, n_bytes + 1)->own = own;
}

static void
bind_one(struct db_stmt *q, int at, const struct db_value *v)
{
	bool any = q->dialect.any[at - 1];

	if (v->type == DB_NUMBER || v->type == DB_REAL) {
		uint64_t bits;

		memcpy(&bits, &v->number, sizeof(bits));
		pg_put(value_at(q, at, v->type == DB_REAL ? PG_FLOAT8 : PG_INT8, NULL, 8)->number,
		    8, bits);
	} else if (v->type == DB_NULL || v->bytes == NULL) {
		/* SQLite takes NULL for null, whatever the length */
		value_at(q, at, 0, NULL, 0);
	} else if (v->type == DB_BLOB && any) {
		bind_led(q, at, v->bytes, v->n);
	} else {
		value_at(q, at, any || v->type == DB_BLOB ? PG_BYTEA : PG_TEXT, v->bytes,
		    v->n < 0 ? (int)strlen(v->bytes) : v->n);
	}
}

static void
postgres_bind(struct db_stmt *q, const struct db_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bind_one(q, (int)i + 1, &v[i]);
	for (int i = (int)n; i < q->dialect.n_parameters; i++)
		value_at(q, i + 1, 0, NULL, 0);
}

/* ---- rows ---- */

static void
postgres_reset(struct db_stmt *q)
{
	if (q->rows != NULL && !q->rows->kept)
		rows_free(q->rows);
	q->rows = NULL;
}

static int
postgres_row(struct db_stmt *q, struct err *err)
{
	if (q->rows == NULL && pg_fetch(q->db, q, err, q->what) < 0)
		return -1;
	if (++q->at < q->rows->first + q->rows->n)
		return 1;
	postgres_reset(q);
	return 0;
}

static int64_t column_int(struct db_stmt *q, int at);

/*
 * Runs a statement that tells whether it has put a row, or why not (struct dialect, tells_taken).
 */
static int
put_and_tell(struct db_stmt *q, struct err *err)
{
	struct db *d = q->db;
	int rc = postgres_row(q, err);

	d->was_taken = false;
	if (rc <= 0)
		return rc;
	d->changes = column_int(q, 0);
	d->was_taken = column_int(q, 1) != 0;
	postgres_reset(q);
	return d->was_taken ? err_set(err, ERR_IO, "%s: a value is another's already: '%s'",
	    q->what, d->path) : 0;
}

static int
postgres_done(struct db_stmt *q, struct err *err)
{
	struct db *d = q->db;

	if (q->dialect.tells_taken)
		return put_and_tell(q, err);
	postgres_reset(q);
	if (q->dialect.writes && (d->now == WRITING || d->now == WRITING_SHORT))
		return pg_write(d, q, err, q->what);
	int rc = postgres_row(q, err);
	if (rc > 0)
		postgres_reset(q);
	return rc < 0 ? -1 : 0;
}

static int64_t
postgres_changes(const struct db *d)
{
	/* the answer of the last write may still be on its way */
	struct db *self = (struct db *)d;

	if (d->n_sent > 0 && pg_round(self, &self->failed) < 0)
		return 0;
	return d->changes;
}

/* ---- columns ---- */

/* The bytes of a column; NULL for null. */
static const char *
raw(struct db_stmt *q, int at, int *len, unsigned *type)
{
	const struct pg_result *r = q->rows->result;

	*len = 0;
	*type = 0;
	if (pq.getisnull(r, q->at, at))
		return NULL;
	*len = pq.getlength(r, q->at, at);
	*type = pq.ftype(r, at);
	return pq.getvalue(r, q->at, at);
}

/*
 * Reads a numeric, which a sum of whole numbers is: number of digits of base 10,000, weight of the
 * first, sign, scale, 16 bits each, then the digits.
 */
static int64_t
numeric(const char *p, int len)
{
	int n = len >= 8 ? (int)pg_get(p, 2) : 0, weight = len >= 8 ?
	    (int16_t)pg_get(p + 2, 2) : 0;
	bool negative = len >= 8 && pg_get(p + 4, 2) == 0x4000;
	int64_t v = 0;

	for (int i = 0; i <= weight && i < 5; i++)
		v = v * 10000 + (i < n ? (int64_t)pg_get(p + 8 + 2 * i, 2) : 0);
	return negative ? -v : v;
}

static double
real(const char *p)
{
	uint64_t bits = pg_get(p, 8);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static int64_t
column_int(struct db_stmt *q, int at)
{
	unsigned type;
	int len;
	const char *p = raw(q, at, &len, &type);

	switch (type) {
	case PG_INT8:
		return (int64_t)pg_get(p, 8);
	case PG_INT4:
		return (int32_t)pg_get(p, 4);
	case PG_INT2:
		return (int16_t)pg_get(p, 2);
	case PG_BOOL:
		return *p != 0;
	case PG_NUMERIC:
		return numeric(p, len);
	case PG_FLOAT8:
		return (int64_t)real(p);
	default:
		return 0;
	}
}

/* Whether a column may hold a text or bytes, as its name says: see struct dialect. */
static bool
is_any(struct db_stmt *q, int at)
{
	const char *name = pq.fname(q->rows->result, at);

	return strcmp(name, "source") == 0 || strcmp(name, "of") == 0;
}

static enum db_type
type_of(struct db_stmt *q, int at)
{
	unsigned type;
	int len;
	const char *p = raw(q, at, &len, &type);

	if (p == NULL)
		return DB_NULL;
	if (type == PG_BYTEA)
		return is_any(q, at) && (len == 0 || *p != '\0') ? DB_TEXT : DB_BLOB;
	return type == PG_FLOAT8 ? DB_REAL
	    : type == PG_INT8 || type == PG_INT4 || type == PG_INT2 || type == PG_BOOL ||
		type == PG_NUMERIC ? DB_NUMBER : DB_TEXT;
}

static struct db_value
postgres_column(struct db_stmt *q, int at, enum db_type as)
{
	struct db_value v = { .type = as };
	unsigned type;
	int len;
	const char *p = raw(q, at, &len, &type);

	if (as == DB_NULL) {
		v.type = type_of(q, at);
	} else if (as == DB_REAL) {
		v.real = type == PG_FLOAT8 ? real(p) : (double)column_int(q, at);
	} else if (as == DB_NUMBER) {
		v.number = column_int(q, at);
	} else {
		bool led = type == PG_BYTEA && len > 0 && *p == '\0' && is_any(q, at);

		v.n = len - led;
		/* as SQLite does: a value without bytes is a null pointer */
		v.bytes = v.n == 0 && type == PG_BYTEA ? NULL : p + led;
	}
	return v;
}

/* ---- what is of one moment ---- */

/*
 * Inside a snapshot, how many have differed from the one before; else a hash of which transactions
 * are seen. Both change when others commit anything.
 */
static int
postgres_version(struct db *d, int64_t *version, struct err *err)
{
	struct pg_result *r = d->seen.result;
	bool own = d->now != READING;

	if (own)
		r = pg_ask(d, "read", "SELECT pg_current_snapshot()::text", 0, NULL, err);
	else if (r == NULL && (d->n_wanted > 0 ? pg_fetch_wanted(d, err) : pg_sync(d, err)) == 0)
		r = d->seen.result;
	if (r == NULL)
		return -1;
	d->has_read = true;
	if (!own) {
		if (pg_compare(d, err) < 0)
			return -1;
		*version = d->n_changes;
		return 0;
	}
	*version = (int64_t)(hash64(pq.getvalue(r, 0, 0), (size_t)pq.getlength(r, 0, 0), 0) >> 1);
	pq.clear(r);
	return 0;
}

/* ---- declared reads ---- */

static bool
postgres_gathers(const struct db *d)
{
	return d->now == READING;
}

/* ---- the tables ---- */

static const struct db_ahead ahead = {
	.gathers = postgres_gathers,
	.fetch = pg_fetch_wanted,
	.want = pg_want,
	.drop = pg_drop,
};

static const struct db_copying copying = {
	.open = postgres_copy_open,
	.end = postgres_copy_end,
	.put = "INSERT INTO ",
	.values = ") SELECT * FROM unnest(",
	.many = postgres_copy_many,
};

const struct db_driver server_driver = {
	.open = postgres_open,
	.close = postgres_close,
	.prepare = postgres_prepare,
	.bind = postgres_bind,
	.row = postgres_row,
	.done = postgres_done,
	.reset = postgres_reset,
	.changes = postgres_changes,
	.column = postgres_column,
	.begin = postgres_begin,
	.commit = postgres_commit,
	.rollback = postgres_rollback,
	.snapshot = postgres_snapshot,
	.snapshot_end = postgres_snapshot_end,
	.has_snapshot = postgres_has_snapshot,
	.version = postgres_version,
	.lock = postgres_lock,
	.unlock = postgres_unlock,
	.tables = postgres_tables,
	.orphans = postgres_orphans,
	.hold = postgres_hold,
	.let_go = postgres_let_go,
	.backup = postgres_backup,
	.texts_each = postgres_texts_each,
	.sees_all = postgres_sees_all,
	.ahead = &ahead,
	.copying = &copying,
};
