/*
 * ingest_files.h: which files, and where to go on in one that grows.
 *
 * An agent's session file is appended to while mem-ingest runs again and again. Of each such file
 * the store keeps how far it was read, and a signature of how: the format's program, the options
 * that change records, our version. Reading goes on there when the file is still the same one
 * (device, inode, first bytes) and the signature too; else it is read whole, and what is known is
 * found to be so by its ids.
 */
#ifndef INGEST_INGEST_FILES_H
#define INGEST_INGEST_FILES_H

#include "ingest/ingest.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_from.h"

struct file_calls {
	int (*file)(void *arg, const char *path, struct err *err);     /* -1 ends the walk */
	/* a file whose name is not that of the format's */
	void (*passed)(void *arg, const char *path);
	void (*fault)(void *arg, const struct err *err);               /* of the walk */
	void *arg;
};

/*
 * Calls file for path, or, when it is a directory, for the files in and below it that are the
 * format's (from NULL: any format's), in the order
 * of their names; links and names with a leading dot are left out. Of a Maildir all messages are
 * taken, where mail may be meant.
 */
int files_each(const char *path, const struct from *from, const struct file_calls *calls,
	struct err *err);

/* A name of a file as text: bytes that are no UTF-8 as "%FF". Appends. */
void file_text(struct buf *out, const char *s, size_t len);

/* The file's name without directories and endings ("chat.jsonl.gz": "chat"), as text, in out. */
const char *file_base(const char *path, struct buf *out);

/*
 * The name of the directory that the file lies in, as text: as it stands in the path, or what it is
 * where that is no name. Empty: path is no file's.
 */
void file_directory(const char *path, struct buf *out);

/* Of its first min(4096, offset) bytes. -1: it is shorter, or cannot be read. */
int file_head_hash(const char *path, uint64_t offset, uint8_t out[SHA256_BYTES]);

struct growing;

/*
 * What is known of path. *out is never NULL; it is off for what cannot grow (stdin, s NULL, no
 * regular file).
 */
int growing_open(struct store *s, const struct ingest_options *o, const char *path,
	struct growing **out, struct err *err);
void growing_close(struct growing *w);

/* as it was read last; NULL when nothing is known */
const char *growing_format(const struct growing *w);
/* decides whether reading goes on where it ended */
void growing_match(struct growing *w, const struct from *from);
bool growing_resumes(const struct growing *w);
/* it does, and there is nothing new */
bool growing_is_done(const struct growing *w);
uint64_t growing_offset(const struct growing *w);
uint64_t growing_line(const struct growing *w);
const char *growing_state(const struct growing *w);            /* of the map: JSON text */

/*
 * Read from the start; with on false it is not kept how far. With turns the file is read whole each
 * time, and its last turn is kept: that one may grow.
 */
void growing_start(struct growing *w, const struct from *from, bool on, bool turns);
/*
 * The turn that begins at this line says so much. When the file ended with it the last time, and it
 * has gone on since: how many bytes of it there were then, which are stored; else 0.
 */
size_t growing_turn(struct growing *w, uint64_t line, const char *text, size_t len);
bool growing_is_on(const struct growing *w);
/* all up to here is in the batch */
void growing_saw(struct growing *w, uint64_t offset, uint64_t line);
void growing_note(struct growing *w, struct batch *b, bool positional, const char *state);

#endif
