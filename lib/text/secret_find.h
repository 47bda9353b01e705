/*
 * secret_find.h: shared by the two halves of redaction: secrets.c, which scans the text, and
 * secret_find.c, which decides whether there is a secret at one place.
 */
#ifndef TEXT_SECRET_FIND_H
#define TEXT_SECRET_FIND_H

#include "base/base.h"

/* a secret that is not named is at least this long, with its prefix */
#define SECRET_RUN_BYTES 16

struct secret_match {
	const char *name;          /* name of its form; static */
	size_t start, end;
};

struct secret_finder {
	const char *text;          /* borrowed */
	size_t len;
	/* the end of the last match; what precedes it is not examined again */
	size_t done;
	struct secret_match m;     /* the last match */
};

/*
 * Whether a secret begins in the run [at, end) of letters, digits and - _ . or directly behind it;
 * if so it is in f->m. Cost: at each start of a word, a comparison with the forms that begin with
 * its first letter.
 */
bool secret_in_run(struct secret_finder *f, size_t at, size_t end);
/*
 * The same for the sign at `at`: one of : = + /, a dash behind a blank, a blank behind a digit, or
 * a byte of a word for a password (secret_said.h).
 */
bool secret_at_sign(struct secret_finder *f, size_t at);

/*
 * Whether the match that ends at f->done is a key of which the other half stands near behind it, in
 * whatever words; if so that is in f->m.
 */
bool secret_other_half(struct secret_finder *f);

/*
 * Returns the form of the secret that value [len] is, if it stands in quotes under this name, as in
 * a JSON object; NULL: the name does not announce a secret, or the value is none.
 */
const char *secret_named(const char *name, size_t name_len, const char *value, size_t len);

/* A quick test whether the text at `at` may follow "bearer " or "basic "; rejects most words. */
static inline bool
secret_may_follow_scheme(const char *text, size_t at)
{
	return at >= 7 && text[at - 1] == ' ' &&
	    ((text[at - 2] | 0x20) == 'r' || (text[at - 2] | 0x20) == 'c');
}

#endif
