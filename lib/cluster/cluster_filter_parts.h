/*
 * cluster_filter_parts.h: what the files of cluster_filter.h share: the records that have come in,
 * and what is known of each.
 */
#pragma once

#include "base/arena.h"
#include "cluster/assign.h"
#include "cluster/cluster_filter.h"
#include "cluster/cluster_phrases.h"
#include "cluster/cluster_terms.h"
#include "math/vec.h"
#include "model/model.h"

/* A record; has_keys: it has those that are added. */
struct sorted { uint32_t cluster, label; bool has_vec, has_keys; const char *line; size_t len; };
struct kept { uint32_t number; const char *name; };

struct sorter {
	const struct cluster_filter_options *o;
	const struct cluster_filter_out *out;
	uint64_t *n_bad;
	struct cluster_terms *terms;
	struct cluster_phrases *phrases;
	struct arena arena;                    /* of a record */
	struct sorted *items;
	/* [n][n_dims]; zeros where there is none; NULL: words are compared */
	int16_t *v;
	size_t n, cap_items, cap_v, n_dims, n_vecs;
	unsigned n_threads;
	struct model *model;
	struct assignment division;
	struct kept *kept;                     /* [n_kept] names that came in */
	size_t n_kept, cap_kept;
	const char **names;                    /* [division.k] "" for none */
	struct arena name_texts;               /* of both */
	struct arena lines;                    /* of all records */
	struct buf printed;
	float vec[VEC_MAX_DIMS];
};

/*
 * Vectors for the records that came without: of the service or the model that is set; where neither
 * is to be had, or with the option words, all are made of words anew, and n_dims and v are theirs.
 * What it did without is told. ERR_NOINPUT: no model of that name.
 */
int cluster_filter_vectors(struct sorter *s, struct err *err);
