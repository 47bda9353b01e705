/*
 * pagesum.h: a sum of every page of the database file, so that a bit which rots in it is noticed,
 * whatever it is a bit of. Private to this folder.
 */
#ifndef STORE_SQLITE_PAGESUM_H
#define STORE_SQLITE_PAGESUM_H

#include <sqlite3.h>

#include "base/err.h"

#define PAGESUM_BYTES 8
/* SQLite's "unix-none", with sums: no locks, no shared memory */
#define PAGESUM_ALONE "mem-alone"

/* Once a process, before the first database is opened. */
void pagesum_set_up(void);

/*
 * A database that is made by this connection, or that it writes with VACUUM INTO, has room for the
 * sums.
 */
void pagesum_want(sqlite3 *db);

/* Has the file room for sums? */
bool pagesum_has(sqlite3 *db);

/*
 * With on, pages that are read from the file from now on are compared with their sums; one that
 * differs is not read: SQLITE_CORRUPT. Costs about .3 us a page.
 */
void pagesum_compare(sqlite3 *db, bool on);

/*
 * Around a copy of all pages of a database, as they are, to the file of another, which is empty.
 * One that differs from its sum is copied too, with a sum that no page has: it differs in the copy.
 */
void pagesum_copy_begin(sqlite3 *from, sqlite3 *to);
void pagesum_copy_end(sqlite3 *from, sqlite3 *to);

/*
 * Number of the first page that differed since this was last asked, or since comparing was turned
 * on; 0: none did.
 */
int64_t pagesum_differing(sqlite3 *db);

/*
 * How many pages of the file have room for a sum and none, as after another program moved the log
 * into the file. Reads the file.
 */
int64_t pagesum_missing(sqlite3 *db);

#endif
