/*
 * tables_test.c: the list of tables that are copied. 0787-postgres-copy.t compares the lines that
 * this prints with --all with the tables of both kinds of database.
 */
#include "tap.h"

#include <string.h>

#include "store/transfer/tables.h"

int
main(int argc, char **argv)
{
	struct copy_columns c;

	if (argc > 1 && strcmp(argv[1], "--all") == 0) {
		for (const struct copy_table *t = copy_tables; t->name != NULL; t++) {
			copy_columns(t, &c);
			for (int i = 0; i < c.n; i++)
				printf("%s.%s %s\n", t->name, c.names[i],
				    i < t->n_key ? "key" : "");
		}
		return 0;
	}
	for (const struct copy_table *t = copy_tables; t->name != NULL; t++) {
		bool known = true;

		copy_columns(t, &c);
		for (int i = 0; i < c.n; i++)
			known &= c.types[i] != '\0' && strchr("irtba", c.types[i]) != NULL;
		ok(known && c.n >= t->n_key && t->n_key > 0 && t->n_key <= COPY_KEY_PARTS,
		    "%s: columns of known types, and a key", t->name);
	}
	return tap_done();
}
