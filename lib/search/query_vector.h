/*
 * query_vector.h: the query vector and its cosine with every vector of the memory. A second thread
 * embeds the question while the caller reads posting lists; then it computes the cosines of the
 * pages that the caller reads from the store.
 */
#pragma once

#include "rank/dense.h"
#include "store/vectors.h"

struct query_vector;

struct query_vector *query_vector_new(void);
void query_vector_free(struct query_vector *m);

/*
 * Starts the thread, which opens the vectors' model unless it is open already. Takes v over until
 * query_vector_done. again: the caller has all cosines of the question before, and if this is the
 * same one there is nothing to do; the thread then starts when the question is given, and only for
 * another one.
 */
void query_vector_begin(struct query_vector *m, struct vectors *v, bool again);
/*
 * The same for vectors made by a service: q [D] is the query vector, which is copied;
 * query_vector_ask is not needed then.
 */
int query_vector_begin_given(struct query_vector *m, struct vectors *v, const float *q, bool again,
	struct err *err);
/*
 * Whether the model knows the word as one token (model_is_word); false without a model. Waits until
 * the model is open.
 */
bool query_vector_is_word(struct query_vector *m, const char *word, size_t len);
/*
 * Gives the text to embed, which is copied, and declares what its vector is compared with. Call it
 * once after each query_vector_begin.
 */
int query_vector_ask(struct query_vector *m, const char *text, size_t len, struct err *err);
/*
 * Which turns' cosines are wanted: all; or those of turns from .. to - 1 and of whatever is near
 * the question. Where the vectors stand in cells the latter are few (rank/dense.h says which values
 * the others get).
 */
struct query_vector_of { bool all; uint32_t from, to; };
#define QUERY_VECTOR_RANGE 4096             /* turns; a longer range means all */
/*
 * Reads the vectors and waits for the cosines. *known is true when d was filled for the corpus,
 * which d borrows, and measured; the caller closes d. It is false when the model could not be
 * opened (query_vector_missing has its name) or cannot read the question's script; d is zeros then.
 * d holds zeros, or the cosines of the question before. unchanged: the memory is as it was then.
 * Where all of them are known and the question is the same, they are taken as they are.
 */
int query_vector_end(struct query_vector *m, const struct corpus *c,
	const struct query_vector_of *of, bool unchanged, struct dense *d, bool *known,
	struct err *err);
/*
 * Between query_vector_end and query_vector_done: whether the cosines are exact, and, where they
 * are not, a way to get exact ones for turns [n] and their neighbours into d.
 */
bool query_vector_is_exact(const struct query_vector *m);
/* whether only near cells were read: the other turns' cosines are unknown until looked up */
bool query_vector_by_cells(const struct query_vector *m);
int query_vector_rescore(struct query_vector *m, struct dense *d, const uint32_t *turns, size_t n,
	struct err *err);
/*
 * When only cells were read: estimates the cosines of turns from .. to - 1 of sessions [n],
 * ascending, into d, and computes the sessions' best windows.
 */
struct query_vector_part { uint32_t session, from, to; };
int query_vector_sessions(struct query_vector *m, struct dense *d,
	const struct query_vector_part *parts, size_t n, struct err *err);
void query_vector_done(struct query_vector *m);

/*
 * The calibrated similarity of a stored text that says the question, word for word, after
 * query_vector_done: less than 1 with a model that reads questions in another way. Where that is
 * not known, 1.
 */
float query_vector_itself(struct query_vector *m);

/* The name of the vectors' model when it could not be opened; "" otherwise. */
const char *query_vector_missing(const struct query_vector *m);
