/*
 * cluster_terms.h: the words of many texts: vectors made of them where there is no model, and the
 * words that set some texts apart from the rest.
 */
#ifndef CLUSTER_CLUSTER_TERMS_H
#define CLUSTER_CLUSTER_TERMS_H

#include "cluster/cluster_topics.h"

#define CLUSTER_TERMS_TEXT_BYTES 16384                 /* what is read of a text */
#define CLUSTER_TERMS_KEYWORDS   8
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
 * Of each of k clusters up to CLUSTER_TERMS_KEYWORDS words that set its texts apart, the best
 * first, as they were mostly written. Stop words and numbers are out, and technical terms
 * (identifiers, capitals) weigh double. of [n]: the cluster of each text; KMEANS_NONE none. What
 * words point to lives as long as t.
 */
struct cluster_terms_keywords { const char *words[CLUSTER_TERMS_KEYWORDS]; size_t n; };
void cluster_terms_distinctive(struct cluster_terms *t, const uint32_t *of, size_t k,
	struct cluster_terms_keywords *out);

/* The first three words with commas between them; "" when there are none. */
#define CLUSTER_TERMS_NAME_WORDS 3
#define CLUSTER_TERMS_NAME_BYTES 256
char *
cluster_terms_name(const struct cluster_terms_keywords *k, char out[CLUSTER_TERMS_NAME_BYTES]);

#endif
