/*
 * ingest_files.h: what files are called, and where reading goes on in a file that grows.
 *
 * An agent's session file is appended to while mem-ingest runs again and again. For each such file
 * the store keeps how far it was read, and a signature of how: the format's map, the options that
 * change records, our version. Reading goes on there when the file is still the same one (device,
 * inode, first bytes) and the signature is, too. Otherwise the file is read whole, and messages
 * that are stored already are known by their ids.
 */
#pragma once

#include "ingest/ingest.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_from.h"

/* Appends a file's name as text, with bytes that are not UTF-8 as "%FF". */
void file_text(struct buf *out, const char *s, size_t len);

/* Where an archive's name ends in a path that leads through a ".zip"; NULL: it does not. */
const char *file_archive_end(const char *path);

/* The file's name without directories and endings ("chat.jsonl.gz": "chat"), as text, in out. */
const char *file_base(const char *path, struct buf *out);

/*
 * The name of the file's directory, as text: as it stands in the path, or its real name where that
 * has only dots. Empty: path is not a file.
 */
void file_directory(const char *path, struct buf *out);

/*
 * Where a file really is. A run asks for the files of one directory after the other. Whoever asks
 * makes the buffers.
 */
struct file_real {
	struct buf given, directory;       /* the directory that was looked up last; what it is */
	struct buf path;
};
/*
 * The absolute path of a file, or of a member of an archive, with links followed; NULL: nothing is
 * there. Borrowed until the next call.
 */
const char *file_real(struct file_real *r, const char *path);

/* The hash of the file's first min(4096, offset) bytes. -1: it is shorter, or cannot be read. */
int file_head_hash(const char *path, uint64_t offset, uint8_t out[SHA256_BYTES]);

struct last_turn { unsigned long long line, len, hash; };        /* line 0: the turn is not known */

/* Others than ingest_files.c only read it. */
struct growing {
	bool possible, on, resumes, turns;
	/* the last turn when the file was last read; the last one now */
	struct last_turn before, last;
	const struct ingest_options *o;
	char *path;                /* the absolute path */
	struct arena arena;
	uint64_t size;
	struct input_state was;    /* what was stored; path NULL: nothing */
	const struct json *about;  /* the text of that state, parsed */
	struct input_state now;
	char sign[17];
	char *format;
	bool dirty, packed;
	struct buf text;
};

/*
 * Looks up what the store knows about the file at path, which is really at real. *out is never
 * NULL; for an input that cannot grow (stdin, no regular file, s NULL) it does nothing.
 */
int growing_open(struct store *s, const struct ingest_options *o, const char *path,
	const char *real, struct growing **out, struct err *err);
void growing_close(struct growing *w);

/* decides whether reading goes on where it ended */
void growing_match(struct growing *w, const struct from *from);
/*
 * What goes on with the next line: the state of the map, as JSON text, and the last session that
 * told its working directory, with its project ("": none).
 */
struct growing_place { const char *map, *session, *project; };
void growing_was(const struct growing *w, struct growing_place *out);

/*
 * Reading begins at the start; with on false, how far it comes is not stored. With turns the file
 * is read whole each time, and its last turn is noted, because that one may grow.
 */
void growing_start(struct growing *w, const struct from *from, bool on, bool turns);
/*
 * Called for the turn that begins at this line. If it was the last turn when the file was last
 * read, and has grown since: how many of its bytes are stored; else 0.
 */
size_t growing_turn(struct growing *w, uint64_t line, const char *text, size_t len);
/* all records up to here are in the batch */
void growing_saw(struct growing *w, uint64_t offset, uint64_t line);
/* A packed file was read to its end: it is read again, whole, when its size has changed. */
void growing_saw_packed(struct growing *w, const struct from *from);
void growing_note(struct growing *w, struct batch *b, bool positional,
	const struct growing_place *place);
