/*
 * dialect_test.c: what becomes of a statement of SQLite for PostgreSQL. Whether the server takes
 * every one is tried by 0780-postgres.t, by the lines that this prints with --all.
 */
#include "tap.h"

#include <stdlib.h>

#include "store/postgres/dialect.h"
#include "store/sql/stmt.h"

static void
becomes(const char *sql, const char *want)
{
	struct dialect d;

	dialect_of(-1, sql, &d);
	ok(strcmp(d.sql, want) == 0, "%s", want);
	if (strcmp(d.sql, want) != 0)
		tap_note("%s", d.sql);
	free(d.sql);
}

/* PREPARE takes no parameter that is not typed where it cannot know: the types are left out. */
static void
print_all(void)
{
	struct dialect d;

	for (int i = 0; i < N_STMTS; i++) {
		dialect_of(i, stmt_sql[i], &d);
		printf("%s\n", d.sql);
		free(d.sql);
	}
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--all") == 0) {
		print_all();
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
	return tap_done();
}
