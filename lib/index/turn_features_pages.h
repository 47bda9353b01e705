/*
 * turn_features_pages.h: pages of cards of consecutive turns. Each field takes as many bits as its
 * values on that page need, and none when they are all equal. A card of 100,000 chat lines takes 6
 * bytes instead of 32, so a search, which reads the cards of a thousand candidates from all over
 * the memory, reads a fifth of the pages.
 *
 *	offset  field
 *	 0      number of cards u8
 *	 1      least time i64
 *	 9      unit of time u8
 *	10      bits of a time u8
 *	11      for each of twelve fields: least value u16, bits u8
 *	47      the records
 *	        8 bytes of 0, and one more if the length were a multiple of 32 without it
 *
 * The twelve fields are words, chars, speaker, agent, project, role, trust, flags, one that is 0
 * since nothing reads it, second, capitals, numbers. A record holds the time and the twelve fields,
 * each minus the least value, the low bits first, in whole bytes. A time is 1 + its distance from
 * the least one in units, or 0 for unknown. Units are 1 us, 1 ms, 1 s, 1 min. Numbers are little
 * endian. A page that would not become smaller, such as one with a single card, holds the cards as
 * turn_features.h packs them, 32 bytes each; so did every page before version 10 of the store.
 */
#pragma once

#include "index/turn_features.h"

#define CARDS_A_PAGE 120
#define CARDS_ROOM   (CARDS_A_PAGE * CARD_BYTES)
#define CARDS_FIELDS 12            /* fields besides the time */

/* Packs cards [n], 1 to CARDS_A_PAGE, into out and returns the length. Cost: .1 us a card. */
size_t cards_pack(const struct card *c, size_t n, uint8_t out[CARDS_ROOM]);

/* A page that is read. The bytes are borrowed. */
struct cards {
	size_t n;
	const uint8_t *records;
	size_t stride;
	int64_t time;
	uint64_t unit;                     /* in microseconds; 0: the cards are not packed */
	/* at: bits of the record before the field */
	struct { uint16_t at; uint8_t bits; } of_time, of[CARDS_FIELDS];
	uint16_t least[CARDS_FIELDS];
};

/* n is 0 when cards_pack cannot have made the bytes. */
void cards_open(struct cards *p, const uint8_t *bytes, size_t len);
void cards_get(const struct cards *p, size_t at, struct card *out);        /* at must be below n */
/*
 * When something was said and by whom, the two fields by which turns are filtered. Reads cards at
 * .. at + n - 1, which must exist. Cost: 3 ns each.
 */
struct card_said { int64_t time_us; uint16_t speaker; uint8_t role; };
void cards_said(const struct cards *p, size_t at, size_t n, struct card_said *out);
