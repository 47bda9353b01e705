/*
 * prune.h: what is removed for good: facts, sessions, messages and metrics, and what was made of
 * them.
 */
#pragma once

#include "store/store.h"
#include "store/vectors.h"

/* What pruning looks at of a fact; content lives until the callback returns. */
/* What is worth less comes first. */
enum prunable_worth {
	WORTH_ENDED,                       /* ended, retracted or summed up */
	WORTH_FOUND,                       /* extracted, or stored by an agent */
	WORTH_OWN                          /* stored by the user */
};

struct prunable {
	enum prunable_worth worth;
	int64_t row;                       /* ascending as they were stored */
	char id[ID_TEXT];
	const char *content;
	size_t len;
	int64_t used_us;                   /* when it was last read, or else stored */
	double importance;
	bool guarded;                      /* "protected" */
};
/*
 * The user's facts in the order of storing, ended and retracted ones too: those behind row after
 * (0: from the first), at most most of them (-1: all). fn must not use the store; it returns 0 to
 * go on. Cost: about 1 us a fact.
 */
typedef int prunable_fn(void *arg, const struct prunable *f);
int prunable_each(struct store *s, const struct scope *who, int64_t after, int64_t most,
	prunable_fn *fn, void *arg, struct err *err);
/* The ids [n] of rows [n]; "" for those that are gone. */
int prunable_ids(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	char (*ids)[ID_TEXT], struct err *err);

/*
 * How many facts a user has: kept between calls, and counted again when another process has
 * written. Begin with zeros.
 */
struct facts_left { bool known; int64_t n, version; };

/*
 * In the open transaction: removes facts rows [n] for good, in this order, until the user has no
 * more than max. Those that are gone or protected by now are passed over. removed [n] says which
 * were removed; left is kept up to date.
 */
int facts_prune(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	int64_t max, struct facts_left *left, bool *removed, struct err *err);

/* What is to be removed: sessions by name, messages and records by row, all of one user. */
struct going {
	const char *const *sessions;
	size_t n_sessions;
	const int64_t *rows, *records;
	size_t n_rows, n_records;
	/* a tag in JSON form: notes with it are removed with what they mark; NULL: none */
	const char *mark;
	/* no tombstone is put: what goes is not forgotten, and may come back */
	bool may_return;
};

/*
 * Finds what was made of it, directly or through other records, and must be removed along with it:
 * each fact or reflection that rests on nothing else, and each summary that rests on any of it or
 * is of its session, as it repeats the words, or lists what it left out. (Other facts that such a
 * summary stands for will hold again and can be summarized anew.) Protected records stay, except
 * notes with the mark. kept are those that stay because they rest on something else too, guarded
 * those that are protected. All are freed with made_records_release. Nothing is changed.
 */
struct made_record { int64_t row; char id[ID_TEXT]; };
struct made_records { struct made_record *items, *kept, *guarded; size_t n, n_kept, n_guarded; };
int going_made(struct store *s, const struct scope *who, const struct going *g,
	struct made_records *out, struct err *err);
void made_records_release(struct made_records *m);

/*
 * In the open transaction: removes the sessions with all their messages, and the single messages,
 * which messages_put then refuses, and with a section of a document its words wherever they stand.
 * Records are left to records_remove. The messages that stay in a session keep their turns; its
 * times, agent, project and kind are theirs from then on. *n_messages is how many were removed.
 * Cost: the segments of the user's index that have any of them are written anew, and the messages
 * that stay in these sessions are read.
 */
int going_remove(struct store *s, const struct scope *who, const struct going *g,
	int64_t *n_messages, struct err *err);

/*
 * Whether the session of that name, or the message or record of that id, was removed for good, and
 * is not here again. *any: whether anything of the user was; false within a transaction for another
 * user.
 */
int gone_any(struct store *s, const struct scope *who, bool *any, struct err *err);
int session_is_gone(struct store *s, const struct scope *who, const char *name, bool *is,
	struct err *err);
int id_is_gone(struct store *s, const struct scope *who, const char *id, bool *is,
	struct err *err);

/* In the open transaction: removes the title of a session. */
int sessions_untitle(struct store *s, const struct scope *who, const char *name, struct err *err);

/*
 * Every text and blob of every table, of all users, with the statements that made the tables. It is
 * for a proof that something is gone, and shows content. id is the row's, or that of the record to
 * which the row belongs.
 */
typedef void store_text_fn(void *arg, const char *table, int64_t id, const char *column,
	const char *text, size_t len);
int store_texts_each(struct store *s, store_text_fn *fn, void *arg, struct err *err);

/*
 * All bytes that are stored of the vectors of records rows [n], ascending: fn gets a key and the
 * len bytes behind it. It is for a proof that they are gone. Cost: the user's codes are read.
 */
struct vector_rows { enum vector_kind kind; const int64_t *rows; size_t n; };
typedef void vector_bytes_fn(void *arg, uint64_t key, const uint8_t *bytes, size_t len);
int vectors_bytes_each(struct store *s, const struct scope *who, const struct vector_rows *of,
	vector_bytes_fn *fn, void *arg, struct err *err);

/*
 * The free pages of a store file that are not all zeros: fn gets the offset of each. Nobody may
 * have the store open. A file that is no store has none.
 */
typedef void free_page_fn(void *arg, int64_t at);
int store_free_pages_left(const char *path, free_page_fn *fn, void *arg, struct err *err);

/*
 * The copies of a store that mem itself has made: stores beside it under a name that mem gives to a
 * copy, as FILE.v3.backup is made before a store of version 3 is changed. Another store whose name
 * only begins the same is none. fn returns 0 to go on.
 */
typedef int store_copy_fn(void *arg, const char *path);
int store_copies_each(const char *path, store_copy_fn *fn, void *arg, struct err *err);
/* Removes such a copy, with what stands beside it. */
int store_copy_remove(const char *path, struct err *err);

/*
 * In the open transaction, after records or sessions were removed: removes the names of speakers,
 * agents and projects that nothing bears any more. Their numbers may be given again. Cost: the
 * user's messages are read until all of up to 255 names are seen; where a name is gone, or there
 * are more, up to twice through for each kind, a third of a second a million.
 */
int names_prune(struct store *s, const struct scope *who, struct err *err);

/* In the open transaction: removes the rows of metrics from before then; *n of them. */
int metrics_remove(struct store *s, const struct scope *who, int64_t before_us, int64_t *n,
	struct err *err);
