/*
 * title.h: what a session is called wherever a person reads of it.
 */
#pragma once

#include "store/store.h"

#define TITLE_BYTES 200

/*
 * The title of a session: its own, else its name where that is of words, else how the summary
 * begins that a model made of it, else the subject of a mail, else what its summary says that a
 * talk of several people is about, else a line of its user, the first with three words of content,
 * or two in a question, where a turn near the beginning has one, else the first that says
 * something, else anybody's, else what the first tools that were called did, else its name. One
 * line, in the arena. Cost: a look-up, and the first messages are read.
 */
int session_title(struct store *s, const struct scope *who, const struct session *v,
	struct arena *a, const char **title, struct err *err);
/* All of these and how any summary begins, a line each: the words by which it may be asked for. */
int session_words(struct store *s, const struct scope *who, const struct session *v,
	struct arena *a, const char **words, struct err *err);
