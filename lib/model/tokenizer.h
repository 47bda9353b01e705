/*
 * tokenizer.h: text to token ids exactly as the model's own tokenizer does it: WordPiece (uncased
 * BERT) and SentencePiece unigram (XLM-R).
 *
 * The tables are a section of the model file, read in place: opening checks every bound that
 * encoding relies on, copies nothing and allocates nothing. The names of special tokens in a text
 * are treated as text.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum tokenizer_kind { TOKENIZER_WORDPIECE = 1, TOKENIZER_UNIGRAM = 2 };

struct tokenizer {
	enum tokenizer_kind kind;
	uint32_t n_ids;                    /* every id is smaller */
	/* ids of the special tokens around a text: [CLS] [SEP], or <s> </s> */
	uint32_t first, last;
	uint32_t unknown;
	const uint8_t *data;               /* the section, borrowed */
	size_t n_bytes;
	const void *part[8];               /* the tables of its kind */
	uint32_t count[8];
};

struct token_list { uint32_t *ids; size_t n, cap; }; /* owned by the caller, who frees ids */

/* ERR_DATA: a table is cut short, points outside itself, or holds an id of vocab or above. */
int tokenizer_open(struct tokenizer *t, enum tokenizer_kind kind, const void *data, size_t n_bytes,
	uint32_t vocab, struct err *err);

/*
 * Appends the ids of text, without the special tokens around it. Invalid UTF-8 is read as U+FFFD.
 * Texts may have any length; there is no recursion; memory is linear in the longest word
 * (WordPiece) or in the text (unigram). Threads may share t, which is only read.
 */
void
tokenizer_encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out);

/* ---- at conversion: building the section ---- */
/*
 * vocab: one token a line, whose number is its id. ERR_DATA: [CLS], [SEP] or [UNK] is missing, or a
 * token stands twice.
 */
int wordpiece_build(const char *vocab, size_t len, struct buf *out, struct err *err);

struct unigram_source {
	uint32_t n_pieces;
	const char *const *pieces;         /* [n_pieces] UTF-8; the index of a piece is its id */
	const float *scores;               /* [n_pieces] log probabilities */
	uint32_t first, last, unknown, pad;
};
int unigram_build(const struct unigram_source *from, struct buf *out, struct err *err);
