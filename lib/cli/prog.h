/*
 * prog.h: what every program does alike: options from one table, usage, streams, and the exit
 * status.
 *
 * A program is: an opening comment with its one-line job, one table, main: prog_start, open, one
 * verb, return prog_end(&err). The table drives getopt_long, -h, shell completion and the lint
 * against the man page.
 */
#ifndef CLI_PROG_H
#define CLI_PROG_H

#include <signal.h>

#include "base/buf.h"
#include "base/conf.h"
#include "base/err.h"

enum prog_opt_kind {
	OPT_FLAG,                  /* *(bool *)to = true */
	OPT_TEXT,                  /* *(const char **)to = argument */
	OPT_INT,                   /* *(int64_t *)to, range [min, max] checked */
	OPT_REAL,                  /* *(double *)to */
	OPT_LIST,                  /* appended to *(struct prog_list *)to; may be given often */
	OPT_CONF,                  /* conf_set(conf, argument), or "yes" when it takes none */
	OPT_FORMAT                 /* json or text, to prog_common */
};

struct prog_list { const char **items; size_t n, cap; };

struct prog_opt {
	char letter;               /* 0: long only */
	const char *name;          /* the long form */
	const char *arg;           /* name of its argument in the usage; NULL: takes none */
	enum prog_opt_kind kind;
	void *to;
	const char *conf;          /* of OPT_CONF */
	double min, max;           /* of numbers; equal: any */
	const char *help;          /* one line; NULL: not shown */
};

/* Shared rows: the same letter, the same meaning in every program. They fill prog_common. */
#define PROG_OPTS_SCOPE \
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" }, \
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" }, \
	{ 'a', "agent", "NAME", OPT_TEXT, &prog_common.agent, NULL, 0, 0, "as this agent: shared rows and its own" }, \
	{ 'p', "project", "NAME", OPT_TEXT, &prog_common.project, NULL, 0, 0, "in this project" }, \
	{ 's', "session", "ID", OPT_TEXT, &prog_common.session, NULL, 0, 0, "in this session" }
/*
 * Which messages; w is a struct with the members since, until, role, name (texts) and min_trust
 * (int64_t).
 */
#define PROG_OPTS_FILTER(w) \
	{ 0, "since", "TIME", OPT_TEXT, &(w).since, NULL, 0, 0, "said since TIME: 2024-05, 3d, yesterday" }, \
	{ 0, "until", "TIME", OPT_TEXT, &(w).until, NULL, 0, 0, "said until TIME, the day named included" }, \
	{ 0, "role", "ROLE", OPT_TEXT, &(w).role, NULL, 0, 0, "said by user, assistant, system, tool or other" }, \
	{ 0, "name", "NAME", OPT_TEXT, &(w).name, NULL, 0, 0, "said by NAME" }, \
	{ 0, "min-trust", "N", OPT_INT, &(w).min_trust, NULL, 0, 3, "trust N or more, 0 to 3" }
#define PROG_OPTS_OUTPUT \
	{ 'j', "json", NULL, OPT_FLAG, &prog_common.json, NULL, 0, 0, "NDJSON, even on a terminal" }, \
	{ 0, "format", "FORM", OPT_FORMAT, NULL, NULL, 0, 0, "json, as -j; or text, as on a terminal, into a pipe too" }
#define PROG_OPTS_COMMON PROG_OPTS_QUIET("no messages but errors")
#define PROG_OPTS_QUIET(what) \
	{ 'q', "quiet", NULL, OPT_FLAG, &prog_common.quiet, NULL, 0, 0, what }, \
	{ 'v', "verbose", NULL, OPT_FLAG, &prog_common.verbose, NULL, 0, 0, "say more on stderr" }
#define PROG_OPTS_END { 0, NULL, NULL, OPT_FLAG, NULL, NULL, 0, 0, NULL }
/*
 * -h, --help and --version are added by prog_start itself, as are --help-json (the table as JSON,
 * for completion and lint).
 */

struct prog_common {
	const char *agent, *project, *session;   /* "" when not given */
	bool json, text;           /* -j or --format; both false: by what stdout is */
	bool quiet, verbose;
};
extern struct prog_common prog_common;

struct prog {
	const char *name;          /* "mem-search" */
	const char *job;           /* one line, the words of the man page's .Nd */
	const char *args;          /* "[QUESTION ...]" for the usage line */
	const struct prog_opt *opts;
	const char *examples;      /* shown by -h before the options, may be NULL */
};

/*
 * Names the program, ignores SIGPIPE, loads settings, parses options. Prints and exits itself for
 * -h, --version and wrong usage (64). Returns the index of the first operand in argv.
 */
int prog_start(const struct prog *p, int argc, char **argv);

/*
 * "did you mean": start with { NULL, 0 }, show it every candidate; word is the nearest one, NULL
 * when none is near.
 */
struct prog_guess { const char *word; int edits; };
void prog_nearest(const char *word, const char *candidate, struct prog_guess *g);

/* ---- stdout: buffered by us, written whole lines at a time ---- */
enum prog_out { PROG_OUT_OK, PROG_OUT_CLOSED /* reader gone */, PROG_OUT_FAILED /* /dev/full */ };

struct buf *prog_out(void);                /* append here */
/*
 * Writes what prog_out holds. A program that only prints stops when this is not PROG_OUT_OK; one
 * that stores goes on to the end.
 */
enum prog_out prog_flush(void);
void prog_flush_soon(void);                /* writes when more than 32 KB wait */
/* stdout is a terminal or --format text was given, and not -j */
bool prog_for_people(void);
int prog_columns(void);                    /* of the terminal: TIOCGWINSZ, COLUMNS, 80 */
/* the setting color; when auto: NO_COLOR, CLICOLOR_FORCE, TERM=dumb, a terminal */
bool prog_color(void);

/* ---- stderr ---- */
/* "mem-ingest: chat.jsonl:17: ..."; control characters of the text made visible */
void prog_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* the same, but not with -q: it was done, and not as it was meant to be */
void prog_caution(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* prog_warn as a callback of the library; arg is not used */
void prog_warning(void *arg, const char *text);
/* only with -v, or on a terminal without -q */
void prog_note(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* ---- signals ---- */
/*
 * From prog_catch_signals on, SIGINT, SIGTERM and SIGHUP end no program at once: the first sets
 * prog_stop to its number, ends reads that wait (base/gz.h), and prog_end then lets it have its
 * way; a second one is final. Those that are ignored already, as under nohup, stay ignored.
 */
extern volatile sig_atomic_t prog_stop;
void prog_catch_signals(void);

/*
 * The end: flushes stdout, prints err's message when it has one, and returns the exit status: err's
 * code; 74 when stdout could not be written; 0 when it was closed early.
 */
int prog_end(const struct err *err);

#endif
