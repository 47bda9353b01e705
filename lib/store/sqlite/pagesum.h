/*
 * pagesum.h: a checksum for every page of the database file, so that a changed bit is noticed
 * wherever it is. Private to lib/store/sqlite.
 */
#pragma once

#include <sqlite3.h>

#include "base/err.h"

#define PAGESUM_BYTES 8
#define PAGESUM "mem"                      /* the layer that keeps them, as SQLite knows it */
/* SQLite's "unix-none", with sums: no locks, no shared memory */
#define PAGESUM_ALONE "mem-alone"

/* Once a process, before the first database is opened. */
void pagesum_set_up(void);

/* A database that this connection makes, also with VACUUM INTO, gets room for the sums. */
void pagesum_want(sqlite3 *db);

/* Whether the file has room for sums. */
bool pagesum_has(sqlite3 *db);

/*
 * on: pages that are read from the file from now on are compared with their sums, and one that
 * differs gives SQLITE_CORRUPT. Cost: about .3 us a page.
 */
void pagesum_compare(sqlite3 *db, bool on);

/*
 * To be called before and after copying all pages of a database to an empty file. A page that
 * differs from its sum is copied with a sum that no page has, so that it differs in the copy too.
 */
void pagesum_copy_begin(sqlite3 *from, sqlite3 *to);
void pagesum_copy_end(sqlite3 *from, sqlite3 *to);

/* The first page that differed since the last call, or since comparing was turned on; 0: none. */
int64_t pagesum_differing(sqlite3 *db);

/*
 * How many pages of the file have no sum, as after another program moved the log into the file.
 * Reads the whole file.
 */
int64_t pagesum_missing(sqlite3 *db);
