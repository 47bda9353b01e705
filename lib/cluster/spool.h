/*
 * spool.h: pieces of text put down and read again in their order: in memory while they are few,
 * then in a temporary file that has no name any more (TMPDIR, else /tmp).
 */
#ifndef CLUSTER_SPOOL_H
#define CLUSTER_SPOOL_H

#include "base/buf.h"
#include "base/err.h"

#define SPOOL_MEMORY (32u << 20)               /* bytes */

struct spool;

struct spool *spool_new(void);
void spool_free(struct spool *s);
/* ERR_IO: the disk is full, or there is no place for a file. */
int spool_put(struct spool *s, const char *text, size_t len, struct err *err);
/* From the first piece again. */
int spool_rewind(struct spool *s, struct err *err);
/* 1: the next piece, borrowed until the next call; 0: no more; -1. */
int spool_next(struct spool *s, const char **text, size_t *len, struct err *err);

#endif
