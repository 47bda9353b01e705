/*
 * format.h: the model file's header and where things lie in its sections: what modelfile.c reads
 * and convert.c writes. Drawn in modelfile.c.
 */
#ifndef MODEL_FORMAT_H
#define MODEL_FORMAT_H

#include "model/gemm.h"
#include "model/modelfile.h"

#define FORMAT_MAGIC        "memmodel"
#define FORMAT_VERSION      1
#define FORMAT_BYTE_ORDER   0x01020304u
#define FORMAT_ALIGN        64
#define FORMAT_HEADER_BYTES 4096
#define FORMAT_SECTIONS_MAX (WEIGHTS_LAYERS_MAX + 4)

/* In the order in which a run first touches them. */
enum format_kind {
	FORMAT_TOKENIZER = 1,
	FORMAT_EMBEDDINGS,
	FORMAT_LAYER,
	FORMAT_WORDS,
	FORMAT_CENTRE
};

struct format_section {
	uint32_t kind, index;                  /* index: of a layer */
	uint64_t offset, n_bytes;              /* from the start of the file */
	uint8_t sha256[SHA256_BYTES];
};

struct format_header {
	char magic[8];
	uint32_t byte_order, version;
	uint64_t n_bytes;                      /* of the whole file */
	uint32_t n_dims, n_layers, n_heads, n_inner, n_vocab, n_positions, max_tokens;
	uint32_t quantised;                    /* 0, 1 */
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
 * The header fills its page: what follows the struct is zero, but for its own hash at the end,
 * which makes the file's identity.
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

/* Copies the shapes of h to w. */
void format_shapes(const struct format_header *h, struct weights *w);

/*
 * Point the tensors of one section at base, or only count when base is NULL. Return the section's
 * bytes. The reader and the writer both go by these, so that they agree.
 */
uint64_t format_place_embeddings(struct weights *w, const uint8_t *base);
uint64_t format_place_layer(struct weights *w, bool quantised, unsigned layer, const uint8_t *base);
uint64_t format_place_words(struct weights *w, bool quantised, const uint8_t *base);

/*
 * Is every number in h one that this version can use: shapes, names, sections one after the other?
 * The tokenizer section may have any size. ERR_DATA.
 */
int format_check(const struct format_header *h, struct err *err);

#endif
