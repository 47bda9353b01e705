/* rerank_hits.c: of a long message the model gets the part that a reader would be shown. */
#include "search/rerank_hits.h"

#include <math.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "search/hit.h"
#include "search/search_run.h"

int64_t
rerank_limit(int64_t shown)
{
	return MAX(shown, conf_int("rerank_candidates"));
}

static size_t
n_asked(size_t n)
{
	return MIN(n, (size_t)conf_int("rerank_candidates"));
}

/*
 * How near a message can be: the similarity of one that says the question itself, which a model
 * that reads questions in another way than texts does not put at 1.
 */
static double
nearest(const struct rerank_hits *x)
{
	return x->search->query_vector != NULL ? query_vector_itself(x->search->query_vector) : 1;
}

/* best: the highest BM25 of all hits; near: what is nearest. */
static int
text_of_message(const struct rerank_hits *x, const struct question *q, const struct search_hit *h,
	double best, double near, struct rerank_text *out, struct err *err)
{
	const struct message *m = h->message;
	const char *by = message_by(m);
	struct hit_view view;

	*out = (struct rerank_text){ m->content, by, m->content_len, strlen(by), m->time_us, 0 };
	out->score = !isnan(h->sim) ? (double)h->sim / near : best > 0 ? (double)h->bm25 / best : 0;
	if (m->content_len <= RERANK_TEXT_BYTES)
		return 0;
	if (hit_look(x->store, x->who, q, h, &view, err) < 0)
		return -1;
	out->text += view.snippet_start;
	out->len -= view.snippet_start;
	return 0;
}

static struct rerank_text
text_of_record(const struct tier_hit *h)
{
	const struct record_head *r = &h->record->head;

	return (struct rerank_text){ r->content, "", r->content_len, 0, r->time_us,
		!isnan(h->sim) ? h->sim : h->bm25 };
}

/* Puts items [n], of size bytes each, into the order given. */
static void
permute(void *items, size_t size, const uint32_t *order, size_t n)
{
	char *to = items;
	FREED char *from = xmalloc(n * size + 1);

	memcpy(from, items, n * size);
	for (size_t i = 0; i < n; i++)
		memcpy(to + i * size, from + order[i] * size, size);
}

static struct reranked
again_of(const struct reranked *r, enum rerank_did did, size_t was)
{
	return (struct reranked){ did == RERANK_DONE ? was + 1 : 0, r->model, r->note };
}

int
rerank_said(const struct rerank_hits *x, struct search_result *r, enum rerank_did *did,
	struct err *err)
{
	size_t n = n_asked(r->n);
	FREED struct rerank_text *texts = xcalloc(n + 1, sizeof(*texts));
	FREED uint32_t *order = xcalloc(n + 1, sizeof(*order));
	struct reranked out;
	double best = 0, near = nearest(x);
	int rc = 0;

	for (size_t i = 0; i < r->n; i++)
		best = MAX(best, (double)r->hits[i].bm25);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = text_of_message(x, r->question, &r->hits[i], best, near, &texts[i], err);
	if (rc == 0) {
		*did =
		    rerank(x->llm, x->query->text, x->query->len, texts, n, x->arena, order, &out);
		permute(r->hits, sizeof(*r->hits), order, n);
		for (size_t i = 0; i < n; i++)
			r->hits[i].again = again_of(&out, *did, order[i]);
		r->n = MIN(r->n, x->shown);
	}
	return rc;
}

void
rerank_known(const struct rerank_hits *x, struct tier_hit *hits, size_t *n_hits,
	enum rerank_did *did)
{
	size_t n = n_asked(*n_hits);
	FREED struct rerank_text *texts = xcalloc(n + 1, sizeof(*texts));
	FREED uint32_t *order = xcalloc(n + 1, sizeof(*order));
	struct reranked out;

	for (size_t i = 0; i < n; i++)
		texts[i] = text_of_record(&hits[i]);
	*did = rerank(x->llm, x->query->text, x->query->len, texts, n, x->arena, order, &out);
	permute(hits, sizeof(*hits), order, n);
	for (size_t i = 0; i < n; i++)
		hits[i].again = again_of(&out, *did, order[i]);
	*n_hits = MIN(*n_hits, x->shown);
}

int
rerank_steps(const struct rerank_hits *x, struct steps_result *r, enum rerank_did *did,
	struct err *err)
{
	size_t n = n_asked(r->n);
	FREED struct rerank_text *texts = xcalloc(n + 1, sizeof(*texts));
	FREED uint32_t *order = xcalloc(n + 1, sizeof(*order));
	struct reranked out;
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct step_hit *h = &r->hits[i];
		const char *name;
		if (h->category != NULL) {
			name =
			    *h->category->name != '\0' ? h->category->name : h->category->keywords;
			texts[i] = (struct rerank_text){ name, "", strlen(name), 0, TIME_NONE, 0 };
		} else if (h->known.record != NULL) {
			texts[i] = text_of_record(&h->known);
		} else {
			rc = text_of_message(x, r->said.question, &h->said, 0, 1, &texts[i], err);
		}
		texts[i].score = h->score;
	}
	if (rc == 0) {
		*did =
		    rerank(x->llm, x->query->text, x->query->len, texts, n, x->arena, order, &out);
		permute(r->hits, sizeof(*r->hits), order, n);
		for (size_t i = 0; i < n; i++)
			r->hits[i].known.again = r->hits[i].said.again =
			    again_of(&out, *did, order[i]);
		r->n = MIN(r->n, x->shown);
	}
	return rc;
}
