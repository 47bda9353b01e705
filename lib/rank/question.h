/*
 * question.h: what a question says: its terms, whom it names, when it means, what it asks for.
 */
#ifndef RANK_QUESTION_H
#define RANK_QUESTION_H

#include "base/buf.h"
#include "base/caps.h"
#include "text/words.h"
#include "time/timewords.h"

#define QUESTION_SPANS    4
#define QUESTION_SPEAKERS 8
#define QUESTION_JOINED   24
#define QUESTION_PARTS    8
#define QUESTION_FORMS    32
/* function words, pairs of characters and parts of identifiers come on top */
#define QUESTION_TERMS    (6 * CAP_QUERY_TERMS)

struct question_term {
	char text[WORDS_TERM_BYTES];
	uint8_t len;
	uint8_t kind;              /* enum word_kind */
	bool stop;                 /* a function word: searched only when there is nothing else */
	bool name;                 /* a speaker's name: a field, not a word of the text */
	bool time;                 /* inside a span of time: a field as well */
	uint32_t start, end;       /* bytes of the question, where it first stands */
	float weight;              /* of its idf */
	/* not written so: what a word means that the store does not know */
	bool guessed;
	uint8_t parts;             /* bit i: it stands in part i */
};

struct question {
	struct question_term terms[QUESTION_TERMS];
	/* different ones, in the order of the question; stop words among them only when all are */
	size_t n_terms;
	struct question_form {
		const char *text;
		uint8_t len;
		uint16_t term;
	} forms[QUESTION_FORMS];
	/* other ways to write a word of the question (variants.h), by term */
	size_t n_forms;
	struct question_joined {
		char text[WORDS_TERM_BYTES];
		uint8_t len;
		uint32_t start, end;
	} joined[QUESTION_JOINED];
	/*
	 * two to four neighbouring words closed up: an identifier that it may mean; the bytes of
	 * the question where they stand
	 */
	size_t n_joined;
	struct time_span spans[QUESTION_SPANS];
	size_t n_spans;
	/* sentences that end in a question mark, when there are several; else 0 */
	size_t n_parts;
	uint16_t speakers[QUESTION_SPEAKERS];      /* numbers of the speakers that it names */
	size_t n_speakers;
	bool names;                /* one of them as names are written */
	bool asks_when, asks_who;  /* who, where, which, what name */
	bool recalls;              /* it is about what was said or done */
	bool has_code;             /* an identifier */
	bool cut;                  /* more terms than are searched */
};

/*
 * now_us: what "last week" is counted from; TIME_NONE: time words are not looked for. max_terms
 * counts words, numbers and identifiers that are no function words, two Han characters as one.
 */
void
question_read(struct question *q, const char *text, size_t len, int64_t now_us, size_t max_terms);

/*
 * The words of text, wherever in the question they stand, count weight times as much: for words
 * that somebody else put there. Those that stand in keep as well are left alone.
 */
void question_weigh(struct question *q, const char *text, size_t len, const char *keep,
	size_t keep_len, float weight);

/* The term that a word of a text is, or is another form of; n_terms: none. */
size_t question_term_of(const struct question *q, const char *word, size_t len);

/*
 * The share of the question's idf [n_terms] that terms have which first stand in bytes start .. end
 * - 1 of it.
 */
float question_share(const struct question *q, const float *idf, uint32_t start, uint32_t end);

/* The content words of text that the question lacks, behind its own, with start and end 0. */
void question_add(struct question *q, const char *text, size_t len, float weight);

/*
 * A term of the index that stands for term i, which the store does not know; NULL when there is no
 * room, or the question has it, be it as another form of a term.
 */
struct question_term *
question_guess(struct question *q, size_t i, const char *term, size_t len, float weight);

/*
 * A speaker whose name starts with a word of the question: the words of the name are marked as a
 * name, and the speaker's number is kept.
 */
void question_add_speaker(struct question *q, uint16_t number, const char *name);

/*
 * What to embed of the question: text without the names of speakers (and their 's), for who speaks
 * is a field, and a name is near everything that bears it. All of it when nothing else is left.
 * Appended to out.
 */
void
question_without_names(const struct question *q, const char *text, size_t len, struct buf *out);

#endif
