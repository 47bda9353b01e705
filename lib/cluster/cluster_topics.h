/*
 * cluster_topics.h: common topics of people's notes, chats and work, and words that are signs of
 * them in three languages: schema/topics.txt.
 */
#ifndef CLUSTER_CLUSTER_TOPICS_H
#define CLUSTER_CLUSTER_TOPICS_H

#include "base/base.h"

#define CLUSTER_TOPICS_MAX     250
#define CLUSTER_TOPICS_OF_WORD 3

enum cluster_language { CLUSTER_ENGLISH, CLUSTER_GERMAN, CLUSTER_CHINESE, CLUSTER_LANGUAGES };

struct cluster_topics;

/* Reads the embedded file. Cost: 1 ms. */
struct cluster_topics *cluster_topics_new(void);
void cluster_topics_free(struct cluster_topics *t);
size_t cluster_topics_n(const struct cluster_topics *t);

/*
 * The topics that a word is a sign of: how many are in out. term [len] is the word as words_each
 * gives it, folded [folded_len] as words_fold does, for parts of German compounds; "": none.
 */
size_t cluster_topics_of(const struct cluster_topics *t, const char *term, size_t len,
	const char *folded, uint8_t out[CLUSTER_TOPICS_OF_WORD]);
const char *
cluster_topics_name(const struct cluster_topics *t, size_t topic, enum cluster_language language);

#endif
