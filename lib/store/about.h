/*
 * about.h: a user's profile: what they wrote about themselves, and whether they consent to its use.
 *
 * A field has one value, in a row of its own. It has a vector only while the user consents, and
 * gets a new row when its value changes, so that an old vector is never taken for the new value's.
 */
#pragma once

#include "store/store.h"

#define N_ABOUT_FIELDS 7
extern const char *const about_fields[];           /* "style", "languages" ...; NULL at the end */
extern const char *const about_meanings[];         /* in words: "coding style" */
int about_field_parse(const char *s);              /* -1: there is no such field */

struct about { int field; const char *value; int64_t updated_us; int64_t row; };
/* In the order of the fields. v lives until the callback returns. */
typedef int about_fn(void *arg, const struct about *v);
int about_each(struct store *s, const struct scope *who, about_fn *fn, void *arg, struct err *err);

/* *since_us is when the user last said so. TIME_NONE: the user never did, and *yes is false. */
int about_consent(struct store *s, const struct scope *who, bool *yes, int64_t *since_us,
	struct err *err);

/* ---- in the open transaction ---- */

#define ABOUT_BYTES 8192
/* Sets a field; value "" removes it and its vector. ERR_DATA: the value is over ABOUT_BYTES. */
int
about_put(struct store *s, const struct scope *who, int field, const char *value, struct err *err);
/* When consent ends, the fields stay and their vectors are removed. */
int about_set_consent(struct store *s, const struct scope *who, bool yes, struct err *err);
/*
 * Removes consent, all fields and their vectors; *n is how many fields there were. Their bytes have
 * left the file after the commit and store_settle.
 */
int about_revoke(struct store *s, const struct scope *who, size_t *n, struct err *err);
