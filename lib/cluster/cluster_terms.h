/*
 * cluster_terms.h: the words of many texts: vectors made of them where there is no model, and the
 * common topics that they are signs of.
 */
#ifndef CLUSTER_CLUSTER_TERMS_H
#define CLUSTER_CLUSTER_TERMS_H

#include "cluster/cluster_topics.h"

#define CLUSTER_TERMS_TEXT_BYTES 16384                 /* what is read of a text */
#define CLUSTER_TERMS_DIMS       160                   /* of the vectors made of words */
/* different words that count in them, the most frequent ones */
#define CLUSTER_TERMS_COLUMNS    30000

struct cluster_terms;

/* topics: borrowed */
struct cluster_terms *cluster_terms_new(const struct cluster_topics *topics);
void cluster_terms_free(struct cluster_terms *t);
/*
 * The next text, numbers 0, 1, 2 ... Cost: 20 MB/s; 4 bytes for each different word of a text are
 * kept.
 */
void cluster_terms_add(struct cluster_terms *t, const char *text, size_t len);
/* A number for the language of a text: German by its function words, others by their script. */
unsigned cluster_terms_language(const struct cluster_terms *t, size_t text);

/*
 * Unit vectors [n][CLUSTER_TERMS_DIMS] of the texts, for the caller to free: weights tf-idf, latent
 * semantic analysis. Zeros for a text that shares no word with another.
 */
float *cluster_terms_vectors(const struct cluster_terms *t);

/*
 * The common topic that the texts of a cluster are about, of those that half of them have signs of,
 * by two words at least: as it is called in the language of most texts; NULL: none. of [n]: the
 * cluster of each text. It lives as long as the program.
 */
const char *cluster_terms_topic(const struct cluster_terms *t, const uint32_t *of,
	uint32_t cluster);

#endif
