/*
 * prepare.h: what storing a message needs of its text alone: hash, tokens, chunks, card, terms.
 * None of it depends on the store, so it may be made ahead, on another thread than the one that
 * stores; what is not made ahead, messages_put makes itself.
 */
#ifndef INDEX_PREPARE_H
#define INDEX_PREPARE_H

#include "base/arena.h"
#include "base/hash.h"
#include "index/postings_text.h"
#include "text/chunk.h"

struct prepared {
	uint8_t sha256[SHA256_BYTES];
	unsigned n_tokens;                     /* estimated */
	/*
	 * A text of more than LARGE_TEXT_BYTES: what there is more of the larger it is, its chunks
	 * and terms, is made when it is stored (chunk.h, postings_text.h), and its card with it.
	 * Then chunks and lexicon are NULL.
	 */
	bool large;
	const struct chunk *chunks;            /* [n_chunks] */
	size_t n_chunks;
	struct card card;                      /* what the text says of it; the rest is 0 */
	const struct lexicon *lexicon;         /* that numbers the terms */
	const struct tally *terms;             /* [n_terms] */
	size_t n_terms;
	const struct postings_builder *index;  /* that has it, too; NULL: none */
	uint32_t no;                           /* there */
};

/* One thread's. Its lexicon takes the terms of all texts, until it is cleared. */
struct preparer;
struct preparer *preparer_new(void);
void preparer_free(struct preparer *p);
void preparer_clear(struct preparer *p);       /* what was prepared is not to be used any more */
/* How many distinct terms it holds since it was cleared; each takes about a hundred bytes. */
size_t preparer_n_terms(const struct preparer *p);

/* In the arena; known is the hash of text, or NULL. Cost: about 10 us for 540 bytes. */
struct prepared *prepare(struct preparer *p, const char *text, size_t len,
	const uint8_t known[SHA256_BYTES], struct arena *a);
/*
 * d, which is not large, will be indexed, behind what this was called for before: part of that is
 * done now.
 */
void preparer_index(struct preparer *p, struct prepared *d);
/* The rest of it that needs no store, when no text is to come. */
void preparer_pack(struct preparer *p);

#endif
