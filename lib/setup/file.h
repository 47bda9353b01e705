/*
 * file.h: files that are read whole and replaced in one step, so that after a kill at any moment
 * each is the old one or the new one.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"

/* No configuration is larger. */
#define FILE_MOST (64u << 20)

/* A file's bytes; exists false: there is none, and the text is empty. */
struct file { struct buf text; bool exists; };
/* f is to be released in any case. ERR_IO, ERR_PERM; ERR_DATA: too large, or no plain file. */
int file_read(const char *path, struct file *f, struct err *err);
void file_release(struct file *f);

/* The path from the directory at hand on; as it is, where it is whole or that directory is gone. */
const char *file_whole(const char *path, struct arena *a);
/* The path with links followed, in the arena; of a file that is missing the path itself. */
int file_resolve(const char *path, struct arena *a, const char **out, struct err *err);

/*
 * Writes the text beside path, flushes it, and puts it in the place of path, with its mode and
 * owner, or 0600. expected: what path must still hold (its exists too); else ERR_BUSY, and nothing
 * is changed. A file that stands half written beside it, from a run that was killed, is replaced.
 */
int file_replace(const char *path, const char *text, size_t len, const struct file *expected,
	struct err *err);
/* Removes what a killed file_replace left beside path. */
void file_clean(const char *path);
int file_remove(const char *path, struct err *err);

/* The directories that are missing on the way to the file at path, outermost first: [*n]. */
char **dirs_missing(const char *path, struct arena *a, size_t *n);
/* Makes them, 0700. */
int dirs_make(char *const *dirs, size_t n, struct err *err);

/* The SHA-256 in hex; "" for a file that does not exist. */
void file_hash(const char *text, size_t len, bool exists, char out[SHA256_TEXT]);
