/*
 * ingest_batch.h: records on their way into the store: gathered outside the transaction, put and
 * committed in one, then handed out as text.
 */
#ifndef INGEST_INGEST_BATCH_H
#define INGEST_INGEST_BATCH_H

#include "ingest/ingest.h"
#include "ingest/ingest_record.h"
#include "ingest/rejects.h"

struct batch;

/* In a dry run, where s may be NULL, records are handed out as they would be stored. */
struct batch *batch_new(struct store *s, const struct ingest_options *o,
	const struct ingest_out *out, struct ingest_counts *counts);
void batch_free(struct batch *b);

/* A new input: places in sessions count from 0 again. */
void batch_input(struct batch *b, const char *name);

/*
 * From now on a unit of which the store refuses a record is added to r, which is borrowed. Without,
 * no copies of units are kept.
 */
void batch_keep_units(struct batch *b, struct rejects *r);
/*
 * The unit that the next records are of, borrowed until the next one; compact as rejects_add has
 * it.
 */
void batch_unit(struct batch *b, const char *unit, size_t len, bool compact);
/* The caller adds the unit at hand to the rejects itself; false: it is there already. */
bool batch_unit_rejected(struct batch *b);

/* Copies r. line is for the words of a fault. */
void batch_add(struct batch *b, const struct record *r, uint64_t line);
/*
 * A line that gave no record takes a place all the same, so that mending it later moves nothing:
 * that of the session last seen.
 */
void batch_add_bad(struct batch *b);

bool batch_is_full(const struct batch *b);                     /* by number, bytes or time */
/* nothing gathered, and nothing under way */
bool batch_is_empty(const struct batch *b);
/* Until it is full by time, or until something under way may be done; what is done is printed. */
int64_t batch_ms_left(struct batch *b);

/*
 * Notes how far a file was read, with all records of it up to there added: it becomes true with the
 * next commit. Copies v.
 */
void batch_read(struct batch *b, const struct input_state *v);

/*
 * One transaction: what was gathered, and how far files were read. Then prints. On -1 nothing of it
 * is stored, and it is dropped; so is what comes after. A record that the store refuses (ERR_DATA)
 * is told with its line and counted as rejected, its unit goes to the rejects, and the others go
 * in. The first of an input that is stored with other words is told with its line, and how many
 * there were with the next input's.
 */
int batch_commit(struct batch *b, struct err *err);
/*
 * The same, but of a thread that it is handed over to, behind a few others: the store is the
 * thread's until batch_settle or batch_commit. What was put meanwhile is printed; -1 is about that.
 */
int batch_send(struct batch *b, struct err *err);
/* waits for what is under way, and prints it */
int batch_settle(struct batch *b, struct err *err);
/* after the last commit: tells what is left to tell */
void batch_end(struct batch *b);

#endif
