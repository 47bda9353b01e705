/*
 * secret_find.h: what the two halves of redaction share: secrets.c, which passes over the text, and
 * secret_find.c, which tells at one place whether a secret stands there.
 */
#ifndef TEXT_SECRET_FIND_H
#define TEXT_SECRET_FIND_H

#include "base/base.h"

#define SECRET_RUN_BYTES 16        /* a secret without a name is no shorter, prefix and all */

struct secret_match {
	const char *name;          /* of its form; static */
	size_t start, end;
};

struct secret_finder {
	const char *text;          /* borrowed */
	size_t len;
	/* the end of the last match: nothing before it is looked at again */
	size_t done;
	struct secret_match m;     /* the last one found */
};

/*
 * Whether a secret begins in, or stands behind, the run [at, end) of letters, digits and - _ . :
 * then it is in f->m. Cost: the forms that begin with a letter of it, at each start of a word.
 */
bool secret_in_run(struct secret_finder *f, size_t at, size_t end);
/* The same of the sign at at, one of : = + / */
bool secret_at_sign(struct secret_finder *f, size_t at);

/*
 * The form of the secret that value [len] is, in quotes under this name, as in an object of JSON;
 * NULL: it is none for what its name says.
 */
const char *secret_named(const char *name, size_t name_len, const char *value, size_t len);

/* Whether what stands at at may be behind "bearer " or "basic ": most words end here. */
static inline bool
secret_may_be_borne(const char *text, size_t at)
{
	return at >= 7 && text[at - 1] == ' ' &&
	    ((text[at - 2] | 0x20) == 'r' || (text[at - 2] | 0x20) == 'c');
}

#endif
