/*
 * query_vector.h: the question's vector and its cosine with every vector of the memory. A thread of
 * its own embeds while the lists are read; then it works out what the caller, who has the store,
 * reads to it.
 */
#ifndef SEARCH_QUERY_VECTOR_H
#define SEARCH_QUERY_VECTOR_H

#include "rank/dense.h"
#include "store/vectors.h"

struct query_vector;

struct query_vector *query_vector_new(void);
void query_vector_free(struct query_vector *m);

/*
 * Starts the thread, which opens the vectors' model, unless it is that of the question before.
 * Takes v over, until query_vector_done. near: what is near the question will probably do
 * (query_vector_of); then the thread looks for that by itself, on a connection of its own.
 */
void query_vector_begin(struct query_vector *m, struct vectors *v, bool near);
/*
 * The same of vectors that a service makes: q [D] is the question's, copied; query_vector_ask is
 * not needed then.
 */
void query_vector_begin_given(struct query_vector *m, struct vectors *v, const float *q, bool near);
/*
 * Whether the model knows the word as one token (model_is_word); false without a model. Waits until
 * it is open.
 */
bool query_vector_is_word(struct query_vector *m, const char *word, size_t len);
/* What to embed, copied. Once after each query_vector_begin. */
void query_vector_ask(struct query_vector *m, const char *text, size_t len);
/*
 * That of query_vector_end, borrowed, as soon as it is known: the thread need not wait until then.
 */
void query_vector_corpus(struct query_vector *m, const struct corpus *c);
/*
 * Of which turns the cosines are wanted: all, or those of turns from .. to - 1 and of whatever is
 * near the question; where vectors stand in cells, these are few, and reading them takes no longer
 * than the words (rank/dense.h says what the others are taken for).
 */
struct query_vector_of { bool all; uint32_t from, to; };
#define QUERY_VECTOR_RANGE 4096             /* turns of the range; more of them: all */
/*
 * Reads the vectors, and waits. *known false: the model is not to be had (query_vector_missing
 * tells its name), or the question is in writing that it cannot read, and d is as it was; else d is
 * filled for the corpus, which it borrows, and measured, the caller's to close.
 */
int query_vector_end(struct query_vector *m, const struct corpus *c,
	const struct query_vector_of *of, struct dense *d, bool *known, struct err *err);
/*
 * Between query_vector_end and query_vector_done: whether its cosines are exact; and where they are
 * not, the exact ones of turns [n] and of those beside them into d.
 */
bool query_vector_is_exact(const struct query_vector *m);
/* most turns are far, until they are looked up */
bool query_vector_by_cells(const struct query_vector *m);
int query_vector_rescore(struct query_vector *m, struct dense *d, const uint32_t *turns, size_t n,
	struct err *err);
/*
 * By cells: estimates of the turns from .. to - 1 of sessions [n], ascending, into d; and the
 * sessions' best windows.
 */
struct query_vector_part { uint32_t session, from, to; };
int query_vector_sessions(struct query_vector *m, struct dense *d,
	const struct query_vector_part *parts, size_t n, struct err *err);
void query_vector_done(struct query_vector *m);

/*
 * The model that the vectors are of and that could not be opened; "" when there is none of the
 * kind.
 */
const char *query_vector_missing(const struct query_vector *m);

#endif
