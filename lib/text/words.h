/*
 * words.h: makes search terms of text. It is the only tokenizer of the store: both what is indexed
 * and what is asked pass through it.
 *
 * - Unicode letters and digits form words. They are folded (lower case, accents and width removed:
 *   NFKD without marks for Latin, Greek, Cyrillic) and, when ASCII letters, Porter-stemmed; other
 *   languages have their say when a question is asked (language.h).
 * - An apostrophe inside a word joins it ("don't" is one word, "dont"; a final 's 'd 'm 'll 've 're
 *   is dropped).
 * - Identifiers (camelCase, snake_case, dotted.names, kebab-case in code, paths/with/slashes, C++,
 *   C#, v1.2.3, #480) give the whole, exact and unstemmed, and at the same position each of their
 *   parts as a stemmed word. Parts that are compounds themselves, and the ends of paths, give
 *   wholes too.
 * - Hyphened words outside code ("long-term") are words, each with its own position; dates and
 *   times are numbers with parts.
 * - Han, Kana and Hangul give each character and each pair of neighbours (the pair at the position
 *   of its first character); Kana are folded to one width.
 * - Other scripts without spaces (Thai, Lao, Khmer, Myanmar) are handled in the same way.
 * - An emoji is one term.
 *
 * A term has at most WORDS_TERM_BYTES bytes; longer ones are cut there. Speed: about 60 MB/s of
 * English in one thread.
 */
#pragma once

#include "base/base.h"

/* if another number is stored, the index is rebuilt before any write */
#define WORDS_VERSION    1
#define WORDS_TERM_BYTES 64

enum word_kind {
	WORD_PLAIN,                /* a stemmed word */
	WORD_NUMBER,
	/*
	 * an identifier in lower case without joiners: getUserName and get_user_name are
	 * getusername
	 */
	WORD_WHOLE,
	WORD_PART,                 /* a part of an identifier, at the same position as the whole */
	WORD_CHAR,                 /* one character of a script without spaces */
	WORD_PAIR,                 /* two such characters */
	WORD_SYMBOL                /* emoji */
};

/*
 * Room for the callback to note by what it knows a term, so that it finds it again when the same
 * word comes. Callbacks are told apart by epochs.
 */
struct word_note {
	uint64_t epoch;            /* 0: nothing is noted */
	uint32_t value;
};

/* Where a word of a text stands, which of several it is, and what it tells. */
struct word_place { uint32_t at; uint16_t term; float weight; };

struct word {
	/* [len], borrowed until the callback returns; not NUL-terminated */
	const char *term;
	uint16_t len;
	uint8_t kind;              /* enum word_kind */
	/* a stop word of ours: indexed, but no content word of a question */
	bool stop;
	/*
	 * counts words from 0; a whole and its parts share one, a pair has that of its first
	 * character
	 */
	uint32_t position;
	uint32_t start, end;       /* bytes of the text */
	uint64_t hash;             /* hash64 of the term, seed 0 */
	/* the note of this thread for this word, or NULL; valid until another text is scanned */
	struct word_note *note;
};

/* Returns 0 to continue; any other value stops and is returned by words_each. */
typedef int word_fn(void *arg, const struct word *w);
int words_each(const char *text, size_t len, word_fn *fn, void *arg);

/*
 * Whether a text has so many words of content, of which "it is" has none and "ok" one. An
 * identifier or a number counts as two, a character of a script without spaces as one.
 */
bool words_say(const char *text, size_t len, unsigned least);

/*
 * Applies the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980, with the
 * choices that stem.c lists) in place to lower-case ASCII letters. Returns the new length.
 */
size_t words_stem(char *word, size_t len);

/*
 * Folds a text for comparison: lower case, accents and width removed. out must have room for 3 *
 * len + 1 bytes. Returns the length.
 */
size_t words_fold(const char *text, size_t len, char *out);

/* Whether the word, folded and unstemmed, is an English or Chinese stop word. */
bool words_is_stop(const char *word, size_t len);
