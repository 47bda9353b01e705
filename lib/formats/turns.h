/*
 * turns.h: transcripts that are text and not JSON: which format a file has, at which lines a turn
 * begins, and who said what in it and when.
 */
#pragma once

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
/* Whether a text of no format may be a talk: every line begins with a name, and each comes back. */
bool turns_may_be_talk(const char *bytes, size_t len);

/*
 * form is the name of a text format; NULL: there is none of that name. The first bytes decide what
 * differs between files of one format: the order of day and month, and which words before a colon
 * are names. name is the file's, borrowed: some formats have the day in it alone.
 */
struct turns *turns_open(const char *form, const char *bytes, size_t len, const char *name);
void turns_close(struct turns *t);

/* Whether nothing in the file told which number of a day is the month; the second was taken. */
bool turns_in_doubt(const struct turns *t);

/* Whether each unit says in which charset it is, as mail does. */
bool turns_any_charset(const struct turns *t);

/* What stands around a line. */
struct turns_around {
	bool after_blank;                  /* a blank line stands before it */
	/*
	 * Gives the bytes behind the line, as many as are there without waiting. false: more follow
	 * or may follow. The line is then gone. NULL: nothing is known of what follows.
	 */
	bool (*ahead)(void *arg, const char **bytes, size_t *len);
	void *arg;
};

/* Whether a turn begins with this line; called for each line in order that is not blank. */
bool turns_begins(struct turns *t, const char *line, size_t len, const struct turns_around *around);

/* The line at *p, without its end; *p moves behind it. NULL: there is none before end. */
const char *turns_line(const char **p, const char *end, size_t *len);

/*
 * The length of a mark of direction, or of a blank that is not a space, at s; programs put these
 * before and into their lines. *as is what to write instead: ' ', or '\0' for nothing. 0: neither
 * stands there, and *as is unchanged.
 */
size_t turns_mark(const char *s, size_t len, char *as);

/* The block of code of Markdown that is open; n 0: none is. */
struct turns_fence { char mark; size_t n; };

/*
 * Opens or closes the block when the line says so. false: it is no fence. A fence that names a
 * language closes nothing: the block before it was never closed.
 */
bool turns_fence_see(struct turns_fence *f, const char *line, size_t len);

/*
 * Tells whether a line is a head, and in *behind which block of code begins behind it in the line,
 * if one does.
 */
typedef bool turns_head_fn(const void *state, const char *line, size_t len,
	struct turns_fence *behind);

/*
 * Whether an open block was never closed, at a line that would be a head outside of it: the text
 * behind that makes more sense so. behind is what begins in that line.
 */
bool turns_fence_is_broken(const struct turns_fence *f, const struct turns_fence *behind,
	const struct turns_around *around, turns_head_fn *is_head, const void *state);

/* Converts a moment that was written without a zone, and parsed as UTC, to this machine's zone. */
int64_t turns_local_time(int64_t us);

struct turn {
	const char *role, *name;   /* "": the turn does not say */
	/*
	 * TIME_NONE: the turn does not say. A reader sets local for a time that is written without
	 * a zone; turns_read moves it to written_us, and makes it that of this machine's zone
	 */
	int64_t time_us, written_us;
	bool local;
	/*
	 * with TIME_NONE: the text that stands where a time should and could not be read; NULL:
	 * none
	 */
	const char *no_time;
	const char *text;
	size_t len;
	/* an id that stays when the turn moves in the file; "": it is known by its place */
	const char *id;
	/* the id that earlier versions gave it; "": the same */
	const char *was_id;
	/* the whole record, of formats that have more fields than these, which then do not count */
	const struct json *record;
	/* which of the file's conversations it is in; "": the file holds only one */
	const char *part;
};

/* Cuts blank lines at both ends of the text, and rules between turns. */
void turns_trim(struct turn *t);

/*
 * Reads the turn in a unit, which is the lines from one beginning to the next. 1: *out is filled,
 * in the arena; 0: nobody says anything in it; -1: ERR_DATA, also when the unit is not UTF-8 and
 * its format does not say what it is. All text in *out is UTF-8.
 */
int turns_read(struct turns *t, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err);
