/*
 * chunk.h: a message cut into spans for embedding and for display. Nothing is copied: a chunk is an
 * offset and a length.
 *
 * Fenced code blocks (``` or ~~~, CommonMark 4.5) become code chunks with their language and are
 * never split; an unclosed fence runs to the end. The rest is cut at blank lines, then packed up to
 * CHUNK_TOKENS estimated tokens; a paragraph longer than that is cut at sentence ends, a sentence
 * longer than that at spaces. Chunks do not overlap and come in order; together they hold every
 * byte that is not white space between them (the fence lines belong to the code chunk).
 */
#ifndef TEXT_CHUNK_H
#define TEXT_CHUNK_H

#include "base/base.h"

#define CHUNK_TOKENS   500
#define CHUNK_LANG     24

enum chunk_kind { CHUNK_PROSE, CHUNK_CODE };

struct chunk {
	enum chunk_kind kind;
	/* the first word of the fence's info string, lower case; "" when none */
	char language[CHUNK_LANG];
	size_t start, len;                 /* bytes in the message */
	unsigned n_tokens;                 /* estimated */
};

typedef int chunk_fn(void *arg, const struct chunk *c);
int chunk_each(const char *text, size_t len, chunk_fn *fn, void *arg);

/*
 * Where the sentence that starts at byte at ends, end at most: after its mark and what closes
 * behind it, or after a line's end.
 */
size_t chunk_sentence_end(const char *text, size_t at, size_t end);

#endif
