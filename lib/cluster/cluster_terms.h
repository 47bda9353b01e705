/*
 * cluster_terms.h: the words of many texts: vectors made of them where there is no model, and the words that set some texts apart from the rest.
 */
#ifndef CLUSTER_CLUSTER_TERMS_H
#define CLUSTER_CLUSTER_TERMS_H

#include "base/base.h"

#define TERMS_TEXT_BYTES 16384                 /* what is read of a text */
#define TERMS_KEYWORDS   8
#define TERMS_DIMS       160                   /* of the vectors made of words */
#define TERMS_COLUMNS    30000                 /* different words that count in them, the most frequent ones */

struct terms;

struct terms *terms_new(void);
void terms_free(struct terms *t);
/* The next text, numbers 0, 1, 2 ... Cost: 20 MB/s; 4 bytes for each different word of a text are kept. */
void terms_add(struct terms *t, const char *text, size_t len);

/*
 * Unit vectors v [n][TERMS_DIMS] of the texts: weights tf-idf, latent semantic analysis. Zeros for a text that shares no word with another.
 */
void terms_vectors(const struct terms *t, float *v);

/*
 * Of each of k clusters up to TERMS_KEYWORDS words that set its texts apart, the best first, as they were mostly written. Stop words and numbers are out, and technical terms
 * (identifiers, capitals) weigh double. of [n]: the cluster of each text; KMEANS_NONE none. What words point to lives as long as t.
 */
struct terms_keywords { const char *words[TERMS_KEYWORDS]; size_t n; };
void terms_distinctive(const struct terms *t, const uint32_t *of, size_t k, struct terms_keywords *out);

/* The first three words with commas between them; "" when there are none. */
#define TERMS_NAME_WORDS 3
#define TERMS_NAME_BYTES 256
char *terms_name(const struct terms_keywords *k, char out[TERMS_NAME_BYTES]);

#endif
