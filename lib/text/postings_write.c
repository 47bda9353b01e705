/*
 * postings_write.c: a segment from words. The format is drawn in postings.h.
 *
 * The builder keeps one occurrence a (term, document) pair and how many each term of the lexicon has; at the end the terms that have any and the documents are
 * sorted, and the occurrences dealt out by counting, document by document, so the cost is linear but for these two sorts.
 */
#include "text/postings_page.h"

#include "base/alloc.h"

struct doc {
	int64_t row;
	size_t at;                         /* of its first occurrence */
	uint32_t n;
	uint16_t info;
};

struct postings_builder {
	const struct lexicon *of;
	uint32_t *counts;                  /* [cap_counts] documents of each term of the lexicon */
	size_t cap_counts;
	uint32_t *used;                    /* the terms that have any */
	size_t n_used, cap_used;
	struct tally *occ;
	size_t n_occ, cap_occ;
	struct doc *docs;
	size_t n_docs, cap_docs;
	uint64_t n_words;
};

struct postings_builder *
postings_builder_new(const struct lexicon *of)
{
	struct postings_builder *b = xcalloc(1, sizeof(*b));

	b->of = of;
	return b;
}

void
postings_builder_free(struct postings_builder *b)
{
	if (b == NULL)
		return;
	free(b->counts);
	free(b->used);
	free(b->occ);
	free(b->docs);
	free(b);
}

uint32_t
postings_builder_docs(const struct postings_builder *b)
{
	return (uint32_t)b->n_docs;
}

/* Room to count each term of the lexicon as it is now. */
static void
grow_counts(struct postings_builder *b)
{
	size_t had = b->cap_counts, want = lexicon_n_terms(b->of);

	if (want <= had)
		return;
	xgrow(&b->counts, &b->cap_counts, want, sizeof(*b->counts));
	memset(b->counts + had, 0, (b->cap_counts - had) * sizeof(*b->counts));
}

void
postings_doc(struct postings_builder *b, int64_t row, const struct tally *terms, size_t n, unsigned n_words, unsigned flags, unsigned role)
{
	unsigned words = MIN(n_words, (unsigned)POSTINGS_MAX_WORDS);

	grow_counts(b);
	xgrow(&b->docs, &b->cap_docs, b->n_docs + 1, sizeof(*b->docs));
	xgrow(&b->occ, &b->cap_occ, b->n_occ + n, sizeof(*b->occ));
	xgrow(&b->used, &b->cap_used, b->n_used + n, sizeof(*b->used));
	b->docs[b->n_docs++] = (struct doc){ row, b->n_occ, (uint32_t)n, (uint16_t)(words | (flags & 3) << 12 | (role & 3) << 14) };
	b->n_words += words;
	for (size_t i = 0; i < n; i++) {
		b->occ[b->n_occ++] = terms[i];
		if (b->counts[terms[i].term]++ == 0)
			b->used[b->n_used++] = terms[i].term;
	}
}

static int
by_row(const void *x, const void *y)
{
	const struct doc *a = x, *b = y;

	return a->row < b->row ? -1 : a->row > b->row;
}

struct ranked { uint64_t prefix; uint32_t term; uint16_t len; const char *text; };

static int
by_text(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int c = memcmp(a->text, b->text, MIN(a->len, b->len));

	return c ? c : (int)a->len - (int)b->len;
}

/* Sorts the documents by row, gives the runs and info. */
static uint32_t
order_docs(struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg, struct postings_run *runs, uint16_t *info)
{
	uint32_t n_runs = 0;

	if (b->n_docs > 0)
		qsort(b->docs, b->n_docs, sizeof(*b->docs), by_row);
	for (uint32_t i = 0; i < b->n_docs; i++) {
		const struct doc *d = &b->docs[i];

		info[i] = d->info;
		if (n_runs > 0 && runs[n_runs - 1].row + runs[n_runs - 1].n == d->row && (d->row & 0xfffff) != 0)
			runs[n_runs - 1].n++;
		else
			runs[n_runs++] = (struct postings_run){ d->row, 1, kind_of(kind_arg, d->row) };
	}
	return n_runs;
}

/*
 * In the order of their first 8 bytes: a byte a pass, the last first, so that what a pass ordered stays so among equals of the next. As the passes are
 * even in number, the last ends in r. spare [n]
 */
static void
sort_by_prefix(struct ranked *r, struct ranked *spare, size_t n)
{
	for (unsigned shift = 0; shift < 64; shift += 8) {
		size_t at[256] = { 0 }, sum = 0;

		for (size_t i = 0; i < n; i++)
			at[r[i].prefix >> shift & 0xff]++;
		for (size_t c = 0; c < NELEM(at); c++) {
			size_t here = at[c];
			at[c] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			spare[at[r[i].prefix >> shift & 0xff]++] = r[i];
		struct ranked *was = r;
		r = spare;
		spare = was;
	}
}

/* The terms in the order of their bytes. */
static struct ranked *
rank_terms(const struct postings_builder *b)
{
	struct ranked *order = xreallocarray(NULL, b->n_used + 1, sizeof(*order)), *spare = xreallocarray(NULL, b->n_used + 1, sizeof(*spare));

	for (size_t i = 0; i < b->n_used; i++) {
		const struct lexicon_term *t = lexicon_term(b->of, b->used[i]);

		order[i] = (struct ranked){ lexicon_prefix(t), b->used[i], t->len, lexicon_text(b->of, t) };
	}
	sort_by_prefix(order, spare, b->n_used);
	free(spare);
	for (size_t i = 0, n; i < b->n_used; i += n) {
		for (n = 1; i + n < b->n_used && order[i + n].prefix == order[i].prefix; n++)
			;
		if (n > 1)
			qsort(order + i, n, sizeof(*order), by_text);
	}
	return order;
}

/* Deals the occurrences out: postings of the term ranked r are at start[r] .. start[r + 1], in the order of the documents. */
static struct posting *
deal(const struct postings_builder *b, const struct ranked *order, uint32_t *start)
{
	struct posting *out = xreallocarray(NULL, b->n_occ + 1, sizeof(*out));
	uint32_t *next = xreallocarray(NULL, (size_t)lexicon_n_terms(b->of) + 1, sizeof(*next)), at = 0;

	for (size_t r = 0; r < b->n_used; r++) {
		start[r] = next[order[r].term] = at;
		at += b->counts[order[r].term];
	}
	start[b->n_used] = at;
	for (uint32_t doc = 0; doc < b->n_docs; doc++) {
		const struct tally *o = b->occ + b->docs[doc].at, *end = o + b->docs[doc].n;

		for (; o < end; o++)
			out[next[o->term]++] = (struct posting){ doc, o->tf, o->head };
	}
	free(next);
	return out;
}

static void
empty(struct postings_builder *b)
{
	for (size_t i = 0; i < b->n_used; i++)
		b->counts[b->used[i]] = 0;
	b->n_used = b->n_occ = b->n_docs = 0;
	b->n_words = 0;
}

int
postings_finish(struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg, const struct postings_sink *to,
		struct postings_meta *meta, struct err *err)
{
	struct postings_run *runs = xreallocarray(NULL, b->n_docs + 1, sizeof(*runs));
	uint16_t *info = xreallocarray(NULL, b->n_docs + 1, sizeof(*info));
	uint32_t *start = xreallocarray(NULL, b->n_used + 1, sizeof(*start));
	struct ranked *order = rank_terms(b);
	struct posting *dealt;
	struct page_writer w;
	int rc = -1;

	page_writer_init(&w, to);
	*meta = (struct postings_meta){ .n_docs = (uint32_t)b->n_docs, .n_words = b->n_words };
	meta->n_runs = order_docs(b, kind_of, kind_arg, runs, info);
	dealt = deal(b, order, start);

	if (page_writer_docs(&w, runs, meta->n_runs, info, meta->n_docs, err) < 0)
		goto out;
	meta->n_doc_pages = w.n_pages;
	for (size_t r = 0; r < b->n_used; r++) {
		struct posting *p = dealt + start[r];
		size_t n = start[r + 1] - start[r];
		if (page_writer_postings(&w, p, n, err) < 0 || page_writer_term(&w, order[r].text, order[r].len, n, err) < 0)
			goto out;
	}
	if (page_writer_end(&w, err) < 0)
		goto out;
	meta->n_pages = w.n_pages;
	rc = 0;
out:
	free(runs);
	free(info);
	free(start);
	free(order);
	free(dealt);
	empty(b);
	return rc;
}
