/*
 * turn_features_pages.h: cards of turns that follow each other, as many as a page has, each field
 * of them in as many bits as it takes there. What is the same in all of them takes none: of 100,000
 * chat lines a card has 6 bytes instead of 32, so that a search, which wants the cards of a
 * thousand candidates all over the memory, reads a fifth of the pages.
 *
 *   0 cards n u8 | 1 least time i64 | 9 unit of time u8 | 10 bits u8 | 11 twelve times: least u16, bits u8 | 47 n records | 8 bytes of 0, and one more where it would be 32 times something
 *
 * The twelve are words, chars, speaker, agent, project, role, trust, flags, first, second,
 * capitals, numbers. A record is the time and the twelve less the least ones, the low bits first,
 * in whole bytes; a time is 1 + what it is behind the least in units, 0 unknown. Units are 1 us, 1
 * ms, 1 s, 1 min. Little endian. A page that this makes no smaller, as one of a single card, is its
 * cards as card.h packs them: 32 bytes each. So was every page before the store's version 10.
 */
#ifndef INDEX_TURN_FEATURES_PAGES_H
#define INDEX_TURN_FEATURES_PAGES_H

#include "index/turn_features.h"

#define CARDS_A_PAGE 120
#define CARDS_ROOM   (CARDS_A_PAGE * CARD_BYTES)
#define CARDS_FIELDS 12            /* beside the time */

/* Cards [n], 1 to CARDS_A_PAGE, into out; its length. Cost: .1 us a card. */
size_t cards_pack(const struct card *c, size_t n, uint8_t out[CARDS_ROOM]);

/* A page to read from. The bytes are borrowed. */
struct cards {
	size_t n;
	const uint8_t *records;
	size_t stride;
	int64_t time;
	uint64_t unit;                     /* us; 0: they are not packed */
	/* at: bits of the record before it */
	struct { uint16_t at; uint8_t bits; } of_time, of[CARDS_FIELDS];
	uint16_t least[CARDS_FIELDS];
};

/* n is 0 when the bytes are none that cards_pack makes. */
void cards_open(struct cards *p, const uint8_t *bytes, size_t len);
void cards_get(const struct cards *p, size_t at, struct card *out);        /* at < n */
/*
 * When something was said and by whom: the two fields that turns are looked for by. Of cards at ..
 * at + n - 1, which are there. Cost: 3 ns each.
 */
struct said { int64_t time_us; uint16_t speaker; };
void cards_said(const struct cards *p, size_t at, size_t n, struct said *out);

#endif
