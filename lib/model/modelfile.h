/*
 * modelfile.h: one file that holds all of a model, mapped and used in place (layout in
 * modelfile.c).
 *
 * Opening checks magic, version, byte order, and sizes and bounds of every section and of the
 * tokenizer's tables, so that no later step can leave the map. Checksums of the content are checked
 * by modelfile_verify only, as that reads all of it.
 */
#pragma once

#include "base/hash.h"
#include "model/tokenizer.h"
#include "model/weights.h"

#define MODEL_NAME_BYTES    64
#define MODEL_PREFIX_BYTES  64

enum model_speaker { SPEAKER_NONE, SPEAKER_SAID /* the passage is: NAME said, "TEXT" */ };

enum model_identifiers {
	IDENTIFIERS_WHOLE,
	IDENTIFIERS_WORDS /* getUserName is embedded as get User Name */
};

struct model_info {
	char name[MODEL_NAME_BYTES];           /* "all-MiniLM-L6-v2" */
	char licence[MODEL_NAME_BYTES];        /* "Apache-2.0", "MIT" */
	/* "query: ", "passage: "; "" for none */
	char query_prefix[MODEL_PREFIX_BYTES], passage_prefix[MODEL_PREFIX_BYTES];
	enum model_speaker speaker;            /* how a passage names its speaker */
	enum model_identifiers identifiers;    /* how identifiers are embedded */
	uint32_t n_dims, n_layers, n_heads, n_inner, n_vocab;
	uint32_t max_tokens;                   /* longest input, including the two special tokens */
	bool quantised;
	float unrelated;                       /* mean cosine of unrelated texts */
	uint8_t source_sha256[SHA256_BYTES];   /* of the published weights from which it was made */
	/* SHA-256 of this file's content, from its header: identifies its vectors */
	uint8_t sha256[SHA256_BYTES];
	uint64_t n_bytes;
};

struct modelfile {
	struct model_info info;
	struct weights weights;
	struct tokenizer tokenizer;
	/* [D] is subtracted from vectors before they are coded; NULL: zero */
	const float *centre;
	const void *map;
	size_t n_map;
};

/*
 * ERR_NOINPUT; ERR_DATA: it is no model file, is damaged, or has another version or byte order.
 * Cost: reads a few pages, whatever its size.
 */
int modelfile_open(struct modelfile *f, const char *path, struct err *err);
void modelfile_close(struct modelfile *f);
/*
 * Reads the whole file and compares the checksums of all sections. ERR_DATA names the section that
 * differs.
 */
int modelfile_verify(const struct modelfile *f, struct err *err);
