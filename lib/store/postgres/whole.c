/*
 * whole.c: the store as a whole. Its files, pages and copies are the server's affair: what can only
 * be done to a file is refused, with a hint at what does it on a server.
 */
#include "store/postgres/postgres.h"

#define ROWS_A_FETCH "500"
#define ORPHANS_MOST "20"

/* ---- figures ---- */

static struct pg_result *
tables_of(struct db *d, struct err *err)
{
	return pg_ask(d, "measure",
	    "SELECT c.relname::text, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_class m "
	    "ON m.oid = 'meta'::regclass AND m.relnamespace = c.relnamespace WHERE c.relkind = 'r' "
	    "ORDER BY c.relname::text COLLATE \"C\"", 0, NULL, err);
}

int
postgres_tables(struct db *d, db_table_fn *fn, void *arg, struct err *err)
{
	struct pg_result *r = tables_of(d, err);

	for (int i = 0; r != NULL && i < pq.ntuples(r); i++)
		fn(arg, pq.getvalue(r, i, 0), (int64_t)pg_get(pq.getvalue(r, i, 1), 8));
	pq.clear(r);
	return r == NULL ? -1 : 0;
}

/* ---- rows of nothing ---- */

/*
 * All users: a check, which shows no content. On a store that is spread, rows are on one machine
 * only if their u is the same.
 */
#define ORPHANS(message, fact, source) \
	/* all users: a check */ \
	"SELECT t FROM (" \
	"SELECT 'label' AS t FROM label WHERE u NOT IN (SELECT no FROM usr) UNION ALL " \
	"SELECT 'session' FROM session WHERE u NOT IN (SELECT no FROM usr) UNION ALL " \
	"SELECT 'input' FROM input WHERE u NOT IN (SELECT no FROM usr) UNION ALL " \
	"SELECT 'record_next' FROM record_next WHERE u NOT IN (SELECT no FROM usr) UNION ALL " \
	"SELECT 'message' FROM message m WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.id " \
	"= m.session" message ") UNION ALL " \
	"SELECT 'fact' FROM fact f WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.id = f.id" \
	fact ") UNION ALL " \
	"SELECT 'record_source' FROM record_source s WHERE NOT EXISTS (SELECT 1 FROM record r " \
	"WHERE r.id = s.record" source ")) o LIMIT " ORPHANS_MOST

int
postgres_orphans(struct db *d, db_orphan_fn *fn, void *arg, struct err *err)
{
	struct pg_result *r = pg_ask(d, "check", d->spread
	    ? ORPHANS(" AND s.u = m.u", " AND r.u = f.u", " AND r.u = s.u") : ORPHANS("", "", ""),
	    0, NULL, err);
	int rc = 0;

	for (int i = 0; r != NULL && rc == 0 && i < pq.ntuples(r); i++)
		rc = fn(arg, pq.getvalue(r, i, 0));
	pq.clear(r);
	return r == NULL ? -1 : rc;
}

/* ---- every text ---- */

/* The column that tells which row it is: "id", else "record", else the first. */
static int
id_column(const struct pg_result *r)
{
	static const char *const names[] = { "id", "record" };

	for (size_t k = 0; k < NELEM(names); k++)
		for (int i = 0; i < pq.nfields(r); i++)
			if (strcmp(pq.fname(r, i), names[k]) == 0)
				return i;
	return 0;
}

static void
give_row(const struct pg_result *r, int row, const char *table, store_text_fn *fn, void *arg)
{
	int at = id_column(r);
	int64_t id = pq.ftype(r, at) == PG_INT8 ? (int64_t)pg_get(pq.getvalue(r, row, at), 8) : 0;

	for (int i = 0; i < pq.nfields(r); i++)
		if (pq.ftype(r, i) == PG_TEXT || pq.ftype(r, i) == PG_BYTEA)
			fn(arg, table, id, pq.fname(r, i), pq.getvalue(r, row, i),
			    (size_t)pq.getlength(r, row, i));
}

static int
texts_of(struct db *d, const char *table, store_text_fn *fn, void *arg, struct err *err)
{
	char sql[256];
	int n = 1;

	snprintf(sql, sizeof(sql), "DECLARE texts NO SCROLL CURSOR FOR SELECT * FROM \"%s\"",
	    table);
	pg_order(d, "read store", sql, 0, NULL);
	while (n > 0) {
		struct pg_result *r = pg_ask(d, "read store", "FETCH " ROWS_A_FETCH " FROM texts",
		    0, NULL, err);

		if (r == NULL)
			return -1;
		n = pq.ntuples(r);
		for (int i = 0; i < n; i++)
			give_row(r, i, table, fn, arg);
		pq.clear(r);
	}
	pg_order(d, "read store", "CLOSE texts", 0, NULL);
	return 0;
}

int
postgres_texts_each(struct store *s, store_text_fn *fn, void *arg, struct err *err)
{
	struct db *d = s->db;
	bool own = !postgres_has_snapshot(d);
	int rc = 0;

	if (own && postgres_snapshot(d, err) < 0)
		return -1;
	struct pg_result *tables = tables_of(d, err);
	if (tables == NULL)
		rc = -1;
	for (int i = 0; rc == 0 && i < pq.ntuples(tables); i++)
		rc = texts_of(d, pq.getvalue(tables, i, 0), fn, arg, err);
	pq.clear(tables);
	if (own)
		postgres_snapshot_end(d);
	return rc;
}

/* ---- what is done to files ---- */

int
postgres_backup(struct store *s, const char *to, struct err *err)
{
	(void)to;
	return err_set(err, ERR_CONFIG,
	    "a store on PostgreSQL is copied by pg_dump or pg_basebackup, or by mem-export: '%s'",
	    s->db->path);
}
