/*
 * document_known.h: what is known of the files of documents, and the directories that are watched:
 * private to documents.c, documents_gone.c and document_known.c.
 */
#pragma once

#include "ingest/ingest_parts.h"

/* What is known of a file. */
struct known {
	char *path, *session;
	int64_t time_us;
	uint64_t size, device;
	uint8_t sha256[SHA256_BYTES];
	char sign[17];
	char *bad;                         /* why it cannot be read; NULL: it can */
	bool gone;                         /* the file is */
	struct names now;                  /* sorted */
	struct names stale;                /* of its sections, sorted: what goes in this run */
	bool seen, dirty;                  /* read in this run; to be stored */
	bool moved;                        /* another path has its session now */
};

struct known_files {
	struct known *at;                  /* those of before; then new ones */
	size_t n, n_loaded, cap;
	struct keyed paths, sessions;       /* by hash: its place in at, from 1 */
};

struct documents {
	struct ingest *g;
	bool loaded;
	struct known_files files;
	struct buf text, html, json, root;
	/* the directory of the last file, and its project */
	struct buf directory, place;
	struct arena arena;
};

void documents_say(struct documents *d, const char *path, const char *what);
/* Reads what is known, unless it was. */
int documents_load(struct documents *d, struct err *err);
/* The directory of an absolute path, in the arena. */
char *directory_of(const char *path, struct arena *a);

void names_sort(struct names *l);
/* l is sorted. */
bool names_has(const struct names *l, const char *id);

int known_load(struct store *s, const struct scope *who, struct known_files *f, struct err *err);
void known_release(struct known_files *f);
/* The file at an absolute path; NULL: nothing is known of it. */
struct known *known_find(struct known_files *f, const char *path);
/* The file that has the session, or had it last; NULL: none. */
struct known *known_of_session(struct known_files *f, const char *session);
/* Pointers to other entries do not hold after it. */
struct known *known_add(struct known_files *f, const char *path, const char *session);
/*
 * From now on the file has the sections now, which is taken over. Those that it had before and has
 * not now are stale.
 */
void known_settle(struct known *k, struct names *now);
/*
 * Has it stored, together with what comes into the batch next, that the file may have these
 * sections, too, and is to be read again whatever comes in between.
 */
void known_begin(struct batch *b, const struct known *k, const struct names *coming);
/* In the open transaction. */
int known_put(struct store *s, const struct scope *who, const struct known *k, struct err *err);
