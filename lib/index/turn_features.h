/*
 * turn_features.h: what ranking needs to know of a turn besides its words: 32 bytes ("card"), made
 * when the turn is stored and kept in pages.
 *
 *	offset  field                       offset  field
 *	 0      time_us i64                 18      role u8
 *	 8      words u16                   19      trust u8
 *	10      chars u16                   20      flags u16
 *	12      speaker u16                 23      second u8
 *	14      agent u16                   24      capitals u8
 *	16      project u16                 25      numbers u8
 *
 * The other bytes are 0; at 22 earlier versions have words of the first person. Numbers are little
 * endian.
 */
#pragma once

#include "text/words.h"

#define CARD_BYTES   32
/* if another number is stored, cards are rebuilt before any write */
#define CARD_VERSION 1

enum card_flag {
	CARD_QUESTION = 1,         /* ends in a question mark */
	CARD_WHEN = 2,             /* has a word of time */
	CARD_STRONG = 4,           /* always, never, prefer, must, avoid ... */
	CARD_STANDING = 8,         /* "from now on", "always ... when I ask" */
	CARD_CODE = 16,            /* a fenced block or an identifier */
	CARD_LINK = 32,            /* a URL */
	CARD_LONG = 64             /* chars exceeds what its field can hold */
};

struct card {
	int64_t time_us;           /* TIME_NONE: unknown */
	uint16_t n_words, n_chars;
	uint16_t speaker, agent, project;      /* numbers of labels in the store; 0: none */
	uint8_t role, trust;
	uint16_t flags;
	uint8_t second;            /* words of the second person */
	uint8_t capitals;          /* capitalised words inside sentences */
	uint8_t numbers;
};

/*
 * Filled word by word while the turn is tokenised for the index, so that the text is read only
 * once.
 */
struct card_maker {
	struct card card;
	const char *text;
	size_t len;
	unsigned seen;             /* classes of words that have occurred, one bit each */
	uint32_t now_at;           /* position of the last "now" */
	/* position of the last word that is no part of a compound; UINT32_MAX before the first */
	uint32_t last_position;
};

void card_start(struct card_maker *m, const char *text, size_t len);
void card_word(struct card_maker *m, const struct word *w);
void card_end(struct card_maker *m);               /* completes flags and counts */

void card_pack(const struct card *c, uint8_t out[CARD_BYTES]);
void card_unpack(const uint8_t in[CARD_BYTES], struct card *c);
