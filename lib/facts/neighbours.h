/*
 * neighbours.h: embeds texts that are about to be remembered or asked for, and finds the records
 * whose vectors lie near theirs.
 */
#pragma once

#include "store/vectors.h"

struct neighbours;

/*
 * Opens the store's current vectors and their model. *out is NULL where there are none: then texts
 * are compared by their words alone. s is borrowed.
 */
int neighbours_open(struct store *s, const struct scope *who, struct neighbours **out,
	struct err *err);
void neighbours_close(struct neighbours *a);

/*
 * Why the current texts have no vectors: their service returned none, or their model cannot be had.
 * Nothing is near them then, and neighbours_put stores nothing. Returns NULL when they have
 * vectors.
 */
const char *neighbours_down(const struct neighbours *a);

/*
 * Embeds texts [n]; later calls name them by number, until texts are embedded again. Does not touch
 * the store.
 */
void neighbours_embed(struct neighbours *a, const char *const *texts, const size_t *lens, size_t n);

/* Embeds a question as text number 0. Asking the same question again costs nothing. */
void neighbours_ask(struct neighbours *a, const char *text, size_t len);

struct neighbours_hit { int64_t row; double sim; };

/*
 * Finds records of a kind whose calibrated similarity to text i is at least min, most similar
 * first; *n receives how many, at most most. May be called within a transaction.
 */
int neighbours_find(struct neighbours *a, const struct scope *who, enum vector_kind kind, size_t i,
	double min, size_t most, struct neighbours_hit *out, size_t *n, struct err *err);
/*
 * Stores the vector of text i as that of the record at row, where the store has vectors. Needs an
 * open transaction.
 */
int neighbours_put(struct neighbours *a, const struct scope *who, enum vector_kind kind, size_t i,
	int64_t row, struct err *err);
