/*
 * vouch.h: whether who writes a clause vouches for it, or only supposes it ("if I win I live in
 * Monaco"), tells what somebody else says ("my boss says I live here", "Tom: I live in Rome") or
 * writes a text ("Translate: I live in Paris"). In English, German, Chinese, Spanish, Italian and
 * French, by the words of schema/cues/vouch.txt.
 *
 * Clauses of a text are asked for in their order, since what one says holds for those behind it:
 * a condition to the end of its sentence, a task to the end of its paragraph.
 */
#pragma once

#include "statement/clause.h"

enum vouch {
	VOUCH_OWN,
	VOUCH_CONDITION,           /* a condition stands behind it: "I live in Monaco if I win" */
	VOUCH_SUPPOSED,
	VOUCH_LABELLED,            /* behind the name of a speaker: "Tom: I live in Rome" */
	VOUCH_REPORTED,
	VOUCH_INVENTED
};

struct voucher {
	const char *text, *speaker;
	size_t len;
	size_t sentence, line;     /* those that the clause before this one is of begin here */
	enum vouch carried;        /* what holds for the rest of the sentence */
	bool scene, asked;         /* a scene was set in the line; the clause before asks */
	bool label;                /* the line begins with the name of a speaker */
	size_t n_labels;
	size_t task_end;           /* up to here the text is one to work on */
	bool played;               /* a part is played, up to a "stop" */
	bool taken_back;           /* its author takes the end of it back in their next turn */
};

/*
 * text and speaker (who writes it, "": nobody knows) are borrowed. played: a part was played at the
 * end of the text before it; v->played tells the same of this one.
 */
void vouch_begin(struct voucher *v, const char *text, size_t len, const char *speaker,
	bool played);
/* Whether a text begins by taking back what was said before it: "just kidding", "forget that". */
bool vouch_takes_back(const char *text, size_t len);
/* Of the next clause of the text. Cost: linear. */
enum vouch vouch_next(struct voucher *v, const struct clause *c);
/* Whether all clauses of a text are its author's own statements; labels do not count. */
bool vouch_is_own(const char *text, size_t len);
/* Whether a text speaks of its author ("I", "my") in its first words. */
bool vouch_is_first(const char *text, size_t len);
