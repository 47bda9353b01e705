/*
 * ids.h: reads ids from lines, which are ids or records that another program printed, so that
 * "mem-search ... | mem-show" needs nothing in between.
 */
#ifndef RECORDS_IDS_H
#define RECORDS_IDS_H

#include "base/arena.h"
#include "base/err.h"

/*
 * The id that a line holds: as plain text, as a JSON string, or in a record (of a chunk: its
 * message's). Blanks around it are dropped. *out NULL: the line is empty. ERR_DATA.
 */
int id_of_line(const char *line, size_t len, struct arena *a, const char **out, struct err *err);

/*
 * Reads all lines of path; "-": stdin. The caller frees *ids [*n], also after a fault; the ids
 * themselves are in a. ERR_DATA names the first line that is no id.
 */
int ids_read(const char *path, struct arena *a, const char ***ids, size_t *n, struct err *err);

#endif
