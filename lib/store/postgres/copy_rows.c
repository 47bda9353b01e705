/*
 * copy_rows.c: a copy that becomes a database on a server. While it is made, meta has a row
 * "copying", and no program takes the database for a store.
 */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "store/transfer/tables.h"

/* Row level security hides rows without a word; see schema/postgres-roles.sql. */
int
postgres_sees_all(struct store *s, struct err *err)
{
	struct db *d = s->db;
	struct pg_result *r = pg_ask(d, "read",
	    "SELECT row_security_active(to_regclass('message')) AND NOT EXISTS (SELECT 1 FROM "
	    "pg_roles WHERE rolname = 'mem_all' AND pg_has_role(current_user, oid, 'member')), "
	    "EXISTS (SELECT 1 FROM usr WHERE name = current_user), current_user::text", 0, NULL,
	    err);
	int rc = r == NULL ? -1 : 0;

	if (r != NULL && *pq.getvalue(r, 0, 0) != 0) {
		bool some = *pq.getvalue(r, 0, 1) != 0;

		rc = some ? 1 : -1;
		err_set(err, ERR_PERM, some ? "the role '%s' sees the rows of the user of its name "
		    "alone: '%s'" : "the role '%s' sees no rows, as no user has its name: '%s'",
		    pq.getvalue(r, 0, 2), d->path);
	}
	pq.clear(r);
	return rc;
}

int
postgres_copy_open(const char *path, struct store **out, struct err *err)
{
	return store_open(path, STORE_COPY, out, err);
}

int
postgres_copy_end(struct store *s, const char *path, struct err *err)
{
	/* numbers that the server gives go on behind those that are there */
	static const char *const orders[] = {
		"BEGIN",
		/* all users: a copy */
		"SELECT setval(pg_get_serial_sequence('metric', 'id'), max(id)) FROM metric "
		"HAVING max(id) > 0",
		"SELECT setval(pg_get_serial_sequence('vector_set', 'no'), max(no)) FROM "
		"vector_set HAVING max(no) > 0",
		"DELETE FROM meta WHERE name = 'copying'",
		"COMMIT",
	};

	(void)path;
	for (size_t i = 0; i < NELEM(orders); i++)
		pg_order(s->db, "copy", orders[i], 0, NULL);
	int rc = pg_sync(s->db, err);
	if (rc == 0)
		pg_order(s->db, "copy", "ANALYZE", 0, NULL);
	if (rc == 0)
		rc = pg_sync(s->db, err);
	store_close(s);
	return rc;
}

void
postgres_copy_many(struct db_stmt *q, const struct copy_columns *c)
{
	for (int i = 0; i < c->n; i++) {
		q->dialect.any[i] = c->types[i] == 'a';
		q->dialect.columns[i] = c->types[i] == 'a' ? 'b' : c->types[i];
	}
	q->dialect.many = xstrdup(q->dialect.sql);
}
