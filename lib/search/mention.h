/*
 * mention.h: turns that users said and that have some of a few words. They are found by the
 * posting lists alone, since nothing is ranked: a search costs ten times as much.
 */
#pragma once

#include "store/index.h"

struct mention_want {
	struct store *store;
	/* NULL at first; kept for the next one, and freed by index_free */
	struct index **index;
	struct scope who;                      /* its session is not used */
	const struct index_word *words;        /* [n] terms as the tokenizer gives them */
	size_t n;
	size_t rarest;                         /* only so many of them are looked for; 0: all */
	unsigned words_most;                   /* of a turn; 0: of any length */
	bool own;                              /* only what the owner of the memory said */
	/*
	 * What the owner said in no project, in a chat or a mail, is of this project, too: nobody
	 * goes back to the session of a decision to take it back.
	 */
	bool anywhere;
	const struct message *after;           /* only what was said behind it; NULL: any */
	size_t most;                           /* turns */
	float *rarity;                         /* [n] as mentions_find fills it, or NULL */
};

/*
 * Fills out [want->most] with those that have most of the words, rare ones first, and of these the
 * newest; *n of them. *more, where not NULL: whether there may be others. rarity: of each word, 1:
 * one turn has it, near 0: nearly all have. In the arena. Cost: the posting lists, and a look at
 * each of the MENTION_LOOKED best turns of all projects.
 */
#define MENTION_LOOKED 1600
int mentions_find(const struct mention_want *want, struct arena *a, const struct message **out,
	size_t *n, bool *more, struct err *err);

/* Whether b was said behind a, or may have been. */
bool mention_is_later(const struct message *a, const struct message *b);

/*
 * What its user says next in the session of a turn, where that begins by taking something back:
 * *out, in the arena; NULL: it does not.
 */
int mention_next(struct store *s, const struct scope *who, const struct message *m,
	struct arena *a, const struct message **out, struct err *err);
