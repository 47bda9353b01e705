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
	bool gone;                         /* the file is */
	size_t n_went;                     /* sections that go with it in this run */
	struct names now, was;
	bool seen, dirty;                  /* read in this run; to be stored */
	bool moved;                        /* another path has its session now */
};

struct known_files {
	struct known *at;                  /* those of before by path; then new ones */
	size_t n, n_loaded, cap;
};

/* The id of that hash, "HASH" or "HASH.2", of which the last counts; NULL. */
const char *names_find(const struct names *l, const char *hash);

int known_load(struct store *s, const struct scope *who, struct known_files *f, struct err *err);
void known_release(struct known_files *f);
/* The file at an absolute path; NULL: nothing is known of it. */
struct known *known_find(struct known_files *f, const char *path);
/* Moves what is at another place. */
struct known *known_add(struct known_files *f, const char *path);
/*
 * From now on the file has the sections now, which is taken over. Those that it had before and has
 * not now are added to stale, and remembered as what was there.
 */
void known_settle(struct known *k, struct names *now, struct names *stale);
/* In the open transaction. */
int known_put(struct store *s, const struct scope *who, const struct known *k, struct err *err);

#endif
