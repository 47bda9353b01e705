/* walk.h: which files of a directory, or of an archive, are read. */
#pragma once

#include "ingest/ingest_from.h"

struct walk_calls {
	int (*file)(void *arg, const char *path, struct err *err);     /* -1 ends the walk */
	/* a file whose name is that of a document; *taken false: it is none. NULL: none are read */
	int (*document)(void *arg, const char *path, bool *taken, struct err *err);
	/* a file that is not read, and why, as it follows "passed over, " */
	void (*passed)(void *arg, const char *path, const char *why);
	/* a fault of the walk itself */
	void (*fault)(void *arg, const struct err *err);
	void *arg;
	bool *walking;             /* set first: path is a directory, or a zip archive */
};

/*
 * Calls file for path or, when it is walked, for the files in and below it that belong to the
 * format (from NULL: to any), sorted by name: those that bear a name as the format's files do, and
 * others whose first bytes are certainly of it. With from NULL, JSON in which nothing can be words
 * is passed over whatever its name, and so are the lists beside an export. Links and names with a
 * leading dot are left out. Of a Maildir all messages are read, if the format may be mail.
 */
int walk_each(const char *path, const struct from *from, const struct walk_calls *calls,
	struct err *err);
