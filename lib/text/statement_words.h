/*
 * statement_words.h: the word classes of the rules in statement.c, and the rules for Chinese.
 * Private to them.
 */
#ifndef TEXT_STATEMENT_WORDS_H
#define TEXT_STATEMENT_WORDS_H

#include "text/statement.h"

/* Is word, in lower case, in the class? Unknown classes are empty. */
bool is_class(const char *name, const char *word);
/* A word after which a clause begins: "and", "but", "because", "ok". */
bool is_lead_in(const char *word, size_t len);

/* A Chinese sentence by its own rules; fills kind, key, about and importance. */
bool statement_chinese(const char *text, size_t len, struct statement *s);
bool statement_likes_chinese(const char *text, size_t len);

#endif
