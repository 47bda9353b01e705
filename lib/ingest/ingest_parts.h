/*
 * ingest_parts.h: the state of one run of ingest(), shared by ingest_paths.c (which files are
 * read), ingest.c (inputs and their units), ingest_start.c (how an input begins) and ingest_unit.c
 * (a unit into records), and private to them.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/keyed.h"
#include "formats/turns.h"
#include "ingest/belonging.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_files.h"
#include "ingest/ingest_from.h"
#include "ingest/ingest_input.h"
#include "ingest/rejects.h"
#include "ingest/slack_channel.h"
#include "ingest/slack_export.h"
#include "ingest/source_name.h"
#include "ingest/unread.h"

struct documents;
struct names { char **at; size_t n, cap; };

struct ingest {
	struct store *s;
	struct documents *documents;
	const struct ingest_options *o;
	const struct ingest_out *out;
	struct ingest_counts *counts;
	int *worst;
	struct batch *batch;
	struct record_reader *reader;
	struct from *formats[96];          /* the formats that were opened so far */
	size_t n_formats;
	struct from *map;                  /* the map given with --map; NULL: none */
	struct rejects *rejects;
	struct arena begun;                /* the name of a session that the input goes on with */
	struct arena arena;                /* what the unit at hand needs */
	struct source_names *naming;
	struct file_real real;
	struct buf base, directory;
	struct slack_people *people;
	struct slack_channels *channels;
	struct unread unread;              /* of the input at hand */
	struct belonging belonging;                /* of the session at hand */

	/* the input at hand */
	struct input *in;
	struct input_idle idle;
	struct db_rows *rows;              /* the database whose rows it gives; NULL: a file */
	struct growing *grown;
	struct from *from;
	struct turns *turns;
	struct from_place place;
	struct buf off_directory;          /* the directory of the last file */
	const char *off_why;               /* and why memory is off there; NULL: it is not */
	struct record_rules rules;
	enum input_mode mode;
	bool positional;
	bool may_be_copy;                  /* it begins with turns that were forgotten */
	/* the turn at hand, as it was read */
	struct turn turn;
	uint64_t n_mended;                 /* characters of the input that were replaced */
	bool unit_bad;                     /* the unit at hand goes to the rejects */
	/* it gave a record, a message, a message without words, a part that is not read */
	bool unit_given, unit_said, unit_blank, unit_unread;
	/*
	 * reading went on in the middle of a file, and met a record that is known only by its
	 * place: the file must be read whole
	 */
	bool restart;
	/* the file is one document that looked like a line: it must be read as such */
	bool is_document;
	bool aside;                        /* the file at hand lies beside conversations */
	/* files that were read or left out on purpose, of all inputs */
	uint64_t n_taken;
	/* the input at hand gave a message, known or not, or was read on; a fault */
	bool some, some_bad;
	/* n_records counts bad records, too, but not empty ones */
	uint64_t n_records, n_units, n_empty, n_pieces;
	bool stopped;                      /* --strict is given, and a line was bad */
	struct names maybe;                /* documents, if what is walked holds such */
	bool beside_logs;                  /* it holds files as programs write them */
	struct names exports;              /* archives in it that do, each with a slash behind */
	bool walking;                      /* inputs are found by a walk, not named */
	/*
	 * the input may be any JSON with a word in it, so that its faults are held back until it
	 * gives a message: then it is read again
	 */
	bool unsure, held;
	bool fatal;                        /* the fault is not of one input alone */
};

void names_add(struct names *l, const char *name);
void names_release(struct names *l);

void ingest_warn(struct ingest *g, const char *text);
/* Reports an input that cannot be read, or not to its end. */
void ingest_bad_input(struct ingest *g, const struct err *err);
/* Reads a path given by the user, of the format wanted (NULL: of any). */
int ingest_path(struct ingest *g, const char *path, const struct from *wanted, struct err *err);
/* Reads an input; whole: from its start, after it was begun in the middle or as another form. */
int ingest_input(struct ingest *g, const char *path, bool whole, struct err *err);
/* Reports a file that is passed over, as walk_calls has it; arg is the struct ingest. */
void ingest_passed(void *arg, const char *path, const char *why);
/* Notes that the fault is not of one input, so that all inputs end here. -1. */
int ingest_fatal(struct ingest *g);
/* Reads the units of an input that has begun. */
int ingest_units(struct ingest *g, struct err *err);

/* Whether the format of an input is found by its bytes. */
bool ingest_is_auto(const struct ingest *g);
/* The format of that name, which stays open until the run ends. */
int ingest_format(struct ingest *g, const char *name, struct from **out, struct err *err);
/* Sets what records of this input have when they do not say otherwise. */
void ingest_rules(struct ingest *g, const char *path);
/*
 * Looks up whether reading can go on where it ended the last time. That needs the same format and
 * options as then.
 */
int ingest_look_up(struct ingest *g, const char *path, struct err *err);
/* Reads an input from its start, or from where it ended the last time. */
int ingest_start(struct ingest *g, struct err *err);
int ingest_resume(struct ingest *g, struct err *err);

/*
 * Reports what is wrong with the unit at hand, with the input's name and the unit's number; with
 * --strict nothing is read after it.
 */
void ingest_bad_line(struct ingest *g, const char *why);
/* The same where the input's end tells it: something that may be a turn is not read. */
void ingest_not_read(struct ingest *g);
/* Adds a unit of which something could not be taken to the rejects. */
int ingest_reject(struct ingest *g, const char *unit, size_t len, struct err *err);
/* Sends the batch to the thread that stores it. */
int ingest_hand_over(struct ingest *g, struct err *err);

/*
 * Reads unit [len] by the input's format and adds its records to the batch. Returns 0 also for bad
 * records, which are reported; -1 when it cannot go on. *json false: the unit is not JSON, and err
 * says why.
 */
int ingest_unit(struct ingest *g, const char *unit, size_t len, bool *json, struct err *err);
/*
 * A line that is not JSON, as err says: reads the whole records in it. What is broken is reported.
 * Returns 1: some were read; 0: there are none, and nothing was reported; -1.
 */
int ingest_torn_line(struct ingest *g, const char *line, size_t len, struct err *err);
/*
 * The same for an element that is too long for memory: it is cut into pieces. *json is false, too,
 * when it is too long and cannot be cut.
 */
int ingest_long_unit(struct ingest *g, struct long_text *t, bool *json, struct err *err);
/*
 * Where a file of text begins with the turns of a session that is known under another name, its
 * turns are of that session. bytes are its first; whole: they are all of it.
 */
int begun_session(struct ingest *g, const char *bytes, size_t len, bool whole, struct err *err);
#define TURN_MEMBERS 6
/* The record of a turn, in the arena: *v, whose members have room for TURN_MEMBERS. */
void ingest_turn_record(struct ingest *g, const struct turn *t, struct json *v);
/* Sets what a turn is known by in its session, besides its words. */
void ingest_turn_place(const struct turn *t, struct message *m);
/* The input has ended: a map whose state holds messages back gets null, and gives them out. */
int ingest_unit_end(struct ingest *g, struct err *err);
