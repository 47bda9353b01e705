/*
 * calibrate.c: embeds the lines of schema/model-texts.txt with a new model, each as a question and
 * as a passage.
 *
 * With Q and P the sums of n question vectors and n passage vectors, the mean cosine of a text with
 * all others is (Q . P - sum of q_i . p_i) / (n (n - 1)), so no pairs need be compared. Lines that
 * the model cannot read (more than a third of their tokens unknown, such as Chinese for an English
 * model) are left out, as all of them look alike to it.
 *
 * The centre is for 1-bit codes, which keep the sign of each number: when all vectors lie around
 * one direction, nearly all signs are the same and say nothing. Measured: multilingual-e5-small has
 * a mean vector of length .905, and recall@10 of 100 candidates out of 14,826 is .43 without
 * centring and .90 with it; all-MiniLM-L6-v2 has .28, and a mean of other text than the store's
 * makes it worse (.897 against .929 without). So vectors are centred from a length of .5.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/embedded.h"
#include "model/calibrate.h"
#include "model/encoder.h"

#define CENTRE_FROM     0.5
/* the reference form is slow: every eighth line, which covers each kind of line */
#define REFERENCE_EVERY 8

struct sums {
	double *query, *passage;       /* [D] */
	double own;                    /* the sum of q_i . p_i */
	size_t n;
};

struct meter {
	const struct modelfile *f;
	struct encoder *encoder;
	struct token_list tokens;      /* of one text, with the special tokens at both ends */
	struct buf text;
	float *query, *passage;        /* [D] */
};

static bool
readable(struct meter *m, const char *line, size_t len)
{
	const struct tokenizer *t = &m->f->tokenizer;
	size_t unknown = 0;

	m->tokens.n = 0;
	tokenizer_encode(t, line, len, &m->tokens);
	for (size_t i = 0; i < m->tokens.n; i++)
		unknown += m->tokens.ids[i] == t->unknown;
	return m->tokens.n > 0 && 3 * unknown <= m->tokens.n;
}

/* Embeds a line. Lines are short; the end of one that is too long for the model is cut off. */
static void
embed(struct meter *m, const char *prefix, const char *line, size_t len, float *out)
{
	const struct tokenizer *t = &m->f->tokenizer;
	struct token_list *l = &m->tokens;

	buf_reset(&m->text);
	buf_adds(&m->text, prefix);
	buf_add(&m->text, line, len);
	xgrow(&l->ids, &l->cap, 1, sizeof(*l->ids));
	l->ids[0] = t->first;
	l->n = 1;
	tokenizer_encode(t, m->text.data, m->text.len, l);
	l->n = MIN(l->n, m->f->info.max_tokens - 1u);
	*xpush(l->ids, l->n, l->cap) = t->last;
	uint32_t n = (uint32_t)l->n;
	encoder_run(m->encoder, l->ids, &n, 1, out);
}

static void
add_pair(struct sums *s, const float *query, const float *passage, size_t n_dims)
{
	for (size_t i = 0; i < n_dims; i++) {
		s->query[i] += (double)query[i];
		s->passage[i] += (double)passage[i];
		s->own += (double)query[i] * (double)passage[i];
	}
	s->n++;
}

const char *
calibrate_line(const char *after, size_t *len)
{
	const char *text = after == NULL ? embedded_find("schema/model-texts.txt")->text
					 : after + strcspn(after, "\n");

	while (*text == '\n' || *text == '#')
		text += *text == '\n' ? 1 : strcspn(text, "\n");
	*len = strcspn(text, "\n");
	return *len > 0 ? text : NULL;
}

/* Embeds every every-th readable line and adds it to the sums. */
static void
add_lines(struct sums *s, struct meter *m, size_t every)
{
	const struct model_info *info = &m->f->info;
	size_t line = 0, len;

	for (const char *text = calibrate_line(NULL, &len); text != NULL;
	     text = calibrate_line(text, &len)) {
		if (line++ % every != 0 || !readable(m, text, len))
			continue;
		embed(m, info->query_prefix, text, len, m->query);
		embed(m, info->passage_prefix, text, len, m->passage);
		add_pair(s, m->query, m->passage, info->n_dims);
	}
}

static int
conclude(const struct sums *s, size_t n_dims, struct calibration *c, struct err *err)
{
	double dot = 0, square = 0, n = (double)s->n;

	if (s->n < 2)
		return err_set(err, ERR_DATA,
		    "the model takes none of the texts it is measured by");
	c->centre = xreallocarray(NULL, n_dims, sizeof(*c->centre));
	for (size_t i = 0; i < n_dims; i++) {
		dot += s->query[i] * s->passage[i];
		square += s->passage[i] * s->passage[i];
		c->centre[i] = (float)(s->passage[i] / n);
	}
	c->unrelated = (float)((dot - s->own) / (n * (n - 1)));
	c->length = (float)(sqrt(square) / n);
	c->centred = c->length >= (float)CENTRE_FROM;
	if (!isfinite(c->unrelated) || !isfinite(c->length))
		return err_set(err, ERR_DATA, "the model's vectors are not finite");
	/* a model that cannot tell texts apart; calibrated similarities divide by 1 - this */
	c->unrelated = MIN(c->unrelated, 0.99f);
	return 0;
}

int
calibrate(const struct modelfile *f, struct calibration *c, struct err *err)
{
	size_t n_dims = f->info.n_dims;
	struct sums s = { xcalloc(n_dims, sizeof(double)), xcalloc(n_dims, sizeof(double)), 0, 0 };
	struct meter m = { .f = f, .encoder = encoder_new(&f->weights) };

	memset(c, 0, sizeof(*c));
	buf_init(&m.text, 65536);
	m.query = xcalloc(n_dims, sizeof(*m.query));
	m.passage = xcalloc(n_dims, sizeof(*m.passage));
	add_lines(&s, &m, f->info.quantised ? 1 : REFERENCE_EVERY);
	int rc = conclude(&s, n_dims, c, err);
	encoder_free(m.encoder);
	free(m.tokens.ids);
	buf_release(&m.text);
	free(m.query);
	free(m.passage);
	free(s.query);
	free(s.passage);
	return rc;
}

int
calibrate_vectors(const float *const *query, const float *const *passage, size_t n, size_t n_dims,
	struct calibration *c, struct err *err)
{
	struct sums s = { xcalloc(n_dims, sizeof(double)), xcalloc(n_dims, sizeof(double)), 0, 0 };

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < n; i++)
		if (query[i] != NULL && passage[i] != NULL)
			add_pair(&s, query[i], passage[i], n_dims);
	int rc = conclude(&s, n_dims, c, err);
	free(s.query);
	free(s.passage);
	return rc;
}

void
calibration_release(struct calibration *c)
{
	free(c->centre);
	c->centre = NULL;
}
