/*
 * weigh.h: the words of two statements laid beside each other, by what they weigh: how much both
 * say, and what only one of them says.
 */
#ifndef STATEMENT_WEIGH_H
#define STATEMENT_WEIGH_H

#include "statement/likeness_words.h"

/* How many records have a word: one that is in many tells little of what two have in common. */
struct word_count { uint64_t id; uint32_t records; };
struct word_counts {
	const struct word_count *items;        /* [n], sorted by id */
	size_t n, n_records;
};

/* Whether its term, as it is stemmed, is one of words [n]. */
bool weigh_is_any(const struct said_word *w, const char *const words[], size_t n);
/* Whether a word adds nothing to what is said: "a cat called Pixel" is "the cat Pixel". */
bool weigh_is_silent(const struct said_word *w);
/* Whether it is a verb that goes with everything, or says no more than one: "has", "uses". */
bool weigh_is_light(const struct said_word *w);
/* Whether a statement has the word, perhaps with another ending: "teach" and "teacher". */
bool weigh_has(const struct said *s, const struct said_word *w);
/* What a word weighs by itself, 0 to 1. */
double weigh_word(const struct said_word *w);
/* What a word of a memory weighs by how many records have it: 1 for few, down to a tenth. */
double weigh_rarity(const struct word_counts *counts, uint64_t id);
/* What all words weigh that are no values: no numbers, units, days of the week and the like. */
double weigh_all(const struct said *s, const struct word_counts *counts);
/* How many words weigh something, or deny: of "coffee." one, which denies nothing. */
unsigned weigh_words(const struct said *s);

/* Whether it denies something; a word of a pair of opposites is no negation by itself. */
bool weigh_denies(const struct said *s);
/* Whether one denies what the other says: "likes", "does not like", "hates". */
bool weigh_opposed(const struct said *a, const struct said *b);

struct weighed_side {
	double all, own;           /* weights of words that are no values; those the other lacks */
	double values;             /* of words of which a thing has one, such as days of the week */
	double units;              /* of words that count something, among own */
	unsigned n_things;         /* words and numbers that weigh 1 or more; those of them ... */
	unsigned own_things;       /* ... that the other lacks */
	unsigned numbers, names;   /* own ones */
	unsigned same_names;       /* names that both have */
	unsigned class;            /* of the one value of a class that the other lacks; 0: none */
};

struct weighed_pair {
	struct weighed_side a, b;
	double common, common_things;
	unsigned numbers;          /* common ones */
};

/* counts may be NULL: all words are rare. Cost: the product of the numbers of their words. */
void weigh_pair(struct weighed_pair *p, const struct said *a, const struct said *b,
	const struct word_counts *counts);
/* Dice's coefficient of the weights; values: those of a class that only one has count, too. */
double weigh_dice(const struct weighed_pair *p, bool values);
/* The share of the lighter statement that the other has, too; units may differ with numbers. */
double weigh_cover(const struct weighed_pair *p);

#endif
