/*
 * secret_given.h: passwords that a command is given, and what the value of one looks like.
 */
#ifndef TEXT_SECRET_GIVEN_H
#define TEXT_SECRET_GIVEN_H

#include "text/secret_find.h"

/* Whether letters and digits change as often as by chance, and not as in words: "jAvQwiRmNN". */
bool secret_is_jumbled(const char *p, size_t len);
/* Whether it is code, or stands for a password: "$PW", "<password>". */
bool secret_is_expression(const char *p, size_t len);
/* What a sentence may call a password. */
bool secret_is_said(const char *p, size_t len);
/* What a command is given as one: also a word. */
bool secret_is_given(const char *p, size_t len);

/* The token at *start, without quotes around it; returns its end. */
size_t secret_token(const struct secret_finder *f, size_t *start);
/* Whether the word is on the line, not far before `at`. */
bool secret_line_has(const struct secret_finder *f, size_t at, const char *word);

/* Whether it stands behind the option that begins at `at`, a dash behind a blank. */
bool secret_at_option(struct secret_finder *f, size_t at);
/* Whether it stands behind the name of a command that ends at `at`; if so it is in f->m. */
bool secret_operand(struct secret_finder *f, size_t at);
/* "curl -u NAME:PASSWORD"; the colon is at `at`. */
bool secret_login(struct secret_finder *f, size_t at);

#endif
