/*
 * week.h: the time since a day in words: what was worked on, decided, done, left open, and asked
 * for in vain.
 */
#pragma once

#include "store/store.h"

enum week_part { WEEK_WORKED, WEEK_DECIDED, WEEK_WANTED, WEEK_DONE, WEEK_OPEN,
	WEEK_MISSED, N_WEEK_PARTS };
extern const char *const week_part_names[];

struct week_item {
	enum week_part part;
	int64_t time_us;
	/* the message that it rests on, or a note; "": of a session as a whole */
	const char *id;
	const char *session, *project, *text;
	size_t len;
	const char *later;         /* of a decision what was said later of it (decided_text) */
};

struct week {
	struct week_item *items;           /* part by part, the oldest first; texts in the arena */
	size_t n, cap;
	size_t n_older;                    /* sessions of the span that are not among them */
	size_t n_searches, n_none;         /* those that found nothing likely */
};

/*
 * Reads what was said from since_us on. Decisions, and what is to be done, are what the user said
 * in such words, as mem-extract finds them without a model; nothing is stored. What a later turn
 * says is done counts as done. Searches are those of that time; their words are not kept, but what
 * was complained of as forgotten is. Cost: the user's turns of the span are read, and for each
 * thing to be done there is a search by words.
 */
int week_read(struct store *s, const struct scope *who, int64_t since_us, struct arena *a,
	struct week *out, struct err *err);
