/*
 * index.h: what ranking reads of the store: a user's turns as a corpus, posting lists of terms,
 * features of turns (cards).
 *
 * All of it comes from one snapshot: index_enter, index_load, any of the functions below,
 * index_end. Nothing is printed and no model is asked in between.
 */
#pragma once

#include "index/corpus.h"
#include "index/postings.h"
#include "index/turn_features_pages.h"
#include "store/store.h"

/* of one user; may be kept between questions of a process */
struct index;

/*
 * Begins to read the user's index, in a snapshot of its own or in the one that the handle has open
 * (vectors.h), which must then end later. *index is NULL at first. An index of an earlier question
 * is used again if the store has not changed, and is emptied if it has. From here on names can be
 * asked for.
 */
int index_enter(struct store *s, const struct scope *who, struct index **index, struct err *err);
/* A word as the tokenizer gives it. */
struct index_word { const char *text; size_t len; };
/* Different words [n], of at most `most`, which live as long as the arena. */
struct index_words { struct index_word *of; size_t n, most; struct arena *a; };
/* Adds a word, where it is none of them and there is room; whether there is room for more. */
bool index_words_add(struct index_words *v, const char *text, size_t len);
/* The place of a word among them; n: it is none. */
size_t index_words_place(const struct index_words *v, const char *text, size_t len);
/*
 * Loads the corpus; from here on everything can be asked for. An unknown user has an empty corpus.
 * words [n] are those whose lists will be read (see index_want). Cost: linear in turns, 2 ms a
 * million.
 */
int index_load(struct index *x, const struct index_word *words, size_t n, struct err *err);
/*
 * Declares what a stage is about to read, so that a database across a network sends it all at once:
 * the lists of words, all terms that begin with one of the prefixes, the texts and cards of turns,
 * the speakers, agents and projects that cards name.
 * It changes no result, and does nothing where the database is a local file.
 */
struct index_wants {
	const struct index_word *words;
	size_t n_words;
	const struct index_word *prefixes;
	size_t n_prefixes;
	const uint32_t *texts;             /* turns */
	size_t n_texts;
	const uint32_t *named;             /* turns whose cards were read */
	size_t n_named;
	uint32_t cards_from, cards_to;     /* turns [cards_from, cards_to) */
};
int index_want(struct index *x, const struct index_wants *w, struct err *err);
void index_end(struct index *x);           /* the snapshot is over; the corpus stays */
void index_free(struct index *x);

/* The user's corpus, after index_load; borrowed until it is made anew. */
const struct corpus *index_corpus(const struct index *x);
/* a number that changes whenever the corpus is made anew */
uint64_t index_stamp(const struct index *x);

/* Until the corpus is made anew, all its sessions count as sessions of this kind. */
void index_take_as(struct index *x, enum session_kind kind);

/*
 * Appends a term's postings to list, each turn once; posting.doc is the turn's number in the
 * corpus.
 */
int index_list(struct index *x, const char *term, size_t len, struct posting_list *list,
	struct err *err);

/*
 * The terms of the user's vocabulary that start with the prefix [len], and some beside them; len 0:
 * all. A term comes once for each segment that has it, with the turns there. Cost: a page of some
 * 100 terms for each segment, and more where more terms have the prefix.
 */
int index_terms(struct index *x, const char *prefix, size_t len,
	void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err);

/* Cards of turns [n], ascending. Cost: a page read for each 120 turns that lie together. */
int
index_cards(struct index *x, const uint32_t *turns, size_t n, struct card *out, struct err *err);

/*
 * Who said turns from .. from + n - 1, and when. Cost: 3 ns a turn, and a page read for each 120.
 */
int index_said(struct index *x, uint32_t from, uint32_t n, struct card_said *out, struct err *err);

/*
 * What was said in a turn, borrowed until the next call of any function of the index; "" when it is
 * gone.
 */
int index_text(struct index *x, uint32_t turn, const char **text, size_t *len, struct err *err);

/*
 * The speakers whose name starts with one of words [n], in the order of the words, at most
 * INDEX_SPEAKERS for each: *out [*n_out], in the arena. *n_all is how many speakers the user has,
 * or 0 if none was found.
 */
#define INDEX_SPEAKERS 8
struct index_speaker { size_t word; uint16_t no; const char *name; };
int index_speakers(struct index *x, const struct index_word *words, size_t n, struct arena *a,
	struct index_speaker **out, size_t *n_out, int64_t *n_all,
		   struct err *err);
/*
 * Declares that they will be asked for, and in the same round what a question reads next: how many
 * speakers there are, and the segments of the index.
 */
int index_want_speakers(struct index *x, const struct index_word *words, size_t n,
	struct err *err);
/* kind: 'a' agent, 'p' project, 's' speaker */
/* The user's first names of a kind, at most `most`: *out [*n], in the arena, with word 0. */
int index_labels(struct index *x, char kind, size_t most, struct arena *a,
	struct index_speaker **out, size_t *n, struct err *err);
/* Number of a name, for filters; 0 when unknown. */
int index_label(struct index *x, char kind, const char *text, int64_t *no, struct err *err);

/*
 * The turns [*from, *to) of the session of that name; *from == *to when there is none. A session in
 * parts gives the span of all of them.
 */
int index_session(struct index *x, const char *name, uint32_t *from, uint32_t *to, struct err *err);
