/*
 * extract.h: finds statements in messages that are worth keeping and makes facts of them, each with
 * the quote that it rests on.
 *
 * What a user says counts; not assistants, tools or system prompts, nor the context blocks that mem
 * itself put into a message. Facts are clauses whose words say that they last
 * (statement/statement.h), or a language model is asked where one is configured, about many
 * messages at once, also of several sessions. Either way the quote is looked up in the message byte
 * by byte, and a fact whose quote is not there is dropped. When a model's fact holds a number, name
 * or negation that is not in the message, its text is replaced by the quote.
 */
#pragma once

#include "facts/fact_record.h"
#include "llm/llm.h"

struct extract;

struct extract_counts {
	uint64_t messages;                     /* read */
	uint64_t facts;                        /* handed out */
	uint64_t asked, answered; /* questions put to the model, and those it answered */
	uint64_t unquoted;                     /* dropped: the quote is not in the message */
	uint64_t reworded;                     /* text replaced by the quote */
	uint64_t short_ones;                   /* statements too short to need a model */
	int64_t tokens_in, tokens_out;         /* of the questions and their answers */
};

/* f is borrowed; quotes [f->head.n_sources]. Return 0 to go on. */
typedef int extract_fn(void *arg, const struct fact *f, const char *const *quotes);

/* l NULL: without a language model. l and user are borrowed. */
struct extract *extract_new(const char *user, struct llm *l, extract_fn *fn, void *arg);
void extract_free(struct extract *e);
const struct extract_counts *extract_counts(const struct extract *e);
/* Why the rules first stood in for the model; "" when they never did. */
const char *extract_note(const struct extract *e);

/*
 * From now on nothing is asked and no fact found: what the model would be asked is counted, with
 * the tokens as estimated, those of the answers as the most that there can be.
 */
void extract_estimate(struct extract *e);

/*
 * Extracts from a message record; it waits for others, as its speaker may take it back in the next,
 * and its facts come with theirs. Returns 0, or 1 when fn stopped it. ERR_DATA: v is no message.
 */
int extract_message(struct extract *e, const struct json *v, struct err *err);
/*
 * For a stream that pauses: extracts, by rules alone, from those messages that wait whose speakers
 * have gone on. Returns 0, or 1 when fn stopped it.
 */
int extract_idle(struct extract *e);
/* Extracts from the messages that wait. Returns 0, or 1 when fn stopped it. */
int extract_flush(struct extract *e);

/*
 * Hands out what claim, an object as the facts of an answer of a model, says of the message v, as
 * far as it stands: what does not is counted as unquoted or reworded. made is who claims it. Not to
 * be mixed with extract_message. ERR_DATA: v is no message.
 */
int extract_claimed(struct extract *e, const struct json *v, const struct json *claim,
	const char *made, struct err *err);
