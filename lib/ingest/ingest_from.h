/*
 * ingest_from.h: the formats of transcripts by name. Some are read in C; the others are maps, jq
 * programs that turn a line or an element into records.
 *
 * A map sees the line as ".", and with it $file = {name, session, directory, line, people, beside,
 * piece} (session is that of -s, or the file's base name; beside is there with the first line, and
 * holds the files that beside.h tells of, as parents has those that it was forked from; piece =
 * {first, last, branch} is there when the document was cut, as json/cut.h says) and $state, the
 * last record of type "state" that it gave for this input, or null. When the input ends and $state
 * has messages in "held", "." is null once, so that the map gives them out. It gives records of
 * type message and session with our keys (ingest_record.h).
 *
 * A map that begins with a line "# kind: PLACE ..." answers for each line: one of which it gives no
 * record is counted by the kind that stands at those places, as not read (unread.h). For a line in
 * which nobody says anything it gives {type: "aside"}, and for a part that it does not know
 * {type: "unread", kind}.
 */
#pragma once

#include "ingest/json/cut.h"
#include "json/json.h"

struct from_place;

enum from_kind {
	FROM_RECORDS,              /* our own records, which need no map */
	FROM_TEXT,                 /* text of which each paragraph is a turn */
	FROM_DOCUMENT,             /* files of text that nobody said: documents.h reads them */
	FROM_TURNS,                /* a text format: turns.h finds its turns */
	FROM_MAP
};

/* How its files are called. */
struct from_names {
	const char *starts[2];     /* none: in any way */
	const char *ends[3];
	const char *skips[2];      /* directories that are not entered */
};

/* A format that is open. Others than ingest_from.c only read it. */
struct from {
	char *name;
	enum from_kind kind;
	bool lines;                /* its inputs always hold one value on each line */
	/*
	 * a session that goes on with another one has its turns in its own file, too, with their
	 * ids, and not always says so
	 */
	bool repeats;
	struct from_names names;
	/* what its documents are cut at when they are large; NULL: they are not cut */
	struct json_plan *plan;
	/* where its units say of which kind they are; NULL: the map tells of none left out */
	char *kinds;
	uint64_t hash;             /* changes when the map changes */
	char *text;                /* of the map */
	size_t text_len;
	struct jq_program *program;        /* NULL until the first line */
};

/*
 * Opens a format by name: the user's $XDG_CONFIG_HOME/mem/from/NAME.jq, else what is built in.
 * ERR_USAGE: there is no such format. A map is compiled with its first line (30 ms), and a fault in
 * it is ERR_CONFIG then.
 */
int from_open(const char *name, struct from **out, struct err *err);
/*
 * Opens the map of --map: the file of that name if there is one, else map is the program itself. It
 * is compiled at once; ERR_CONFIG.
 */
int from_open_map(const char *map, struct from **out, struct err *err);
void from_close(struct from *f);
/* Appends the names of all formats that are built in, with text between them. */
void from_names(struct buf *out, const char *between);

/* Sets p->beside and p->parents to the files beside the one of p that the map asks for. */
void from_look_beside(const struct from *f, struct from_place *p);

/* Whether a file in a directory belongs to the format, by its name; f NULL: to any format. */
bool from_takes(const struct from *f, const char *file_name);
/* Whether a directory of this name is entered: some hold what is no conversation. */
bool from_enters(const struct from *f, const char *dir_name);

/* What a map is told beside the line; the caller keeps one for each input. */
struct from_place {
	const char *name, *session;
	/* the name of the file's directory, without its path; "": it is not a file */
	const char *directory;
	/* a JSON object of names by the ids that occur in the line; empty: none are known */
	struct buf people;
	/* the object of beside.h; empty: there is no such file */
	struct buf beside;
	struct buf parents;        /* the array of beside_parents; empty: there are none */
	uint64_t line;
	unsigned in_line;          /* so many records of the line stand before this one */
	/* the piece of a document that is cut; NULL: it is not */
	const struct json_piece *piece;
	struct buf state;          /* JSON text; "null" at first */
	struct buf input;          /* scratch */
};
void from_place_init(struct from_place *p);
void from_place_release(struct from_place *p);

/*
 * Runs the map on one line and gives each result to fn. ERR_DATA: the line is not JSON, or the map
 * fails on it.
 */
int from_run(struct from *f, struct from_place *p, const char *line, size_t len, struct arena *a,
	jq_fn *fn, void *arg, struct err *err);
