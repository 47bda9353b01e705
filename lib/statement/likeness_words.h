/*
 * likeness_words.h: reads a statement as words that can be compared with those of another: what
 * each stands for (words for the same share an id, and so do words for opposites), numbers however
 * they are written, names, negations. The lists are schema/likeness.txt, for English, German and
 * Chinese; words of other languages are compared by their letters.
 */
#pragma once

#include "base/arena.h"

#define SAID_WORDS 160 /* of a longer statement, the words behind are left out */
#define SAID_TERM  24

/* What the lists say of a word by itself; by the kinds of lists with these names. */
enum said_mark {
	SAID_COPULA = 1 << 0,      /* "is" */
	SAID_ARTICLE = 1 << 1,     /* "a" */
	SAID_HELPER = 1 << 2,      /* before a participle: "has" */
	SAID_PASSIVE = 1 << 3,     /* behind it is who did it: "by" */
	SAID_SILENT = 1 << 4,      /* adds nothing: "a cat called Pixel" */
	SAID_LIGHT = 1 << 5,       /* goes with everything: "uses", "thing" */
	SAID_UNIT = 1 << 6,        /* counts something: "minute" */
	SAID_ALWAYS = 1 << 7       /* beside what denies it adds nothing: "always" */
};

struct said_word {
	uint64_t id;               /* of what it stands for */
	char term[SAID_TERM];      /* its first letters, stemmed as in the index */
	uint8_t len;
	uint8_t letters;           /* bytes as it is written, up to an apostrophe */
	/* which ending makes another word of its stem: "positive", "position"; 0: none */
	uint8_t ending;
	bool content;              /* says something by itself: no function word */
	bool empty, empty_german;  /* of no weight at all; so in German */
	bool lead;                 /* may begin a phrase: "on", "after" */
	bool number, whole;        /* whole: an identifier */
	bool name, first;          /* written with a capital; at the start of a sentence */
	bool person, mine;         /* the speaker; what is the speaker's */
	bool negates;
	bool plain;                /* a word of letters, which may be misspelt */
	bool half;                 /* a character of Chinese: about half a word */
	bool past;                 /* ends in "ed" and is no participle behind "is" */
	unsigned marks;            /* of enum said_mark */
	uint32_t value;            /* of a number; SAID_NO_VALUE: none, or it has parts */
	/* of a number before a unit of time how long both are, and so of the unit; 0: no such */
	uint64_t span;
	/* which side of a pair of opposites or converses it is: -1, 1; 0: of none */
	int8_t pole, turn;
};

struct said {
	bool german;               /* nouns have capitals too */
	bool passive;              /* who did it stands behind "by" */
	unsigned stance;           /* statement/stance.h */
	size_t n;
	struct said_word w[SAID_WORDS];        /* last: of one that is kept, there are n alone */
};

/* Cost: linear, some microseconds for a sentence. */
void said_read(struct said *s, const char *text, size_t len);

/* A copy that has room for its own words alone; it is not to be copied as a struct. */
const struct said *said_keep(const struct said *s, struct arena *a);

/* Whether both have an ending that makes another word of a stem, and not the same. */
bool said_endings_differ(const struct said_word *a, const struct said_word *b);
/* Whether both are one word: the same, or one a slip of spelling for the other. */
bool said_same(const struct said_word *a, const struct said_word *b);
/* Whether a statement has the word. */
bool said_has(const struct said *s, const struct said_word *w);
