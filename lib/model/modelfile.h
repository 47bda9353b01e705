/*
 * modelfile.h: one file that carries all that makes a model itself, mapped and used where it lies
 * (drawn in modelfile.c).
 *
 * Opening checks magic, version, byte order, sizes and bounds of every section and of the
 * tokenizer's tables, so that no later step can leave the map; checksums of the content are for
 * modelfile_verify, for they would cost a read of all of it.
 */
#ifndef MODEL_MODELFILE_H
#define MODEL_MODELFILE_H

#include "base/hash.h"
#include "model/tokenizer.h"
#include "model/weights.h"

#define MODEL_NAME_BYTES    64
#define MODEL_PREFIX_BYTES  64

enum model_speaker { SPEAKER_NONE, SPEAKER_SAID /* NAME said, "TEXT" */ };

enum model_identifiers {
	IDENTIFIERS_WHOLE,
	IDENTIFIERS_WORDS /* getUserName is read as get User Name */
};

struct model_info {
	char name[MODEL_NAME_BYTES];           /* "all-MiniLM-L6-v2" */
	char licence[MODEL_NAME_BYTES];        /* "Apache-2.0", "MIT" */
	/* "query: ", "passage: "; "" for none */
	char query_prefix[MODEL_PREFIX_BYTES], passage_prefix[MODEL_PREFIX_BYTES];
	enum model_speaker speaker;            /* how a passage names who said it */
	enum model_identifiers identifiers;    /* how they are read */
	uint32_t n_dims, n_layers, n_heads, n_inner, n_vocab;
	uint32_t max_tokens;                   /* longest input, with the two tokens around it */
	bool quantised;
	float unrelated;                       /* mean cosine of unrelated texts */
	uint8_t source_sha256[SHA256_BYTES];   /* of the published weights it was made from */
	/* of this file's content, from its header: the identity of its vectors */
	uint8_t sha256[SHA256_BYTES];
	uint64_t n_bytes;
};

struct modelfile {
	struct model_info info;
	struct weights weights;
	struct tokenizer tokenizer;
	/* [D] what is taken off a vector before it is coded; NULL: zero */
	const float *centre;
	const void *map;
	size_t n_map;
};

/*
 * ERR_NOINPUT, ERR_DATA (not a model file, damaged, of another version or byte order). Cost: a few
 * pages read, whatever the size.
 */
int modelfile_open(struct modelfile *f, const char *path, struct err *err);
void modelfile_close(struct modelfile *f);
/* Reads all of it and compares the checksums of each section. ERR_DATA names the section. */
int modelfile_verify(const struct modelfile *f, struct err *err);

#endif
