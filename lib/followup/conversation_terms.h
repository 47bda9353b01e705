/*
 * conversation_terms.h: what was said before a question, as words: for finding what a follow-up
 * question leaves out.
 */
#ifndef FOLLOWUP_CONVERSATION_TERMS_H
#define FOLLOWUP_CONVERSATION_TERMS_H

#include "base/arena.h"
#include "text/words.h"

#define CONVERSATION_TURNS      24         /* the newest that are looked at, titles apart */
#define CONVERSATION_TURN_CHARS 500        /* of each; what follows is not read */
#define CONVERSATION_TERMS      4096

enum conversation_role {
	CONVERSATION_TITLE,
	CONVERSATION_USER,
	CONVERSATION_OTHER /* who answers */
};

enum {
	CONVERSATION_STOP = 1,             /* a function word */
	CONVERSATION_CAPITAL = 2,          /* a capital inside a sentence */
	CONVERSATION_FIRST = 4,            /* of its sentence */
	CONVERSATION_NUMBER = 8,
	CONVERSATION_HAN = 16,             /* a stretch of characters of a script without spaces */
	CONVERSATION_LIGHT = 32,           /* a word that says little: tell, kind, happen */
	/* a word that wants an "of": symptom, price, author, retire */
	CONVERSATION_RELATION = 128,
	CONVERSATION_LATIN_CAPITAL = 64,   /* begins with a capital, wherever it stands */
	CONVERSATION_ITEM = 256,           /* a number that counts an item of a list */
	/* a day or a month: when something was, not what it was */
	CONVERSATION_DAY = 512
};

struct conversation_word {
	uint32_t term;             /* number of its stem */
	uint32_t start, end;       /* bytes of the turn; a possessive 's is not in it */
	/* words that stand side by side with no function word between share it */
	uint16_t run;
	uint16_t flags;
};

struct conversation_turn {
	enum conversation_role role;
	const char *text;
	size_t len;                /* as read */
	struct conversation_word *words;   /* [n] */
	size_t n, n_runs, n_content;
	bool asks;                 /* ends in a question mark */
	/* how likely it is that it needs what was said before it; 0 for titles and answers */
	float need;
};

struct conversation_term { const char *text; uint32_t len; uint64_t hash; };

struct conversation {
	struct arena *arena;       /* the caller's; all that talk holds */
	struct conversation_turn turns[CONVERSATION_TURNS + 4];
	size_t n;
	struct conversation_term *terms;   /* [n_terms] */
	size_t n_terms;
	uint32_t *slots;           /* of terms by hash, 0: empty, else number + 1 */
};

void conversation_start(struct conversation *t, struct arena *a);

/* Reads a turn. text is borrowed and must live as long as t. NULL when there are too many. */
struct conversation_turn *
conversation_add(struct conversation *t, enum conversation_role role, const char *text, size_t len);

#endif
