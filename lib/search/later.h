/*
 * later.h: what users said later of what an earlier text says. No word for a change is looked for,
 * as people have too many of them: "never again", "Jonas says 50 is too much, so 48". A later turn
 * of the same matter names it by rare words, whether it changes anything or not.
 */
#pragma once

#include "search/mention.h"
#include "text/words.h"

#define LATER_MOST   24            /* turns that have some of the words */
#define LATER_PLACES 64

struct later_want {
	struct store *store;
	struct index **index;      /* as in mention.h */
	struct scope who;
	const struct message *after;
	const char *text;          /* of it [len] */
	size_t len;
	struct arena *arena;
};

struct later {
	const struct message *m;
	float sum;                 /* of the rarities of what it shares, squared */
	struct word_place places[LATER_PLACES];        /* [n_places] of that */
	size_t n_places;
};

/*
 * Fills out [LATER_MOST] with turns that users said behind, that ask nothing, and that name the
 * same, those that share most first, of as much the newest. Cost: that of mentions_find, and the
 * words of the turns that it finds.
 */
int later_find(const struct later_want *w, struct later *out, size_t *n, struct err *err);
