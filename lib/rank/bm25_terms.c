/*
 * bm25_terms.c: adds the terms of a question. Their lists are cut into streams of ascending
 * postings; a word that is written in several ways is one term with the lists of all its forms.
 */
#include "rank/bm25_parts.h"

#include "base/alloc.h"
#include "math/real.h"

double
bm25_idf(uint32_t n, uint32_t df)
{
	return real_log(1 + ((double)n - df + 0.5) / (df + 0.5));
}

/*
 * Adds the postings from n_listed to end as a term. Each segment of the index gave its part of the
 * list in ascending order, so each part becomes a stream.
 */
static void
add_term(struct bm25 *b, size_t end, float idf, float exact_idf)
{
	const struct posting *p = b->list.items;
	struct bm25_term t = { idf, exact_idf, b->n_streams, 0, false };

	for (size_t at = b->n_listed, next; at < end; at = next) {
		for (next = at + 1; next < end && p[next].doc > p[next - 1].doc;)
			next++;
		*xpush(b->streams, b->n_streams, b->cap_streams) = (struct bm25_stream){ at, next };
		t.n++;
	}
	b->n_listed = end;
	*xpush(b->terms, b->n_terms, b->cap_terms) = t;
}

size_t
bm25_add(struct bm25 *b, float weight, bool whole)
{
	size_t df = b->list.n - b->n_listed;
	float full = (float)bm25_idf(b->corpus->n, (uint32_t)df), idf = full * weight;

	b->idf_sum += idf;
	if (whole && df > 0)
		b->exact_sum += full;
	add_term(b, b->list.n, idf, whole ? full : 0);
	return df;
}

/* ---- other forms of a word ---- */

/*
 * Removes from stream s the turns that stream `of` has, from s->at on. Streams of different
 * segments mostly have different turns; then a binary search is all that this costs.
 */
static void
keep_others(struct bm25 *b, struct bm25_stream *s, const struct bm25_stream *of)
{
	struct posting *p = b->list.items;
	size_t k = s->at < s->end ? posting_from(b, of->at, of->end, p[s->at].doc) : of->end,
	       to = s->at;

	if (k == of->end)
		return;
	for (size_t i = s->at; i < s->end; i++) {
		while (k < of->end && p[k].doc < p[i].doc)
			k++;
		if (k == of->end || p[k].doc != p[i].doc)
			p[to++] = p[i];
	}
	s->end = to;
}

/*
 * Keeps a turn only in the first stream of the last two terms that has it, and closes the gaps in
 * the list.
 */
static void
drop_repeated(struct bm25 *b)
{
	const struct bm25_term *own = &b->terms[b->n_terms - 2], *other = own + 1;
	struct posting *p = b->list.items;
	size_t at = b->streams[other->first].at;

	for (size_t i = other->first; i < b->n_streams; i++) {
		struct bm25_stream *s = &b->streams[i];

		for (size_t k = own->first; k < i; k++)
			keep_others(b, s, &b->streams[k]);
		size_t n = s->end - s->at;
		memmove(p + at, p + s->at, n * sizeof(*p));
		*s = (struct bm25_stream){ at, at + n };
		at += n;
	}
	b->list.n = b->n_listed = at;
}

size_t
bm25_add_forms(struct bm25 *b, size_t n_own, float weight, float share)
{
	size_t first = b->n_listed, df;

	add_term(b, first + n_own, 0, 0);
	add_term(b, b->list.n, 0, 0);
	drop_repeated(b);
	df = b->list.n - first;
	float idf = weight * (float)bm25_idf(b->corpus->n, (uint32_t)df);
	b->terms[b->n_terms - 2].idf = idf;
	b->terms[b->n_terms - 1].idf = share * idf;
	b->terms[b->n_terms - 1].form = true;
	b->idf_sum += idf;
	return df;
}

void
bm25_add_exact(struct bm25 *b, float share)
{
	size_t df = b->list.n - b->n_listed;
	float idf = (float)bm25_idf(b->corpus->n, (uint32_t)df);

	if (df == 0)
		return;
	b->exact_sum += idf;
	add_term(b, b->list.n, 0, share * idf);
}
