/*
 * stmt.h: every statement of the store, by name. They are listed once, in statements/, by subject;
 * a test prepares each one.
 */
#ifndef STORE_SQL_STMT_H
#define STORE_SQL_STMT_H

#include <stddef.h>

enum stmt {
#define STMT(name, text) STMT_##name,
#include "store/sql/statements.h"
#undef STMT
	N_STMTS
};

extern const char *const stmt_sql[N_STMTS];

/* What the statement does, as errors begin: "read message". */
void stmt_what(enum stmt which, char *out, size_t size);

#endif
