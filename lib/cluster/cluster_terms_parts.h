/*
 * cluster_terms_parts.h: what the files of cluster_terms.h share: a vocabulary, and for each text
 * which words of it, how often:
 *
 *	starts: n + 1 places in uses	uses: times << 24 | word, each word of a text once
 */
#ifndef CLUSTER_CLUSTER_TERMS_PARTS_H
#define CLUSTER_CLUSTER_TERMS_PARTS_H

#include "base/arena.h"
#include "cluster/cluster_terms.h"
#include "cluster/cluster_topics.h"
#include "text/words.h"

/* uses: times << 24 | word */
#define CLUSTER_TERMS_WORDS (1u << 24)

/* kind of the first or last letters of a word, beside those of words.h */
#define CLUSTER_TERM_AFFIX 255
/* ... and of a topic of the lexicon */
#define CLUSTER_TERM_TOPIC 254

struct cluster_term {
	const char *stem, *shown;
	/* last: the last text + 1 that has it, at: where in uses */
	uint32_t votes, df, last, at;
	uint16_t len, shown_len;
	uint8_t kind, n_topics, topics[CLUSTER_TOPICS_OF_WORD]; /* topics it is a sign of */
	/* common: it names no topic, and says little of it */
	bool stop, common, technical;
};

/* What tells the language of a text. */
struct cluster_language_signs { uint32_t n_words, english, german, unspaced; uint16_t script; };

struct cluster_terms {
	struct arena texts, joined;
	const struct cluster_topics *topics;   /* their words are the first in the vocabulary */
	struct cluster_term *words;
	uint32_t *slots;                       /* hash table: number of a word + 1 */
	uint32_t *starts, *uses;
	size_t n_words, cap_words, n_slots, n, cap_starts, n_uses, cap_uses;
	const char *text;                      /* being read */
	struct cluster_language_signs signs;   /* of it */
	unsigned lang;                         /* the lexicon's number of its language */
	uint16_t *languages;                   /* [n] */
	size_t cap_languages;
};

/* The language of most texts, of those in which topics have names. */
unsigned cluster_terms_main_language(const struct cluster_terms *t);

#endif
