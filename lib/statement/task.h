/*
 * task.h: what a text says of something that was to be done. It is done where its verb is said of
 * its thing, as done: "I booked the train" of "book the train to Cremona", "Leim hab ich bestellt"
 * of "Leim bestellen". The thing alone says nothing of that ("the train was late"), nor does the
 * verb of another thing. The words are those of schema/cues/todo.txt, in eight languages.
 */
#pragma once

#include "lexicon/lex.h"
#include "statement/cues.h"
#include "text/variants.h"

#define TASK_WORDS 64                      /* of a longer text, those behind are not looked at */

enum task_says {
	TASK_NOTHING,                      /* it is about something else */
	TASK_OPEN,                         /* it is still to be done */
	TASK_DOUBT,                        /* its thing is named, and nobody knows why */
	TASK_DONE                          /* it is done, or need not be */
};

struct task_word {
	uint32_t start, end;               /* bytes of the text */
	bool thing;                        /* names something */
	bool number, article, unspaced;
	uint8_t len, n_stem;
	uint8_t n_forms;                   /* of a task: other forms of its stem */
	struct variant forms[VARIANTS_MOST];
	char folded[LEX_BYTES], stem[LEX_BYTES];
};

struct task {
	size_t n, n_verbs;
	struct task_word w[TASK_WORDS];
	uint8_t verbs[TASK_WORDS];         /* [n_verbs] the words that may be its verb */
};

/* Reads what is to be done, behind the word that says so and before when or why it is. */
void task_read(struct task *t, const char *text, size_t len);
/* What a later text of somebody says of it. Cost: some 60 microseconds a clause. */
enum task_says task_heard(const struct task *t, const char *text, size_t len);
/* Whether a text speaks of doing it, by its verb and its thing: "then order the forwarding". */
bool task_spoken(const struct task *t, const char *text, size_t len);
