/*
 * embed.h: vectors for what has none: of a store's records, or of records that pass by (SPEC 5).
 */
#ifndef EMBED_EMBED_H
#define EMBED_EMBED_H

#include <signal.h>

#include "model/model.h"
#include "store/vectors.h"

struct embed_options {
	/* NULL: the service that is set makes them (embed/service.h) */
	const struct model *model;
	unsigned n_threads;                /* 0: as many as there are processors */
	/* set from outside: what is computed is stored, then the call returns 0 */
	const volatile sig_atomic_t *stop;
};

/* Processors that are there; 1 when that cannot be known. */
unsigned embed_processors(void);

/* ---- the queue of a store ---- */
struct embed;

struct embed_counts {
	uint64_t n_texts;                  /* vectors stored */
	int64_t n_missing;                 /* of the user at hand, when his turn came */
	uint64_t n_of_user;                /* stored for him */
	/* records that the service did not take; they are tried again later */
	uint64_t n_refused;
};

/* After each commit, and while nothing is ready. May be NULL. */
typedef void embed_progress_fn(void *arg, const struct embed_counts *c);

/*
 * Makes the set when there is none; a service is asked then. s is open for writing and borrowed, as
 * o is.
 */
int embed_open(struct store *s, const struct embed_options *o, embed_progress_fn *progress,
	void *arg, struct embed **out, struct err *err);
void embed_close(struct embed *e);
const char *embed_name(const struct embed *e);         /* the model's */
const struct embed_counts *embed_counts(const struct embed *e);

/*
 * Embeds what is missing of a user, oldest first, until nothing is, and stores it in batches of
 * EMBED_BATCH vectors or a second's worth; then a large memory's vectors are sorted into cells
 * (vectors_sort). Killed at any moment it goes on there the next time. When a service fails, what
 * came before is stored, and err is ERR_UNAVAILABLE. One process at a time works on a user and a
 * model; others wait for it up to the setting "wait": ERR_BUSY.
 */
int embed_user(struct embed *e, const char *user, struct err *err);
/*
 * One round of it, EMBED_STEP texts at most, without waiting: nothing when another process is at
 * it. *did: some were stored.
 */
int embed_step(struct embed *e, const char *user, bool *did, struct err *err);
#define EMBED_BATCH 256
#define EMBED_STEP  256

/* embed_user for each user of the store. */
int embed_all(struct embed *e, struct err *err);

/*
 * Lets searches use the model's set from now on when nothing is missing in it, of any user.
 * *switched: they used another one until now, or none.
 */
int embed_switch(struct embed *e, bool *switched, struct err *err);

/* ---- records that pass by ---- */
struct embed_filter_out {
	/* not 0: nobody reads on, stop */
	int (*records)(void *arg, const char *ndjson, size_t len);
	void (*warn)(void *arg, const char *text);                     /* "stdin:LINE: reason" */
	void *arg;
};

/*
 * Reads records from path ("-": stdin), adds "vec", an array of the model's numbers, and hands them
 * out in their order, otherwise byte for byte. The text is that of "text", "content" or "query"; a
 * query, or every text when queries is set, is embedded as a question. A message has its speaker in
 * "name". *n_bad: lines that are no record or have no text; they are told and left out.
 */
int embed_filter(const struct embed_options *o, const char *path, bool queries,
	const struct embed_filter_out *out, uint64_t *n_bad, struct err *err);

#endif
