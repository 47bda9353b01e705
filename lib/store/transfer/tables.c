/*
 * tables.c: what is copied from a store to another: all tables and columns that both kinds of
 * database have. Left out are the log of changes and the other stores that mem-sync knows, as a
 * store on a server has none, and so is the column of an access that names a change.
 *
 * tables_test compares this with the schema.
 */
#include "store/transfer/tables.h"

#include <stdio.h>
#include <string.h>

#include "gen/copied_rows.h"

const struct copy_table copy_tables[] = { COPIED_TABLES { NULL, 0, NULL, NULL } };

void
copy_columns(const struct copy_table *t, struct copy_columns *out)
{
	out->n = 0;
	for (const char *p = t->columns; *p != '\0' && out->n < COPY_COLUMNS; out->n++) {
		size_t n = strcspn(p, ":");

		snprintf(out->names[out->n], COPY_NAME, "%.*s", (int)n, p);
		out->types[out->n] = p[n + 1];
		p += n + 2;
		p += strspn(p, " ");
	}
	out->types[out->n] = '\0';
}

void
copy_add_names(struct buf *sql, const struct copy_columns *c, int n)
{
	for (int i = 0; i < n; i++)
		buf_addf(sql, "%s%s", i > 0 ? ", " : "", c->names[i]);
}
