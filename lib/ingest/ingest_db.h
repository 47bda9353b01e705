/*
 * ingest_db.h: conversations that a program keeps in a database. schema/from/NAME.sql has, for each
 * shape of the tables that is known, a statement that gives the lines of the format NAME, which its
 * map then reads as if they stood in a file. Directories of OpenCode and logs of changes are read
 * the same way.
 */
#pragma once

#include "base/err.h"

struct db_rows;

/* The format of the databases that have this name in directories; NULL: none. Static. */
const char *db_rows_format(const char *file_name);

/*
 * Begins to read the database at path, or, is_log, the log. format NULL: that of its tables, whose
 * name comes into found. *fd is a pipe that gives its lines, to be closed before db_rows_end.
 * ERR_DATA: no format knows its tables.
 */
int db_rows_begin(const char *path, const char *format, bool is_log, struct db_rows **out, int *fd,
	char found[64], struct err *err);
/* -1: the database could not be read to its end. */
int db_rows_end(struct db_rows *d, struct err *err);
