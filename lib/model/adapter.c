/*
 * adapter.c: finds and reads the corrections of a model (adapter.h). Their bytes stay where they
 * are; only the scales, which need not be aligned there, are copied.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "model/adapter.h"

#define MAGIC      "memlora1"
#define MAGIC_LEN  8
#define HEAD_BYTES (MAGIC_LEN + SHA256_BYTES + 5 * 4)
#define MATRICES   4
#define RANK_MOST  64
#define ALIGNED    16                     /* widths are multiples of it (weights.h) */

struct adapter {
	struct weights weights;
	struct model_line line;
	struct weights_low low[WEIGHTS_LAYERS_MAX][MATRICES];
	float *scales;
};

static float *
read_scales(const char *from, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = get_le_float((const uint8_t *)from + 4 * i);
	return to + n;
}

static size_t
matrix_bytes(const struct weights_matrix *m, size_t rank)
{
	return rank * (2 * sizeof(float) + m->n_in + m->n_out);
}

struct adapter *
adapter_read(const struct modelfile *m, const char *bytes, size_t n)
{
	const uint8_t *head = (const uint8_t *)bytes + MAGIC_LEN + SHA256_BYTES;
	const char *at = bytes + HEAD_BYTES, *end = bytes + n;
	uint32_t first, n_layers, rank;
	struct adapter *a;
	float *scales;

	if (n < HEAD_BYTES || memcmp(bytes, MAGIC, MAGIC_LEN) != 0 ||
	    memcmp(bytes + MAGIC_LEN, m->info.source_sha256, SHA256_BYTES) != 0)
		return NULL;
	first = get_le32(head), n_layers = get_le32(head + 4), rank = get_le32(head + 8);
	if (n_layers != m->weights.n_layers || first > n_layers || rank == 0 || rank > RANK_MOST)
		return NULL;
	a = xcalloc(1, sizeof(*a));
	a->weights = m->weights;
	a->line = (struct model_line){ get_le_float(head + 12), get_le_float(head + 16) };
	scales = a->scales = xcalloc((size_t)n_layers * MATRICES * 2 * rank, sizeof(*scales));
	for (uint32_t l = first; l < n_layers; l++) {
		struct weights_layer *layer = &a->weights.layers[l];
		struct weights_matrix *of[MATRICES] = { &layer->qkv, &layer->attention, &layer->in,
			&layer->out };
		for (size_t k = 0; k < MATRICES; k++) {
			struct weights_low *low = &a->low[l][k];
			if (of[k]->n_in % ALIGNED != 0 || of[k]->n_out % ALIGNED != 0 ||
			    (size_t)(end - at) < matrix_bytes(of[k], rank))
				goto bad;
			low->rank = rank;
			low->down_scale = scales;
			scales = read_scales(at, scales, 2 * (size_t)rank);
			low->up_scale = low->down_scale + rank;
			low->down = (const int8_t *)at + 2 * sizeof(float) * rank;
			low->up = low->down + (size_t)rank * of[k]->n_in;
			of[k]->low = low;
			at += matrix_bytes(of[k], rank);
		}
	}
	if (at == end)
		return a;
bad:
	adapter_free(a);
	return NULL;
}

struct adapter *
adapter_new(const struct modelfile *m)
{
	struct adapter *a = NULL;

	for (const struct embedded *f = adapter_files; a == NULL && f->name != NULL; f++)
		a = adapter_read(m, f->text, f->len);
	return a;
}

void
adapter_free(struct adapter *a)
{
	if (a == NULL)
		return;
	free(a->scales);
	free(a);
}

const struct weights *
adapter_weights(const struct adapter *a)
{
	return &a->weights;
}

struct model_line
adapter_line(const struct adapter *a)
{
	return a->line;
}
