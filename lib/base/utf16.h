/*
 * utf16.h: text in UTF-16, as programs of Windows write it, is read as UTF-8 (RFC 2781).
 */
#pragma once

#include "base/buf.h"

#define UTF16_LOOK 32

enum utf16_order { UTF16_NONE, UTF16_LITTLE, UTF16_BIG };

/*
 * Whether a text that begins with these bytes is in UTF-16, and in *mark how many of them are its
 * byte order mark. Without one it must be certain: what is binary, in UTF-32, or in UTF-8 with NULs
 * strewn in, is UTF16_NONE.
 */
enum utf16_order utf16_of(const unsigned char *p, size_t n, size_t *mark);

/* A text that is read in pieces. */
struct utf16 {
	enum utf16_order order;
	unsigned char half[2];             /* the bytes of a unit that is not whole yet */
	unsigned n_half;
	uint32_t high;                     /* a surrogate that waits for the other; 0: none */
	/* the bytes behind the last unit that is ASCII, to see whether they are UTF-8 */
	unsigned char since[UTF16_LOOK];
	unsigned n_since;
};

/*
 * Appends n bytes to out as UTF-8; with end what is left of a character, too. What is no character
 * becomes bytes that are no UTF-8, so that it is told as damage is told in any text. false: the
 * text goes on in another encoding.
 */
bool utf16_read(struct utf16 *u, const unsigned char *p, size_t n, bool end, struct buf *out);
