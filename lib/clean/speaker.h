/*
 * speaker.h: recognises who speaks, as a text says it before the words: the sides of a chat with an
 * assistant, and names.
 */
#pragma once

#include "base/base.h"

#define SPEAKER_BYTES 64                   /* the longest name */

/*
 * What shows, besides its looks, that a name may stand there: the weaker that is, the more it must
 * look like one.
 */
enum speaker_by {
	SPEAKER_STAMP,                     /* a time stands beside it */
	SPEAKER_CUE,                       /* a colon follows, at the start of a caption */
	/* it has a line of a caption to itself, or brackets there */
	SPEAKER_CUE_LINE,
	/* a colon follows, or the marks of a heading stand around it, in a conversation as text */
	SPEAKER_HEAD,
	SPEAKER_PARAGRAPH                  /* a colon follows, in any text */
};

/* Whether all of s looks like a name. */
bool speaker_is_name(const char *s, size_t len, enum speaker_by by);

/* How sure a word is to name a side of a chat: what is less sure has other uses besides. */
enum speaker_sure {
	SPEAKER_SIDE,                      /* "user", "assistant", in any language */
	SPEAKER_PROGRAM,                   /* a program, or what it is: "Claude", "AI" */
	SPEAKER_MAYBE                      /* "You", "Response", "System" */
};

/*
 * The role ("user", "assistant", "system" or "tool") that a word names, with or without capitals;
 * NULL: none. *sure may be NULL.
 */
const char *speaker_side(const char *name, size_t len, enum speaker_sure *sure);

/* The same where people choose their own names: only words count that nobody would choose. */
const char *speaker_side_of_nick(const char *name, size_t len);

/* Whether the word stands before colons but names nobody: "Note", "TypeError", "Expected". */
bool speaker_is_nobody(const char *name, size_t len);

/* Whether somebody speaks of himself in the text or to another: "I", "your". Cost: linear. */
bool speaker_addresses(const char *text, size_t len);
