/*
 * postings_write.c: builds a segment from documents. postings.h describes the format.
 *
 * The builder keeps one occurrence for each pair of term and document. At the end these are counted
 * by term, the terms that occur and the documents are sorted, and the occurrences are distributed
 * by these counts, document by document: a counting sort, so that the cost is linear but for those
 * two sorts.
 *
 * A segment's lists do not depend on rows, only on the order of documents. So another thread can
 * pack them before the rows are known, on condition that all documents will come in that order.
 */
#include "index/postings_page.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/order.h"

struct doc {
	int64_t row;
	/* [n]; NULL: they are in the builder, from `at` on */
	const struct tally *terms;
	size_t at;
	uint32_t n;
	uint32_t no;                       /* its number in the builder that had it first */
	uint16_t info;
};

/* A page of a list, or the first term of a leaf. */
struct piece {
	bool is_leaf;
	uint32_t page;
	size_t at, len;                    /* in bytes */
};

struct packed {
	/* page number of the first list, which is the number of document pages before it */
	uint32_t first;
	uint32_t n_pages;                  /* in the whole segment; 0: nothing is packed */
	struct buf bytes;
	struct piece *pieces;              /* in the order in which they are written */
	size_t n_pieces, cap_pieces;
};

struct postings_builder {
	const struct lexicon *of;
	/* [cap_counts] documents of each term of the lexicon; all 0 except while lists are made */
	uint32_t *counts;
	size_t cap_counts;
	uint32_t *used;                    /* the terms that occur */
	size_t n_used, cap_used;
	struct tally *occ;
	size_t n_occ, cap_occ;
	struct doc *docs;
	size_t n_docs, cap_docs;
	uint64_t n_words;
	struct packed packed;
	/* a builder that had all these documents before their rows were known; NULL: none */
	const struct postings_builder *before;
};

struct postings_builder *
postings_builder_new(const struct lexicon *of)
{
	struct postings_builder *b = xcalloc(1, sizeof(*b));

	b->of = of;
	buf_init(&b->packed.bytes, UINT32_MAX);
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
	free(b->packed.pieces);
	buf_release(&b->packed.bytes);
	free(b);
}

uint32_t
postings_builder_docs(const struct postings_builder *b)
{
	return (uint32_t)b->n_docs;
}

/* Makes room to count each term that the lexicon has now. */
static void
grow_counts(struct postings_builder *b)
{
	size_t had = b->cap_counts, want = lexicon_n_terms(b->of);

	if (want <= had)
		return;
	xgrow(&b->counts, &b->cap_counts, want, sizeof(*b->counts));
	memset(b->counts + had, 0, (b->cap_counts - had) * sizeof(*b->counts));
}

static struct doc *
add_doc(struct postings_builder *b, int64_t row, unsigned n_words, unsigned flags, unsigned role)
{
	uint16_t info = postings_info_of(n_words, flags, role);

	xgrow(&b->docs, &b->cap_docs, b->n_docs + 1, sizeof(*b->docs));
	b->docs[b->n_docs] = (struct doc){ .row = row, .info = info };
	b->n_words += postings_words(info);
	return &b->docs[b->n_docs++];
}

void
postings_doc(struct postings_builder *b, int64_t row, const struct tally *terms, size_t n,
	unsigned n_words, unsigned flags, unsigned role)
{
	struct doc *d = add_doc(b, row, n_words, flags, role);

	xgrow(&b->occ, &b->cap_occ, b->n_occ + n, sizeof(*b->occ));
	if (n > 0)
		memcpy(b->occ + b->n_occ, terms, n * sizeof(*terms));
	d->at = b->n_occ;
	d->n = (uint32_t)n;
	b->n_occ += n;
	b->before = NULL;
}

void
postings_doc_kept(struct postings_builder *b, int64_t row, const struct tally *terms, size_t n,
	unsigned n_words, unsigned flags, unsigned role)
{
	struct doc *d = add_doc(b, row, n_words, flags, role);

	d->terms = terms;
	d->n = (uint32_t)n;
	b->before = NULL;
}

void
postings_doc_of(struct postings_builder *b, int64_t row, const struct postings_builder *before,
	uint32_t no, unsigned n_words, unsigned flags, unsigned role)
{
	bool same = b->n_docs == 0 || b->before == before;

	postings_doc_kept(b, row, before->docs[no].terms, before->docs[no].n, n_words, flags, role);
	b->docs[b->n_docs - 1].no = no;
	b->before = same ? before : NULL;
}

/* The terms of a document; borrowed until the next one. */
static const struct tally *
terms_of(const struct postings_builder *b, const struct doc *d)
{
	return d->terms != NULL ? d->terms : b->occ + d->at;
}

/* Counts the documents of each term and collects the terms that occur; returns the sum. */
static size_t
count(struct postings_builder *b)
{
	size_t n = 0;

	grow_counts(b);
	for (const struct doc *d = b->docs; d < b->docs + b->n_docs; d++) {
		const struct tally *o = terms_of(b, d), *end = o + d->n;

		xgrow(&b->used, &b->cap_used, b->n_used + d->n, sizeof(*b->used));
		for (; o < end; o++)
			if (b->counts[o->term]++ == 0)
				b->used[b->n_used++] = o->term;
		n += d->n;
	}
	return n;
}

static void
forget_counts(struct postings_builder *b)
{
	for (size_t i = 0; i < b->n_used; i++)
		b->counts[b->used[i]] = 0;
	b->n_used = 0;
}

ORDER_BY(by_row, struct doc, row)

struct ranked { uint64_t prefix; uint32_t term; uint16_t len; const char *text; };

static int
by_bytes(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int c = memcmp(a->text, b->text, MIN(a->len, b->len));

	return c ? c : (int)a->len - (int)b->len;
}

/* Sorts the documents by row and computes runs and info. */
static uint32_t
order_docs(struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg,
	struct postings_run *runs, uint16_t *info)
{
	uint32_t n_runs = 0;
	size_t sorted = 1;

	while (sorted < b->n_docs && b->docs[sorted - 1].row < b->docs[sorted].row)
		sorted++;
	if (sorted < b->n_docs)
		qsort(b->docs, b->n_docs, sizeof(*b->docs), by_row);
	for (uint32_t i = 0; i < b->n_docs; i++) {
		const struct doc *d = &b->docs[i];

		info[i] = d->info;
		if (n_runs > 0 && runs[n_runs - 1].row + runs[n_runs - 1].n == d->row &&
		    (d->row & 0xfffff) != 0)
			runs[n_runs - 1].n++;
		else
			runs[n_runs++] =
			    (struct postings_run){ d->row, 1, kind_of(kind_arg, d->row) };
	}
	return n_runs;
}

/*
 * Radix sort by the first 8 bytes, one byte a pass, the last byte first; each pass is stable. The
 * number of passes is even, so the result ends up in r. spare [n].
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

/* Returns the terms in byte order. */
static struct ranked *
rank_terms(const struct postings_builder *b)
{
	struct ranked *order = xreallocarray(NULL, b->n_used + 1, sizeof(*order)),
		      *spare = xreallocarray(NULL, b->n_used + 1, sizeof(*spare));

	for (size_t i = 0; i < b->n_used; i++) {
		const struct lexicon_term *t = lexicon_term(b->of, b->used[i]);

		order[i] = (struct ranked){ lexicon_prefix(t), b->used[i], t->len,
			lexicon_text(b->of, t) };
	}
	sort_by_prefix(order, spare, b->n_used);
	free(spare);
	for (size_t i = 0, n; i < b->n_used; i += n) {
		for (n = 1; i + n < b->n_used && order[i + n].prefix == order[i].prefix; n++)
			;
		if (n > 1)
			qsort(order + i, n, sizeof(*order), by_bytes);
	}
	return order;
}

/*
 * Distributes the occurrences: the postings of the term with rank r are at start[r] .. start[r +
 * 1], in the order of the documents.
 */
static struct posting *
distribute(const struct postings_builder *b, size_t n, const struct ranked *order, uint32_t *start)
{
	struct posting *out = xreallocarray(NULL, n + 1, sizeof(*out));
	FREED uint32_t *next =
	    xreallocarray(NULL, (size_t)lexicon_n_terms(b->of) + 1, sizeof(*next));
	uint32_t at = 0;

	for (size_t r = 0; r < b->n_used; r++) {
		start[r] = next[order[r].term] = at;
		at += b->counts[order[r].term];
	}
	start[b->n_used] = at;
	for (uint32_t doc = 0; doc < b->n_docs; doc++) {
		const struct tally *o = terms_of(b, &b->docs[doc]), *end = o + b->docs[doc].n;

		for (; o < end; o++)
			out[next[o->term]++] = (struct posting){ doc, o->tf, o->head };
	}
	return out;
}

/* Writes the lists of all terms; the documents are in order. */
static int
write_lists(struct postings_builder *b, struct page_writer *w, struct err *err)
{
	size_t n_all = count(b);
	FREED uint32_t *start = xreallocarray(NULL, b->n_used + 1, sizeof(*start));
	FREED struct ranked *order = rank_terms(b);
	FREED struct posting *dealt = distribute(b, n_all, order, start);
	int rc = -1;

	for (size_t r = 0; r < b->n_used; r++) {
		size_t n = start[r + 1] - start[r];

		if (page_writer_postings(w, dealt + start[r], n, err) < 0 ||
		    page_writer_term(w, order[r].text, order[r].len, n, err) < 0)
			goto out;
	}
	rc = page_writer_end(w, err);
out:
	forget_counts(b);
	return rc;
}

/* ---- ahead ---- */

static void
pack(struct packed *p, bool is_leaf, uint32_t page, const void *data, size_t len)
{
	*xpush(p->pieces, p->n_pieces, p->cap_pieces) =
	    (struct piece){ is_leaf, page, p->bytes.len, len };
	buf_add(&p->bytes, data, len);
}

static int
pack_page(void *arg, uint32_t page, const void *data, size_t len, struct err *err)
{
	(void)err;
	pack(arg, false, page, data, len);
	return 0;
}

static int
pack_leaf(void *arg, const char *term, size_t len, uint32_t page, struct err *err)
{
	(void)err;
	pack(arg, true, page, term, len);
	return 0;
}

void
postings_pack(struct postings_builder *b)
{
	struct packed *p = &b->packed;
	struct postings_sink to = { pack_page, pack_leaf, p };
	struct err err = ERR_INIT;
	struct page_writer w;

	page_writer_init(&w, &to);
	/*
	 * entries name the pages of long lists by number, so the number of document pages must be
	 * guessed right: a few runs and two bytes a document
	 */
	w.n_pages = p->first = (uint32_t)(b->n_docs * 2 / POSTINGS_PAGE_BYTES) + 1;
	p->n_pages = write_lists(b, &w, &err) < 0 || p->bytes.full ? 0 : w.n_pages;
}

/* Whether the lists packed before are those of b, whose documents are in order. */
static bool
are_packed(const struct postings_builder *b, uint32_t n_doc_pages)
{
	const struct postings_builder *before = b->before;

	if (before == NULL || before->packed.n_pages == 0 || before->packed.first != n_doc_pages ||
	    before->n_docs != b->n_docs)
		return false;
	for (size_t i = 0; i < b->n_docs; i++)
		if (b->docs[i].no != i)
			return false;
	return true;
}

static int
put_packed(const struct packed *p, const struct postings_sink *to, struct err *err)
{
	for (const struct piece *x = p->pieces; x < p->pieces + p->n_pieces; x++) {
		const char *data = p->bytes.data + x->at;

		if ((x->is_leaf ? to->leaf(to->arg, data, x->len, x->page, err)
				: to->page(to->arg, x->page, data, x->len, err)) < 0)
			return -1;
	}
	return 0;
}

void
postings_builder_clear(struct postings_builder *b)
{
	b->n_occ = b->n_docs = 0;
	b->n_words = 0;
	b->before = NULL;
	b->packed.n_pages = 0;
	b->packed.n_pieces = 0;
	buf_reset(&b->packed.bytes);
}

int
postings_finish(struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg,
	const struct postings_sink *to, struct postings_meta *meta, struct err *err)
{
	FREED struct postings_run *runs = xreallocarray(NULL, b->n_docs + 1, sizeof(*runs));
	FREED uint16_t *info = xreallocarray(NULL, b->n_docs + 1, sizeof(*info));
	struct page_writer w;
	int rc = -1;

	page_writer_init(&w, to);
	*meta = (struct postings_meta){ .n_docs = (uint32_t)b->n_docs, .n_words = b->n_words };
	meta->n_runs = order_docs(b, kind_of, kind_arg, runs, info);
	if (page_writer_docs(&w, runs, meta->n_runs, info, meta->n_docs, err) < 0)
		goto out;
	meta->n_doc_pages = w.n_pages;
	if (are_packed(b, w.n_pages)) {
		meta->n_pages = b->before->packed.n_pages;
		rc = put_packed(&b->before->packed, to, err);
	} else {
		rc = write_lists(b, &w, err);
		meta->n_pages = w.n_pages;
	}
out:
	postings_builder_clear(b);
	return rc;
}
