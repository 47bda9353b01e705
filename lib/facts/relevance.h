/*
 * relevance.h: how near facts are to what the user said last.
 */
#ifndef FACTS_RELEVANCE_H
#define FACTS_RELEVANCE_H

#include "store/store.h"

#define RELEVANCE_MESSAGES 10

/*
 * Where facts have vectors: the cosine with the mean vector of the user's last messages; a fact
 * that has none yet counts as near as the nearest (it is new). Where there are none: the share of a
 * fact's words, stop words left out, that stand in those messages.
 */
struct relevance;
int
relevance_open(struct store *s, const struct scope *who, struct relevance **out, struct err *err);
void relevance_close(struct relevance *r);
/*
 * Uses no store: content counts where there are no vectors. Cost: a search in as many as there are
 * facts.
 */
double relevance_of(const struct relevance *r, int64_t row, const char *content, size_t len);

#endif
