/*
 * detect.h: what a transcript is, by its first bytes.
 */
#ifndef INGEST_DETECT_H
#define INGEST_DETECT_H

#include "base/err.h"

/*
 * The name of the format, judged by the keys of the first objects; NULL when it is none that we
 * know, with ERR_DATA and what was seen. name is for the message. len 0 gives NULL without an
 * error: there is nothing to read.
 */
const char *detect_format(const char *bytes, size_t len, const char *name, struct err *err);

/* Brackets and blanks only: an array or an object with nothing in it. */
bool sniff_is_bare(const char *bytes, size_t len);

/* One document (an array over lines, an object over lines) rather than a value a line. */
bool detect_is_document(const char *bytes, size_t len);

#endif
