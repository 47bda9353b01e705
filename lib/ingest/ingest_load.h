/*
 * ingest_load.h: records gathered for one transaction, and how each fared in it. Private to
 * lib/ingest/ingest_*.c.
 */
#ifndef INGEST_INGEST_LOAD_H
#define INGEST_INGEST_LOAD_H

#include <pthread.h>
#include <signal.h>

#include "base/buf.h"
#include "ingest/ingest.h"
#include "ingest/rejects.h"
#include "ingest/seen.h"
#include "index/prepare.h"

/*
 * A unit of an input as it was read: it goes to the rejects when the store refuses a record of it.
 */
struct unit {
	uint64_t no;               /* among all that were read */
	bool compact;              /* as rejects_add has it */
	bool rejected;             /* by its reader */
	size_t len;
	const char *text;          /* in the load's arena */
};

enum fate { FATE_NONE /* a session */, FATE_STORED, FATE_DUPLICATE, FATE_PRUNED, FATE_REFUSED };

struct item {
	bool is_session;
	uint8_t fate;
	const char *user;
	const char *name;          /* of the input */
	const char *why;           /* it was refused */
	const char *no_time;       /* of the record; NULL: nothing */
	struct unit *unit;         /* it came out of; NULL: nobody wants to know */
	uint64_t line;
	struct message message;
	struct session session;
};

struct load {
	struct arena arena;
	struct preparer *preparer; /* NULL until a message is prepared */
	uint64_t no;               /* in the order of beginning */
	/* its messages are prepared before the transaction; else in it, those that are new */
	bool prepares;
	size_t n_prepared;         /* the first items, so far */
	struct item *items;
	size_t n_items, cap_items, n_bytes;
	int64_t since_us;          /* first record */
	int64_t now_us;            /* what the messages have as the time of storing */
	struct input_state *inputs;        /* how far files were read, one each */
	size_t n_inputs, cap_inputs;
	const char *input_name;    /* NULL until it is asked for */
	struct unit *unit;         /* the last one; NULL: none */
	int rc;                    /* of the transaction */
	struct err err;
};

/*
 * Which units go to the rejects, each once, whoever refuses it and how often. The loads' caller
 * alone touches it.
 */
struct refusals {
	struct rejects *rejects;   /* NULL: nothing is kept */
	uint64_t no;               /* of the unit at hand */
	uint64_t written;          /* the last unit that the store refused */
	const char *text;          /* of the unit at hand, borrowed */
	size_t len;
	bool compact;
};

/* The unit at hand, copied once into each load that has records of it; NULL: none is kept. */
struct unit *refusals_unit(const struct refusals *r, struct load *l);
/* A record of u was refused by the store. */
int refusals_add(struct refusals *r, const struct unit *u, struct arena *a, struct err *err);

/* What puts loads into the store, one after the other. */
struct storer {
	struct store *s;           /* NULL: there is none yet, in a dry run */
	const struct ingest_options *o;
	struct arena found;
	struct seen seen;        /* of a dry run: what the store would have by now */
};

/*
 * The messages among the first n items, if the load prepares. In order and by the load's own
 * preparer, so what is stored does not tell who prepared how many.
 */
void load_prepare(struct load *l, size_t n);
/*
 * When all are: their lists in the index, as they are if all messages are new and their rows in
 * order. If not, they are made in the transaction.
 */
void load_pack(struct load *l);

/*
 * Prepares what is not yet, then one transaction; in a dry run a look at what it would do. Fills
 * fates, rc and err; on -1 nothing of it is stored. Touches nothing but the store, the load and the
 * storer, so it may run on a thread of its own.
 */
void storer_put(struct storer *t, struct load *l);
/* Adds the messages that were stored to to, as they are handed out. */
void load_print(const struct load *l, struct buf *to);
void storer_release(struct storer *t);

/* one is filled while the others are under way: one that merges lists takes as long as several */
#define LOADS 6

/*
 * A storer with a thread that puts loads in the order in which they were given. A load is the
 * thread's until it was taken back, and so is the store while any is. After one that failed no
 * other is put: how far a file was read is not to be stored without what was read before.
 */
struct putter {
	struct storer storer;
	bool has_thread;
	pthread_t thread;
	sigset_t before;           /* signals that were blocked when there was no thread */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct load *given[LOADS]; /* a ring: load n stands at n % LOADS */
	uint64_t n_given, n_taken; /* written by the caller, the first under the mutex */
	uint64_t n_done;           /* written by the thread under the mutex */
	bool quit;                 /* under the mutex */
	int failed;                /* the thread's: rc of the first load that failed, and why */
	struct err err;
};

void putter_init(struct putter *p, struct store *s, const struct ingest_options *o);
void putter_release(struct putter *p);                 /* after what is under way was put */
/* the thread, when it does not run yet; false: there is none to be had */
bool putter_start(struct putter *p);
void putter_give(struct putter *p, struct load *l);    /* fewer than LOADS are under way */
/* something is under way, or was and was not taken back */
bool putter_is_busy(const struct putter *p);
size_t putter_n_waiting(struct putter *p);             /* loads that are not put yet */
/* the oldest; NULL: it is not put yet, or there is none */
struct load *putter_take(struct putter *p, bool wait);

#endif
