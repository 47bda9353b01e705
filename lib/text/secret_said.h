/*
 * secret_said.h: secrets that have no form of their own, and stand where somebody says so: in
 * a header or an address, in a sentence; and numbers with a checksum.
 */
#ifndef TEXT_SECRET_SAID_H
#define TEXT_SECRET_SAID_H

#include "text/secret_find.h"

/* Whether a secret begins behind the sign at `at`; if so it is in f->m. */
bool secret_at_colon(struct secret_finder *f, size_t at);
bool secret_in_query(struct secret_finder *f, size_t at);        /* = */
bool secret_in_groups(struct secret_finder *f, size_t at);       /* a blank behind a digit */
/* The same for a run of SECRET_RUN_BYTES or more. */
bool secret_in_long_run(struct secret_finder *f, size_t at, size_t end);
/*
 * The same behind a word for a password, of which `at` is a byte where few other words have the
 * same three: the w of "password", the e of "passe".
 */
bool secret_said(struct secret_finder *f, size_t at);
/* The same for a run that looks like chance, behind words that call it a token or a key. */
bool secret_called(struct secret_finder *f, size_t at, size_t end);

#endif
