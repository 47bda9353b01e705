/*
 * ingest_from.h: formats of transcripts: what is read here in C, and the maps, jq programs that
 * turn a line or an element into records.
 *
 * A map sees the line as ".", and $file = {name, session, directory, line, people} (session: -s or
 * the file's base name) and $state, the last record of type "state" that it gave for this input, or
 * null. It gives records of type message and session with our keys (SPEC 3; ingest_record.h).
 */
#ifndef INGEST_INGEST_FROM_H
#define INGEST_INGEST_FROM_H

#include "json/json.h"

struct from;

enum from_kind {
	FROM_RECORDS,              /* our own records: no map is run */
	FROM_TEXT,                 /* a turn a paragraph */
	FROM_TURNS,                /* turns.h finds them */
	FROM_MAP
};

/*
 * Finds a format: $XDG_CONFIG_HOME/mem/from/NAME.jq, else what is built in. ERR_USAGE: no such
 * format. The map is compiled with the first line (30 ms), and is then ERR_CONFIG when it does not
 * compile.
 */
int from_open(const char *name, struct from **out, struct err *err);
/*
 * A map ad hoc: a file when one of that name exists, else the program itself. Compiled at once:
 * ERR_CONFIG.
 */
int from_open_map(const char *map, struct from **out, struct err *err);
void from_close(struct from *f);

const char *from_name(const struct from *f);
enum from_kind from_kind_of(const struct from *f);
/* always a value a line, whatever it looks like */
bool from_is_lines(const struct from *f);
uint64_t from_hash(const struct from *f);                      /* changes with the program */

/* Whether a file in a directory is one of the format's, by its name; f NULL: of any. */
bool from_takes(const struct from *f, const char *file_name);
/* Directories that hold something else: never entered. */
bool from_enters(const struct from *f, const char *dir_name);

/* What a map is told beside the line; kept by the caller for one input. */
struct from_place {
	const char *name, *session;
	/* that the file lies in: its name alone; "" for what is no file */
	const char *directory;
	/* JSON object, names by the ids that stand in the line; empty: none are known */
	struct buf people;
	uint64_t line;
	struct buf state;          /* JSON text, "null" at first */
	struct buf input;          /* scratch */
};
void from_place_init(struct from_place *p);
void from_place_release(struct from_place *p);

/*
 * Runs the map on one line. fn gets each result. ERR_DATA: the line is no JSON, or the map refuses
 * it.
 */
int from_run(struct from *f, struct from_place *p, const char *line, size_t len, struct arena *a,
	jq_fn *fn, void *arg, struct err *err);

#endif
