/*
 * speaker.h: who speaks, as written text says it before the words: the sides of a chat, and what a
 * name looks like.
 */
#ifndef CLEAN_SPEAKER_H
#define CLEAN_SPEAKER_H

#include "base/base.h"

#define SPEAKER_BYTES 64                   /* a name has no more */

/*
 * What tells, besides its looks, that a name stands there: the less it is, the more a name must
 * look like one.
 */
enum speaker_by {
	SPEAKER_STAMP,                     /* a time beside it */
	SPEAKER_CUE,                       /* a colon, at the beginning of a caption */
	SPEAKER_CUE_LINE,                  /* a caption's line of its own, or brackets there */
	/* a colon, or a heading's marks, in a conversation as text */
	SPEAKER_HEAD,
	SPEAKER_PARAGRAPH                  /* a colon in any text */
};

/* Whether all of s looks like a name. */
bool speaker_is_name(const char *s, size_t len, enum speaker_by by);

/*
 * "user", "assistant", "system" or "tool", when the name is a word for one side of a chat with an
 * assistant, capitals or not; NULL: it is none. nicks: people go by names of their own choice
 * there, so that only words count which nobody takes for one.
 */
const char *speaker_side(const char *name, size_t len, bool nicks);

/* Whether the word stands before colons and is nobody's name: "Note", "Warning". */
bool speaker_is_nobody(const char *name, size_t len);

#endif
