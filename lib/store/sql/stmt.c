/*
 * stmt.c: the texts of the statements, and what they are about.
 */
#include "base/base.h"
#include "store/sql/stmt.h"

#include "store/sql/message_columns.h"

const char *const stmt_sql[N_STMTS] = {
#define STMT(name, subject, text) [STMT_##name] = text,
#include "gen/statements.h"
#undef STMT
};

static const char *const subjects[N_STMTS] = {
#define STMT(name, subject, text) [STMT_##name] = subject,
#include "gen/statements.h"
#undef STMT
};

void
stmt_what(enum stmt which, char *out, size_t size)
{
	const char *sql = stmt_sql[which];

	snprintf(out, size, "%s %s", *sql == 'S' ? "read" : *sql == 'D' ? "remove" : "write",
	    subjects[which]);
}
