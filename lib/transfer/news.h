/*
 * news.h: what is new in a store for another one of the same person, as lines that import.h stores:
 *
 *	export                  whose it is, for whom, from which change to which, what is known of
 *	                        the other store
 *	tombstone ...           what was removed since, and goes there, too
 *	consent
 *	session, its messages ...
 *	step, what it left ...
 *	access ...
 *	exported
 *
 * What came from the other store is not told it again.
 */
#pragma once

#include "transfer/export.h"
#include "transfer/lines.h"

struct news_want {
	struct news_head head;
	int64_t peer;                      /* what came from it is left out; 0: nothing is */
	struct arena arena;                /* of the texts */
};

/*
 * text: "WHO[,STORE:MARK ...][,all]": whom it is for, by id or by name, "-": one that has nothing
 * yet; what that has of this and other stores (news_marks), of this one nothing if an id comes
 * without a mark of it; all: and gets all the same. ERR_USAGE: no such text; ERR_NOINPUT: no
 * store of that name is known; ERR_DATA: it is this store. The caller releases out->arena.
 */
int news_want(struct store *s, const struct scope *who, const char *text, struct news_want *out,
	struct err *err);
/* Appends what a store has of others, for news_want: "ID[,STORE:MARK ...]". */
int news_marks(struct store *s, const struct scope *who, struct buf *out, struct err *err);

struct news_counts {
	int64_t n_sessions, n_messages, n_changes, n_tombstones;
};

/* As export_lines. Cost: what is new; 8 bytes of memory a session, 100 a step of it. */
int news_lines(struct store *s, const struct scope *who, const struct news_want *want,
	struct news_counts *n, struct buf *out, int (*ended)(void *arg), void *arg,
	struct err *err);
