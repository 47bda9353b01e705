/*
 * statement.h: finds in a text the clauses that say something lasting about a person or their work.
 *
 * Each clause (statement/clause.h) is judged by a head (math/head.h) whose weights are learnt and
 * kept in schema/heads/fact.txt, from its words (statement/statement_features.h) and, with an
 * encoder of which there is a section, from its vector. What is taken is then read
 * (statement/reading.h).
 */
#ifndef STATEMENT_STATEMENT_H
#define STATEMENT_STATEMENT_H

#include "math/head.h"
#include "statement/reading.h"
#include "statement/statement_features.h"
#include "statement/vouch.h"

#define STATEMENT_BYTES READING_BYTES

struct statement {
	size_t start, len;         /* bytes of the clause in the text */
	double p;                  /* the probability that it is lasting */
	struct reading read;
};

/* Returns 0 to continue; any other value stops. */
typedef int statement_fn(void *arg, const struct statement *s);

/* What makes vectors of clauses [n]: [n][head->n_dims], borrowed until the next call. */
struct statement_encoder {
	const struct head *head;
	const float *(*vectors)(void *arg, const char *text, const struct clause *c, size_t n);
	void *arg;
};

/*
 * The head for vectors of this model, read once; NULL when nothing was learnt with it. With
 * HEAD_WORDS: by words alone.
 */
const struct head *statement_head(const char *model);

/*
 * Reads the next clause of the text that v was begun with. Returns whether its author vouches for
 * it (statement/vouch.h), so that it may be kept. by: see reading.h; NULL: nothing is known.
 */
bool statement_read(const struct statement_turn *t, const struct clause *c, struct voucher *v,
	const struct reading_by *by, struct reading *out);

/* encoder NULL: by words alone. */
void statements_of(const struct statement_turn *t, const struct reading_by *by,
	const struct statement_encoder *encoder, statement_fn *fn, void *arg);

/* The same of a text of which nothing else is known, by words. */
void statements_each(const char *text, size_t len, statement_fn *fn, void *arg);

/*
 * Whether all of text is one clause of at most 60 characters in which a user says what they like or
 * dislike. Such a statement needs no language model.
 */
bool statement_is_short(const char *text, size_t len, const struct reading_by *by,
	struct statement *out);
/* Whether the text says what its author, or a user it speaks of, likes or dislikes. */
bool statement_is_preference(const char *text, size_t len);

#endif
