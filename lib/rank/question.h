/*
 * question.h: what a question says: its terms, whom it names, when it means, what it asks for.
 */
#ifndef RANK_QUESTION_H
#define RANK_QUESTION_H

#include "base/caps.h"
#include "text/timewords.h"
#include "text/words.h"

#define QUESTION_SPANS    4
#define QUESTION_SPEAKERS 8

struct question_term {
	char text[WORDS_TERM_BYTES];
	uint8_t len;
	uint8_t kind;              /* enum word_kind */
	bool stop;                 /* a function word: searched only when there is nothing else */
	bool name;                 /* a speaker's name: a field, not a word of the text */
	float weight;              /* of its idf */
};

struct question {
	struct question_term terms[CAP_QUERY_TERMS];
	size_t n_terms;            /* different ones, in the order of the question; stop words among them only when all are */
	struct time_span spans[QUESTION_SPANS];
	size_t n_spans;
	uint16_t speakers[QUESTION_SPEAKERS];      /* numbers of the speakers that it names */
	size_t n_speakers;
	bool asks_when, asks_who;  /* who, where, which, what name */
	bool has_code;             /* an identifier */
	bool cut;                  /* more terms than fit */
};

/* now_us: what "last week" is counted from; TIME_NONE: time words are not looked for. max_terms: at most CAP_QUERY_TERMS. */
void question_read(struct question *q, const char *text, size_t len, int64_t now_us, size_t max_terms);

/*
 * Marks the speakers that the question names, by all words of a name or its first. names [n], name of number i + 1.
 * When all speakers are named, none tells them apart: they stay marked as names only.
 */
void question_find_speakers(struct question *q, const char *const *names, size_t n);

#endif
