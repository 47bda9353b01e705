/*
 * secret_forms.h: the tables of secret_find.c: forms with a prefix, addresses that are secrets,
 * names that announce a secret, and words that show that a value is none.
 */
#ifndef TEXT_SECRET_FORMS_H
#define TEXT_SECRET_FORMS_H

#include "base/base.h"

/* Alphabets, as bits; HEX is in lower case. */
enum {
	SECRET_LOWER = 1,
	SECRET_UPPER = 2,
	SECRET_DIGIT = 4,
	SECRET_DASH = 8 /* - and _ */,
	SECRET_DOT = 16,
	SECRET_BASE64 = 32 /* + / = */,
	SECRET_HEX = 64
};

struct secret_form {
	const char *prefix, *name;
	unsigned alphabet;
	unsigned min, max;         /* number of characters behind the prefix */
	double entropy;            /* their least entropy, in bits a character */
};

extern const struct secret_form secret_forms[], secret_webhooks[];
extern const size_t secret_n_forms, secret_n_webhooks;

/* Ends of names, in lower case, without _ and -; the last row has length 0. */
struct secret_name { size_t len; const char *text; };

extern const struct secret_name secret_key_names[], secret_password_names[];

extern const char *const secret_placeholders[];        /* NULL-terminated */

#endif
