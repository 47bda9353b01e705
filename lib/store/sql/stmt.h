/*
 * stmt.h: every statement of the store, by name. They are listed once, in schema/statements, by
 * subject (statements.awk); a test prepares each one.
 */
#pragma once

#include <stddef.h>

enum stmt {
#define STMT(name, subject, text) STMT_##name,
#include "gen/statements.h"
#undef STMT
	N_STMTS
};

extern const char *const stmt_sql[N_STMTS];

/* What the statement does, as errors begin: "read message". */
void stmt_what(enum stmt which, char *out, size_t size);
