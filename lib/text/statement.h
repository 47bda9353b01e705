/*
 * statement.h: finds sentences in which people say something lasting about themselves or their
 * work, by rules, in English and Chinese.
 *
 * Questions, conditions, code, quoted lines, feelings or wishes of the moment, and sentences longer
 * than STATEMENT_BYTES are skipped.
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
	size_t start, len;                     /* bytes of the sentence in the text */
	enum statement_kind kind;
	/* topic: "health", "work", "relationships", "events", "interests" or "" */
	const char *about;
	/*
	 * for a property that has one value at a time ("name", "home", "favorite_color"), else ""
	 */
	char key[STATEMENT_KEY];
	double importance;                     /* 1 for identity ... .2 for trivial matters */
};

/* Returns 0 to continue; any other value stops. */
typedef int statement_fn(void *arg, const struct statement *s);
void statements_each(const char *text, size_t len, statement_fn *fn, void *arg);

/*
 * Whether all of text is one sentence of at most 60 characters in which a user says of themselves
 * one of favorite, love, like, enjoy, prefer, hate. Such a sentence needs no language model.
 */
bool statement_is_short(const char *text, size_t len, struct statement *out);
/* Whether the text says what its author, or a user it speaks of, likes or dislikes. */
bool statement_is_preference(const char *text, size_t len);

#endif
