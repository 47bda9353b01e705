/*
 * words.h: text to search terms, the one tokenizer of the store: what is indexed and what is asked
 * go through it alike.
 *
 * - Unicode letters and digits make words; folded (lower case, accents and width removed: NFKD
 *   without marks for Latin, Greek, Cyrillic), Porter-stemmed when ASCII letters.
 * - An apostrophe inside a word joins it ("don't" is one word, "dont"; a final 's 'd 'm 'll 've 're
 *   is dropped).
 * - Identifiers (camelCase, snake_case, dotted.names, kebab-case in code, paths/with/slashes, C++,
 *   C#, v1.2.3, #480) give the whole, exact and unstemmed,
 *   and at the same position each of its parts, as words (stemmed); parts that are compound themselves and the ends of paths are wholes too.
 *   Hyphened words ("long-term", outside code) are words, each with its position; dates and times are numbers with parts.
 * - Han, Kana, Hangul: each character and each pair of neighbours (pair at the first one's
 *   position); Kana folded to one width.
 * - Other scripts without spaces (Thai, Lao, Khmer, Myanmar): as CJK.
 * - Emoji: a term each.
 * A term is at most WORDS_TERM_BYTES bytes; longer ones are cut there.
 * Speed: about 60 MB/s of English, one thread.
 */
#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include "base/base.h"

#define WORDS_VERSION    1         /* another number: the index is rebuilt before any write */
#define WORDS_TERM_BYTES 64

enum word_kind {
	WORD_PLAIN,                /* a word, stemmed */
	WORD_NUMBER,
	/*
	 * an identifier, folded to lower case and closed up: getUserName and get_user_name are
	 * getusername
	 */
	WORD_WHOLE,
	WORD_PART,                 /* one of its parts, same position as the whole */
	WORD_CHAR,                 /* one character of a script without spaces */
	WORD_PAIR,                 /* two of them */
	WORD_SYMBOL                /* emoji */
};

/*
 * Where who takes words may note what it knows a term by, to find it there when the word comes
 * again. Epochs are told apart by the taker.
 */
struct word_note {
	uint64_t epoch;            /* 0: nothing is noted */
	uint32_t value;
};

struct word {
	const char *term;          /* [len], borrowed until the callback returns; no NUL */
	uint16_t len;
	uint8_t kind;              /* enum word_kind */
	/* a stop word of ours: indexed, but no content word of a question */
	bool stop;
	/* counts words from 0; parts and whole share one, a pair has its first character's */
	uint32_t position;
	uint32_t start, end;       /* bytes in the text */
	uint64_t hash;             /* hash64 of the term, seed 0 */
	/* the thread's for this word, or NULL; gone when another text was scanned */
	struct word_note *note;
};

/* Returns 0 to go on; anything else stops and is returned by words_each. */
typedef int word_fn(void *arg, const struct word *w);
int words_each(const char *text, size_t len, word_fn *fn, void *arg);

/*
 * The Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980, with the
 * choices that stem.c lists), in place; lower-case ASCII letters only. Returns the new length.
 */
size_t words_stem(char *word, size_t len);

/*
 * Folds a text for comparing: lower case, accents and width removed. out has room for 3 * len + 1.
 * Returns its length.
 */
size_t words_fold(const char *text, size_t len, char *out);

/* A stop word, English or Chinese, given folded and unstemmed. */
bool words_is_stop(const char *word, size_t len);
/* Whether word is in list [n], which is sorted by strcmp. Cost: log n comparisons. */
bool words_is_listed(const char *const *list, size_t n, const char *word, size_t len);

#endif
