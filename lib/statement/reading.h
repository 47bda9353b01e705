/*
 * reading.h: reads from a statement who it is about, what kind it is, what it sets, since when and
 * until when it holds: by tables of cue words (schema/cues) and by time/timewords.h.
 *
 * A statement is a clause of a message (statement/clause.h) or a short text such as "Anna reports
 * to Peter". Whether it is worth keeping is another question.
 */
#pragma once

#include "base/clock.h"
#include "statement/polarity.h"

enum reading_kind {
	READ_FACT,
	READ_PREFERENCE,
	READ_DECISION,
	READ_TODO,
	READ_RULE
};

#define READING_BYTES 600
#define READING_NAME  48

/* Whose words they are; "" and TIME_NONE for what is not known. */
struct reading_by {
	const char *speaker, *project;
	int64_t time_us;           /* when it was said: what "next Friday" goes by */
	/* who "he" or "she" was so far (READING_NAME bytes), kept up by reading_of; or NULL */
	char *person;
};

struct reading {
	enum reading_kind kind;
	char about[READING_NAME + 8];          /* "user", "other:Tess", "project:NAME" */
	bool unknown;                          /* about is a pronoun ("other:he") */
	const char *slot, *bank;               /* of schema/cues/slots.txt; "": none is set */
	bool single;                           /* the slot has one value at a time: a home */
	/* of what the slot is set to; what is denied or wished for sets none */
	enum polarity polarity;
	int64_t from_us, to_us;                /* when it holds; TIME_NONE: it does not say */
	int64_t ahead_us;                      /* "from 18 December", to come; TIME_NONE: none */
	bool ends;                             /* says that something holds no longer */
	double importance;                     /* 1 for identity ... .2 for trivial matters */
};

/* Reads text [len], of which READING_BYTES count. by may be NULL. Cost: some 20 us. */
void reading_of(const char *text, size_t len, const struct reading_by *by, struct reading *out);
