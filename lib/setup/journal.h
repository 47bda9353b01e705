/*
 * journal.h: what mem-setup has changed, so that it can take it back: a line for each file, and a
 * copy of what the file was, in $XDG_STATE_HOME/mem/setup. It is written before a file is changed,
 * so a run that was killed leaves no change that is not in it.
 */
#pragma once

#include "setup/file.h"

struct entry {
	const char *path;          /* with links followed; "crontab": the user's crontab */
	const char *agent;         /* "": of none */
	int64_t wires;             /* of the agent's: a bit each */
	/* SHA-256 of the file without us and with us; "": it did not exist */
	char before[SHA256_TEXT], after[SHA256_TEXT];
};

struct journal {
	const char *dir;
	struct entry *list;        /* [n] */
	size_t n, cap;
	/* [n_dirs] that were made, for files and for dir, outer ones before inner ones */
	char **dirs;
	size_t n_dirs, cap_dirs;
	int lock;
	struct arena arena;
};

/* Reads it; one that does not exist is empty. ERR_DATA: it is damaged. */
int journal_open(struct journal *j, struct err *err);
void journal_close(struct journal *j);
/*
 * Keeps other runs out until it is closed, and makes its directory, if that is wanted. ERR_BUSY:
 * another one is at work.
 */
int journal_lock(struct journal *j, bool make, struct err *err);

struct entry *journal_find(const struct journal *j, const char *path);
/*
 * Stores an entry, in place of the one of its path, and the directories that are missing on the way
 * to it. was: what the file is without us, of which a copy is kept.
 */
int journal_put(struct journal *j, const struct entry *e, const struct file *was, struct err *err);
/* What the file of an entry was. */
int journal_was(const struct journal *j, const struct entry *e, struct file *was, struct err *err);
/* Forgets an entry, and removes the directories that were made and are empty now. */
int journal_drop(struct journal *j, const char *path, struct err *err);
/* Removes the empty journal with all its copies and directories. */
void journal_remove(struct journal *j);
