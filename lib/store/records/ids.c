/*
 * ids.c: all ids of a user. The index of ids is read, and not the rows, where the database can.
 */
#include "base/alloc.h"
#include "store/records.h"
#include "store/sql/column.h"

int
ids_all(struct store *s, const struct scope *who, char (**ids)[ID_TEXT], size_t *n,
	struct err *err)
{
	static const enum stmt of[] = { STMT_MESSAGE_ULIDS, STMT_RECORD_ULIDS };
	struct scope_numbers in;
	size_t cap = 0;
	int got = 0;

	*ids = NULL;
	*n = 0;
	if (scope_numbers(s, who, &in, err) < 0)
		return -1;
	for (size_t i = 0; i < NELEM(of) && in.user != 0 && got >= 0; i++) {
		struct db_stmt *q = stmt_start(s, of[i], ARGS(ROWS_OF(in.user)), err);

		while ((got = db_row(q, err)) > 0) {
			xgrow(ids, &cap, *n + 1, sizeof(**ids));
			column_ulid(q, 0, (*ids)[(*n)++]);
		}
	}
	return got < 0 ? -1 : 0;
}
