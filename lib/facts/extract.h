/*
 * extract.h: what messages say that is worth keeping, as facts with the quote that they rest on
 * (SPEC 4.5).
 *
 * Only what a user says counts: not the assistant, tools, system prompts, nor mem's own context
 * blocks. By rules (text/statement.h), or by a language model where one is configured; whatever
 * made a fact, its quote is looked for in the message, letter by letter, and a fact whose quote is
 * not there is dropped. A fact of a model that says a number, name or negation that is not in the
 * message is put into the words of its quote.
 */
#ifndef FACTS_EXTRACT_H
#define FACTS_EXTRACT_H

#include "facts/fact_record.h"
#include "llm/llm.h"

struct extract;

struct extract_counts {
	uint64_t messages;                     /* read */
	uint64_t facts;                        /* handed out */
	uint64_t asked, answered;              /* questions to the model */
	uint64_t unquoted;                     /* dropped: the quote is not in the message */
	uint64_t reworded;                     /* put into the words of the quote */
	uint64_t short_ones;                   /* short statements, which need no model */
};

/* f borrows; quotes [f->head.n_sources]. Returns 0 to go on. */
typedef int extract_fn(void *arg, const struct fact *f, const char *const *quotes);

/* l NULL: by rules alone. Both borrowed. */
struct extract *extract_new(const char *user, struct llm *l, extract_fn *fn, void *arg);
void extract_free(struct extract *e);
const struct extract_counts *extract_counts(const struct extract *e);
/* Why the rules stood in for the model the first time, "" when they did not. */
const char *extract_note(const struct extract *e);

/* A message record. Returns 0, 1 when fn stopped it. ERR_DATA: it is no message. */
int extract_message(struct extract *e, const struct json *v, struct err *err);

#endif
