/*
 * secret_chars.h: what secret_find.c and secret_said.c ask of characters and of short texts.
 */
#ifndef TEXT_SECRET_CHARS_H
#define TEXT_SECRET_CHARS_H

#include "text/secret_find.h"
#include "text/secret_forms.h"

#define SECRET_ALNUM   (SECRET_LOWER | SECRET_UPPER | SECRET_DIGIT)
#define SECRET_LETTERS (SECRET_LOWER | SECRET_UPPER)
#define SECRET_URLSAFE (SECRET_ALNUM | SECRET_DASH)
#define SECRET_RUN     (SECRET_URLSAFE | SECRET_DOT)

/* The alphabets that the character belongs to. */
unsigned secret_class(char c);
/* Returns the end of the characters of the alphabet from `at` on, at most max of them. */
size_t secret_span(const struct secret_finder *f, size_t at, unsigned alphabet, size_t max);
bool secret_starts(const struct secret_finder *f, size_t at, const char *s);
/* Whether s, in lower case, directly precedes `at`, in any case. */
bool secret_follows(const struct secret_finder *f, size_t at, const char *s);
/* Shannon's, in bits a character. */
double secret_entropy(const char *p, size_t len);
/* Whether the word, in lower case, is in p [len], in any case. */
bool secret_contains(const char *p, size_t len, const char *word);
bool secret_is_placeholder(const char *p, size_t len);
/* The alphabets of letters and digits that occur. */
unsigned secret_classes(const char *p, size_t len);
/* Whether there are letters in both cases, or a digit, which words joined by dashes lack. */
bool secret_is_mixed(const char *p, size_t len);
/* Sets the match; true. */
bool secret_found(struct secret_finder *f, const char *name, size_t start, size_t end);

#endif
