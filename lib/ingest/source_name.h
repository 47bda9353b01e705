/*
 * source_name.h: what a session is called when its records do not say.
 */
#ifndef INGEST_SOURCE_NAME_H
#define INGEST_SOURCE_NAME_H

#include "ingest/ingest_batch.h"

struct source_names;

struct source_names *source_names_new(struct store *s, const struct ingest_options *o);
void source_names_free(struct source_names *n);

/*
 * The name for a file: its own without directories and endings ("chat"); where that is another
 * file's, with its directory ("a/chat"), with two, and so on. The same file has the same name each
 * time; one that was moved, or packed where it lies, keeps it. Borrowed until the next call.
 */
int source_names_of(struct source_names *n, const char *path, const char **name, struct err *err);

/*
 * A record of that file is in the batch and goes by the name: it is the file's from now on, for
 * good with the next commit.
 */
void source_names_claim(struct source_names *n, struct batch *b);

/*
 * In the open transaction, when the session has gone: once there is no session of a name left, only
 * hashes are kept of it and of its file's path. So the file goes by this name again, and what was
 * pruned is known to be that.
 */
int
source_names_bury(struct store *s, const struct scope *who, const char *session, struct err *err);

#endif
