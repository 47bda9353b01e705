/*
 * statement.h: finds in a text the clauses that say something lasting about a person or their work.
 *
 * A clause (statement/clause.h) is taken when its words say that it lasts (statement/lasting.h) and
 * its author vouches for it (statement/vouch.h). It is then read (statement/reading.h).
 */
#pragma once

#include "statement/clause.h"
#include "statement/reading.h"
#include "statement/vouch.h"

#define STATEMENT_BYTES READING_BYTES

/* What is known of the message that a clause is in. */
struct statement_turn {
	const char *text;
	size_t len;
	bool project;              /* it is about a project */
	bool told;                 /* an assistant says it */
	bool talk;                 /* people talk with each other */
	bool unheard;              /* no assistant hears it, who could do what is wanted */
	bool nobody;               /* no person says it: what has a label is taken */
	bool taken_back;           /* its author does so in their next turn (statement/vouch.h) */
	/* whether a part is played in the session so far (statement/vouch.h), kept up; or NULL */
	bool *played;
};

struct statement {
	size_t start, len;         /* bytes of the clause in the text */
	struct reading read;
	bool decided;              /* a rule for the work on the project, which is a decision */
};

/* Returns 0 to continue; any other value stops. */
typedef int statement_fn(void *arg, const struct statement *s);

/* by: see reading.h; NULL: nothing is known. */
void statements_of(const struct statement_turn *t, const struct reading_by *by, statement_fn *fn,
	void *arg);
/* The same of a text of which nothing else is known. */
void statements_each(const char *text, size_t len, statement_fn *fn, void *arg);

/* The bytes of a label that a text begins with, "Decided: ", 待办：; 0: it has none. kind or NULL. */
size_t statement_label(const char *text, size_t len, enum reading_kind *kind);
/* Likewise, with "we decided to" behind it or instead of it. */
size_t statement_head(const char *text, size_t len, enum reading_kind *kind);

/*
 * Whether all of text is one clause of at most 60 characters in which a user says what they like or
 * dislike. Such a statement needs no language model.
 */
bool statement_is_short(const char *text, size_t len, const struct reading_by *by,
	struct statement *out);
/* Whether the text says what its author, or a user it speaks of, likes or dislikes. */
bool statement_is_preference(const char *text, size_t len);
