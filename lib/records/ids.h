/*
 * ids.h: ids as lines, or inside the records that another program prints, so that "mem-search ... |
 * mem-show" needs nothing in between.
 */
#ifndef RECORDS_IDS_H
#define RECORDS_IDS_H

#include "base/arena.h"
#include "base/err.h"

/*
 * The id that a line is, a JSON string, or the id of a record (of a chunk: its message's). Spaces
 * around it are dropped. *out NULL: the line is empty. ERR_DATA.
 */
int id_of_line(const char *line, size_t len, struct arena *a, const char **out, struct err *err);

/*
 * All of path, "-": stdin. *ids [*n] is the caller's to free, also after a fault, the ids are in a.
 * ERR_DATA with the place of the first line that is no id.
 */
int ids_read(const char *path, struct arena *a, const char ***ids, size_t *n, struct err *err);

#endif
