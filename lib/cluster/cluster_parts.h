/*
 * cluster_parts.h: what the files of cluster.h share.
 */
#pragma once

#include "cluster/cluster.h"
#include "cluster/cluster_phrases.h"
#include "cluster/cluster_terms.h"
#include "math/kmeans.h"

/* was, is: index of the category; text: number in its root's terms, of phrases in those of all. */
struct cluster_item {
	int64_t row;
	uint8_t kind, root;
	bool has_vector;
	uint32_t was, is, text, phrases, session /* a hash; 0: none */;
	double sim;                                /* as of struct cluster_member */
	char id[ID_TEXT];
};

/* A category as it was and as it becomes. */
struct cluster_plan {
	struct category c;
	int64_t n_older;                           /* members that are not looked at any more */
	bool is_new, gone, changed, unnamed;
	struct buf keywords;
};

struct clustering {
	struct store *s;
	const struct scope *who;
	const struct cluster_options *o;
	const struct cluster_fn *fn;
	struct cluster_counts *counts;
	struct category_runs runs;
	unsigned n_threads;
	struct arena arena;
	struct cluster_plan *plans;
	size_t n_plans, cap_plans, n_old;
	/* by kind and row when they have been read */
	struct cluster_item *items;
	size_t n, cap;
	struct cluster_phrases *phrases;
	uint32_t n_phrases;
	struct cluster_terms *terms[N_FACT_ROOTS];
	uint32_t n_texts[N_FACT_ROOTS];
	int16_t *v;                                /* [n][n_dims], NULL: no vectors */
	uint32_t n_dims;
	/* [n_strays][2] kind and row of members that are no records any more */
	int64_t *strays;
	size_t n_strays, cap_strays;
};

/* NULL: it is none of those */
struct cluster_item *cluster_item_of(struct clustering *x, unsigned kind, int64_t row);

/* The bytes in front of a fact's words that only say whose they are, which is no topic. */
size_t cluster_label(const struct clustering *x, const struct fact *f);

/* The vectors of items; x->v stays NULL where there is no set. */
int cluster_read_vectors(struct clustering *x, struct err *err);
/* Names and keywords of all plans: a name is given once, keywords follow the members. */
void cluster_name_all(struct clustering *x);
/* Whether a text has all words of another, of which there are some. */
bool cluster_has_words(const char *text, size_t len, const char *words);
/* Hands out the record of that row, unless it is gone; v has all but its id and text. */
int cluster_tell_member(struct store *s, const struct scope *who, struct cluster_member v,
	int64_t row, const struct cluster_fn *fn, struct err *err);
/*
 * Names for plans that are unnamed, by a language model where one is configured; what it does not
 * name keeps the name that it has.
 */
int cluster_ask_names(struct clustering *x, struct err *err);
