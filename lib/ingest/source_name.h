/* source_name.h: names for sessions whose records do not name them. */
#pragma once

#include "ingest/ingest_batch.h"

struct source_names;

struct source_names *source_names_new(struct store *s, const struct ingest_options *o);
void source_names_free(struct source_names *n);

/*
 * The name for a file: its own, without directories and endings ("chat"); if another file has that
 * name, with its directory ("a/chat"), with two directories, and so on. A file has the same name
 * each time, also when it was moved, or packed where it lies. A document has its ending,
 * and at least one directory ("notes/plan.md"). real is where the file is (file_real). Borrowed
 * until the next call.
 */
int source_names_of(struct source_names *n, const char *path, const char *real, bool is_document,
	const char **name, struct err *err);

/*
 * Called instead for a file whose name is known, or that gives none (real NULL): the file before
 * is then no longer the one whose name is claimed.
 */
void source_names_pass(struct source_names *n, const char *real);

/*
 * Called when a record of that file is in the batch under the name: from now on the name is the
 * file's, and with the next commit for good.
 */
void source_names_claim(struct source_names *n, struct batch *b);

/*
 * Called in the open transaction when a session was removed. Once no session of a name is left,
 * only hashes of the name and of its file's path are kept, so that the file gets this name again
 * and what was pruned stays known as that.
 */
int
source_names_bury(struct store *s, const struct scope *who, const char *session, struct err *err);
