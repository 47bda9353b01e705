/*
 * document_known.h: what is known of the files of documents, and the directories that are watched:
 * private to documents.c and document_known.c.
 */
#ifndef INGEST_DOCUMENT_KNOWN_H
#define INGEST_DOCUMENT_KNOWN_H

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
	struct known *at;                  /* those of before by path; then new ones */
	size_t n, n_loaded, cap;
};

void names_sort(struct names *l);
/* l is sorted. */
bool names_has(const struct names *l, const char *id);

int known_load(struct store *s, const struct scope *who, struct known_files *f, struct err *err);
void known_release(struct known_files *f);
/* The file at an absolute path; NULL: nothing is known of it. */
struct known *known_find(struct known_files *f, const char *path);
/* Pointers to other entries do not hold after it. */
struct known *known_add(struct known_files *f, const char *path);
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

#endif
