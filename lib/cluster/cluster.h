/*
 * cluster.h: the subcategories of a user's memory, found and kept up.
 *
 * Facts that hold are sorted under the root that they have; reflections, and what the user and
 * assistants said, under "context". A record stays in its subcategory, and a subcategory keeps its
 * id and name, until it becomes part of a larger one that is like it; what a person did to it stays
 * (cluster_edit). Vectors are those of the store; a record that has none yet waits, and where there
 * are none at all words are compared.
 */
#pragma once

#include "base/buf.h"
#include "store/categories.h"

#define CLUSTER_MESSAGES 100000                    /* the newest; older ones stay where they are */

struct cluster_options {
	size_t max;                                /* subcategories of a root */
	size_t least;                              /* members of a new one */
	/* calibrated similarity that is enough to join one */
	double near;
	bool assign;                               /* only new records to what is there */
	bool recluster;                            /* all afresh, with new ids and names */
	bool rules;                                /* no language model names them */
	/* this root alone, N_FACT_ROOTS: all; what is under the others stays as it is */
	enum fact_root root;
	/* nothing is done when the last run is younger; 0: always */
	int64_t every_us;
	unsigned n_threads;                        /* 0: as many as there are processors */
};

struct cluster_member {
	const char *id;
	enum vector_kind kind;
	const struct category *category;
	const char *text;                          /* [text_len]; NULL: not known */
	size_t text_len;
	/* of one that joins: how near it is to the middle of its subcategory; 0: not known */
	double sim;
};

struct cluster_fn {
	/*
	 * After the commit. members: those that are in one now and were in none, or in another;
	 * with their texts and nearness where new records alone are sorted.
	 */
	void (*category)(void *arg, const struct category *c);
	void (*member)(void *arg, const struct cluster_member *m);
	void *arg;
};

struct cluster_counts {
	/* nothing was done: the last run is younger; another one was faster */
	bool too_soon, overtaken;
	bool by_words;                             /* at least one root had no vectors */
	/* looked at; in another category than before; without a vector */
	int64_t n_records, n_joined, n_waiting;
	int64_t n_new, n_merged;                   /* categories */
	/* new ones that a model named, or was asked to and did not */
	int64_t n_named, n_not_named;
	char why_not[160];                         /* the first time: in words; "" */
};

/*
 * s is open for writing. All or nothing: one transaction at the end. Memory: 2 D bytes a record and
 * its words.
 */
int cluster_run(struct store *s, const struct scope *who, const struct cluster_options *o,
	const struct cluster_fn *fn, struct cluster_counts *counts, struct err *err);

/* ---- by hand ---- */

enum cluster_edit { CLUSTER_RENAME, CLUSTER_MERGE, CLUSTER_DROP, CLUSTER_MOVE };

/*
 * Renames subcategory a to b; puts all of a into b, and a is gone; shows a no more; or puts the
 * record with the id a into b. *out, in the arena: what became of it. Later runs leave it so.
 * Subcategories are meant by id, by name or by words of it. ERR_NOINPUT: there is none, or no
 * record; ERR_USAGE: several are meant, or the name or the record cannot be.
 */
int cluster_edit(struct store *s, const struct scope *who, enum cluster_edit what, const char *a,
	const char *b, struct arena *arena, const struct category **out, struct err *err);
/* Hands out the members of the subcategory that is meant, by row. */
int cluster_members(struct store *s, const struct scope *who, const char *name,
	const struct cluster_fn *fn, struct err *err);

/* ---- records ---- */
void record_category(struct buf *out, const char *user, const struct category *c);
void record_member(struct buf *out, const char *user, const struct cluster_member *m);
