/*
 * sync_parts.h: what sync.c (what comes and goes) and sync_start.c (who is there, and how programs
 * are started) share.
 */
#pragma once

#include "base/arena.h"
#include "transfer/lines.h"
#include "transfer/side.h"
#include "transfer/sync.h"

struct way {
	const struct sync_options *o;
	struct arena arena;
	bool remote;
	char *host;                        /* of a remote one */
	char *file;                        /* the store there; "": its default */
	struct news_head head;             /* of the first line that came */
	bool has_head;
	bool has_lost;                     /* the store here, what the other one has of it */
	struct buf line;                   /* the line at hand, as much as is kept of it */
};

/* Reads o->other. ERR_USAGE: it names no host. */
int sync_read_other(struct way *w, struct err *err);
/*
 * A program of ours with a store; args: NULL at the end. other: the store is the other one, on this
 * machine.
 */
int sync_start_own(struct way *w, const char *program, const char *db, const char *const *args,
	bool reads, bool other, struct side *out, struct err *err);
/* The program there, with the store there. */
int sync_start_other(struct way *w, const char *program, const char *const *args, bool reads,
	struct side *out, struct err *err);
/* What it means that a program there ended with that status; 0: nothing. */
int sync_explain(const struct way *w, const char *program, int status, struct err *err);
