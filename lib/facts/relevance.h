/*
 * relevance.h: how much facts have to do with what the user said last.
 */
#pragma once

#include "store/store.h"

#define RELEVANCE_MESSAGES 10

/*
 * Where facts have vectors, relevance is the cosine with the mean vector of the user's last
 * messages; a fact that has no vector yet is new and counts as most relevant. Where there are no
 * vectors, it is the share of the fact's words, stop words left out, that occur in those messages.
 */
struct relevance;
int
relevance_open(struct store *s, const struct scope *who, struct relevance **out, struct err *err);
void relevance_close(struct relevance *r);
/*
 * Does not touch the store. content is used only where there are no vectors; then the cost is one
 * binary search a word.
 */
double relevance_of(const struct relevance *r, int64_t row, const char *content, size_t len);
