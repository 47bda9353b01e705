/*
 * rows.h: lists of what is stored, a line each: for people, numbered where "mem-show" or "-s" takes
 * what it is of, else as records. These are the callbacks of what walks over it (records/list.h),
 * with a struct rows; they return 1 when nobody reads any more, -1 with its err.
 */
#pragma once

#include "records/named.h"
#include "search/decided.h"
#include "store/names.h"
#include "store/records.h"
#include "summary/stale.h"

struct rows {
	struct store *store;               /* borrowed, as are who and err */
	const struct scope *who;
	struct err *err;
	bool all;                          /* also what has ended is listed, and says so */
	bool gathered;                     /* nothing is written out before the end */
	int id_columns;                    /* of the longest id of a session (rows_measure) */
	struct id_ends ends;
	struct index *index;               /* for what was said later; NULL at first */
	size_t n;                          /* lines that have a number */
	struct buf handles;                /* what these numbers name */
};

void rows_init(struct rows *v, struct store *s, const struct scope *who, bool all,
	struct err *err);
void rows_release(struct rows *v);

int row_message(void *rows, const struct message *m);
int row_session(void *rows, const struct session *s);
int row_chunk(void *rows, const struct message *of, const struct chunk *c, unsigned index);
int row_metric(void *rows, const struct metric *m);
/* A decision comes with what the user said of it later (search/decided.h). */
int row_record(void *rows, const struct fact *f);
/* What would come out otherwise today, and why. */
int row_stale(void *rows, const struct stale *of);
/* To be called for all sessions before the first is listed to people. */
int rows_measure(void *rows, const struct session *s);

/* A text with a number and a day; its line is not ended. */
void row_text(struct rows *v, const char *id, int64_t time_us, const char *text, size_t len);
int row_name(struct rows *v, enum name_kind kind, const struct name_count *c);
/* The heads of the columns of names, as it does not show what a number counts. */
void row_heads(enum name_kind kind);
