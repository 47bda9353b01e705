/*
 * neighbours.h: the vectors of what is about to be remembered or is asked for, and which facts lie
 * near them.
 */
#ifndef FACTS_NEIGHBOURS_H
#define FACTS_NEIGHBOURS_H

#include "store/vectors.h"

struct neighbours;

/*
 * The store's current vectors and their model. *out NULL: there are none; then texts alone are
 * compared. s is borrowed.
 */
int
neighbours_open(struct store *s, const struct scope *who, struct neighbours **out, struct err *err);
void neighbours_close(struct neighbours *a);

/*
 * Why the last texts have no vectors: the service that makes them gave none, or their model is not
 * to be had. Nothing is near them then, and nothing is put. NULL: they have.
 */
const char *neighbours_down(const struct neighbours *a);

/* Vectors of texts [n], by number, until the next call. Nothing is asked of the store. */
void neighbours_embed(struct neighbours *a, const char *const *texts, const size_t *lens, size_t n);

/* A question's vector, as number 0, until the next call; asked again, it is there still. */
void neighbours_ask(struct neighbours *a, const char *text, size_t len);

/*
 * Rows of a kind whose calibrated similarity to text i is min or more, best first; *n of at most
 * most. May be in a transaction.
 */
struct neighbours_hit { int64_t row; double sim; };
int neighbours_find(struct neighbours *a, const struct scope *who, enum vector_kind kind, size_t i,
	double min, size_t most, struct neighbours_hit *out, size_t *n, struct err *err);
/* Text i is the content of the record. In the open transaction. */
int neighbours_put(struct neighbours *a, const struct scope *who, enum vector_kind kind, size_t i,
	int64_t row, struct err *err);

#endif
