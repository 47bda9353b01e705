/*
 * forget.h: what is to be forgotten goes for good, with all that was made of it alone, and proves
 * that it is gone.
 */
#pragma once

#include "store/prune.h"
#include "store/records.h"

struct forget_want {
	/* of messages, facts, reflections and summaries, as "source:ID" too */
	const char *const *ids;
	const char *const *sessions;       /* by name, whole */
	size_t n_ids, n_sessions;
	bool by_filter;                    /* and the messages that the filter takes */
	struct message_filter filter;
	bool all;                          /* all that is kept of the user, instead */
	bool proof;                        /* notes the vectors too, for forget_scan */
};

/* What goes, or would go; each is told once, sessions and messages first. */
enum forget_what { FORGET_SESSION, FORGET_MESSAGE, FORGET_RECORD, FORGET_MADE };
typedef void forget_fn(void *arg, enum forget_what what, const char *id, const char *session);

struct forget_counts { int64_t n_sessions, n_messages, n_records, n_made; };

struct forget;

struct forget *forget_new(const struct scope *who, const struct forget_want *want);  /* borrowed */
void forget_free(struct forget *f);

/*
 * Finds what goes. ERR_NOINPUT: an id or session that is not there; ERR_DATA: an id of several.
 * Cost: what is taken is read; a message that goes without its session takes 32 bytes, other ones
 * none. With proof what is looked for takes up to some 30 MB; beyond, it is in temporary files.
 */
int forget_plan(struct store *s, struct forget *f, struct err *err);

/* What was planned, or done; and tells each. */
struct forget_counts forget_count(const struct forget *f);
void forget_tell(const struct forget *f, forget_fn *fn, void *arg, struct forget_counts *n);

/* Tells what rests on what goes, and stays because it is protected: its words may be those. */
void forget_protected(const struct forget *f, forget_fn *fn, void *arg);

/*
 * What stays of the user and has a part of the name of a speaker who goes, as person_parts_of says:
 * others' turns, and facts. It is for the user to decide. Cost: all messages are read.
 */
int forget_namers(struct store *s, const struct forget *f, const char *name, forget_fn *fn,
	void *arg, struct err *err);

/*
 * Finds what goes, as forget_plan does, and removes it, in one transaction. Its bytes have left the
 * file after store_settle.
 */
int forget_do(struct store *s, struct forget *f, struct err *err);
/* The same in the transaction that is open. */
int forget_now(struct store *s, struct forget *f, struct err *err);

/*
 * The proof, after forget_do with it and store_settle: looks for the records of what is forgotten,
 * and for each word that it alone had, in every row and in the vocabulary. fn gets each that is
 * left and where; *n_words: those looked for. Cost: all of the store is read.
 */
typedef void forget_left_fn(void *arg, const char *word, const char *where);
int forget_verify(struct store *s, struct forget *f, forget_left_fn *fn, void *arg,
	size_t *n_words, struct err *err);

/*
 * Then, when the store at path is closed: each such word, and with proof each vector, in the bytes
 * of its files, and of those beside it whose names begin with its name, as copies and backups do;
 * and pages of the store that are free and not empty.
 */
int forget_scan(const char *path, struct forget *f, forget_left_fn *fn, void *arg, struct err *err);
