/*
 * digest.h: a span of time in words: what was worked on, decided, done, left open, and asked for in
 * vain.
 */
#ifndef REPORT_DIGEST_H
#define REPORT_DIGEST_H

#include "store/store.h"

enum digest_part { DIGEST_WORKED, DIGEST_DECIDED, DIGEST_WANTED, DIGEST_DONE, DIGEST_OPEN,
	DIGEST_MISSED, N_DIGEST_PARTS };
extern const char *const digest_part_names[];

struct digest_item {
	enum digest_part part;
	int64_t time_us;
	/* the message that it rests on, or a note; "": of a session as a whole */
	const char *id;
	const char *session, *project, *text;
	size_t len;
};

struct digest {
	struct digest_item *items;         /* part by part, the oldest first; texts in the arena */
	size_t n, cap;
	size_t n_searches, n_none;         /* those that found nothing likely */
};

/*
 * Reads what was said from since_us until until_us (TIME_NONE: now). Decisions, and what is to be
 * done, are what the user said in such words, as mem-extract finds them without a model; nothing
 * is stored. What a later turn says is done counts as done, also after the span. Searches are those
 * of that time; their words are not kept, but what was complained of as forgotten is. Cost: the
 * user's turns of the span are read, and for each thing to be done there is a search by words.
 */
int digest_read(struct store *s, const struct scope *who, int64_t since_us, int64_t until_us,
	struct arena *a, struct digest *out, struct err *err);
void digest_release(struct digest *d);

#endif
