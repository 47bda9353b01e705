/*
 * sync.h: two stores of one person brought together, by four programs: what is new there comes
 * here, and what is new here goes there.
 *
 *	ssh HOST mem-export --new-for MARKS  |  mem-import
 *	mem-export --new-for STORE,MARK      |  ssh HOST mem-import
 */
#pragma once

#include "base/err.h"

struct sync_options {
	/* "HOST", "HOST:FILE", or, with a "/" before any ":", a file on this machine */
	const char *other;
	const char *user, *db;
	const char *own_bin;               /* where our programs are */
	const char *bin;                   /* where theirs are; "": in the PATH there */
	bool allow;                        /* what was removed may come back; all goes both ways */
	bool dry;                          /* nothing is stored */
};

/* What came, or went; dry: what would. */
struct sync_way {
	int64_t n_messages, n_changes, n_removed;
	/* not counted when dry */
	int64_t n_same, n_differ, n_forgotten, n_bad;
	int64_t n_bytes;
};

struct sync_result {
	struct sync_way in, out;
	bool was_none;                     /* there was no store there */
};

/*
 * A fault leaves both stores as they were, or further: what was stored is whole, and the next run
 * goes on. ERR_USAGE: other is no name of a host; ERR_DATA: what came is no export, or some lines
 * are not stored; ERR_UNAVAILABLE: there is no way there, or no mem; else what the program there
 * says. Cost: what is new; two starts of ssh, one when nothing goes there.
 */
int sync_run(const struct sync_options *o, struct sync_result *r, struct err *err);
