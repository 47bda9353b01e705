/*
 * lex.h: the words of natural languages that mem knows, and the one tokenizer that reads them.
 *
 * What a word is for, is its class (classes.h): a month, a function word, a word that begins
 * questions. The words of a language are one file, schema/lang/LL.txt, a class a line:
 *
 *	month.3 märz mrz           words of the class "month", whose value is 3
 *	ago_before il_y_a          "_" stands between the words of a phrase
 *	~light gut                 stems, as their reader makes them, not words (lex_stem)
 *	=snowball german           a name; all behind the class is one (lex_label)
 *
 * At build they become one table (lex.awk): nothing is read at start, and a class that classes.h
 * does not have does not compile. Words are compared folded: lower case, no accents, no
 * apostrophes.
 */
#pragma once

#include "base/base.h"
#include "lexicon/classes.h"

#define LEX_BYTES  48              /* of a folded word or phrase; a longer one has no class */
#define LEX_LANGS  16
#define LEX_EN     0u              /* English is the first language; others have no fixed number */
#define LEX_ANY    (~0u)           /* of any language */
#define LEX_IN(l)  (1u << (l))

struct lex_token {
	uint32_t start, end;       /* bytes of the text */
	/* what it is, [n_senses] of (class, language, value); NULL: the lexicon does not have it */
	const unsigned char *senses;
	uint8_t n_senses;
	uint8_t more;              /* the words of the longest phrase that it may begin */
	uint8_t len;               /* of folded; 0: it is too long */
	uint8_t whole;             /* with the s of 's, which stands behind it in folded */
	uint8_t n_digits;          /* with which it begins; number is theirs */
	bool capital;              /* its first letter is one */
	bool unspaced;             /* a character of a script without spaces */
	bool tick;                 /* an apostrophe stands in it */
	bool owns;                 /* with only an s behind it */
	bool figures;              /* a digit does */
	int number;                /* -1: it begins with no digit; at most 9999 */
	char folded[LEX_BYTES];
};

/*
 * Reads the first word at or behind byte `at`: letters and digits, with the apostrophes inside;
 * what an apostrophe ties to a word in French or Italian is a word of its own; so is a character of
 * a script without spaces. false: there is none. Cost: 100 ns a word.
 */
bool lex_next(const char *text, size_t len, size_t at, struct lex_token *t);

/* A word or phrase that begins with a token: where it ends, and what it is. */
struct lex_match { uint32_t end; uint32_t n_senses; const unsigned char *senses; };
#define LEX_MATCHES 8

/*
 * The words and phrases of the lexicon that begin with token t of the text, the longest first.
 * Returns how many.
 */
size_t lex_matches(const char *text, size_t len, const struct lex_token *t,
	struct lex_match out[LEX_MATCHES]);
/* The byte behind the longest of them with the class; 0: there is none. */
size_t lex_match(const struct lex_match *matches, size_t n, enum lex class, unsigned langs,
	int *value);

/* Whether a word has the class in one of the languages (LEX_IN). *value may be NULL. */
bool lex_is(const struct lex_token *t, enum lex class, unsigned langs, int *value);

/* The languages, by LEX_IN, in which what begins at t has a class from first to last. */
unsigned lex_langs(const char *text, size_t len, const struct lex_token *t, enum lex first,
	enum lex last);
/* lex_matches and lex_match at once. */
size_t lex_phrase(const char *text, size_t len, const struct lex_token *t, enum lex class,
	unsigned langs, int *value);

/* The same for a folded word at hand, without a text. */
bool lex_word(const char *word, size_t len, enum lex class, unsigned langs, int *value);

/* Calls fn with each word of a class, folded; the words have no order. */
typedef void lex_fn(void *arg, const char *word, size_t len, unsigned lang, int value);
void lex_each(enum lex class, lex_fn *fn, void *arg);

/*
 * One bit, 1 << (class - first), for each class from first to last that a folded word, or a stem,
 * has in the languages.
 */
uint64_t lex_classes(const char *word, size_t len, enum lex first, enum lex last, unsigned langs);
uint64_t lex_token_classes(const struct lex_token *t, enum lex first, enum lex last,
	unsigned langs);
/* The same of a token and of the phrases that begin with it. */
uint64_t lex_phrase_classes(const char *text, size_t len, const struct lex_token *t,
	enum lex first, enum lex last, unsigned langs);
uint64_t lex_stem_classes(const char *stem, size_t len, enum lex first, enum lex last);

/*
 * The language that a text's function words are of; a word that several languages have counts
 * little. Two of them are needed, or one that begins a question; else it is LEX_EN. Only the first
 * words of a long text are read.
 */
unsigned lex_language_of(const char *text, size_t len);
/* The same; `other` where the text does not tell. */
unsigned lex_language_or(const char *text, size_t len, unsigned other);
/*
 * The languages, by LEX_IN, one of which the text is written in: by its script, or by function
 * words that no other has, of which it has `least` or more; LEX_ANY where it does not tell.
 */
unsigned lex_written_in(const char *text, size_t len, float least);
/*
 * The languages, by LEX_IN, whose words count in a text of a language: itself, and those of scripts
 * without spaces, which are told by their characters.
 */
unsigned lex_counting(unsigned lang);
/* The number of a language by its code, such as "de"; LEX_EN when there is none. */
unsigned lex_language(const char *code);
/* The name that a language has for a value of a class; NULL: none. */
const char *lex_label(enum lex class, unsigned lang, int value);
