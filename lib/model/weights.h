/*
 * weights.h: a BERT-family encoder's weights as the encoder reads them: pointers into the mapped
 * model file.
 *
 * The quantised form: int8 with a scale per output channel (matrices, packed for the kernels by
 * gemm_pack) or per row (word embeddings). The reference form: float32 throughout, not packed. A
 * file holds one of them.
 */
#ifndef MODEL_WEIGHTS_H
#define MODEL_WEIGHTS_H

#include "base/base.h"

#define WEIGHTS_LAYERS_MAX 48
/* of a hidden state; of a feed-forward layer four times it */
#define WEIGHTS_WIDTH_MAX  4096

struct weights_matrix {                /* out [N] = in [K] W + bias */
	uint32_t n_in, n_out;          /* K, N */
	/* quantised: gemm_packed_bytes(K, N) bytes, 64-byte aligned */
	const int8_t *packed;
	const float *scale;            /* [N] quantised: w = scale * int8 */
	const float *bias;             /* [N] */
	const float *f32;              /* [N][K] reference form; NULL when quantised */
};

struct weights_norm { const float *weight, *bias; };           /* [D] */

struct weights_layer {
	struct weights_matrix qkv;             /* D -> 3 D: query, key, value, each by heads */
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
	const float *positions;                /* [positions][D] the first token's is row 0 */
	const float *type;                     /* [D] of token type 0 */
	struct weights_norm norm;              /* of the embeddings */
	struct weights_layer layers[WEIGHTS_LAYERS_MAX];
};

#endif
