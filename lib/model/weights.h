/*
 * weights.h: the weights of a BERT-family encoder as pointers into the mapped model file.
 *
 * The quantised form has int8 with one scale for each output channel (matrices, packed by
 * gemm_pack) or row (word embeddings). The reference form is float32 throughout and not packed. A
 * file holds one of the two.
 */
#pragma once

#include "base/base.h"

#define WEIGHTS_LAYERS_MAX 48
/* largest width of a hidden state; a feed-forward layer may be four times as wide */
#define WEIGHTS_WIDTH_MAX  4096

/*
 * A correction of low rank R to a matrix: out += up^T (down in). LoRA: Hu et al., 2021,
 * arXiv:2106.09685. K and N are multiples of 16.
 */
struct weights_low {
	uint32_t rank;                         /* R */
	const int8_t *down, *up;               /* [R][K], [R][N] */
	const float *down_scale, *up_scale;    /* [R] of each row */
};

struct weights_matrix {                /* out [N] = in [K] W + bias */
	uint32_t n_in, n_out;          /* K, N */
	/* quantised: gemm_packed_bytes(K, N) bytes, 64-byte aligned */
	const int8_t *packed;
	const float *scale;            /* [N] quantised: w = scale * int8 */
	const float *bias;             /* [N] */
	const float *f32;              /* [N][K] reference form; NULL when quantised */
	const struct weights_low *low; /* NULL: none */
};

struct weights_norm { const float *weight, *bias; };           /* [D] */

struct weights_layer {
	struct weights_matrix qkv; /* D -> 3 D: query, key and value, each divided into heads */
	struct weights_matrix attention;       /* D -> D */
	struct weights_norm attention_norm;
	struct weights_matrix in, out;         /* D -> F, F -> D */
	struct weights_norm norm;
};

struct weights {
	uint32_t n_dims, n_layers, n_heads, n_inner /* F */, n_vocab, n_positions;
	float norm_eps;
	const int8_t *words;                   /* [vocab][D] */
	const float *word_scale;               /* [vocab] */
	const float *words_f32;                /* [vocab][D] reference form */
	const float *positions;                /* [positions][D] row 0 is the first token's */
	const float *type;                     /* [D] of token type 0 */
	struct weights_norm norm;              /* after the sum of embeddings */
	struct weights_layer layers[WEIGHTS_LAYERS_MAX];
};
