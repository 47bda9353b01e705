/*
 * unread.h: what of an input of a known format is not read. Each unit of it gives records, or is
 * known as one in which nobody says anything (its map gives a record of type "aside"), or it is
 * counted here by its kind, so that a form that a program has changed is told and not half read.
 */
#pragma once

#include "json/json.h"

#define UNREAD_KINDS 12                    /* that are told apart; all others are counted as one */
#define UNREAD_BYTES 80

/* Zeroed when an input begins. */
struct unread {
	struct { char name[UNREAD_BYTES]; uint64_t n, first; } kinds[UNREAD_KINDS];
	size_t n_kinds;
	uint64_t units;
};

/* Counts a unit; kind is copied, number is its line or place. */
void unread_add(struct unread *u, const char *kind, uint64_t number);
/* Whether there are words in a unit that no program wrote for itself. */
bool unread_has_words(const struct json *unit);
/*
 * Counts a unit by what stands at the places in it, "type payload.type" say, NULL for none. Returns
 * whether it may be a turn (unread_has_words).
 */
bool unread_judge(struct unread *u, const struct json *unit, const char *places, uint64_t number);

/*
 * Appends "3 of 20 lines not read: 2 of kind 'x' (the first: 5), 1 of ..."; of: how many there are.
 */
void unread_tell(const struct unread *u, uint64_t of, const char *units, struct buf *out);
