/*
 * statement_features.h: what a clause looks like, as numbers for a head (math/head.h) that decides
 * whether it says something lasting.
 *
 * Each class of schema/cues/statement.txt gives two features, 1 or 0: "like" when one of its words
 * is in the clause, "^like" when it is one of the first two. The rest is form: length, marks,
 * place; and whether some slot (schema/cues/slots.txt) is named.
 */
#ifndef STATEMENT_STATEMENT_FEATURES_H
#define STATEMENT_STATEMENT_FEATURES_H

#include "statement/clause.h"

#define STATEMENT_FEATURES_MAX 256

/* What is known of the message that a clause is in. */
struct statement_turn {
	const char *text;
	size_t len;
	bool project;              /* it is about a project */
	bool asked;                /* the turn before asked something */
	bool told;                 /* an assistant says it */
	bool talk;                 /* people talk with each other */
	/* whether a part is played in the session so far (statement/vouch.h), kept up; or NULL */
	bool *played;
};

/* The names of all features, [*n] at most STATEMENT_FEATURES_MAX. */
const char *const *statement_feature_names(size_t *n);
/* Fills x [n]. before: the clause before c in its message, or NULL. */
void statement_features(const struct statement_turn *t, const struct clause *c,
	const struct clause *before, float *x);

#endif
