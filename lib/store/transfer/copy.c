/*
 * copy.c: copies the rows of a store to another one, a table after the other, each in the order of
 * its primary key, a page of rows at a time.
 *
 * A page of the source and the rows that the target has between the same keys are compared by a
 * hash. If they differ, those of the target are removed and the page is put. So a copy that was
 * killed goes on where it was, and also takes over what the source has changed since; into an empty
 * table, pages are put without looking. In the end, all rows of both are hashed once more, and only
 * when the hashes are the same does the target become a store.
 *
 * The source is read in one snapshot. The target is committed every few megabytes.
 */
#include "store/copy.h"

#include "base/bytes.h"
#include "store/sql/handle.h"
#include "store/transfer/tables.h"

#define PAGE_BYTES    (8u << 20)
#define PAGE_ROWS     1000
#define FIRST_ROWS    100                      /* until it is known how long they are */
#define COMMIT_ROWS   10000
#define COMMIT_BYTES  (16u << 20)
#define HOLD_COPY     0x636f7079               /* "copy" */
#define SQL_MAX       (1u << 16)

/* The primary key of a row; or, not set, what is before the first or behind the last. */
struct key {
	bool set;
	struct db_value values[COPY_KEY_PARTS];
	struct buf bytes[COPY_KEY_PARTS];      /* of those that are no numbers */
};

/* One of the two stores, and its statements for the table that is being copied. */
struct side {
	struct store *s;
	/* whether they read or delete rows, and which ends of the range have a key */
	struct db_stmt *q[2][2][2];
	struct db_stmt *put;
};
enum { READ, DELETE };

struct copier {
	const struct copy_table *table;
	struct copy_columns columns;
	struct side from, to;
	struct key after, last;                /* the page lies between them */
	bool writing;
	int64_t n_rows_open, n_bytes_open;     /* put and not committed */
	int64_t n_read, n_written;
	copy_progress_fn *progress;
	void *arg;
	struct err *err;
};

/* ---- keys ---- */

static void
key_init(struct key *k)
{
	k->set = false;
	for (int i = 0; i < COPY_KEY_PARTS; i++)
		buf_init(&k->bytes[i], SIZE_MAX / 4);
}

static void
key_release(struct key *k)
{
	for (int i = 0; i < COPY_KEY_PARTS; i++)
		buf_release(&k->bytes[i]);
}

/* The value of a column: of its type, or of one that may be a text or bytes of what it is. */
static struct db_value
value_at(const struct copier *c, struct db_stmt *q, int at)
{
	enum db_type have = db_column_type(q, at);
	char type = c->columns.types[at];
	struct db_value v = db_column(q, at, have == DB_NULL || type == 'a' ? have
	    : type == 'i' ? DB_NUMBER : type == 'r' ? DB_REAL : type == 't' ? DB_TEXT : DB_BLOB);

	if ((v.type == DB_TEXT || v.type == DB_BLOB) && v.bytes == NULL)
		v.bytes = "";
	return v;
}

/* Takes the key of the row that q stands on. */
static void
key_of_row(struct copier *c, struct db_stmt *q, struct key *k)
{
	k->set = true;
	for (int i = 0; i < c->table->n_key; i++) {
		struct db_value *v = &k->values[i];

		*v = value_at(c, q, i);
		if (v->type == DB_NUMBER)
			continue;
		buf_reset(&k->bytes[i]);
		buf_add(&k->bytes[i], v->bytes, (size_t)v->n);
		v->bytes = v->n > 0 ? k->bytes[i].data : "";
	}
}

/* Appends the key's values to args [*n]. */
static void
key_values(const struct copier *c, const struct key *k, struct db_value *args, size_t *n)
{
	for (int i = 0; k->set && i < c->table->n_key; i++)
		args[(*n)++] = k->values[i];
}

/* ---- statements ---- */

/* "(user, no) > (?1, ?2)" */
static void
add_bound(struct copier *c, struct buf *sql, const char *than, int at)
{
	bool one = c->table->n_key == 1;

	buf_adds(sql, one ? "" : "(");
	copy_add_names(sql, &c->columns, c->table->n_key);
	buf_addf(sql, "%s %s %s", one ? "" : ")", than, one ? "" : "(");
	for (int i = 0; i < c->table->n_key; i++)
		buf_addf(sql, "%s?%d", i > 0 ? ", " : "", at + i);
	buf_adds(sql, one ? "" : ")");
}

/* all users: a store is copied whole. */
static struct db_stmt *
make_statement(struct copier *c, struct side *of, int what, bool after, bool upto)
{
	const char *with = " WHERE ";
	int at = 1;
	LOCAL(buf) sql = buf_of(SQL_MAX);

	buf_adds(&sql, what == READ ? "SELECT " : "DELETE");
	if (what == READ)
		copy_add_names(&sql, &c->columns, c->columns.n);
	buf_addf(&sql, " FROM %s", c->table->name);
	if (c->table->only != NULL) {
		buf_addf(&sql, "%s%s", with, c->table->only);
		with = " AND ";
	}
	if (after) {
		buf_adds(&sql, with);
		add_bound(c, &sql, ">", at);
		with = " AND ";
		at += c->table->n_key;
	}
	if (upto) {
		buf_adds(&sql, with);
		add_bound(c, &sql, "<=", at);
		at += c->table->n_key;
	}
	if (what == READ) {
		buf_adds(&sql, " ORDER BY ");
		copy_add_names(&sql, &c->columns, c->table->n_key);
		buf_addf(&sql, " LIMIT ?%d", at);
	}
	return db_prepare(of->s->db, -1, sql.data, "copy", c->err);
}

/* The statement for rows behind one key, up to another; limit: of those that are read. */
static struct db_stmt *
statement(struct copier *c, struct side *of, int what, const struct key *after,
	const struct key *upto, int64_t limit)
{
	struct db_stmt **q = &of->q[what][after->set][upto->set];
	struct db_value args[2 * COPY_KEY_PARTS + 1];
	size_t n = 0;

	if (*q == NULL && (*q = make_statement(c, of, what, after->set, upto->set)) == NULL)
		return NULL;
	db_reset(*q);
	key_values(c, after, args, &n);
	key_values(c, upto, args, &n);
	if (what == READ)
		args[n++] = value_number(limit);
	db_bind(*q, args, n);
	return *q;
}

/* ---- rows ---- */

/* Adds a row to a hash: of each value its type, its length and its bytes. */
static int64_t
hash_row(struct copier *c, struct db_stmt *q, struct sha256 *h)
{
	static const char types[] = { [DB_NULL] = 'n', [DB_NUMBER] = 'i', [DB_REAL] = 'r',
		[DB_TEXT] = 't', [DB_BLOB] = 'b' };
	int64_t n_bytes = 0;

	for (int i = 0; i < c->columns.n; i++) {
		const struct db_value v = value_at(c, q, i);
		bool has_bytes = v.type == DB_TEXT || v.type == DB_BLOB;
		uint8_t head[1 + 8] = { (uint8_t)types[v.type] };
		uint64_t n = 0;

		if (has_bytes)
			n = (uint64_t)v.n;
		else if (v.type != DB_NULL)
			memcpy(&n, &v.number, sizeof(n));
		put_le(head + 1, n, 8);
		sha256_add(h, head, sizeof(head));
		if (has_bytes)
			sha256_add(h, v.bytes, (size_t)n);
		n_bytes += 8 + (has_bytes ? (int64_t)n : 0);
	}
	return n_bytes;
}

static int
put_row(struct copier *c, struct db_stmt *q)
{
	struct db_value args[COPY_COLUMNS];

	for (int i = 0; i < c->columns.n; i++)
		args[i] = value_at(c, q, i);
	db_bind(c->to.put, args, (size_t)c->columns.n);
	return db_done(c->to.put, c->err);
}

struct page {
	int64_t limit;
	int64_t n_rows, n_bytes;
	uint8_t hash[SHA256_BYTES];
};

/* Reads up to p->limit rows, and puts them into the target if that is wanted. last may be NULL. */
static int
read_rows(struct copier *c, struct side *of, const struct key *after, const struct key *upto,
	bool put, struct page *p, struct key *last, struct sha256 *all)
{
	struct db_stmt *q = statement(c, of, READ, after, upto, p->limit);
	struct sha256 h;
	int got;

	p->n_rows = p->n_bytes = 0;
	if (q == NULL)
		return -1;
	sha256_init(&h);
	while ((got = db_row(q, c->err)) > 0) {
		p->n_rows++;
		p->n_bytes += hash_row(c, q, &h);
		if (put && put_row(c, q) < 0)
			return -1;
		if (last != NULL && p->n_rows == p->limit)
			key_of_row(c, q, last);
	}
	sha256_end(&h, p->hash);
	if (all != NULL)
		sha256_add(all, p->hash, sizeof(p->hash));
	return got;
}

/* As many rows as fit into a page, if they are as long as those of the page before. */
static int64_t
next_limit(const struct page *p)
{
	int64_t each = p->n_bytes / MAX(p->n_rows, 1) + 1;

	return MAX(1, MIN(PAGE_ROWS, (int64_t)PAGE_BYTES / each));
}

/* ---- transactions of the target ---- */

static int
begin(struct copier *c)
{
	if (c->writing)
		return 0;
	c->writing = db_begin(c->to.s->db, NULL, c->err) == 0;
	return c->writing ? 0 : -1;
}

static int
commit(struct copier *c)
{
	if (!c->writing)
		return 0;
	if (db_commit(c->to.s->db, c->err) < 0)
		return -1;
	c->writing = false;
	c->n_rows_open = c->n_bytes_open = 0;
	return 0;
}

/* ---- a table ---- */

static const struct key none = { .set = false };

/* Removes rows of the target. */
static int
remove_rows(struct copier *c, const struct key *after, const struct key *upto)
{
	return begin(c) < 0 ? -1 : db_done(statement(c, &c->to, DELETE, after, upto, 0), c->err);
}

/* Puts the page behind c->after. */
static int
put_page(struct copier *c, struct page *p, struct key *last)
{
	if (begin(c) < 0 || read_rows(c, &c->from, &c->after, &none, true, p, last, NULL) < 0)
		return -1;
	c->n_written += p->n_rows;
	c->n_rows_open += p->n_rows;
	c->n_bytes_open += p->n_bytes;
	return c->n_rows_open < COMMIT_ROWS && c->n_bytes_open < COMMIT_BYTES ? 0 : commit(c);
}

/*
 * The page behind c->after, whose last key is c->last: if the target has other rows there, removes
 * them, or puts those of the source.
 */
static int
compare_page(struct copier *c, const struct page *p, bool put)
{
	struct page have = { .limit = p->n_rows + 1 }, again = { .limit = p->limit };
	const struct key *upto = p->n_rows == p->limit ? &c->last : &none;

	if (read_rows(c, &c->to, &c->after, upto, false, &have, NULL, NULL) < 0)
		return -1;
	if (have.n_rows == p->n_rows && memcmp(have.hash, p->hash, sizeof(p->hash)) == 0)
		return 0;
	if (put)
		return put_page(c, &again, NULL);
	return have.n_rows > 0 ? remove_rows(c, &c->after, upto) : 0;
}

/* Goes on behind a page. Whether it was the last: then there are fewer rows than there may be. */
static bool
was_last(struct copier *c, struct page *p)
{
	struct key was = c->after;

	if (p->n_rows < p->limit)
		return true;
	c->after = c->last;
	c->last = was;
	p->limit = next_limit(p);
	return false;
}

/* Compares the pages of both. */
static int
compare_table(struct copier *c, bool put)
{
	struct page p = { .limit = FIRST_ROWS };

	c->after.set = false;
	do {
		if (read_rows(c, &c->from, &c->after, &none, false, &p, &c->last, NULL) < 0 ||
		    compare_page(c, &p, put) < 0)
			return -1;
		if (put)
			c->progress(c->arg, c->n_read += p.n_rows);
	} while (!was_last(c, &p));
	return 0;
}

/*
 * What the source no longer has goes first: an id that is at another row now cannot be put while it
 * is still at the old one.
 */
static int
copy_table(struct copier *c)
{
	struct page p = { .limit = 1 };

	c->after.set = false;
	if (read_rows(c, &c->to, &none, &none, false, &p, NULL, NULL) < 0)
		return -1;
	if (p.n_rows > 0)
		return compare_table(c, false) < 0 ? -1 : compare_table(c, true);
	p.limit = FIRST_ROWS;
	do {
		if (put_page(c, &p, &c->last) < 0)
			return -1;
		c->progress(c->arg, c->n_read += p.n_rows);
	} while (!was_last(c, &p));
	return 0;
}

/* Hashes all rows of the table, the same way for both: by pages of as many rows. */
static int
hash_table(struct copier *c, struct side *of, struct sha256 *all, int64_t *n_rows)
{
	struct page p = { .limit = FIRST_ROWS };

	c->after.set = false;
	do {
		if (read_rows(c, of, &c->after, &none, false, &p, &c->last, all) < 0)
			return -1;
		*n_rows += p.n_rows;
		c->progress(c->arg, c->n_read += p.n_rows);
	} while (!was_last(c, &p));
	return 0;
}

/* ---- the store ---- */

/* Prepares the statement that puts a row, a parameter a column. */
static struct db_stmt *
make_put(struct copier *c)
{
	const struct db_copying *how = db_driver_of(c->to.s->db)->copying;
	LOCAL(buf) sql = buf_of(SQL_MAX);

	buf_addf(&sql, "%s%s (", how->put, c->table->name);
	copy_add_names(&sql, &c->columns, c->columns.n);
	buf_adds(&sql, how->values);
	for (int i = 0; i < c->columns.n; i++)
		buf_addf(&sql, "%s?%d", i > 0 ? ", " : "", i + 1);
	buf_adds(&sql, ")");
	struct db_stmt *q = db_prepare(c->to.s->db, -1, sql.data, "copy", c->err);
	if (q != NULL && how->many != NULL)
		how->many(q, &c->columns);
	return q;
}

/* Prepares for a table; the statements of the one before stay until the stores are closed. */
static int
take_table(struct copier *c, const struct copy_table *t)
{
	c->table = t;
	copy_columns(t, &c->columns);
	memset(c->from.q, 0, sizeof(c->from.q));
	memset(c->to.q, 0, sizeof(c->to.q));
	c->to.put = make_put(c);
	return c->to.put == NULL ? -1 : 0;
}

static int
copy_all(struct copier *c)
{
	for (const struct copy_table *t = copy_tables; t->name != NULL; t++)
		if (take_table(c, t) < 0 || copy_table(c) < 0)
			return -1;
	return commit(c);
}

/* Reads both again, and compares them. */
static int
verify(struct copier *c, struct store_copied *out)
{
	struct sha256 all[2];
	uint8_t hash[2][SHA256_BYTES];

	for (int i = 0; i < 2; i++)
		sha256_init(&all[i]);
	for (const struct copy_table *t = copy_tables; t->name != NULL; t++) {
		struct sha256 one[2];
		int64_t n[2] = { 0, 0 };

		for (int i = 0; i < 2; i++)
			sha256_init(&one[i]);
		if (take_table(c, t) < 0 || hash_table(c, &c->from, &one[0], &n[0]) < 0 ||
		    hash_table(c, &c->to, &one[1], &n[1]) < 0)
			return -1;
		for (int i = 0; i < 2; i++) {
			sha256_end(&one[i], hash[i]);
			sha256_add(&all[i], hash[i], SHA256_BYTES);
		}
		if (n[0] != n[1] || memcmp(hash[0], hash[1], SHA256_BYTES) != 0)
			return err_set(c->err, ERR_IO,
			    "the copy differs in the table %s (%lld rows, and %lld): '%s'", t->name,
			    (long long)n[0], (long long)n[1], store_path(c->to.s));
		out->n_rows += n[0];
	}
	sha256_end(&all[0], out->sha256);
	return 0;
}

static int
copy_and_compare(struct copier *c, struct store_copied *out)
{
	bool taken;
	int rc;

	if (store_hold(c->to.s, HOLD_COPY, &taken, c->err) < 0)
		return -1;
	if (!taken)
		return err_set(c->err, ERR_BUSY, "somebody else copies to this name: '%s'",
		    store_path(c->to.s));
	if (store_snapshot(c->from.s, c->err) < 0)
		return -1;
	if (copy_all(c) < 0) {
		if (db_was_taken(c->to.s->db))
			err_set(c->err, ERR_DATA,
			    "in the table %s an id is of two users, which only a spread store can "
			    "hold (export and import each user): '%s'",
			    c->table->name, store_path(c->from.s));
		if (c->writing)
			db_rollback(c->to.s->db);
		store_snapshot_end(c->from.s);
		return -1;
	}
	if ((rc = db_snapshot(c->to.s->db, c->err)) == 0) {
		rc = verify(c, out);
		db_snapshot_end(c->to.s->db);
	}
	out->n_written = c->n_written;
	store_snapshot_end(c->from.s);
	return rc;
}

int
store_copy(const char *from, const char *to, copy_progress_fn *progress, void *arg,
	struct store_copied *out, struct err *err)
{
	const struct db_driver *driver = store_driver(to, err);
	struct copier c = { .progress = progress, .arg = arg, .err = err };
	int rc = -1;

	*out = (struct store_copied){ .n_rows = 0 };
	if (store_is_file(from) && store_is_file(to))
		return err_set(err, ERR_USAGE,
		    "neither is a database on a server: mem-check --backup copies a file: '%s'",
		    to);
	if (driver == NULL)
		return -1;
	key_init(&c.after);
	key_init(&c.last);
	if (store_open(from, STORE_READ, &c.from.s, err) == 0 &&
	    db_sees_all(c.from.s, err) == 0 &&
	    driver->copying->open(to, &c.to.s, err) == 0 && copy_and_compare(&c, out) == 0)
		rc = driver->copying->end(c.to.s, to, err);
	else
		store_close(c.to.s);
	store_close(c.from.s);
	key_release(&c.after);
	key_release(&c.last);
	return rc;
}
