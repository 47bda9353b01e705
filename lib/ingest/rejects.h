/*
 * rejects.h: the file for lines that could not be taken, to be mended and given again.
 */
#ifndef INGEST_REJECTS_H
#define INGEST_REJECTS_H

#include "json/json.h"

struct rejects;

/* Appends to path, which is made 0600. path NULL: a handle that keeps nothing. ERR_IO. */
int rejects_open(const char *path, struct rejects **out, struct err *err);
void rejects_close(struct rejects *r);

/*
 * Adds a unit as one line: a line as it is; of a document (compact), JSON without its line ends. a
 * is scratch.
 */
int rejects_add(struct rejects *r, const char *unit, size_t len, bool compact, struct arena *a,
	struct err *err);

#endif
