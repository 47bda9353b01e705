/*
 * ingest_batch.h: gathers records, stores them in one transaction, and then prints those that were
 * stored.
 */
#pragma once

#include "ingest/ingest.h"
#include "ingest/ingest_record.h"
#include "ingest/rejects.h"

struct batch;

/* s may be NULL in a dry run, in which records are printed as they would be stored. */
struct batch *batch_new(struct store *s, const struct ingest_options *o,
	const struct ingest_out *out, struct ingest_counts *counts);
void batch_free(struct batch *b);

/* Begins a new input: places in sessions count from 0 again. */
void batch_input(struct batch *b, const char *name);
/* Its messages may be another session's, which it repeats (struct from). */
void batch_repeats(struct batch *b, bool repeats);

/*
 * From now on, a unit of which the store refuses a record is added to r, which is borrowed. Without
 * this call the batch keeps no copies of units.
 */
void batch_keep_units(struct batch *b, struct rejects *r);
/*
 * The unit that the next records come from, borrowed until the next call; compact as for
 * rejects_add.
 */
void batch_unit(struct batch *b, const char *unit, size_t len, bool compact);
/*
 * Tells the batch that the caller adds the unit at hand to the rejects itself; false: it is there
 * already.
 */
bool batch_unit_rejected(struct batch *b);

/* Copies r. line is its line in the input, for messages. */
void batch_add(struct batch *b, const struct record *r, uint64_t line);
/*
 * A line that gave no record takes a place in the session last seen all the same, so that mending
 * the line later moves no other message.
 */
void batch_add_bad(struct batch *b);

bool batch_is_full(const struct batch *b);                     /* by number, bytes or time */
/* nothing is gathered, and no load is on its way */
bool batch_is_empty(const struct batch *b);
/*
 * The milliseconds until the batch is full by time, or until a load may have been put. Loads that
 * were put are printed.
 */
int64_t batch_ms_left(struct batch *b);

/*
 * Notes how far a file was read, when all its records up to there were added. The next commit
 * stores that. Copies v.
 */
void batch_read(struct batch *b, const struct input_state *v);

/*
 * Stores what was gathered, and how far files were read, in one transaction, then prints it. On -1
 * nothing of it is stored; it and all that comes later is dropped. A record that the store refuses
 * (ERR_DATA) is reported with its line and counted as rejected, its unit goes to the rejects, and
 * the others are stored. Messages that are stored with other words are reported once for each
 * input: the first with its line, and their number when the next input begins.
 */
int batch_commit(struct batch *b, struct err *err);
/*
 * The same on a thread, which may have a few loads waiting: the store is the thread's until
 * batch_settle or batch_commit. Loads that were put meanwhile are printed, and -1 is about these.
 */
int batch_send(struct batch *b, struct err *err);
/* Waits for the loads on their way, and prints them. */
int batch_settle(struct batch *b, struct err *err);
/* After the last commit: reports what is counted and not reported yet. */
void batch_end(struct batch *b);
