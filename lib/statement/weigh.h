/*
 * weigh.h: what words weigh: a thing more than a verb that goes with everything.
 */
#pragma once

#include "statement/likeness_words.h"

/* How many records have a word: one that is in many tells little of what two have in common. */
struct word_count { uint64_t id; uint32_t records; };
struct word_counts {
	const struct word_count *items;        /* [n], sorted by id */
	size_t n, n_records;
};

/* Whether a word adds nothing to what is said: "a cat called Pixel" is "the cat Pixel". */
bool weigh_is_silent(const struct said_word *w);
/* Whether it is a verb that goes with everything, or says no more than one: "has", "uses". */
bool weigh_is_light(const struct said_word *w);
/* Whether two words are one, perhaps with another ending: "teach" and "teacher". */
bool weigh_same(const struct said_word *a, const struct said_word *b);
/* Whether a statement has the word, perhaps with another ending: "teach" and "teacher". */
bool weigh_has(const struct said *s, const struct said_word *w);
/* What a word weighs by itself, 0 to 1. */
double weigh_word(const struct said_word *w);
/* What a word of a memory weighs by how many records have it: 1 for few, down to a tenth. */
double weigh_rarity(const struct word_counts *counts, uint64_t id);
/* What all words weigh, numbers and units apart. */
double weigh_all(const struct said *s, const struct word_counts *counts);
/* Whether it denies something; a word of a pair of opposites is no negation by itself. */
bool weigh_denies(const struct said *s);
