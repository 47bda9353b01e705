/*
 * statement_words.h: the word classes that the rules in statement.c name, and the rules for
 * Chinese. Private to statement.c and statement_words.c.
 */
#ifndef TEXT_STATEMENT_WORDS_H
#define TEXT_STATEMENT_WORDS_H

#include "text/statement.h"

/* Whether word, in lower case, is in the class. Unknown classes are empty. */
bool is_class(const char *name, const char *word);
/* Whether a clause begins behind this word: "and", "but", "because", "ok". */
bool is_lead_in(const char *word, size_t len);

/* Matches a Chinese sentence with its own rules; fills kind, key, about and importance. */
bool statement_chinese(const char *text, size_t len, struct statement *s);
bool statement_likes_chinese(const char *text, size_t len);

#endif
