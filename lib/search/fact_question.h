/*
 * fact_question.h: what a question asks of facts: about whom, what they are set to, and whether it
 * asks for what holds or for what held once.
 */
#pragma once

#include "statement/likeness_words.h"
#include "statement/reading.h"
#include "store/records.h"

#define FACT_SLOTS 8

struct fact_question {
	const char *text;
	size_t len;
	struct said words;
	struct reading reading;            /* of the question, as if it were a statement */
	const char *slots[FACT_SLOTS];     /* [n_slots] what it asks for (schema/cues/slots.txt) */
	size_t n_slots;
	bool past;                         /* it asks for what held once */
	bool ahead;                        /* for what is to come, or for a time */
	int64_t from_us, to_us;            /* when that was; TIME_NONE: it does not say */
	bool of_user;                      /* it asks about the speaker, or "the user" */
};

/* text is borrowed. now_us: the moment from which "last month" is counted. */
void fact_question_read(struct fact_question *q, const char *text, size_t len, int64_t now_us);

/* Whether the question names the subject (facts/subject.h); "" is the user. */
bool fact_question_names(const struct fact_question *q, const char *subject);

/*
 * Of each word of the question whether it stands in the fact (2), or only in the message that it
 * rests on (said, NULL: none) (1); match [q->words.n]. Function words and those of the subject's
 * name are in neither.
 */
void fact_question_match(const struct fact_question *q, const char *subject, const struct fact *f,
	const char *said, size_t said_len, uint8_t *match);

/* Whether the fact is about a slot that the question asks for. */
bool fact_question_keyed(const struct fact_question *q, const struct fact *f);

/* Whether the fact held when the question asks for; true when it does not say when. */
bool fact_question_held(const struct fact_question *q, const struct fact *f);
