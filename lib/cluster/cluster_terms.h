/*
 * cluster_terms.h: the words of many texts, and vectors made of them.
 */
#pragma once

#include "base/base.h"

#define CLUSTER_TERMS_TEXT_BYTES 16384                 /* what is read of a text */
#define CLUSTER_TERMS_DIMS       160                   /* of the vectors made of words */
/* different words that count in them, the most frequent ones */
#define CLUSTER_TERMS_COLUMNS    30000

struct cluster_terms;

struct cluster_terms *cluster_terms_new(void);
void cluster_terms_free(struct cluster_terms *t);
/*
 * The next text, numbers 0, 1, 2 ..., and who said it; "" or NULL: nobody with a name. Cost: 20
 * MB/s; 4 bytes for each different word of a text are kept.
 */
void cluster_terms_add(struct cluster_terms *t, const char *text, size_t len, const char *speaker);
/*
 * A number for how a text is said: its language, German by its function words, others by their
 * script; and whether somebody with a name said it, as in talks of people, or a user and an agent.
 */
unsigned cluster_terms_manner(const struct cluster_terms *t, size_t text);

/*
 * Unit vectors [n][CLUSTER_TERMS_DIMS] of the texts, for the caller to free: weights tf-idf, latent
 * semantic analysis. Zeros for a text that shares no word with another.
 */
float *cluster_terms_vectors(const struct cluster_terms *t);
