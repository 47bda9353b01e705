/* ingest.h: reads transcripts and stores their messages. */
#pragma once

#include <signal.h>

#include "store/store.h"

struct ingest_options {
	const char *user, *agent, *project, *session;      /* "": none, which user never is */
	/* a format's name; NULL or "auto": detected from the bytes */
	const char *from;
	const char *map;                   /* a jq program or its file; NULL: none */
	/* a file for units that could not be stored; NULL: none */
	const char *rejects;
	bool multi_user, keep_secrets;
	/* messages that were pruned come back: files are read whole */
	bool pruned;
	bool strict;                       /* stop at the first bad line */
	/*
	 * 1: files that are documents are read, too; 0: none; -1: but not in directories in which
	 * programs keep conversations
	 */
	int documents;
	bool quiet;                        /* of faults alone is told */
	bool dry_run;                      /* print what would be stored, and store nothing */
	int64_t batch, batch_ms;
	/* set by a signal handler: finish the batch and return */
	const volatile sig_atomic_t *stop;
};

struct ingest_counts {
	uint64_t messages, duplicates, rejected, empty, sessions, files, redacted;
	uint64_t differing;                /* of the duplicates: stored with other words */
	uint64_t pruned;                   /* pruned before, so not stored again */
	uint64_t off;                      /* of projects in which nothing is remembered */
	/* files in directories whose names are not those of transcripts */
	uint64_t passed;
	/*
	 * of the files that were read, those with new messages, with only known ones, of a known
	 * form with nothing in them, and with faults that ended them
	 */
	uint64_t files_new, files_known, files_empty, files_bad;
	/* documents: read for the first time, with other sections than before, as before, gone */
	uint64_t documents_new, documents_changed, documents_known, documents_gone;
	/* of those passed over, what may be documents */
	uint64_t beside;
	uint64_t sections;                 /* of documents, that are new */
	bool walked;                       /* an input was a directory */
};

/* Receives results. Any function may be NULL. */
struct ingest_out {
	/* committed messages, in whole lines */
	void (*records)(void *arg, const char *ndjson, size_t len);
	void (*warn)(void *arg, const char *text);                     /* "FILE:LINE: reason" */
	/* what only matters to a user who asks for more output */
	void (*note)(void *arg, const char *text);
	void (*progress)(void *arg, const struct ingest_counts *c);    /* after each commit */
	void *arg;
};

/*
 * Reads paths [n] into s. "-" is stdin; directories are walked in sorted order, without following
 * links. s is NULL only in a dry run without a store. Returns 0 also when lines were bad
 * (counts->rejected) or an input could not be read: then *worst is the code of the first such
 * fault. -1: it could not go on; what was printed until then is stored.
 */
int ingest(struct store *s, const struct ingest_options *o, const struct ingest_out *out,
	char *const *paths, size_t n, struct ingest_counts *counts, int *worst, struct err *err);
