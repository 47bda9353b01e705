/*
 * prog.h: what all programs do alike: options from one table, usage, streams, and the exit status.
 * A program is an opening comment with its job in one line, a table, and main: prog_start, open,
 * one call into lib, return prog_end(&err). The table drives getopt_long, -h, shell completion, and
 * the lint that compares it with the man page.
 */
#pragma once

#include <signal.h>

#include "base/buf.h"
#include "base/conf.h"
#include "base/err.h"

enum prog_opt_kind {
	OPT_FLAG,                  /* *(bool *)to = true */
	OPT_TEXT,                  /* *(const char **)to = argument */
	OPT_INT,                   /* *(int64_t *)to, range [min, max] checked */
	OPT_REAL,                  /* *(double *)to */
	/* appended to *(struct prog_list *)to; the option may be given more than once */
	OPT_LIST,
	/* conf_set(conf, argument), or "yes" for an option without argument */
	OPT_CONF,
	OPT_FORMAT                 /* json or text, stored in prog_common */
};

struct prog_list { const char **items; size_t n, cap; };

struct prog_opt {
	char letter;               /* 0: it has only the long form */
	const char *name;          /* the long form */
	const char *arg;           /* the name of its argument in the usage; NULL: it has none */
	enum prog_opt_kind kind;
	void *to;
	const char *conf;          /* for OPT_CONF: the setting */
	double min, max;           /* the range of a number; equal: any */
	const char *help;          /* one line; NULL: not shown by -h */
};

/*
 * Rows that programs share, so that a letter means the same in all of them. They fill prog_common.
 */
#define PROG_OPTS_MEMORY \
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" }, \
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" }
#define PROG_OPTS_SCOPE \
	PROG_OPTS_MEMORY, \
	{ 'a', "agent", "NAME", OPT_TEXT, &prog_common.agent, NULL, 0, 0, "as this agent: shared rows and its own" }, \
	{ 'p', "project", "NAME", OPT_TEXT, &prog_common.project, NULL, 0, 0, "in this project" }, \
	{ 's', "session", "ID", OPT_TEXT, &prog_common.session, NULL, 0, 0, "in this session" }
/*
 * Rows that choose messages; w is a struct with the members since, until, role, name (texts) and
 * min_trust (int64_t), and mine.
 */
#define PROG_OPTS_FILTER(w) \
	{ 0, "since", "TIME", OPT_TEXT, &(w).since, NULL, 0, 0, "said since TIME: 2024-05, 3d, yesterday" }, \
	{ 0, "until", "TIME", OPT_TEXT, &(w).until, NULL, 0, 0, "said until TIME, the day named included" }, \
	{ 0, "role", "ROLE", OPT_TEXT, &(w).role, NULL, 0, 0, "said by user, assistant, system, tool or other, or of a document" }, \
	{ 0, "name", "NAME", OPT_TEXT, &(w).name, NULL, 0, 0, "said by NAME, or part of it" }, \
	{ 0, "mine", NULL, OPT_FLAG, &(w).mine, NULL, 0, 0, "said by you: setting me" }, \
	{ 0, "min-trust", "N", OPT_INT, &(w).min_trust, NULL, 0, 3, "trust N or more, 0 to 3" }
/* What chooses facts, a struct fact_words (facts/fact_filter.h). */
#define PROG_OPTS_FACTS(w) \
	{ 0, "bank", "NAME", OPT_TEXT, &(w).bank, NULL, 0, 0, "facts of this bank" }, \
	{ 0, "category", "ROOT", OPT_TEXT, &(w).category, NULL, 0, 0, "facts of this category" }, \
	{ 0, "subcategory", "NAME", OPT_TEXT, &(w).subcategory, NULL, 0, 0, "facts of this subcategory" }, \
	{ 0, "tag", "TAG", OPT_TEXT, &(w).tag, NULL, 0, 0, "facts, notes and summaries with this tag" }, \
	{ 0, "importance", "X", OPT_REAL, &(w).importance, NULL, 0, 1, "facts that are at least as important: 0 to 1" }, \
	{ 0, "as-of", "TIME", OPT_TEXT, &(w).as_of, NULL, 0, 0, "facts that were valid then" }, \
	{ 0, "known-at", "TIME", OPT_TEXT, &(w).known_at, NULL, 0, 0, "as the store knew them then" }
#define PROG_OPTS_OUTPUT \
	{ 'j', "json", NULL, OPT_FLAG, &prog_common.json, NULL, 0, 0, "NDJSON, even on a terminal" }, \
	{ 0, "format", "FORM", OPT_FORMAT, NULL, NULL, 0, 0, "json, as -j; or text, as on a terminal, into a pipe too" }
#define PROG_OPTS_COMMON PROG_OPTS_QUIET("no messages but errors")
#define PROG_OPTS_QUIET(what) \
	{ 'q', "quiet", NULL, OPT_FLAG, &prog_common.quiet, NULL, 0, 0, what }, \
	{ 'v', "verbose", NULL, OPT_FLAG, &prog_common.verbose, NULL, 0, 0, "say more on stderr" }
#define PROG_OPTS_REST PROG_OPTS_OUTPUT, PROG_OPTS_COMMON, PROG_OPTS_END
#define PROG_OPTS_END { 0, NULL, NULL, OPT_FLAG, NULL, NULL, 0, 0, NULL }
/*
 * What the shared rows fill. prog_start itself adds -h, --help, --version and --help-json, which
 * prints the table as JSON for completion and lint.
 */

struct prog_common {
	const char *agent, *project, *session;   /* "" when not given */
	bool json, text;           /* -j or --format; if both are false, stdout decides */
	bool quiet, verbose;
	bool is_part;              /* an option named whose or which part is meant */
};
extern struct prog_common prog_common;
/* The struct scope that the rows of PROG_OPTS_SCOPE describe. */
#define PROG_SCOPE \
	{ conf_text("user"), prog_common.agent, prog_common.project, prog_common.session }

/*
 * The project that is meant by a name: given as a directory it is the one that the directory
 * belongs to, "." at a prompt. Other names stay as they are. The text is kept until the
 * process ends.
 */
const char *prog_project(const char *name);

/* Of mem-search all but the table is PROG_MEM_SEARCH of gen/programs.h. */
struct prog {
	const struct prog_opt *opts;
	const char *name;          /* "mem-search" */
	const char *job;           /* one line: .Nd of the manual page */
	const char *args;          /* "[QUESTION ...]", for the usage line */
	const char *examples;      /* shown by -h before the options; "": none */
};

/* Before prog_start: fn appends what --version says after the program's own line, whole lines. */
void prog_versions(void (*fn)(struct buf *out));

/* Before prog_start: a bad line in the file of settings does not end it, as it mends the file. */
void prog_mends_settings(void);

/*
 * Starts a program: ignores SIGPIPE, loads settings, parses options. It prints and exits itself for
 * -h, --version and wrong usage (64). Returns the index of the first operand in argv.
 */
int prog_start(const struct prog *p, int argc, char **argv);

/*
 * Finds the word for "did you mean": begin with { NULL, 0 } and pass every candidate; word is then
 * the nearest, or NULL when none is near.
 */
struct prog_guess { const char *word; int edits; };
void prog_nearest(const char *word, const char *candidate, struct prog_guess *g);

/* ---- stdout: buffered by us, written whole lines at a time ---- */
enum prog_out {
	PROG_OUT_OK,
	PROG_OUT_CLOSED,                   /* the reader is gone */
	PROG_OUT_FAILED                    /* a write failed, as to /dev/full */
};

struct buf *prog_out(void);                /* output is appended to this buffer */
/*
 * Writes what prog_out holds. A program that only prints stops when this is not PROG_OUT_OK; one
 * that stores goes on.
 */
enum prog_out prog_flush(void);
void prog_flush_soon(void);                /* flushes when more than 32 KB wait */
/* as a callback: writes whole lines at once; 1: there is nobody to write to, or no way */
int prog_put_lines(void *arg, const char *lines, size_t len);
/* whether stdout is a terminal or --format text was given, and -j was not */
bool prog_for_people(void);
int prog_columns(void);                    /* of the terminal: TIOCGWINSZ, else COLUMNS, else 80 */
/* the setting color; for auto: NO_COLOR, CLICOLOR_FORCE, TERM=dumb, a terminal */
bool prog_color(void);

/* ---- stderr ---- */
/*
 * prints "mem-ingest: chat.jsonl:17: ...", with control characters made visible; of lines of input
 * the first hundred, unless -v is given, and at the end how many more there were
 */
void prog_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* the same, but not with -q: for what was done, but not as it was meant to be */
void prog_caution(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* prog_warn as a callback of the library; arg is not used */
void prog_warning(void *arg, const char *text);
/* the same of a place, "chat.jsonl:17"; NULL: none */
void prog_warning_at(const char *where, const char *why);
/* the same, but only with -v, or on a terminal without -q */
void prog_note(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* these as callbacks; without: why facts are compared without vectors */
void prog_noted(void *arg, const char *text);
void prog_cautioned(void *arg, const char *text);
void prog_without_vectors(void *arg, const char *why);

/*
 * ERR_USAGE: something comes on the standard input, of which the program reads nothing, and no
 * option names a part: who types "mem-search x | mem-export" does not mean the whole memory. Waits
 * so long for the first line of the program before the pipe, and no longer than that lives.
 */
#define PROG_UNREAD_MS 200
int prog_unread(int wait_ms, struct err *err);

/* notes that there is no store yet, and what makes one */
void prog_no_store(void);
/* where err says so: notes it and clears err, as a memory without a store is empty */
void prog_empty(struct err *err);

/*
 * Writes out what stdout has and asks on the terminal, "question [y/N] ". Returns 1 for yes, 0 for
 * no, -1 when stdin or stderr is no terminal: nobody can be asked.
 */
int prog_ask(const char *question);

/* ---- signals ---- */
/*
 * From here on SIGINT, SIGTERM and SIGHUP end no program at once. The first sets prog_stop to its
 * number and ends reads that wait (base/gz.h), and prog_end then ends the program by it; a second
 * one ends it at once. Signals that are ignored already, as under nohup, stay ignored.
 */
extern volatile sig_atomic_t prog_stop;
void prog_catch_signals(void);

/*
 * Ends a program: flushes stdout, prints the message of err if it has one, and returns the exit
 * status: the code of err; 74 when stdout could not be written; 0 when it was closed early.
 */
int prog_end(const struct err *err);
