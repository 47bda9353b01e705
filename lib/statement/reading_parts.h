/*
 * reading_parts.h: what the parts of reading.c share: a statement with the cues that were found in
 * it. For the files lib/statement/reading*.c only.
 */
#pragma once

#include "statement/cues.h"
#include "statement/reading.h"

struct reader {
	const char *text;
	size_t len;
	const struct reading_by *by;
	struct cue_text says, slots;
	struct reading *out;
};

/* The first cue of a class; NULL: there is none. */
const struct cue *reader_cue(const struct reader *r, const char *class);
bool reader_has(const struct reader *r, const char *class);
/* Whether a cue of the class is one of the first words. */
bool reader_opens(const struct reader *r, const char *class, unsigned words);

/* Sets about and relation, and by->person (reading_who.c). */
void reader_about(struct reader *r);
/* Sets from_us, to_us and ends, which needs the polarity (reading_times.c). */
void reader_times(struct reader *r);
