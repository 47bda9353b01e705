/*
 * tokenizer_parts.h: what the two tokenizers share: the section's head, the list of ids, two-stage
 * tables of code points, and UTF-8 with a fast path for valid text. Private to wordpiece.c,
 * unigram.c and tokenizer.c.
 */
#pragma once

#include "base/alloc.h"
#include "base/utf8.h"
#include "model/tokenizer.h"
#include "model/trie.h"

/*
 * A section consists of 32-bit words in the machine's byte order: this head, the trie's units, and
 * for unigram a float32 score for each id.
 */
struct tokenizer_head {
	uint32_t magic, kind;
	uint32_t n_ids, first, last, unknown;
	uint32_t n_units;
	float lowest;                          /* unigram: the lowest score of a piece */
};

#define TOKENIZER_MAGIC 0x6b6f746du        /* "mtok" */

enum { PART_UNITS, PART_SCORES };
enum { COUNT_UNITS, COUNT_INSIDE /* wordpiece: the unit after "##" */ };

void wordpiece_open(struct tokenizer *t);
void
wordpiece_encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out);
void
unigram_encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out);
void tokenizer_head_add(struct buf *out, const struct tokenizer_head *head);

static inline struct trie
tokenizer_trie(const struct tokenizer *t)
{
	return (struct trie){ t->part[PART_UNITS], t->count[COUNT_UNITS] };
}

/* Makes room for n more ids. */
static inline void
token_room(struct token_list *out, size_t n)
{
	if (out->cap - out->n < n)
		xgrow(&out->ids, &out->cap, out->n + n, sizeof(*out->ids));
}

/* The value of a code point in a two-stage table with blocks of 128. */
static inline uint32_t
two_stage(const uint8_t *index, const uint16_t *value, uint32_t cp)
{
	return value[(uint32_t)index[cp >> 7] << 7 | (cp & 127)];
}

/* Reads one code point at p < end; an invalid byte is read as U+FFFD. */
static inline const char *
read_utf8(const char *p, const char *end, uint32_t *cp)
{
	uint32_t c = (uint8_t)p[0];

	if (c < 0x80) {
		*cp = c;
		return p + 1;
	}
	if (c > 0xe0 && c < 0xed && end - p >= 3 && ((uint8_t)p[1] & 0xc0) == 0x80 &&
	    ((uint8_t)p[2] & 0xc0) == 0x80) {
		*cp = (c & 15) << 12 | ((uint32_t)p[1] & 63) << 6 | ((uint32_t)p[2] & 63);
		return p + 3;
	}
	size_t n = utf8_decode(p, end, cp);

	if (n == 0)
		*cp = 0xfffd;
	return p + MAX(n, (size_t)1);
}
