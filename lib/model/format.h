/*
 * format.h: the model file's header and the places of tensors in its sections, for modelfile.c,
 * which reads them and shows the layout, and convert.c, which writes them.
 */
#pragma once

#include "model/kernels/gemm.h"
#include "model/modelfile.h"

#define FORMAT_MAGIC        "memmodel"
#define FORMAT_VERSION      1
#define FORMAT_BYTE_ORDER   0x01020304u
#define FORMAT_ALIGN        64
#define FORMAT_HEADER_BYTES 4096
#define FORMAT_SECTIONS_MAX (WEIGHTS_LAYERS_MAX + 4)

/* In the order in which an embedding first reads them. */
enum format_kind {
	FORMAT_TOKENIZER = 1,
	FORMAT_EMBEDDINGS,
	FORMAT_LAYER,
	FORMAT_WORDS,
	FORMAT_CENTRE
};

struct format_section {
	uint32_t kind, index;                  /* index: number of the layer */
	uint64_t offset, n_bytes;              /* offset: from the start of the file */
	uint8_t sha256[SHA256_BYTES];
};

struct format_header {
	char magic[8];
	uint32_t byte_order, version;
	uint64_t n_bytes;                      /* of the whole file */
	uint32_t n_dims, n_layers, n_heads, n_inner, n_vocab, n_positions, max_tokens;
	uint32_t quantised;                    /* 0 or 1 */
	uint32_t speaker;                      /* enum model_speaker */
	uint32_t tokenizer;                    /* enum tokenizer_kind */
	float norm_eps, unrelated;
	char name[MODEL_NAME_BYTES], licence[MODEL_NAME_BYTES];
	char query_prefix[MODEL_PREFIX_BYTES], passage_prefix[MODEL_PREFIX_BYTES];
	uint8_t source_sha256[SHA256_BYTES];
	uint32_t n_sections;
	uint32_t identifiers;                  /* enum model_identifiers */
	struct format_section sections[FORMAT_SECTIONS_MAX];
};

/*
 * The header fills its page. Zeros follow the struct, except for the header's own SHA-256 at the
 * end, which identifies the file.
 */
#define FORMAT_HASHED_BYTES (FORMAT_HEADER_BYTES - SHA256_BYTES)
_Static_assert(sizeof(struct format_header) <= FORMAT_HASHED_BYTES,
	"the header has to fit its page");
_Static_assert(GEMM_ALIGN == FORMAT_ALIGN && 4 * WEIGHTS_WIDTH_MAX <= GEMM_IN_MAX,
	"what may be stored can be multiplied");
_Static_assert(sizeof(struct format_section) == 56 && sizeof(enum format_kind) == 4,
	"no holes between the fields");

static inline uint64_t
format_align(uint64_t n)
{
	return (n + FORMAT_ALIGN - 1) & ~(uint64_t)(FORMAT_ALIGN - 1);
}

/* Copies the shapes from h to w. */
void format_shapes(const struct format_header *h, struct weights *w);

/*
 * Each points the tensors of one section of w into base, or, with base NULL, only adds up their
 * bytes; returns the section's bytes. Reader and writer both use these, so they agree.
 */
uint64_t format_place_embeddings(struct weights *w, const uint8_t *base);
uint64_t format_place_layer(struct weights *w, bool quantised, unsigned layer, const uint8_t *base);
uint64_t format_place_words(struct weights *w, bool quantised, const uint8_t *base);

/*
 * Checks that every number in h is one that this version can use: shapes, names, and sections one
 * after the other. The tokenizer section may have any size. ERR_DATA.
 */
int format_check(const struct format_header *h, struct err *err);
