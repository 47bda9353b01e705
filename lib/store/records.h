/*
 * records.h: what is known beside what was said: facts, summaries and reflections, where they come
 * from, and the steps that made them what they are.
 *
 * A fact or reflection as given is base: it is never rebuilt. Changing one is a step, or part of
 * one, and every step keeps what it needs to be taken back exactly: so a record has a history, and
 * what the store knew at a time can be read. Taking back is a step too.
 *
 * Rows are numbered as messages are, ascending as stored, never used again, and stand for the
 * record in vectors.h.
 */
#ifndef STORE_RECORDS_H
#define STORE_RECORDS_H

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
/* by enum */
extern const char *const fact_kind_names[], *const fact_root_names[], *const summary_kind_names[];
int fact_kind_parse(const char *s);                /* -1 when it is none */
int fact_root_parse(const char *s);
int summary_kind_parse(const char *s);

#define RECORD_SOURCES_MAX 256

/* What a record rests on. */
struct record_source {
	/* of a message or record; of one that is not in the store as it was given */
	const char *id;
	int64_t start, length;             /* bytes of its content; length 0: all of it */
};

struct record_head {
	enum record_type type;
	char id[ID_TEXT];                  /* "" when putting: made */
	const char *session, *agent, *project;         /* "" for none */
	/* when it was said; when we got it, 0 when putting: now */
	int64_t time_us, stored_us;
	enum origin origin;
	int trust;                         /* 0-3; -1 when putting: by origin, as of a message */
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
 * What a summary has besides: the turns of head.session that it stands for (TIME_NONE: it is not of
 * a session); what made it, "" none; and its parts as a JSON object, or "".
 */
struct summary_keys {
	enum summary_kind kind;
	int64_t first, last;
	const char *model, *structured;
};

/*
 * A record of any type: of a reflection only the head counts, of a summary the head and summary, of
 * a fact all else.
 */
struct fact {
	struct record_head head;
	/* what it is about, "" for none: of two facts on one key one holds at a time */
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
 * A step being made: fill did and why, zero the rest. Its row is made with the first change, so one
 * that changes nothing leaves no trace.
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
	/* of the record asked for: there was one before the step; filled when read */
	bool existed;
};

/*
 * All in the open transaction. records_put stores f: a source_id that a record of this type and
 * user has makes it a duplicate, and f then has its id and row. An id that is taken is made anew.
 * ERR_DATA: empty content, a name too long, too many sources.
 */
int records_put(struct store *s, const struct scope *who, struct step *st, struct fact *f,
	enum put_did *did, struct err *err);
/*
 * All that is stored of the record f->head.row becomes what f says; id, stored time and row stay.
 * Its vector is queued again when the content is another.
 */
int records_change(struct store *s, const struct scope *who, struct step *st, const struct fact *f,
	struct err *err);
/*
 * Rows [n] and all that is kept of them (history, sources, vectors) are gone; no step, no way back,
 * not with an export either (transfer.h: records_buried).
 * Those of other users are passed over.
 */
int records_remove(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err);

/*
 * Rows [n] were looked at now: no step. For a search that is over, with its handle for reading:
 * best effort, without waiting for the lock; never an error. Outside any transaction.
 */
void records_touch_soon(struct store *s, const struct scope *who, const int64_t *rows, size_t n);

/*
 * Takes a step back by its number: 0, the last one of the scope that is not an undo and was not
 * taken back. Its records are what they were before it, or gone. fn, when not NULL, is called with
 * each record's id and whether it is gone. *out is the step, no 0: there is none. ERR_DATA: a later
 * step stands on it. In the open transaction.
 */
typedef int undone_fn(void *arg, const char *id, bool gone);
int steps_undo(struct store *s, const struct scope *who, int64_t no, undone_fn *fn, void *arg,
	struct step *out, struct err *err);
/* Steps of a record, oldest first; row 0: all of the scope. */
typedef int step_fn(void *arg, const struct step *v);
int steps_each(struct store *s, const struct scope *who, int64_t row, step_fn *fn, void *arg,
	struct err *err);

/* ---- reading ---- */
enum {                                 /* besides what holds */
	RECORDS_ENDED = 1,             /* valid_to has come */
	RECORDS_RETRACTED = 2,
	RECORDS_SUMMARIZED = 4,
	RECORDS_ALL = 7
};

struct record_filter {
	enum record_type type;
	unsigned also;                     /* RECORDS_* */
	const char *key, *bank;            /* NULL: any */
	const char *subcategory;           /* given, or where none was given found; NULL: any */
	int category, kind;                /* -1: any; kind is of facts or of summaries, by type */
	int min_trust;
	/*
	 * of time: [since, until); TIME_NONE: open. With either set, records without time are left
	 * out
	 */
	int64_t since_us, until_us;
	/* valid then; TIME_NONE: now, and what is not valid yet as well */
	int64_t as_of_us;
	/* as the store knew them then (supersedes and accesses are not filled); TIME_NONE: now */
	int64_t known_us;
	bool newest_first;                 /* else as stored */
	int64_t limit;                     /* 0: all */
	const char *tag;                   /* as JSON, with its quotes; NULL: any */
	double min_importance;             /* of facts; 0: any */
};
#define RECORD_FILTER_ANY(of) \
	{ \
		of, 0, NULL, NULL, NULL, -1, -1, 0, TIME_NONE, TIME_NONE, TIME_NONE, TIME_NONE, \
		    false, 0, NULL, 0 \
	}

/*
 * Returns 0 to go on; as message_fn. f lives until the next call. Nothing is locked while it runs.
 */
typedef int fact_fn(void *arg, const struct fact *f);
int records_each(struct store *s, const struct scope *who, const struct record_filter *f,
	fact_fn *fn, void *arg, struct err *err);
/* As messages_find, of any type; retracted and ended ones too. */
int records_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct fact **out, struct err *err);
/*
 * known_us: as the store knew it then (supersedes and accesses are not filled); TIME_NONE: now.
 * *out NULL: there is none.
 */
int records_by_row(struct store *s, const struct scope *who, int64_t row, int64_t known_us,
	struct arena *a, const struct fact **out, struct err *err);
/*
 * Those that f lets through and that have one of the query's words, by BM25 (k1 1.2, b .75; all
 * counts over what f lets through), best first: *n of at most k in out. Stop words count only where
 * there are no others; at most 64 different terms. share is 1 with the score of a text of mean
 * length that has each of the query's words once, or with more. Cost: the words of all that f lets
 * through are read, some 50 MB/s.
 */
struct record_match { int64_t row; double score, share; };
int records_match(struct store *s, const struct scope *who, const struct record_filter *f,
	const char *query, size_t len, size_t k, struct record_match *out, size_t *n,
	struct err *err);
/*
 * What a new record is compared with: those of the user that have content of min_chars to max_chars
 * characters, whatever holds of them. Cost: a microsecond for each of these; nothing else may be
 * asked of the store while fn runs.
 */
typedef int text_fn(void *arg, int64_t row, const char *text, size_t len);
int records_of_size(struct store *s, const struct scope *who, enum record_type type,
	size_t min_chars, size_t max_chars, text_fn *fn, void *arg, struct err *err);
/* Those that rest on the message at row, whatever holds of them, as stored. */
int records_of_message(struct store *s, const struct scope *who, int64_t row, fact_fn *fn,
	void *arg, struct err *err);
/* Those of a key, whatever holds of them, as stored. */
int facts_of_key(struct store *s, const struct scope *who, const char *key, fact_fn *fn, void *arg,
	struct err *err);

#endif
