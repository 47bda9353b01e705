/*
 * statement.h: sentences in which somebody says something lasting about themselves or their work:
 * found by rules, in English and Chinese.
 *
 * Questions, conditions, code, quoted lines and what somebody only feels or wants right now are
 * passed over, as are sentences of over STATEMENT_BYTES.
 */
#ifndef TEXT_STATEMENT_H
#define TEXT_STATEMENT_H

#include "base/base.h"

enum statement_kind {
	SAYS_IDENTITY,
	SAYS_PREFERENCE,
	SAYS_GOAL,
	SAYS_RELATION,
	SAYS_POSSESSION,
	SAYS_HABIT,
	SAYS_DECISION,
	SAYS_TODO
};

#define STATEMENT_BYTES 600
#define STATEMENT_KEY   48

struct statement {
	size_t start, len;                     /* the sentence, bytes of the text */
	enum statement_kind kind;
	/* "health", "work", "relationships", "events", "interests" or "" */
	const char *about;
	/* of what can only be one at a time ("name", "home", "favorite_color"), else "" */
	char key[STATEMENT_KEY];
	double importance;                     /* 1 identity ... .2 trivial */
};

/* Returns 0 to go on; anything else stops. */
typedef int statement_fn(void *arg, const struct statement *s);
void statements_each(const char *text, size_t len, statement_fn *fn, void *arg);

/*
 * At most 60 characters and one of favorite, love, like, enjoy, prefer, hate, said of oneself:
 * needs no model. The sentence is all of the text.
 */
bool statement_is_short(const char *text, size_t len, struct statement *out);
/* Likes or dislikes, of oneself or of a user that is spoken of. */
bool statement_is_preference(const char *text, size_t len);

#endif
