/*
 * about.h: what users wrote about themselves, and whether it may be used: their profile.
 *
 * A field has one value. Its row stands for it in vectors.h; it gets a vector only while there is
 * consent, and another row when its value changes.
 */
#ifndef STORE_ABOUT_H
#define STORE_ABOUT_H

#include "store/store.h"

#define N_ABOUT_FIELDS 7
extern const char *const about_fields[];           /* "style", "languages" ...; NULL at the end */
extern const char *const about_meanings[];         /* in words: "coding style" */
int about_field_parse(const char *s);              /* -1 when it is none */

struct about { int field; const char *value; int64_t updated_us; int64_t row; };
/* In the order of the fields. v lives until the callback returns. */
typedef int about_fn(void *arg, const struct about *v);
int about_each(struct store *s, const struct scope *who, about_fn *fn, void *arg, struct err *err);

/* *since_us: since when it is so; TIME_NONE: nothing was ever said, which is no. */
int about_consent(struct store *s, const struct scope *who, bool *yes, int64_t *since_us,
	struct err *err);

/* ---- in the open transaction ---- */

#define ABOUT_BYTES 8192
/* value "": the field goes, with its vector. ERR_DATA: it is over ABOUT_BYTES. */
int
about_put(struct store *s, const struct scope *who, int field, const char *value, struct err *err);
/* Without consent the fields stay and their vectors go. */
int about_set_consent(struct store *s, const struct scope *who, bool yes, struct err *err);
/*
 * Consent, all fields and their vectors go. Their bytes have left the file after the commit and
 * store_settle. *n fields there were.
 */
int about_revoke(struct store *s, const struct scope *who, size_t *n, struct err *err);

#endif
