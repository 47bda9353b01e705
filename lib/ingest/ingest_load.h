/*
 * ingest_load.h: the records of one transaction, and what became of each. Private to
 * lib/ingest/ingest_*.c.
 */
#pragma once

#include "base/buf.h"
#include "base/handover.h"
#include "base/keyed.h"
#include "ingest/ingest.h"
#include "ingest/rejects.h"
#include "index/prepare.h"

/*
 * A unit of an input as it was read, kept because it goes to the rejects when the store refuses a
 * record of it.
 */
struct unit {
	uint64_t no;               /* its number among all that were read */
	bool compact;              /* as for rejects_add */
	bool rejected;             /* whoever read it found fault with it */
	size_t len;
	const char *text;          /* in the arena of the load */
};

enum fate { FATE_NONE /* a session */, FATE_STORED, FATE_DUPLICATE, FATE_PRUNED, FATE_REFUSED };

struct item {
	bool is_session;
	bool is_new;               /* in a dry run: a session that gets a title */
	bool repeats;              /* it may be another session's: batch_repeats */
	uint8_t fate;
	const char *user;
	const char *name;          /* of the input */
	const char *why;           /* why the store refused it */
	const char *no_time;       /* as in struct record */
	struct unit *unit;         /* the unit that it came from; NULL: units are not kept */
	uint64_t line;
	struct message message;
	struct session session;
};

/*
 * Distinct terms of a load, about, that are prepared. Those of 1,000 turns are a fifth of it; the
 * messages behind them are prepared in the transaction, where memory is bounded for all loads.
 */
#define LOAD_TERMS 65536

struct load {
	struct arena arena;
	struct preparer *preparer; /* NULL until a message is prepared */
	uint64_t no;               /* its number, in the order in which loads were begun */
	/*
	 * its messages are prepared before the transaction; otherwise within it, and only those
	 * that are new
	 */
	bool prepares;
	size_t n_prepared;         /* how many of the first items are prepared */
	size_t n_ahead;            /* distinct terms that the caller had prepared when it gave it */
	struct item *items;
	size_t n_items, cap_items, n_bytes;
	int64_t since_us;          /* when the first record was added */
	int64_t now_us;            /* the time of storing that its messages get */
	struct input_state *inputs;        /* how far files were read, one entry for each */
	size_t n_inputs, cap_inputs;
	const char *input_name;    /* NULL until it is needed */
	struct unit *unit;         /* the unit of the last item; NULL: none */
	int rc;                    /* what the transaction returned */
	struct err err;
};

/*
 * Sees to it that each unit goes to the rejects only once, whoever refuses it and however often.
 * Used by the caller's thread alone.
 */
struct refusals {
	struct rejects *rejects;   /* NULL: rejects are not kept */
	uint64_t no;               /* the number of the unit at hand */
	/* the number of the last unit that was written because the store refused it */
	uint64_t written;
	const char *text;          /* the text of the unit at hand, borrowed */
	size_t len;
	bool compact;
};

/* The unit at hand, copied once into each load that has records of it; NULL: units are not kept. */
struct unit *refusals_unit(const struct refusals *r, struct load *l);
/* The store refused a record of u. */
int refusals_add(struct refusals *r, const struct unit *u, struct arena *a, struct err *err);

/* Puts loads into the store, one after the other. */
struct storer {
	struct store *s;           /* NULL: a dry run without a store */
	const struct ingest_options *o;
	struct arena found;
	struct keyed seen;       /* in a dry run: the messages that the store would hold by now */
	/* the session whose file was read last, as a hash, and the one that it goes on with */
	uint64_t going;
	struct buf goes_on;
	bool own;                  /* it repeats no more of it */
	int failed;                /* rc of the first load that failed, and why */
	struct err err;
};

/*
 * Prepares the messages among the first n items, in order and with the load's own preparer, so that
 * what is stored does not depend on which thread prepared how many. Does nothing in a load that is
 * not to be prepared.
 */
void load_prepare(struct load *l, size_t n);
/*
 * When all messages are prepared, makes their lists for the index as well, for the case that all
 * are new and their rows in order. Otherwise these are made in the transaction.
 */
void load_pack(struct load *l);

/*
 * Prepares the rest, then runs one transaction, or in a dry run looks up what it would do. Fills
 * fates, rc and err; on -1 nothing of the load is stored, nor of those that follow: how far a file
 * was read must not be stored when what was read before is not. Touches only the store, the load
 * and the storer, so it may run on a thread of its own.
 */
void storer_put(void *storer, void *load);
/* Appends the messages that were stored to to, as lines. */
void load_print(const struct load *l, struct buf *to);

/* one load is filled while the others wait: one that merges lists takes as long as several */
#define LOADS HANDOVER_MOST
