/*
 * documents.h: files that nobody said anything in: notes, pages, books. Each is a session of its
 * own, called by its directory and name, with its sections as messages of role "document"; so they
 * are found, embedded, exported and forgotten as all messages are.
 *
 * A section is known by its headings and words. When a file has changed, the sections that are in
 * it still stay, with their ids; those that are not go, and so do all of a file when its directory
 * is read again and the file is gone. Words that the user has forgotten stay away, wherever they
 * stand.
 */
#pragma once

#include "ingest/ingest_parts.h"

struct documents;

struct documents *documents_new(struct ingest *g);
void documents_free(struct documents *d);

/*
 * Whether the file at path is read as a document: by the ending of its name, and where that is one
 * of text by its first bytes, which must be those of no transcript. DIALOG: lines such as "User:"
 * are all that makes it one, and not what a program says that wrote it.
 */
enum document_is { DOCUMENT_NOT, DOCUMENT_DIALOG, DOCUMENT_IS };
enum document_is documents_has(const char *path);

/*
 * Sets out, which it makes, to the text of the file at path: of a PDF what pdftotext(1) finds in
 * it. sum is the hash of what was read, *n_mended how many characters were none, and are U+FFFD.
 * ERR_CONFIG: pdftotext is not installed; ERR_DATA: there is no text in it. out is to be released
 * in any case.
 */
int document_text(const char *path, struct buf *out, uint8_t sum[SHA256_BYTES], uint64_t *n_mended,
	struct err *err);

/*
 * Reads the document at path and gives its sections to the batch. Returns 0 also where there is
 * nothing new; -1 with ERR_DATA or the like: it cannot be read.
 */
int documents_take(struct documents *d, const char *path, struct err *err);

/* Whether the file at path was read as a document before: it is one still. */
int documents_knows(struct documents *d, const char *path, bool *knows, struct err *err);
/* Whether documents were read from the directory at path before. */
int documents_below(struct documents *d, const char *path, bool *any, struct err *err);

/*
 * The directory at path was walked: documents that were read from it, and are not there now, go.
 * Where their own directory is empty or on another device, it may not be mounted: then they stay.
 */
int documents_walked(struct documents *d, const char *path, struct err *err);

/* Stores what is in the batch; what is no more in its files goes with that, for good. */
int documents_end(struct documents *d, struct err *err);

/*
 * In the open transaction, after a session was forgotten: what was noted of its file goes, too.
 * session NULL: of all, with what directories are watched.
 */
int documents_forget(struct store *s, const struct scope *who, const char *session,
	struct err *err);

/* ---- directories that mem-upkeep reads again ---- */

/* From now on the directory at path is watched, or not any more. ERR_NOINPUT: none was, or is. */
int documents_watch(struct store *s, const struct scope *who, const char *path, bool on,
	struct err *err);
/* The directories that are watched, in the arena. */
int documents_watched(struct store *s, const struct scope *who, struct arena *a, char ***paths,
	size_t *n, struct err *err);
