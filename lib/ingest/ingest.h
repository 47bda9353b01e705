/*
 * ingest.h: transcripts in, stored messages out (SPEC 4.1).
 */
#ifndef INGEST_INGEST_H
#define INGEST_INGEST_H

#include <signal.h>

#include "store/store.h"

struct ingest_options {
	const char *user, *agent, *project, *session;      /* "" for none; user never */
	const char *from;                  /* a format; NULL or "auto": by the bytes */
	const char *map;                   /* a jq program or its file; NULL: none */
	const char *rejects;               /* file for bad lines; NULL: none */
	bool multi_user, keep_secrets;
	/* the store takes what was pruned again: files are read whole */
	bool pruned;
	bool strict;                       /* stop at the first bad line */
	bool dry_run;                      /* hand out what would be stored, store nothing */
	int64_t batch, batch_ms;
	const volatile sig_atomic_t *stop; /* set from outside: finish the batch and return */
};

struct ingest_counts {
	uint64_t messages, duplicates, differing /* of the duplicates: stored with other words */,
	    pruned /* and stay away */, rejected, empty, sessions, files, redacted;
	uint64_t passed;                   /* files of a directory that are not of the format */
};

/* Where results go. Any may be NULL. */
struct ingest_out {
	/* committed messages, whole lines */
	void (*records)(void *arg, const char *ndjson, size_t len);
	void (*warn)(void *arg, const char *text);                     /* "FILE:LINE: reason" */
	/* what is worth knowing to who asks */
	void (*note)(void *arg, const char *text);
	void (*progress)(void *arg, const struct ingest_counts *c);    /* after each commit */
	void *arg;
};

/*
 * Reads paths [n] ("-": stdin; directories are walked, sorted, without following links) into s; s
 * NULL, in a dry run only: there is none yet. 0 also when lines were bad (counts->rejected) or an
 * input could not be read: then *worst is the code of the first such. -1 when it could not go on:
 * what was handed out is stored.
 */
int ingest(struct store *s, const struct ingest_options *o, const struct ingest_out *out,
	char *const *paths, size_t n, struct ingest_counts *counts, int *worst, struct err *err);

#endif
