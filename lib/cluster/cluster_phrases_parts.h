/*
 * cluster_phrases_parts.h: what the files of cluster_phrases.h share: for each text its words in
 * their order, with a break where a phrase cannot go on.
 *
 *	starts: n + 1 places in said	said: SAID_..., or the number of a word + SAID_WORD
 */
#pragma once

#include "base/arena.h"
#include "base/keyed.h"
#include "cluster/cluster_phrases.h"

enum { SAID_BREAK, SAID_BEFORE_VERB /* the next word may be a verb */, SAID_WORD };

struct phrase_word {
	const char *text;                      /* as it is written */
	uint32_t len, stem;                    /* stem: a hash, the same for other forms of it */
	bool unspaced;                         /* one character of a word */
	bool link;                             /* it ties two nouns: "of" */
	bool capital, acronym;
	bool name;                             /* of a speaker */
};

struct cluster_phrases {
	struct arena texts, shown;
	struct phrase_word *words;
	struct keyed places;                   /* in words, from 1, by hash */
	size_t n_words, cap_words;
	/* names: stems of speakers' names; shorts: of how these begin */
	uint32_t *said, *names, *shorts;
	size_t n_said, cap_said, n_names, cap_names, n_shorts, cap_shorts;
	uint32_t *starts;
	uint8_t *groups, *langs;               /* [n] */
	size_t n, cap_starts, cap_groups, cap_langs;
};

#define PHRASE_WORDS  3
#define PHRASE_TOKENS 6

/*
 * The phrases of a text in their order, each time that they stand there: a key that other forms of
 * its words have, too; the n places in said; how many words they are, two characters for one; and
 * whether it stands there as a noun does.
 */
typedef void phrase_fn(void *arg, uint64_t key, const uint32_t *words, size_t n, double units,
	bool noun);
void cluster_phrases_each(const struct cluster_phrases *p, size_t text, phrase_fn *fn, void *arg);
