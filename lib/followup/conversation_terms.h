/*
 * conversation_terms.h: the conversation before a question as words, for finding what a follow-up
 * question leaves out.
 */
#pragma once

#include "base/arena.h"
#include "followup/classes.h"
#include "text/words.h"

#define CONVERSATION_TURNS      24         /* the newest turns that are read, not counting titles */
#define CONVERSATION_TURN_CHARS 500        /* characters read of each turn */
#define CONVERSATION_TERMS      4096

enum conversation_role {
	CONVERSATION_TITLE,
	CONVERSATION_USER,
	CONVERSATION_OTHER /* the one who answers: the assistant */
};

enum {
	CONVERSATION_STOP = 1,             /* function word */
	CONVERSATION_CAPITAL = 2,          /* has a capital inside a sentence */
	CONVERSATION_FIRST = 4,            /* first word of its sentence */
	CONVERSATION_NUMBER = 8,
	CONVERSATION_HAN = 16,             /* a run of characters of a script without spaces */
	CONVERSATION_CODE = 32,            /* an identifier, a path */
	CONVERSATION_LATIN_CAPITAL = 64,   /* begins with a capital, wherever it stands */
	CONVERSATION_ITEM = 128            /* a number that begins an item of a list */
};

struct conversation_word {
	uint32_t term;             /* number of its stem */
	uint32_t start, end;       /* byte span in the turn, without a possessive 's */
	/* shared by words that stand side by side with no function word between */
	uint16_t run;
	uint16_t flags;
	classes classes;
};

struct conversation_turn {
	enum conversation_role role;
	const char *text;
	size_t len;                /* bytes that were read */
	struct conversation_word *words;   /* [n] */
	size_t n, n_runs, n_content;
	bool asks;                 /* ends in a question mark */
	unsigned lang;             /* its language in the lexicon */
	bool german;               /* things have a capital */
	bool foreign;              /* it is in another language than English */
	/* probability that it needs the turns before it; 0 for titles and answers */
	float need;
};

struct conversation_term { const char *text; uint32_t len; uint64_t hash; };

struct conversation {
	struct arena *arena;       /* the caller's; holds all that the conversation points to */
	struct conversation_turn turns[CONVERSATION_TURNS + 4];
	size_t n;
	struct conversation_term *terms;   /* [n_terms] */
	size_t n_terms;
	uint32_t *slots;           /* hash table of terms: 0 for empty, else number + 1 */
};

void conversation_start(struct conversation *t, struct arena *a);

/*
 * Reads a turn. text is borrowed and must live as long as t. Returns NULL when there are too many
 * turns.
 */
struct conversation_turn *
conversation_add(struct conversation *t, enum conversation_role role, const char *text, size_t len);

/* Whether the word is no function word. */
bool word_is_content(const struct conversation_word *w);

/* Whether a content word of words from..to is the term. */
bool turn_has_term(const struct conversation_turn *turn, size_t from, size_t to, uint32_t term);

/* Whether the word has the class, as it is written. */
bool conversation_is(const struct conversation_turn *turn, const struct conversation_word *w,
	enum lex class);
/* The byte behind the word or phrase of the class that begins with word i; 0: none does. */
size_t conversation_begins(const struct conversation_turn *turn, size_t i, enum lex class);
