/*
 * prune.h: what has been kept long enough: facts, sessions and metrics that go for good.
 */
#ifndef STORE_PRUNE_H
#define STORE_PRUNE_H

#include "store/store.h"
#include "store/vectors.h"

/* A fact as far as it matters; content lives until the callback returns. */
struct prunable {
	int64_t row;                       /* ascending as they were stored */
	char id[ID_TEXT];
	const char *content;
	size_t len;
	int64_t used_us;                   /* looked at, or else stored */
	double importance;
	bool guarded;                      /* "protected" */
};
/*
 * Facts of the user, whatever holds of them, as stored: those after the row after (0: from the
 * first), at most so many (-1: all). fn must not use the store; it returns 0 to go on. Cost: about
 * 1 us a fact.
 */
typedef int prunable_fn(void *arg, const struct prunable *f);
int prunable_each(struct store *s, const struct scope *who, int64_t after, int64_t most,
	prunable_fn *fn, void *arg, struct err *err);
/* The ids [n] of rows [n]; "" for those that are gone. */
int prunable_ids(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	char (*ids)[ID_TEXT], struct err *err);

/* How many facts a user has, counted again when another process has written. Begin with zeros. */
struct facts_left { bool known; int64_t n, version; };

/*
 * In the open transaction: of facts rows [n], in this order, those go for good that are still there
 * and not guarded by now, until the user has no more than max. removed [n] says which; left is
 * counted on.
 */
int facts_prune(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	int64_t max, struct facts_left *left, bool *removed, struct err *err);

/* What goes: sessions by name, messages and records by row, all of one user. */
struct going {
	const char *const *sessions;
	size_t n_sessions;
	const int64_t *rows, *records;
	size_t n_rows, n_records;
	/* a tag as it stands in JSON: notes that bear it go with what they mark; NULL: none */
	const char *mark;
};

/*
 * What is made of that, and of what is made of it, and must go along: a fact or reflection that
 * rests on nothing else, and every summary that rests on any of it, for its words are theirs; what
 * else a summary stood for holds again and can be summed up anew. Protected ones stay, but for
 * marks. kept: those that stay because they rest on more; guarded: because they are protected. All
 * are the caller's to free with made_release. Nothing is changed.
 */
struct made_record { int64_t row; char id[ID_TEXT]; };
struct made_records { struct made_record *items, *kept, *guarded; size_t n, n_kept, n_guarded; };
int going_made(struct store *s, const struct scope *who, const struct going *g,
	struct made_records *out, struct err *err);
void made_release(struct made_records *m);

/*
 * In the open transaction: the sessions with their messages go, and the messages, and messages_put
 * does not let them in again; records are records_remove's. Of a session that loses single messages
 * the others keep their turns. Cost: the user's index is written anew. *n_messages that went.
 */
int going_remove(struct store *s, const struct scope *who, const struct going *g,
	int64_t *n_messages, struct err *err);

/* In the open transaction: the session has no title from now on. */
int sessions_untitle(struct store *s, const struct scope *who, const char *name, struct err *err);

/*
 * Every text and blob of every table, of all users, with the statements that made the tables. It is
 * for a proof that something is gone, and shows content. id: of the row, or of the record that it
 * belongs to.
 */
typedef void store_text_fn(void *arg, const char *table, int64_t id, const char *column,
	const char *text, size_t len);
int store_texts_each(struct store *s, store_text_fn *fn, void *arg, struct err *err);

/*
 * All that is stored of the vectors of records rows [n], ascending, as it stands in the file: a
 * key, and the len bytes behind it. It is for a proof that they are gone. Cost: the user's codes
 * are read.
 */
struct vector_rows { enum vector_kind kind; const int64_t *rows; size_t n; };
typedef void vector_bytes_fn(void *arg, uint64_t key, const uint8_t *bytes, size_t len);
int vectors_bytes_each(struct store *s, const struct scope *who, const struct vector_rows *of,
	vector_bytes_fn *fn, void *arg, struct err *err);

/*
 * Pages of a store that nobody has open which are free and not all zeros: fn gets where each
 * begins. For a file that is no store it gets none.
 */
typedef void free_page_fn(void *arg, int64_t at);
int store_free_pages_left(const char *path, free_page_fn *fn, void *arg, struct err *err);

/*
 * Copies of the store: what is a store itself and stands beside it under a name that mem
 * itself gives to a copy, FILE.v3.backup before it changes a store of version 3. Another store
 * whose name begins with its name is none. fn returns 0 to go on.
 */
typedef int store_copy_fn(void *arg, const char *path);
int store_copies_each(const char *path, store_copy_fn *fn, void *arg, struct err *err);

/*
 * In the open transaction, when records or sessions have gone: names of speakers, agents and
 * projects that nothing bears any more go too. Their numbers may be given again. Cost: the user's
 * messages are read through up to three times, a second a million.
 */
int names_prune(struct store *s, const struct scope *who, struct err *err);

/* In the open transaction: metrics of before then. */
int metrics_remove(struct store *s, const struct scope *who, int64_t before_us, int64_t *n,
	struct err *err);

#endif
