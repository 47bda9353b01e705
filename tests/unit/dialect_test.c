/*
 * dialect_test.c: what becomes of a statement of SQLite for PostgreSQL. Whether the server takes
 * every one is tried by 0780-postgres.t, by the lines that this prints with --all.
 */
#include "tap.h"

#include <stdlib.h>

#include "store/postgres/dialect.h"
#include "store/sql/stmt.h"

/* Statements on tables of users that are marked so. One more: it has lost its user. */
#define ALL_USERS 40

static void
becomes(const char *sql, const char *want)
{
	struct dialect d;

	dialect_of(-1, sql, &d);
	ok(strcmp(d.sql, want) == 0, "%s", want);
	if (strcmp(d.sql, want) != 0)
		tap_note("%s", d.sql);
	dialect_release(&d);
}

static void
spreads(const char *sql, const char *want, int from, int shift)
{
	struct dialect d;

	dialect_of(-1, sql, &d);
	spread(-1, &d);
	ok(strcmp(d.sql, want) == 0 && d.user_from == from && d.user_shift == shift, "%s", want);
	if (strcmp(d.sql, want) != 0)
		tap_note("%s", d.sql);
	dialect_release(&d);
}

/* Statements that go over all users, by what they say: the others have one. */
static void
names_its_user(void)
{
	int n_all = 0, n_users = 0;

	for (int i = 0; i < N_STMTS; i++) {
		struct dialect d;

		dialect_of(i, stmt_sql[i], &d);
		spread(i, &d);
		n_all += spread_reads(d.sql) && d.user_from == 0;
		n_users += d.user_from > 0;
		dialect_release(&d);
	}
	ok(n_all == ALL_USERS, "%d statements go over all users", n_all);
	ok(n_users > 250, "%d are a user's", n_users);
}

/* PREPARE takes no parameter that is not typed where it cannot know: the types are left out. */
static void
print_all(bool is_spread)
{
	struct dialect d;

	for (int i = 0; i < N_STMTS; i++) {
		dialect_of(i, stmt_sql[i], &d);
		if (is_spread)
			spread(i, &d);
		if (!is_spread || spread_reads(d.sql))
			printf("%s\n", d.sql);
		if (is_spread && d.user_from > 0 && d.together != NULL)
			printf("%s\n", d.together);
		dialect_release(&d);
	}
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--all") == 0) {
		print_all(false);
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "--spread") == 0) {
		print_all(true);
		return 0;
	}
	becomes("SELECT a FROM t WHERE b = :b AND c = :c AND b <> :b /* the user's */",
	    "SELECT a FROM t WHERE b = $1 AND c = $2 AND b <> $1 ");
	becomes("SELECT ?2, ?1", "SELECT $2, $1");
	becomes("SELECT no FROM user WHERE user = 1 AND profile_user.user = ':user'",
	    "SELECT no FROM usr WHERE u = 1 AND profile_user.u = ':user'");
	becomes("SELECT 1 FROM t INDEXED BY t_a WHERE +a = 1", "SELECT 1 FROM t  WHERE +a = 1");
	becomes("SELECT max(a), min(b, 2), max(coalesce(a, 1))",
	    "SELECT max(a), least(b, 2), max(coalesce(a, 1))");
	becomes("SELECT 1 FROM a CROSS JOIN b ON b.x = a.x",
	    "SELECT 1 FROM a INNER JOIN b ON b.x = a.x");
	becomes("SELECT 1 FROM a CROSS JOIN b JOIN c ON c.x = a.x",
	    "SELECT 1 FROM a CROSS JOIN b JOIN c ON c.x = a.x");
	becomes("INSERT OR REPLACE INTO vector_done (vset, kind, box, done) VALUES (:set, :kind, "
	    ":box, :done) /* the user's */",
	    "INSERT INTO vector_done (vset, kind, box, done) VALUES ($1, $2, $3, $4)  ON CONFLICT "
	    "(vset, kind, box) DO UPDATE SET vset = excluded.vset, kind = excluded.kind, box = "
	    "excluded.box, done = excluded.done");
	becomes("SELECT a FROM t ORDER BY a LIMIT ?2",
	    "SELECT a FROM t ORDER BY a LIMIT nullif(greatest($2, -1::bigint), -1)");
	spreads("SELECT a FROM fact WHERE u = ?1 ORDER BY a",
	    "SELECT a FROM (SELECT * FROM fact WHERE u = $2) AS fact WHERE u = $1 ORDER BY a", 1,
	    0);
	spreads("SELECT m.id FROM message m JOIN chunk c ON c.message = m.id, step n WHERE m.id "
		"BETWEEN ?1 AND ?2",
	    "SELECT m.id FROM (SELECT * FROM message WHERE u = $3) m JOIN (SELECT * FROM chunk "
	    "WHERE u = $3) c ON c.message = m.id, (SELECT * FROM step WHERE u = $3) n WHERE m.id "
	    "BETWEEN $1 AND $2", 1, 44);
	spreads("UPDATE session s SET title = ?1 WHERE s.id = ?2 OR s.id = ?3",
	    "UPDATE session s SET title = $1 WHERE s.u = $4 AND (s.id = $2 OR s.id = $3)", 2, 24);
	spreads("DELETE FROM vector_done WHERE vset = ?1 AND box BETWEEN ?2 AND ?3",
	    "DELETE FROM vector_done WHERE vector_done.u = $4 AND (vset = $1 AND box BETWEEN $2 "
	    "AND $3)", 2, 24);
	spreads("INSERT INTO vector_place (vset, box, slots) VALUES (?1, ?2, ?3) ON CONFLICT "
		"(vset, box) DO NOTHING",
	    "INSERT INTO vector_place (u, vset, box, slots) VALUES ($4, $1, $2, $3) ON CONFLICT "
	    "(u, vset, box) DO NOTHING", 2, 35);
	spreads("INSERT INTO vector_todo (vset, row) SELECT ?1, id FROM record WHERE id BETWEEN ?2 "
		"AND ?3",
	    "INSERT INTO vector_todo (u, vset, row) SELECT record.u, $1, id FROM (SELECT * FROM "
	    "record WHERE u = $4) AS record WHERE id BETWEEN $2 AND $3", 2, 44);
	spreads("SELECT value FROM meta WHERE name = ?1", "SELECT value FROM meta WHERE name = $1",
	    0, 0);
	names_its_user();
	return tap_done();
}
