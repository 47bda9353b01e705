/*
 * labelled_head.h: the line with which a turn begins where its speaker stands before a colon, or
 * alone in a heading or in bold; and which of such lines begin turns in a file. Private to
 * labelled.c and labelled_sides.c.
 */
#pragma once

#include "clean/speaker.h"
#include "formats/turns.h"

struct labelled_head {
	char name[SPEAKER_BYTES + 1];
	const char *role;          /* NULL: a name */
	enum speaker_sure sure;    /* with role */
	size_t words;              /* offset of the words in the line */
	bool account;              /* a name in small letters, as accounts have */
	bool alone;                /* there is no colon: it is a heading, or bold */
	/* the marks of Markdown before the name, and whether it is alone, as one number */
	uint32_t style;
	const char *said_at;       /* the time in brackets after the name; NULL: none */
	size_t said_at_len;
};

/* Whether a line looks like a head. Whether the name in it speaks here, labelled_sides tell. */
bool labelled_head(const char *line, size_t len, struct labelled_head *h);

/* Whether a block of code begins behind the name and does not end in the same line. */
void labelled_head_fence(const char *line, size_t len, const struct labelled_head *h,
	struct turns_fence *fence);

/* Who speaks in a file: learnt from its first bytes. */
struct labelled_sides;

struct labelled_sides *labelled_sides_learn(const char *bytes, size_t len);
void labelled_sides_free(struct labelled_sides *s);
/* Whether a person or an assistant speak in it as in a chat between the two. */
bool labelled_sides_is_chat(const struct labelled_sides *s);
/* Whether it may be one of some people: every line begins with a name, which comes back. */
bool labelled_sides_may_talk(const struct labelled_sides *s);
/* Whether the name ends as one of those who speak here does, or behind it. */
bool labelled_sides_end_so(const struct labelled_sides *s, const char *name, size_t len);
/* Whether a turn of this file begins with the line. */
bool
labelled_sides_head(const struct labelled_sides *s, const char *line, size_t len,
	struct labelled_head *h);
