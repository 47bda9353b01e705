/*
 * categories.h: subcategories of the five roots, as mem-cluster finds them, and which records are
 * in them. A record is in one at most. Categories belong to a user and are shared by all agents.
 */
#pragma once

#include "store/records.h"
#include "store/vectors.h"

/*
 * What a person did to a category: they put something into it, gave it its name, or want to see it
 * no more. A dropped one has no name, keeps its members, and takes those that are like them.
 */
enum category_hand { HAND_NONE, HAND_KEPT, HAND_NAMED, HAND_DROPPED, N_HANDS };
extern const char *const category_hands[];     /* [N_HANDS], the first is "" */

struct category {
	int64_t row;                       /* 0 when putting: a new category */
	char id[ID_TEXT];                  /* filled */
	enum fact_root root;
	enum category_hand hand;
	const char *name;                  /* "" none */
	const char *keywords;              /* JSON array of texts */
	int64_t created_us, updated_us;
	int64_t n_members;                 /* filled */
};

/*
 * Ordered by root, then by when they were made. c lives until the next call; nothing is locked
 * while fn runs. Callbacks return 0 to go on, as everywhere.
 */
typedef int category_fn(void *arg, const struct category *c);
int categories_each(struct store *s, const struct scope *who, category_fn *fn, void *arg,
	struct err *err);
/* The members of a category, or of all (0), ordered by row. fn must not use the store. */
typedef int member_fn(void *arg, enum vector_kind kind, int64_t row, int64_t category);
int members_each(struct store *s, const struct scope *who, int64_t category, member_fn *fn,
	void *arg, struct err *err);

struct category_runs { int64_t time_us /* TIME_NONE: there was none */, n; };
/* When categories were made last, and how often. */
int categories_runs(struct store *s, const struct scope *who, struct category_runs *out,
	struct err *err);

/* ---- in the open transaction ---- */
int category_put(struct store *s, const struct scope *who, struct category *c, struct err *err);
/* Removes the category; its members are in none then. */
int category_remove(struct store *s, const struct scope *who, int64_t row, struct err *err);
/* Puts a record into a category, or takes it out of its category (0). */
int member_put(struct store *s, const struct scope *who, enum vector_kind kind, int64_t row,
	int64_t category, struct err *err);
/* Notes that mem-cluster has run at that time, or again what its last time was. */
int categories_ran(struct store *s, const struct scope *who, int64_t time_us, struct err *err);
