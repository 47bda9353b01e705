/*
 * ingest_parts.h: what the two files of mem-ingest's verb share. Private to ingest.c (inputs and
 * their units) and ingest_unit.c (a unit into records).
 */
#ifndef INGEST_INGEST_PARTS_H
#define INGEST_INGEST_PARTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "formats/turns.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_files.h"
#include "ingest/ingest_from.h"
#include "ingest/ingest_input.h"
#include "ingest/rejects.h"
#include "ingest/slack_export.h"
#include "ingest/source_name.h"

struct ingest {
	struct store *s;
	const struct ingest_options *o;
	const struct ingest_out *out;
	struct ingest_counts *counts;
	int *worst;
	struct batch *batch;
	struct record_reader *reader;
	struct from *formats[32];          /* opened so far */
	size_t n_formats;
	struct from *map;                  /* --map */
	struct rejects *rejects;
	struct arena arena;                /* of a unit */
	struct source_names *naming;
	struct buf base, directory;
	struct slack_people *people;

	/* the input at hand */
	struct input *in;
	struct growing *grown;
	struct from *from;
	struct turns *turns;
	struct from_place place;
	struct record_rules rules;
	enum input_mode mode;
	bool positional;
	bool id_of_words;                  /* of the turn at hand */
	const char *no_time;               /* of the turn at hand, as turns.h has it */
	bool unit_bad;                     /* the unit at hand goes to the rejects */
	/* where reading went on, a record turned out to be known by its place only */
	bool restart;
	uint64_t n_taken;                  /* files, of all inputs */
	/* bad ones among them; of n_records none is empty */
	uint64_t n_records, n_units, n_empty;
	bool stopped;                      /* --strict met a bad line */
	bool fatal;                        /* the fault is not of one input */
};

/*
 * Tells what is wrong with the unit at hand, by the input's name and number; with --strict nothing
 * is read after it.
 */
void ingest_bad_line(struct ingest *g, const char *why);
/* Sends the batch to be put into the store. */
int ingest_hand_over(struct ingest *g, struct err *err);

/*
 * Reads unit [len] by the input's format and puts its records into the batch. 0, also for bad
 * records, which are told; -1 when it cannot go on. *json false: it was no JSON, err says why.
 */
int ingest_unit(struct ingest *g, const char *unit, size_t len, bool *json, struct err *err);

#endif
