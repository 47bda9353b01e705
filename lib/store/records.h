/*
 * records.h: records: facts, summaries and reflections, what they rest on, and the steps that made
 * them what they are.
 *
 * A fact or reflection is base data: it is never rebuilt. Each change of a record belongs to a
 * step, and a step keeps all that is needed to take it back exactly. So a record has a history, and
 * what the store knew at some time can be read. Taking a step back is a step too.
 *
 * A record's row is a number like a message's: ascending in the order of storing, never used again.
 * vectors.h names records by it.
 */
#pragma once

#include "store/store.h"

/* the numbers of enum vector_kind */
enum record_type { RECORD_FACT = 1, RECORD_SUMMARY = 2, RECORD_REFLECTION = 3 };
enum fact_kind { FACT_FACT, FACT_PREFERENCE, FACT_TODO, FACT_DECISION, FACT_ENTITY };
/* the five categories */
enum fact_root { ROOT_FACTS, ROOT_PREFERENCES, ROOT_SKILLS, ROOT_RULES, ROOT_CONTEXT };

enum summary_kind { SUMMARY_SESSION, SUMMARY_CONSOLIDATION };

#define N_SUMMARY_KINDS 2
#define N_FACT_KINDS 5
#define N_FACT_ROOTS 5
/* what a person may write for a kind of fact, in help and errors; fact_kind_parse reads it */
#define FACT_KINDS "fact, preference, todo, decision or entity"
/* by enum */
extern const char *const fact_kind_names[], *const fact_root_names[], *const summary_kind_names[];
int fact_kind_parse(const char *s);                /* -1: there is no such kind */
int fact_root_parse(const char *s);
int summary_kind_parse(const char *s);

#define RECORD_SOURCES_MAX 256

/* What a record rests on. */
struct record_source {
	/* of a message or record, also of one that is not in the store */
	const char *id;
	int64_t start, length;             /* bytes of its content; length 0: all of it */
};

struct record_head {
	enum record_type type;
	char id[ID_TEXT];                  /* "" when putting: made */
	const char *session, *agent, *project;         /* "" for none */
	/* when it was said; when it was stored, 0 when putting: now */
	int64_t time_us, stored_us;
	enum origin origin;
	int trust;                         /* 0-3; -1 when putting: by origin (origin_trust) */
	const char *source_id;             /* "" for none */
	const char *content;
	size_t content_len;
	const char *tags;                  /* JSON array of strings, or "" */
	const char *extra;                 /* JSON object text of keys that are not ours, or "" */
	const struct record_source *sources;
	size_t n_sources;
	/* "protected": never pruned, never ended by another fact */
	bool guarded;
	int64_t retracted_us;              /* TIME_NONE: it stands */
	int64_t accessed_us, n_accesses;   /* filled; TIME_NONE: never looked at */
	uint8_t sha256[SHA256_BYTES];      /* of content; filled */
	int64_t row;                       /* filled */
};

/*
 * What only a summary has: the turns of head.session that it stands for (TIME_NONE: it is not of a
 * session); the model that made it, or ""; and its parts as a JSON object, or "".
 */
struct summary_keys {
	enum summary_kind kind;
	int64_t first, last;
	const char *model, *structured;
};

/*
 * A record of any type: a reflection is its head, a summary its head and summary, a fact all but
 * summary.
 */
struct fact {
	struct record_head head;
	/* what it is about, "" for none: only one fact of a key holds at a time */
	const char *key;
	const char *bank, *subcategory;    /* subcategory: one that was given, "" for none */
	/* name of the category that mem-cluster put it in, "" for none; filled */
	const char *found_in;
	enum fact_root category;
	enum fact_kind kind;
	double importance, confidence;     /* 0-1 */
	int64_t valid_from_us, valid_to_us;            /* [from, to); TIME_NONE: open */
	const char *superseded_by;         /* id of the fact that ended it, "" */
	const char *summarized;            /* id of the consolidation that stands for it, "" */
	const char *const *supersedes;     /* ids of those that it ended; filled */
	size_t n_supersedes;
	struct summary_keys summary;
};

/* ---- steps ---- */
enum step_did { STEP_STORE, STEP_MERGE, STEP_SUPERSEDE, STEP_EDIT, STEP_UNDO };
extern const char *const step_names[];             /* by enum step_did */

/*
 * A step that is being made: fill did and why, zero the rest. Its row is written with the first
 * change, so a step that changes nothing leaves no trace.
 */
struct step {
	enum step_did did;
	const char *why;                   /* for people, no content of records in it; "" */
	int64_t row;                       /* filled */
	int64_t no;                        /* its number within the user, from 1; filled */
	int64_t time_us;                   /* filled */
	const char *agent;                 /* filled when read */
	/* number of the step that took it back, 0; filled when read */
	int64_t undone;
	/* whether the record asked for existed before the step; filled when read */
	bool existed;
};

/*
 * In the open transaction: stores f. If a record of this type and user has its source_id already, f
 * is a duplicate and gets that one's id and row. If its id is taken, it gets a new one. ERR_DATA:
 * empty content, a name too long, too many sources.
 */
int records_put(struct store *s, const struct scope *who, struct step *st, struct fact *f,
	enum put_did *did, struct err *err);
/* In the open transaction: 1: it would be a duplicate, and h gets that one's id and row; 0. */
int records_known(struct store *s, const struct scope *who, struct record_head *h,
	struct err *err);
/*
 * In the open transaction: the record at f->head.row becomes what f says; id, stored time and row
 * stay. Its vector is queued again if the content has changed.
 */
int records_change(struct store *s, const struct scope *who, struct step *st, const struct fact *f,
	struct err *err);
/*
 * In the open transaction: removes rows [n] with their history, sources and vectors. This is no
 * step and cannot be taken back, and an export does not bring them back (records_buried in
 * transfer.h). Rows of other users are passed over.
 */
int records_remove(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err);

/*
 * In the open transaction: notes that a record of these words was forgotten in a project, by a
 * hash, so that no program stores them there again. And whether one was, there or in no project;
 * back, or pruned_return (struct put_options): from now on none was.
 */
struct record_words { const char *project, *text; size_t len; };
int words_forget(struct store *s, const struct scope *who, const struct record_words *w,
	struct err *err);
int words_forgotten(struct store *s, const struct scope *who, const struct record_words *w,
	bool back, bool *were, struct err *err);

/*
 * Notes that rows [n] were read now, which is no step. To be called after a search, on its handle
 * for reading, outside any transaction. Best effort: it does not wait for the lock and never fails.
 */
void records_touch_soon(struct store *s, const struct scope *who, const int64_t *rows, size_t n);

/*
 * In the open transaction: takes back the step with that number; no 0: the last one of the scope
 * that is not an undo and was not taken back. Its records become what they were before it, or are
 * removed. fn, unless NULL, is called with each record's id and whether it is gone. *out is the
 * step; its no is 0 when there is none. ERR_DATA: a later step changed one of its records.
 */
typedef int undone_fn(void *arg, const char *id, bool gone);
int steps_undo(struct store *s, const struct scope *who, int64_t no, undone_fn *fn, void *arg,
	struct step *out, struct err *err);
/* Steps of a record, oldest first; row 0: all of the scope. */
typedef int step_fn(void *arg, const struct step *v);
int steps_each(struct store *s, const struct scope *who, int64_t row, step_fn *fn, void *arg,
	struct err *err);
/* The records that a step changed: what they say now, or said last where they are gone. */
typedef int step_record_fn(void *arg, const char *id, const char *text, size_t len, bool gone);
int step_records(struct store *s, const struct scope *who, const struct step *st,
	step_record_fn *fn, void *arg, struct err *err);

/* ---- reading ---- */
enum {                                 /* which records, besides those that hold now */
	RECORDS_ENDED = 1,             /* valid_to has come */
	RECORDS_RETRACTED = 2,
	RECORDS_SUMMARIZED = 4,
	RECORDS_ALL = 7
};

struct record_filter {
	enum record_type type;
	unsigned also;                     /* RECORDS_* */
	const char *key, *bank;            /* NULL: any */
	const char *subcategory;           /* the one given, or else the one found; NULL: any */
	int category, kind;                /* -1: any; kind is of facts or of summaries, by type */
	int min_trust;
	/*
	 * of time_us: [since, until); TIME_NONE: open. With either set, records without a time are
	 * left out
	 */
	int64_t since_us, until_us;
	/* those valid then; TIME_NONE: now, and those that are not valid yet */
	int64_t as_of_us;
	/* as the store knew them then (supersedes and accesses are not filled); TIME_NONE: now */
	int64_t known_us;
	/* of facts, unless known_us is given, by when they were said; else as stored */
	bool newest_first;
	int64_t limit;                     /* 0: all */
	const char *tag;                   /* as JSON, with its quotes; NULL: any */
	double min_importance;             /* of facts; 0: any */
	bool guarded;                      /* only these */
	/* only those that somebody stored on purpose, or that were distilled from turns */
	enum record_made { MADE_ANY, MADE_GIVEN, MADE_DISTILLED } made;
};
#define RECORD_FILTER_ANY(of) \
	{ \
		of, 0, NULL, NULL, NULL, -1, -1, 0, TIME_NONE, TIME_NONE, TIME_NONE, TIME_NONE, \
		    false, 0, NULL, 0, false, MADE_ANY \
	}

/*
 * Returns 0 to go on; as message_fn. f lives until the next call. Nothing is locked while it runs.
 */
typedef int fact_fn(void *arg, const struct fact *f);
int records_each(struct store *s, const struct scope *who, const struct record_filter *f,
	fact_fn *fn, void *arg, struct err *err);
/*
 * Calls fn with the record at row as it was before each step that changed it; row 0: with all that
 * was stored and taken back, which is no record any more, but kept with its steps. Cost of these:
 * all that was changed is looked at.
 */
int records_was_each(struct store *s, const struct scope *who, int64_t row, fact_fn *fn, void *arg,
	struct err *err);
/* As messages_find, for records of any type, retracted and ended ones too. */
int records_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct fact **out, struct err *err);
/*
 * known_us: as the store knew it then (supersedes and accesses are not filled); TIME_NONE: now.
 * *out NULL: there is none.
 */
int records_by_row(struct store *s, const struct scope *who, int64_t row, int64_t known_us,
	struct arena *a, const struct fact **out, struct err *err);
/* The same of rows [n]. */
int records_by_rows(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	int64_t known_us, struct arena *a, const struct fact **out, struct err *err);
/*
 * The records that pass f and have one of the query's words, by BM25 (k1 1.2, b .75; all counts are
 * over the records that pass f), best first: *n of at most k in out. Stop words count only in a
 * query that has no other words; at most 64 different terms count. share is the score as a share of
 * what a text of mean length with each of the query's words once would get, 1 at most. Cost: the
 * words of all records that pass f are read, some 50 MB/s.
 */
struct record_match { int64_t row; double score, share; };
int records_match(struct store *s, const struct scope *who, const struct record_filter *f,
	const char *query, size_t len, size_t k, struct record_match *out, size_t *n,
	struct err *err);
/*
 * The words of many texts, for who matches one after another with them: what is added is read once.
 * word_pool_match is records_match over them. Cost: some nanoseconds for each of their words.
 */
struct word_pool;
struct word_pool *word_pool_new(void);
void word_pool_free(struct word_pool *w);
void word_pool_add(struct word_pool *w, int64_t row, const char *text, size_t len);
void word_pool_match(const struct word_pool *w, const char *query, size_t len, size_t k,
	struct record_match *out, size_t *n);
/* Whether the user has any record that was stored on purpose (MADE_GIVEN). Cost: a look. */
int records_given(struct store *s, const struct scope *who, bool *any, struct err *err);
/*
 * The ids of all messages and records of the user, also of ended and retracted ones; the caller
 * frees *ids [*n]. Cost: a quarter of a microsecond for each.
 */
int ids_all(struct store *s, const struct scope *who, char (**ids)[ID_TEXT], size_t *n,
	struct err *err);
/*
 * The user's records whose content has min_chars to max_chars characters, ended and retracted ones
 * too: a new record is compared with them. fn must not use the store. Cost: a microsecond for each.
 */
typedef int text_fn(void *arg, int64_t row, const char *text, size_t len);
int records_of_size(struct store *s, const struct scope *who, enum record_type type,
	size_t min_chars, size_t max_chars, text_fn *fn, void *arg, struct err *err);
/* Of several asked for: i says which of them f was found by. */
typedef int found_fn(void *arg, size_t i, const struct fact *f);
/* The records that rest on messages, ended and retracted ones too, in order of storing. */
int records_of_messages(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	found_fn *fn, void *arg, struct err *err);
/* The facts of keys, ended and retracted ones too, in order of storing. */
int facts_of_keys(struct store *s, const struct scope *who, const char *const *keys, size_t n,
	found_fn *fn, void *arg, struct err *err);
