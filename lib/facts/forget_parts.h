/*
 * forget_parts.h: what forget.c and forget_kept.c (the plan), forget_remove.c, forget_verify.c and
 * forget_scan.c (the proof, in rows and in files) share.
 */
#ifndef FACTS_FORGET_PARTS_H
#define FACTS_FORGET_PARTS_H

#include "facts/forget.h"
#include "store/records.h"

/*
 * Words of what goes, each once: as they are written, ASCII letters in lower case, and as the
 * tokenizer makes terms of them.
 */
struct forget_word {
	const char *text;                  /* [len], in the arena */
	uint64_t hash;
	uint32_t len;
	bool is_term;
	bool stays;                        /* something that stays has it, too */
	bool told;
	const char *where;                 /* a place that should not have it; NULL: none */
};
struct forget_words {
	struct arena arena;
	/* [cap], a table with open addressing; text NULL: free */
	struct forget_word *items;
	size_t n, cap;
};

void forget_words_add(struct forget_words *w, const char *text, size_t len);
/* Calls fn with each word of the text that is in the table. */
typedef void forget_word_fn(void *arg, struct forget_word *word);
void forget_words_look(struct forget_words *w, const char *text, size_t len, forget_word_fn *fn,
	void *arg);
/* The word that is written so, or the term; NULL: it is not in the table. */
struct forget_word *forget_words_find(const struct forget_words *w, const char *text, size_t len,
	bool is_term);
/* Calls fn, once for a word. */
void forget_word_tell(struct forget_word *w, const char *where, forget_left_fn *fn, void *arg);
void forget_words_free(struct forget_words *w);

struct forget_message { int64_t row; char id[ID_TEXT]; const char *session; };

/* A place of a vector: its key, and the hash of the len bytes that stand behind it. */
struct forget_vector { uint64_t key, hash; uint32_t len; };


struct forget {
	const struct forget_want *want;
	struct scope who;
	struct arena arena;
	const char **sessions;             /* whole ones [n_sessions] */
	const char **parts;                /* those that lose single messages [n_parts] */
	bool *untitle;                     /* [n_parts] their title has words of what goes */
	struct forget_message *messages;   /* single ones, by row */
	struct made_record *records, *made;
	struct made_record *guarded;       /* [n_guarded] rest on what goes, and are protected */
	size_t n_guarded;
	size_t n_sessions, n_parts, n_messages, n_records, n_made;
	size_t cap_sessions, cap_parts, cap_messages, cap_records, cap_made;
	struct forget_message *in_sessions;        /* messages of the whole ones */
	size_t n_in_sessions, cap_in_sessions;
	struct forget_vector *vectors;     /* by key */
	size_t n_vectors, cap_vectors;
	struct forget_words words;
};

/*
 * What was planned, with rows of messages and of records, these and then those made of what goes;
 * the caller frees both.
 */
struct going forget_going(const struct forget *f, int64_t **rows, int64_t **records);

/* Finds what is made of what goes, into made, when its words and records are known. */
int forget_find_made(struct forget *f, struct store *s, struct err *err);
/* Calls fn with a record as it is, and as it was before each step that changed it. */
int forget_versions_each(struct forget *f, struct store *s, int64_t row, fact_fn *fn, void *arg,
	struct err *err);
/* Cost: linear in what goes. */
bool forget_takes_message(const struct forget *f, int64_t row);
bool forget_takes_record(const struct forget *f, int64_t row);

#endif
