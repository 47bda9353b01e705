/*
 * work.h: what was done in earlier sessions, out of the calls of tools that are stored: with a
 * file, a command, an error. Each answer names the messages that it rests on; what they do not tell
 * is left out.
 */
#pragma once

#include "base/buf.h"
#include "calls/outcome.h"
#include "store/work.h"

struct work_want {
	enum work_kind kind;
	/* a path, a command's name, with or without arguments, or lines with an error */
	const char *text;
	struct scope who;
	const char *dir;                   /* what a relative path starts from; "": not known */
	int64_t since_us, until_us;        /* TIME_NONE: open */
	size_t limit;
	bool same;                         /* of errors: none that only has the line within one */
	const char *but;                   /* a session that is left out; NULL: none */
	/* of a file: only changes that put some of these in, without blanks around; none: all */
	const char *const *lines;          /* [n_lines] */
	size_t n_lines;
};

/* Something in a message that belongs to an answer. */
struct work_note {
	const char *what;                  /* "asked", "decided", "changed", "ran", "said" */
	char id[ID_TEXT];
	const char *text;                  /* at most WORK_TEXT bytes */
	struct outcome outcome;            /* of what was run */
};
#define WORK_TEXT  240
#define WORK_NOTES 12

struct work {
	enum work_kind kind;
	/* of the message that it is best seen in: a call, or a result with an error */
	char id[ID_TEXT];
	const char *session, *title, *agent, *project;         /* "" for none */
	int64_t time_us;
	int trust;
	const char *text;                  /* the path, the line that was run, the error */
	/* ---- of a file, in one session ---- */
	const char *did;                   /* "changed", "read", "named" or "decided" */
	int64_t n_reads, n_changes, first_us;
	int64_t written;                   /* bytes that it was last written with; -1: not known */
	bool exact;                        /* it is the file asked for, not only one of its name */
	bool stale, gone;                  /* it is another by now on this disk, or not there */
	int64_t modified_us;               /* its time on the disk, when it is stale */
	/* of a line (work_blame): its commit, "" for none, and by what the session is known */
	const char *commit, *summary, *by; /* "line", "commit" or "time" */
	int64_t commit_us;
	size_t n_wrote;                    /* most of the lines that one change put in */
	/* ---- of a command, of all times that the same line was run ---- */
	const char *dir;
	struct outcome outcome;            /* of the last time that it worked, or at all */
	int64_t n_runs, n_failed;
	const char *output;                /* of a failed one, the error; "" for none */
	/* ---- of an error, in one session; did is what gave it ---- */
	int64_t n_times;
	size_t n_same;                     /* lines of the question that are among its errors */
	int64_t again_us;                  /* when it came again later; TIME_NONE: it did not */
	const char *missing;               /* the program that was not found; "": none */
	const char *instead;               /* a line much the same, which then worked; "": none */
	char cure_id[ID_TEXT];             /* the call by which it worked; "": it did not */
	struct work_note notes[WORK_NOTES];
	size_t n_notes;
};

/*
 * *out [*n], best first, in the arena. Files: those of the path itself first, then by time.
 * Commands: what worked last first, then what is not known to have, then what failed. Errors:
 * those that did not come again and were followed by what worked first, then by time. Cost: the
 * lists, and up to a thousand messages with their neighbours.
 */
int work_find(struct store *s, const struct work_want *w, struct arena *a, const struct work **out,
	size_t *n, struct err *err);

/*
 * Whether it is known what cured an error: another line worked instead, or the call that gave it
 * worked afterwards and the error did not come again.
 */
bool work_is_cured(const struct work *w);

/*
 * The line want->text is about to be run: a failed run, as of an error, of the same line, or of one
 * with a program that was not found, when nothing later in want->who tells that it would work now,
 * and a line like it worked instead. *out NULL: there is none. Cost: the lists, and some
 * neighbours of up to WORK_RUNS calls.
 */
#define WORK_RUNS 100
int work_before(struct store *s, const struct work_want *want, struct arena *a,
	const struct work **out, struct err *err);

/*
 * want->text is what a call gave that came out as o: the same error, met before, that was cured by
 * another line or in a few steps. *out NULL: there is none. Cost: as of work_find.
 */
int work_after(struct store *s, const struct work_want *want, const struct outcome *o,
	struct arena *a, const struct work **out, struct err *err);
/* Appends those lines of a text that programs print of an error; false: it has none. */
bool work_error_lines(const char *text, size_t len, const struct outcome *o, struct buf *out);
/* What work_before or work_after found, in one line without its end. */
void work_lesson(struct buf *out, const struct work *w);

/* Whether a line of a shell only looks at something: ls, git status. */
bool work_only_looks(const char *line);

/*
 * want->text is FILE:LINE: the session that wrote the line of the working tree, as git blames it on
 * a commit. By its output that names the commit, else by its change that put at least half of what
 * the commit adds there, else by the last touch of the file in the day before. *out NULL: none is
 * known. ERR_USAGE: it is no such text; ERR_NOINPUT: git knows no such line.
 */
int work_blame(struct store *s, const struct work_want *want, struct arena *a,
	const struct work **out, struct err *err);

/* Writes the work record, without a newline. */
void work_record(struct buf *out, const char *user, const struct work *w, size_t rank);
/* What is to be known of it, as lines for a reader; its date and session are not among them. */
void work_lines(struct buf *out, const struct work *w);
