/*
 * hook_log.h: what mem-hook did and why, a line a call, in a file beside the store (FILE.hooks).
 * It holds no word of what was said. It also tells what a session was given, so that it is given
 * nothing twice.
 *
 * At HOOK_LOG_BYTES the file becomes FILE.hooks.old, in place of the one before.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

#define HOOK_LOG_BYTES (1u << 20)
#define HOOK_LINE_BYTES 16384

struct hook_line {
	const char *user, *host, *event, *session, *project;
	const char *did;           /* "recalled", "stored", "nothing" */
	const char *why;           /* a reason, without words of the prompt */
	bool compacted;            /* at this start the conversation was just shortened */
	double gate, p;            /* that the prompt recalls; of the best hit; NAN: unknown */
	const struct message *const *given;    /* [n_given] */
	size_t n_given;
	int64_t tokens, us;        /* of the block; since the program began, -1 unknown */
};

/* Where the log of the store is; lives as long as the arena. */
const char *hook_log_path(const char *store, struct arena *a);

/*
 * Appends a line to the log, which is made (0600) when it is missing. ERR_IO, with nothing written:
 * the directory is missing or full, or may not be written.
 */
int hook_log_add(const char *path, const struct hook_line *l, struct err *err);

/*
 * For what ends before its time, by a signal: hook_log_prepare keeps a line, in place of the one
 * before, and hook_log_late writes it and does only what a signal handler may. A log that does not
 * exist is not made. False: there is no line that fits.
 */
bool hook_log_prepare(const char *path, const struct hook_line *l);
void hook_log_late(void);

/*
 * What a session of the user was given. What it was given before its conversation was shortened it
 * has no more, and counts as not given.
 */
struct hook_given {
	const char **keys;         /* [n] ids, and hashes of texts, sorted; in the arena */
	size_t n;
	bool started;              /* its start was answered */
	int64_t compacted_us;      /* when its conversation was last shortened; TIME_NONE: never */
};
/* A log that does not exist or cannot be read gave nothing. */
void hook_given_read(const char *path, const char *user, const char *session,
	struct hook_given *g, struct arena *a);
/* Whether the message, or another one with the same words, was given. */
bool hook_given_has(const struct hook_given *g, const char *session, const struct message *m);

/*
 * Calls fn for the user's last n lines of the log, of the session or, "", of all. A line that was
 * cut short is none. fn returns 0 to go on, -1 with err.
 */
typedef int hook_log_fn(void *arg, const char *line, size_t len, struct err *err);
int hook_log_last(const char *path, const char *user, const char *session, size_t n,
	hook_log_fn *fn, void *arg, struct err *err);

/*
 * Overwrites with blanks, where they stand, the lines of which fn says so, and those that were cut
 * short; adds their number to *n. Calls that append meanwhile lose nothing. A log that does not
 * exist holds nothing. ERR_IO, or what fn returns.
 */
struct json;
typedef int hook_gone_fn(void *arg, const struct json *line, bool *gone, struct err *err);
int hook_log_forget(const char *path, hook_gone_fn *fn, void *arg, size_t *n, struct err *err);
