/*
 * meaning.h: the question's vector and its cosine with every vector of the memory, worked out in a thread of its own while the lists are read.
 *
 * The thread has its own handle of the store and so its own snapshot: a turn that is in one and not in the other is passed over.
 */
#ifndef VERB_MEANING_H
#define VERB_MEANING_H

#include "rank/dense.h"
#include "store/store.h"

struct meaning;

/* Of the store of the path. Nothing is opened before it is asked. */
struct meaning *meaning_new(const char *path);
void meaning_free(struct meaning *m);

/* Starts the thread: store and model are opened, unless they are from the question before. c is borrowed until meaning_done. */
void meaning_begin(struct meaning *m, const struct scope *who, const struct corpus *c);
/* Whether the model knows the word as one token (model_is_word); false without a model. Waits until it is open. */
bool meaning_is_word(struct meaning *m, const char *word, size_t len);
/* What to embed, copied. Once after each meaning_begin. */
void meaning_ask(struct meaning *m, const char *text, size_t len);
/*
 * Waits. *known false: there are no vectors, or their model is not to be had (meaning_missing tells its name), and d is as it was; else d is filled for the corpus and
 * measured, the caller's to close. The snapshot stays for meaning_rescore until meaning_done.
 */
int meaning_end(struct meaning *m, struct dense *d, bool *known, struct err *err);
/* The exact cosines of turns [n] into d, where those were estimates. */
int meaning_rescore(struct meaning *m, struct dense *d, const uint32_t *turns, size_t n, struct err *err);
void meaning_done(struct meaning *m);

/* The model that the vectors are of and that could not be opened; "" when there is none of the kind. */
const char *meaning_missing(const struct meaning *m);

#endif
