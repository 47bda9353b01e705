/*
 * import.h: what export.h wrote comes into a store: as it was, and beside what is there. Nothing is
 * written over: what has the id of something else is told and left out.
 */
#pragma once

#include "facts/forget.h"
#include "json/ndjson.h"
#include "store/store.h"

struct import_options {
	const char *user;
	bool all_users;                    /* each record's own user; else another one is a fault */
	bool allow;                        /* what was removed here may come back */
	bool partly;                       /* lines may be missing, as behind a filter */
};

struct import_counts {
	int64_t n_stored, n_same, n_differ, n_removed, n_bad;
	/* of those stored: messages, and changes of facts, summaries and reflections */
	int64_t n_messages, n_changes;
	int64_t n_gone;                    /* messages and records that were removed elsewhere */
};

struct import;

/* For any number of inputs. s and o are borrowed. */
struct import *import_new(struct store *s, const struct import_options *o);
void import_free(struct import *im);

/*
 * fault: a line that is not stored, and why: it cannot be read, or something else has its id.
 * stored: a transaction was committed. Both may be NULL.
 */
struct import_fn {
	void *arg;
	void (*fault)(void *arg, const char *name, uint64_t line, const char *why);
	void (*stored)(void *arg, const struct import_counts *n);
};

/*
 * Stores the lines of in, which path is, and closes it, a transaction for some hundred: a kill
 * leaves the lines
 * before it, and the same input again goes on. Several exports may follow each other in one input:
 * each is held against its own last line, and what is wrong with one that is not the last is told
 * as a fault of the line where the next one begins. ERR_DATA: the input cannot be read, is of
 * another version, or was cut off; what was good of it is stored. Cost: memory for one transaction.
 */
int import_file(struct import *im, struct ndjson *in, const char *path,
	const struct import_fn *fn, struct err *err);
/* Opens path ("-": stdin) for lines as long as those of an export can be. */
int import_open(const char *path, struct ndjson **in, struct err *err);
/* Of the last export that was news: whose, as its first line says; NULL: there was none. */
struct news_head;
const struct news_head *import_head(const struct import *im);
const struct import_counts *import_counts(const struct import *im);
