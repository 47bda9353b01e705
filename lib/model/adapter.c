/*
 * adapter.c: finds and reads the corrections of a model (adapter.h). Their bytes stay where they
 * are; only floats, which need not be aligned there, are copied.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "model/adapter.h"

#define MAGIC      "memlora2"
#define MAGIC_LEN  8
#define HEAD_BYTES (MAGIC_LEN + 2 * SHA256_BYTES + 6 * 4)
#define MATRICES   4
#define RANK_MOST  64
#define ALIGNED    16                     /* widths are multiples of it (weights.h) */

struct corrected {
	struct weights weights;
	struct weights_low low[WEIGHTS_LAYERS_MAX][MATRICES];
	float *scales;
};

struct adapter {
	struct corrected question, passage;
	struct model_line line;
	float unrelated;
	float *centre;                     /* [D]; NULL: passages are not corrected */
	uint8_t sha256[SHA256_BYTES];      /* as the file says */
};

/* What is left of a file. */
struct rest {
	const char *at, *end;
};

static bool
take_floats(struct rest *r, float *to, size_t n)
{
	if ((size_t)(r->end - r->at) < n * sizeof(*to))
		return false;
	for (size_t i = 0; i < n; i++, r->at += sizeof(*to))
		to[i] = get_le_float((const uint8_t *)r->at);
	return true;
}

static bool
take_bytes(struct rest *r, const int8_t **to, size_t n)
{
	*to = (const int8_t *)r->at;
	if ((size_t)(r->end - r->at) < n)
		return false;
	r->at += n;
	return true;
}

static bool
take_matrix(struct rest *r, struct weights_matrix *m, struct weights_low *low, float *scales,
	uint32_t rank)
{
	low->rank = rank;
	low->down_scale = scales;
	low->up_scale = scales + rank;
	m->low = low;
	return m->n_in % ALIGNED == 0 && m->n_out % ALIGNED == 0 &&
	    take_floats(r, scales, 2 * (size_t)rank) &&
	    take_bytes(r, &low->down, (size_t)rank * m->n_in) &&
	    take_bytes(r, &low->up, (size_t)rank * m->n_out);
}

static bool
take_corrections(struct rest *r, struct corrected *c, uint32_t first, uint32_t rank)
{
	float *scales;

	if (rank > RANK_MOST)
		return false;
	scales = c->scales = xcalloc((size_t)c->weights.n_layers * MATRICES * 2 * rank,
	    sizeof(*scales));
	for (uint32_t l = first; l < c->weights.n_layers; l++) {
		struct weights_layer *layer = &c->weights.layers[l];
		struct weights_matrix *of[MATRICES] = { &layer->qkv, &layer->attention, &layer->in,
			&layer->out };
		for (size_t k = 0; k < MATRICES; k++, scales += 2 * (size_t)rank)
			if (!take_matrix(r, of[k], &c->low[l][k], scales, rank))
				return false;
	}
	return true;
}

static bool
take_all(struct rest *r, struct adapter *a, const struct modelfile *m)
{
	const uint8_t *head = (const uint8_t *)r->at + MAGIC_LEN + 2 * SHA256_BYTES;
	uint32_t first = get_le32(head + 4), asked = get_le32(head + 8),
		 kept = get_le32(head + 12);
	size_t n_dims = m->weights.n_dims;

	memcpy(a->sha256, head - SHA256_BYTES, SHA256_BYTES);
	a->line = (struct model_line){ get_le_float(head + 16), get_le_float(head + 20) };
	r->at += HEAD_BYTES;
	if (get_le32(head) != m->weights.n_layers || first > m->weights.n_layers || asked == 0 ||
	    !take_corrections(r, &a->question, first, asked))
		return false;
	if (kept > 0) {
		a->centre = xcalloc(n_dims, sizeof(*a->centre));
		if (!take_floats(r, &a->unrelated, 1) || !take_floats(r, a->centre, n_dims) ||
		    !take_corrections(r, &a->passage, first, kept))
			return false;
	}
	return r->at == r->end;
}

struct adapter *
adapter_read(const struct modelfile *m, const char *bytes, size_t n)
{
	struct rest r = { bytes, bytes + n };
	struct adapter *a;

	if (n < HEAD_BYTES || memcmp(bytes, MAGIC, MAGIC_LEN) != 0 ||
	    memcmp(bytes + MAGIC_LEN, m->info.source_sha256, SHA256_BYTES) != 0)
		return NULL;
	a = xcalloc(1, sizeof(*a));
	a->question.weights = a->passage.weights = m->weights;
	if (take_all(&r, a, m))
		return a;
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
	free(a->question.scales);
	free(a->passage.scales);
	free(a->centre);
	free(a);
}

const struct weights *
adapter_weights(const struct adapter *a, enum text_role role)
{
	return role == TEXT_PASSAGE ? &a->passage.weights : &a->question.weights;
}

struct model_line
adapter_line(const struct adapter *a)
{
	return a->line;
}

void
adapter_identify(const struct adapter *a, struct modelfile *m)
{
	uint8_t both[2 * SHA256_BYTES];

	if (a->centre == NULL)
		return;
	m->info.unrelated = a->unrelated;
	m->centre = a->centre;
	memcpy(both, m->info.sha256, SHA256_BYTES);
	memcpy(both + SHA256_BYTES, a->sha256, SHA256_BYTES);
	sha256(both, sizeof(both), m->info.sha256);
}
