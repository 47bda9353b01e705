/*
 * cluster_phrases.h: the noun phrases of many texts, and those that name a cluster of them.
 */
#pragma once

#include "base/base.h"

#define CLUSTER_PHRASES_MOST 8

struct cluster_phrases;

struct cluster_phrases *cluster_phrases_new(void);
void cluster_phrases_free(struct cluster_phrases *p);
/*
 * The next text, numbers 0, 1, 2 ... Code, paths, addresses, numbers and quoted lines are not read.
 * speaker: who wrote it, whose name then names nothing; NULL or "": unknown. group: texts are
 * compared with those of their group. Cost: 10 MB/s; 4 bytes for each word are kept.
 */
void cluster_phrases_add(struct cluster_phrases *p, const char *text, size_t len,
	const char *speaker, uint8_t group);

/*
 * Of each of k clusters the phrases of one to three words that stand where noun phrases do in many
 * of its texts and in few others, as they were mostly written: the best first, and behind it those
 * that tell most of the texts that have none of the former. of [n]: the cluster of each text;
 * KMEANS_NONE none. What phrases point to lives as long as p.
 */
struct cluster_phrases_best {
	const char *phrases[CLUSTER_PHRASES_MOST];
	size_t n;
	size_t n_telling;                      /* the first ones, each of which tells much */
};
void cluster_phrases_choose(struct cluster_phrases *p, const uint32_t *of, size_t k,
	struct cluster_phrases_best *out);

/* Of those that tell much the first ones, at most so many; "" when there are none. */
#define CLUSTER_NAME_BYTES   256
#define CLUSTER_NAME_PHRASES 2             /* of a subcategory */
char *cluster_phrases_name(const struct cluster_phrases_best *b, size_t most,
	char out[CLUSTER_NAME_BYTES]);
