/*
 * cluster_topics.h: common topics of people's notes, chats and work, and words that are signs of
 * them: the class "topic" of the lexicon.
 */
#ifndef CLUSTER_CLUSTER_TOPICS_H
#define CLUSTER_CLUSTER_TOPICS_H

#include "lexicon/lex.h"

#define CLUSTER_TOPICS_OF_WORD 3

struct cluster_topics;

/* Makes stems of the signs, as words_each does. Cost: 2 ms. */
struct cluster_topics *cluster_topics_new(void);
void cluster_topics_free(struct cluster_topics *t);

/*
 * The topics that a word is a sign of in the languages: how many are in out. term [len] is the word
 * as words_each gives it, folded [folded_len] as words_fold does, for parts of compounds; "": none.
 */
size_t cluster_topics_of(const struct cluster_topics *t, const char *term, size_t len,
	const char *folded, unsigned langs, uint8_t out[CLUSTER_TOPICS_OF_WORD]);
/* How a topic is called in a language, or in English. */
const char *cluster_topics_name(int topic, unsigned lang);

#endif
