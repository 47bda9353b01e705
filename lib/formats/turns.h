/*
 * turns.h: transcripts that are no JSON: where a turn begins among the lines, and who said what in
 * it, and when.
 */
#ifndef FORMATS_TURNS_H
#define FORMATS_TURNS_H

#include "base/arena.h"
#include "base/err.h"
#include "json/json.h"

struct turns;

/* A text format: its name for --from, and how the names of its files in a directory end. */
struct turns_form {
	const char *name;
	const char *ends[3];               /* up to the first NULL */
};

/* Text format number i, in the order in which they are tried; NULL: there are no more. */
const struct turns_form *turns_form(size_t i);

/* The name of the text format that the first bytes of a file have; NULL: none. */
const char *turns_detect(const char *bytes, size_t len);

/*
 * form is the name of a text format; NULL: there is none of that name. The first bytes decide what
 * differs between files of one format: the order of day and month, and which words before a colon
 * are names. name is the file's, borrowed: some formats have the day in it alone.
 */
struct turns *turns_open(const char *form, const char *bytes, size_t len, const char *name);
void turns_close(struct turns *t);

/* Whether nothing told which number of a day is the month; it was taken to be the second. */
bool turns_in_doubt(const struct turns *t);

/* Whether a turn begins with this line; called for each line in its order. */
bool turns_begins(struct turns *t, const char *line, size_t len);

/* The line at *p, without its end, and *p behind it; NULL: there is none before end. */
const char *turns_line(const char **p, const char *end, size_t *len);

/* Whether the bytes begin with the text. */
bool turns_starts(const char *line, size_t len, const char *what);

/*
 * Bytes at s, if they are a mark of direction or a blank that is no space, as programs put before
 * and into their lines; *as: ' ', or '\0' for nothing. 0, and *as as it was: they are neither.
 */
size_t turns_mark(const char *s, size_t len, char *as);

/* Whether a block of code begins or ends in this line of Markdown. */
bool turns_is_fence(const char *line, size_t len);

/*
 * A moment that was written down without a zone, and read as if it were UTC: what it is in this
 * machine's zone.
 */
int64_t turns_local_time(int64_t us);

struct turn {
	const char *role, *name;   /* "": not said */
	int64_t time_us;           /* TIME_NONE */
	/*
	 * with TIME_NONE: what stands where its time should, and could not be read; NULL: nothing
	 */
	const char *no_time;
	const char *text;
	size_t len;
	/* what tells it from the others, wherever it stands; "": its place */
	const char *id;
	const struct json *record; /* of a table: the row, and all else here is nothing; NULL */
	/* of the file's conversations, the one it is in; "": there is but one */
	const char *part;
};

/* Blank lines at both ends of the text go, and rules that part turns. */
void turns_trim(struct turn *t);

/*
 * The turn in a unit of lines. 1: *out, in the arena; 0: nothing that anybody said; -1: ERR_DATA,
 * also of a unit that is not UTF-8, unless its form says what it is. What is read is UTF-8.
 */
int turns_read(struct turns *t, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err);

#endif
