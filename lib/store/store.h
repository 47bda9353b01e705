/*
 * store.h: the only door to stored data. Nothing above it knows what is behind it: the rooms of
 * lib/store, on a driver for a database.
 *
 * Ids are text made by us (base/id.h), times int64 microseconds UTC (TIME_NONE: the source does not
 * say). Every call on a user's data takes a struct scope with a non-empty user: the user is a wall,
 * and no call crosses it.
 *
 * What a call returns as const char * is in the caller's arena.
 *
 * Reading never blocks writing. Writers queue for a lock beside the file (FILE.lock), and wait up
 * to the setting "wait". No call keeps a read transaction open while a callback runs: results are
 * fetched a page at a time.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/id.h"
#include "text/chunk.h"

struct store;

/*
 * Whose data. user is the wall. The others narrow; "" or NULL means any. Agent "A" sees the rows of
 * no agent and its own.
 */
struct scope {
	const char *user;
	const char *agent;
	const char *project;
	const char *session;
};

enum store_mode {
	STORE_READ,                /* must exist; nothing is ever written: no migration, no lock */
	STORE_WRITE,               /* must exist; migrates an older one after a backup */
	STORE_CREATE,              /* made when missing, with its directory (0700, file 0600) */
	/* as STORE_WRITE, but the index may be of another version: for store_repair */
	STORE_REPAIR,
	/* for store_restore, which looks at pages alone: of an older version, too, as it is */
	STORE_PAGES,               /* a file to read */
	STORE_OVER,                /* a file that is written over; made when missing */
	STORE_COPY                 /* a database that store_copy (store/copy.h) fills */
};

/*
 * Errors: ERR_NOINPUT (missing), ERR_PERM, ERR_CONFIG (foreign or newer file, a symbolic link, a
 * file system that the database cannot use), ERR_IO (damaged), ERR_BUSY. A store that is missing
 * and is opened with STORE_READ gives ERR_NOINPUT; a program that searches treats that as an empty
 * memory.
 */
int store_open(const char *path, enum store_mode mode, struct store **out, struct err *err);
/* Whether the store of that name is a file: else it is a database on a server. */
bool store_is_file(const char *path);
/* Whether a backup may take a file's place: there is none, or it is one, and not the store. */
bool store_may_replace(const char *path, const char *store);
void store_close(struct store *s);                             /* rolls an open transaction back */
const char *store_path(const struct store *s);
/*
 * Appends two lines: the version of the stores that this program makes, and the database's version.
 */
void store_versions(struct buf *out);

/* ---- writing: between begin and commit; all or nothing ---- */
/* ERR_BUSY: others have written for longer than the setting "wait" */
int store_begin(struct store *s, struct err *err);
/*
 * The same for rows of one user alone, or of all for NULL: on a server nobody waits for those who
 * write another's. It is a bug, told as ERR_BUG, to write to another user inside it.
 */
int store_begin_user(struct store *s, const char *user, struct err *err);
/* 0: all is durable; -1: all is rolled back */
int store_commit(struct store *s, struct err *err);
void store_rollback(struct store *s);
/* Commits where rc is 0; else rolls back, and returns rc. */
int store_end(struct store *s, int rc, struct err *err);

/*
 * For work that only one process should do at a time, though the store is not locked meanwhile:
 * takes the key if it is free, without waiting. *taken false: another process has it. A key is free
 * again when its holder ends. ERR_PERM, ERR_IO.
 */
int store_hold(struct store *s, uint64_t key, bool *taken, struct err *err);
void store_let_go(struct store *s, uint64_t key);

/* ---- users ---- */
/*
 * For programs that maintain the whole store; shows no content. The names are in the arena, in an
 * array that the caller frees.
 */
int users_all(struct store *s, struct arena *a, const char ***out, size_t *n, struct err *err);

/* ---- messages ---- */
enum role {
	ROLE_USER,
	ROLE_ASSISTANT,
	ROLE_SYSTEM,
	ROLE_TOOL,
	ROLE_OTHER,
	ROLE_DOCUMENT,             /* a piece of a file, which nobody said */
	N_ROLES
};
static inline bool role_is_indexed(enum role r) { return r != ROLE_SYSTEM; }
enum origin {
	ORIGIN_USER,
	ORIGIN_ASSISTANT,
	ORIGIN_TOOL,
	ORIGIN_WEB,
	ORIGIN_IMPORT,
	ORIGIN_DERIVED
};

#define PLACE_BYTES 16

extern const char *const role_names[];             /* by enum role */
extern const char *const origin_names[];
/*
 * "human" user, "gpt", "model", "ai" assistant, "developer" system, "function" tool; else
 * ROLE_OTHER
 */
enum role role_parse(const char *s);
int origin_parse(const char *s);                   /* -1 when it is none */
/* the trust, 0 to 3, of what states only its origin */
int origin_trust(enum origin o);

struct message {
	char id[ID_TEXT];                  /* "" when putting: made */
	const char *session;               /* never empty */
	int64_t turn;                      /* 0, 1, 2 ... in the session; given when put */
	enum role role;
	const char *name;                  /* who speaks, "" when only the role is known */
	const char *content;
	size_t content_len;
	int64_t time_us, stored_us;
	const char *agent, *project;       /* "" for none */
	enum origin origin;
	/* 0-3; -1 when putting: by origin (user 3, assistant 2, import 2, tool 1, web 0) */
	int trust;
	const char *source_id;             /* "" for none */
	/* when putting without source_id: place in its session in this input, for idempotence */
	uint64_t position;
	/*
	 * when putting: source_id is a hash of the original words, so a stored turn with that id is
	 * the same one, even if what is stored of its words differs
	 */
	bool id_of_words;
	/* when putting: its input begins with turns that were removed for good elsewhere */
	bool may_be_copy;
	/*
	 * when putting: its time was written without a zone, as written_us, and counts as that in
	 * its place. Earlier versions knew it by time_us, or by was_source ("": by none)
	 */
	bool local;
	int64_t written_us;
	const char *was_source;
	/*
	 * when putting: it is the rest of a turn whose beginning is stored; without a source_id it
	 * is recognized by whole_sha256
	 */
	bool continues;
	/* hash of the whole turn, by which the rest is recognized when the turn is read again */
	uint8_t whole_sha256[SHA256_BYTES];
	const char *tool_calls;            /* JSON text or "" */
	const char *tool_call_id;
	const char *extra;                 /* JSON object text of keys that are not ours, or "" */
	unsigned n_tokens;                 /* estimated, of content and tool_calls; filled */
	uint8_t sha256[SHA256_BYTES];      /* of content; filled */
	/* the store's own number, ascending by session and turn; filled */
	int64_t row;
	const struct prepared *prepared;   /* of content (index/prepare.h), or NULL */
	/* filled when putting: a message with its source_id is stored, with other content */
	bool differs;
	bool differs_in_time;              /* that of another store, in nothing but its time */
	/*
	 * identifies it in its session when it has no source_id, else zeros. Filled when read; when
	 * putting, only set for a message of another store
	 */
	uint8_t place[PLACE_BYTES];
	/*
	 * when putting: id, turn, times, tokens and place are those of another store (transfer.h);
	 * its session was put as that store has it
	 */
	bool given, in_given_session;
};

/* Who is shown to have said it: of a document, which one it is. */
static inline const char *
message_by(const struct message *m)
{
	return m->role == ROLE_DOCUMENT ? m->session : *m->name != '\0' ? m->name
									: role_names[m->role];
}

/*
 * The source_id of a section of a document: the hash of its session and headings, and that of its
 * words, in so many hexadecimal digits: "doc:PLACE:WORDS".
 */
#define SECTION_ID    "doc:"
#define SECTION_PLACE 16
#define SECTION_WORDS 24
/* That of a turn of a text form begins with so many digits of a hash (formats/logtime.c). */
#define TURN_ID       16

/* What is known of a session. When putting, "" and NULL leave what is stored. */
struct session {
	const char *id;                    /* its name, as records carry it */
	const char *title, *system_prompt, *metadata /* JSON text */, *agent, *project;
	int64_t created_us, updated_us;    /* updated: time of the newest message */
	/* turns that it has had; sessions_count tells how many of them are there */
	int64_t n_messages;
	/* when title, prompt and metadata were last set here; filled when read */
	int64_t told_us;
	/*
	 * it was removed once, and this was said of it afterwards; filled only in news for another
	 * store (sync.h)
	 */
	bool again;
};

/* Whether it is a document, in which nobody says anything. */
static inline bool
session_is_document(const struct session *v)
{
	return v->metadata != NULL && strncmp(v->metadata, "{\"document\":", 12) == 0;
}

enum put_did {
	PUT_STORED,
	PUT_DUPLICATE,
	PUT_PRUNED,        /* it or its session was removed for good (store/prune.h) */
	PUT_TAKEN          /* only with given: its id is another message's */
};

/*
 * In the open transaction: stores m with its card and full text (system messages are kept but not
 * indexed). Idempotent: the same (user, session, source_id), or without source_id the same
 * (session, position, time, role, content), is a duplicate, and m then has the id, turn and row of
 * what is stored. Chunks are stored unless put_options turn that off.
 */
int messages_put(struct store *s, const struct scope *who, struct message *m, enum put_did *did,
	struct err *err);
/*
 * In the open transaction: all that is of the project from, or of one whose path lies below it, is
 * of the project to, or of one below that, from now on, and so is what comes later under the old
 * name, unless that is a directory which is there. *out: what was moved. Cost: the user's messages
 * and cards are read only where the new name had a memory of its own.
 */
struct projects_moved { int64_t projects, sessions, records; };
int projects_move(struct store *s, const struct scope *who, const char *from, const char *to,
	struct projects_moved *out, struct err *err);
/*
 * The names of a project, *names [*n] in the arena: the one that is given, the one that it has, and
 * those that it had before it was moved and that lead to no other now.
 */
int project_names(struct store *s, const struct scope *who, const char *project, struct arena *a,
	const char ***names, size_t *n, struct err *err);

/*
 * In the open transaction: tells which messages of one user are about to be put, so that a database
 * across a network looks for all of them at once. Stores nothing, and does nothing where the
 * database is a local file.
 */
int messages_expect(struct store *s, const struct scope *who, struct message *const *m, size_t n,
	struct err *err);
/*
 * Whether messages_put would store nothing, because m is stored (then m is filled as by
 * messages_put) or was removed for good. Stores nothing, and needs no transaction.
 */
int messages_known(struct store *s, const struct scope *who, struct message *m, bool *known,
	struct err *err);
/* How messages_put works from now on. */
struct put_options {
	bool no_chunks;
	bool pruned_return;                /* what was removed for good may come back */
};
void messages_set_options(struct store *s, struct put_options o);

/*
 * In the open transaction: stores what is said of a session as a whole, and makes the session if
 * there is none. The earliest creation and the latest update are kept; a title, prompt or metadata
 * replaces the one before. Nothing is stored of a session that was removed for good. ERR_DATA: no
 * id, or one over the cap.
 */
int
sessions_put(struct store *s, const struct scope *who, const struct session *v, struct err *err);
/* Whether a session was removed for good, and may not come back. */
int sessions_buried(struct store *s, const struct scope *who, const char *id, bool *buried,
	struct err *err);

/* Who may have said it: one of names [n], or nameless: a user who has none. names NULL: anybody. */
struct said_by { const char *const *names; size_t n; bool nameless; };
bool said_by_has(const struct said_by *by, const struct message *m);

struct message_filter {
	int role;                          /* enum role, or -1 */
	struct said_by said_by;
	/* [since, until); TIME_NONE: open. With either set, messages without time are left out */
	int64_t since_us, until_us;
	int min_trust;                     /* 0: all */
	bool newest_first;                 /* else by session and turn */
	int64_t limit;                     /* 0: all */
};
#define MESSAGE_FILTER_ANY { -1, { NULL, 0, false }, TIME_NONE, TIME_NONE, 0, false, 0 }

/*
 * Returns 0 to go on; another value stops the walk, which then returns 0 (negative: returns -1, err
 * filled by the callback's owner). m lives until the next call.
 */
typedef int message_fn(void *arg, const struct message *m);
int messages_each(struct store *s, const struct scope *who, const struct message_filter *f,
	message_fn *fn, void *arg, struct err *err);

/*
 * One message by id, by any unambiguous prefix (8 characters or more) of one, or "source:ID". *out
 * NULL when there is none. An id that it had before two stores agreed on another (sync.h) names it,
 * too. An ambiguous prefix or source id: ERR_DATA.
 */
int messages_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct message **out, struct err *err);
/* Declares that messages_find will be asked for these ids [n]: see store_gather. */
int messages_want(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	struct err *err);
/* Messages of rows [n], each in its place; NULL where there is none in the scope. */
int messages_by_rows(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct arena *a, const struct message **out, struct err *err);
/* Declares that these rows [n] will be asked for, one at a time or as neighbours. */
int messages_rows_want(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err);
/*
 * The neighbours of a row in its session: from turn - before to turn + after, oldest first, the row
 * itself among them.
 */
int messages_around(struct store *s, const struct scope *who, int64_t row, int before, int after,
	message_fn *fn, void *arg, struct err *err);

/*
 * Sessions in the order in which they were first stored, each as one, however many parts it has. fn
 * returns 0 to go on; what it is given lasts for the call.
 */
typedef int session_fn(void *arg, const struct session *v);
int
sessions_each(struct store *s, const struct scope *who, session_fn *fn, void *arg, struct err *err);
/*
 * The same, ordered by the time of the newest message, or else of creation: first those without a
 * time, then those from from_us on. newest_first: those before from_us, newest first. TIME_NONE:
 * all. Sessions are read a page at a time, so the first comes at once and no transaction stays
 * open.
 */
int sessions_by_time(struct store *s, const struct scope *who, bool newest_first, int64_t from_us,
	session_fn *fn, void *arg, struct err *err);
/* The session of that name, in the arena; *out NULL: there is none in the scope. */
int sessions_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct session **out, struct err *err);
/* How many messages the session of that name has. Cost: an index of them is read. */
int sessions_count(struct store *s, const struct scope *who, const char *id, int64_t *n,
	struct err *err);
/*
 * The name of a session, in the arena, that has a message by what it is known by in it (its
 * source_id, or its place, time, role and words); NULL: none of its time has. Cost: an index is
 * read once for each session of that time.
 */
int messages_session(struct store *s, const struct scope *who, struct message *m, struct arena *a,
	const char **name, struct err *err);
/*
 * Whether there is a session of this name, or one that begins "name:", as the parts of a file do.
 */
int sessions_called(struct store *s, const struct scope *who, const char *name, bool *any,
	struct err *err);

/*
 * The chunks of a message, in order. Those that are not stored (a single chunk of prose, or a
 * message that is not cut yet) are cut anew.
 */
int chunks_of(struct store *s, const struct scope *who, const struct message *m, chunk_fn *fn,
	void *arg, struct err *err);
/*
 * In the open transaction: cuts up to limit messages that have no chunks yet. *n_done of them; 0
 * when none is left. Can be interrupted and go on later.
 */
int chunks_backfill(struct store *s, const struct scope *who, unsigned limit, unsigned *n_done,
	struct err *err);

/* ---- input files that grow ---- */
struct input_state {
	const char *path;                  /* absolute */
	uint64_t device, inode;
	/* where reading ended: just after the last complete line */
	uint64_t offset, line;
	/* of the first min(4096, offset) bytes: tells whether another file has the name now */
	uint8_t head_sha256[SHA256_BYTES];
	/* some records had no id of their own, so the file is read whole again */
	bool positional;
	/* what the format's reader must remember between lines (JSON text), or "" */
	const char *state;
};
int inputs_get(struct store *s, const struct scope *who, const char *path, struct arena *a,
	const struct input_state **out, struct err *err);
/*
 * Calls fn with all whose path begins so, in the order of their paths; what it is given is in the
 * arena. fn must not use the store.
 */
typedef int input_state_fn(void *arg, const struct input_state *v);
int inputs_each(struct store *s, const struct scope *who, const char *begins, struct arena *a,
	input_state_fn *fn, void *arg, struct err *err);
/* in the open transaction */
int
inputs_put(struct store *s, const struct scope *who, const struct input_state *v, struct err *err);

/* In the open transaction: forgets how far path was read. */
int inputs_drop(struct store *s, const struct scope *who, const char *path, struct err *err);
/*
 * In the open transaction, after a session was removed: forgets how far files were read whose path
 * or state names the session, or all files if the user has no session left. They are then read
 * whole again. Cost: all rows are read.
 */
int inputs_forget(struct store *s, const struct scope *who, const char *session, struct err *err);
/* In the open transaction: forgets which files had the names that no session has. */
int inputs_forget_names(struct store *s, const struct scope *who, struct err *err);

/*
 * ---- answers of models, kept for a while ----
 *
 * key is a hash, in any form. When anything of a user is removed for good, all of the user's
 * answers go, as they may repeat its words.
 */
/* *text in the arena; NULL: there is none that is young enough. */
int answers_get(struct store *s, const struct scope *who, const char *key, struct arena *a,
	const char **text, struct err *err);
/*
 * Best effort: takes the lock without waiting, and never fails. Removes answers that are too old.
 */
void answers_put(struct store *s, const struct scope *who, const char *key, const char *text);

/* ---- metrics: one row a request, written when the store is free, dropped when it is not ---- */
#define METRIC_JOB "job"
struct handed;
struct metric {
	int64_t time_us;
	const char *program;               /* "mem-search" */
	const char *path;                  /* the way the search went; METRIC_JOB: it is none */
	uint64_t query_hash;
	int64_t query_bytes, n_hits /* likely to answer */, n_candidates;
	double top_score;
	int64_t us_open, us_text, us_vectors, us_rank, us_fetch, us_all;
	const char *flags;                 /* "widened,truncated" */
	/* [n_handed], see handed.h; metrics_each does not read them */
	const struct handed *handed;
	size_t n_handed;
};
/*
 * Best effort: takes the lock without waiting, and never fails. Removes rows older than the setting
 * metrics_days now and then.
 */
void metrics_put(struct store *s, const struct scope *who, const struct metric *m);
typedef int metric_fn(void *arg, const struct metric *m);
int metrics_each(struct store *s, const struct scope *who, int64_t since_us, metric_fn *fn,
	void *arg, struct err *err);

/* ---- figures ---- */
struct store_stat {
	const char *name;
	int64_t value;
	const char *unit; /* "count", "bytes", "time" */
};
typedef int stat_fn(void *arg, const struct store_stat *v);
/*
 * sessions, messages by role, chunks by kind, indexed turns and words, searches, oldest and newest
 * time (unit "time"), bytes of the file by table
 *
 * Of the user, whatever else the scope names. Cost: a pass over the user's messages, one over the
 * records, one over the file.
 */
int store_stats(struct store *s, const struct scope *who, stat_fn *fn, void *arg, struct err *err);
/* Only those about records and vectors. Cost: one pass over the records. */
int store_stats_records(struct store *s, const struct scope *who, stat_fn *fn, void *arg,
	struct err *err);

/*
 * What was stored of the user since then: grown.messages, those said by user or assistant, the
 * sessions they are in, facts, summaries, reflections.
 */
int store_grown(struct store *s, const struct scope *who, int64_t since_us, stat_fn *fn, void *arg,
	struct err *err);

/* ---- checking ---- */
enum check_level { CHECK_QUICK, CHECK_FULL, CHECK_DEEP };
struct check_finding {
	int level; /* 0 ok, 1 warning, 2 damage of derived data, 3 damage of base data */
	const char *what, *message;
};
typedef int check_fn(void *arg, const struct check_finding *f);
/*
 * quick: identity, versions, quick_check, foreign keys, counts against each other; full:
 * integrity_check, every content hash, structure of the full text; deep: the full text against the
 * words of every message. All users; needs no scope: it shows no content. All of it is read from
 * one snapshot, the open one or its own, so that what others write meanwhile is no damage. fn is
 * called while it is open: it keeps what it is told, and waits for no pipe.
 */
int store_check(struct store *s, enum check_level level, check_fn *fn, void *arg, struct err *err);
/*
 * Until store_snapshot_end everything is read as it is now, so a store_check and a store_backup in
 * between are of the same moment. This handle writes nothing meanwhile; others write into a log
 * that grows until the end.
 */
int store_snapshot(struct store *s, struct err *err);
void store_snapshot_end(struct store *s);
/*
 * Begins a snapshot for several reads, unless one is open; *own: for store_gather_end. A store
 * across a network answers together what is declared in it before it is read (messages_want and its
 * like), and a file is locked once for all of them, and not for each. Whoever is called back must
 * not have to wait in it.
 */
int store_gather(struct store *s, bool *own, struct err *err);
void store_gather_end(struct store *s, bool own);

/*
 * Rebuilds what is derived (cards, full text, chunks, counts) of all users in one transaction; base
 * data is never touched. Where pages are damaged, in a new file (FILE.repair, removed in the end)
 * whose pages then replace those of the store in one transaction: that takes room for three stores.
 * A repair that is killed or has no room has changed nothing, and stops nobody. ERR_IO, with
 * nothing changed, when pages of base data are damaged. ERR_PERM: a role of a database that does
 * not see all users. Other writers wait.
 */
typedef void repair_fn(void *arg, int64_t done, int64_t all);
int store_repair(struct store *s, repair_fn *progress, void *arg, struct err *err);
/*
 * Writes a checked copy of the open snapshot, or of the store as it is now, to a path that must not
 * exist: all of it or no file. Derived data whose pages are damaged is made anew in the copy.
 * Removes what killed backups have left in the same directory.
 */
int store_backup(struct store *s, const char *to, struct err *err);
/* Moves what was written last from the log beside the file into the file. */
int store_checkpoint(struct store *s, struct err *err);
/* *n of its file, and *n_log of the log beside it; 0: the store is a database on a server. */
int store_file_bytes(struct store *s, int64_t *n, int64_t *n_log, struct err *err);
/*
 * As store_checkpoint; when it returns 0, the bytes of what was deleted have left the file.
 * ERR_BUSY: a reader has kept an old snapshot open for longer than the setting "wait".
 */
int store_settle(struct store *s, struct err *err);
/*
 * From now on fn is called before a transaction is committed in which something was removed for
 * good, so that what names it outside of the store goes first: who is killed in between leaves
 * nothing of it. It may read the store (session_is_gone, id_is_gone), and cannot stop the commit.
 */
typedef void store_leaving_fn(void *arg, struct store *s);
void store_leaving(struct store *s, store_leaving_fn *fn, void *arg);

/* ---- when a program last started for a user, so that one started too often can stop ---- */
/*
 * In the open transaction. *due: the job did not start within the last every_us; then it is noted
 * as started now. An interval that is a twentieth too short is long enough, as schedulers are not
 * exact; a last start in the future does not count.
 */
int job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us,
	bool *due, struct err *err);
/* When it started last, whatever its interval; TIME_NONE: never. Needs no transaction. */
int job_last(struct store *s, const struct scope *who, const char *name, int64_t *us,
	struct err *err);
