/*
 * format.c: the places of tensors in a model file, defined once for the reader and the writer.
 */
#include <math.h>

#include "base/utf8.h"
#include "model/format.h"

#define VOCAB_MAX     (1u << 24)
#define POSITIONS_MAX (1u << 16)

void
format_shapes(const struct format_header *h, struct weights *w)
{
	w->n_dims = h->n_dims;
	w->n_layers = h->n_layers;
	w->n_heads = h->n_heads;
	w->n_inner = h->n_inner;
	w->n_vocab = h->n_vocab;
	w->n_positions = h->n_positions;
	w->norm_eps = h->norm_eps;
}

/* Returns the place of the next n bytes of a section, NULL when base is NULL, and advances *at. */
static const void *
place_bytes(const uint8_t *base, uint64_t *at, uint64_t n)
{
	const void *p = base != NULL ? base + *at : NULL;

	*at += format_align(n);
	return p;
}

static void
place_norm(struct weights_norm *norm, uint32_t n, const uint8_t *base, uint64_t *at)
{
	norm->weight = place_bytes(base, at, n * sizeof(float));
	norm->bias = place_bytes(base, at, n * sizeof(float));
}

static void
place_matrix(struct weights_matrix *m, uint32_t n_in, uint32_t n_out, bool quantised,
	const uint8_t *base, uint64_t *at)
{
	m->n_in = n_in;
	m->n_out = n_out;
	if (quantised) {
		m->packed = place_bytes(base, at, gemm_packed_bytes(n_in, n_out));
		m->scale = place_bytes(base, at, n_out * sizeof(float));
	} else {
		m->f32 = place_bytes(base, at, (uint64_t)n_in * n_out * sizeof(float));
	}
	m->bias = place_bytes(base, at, n_out * sizeof(float));
}

uint64_t
format_place_embeddings(struct weights *w, const uint8_t *base)
{
	uint64_t at = 0;

	w->type = place_bytes(base, &at, w->n_dims * sizeof(float));
	place_norm(&w->norm, w->n_dims, base, &at);
	w->positions = place_bytes(base, &at, (uint64_t)w->n_positions * w->n_dims * sizeof(float));
	return at;
}

uint64_t
format_place_layer(struct weights *w, bool quantised, unsigned layer, const uint8_t *base)
{
	struct weights_layer *l = &w->layers[layer];
	uint64_t at = 0;

	place_matrix(&l->qkv, w->n_dims, 3 * w->n_dims, quantised, base, &at);
	place_matrix(&l->attention, w->n_dims, w->n_dims, quantised, base, &at);
	place_norm(&l->attention_norm, w->n_dims, base, &at);
	place_matrix(&l->in, w->n_dims, w->n_inner, quantised, base, &at);
	place_matrix(&l->out, w->n_inner, w->n_dims, quantised, base, &at);
	place_norm(&l->norm, w->n_dims, base, &at);
	return at;
}

uint64_t
format_place_words(struct weights *w, bool quantised, const uint8_t *base)
{
	uint64_t n = (uint64_t)w->n_vocab * w->n_dims, at = 0;

	if (quantised) {
		w->word_scale = place_bytes(base, &at, w->n_vocab * sizeof(float));
		w->words = place_bytes(base, &at, n);
	} else {
		w->words_f32 = place_bytes(base, &at, n * sizeof(float));
	}
	return at;
}

/* ---- checking ---- */

static bool
is_text(const char *s, size_t size)
{
	size_t len = 0;

	while (len < size && s[len] != '\0')
		len++;
	if (len == size || !utf8_valid(s, len))
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			return false;
	return true;
}

static const char *
bad_shape(const struct format_header *h)
{
	if (h->n_dims == 0 || h->n_dims > WEIGHTS_WIDTH_MAX || h->n_inner == 0 ||
	    h->n_inner > 4 * WEIGHTS_WIDTH_MAX)
		return "width";
	if (h->n_layers == 0 || h->n_layers > WEIGHTS_LAYERS_MAX)
		return "number of layers";
	if (h->n_heads == 0 || h->n_dims % h->n_heads != 0)
		return "number of heads";
	if (h->n_vocab == 0 || h->n_vocab > VOCAB_MAX)
		return "size of the vocabulary";
	if (h->n_positions > POSITIONS_MAX || h->max_tokens < 3 || h->max_tokens > h->n_positions)
		return "longest input";
	if (h->quantised > 1)
		return "kind of weights";
	if (!(h->norm_eps > 0 && h->norm_eps < 1) || !(h->unrelated > -1 && h->unrelated < 1))
		return "constant";
	if (h->speaker > SPEAKER_SAID)
		return "form for a speaker";
	if (h->identifiers > IDENTIFIERS_WORDS)
		return "form for identifiers";
	if (h->tokenizer != TOKENIZER_WORDPIECE && h->tokenizer != TOKENIZER_UNIGRAM)
		return "tokenizer";
	if (!is_text(h->name, sizeof(h->name)) || h->name[0] == '\0' ||
	    !is_text(h->licence, sizeof(h->licence)) ||
	    !is_text(h->query_prefix, sizeof(h->query_prefix)) ||
	    !is_text(h->passage_prefix, sizeof(h->passage_prefix)))
		return "name or prefix";
	return NULL;
}

/* The entry that the table of sections must have at i; n_bytes 0: any size. */
static struct format_section
wanted_section(const struct format_header *h, struct weights *w, unsigned i)
{
	struct format_section s = { .kind = FORMAT_LAYER };

	if (i == 0) {
		s.kind = FORMAT_TOKENIZER;
	} else if (i == 1) {
		s.kind = FORMAT_EMBEDDINGS;
		s.n_bytes = format_place_embeddings(w, NULL);
	} else if (i < 2 + h->n_layers) {
		s.index = i - 2;
		s.n_bytes = format_place_layer(w, h->quantised != 0, s.index, NULL);
	} else if (i == 2 + h->n_layers) {
		s.kind = FORMAT_WORDS;
		s.n_bytes = format_place_words(w, h->quantised != 0, NULL);
	} else {
		s.kind = FORMAT_CENTRE;
		s.n_bytes = h->n_dims * sizeof(float);
	}
	return s;
}

int
format_check(const struct format_header *h, struct err *err)
{
	uint64_t at = FORMAT_HEADER_BYTES;
	const char *bad = bad_shape(h);
	struct weights w;

	if (bad != NULL)
		return err_set(err, ERR_DATA, "its %s is none that can be used", bad);
	if (h->n_sections != h->n_layers + 3 && h->n_sections != h->n_layers + 4)
		return err_set(err, ERR_DATA, "it has %u sections for %u layers", h->n_sections,
		    h->n_layers);
	format_shapes(h, &w);
	for (unsigned i = 0; i < h->n_sections; i++) {
		const struct format_section *s = &h->sections[i];
		struct format_section want = wanted_section(h, &w, i);

		if (s->kind != want.kind || s->index != want.index || s->offset != at ||
		    s->n_bytes > h->n_bytes - at ||
		    (want.n_bytes != 0 && s->n_bytes != want.n_bytes))
			return err_set(err, ERR_DATA,
			    "its section %u is not where or what it should be", i);
		at = s->offset + s->n_bytes;
		if (i + 1 < h->n_sections)
			at = format_align(at);
		if (at > h->n_bytes)
			return err_set(err, ERR_DATA, "its section %u reaches beyond the end", i);
	}
	return at == h->n_bytes
	    ? 0
	    : err_set(err, ERR_DATA, "its sections end at byte %llu, the file at %llu",
		  (unsigned long long)at, (unsigned long long)h->n_bytes);
}
