/*
 * torn.h: whole records within a line that is none: what stands behind a record that was broken
 * off, and two records in one line.
 */
#ifndef INGEST_TORN_H
#define INGEST_TORN_H

#include "base/base.h"

enum torn_got { TORN_END, TORN_WHOLE, TORN_BROKEN };

/*
 * The next piece of the line from *at on, which moves behind it: a whole object, or what was broken
 * off before the next. An object counts only where it begins with the key that the line begins
 * with: what lies within the broken record begins otherwise.
 */
enum torn_got
torn_next(const char *line, size_t len, size_t *at, const char **piece, size_t *piece_len);

#endif
