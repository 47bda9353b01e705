/*
 * query_vector.h: the question's vector and its cosine with every vector of the memory. A thread of its own embeds while the lists are read; then it works out what the caller, who
 * has the store, reads to it.
 */
#ifndef SEARCH_QUERY_VECTOR_H
#define SEARCH_QUERY_VECTOR_H

#include "rank/dense.h"
#include "store/vectors.h"

struct meaning;

struct meaning *meaning_new(void);
void meaning_free(struct meaning *m);

/*
 * Starts the thread, which opens the vectors' model, unless it is that of the question before. Takes v over, until meaning_done. near: what is near the question will probably do
 * (meaning_of); then the thread looks for that by itself, on a connection of its own.
 */
void meaning_begin(struct meaning *m, struct vectors *v, bool near);
/* The same of vectors that a service makes: q [D] is the question's, copied; meaning_ask is not needed then. */
void meaning_begin_given(struct meaning *m, struct vectors *v, const float *q, bool near);
/* Whether the model knows the word as one token (model_is_word); false without a model. Waits until it is open. */
bool meaning_is_word(struct meaning *m, const char *word, size_t len);
/* What to embed, copied. Once after each meaning_begin. */
void meaning_ask(struct meaning *m, const char *text, size_t len);
/* That of meaning_end, borrowed, as soon as it is known: the thread need not wait until then. */
void meaning_corpus(struct meaning *m, const struct corpus *c);
/*
 * Of which turns the cosines are wanted: all, or those of turns from .. to - 1 and of whatever is near the question; where vectors stand in cells, these are few, and reading them takes no
 * longer than the words (rank/dense.h says what the others are taken for).
 */
struct meaning_of { bool all; uint32_t from, to; };
#define MEANING_RANGE 4096             /* turns of the range; more of them: all */
/*
 * Reads the vectors, and waits. *known false: the model is not to be had (meaning_missing tells its name), or the question is in writing that it cannot read, and d is as it was;
 * else d is filled for the corpus, which it borrows, and measured, the caller's to close.
 */
int meaning_end(struct meaning *m, const struct corpus *c, const struct meaning_of *of, struct dense *d, bool *known, struct err *err);
/* Between meaning_end and meaning_done: whether its cosines are exact; and where they are not, the exact ones of turns [n] and of those beside them into d. */
bool meaning_is_exact(const struct meaning *m);
bool meaning_by_cells(const struct meaning *m);        /* most turns are far, until they are looked up */
int meaning_rescore(struct meaning *m, struct dense *d, const uint32_t *turns, size_t n, struct err *err);
/* By cells: estimates of the turns from .. to - 1 of sessions [n], ascending, into d; and the sessions' best windows. */
struct meaning_part { uint32_t session, from, to; };
int meaning_sessions(struct meaning *m, struct dense *d, const struct meaning_part *parts, size_t n, struct err *err);
void meaning_done(struct meaning *m);

/* The model that the vectors are of and that could not be opened; "" when there is none of the kind. */
const char *meaning_missing(const struct meaning *m);

#endif
