/* question.h: reads a question: its terms, whom it names, which time it means, what it asks for. */
#pragma once

#include "base/buf.h"
#include "base/caps.h"
#include "rank/prompt.h"
#include "text/language.h"
#include "text/words.h"
#include "time/timewords.h"

#define QUESTION_SPANS    4
#define QUESTION_SPEAKERS 8
#define QUESTION_PROJECTS 16
#define QUESTION_JOINED   24
#define QUESTION_PARTS    8
#define QUESTION_FORMS    128
/* beside the words there are function words, pairs of characters and parts of identifiers */
#define QUESTION_TERMS    (6 * CAP_QUERY_TERMS)

struct question_term {
	char text[WORDS_TERM_BYTES];
	uint8_t len;
	uint8_t kind;              /* enum word_kind */
	bool stop;                 /* a function word: searched only when there is nothing else */
	bool name;                 /* part of a speaker's name: a field, not a word of the text */
	bool time;                 /* part of a span of time: a field too */
	uint32_t start, end;       /* bytes of the question where it first occurs */
	float weight;              /* factor on its idf */
	/* not in the question: a guess for a word that the store does not know */
	bool guessed;
	uint8_t parts;             /* bit i: it occurs in part i */
};

struct question {
	struct question_term terms[QUESTION_TERMS];
	/*
	 * all different, in the order of the question; stop words are among them only when there is
	 * nothing else
	 */
	size_t n_terms;
	struct question_form {
		const char *text;
		uint8_t len;
		uint16_t term;
	} forms[QUESTION_FORMS];
	/*
	 * other ways to write a word of the question (variants.h); in another language than English
	 * its other forms (search/inflections.c)
	 */
	size_t n_forms;
	struct question_joined {
		char text[WORDS_TERM_BYTES];
		uint8_t len;
		uint32_t start, end;
	} joined[QUESTION_JOINED];
	/*
	 * two to four neighbouring words written together, an identifier that they may mean; and
	 * the bytes of the question where they are
	 */
	size_t n_joined;
	struct time_span spans[QUESTION_SPANS];
	size_t n_spans;
	/* number of sentences that ask, with a question mark, if there are several; else 0 */
	size_t n_parts;
	struct prompt prompt;                /* which part of it asks */
	unsigned language;
	uint16_t speakers[QUESTION_SPEAKERS];      /* numbers of the speakers that it names */
	size_t n_speakers;
	uint16_t projects[QUESTION_PROJECTS];      /* numbers of the projects that it names */
	size_t n_projects;
	/* it certainly names a speaker: one of the names is written as a name */
	bool names;
	/*
	 * it asks about a person: the asker ("where did I put", not in other sentences of a prompt)
	 * or, once speakers are known, somebody who speaks in the memory; else about a matter
	 */
	bool about_person;
	bool asks_when, asks_who;  /* it asks when; it asks who, where, which or what name */
	bool recalls;              /* it asks for what was said or done */
	bool asks_now;             /* it asks for what holds at present */
	bool asks_last;            /* it asks for the last that its speakers, or these, said */
	unsigned last_roles;       /* by 1 << role: the user ("did I say"), the assistant ("you") */
	unsigned things;           /* THING_ flags: what kinds of things it asks for */
	bool has_code;             /* it has an identifier */
	bool cut;                  /* it had more terms than are searched */
};

/*
 * now_us: the moment from which "last week" is counted; TIME_NONE: time words are ignored.
 * max_terms counts words, numbers and identifiers that are no function words; two Han characters
 * count as one. In a prompt (rank/prompt.h) a word has the weight of the clause that asks most of
 * those it is in; words that hardly belong to the question are left out, and so are times.
 */
void
question_read(struct question *q, const char *text, size_t len, int64_t now_us, size_t max_terms);

/*
 * Multiplies by weight the weight of those terms that text has and keep has not: for words that
 * somebody other than the user put into the question.
 */
void question_weigh(struct question *q, const char *text, size_t len, const char *keep,
	size_t keep_len, float weight);

/* Returns the number of the term that has these bytes; n_terms: none. */
size_t question_term_at(const struct question *q, const char *word, size_t len);
/* Whether a text has a word of the name of a speaker whom the question names. */
bool question_has_name(const struct question *q, const char *text, size_t len);
/* Returns the number of the term that a word of a text is, or is another form of; n_terms: none. */
size_t question_term_of(const struct question *q, const char *word, size_t len);

/*
 * When the question asks for a time, maybe of what a speaker said, and for nothing else ("what
 * happened in June"): writes the ranges that it means and returns how many; 0: it asks for more.
 * Its speakers must be known (question_add_speaker).
 */
size_t question_time_alone(const struct question *q, const char *text, size_t len, int64_t now_us,
	struct time_range out[QUESTION_SPANS]);

/* Adds another form of term i, borrowed; false: there is no room, or the question has it. */
bool question_form(struct question *q, size_t i, const char *form, size_t len);
/* Drops form k; those behind it move up. */
void question_drop_form(struct question *q, size_t k);

/*
 * The share of the question's idf [n_terms] held by terms that first occur in its bytes start ..
 * end - 1.
 */
float question_share(const struct question *q, const float *idf, uint32_t start, uint32_t end);

/* Appends the content words of text that the question lacks, with start and end 0. */
void question_add(struct question *q, const char *text, size_t len, float weight);

/*
 * Adds a term of the index as a guess for term i, which the store does not know. Returns NULL when
 * there is no room or the question has the term already, be it as another form.
 */
struct question_term *
question_guess(struct question *q, size_t i, const char *term, size_t len, float weight);

/*
 * Adds a speaker whose name starts with a word of the question: its words are marked as a name, and
 * the speaker's number is kept.
 */
void question_add_speaker(struct question *q, uint16_t number, const char *name);
/*
 * Whether the question asks for the last that its speakers said, or the asker or the assistant: a
 * word for it and one of saying belong together, and no noun of its own ("the last release") or
 * time ("last week") stands there. Sets asks_last; the words are fields then, as a name is.
 */
void question_find_last(struct question *q, const char *text, size_t len);
/*
 * Whether the question has all words of a project's name, or the name as one identifier. Of a
 * directory the last part is the name.
 */
bool question_names_project(const struct question *q, const char *name);
/*
 * Adds a project that the question names. Its words stay words of the text, but weigh less: all
 * turns of the project are of it, those that say its name as much as the others.
 */
void question_add_project(struct question *q, uint16_t number, const char *name);

/*
 * Appends to out what to embed of the question: text without the names of speakers (and their 's),
 * because the speaker is a field, and because a name's vector is near every text that has it; and
 * without the sentences of a prompt that do not ask. When nothing else is left, all of text.
 */
void
question_without_names(const struct question *q, const char *text, size_t len, struct buf *out);
