/*
 * rejects.h: the file of units that could not be stored, which a person may mend and give to
 * mem-ingest again.
 */
#pragma once

#include "json/json.h"

struct rejects;

/*
 * Opens path for appending, and makes it with mode 0600. path NULL: the handle keeps nothing.
 * ERR_IO.
 */
int rejects_open(const char *path, struct rejects **out, struct err *err);
void rejects_close(struct rejects *r);

/*
 * Adds a unit as one line: a line as it is, or with compact a part of a document as JSON without
 * line ends. a is scratch.
 */
int rejects_add(struct rejects *r, const char *unit, size_t len, bool compact, struct arena *a,
	struct err *err);
