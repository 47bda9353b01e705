/*
 * prepare.h: computes what storing a message needs of its text alone: hash, tokens, chunks, card,
 * terms. None of it depends on the store, so it may be computed ahead, by another thread than the
 * one that stores. What is not, messages_put computes itself.
 */
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "index/postings.h"
#include "index/turn_features.h"
#include "text/chunk.h"

struct prepared {
	uint8_t sha256[SHA256_BYTES];
	unsigned n_tokens;                     /* estimated */
	const struct chunk *chunks;            /* [n_chunks] */
	size_t n_chunks;
	struct card card; /* the fields that depend on the text; the others are 0 */
	const struct lexicon *lexicon;         /* numbers the terms */
	const struct tally *terms;             /* [n_terms] */
	size_t n_terms;
	/* has the document too (preparer_index); NULL: none */
	const struct postings_builder *index;
	uint32_t no;                           /* its number in index */
};

/*
 * What one thread needs for preparing. Its lexicon takes the terms of all texts until it is
 * cleared.
 */
struct preparer;
struct preparer *preparer_new(void);
void preparer_free(struct preparer *p);
void preparer_clear(struct preparer *p);       /* ends the use of all that was prepared */
/* How many distinct terms it holds since it was cleared; each takes about a hundred bytes. */
size_t preparer_n_terms(const struct preparer *p);

/* Prepares a text, in the arena; known is its hash, or NULL. Cost: about 10 us for 540 bytes. */
struct prepared *prepare(struct preparer *p, const char *text, size_t len,
	const uint8_t known[SHA256_BYTES], struct arena *a);
/* Does a part of the indexing of d now. Documents must be stored in the order of these calls. */
void preparer_index(struct preparer *p, struct prepared *d);
/* After the last text: does the rest of the indexing that needs no store. */
void preparer_pack(struct preparer *p);
