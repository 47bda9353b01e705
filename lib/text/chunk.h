/*
 * chunk.h: cuts a message into spans for embedding and for display. Nothing is copied: a chunk is
 * an offset and a length.
 *
 * Fenced code blocks (``` or ~~~, CommonMark 4.5) become code chunks with their language and are
 * never split; an unclosed fence extends to the end. The rest is cut at blank lines, then packed up
 * to CHUNK_TOKENS estimated tokens; a longer paragraph is cut at sentence ends, a longer sentence
 * at spaces. Chunks come in order and do not overlap; together they hold every byte except the
 * white space between them (the fence lines belong to the code chunk).
 */
#pragma once

#include "base/base.h"

#define CHUNK_TOKENS   500
#define CHUNK_LANG     24

enum chunk_kind { CHUNK_PROSE, CHUNK_CODE };

struct chunk {
	enum chunk_kind kind;
	/* the first word of the fence's info string, in lower case; "" when there is none */
	char language[CHUNK_LANG];
	size_t start, len;                 /* bytes of the message */
	unsigned n_tokens;                 /* estimated, see tokens.h */
};

typedef int chunk_fn(void *arg, const struct chunk *c);
int chunk_each(const char *text, size_t len, chunk_fn *fn, void *arg);

/*
 * Returns the end of the sentence that begins at byte `at`, at most `end`: behind its full stop and
 * any closing quotes or brackets, or behind a line's end.
 */
size_t chunk_sentence_end(const char *text, size_t at, size_t end);
