/*
 * embed.h: makes the vectors that a store's records lack, or adds vectors to records on a pipe.
 */
#pragma once

#include <signal.h>

#include "model/model.h"
#include "store/vectors.h"

struct embed_options {
	/* NULL: the configured service makes the vectors (embed/service.h) */
	const struct model *model;
	unsigned n_threads;                /* 0: one for each processor */
	/* set by a signal handler: what is computed is stored, then the call returns 0 */
	const volatile sig_atomic_t *stop;
};

/* The number of processors; 1 when that cannot be found out. */
unsigned embed_processors(void);

/* ---- the records of a store ---- */
struct embed;

struct embed_counts {
	uint64_t n_texts;                  /* vectors stored */
	int64_t n_missing;                 /* of the current user, when his turn began */
	uint64_t n_of_user;                /* stored for the current user */
	/* records that the service refused; they are tried again later */
	uint64_t n_refused;
};

/* Called after each commit, and now and then while waiting. May be NULL. */
typedef void embed_progress_fn(void *arg, const struct embed_counts *c);

/*
 * Makes the set of vectors when there is none; a service is then asked what it is. s must be open
 * for writing; s and o are borrowed.
 */
int embed_open(struct store *s, const struct embed_options *o, embed_progress_fn *progress,
	void *arg, struct embed **out, struct err *err);
void embed_close(struct embed *e);
const char *embed_name(const struct embed *e);         /* the model's name */
const struct embed_counts *embed_counts(const struct embed *e);

/*
 * Embeds what a user's records lack, oldest first, until nothing is missing, and stores it in
 * batches of EMBED_BATCH vectors or a second's work; then sorts a large memory's vectors into cells
 * (vectors_sort). When it is killed, the next call continues where it stopped. When a service
 * fails, what came before is stored and err is ERR_UNAVAILABLE. One process at a time works on a
 * user and a model; others wait for it as long as the setting "wait" says: then ERR_BUSY.
 */
int embed_user(struct embed *e, const char *user, struct err *err);
/*
 * Does one round of embed_user, at most EMBED_STEP texts, without waiting: nothing happens while
 * another process works on the user. *did: some vectors were stored.
 */
int embed_step(struct embed *e, const char *user, bool *did, struct err *err);
#define EMBED_BATCH 256
#define EMBED_STEP  256

/* Calls embed_user for each user of the store. */
int embed_all(struct embed *e, struct err *err);

/*
 * Makes searches use this model's set from now on, if nothing is missing in it for any user.
 * *switched: they used another set until now, or none.
 */
int embed_switch(struct embed *e, bool *switched, struct err *err);

/* ---- records on a pipe ---- */
struct embed_filter_out {
	/* return other than 0 to stop, when stdout is closed */
	int (*records)(void *arg, const char *ndjson, size_t len);
	void (*warn)(void *arg, const char *text);                     /* "stdin:LINE: reason" */
	void *arg;
};

/*
 * Reads records from path ("-": stdin), adds "vec", the array of the vector's numbers, and hands
 * them out in order, otherwise unchanged byte for byte. The text embedded is that of "text",
 * "content" or "query"; a query, or every text when queries is set, is embedded as a question. A
 * message's speaker is its "name". *n_bad: lines that are no record or have no text; they are
 * reported and left out.
 */
int embed_filter(const struct embed_options *o, const char *path, bool queries,
	const struct embed_filter_out *out, uint64_t *n_bad, struct err *err);
