/*
 * segments.h: pages in memory, documents of random words as a table, and segments built of them.
 * For the tests of postings.
 */
#pragma once

#include "base/alloc.h"
#include "base/hash.h"
#include "index/postings.h"

static uint64_t seed = 1;

static inline uint32_t
next_random(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* ---- pages in memory ---- */

struct page { uint8_t *data; size_t len; };
struct leaf { char term[64]; size_t len; uint32_t page; };

struct memory {
	struct page pages[4000];
	size_t n_pages;
	struct leaf leaves[4000];
	size_t n_leaves;
	size_t fail_at;                        /* the page that cannot be written */
	/* pages from the first on that are not there any more */
	uint32_t n_gone;
	bool sane;
	uint8_t *lent;                         /* what the source gave last */
	struct postings_meta meta;
};

static inline int
take_page(void *arg, uint32_t page, const void *data, size_t len, struct err *err)
{
	struct memory *m = arg;

	if (page == m->fail_at)
		return err_set(err, ERR_IO, "full");
	m->sane &= page == m->n_pages && len > 0 && len <= POSTINGS_PAGE_BYTES &&
	    m->n_pages < NELEM(m->pages);
	m->pages[m->n_pages++] = (struct page){ xmemdup(data, len), len };
	return 0;
}

static inline int
take_leaf(void *arg, const char *term, size_t len, uint32_t page, struct err *err)
{
	struct memory *m = arg;
	struct leaf *l = &m->leaves[m->n_leaves++];

	(void)err;
	m->sane &= page + 1 == m->n_pages && m->pages[page].data[0] == POSTINGS_LEAF;
	memcpy(l->term, term, len);
	l->len = len;
	l->page = page;
	return 0;
}

/*
 * A copy of exactly its size, and the one before is gone: whoever reads too far or too late is
 * caught by the sanitizer.
 */
static inline int
give_page(void *arg, uint32_t page, const uint8_t **data, size_t *len, struct err *err)
{
	struct memory *m = arg;

	free(m->lent);
	m->lent = NULL;
	if (page >= m->n_pages || page < m->n_gone)
		return err_set(err, ERR_IO, "no such page");
	*data = m->lent = xmemdup(m->pages[page].data, m->pages[page].len);
	*len = m->pages[page].len;
	return 0;
}

/* The first n pages are gone; those that go are more each time. */
static inline int
take_away(void *arg, uint32_t n, struct err *err)
{
	struct memory *m = arg;

	(void)err;
	m->sane &= n > m->n_gone && n <= m->n_pages;
	m->n_gone = n;
	return 0;
}

static inline struct memory *
memory_new(void)
{
	struct memory *m = xcalloc(1, sizeof(*m));

	m->fail_at = SIZE_MAX;
	m->sane = true;
	return m;
}

static inline void
memory_free(struct memory *m)
{
	for (size_t i = 0; i < m->n_pages; i++)
		free(m->pages[i].data);
	free(m->lent);
	free(m);
}

static inline struct postings_sink
sink_of(struct memory *m)
{
	return (struct postings_sink){ take_page, take_leaf, m };
}
static inline struct postings_source
source_of(struct memory *m)
{
	return (struct postings_source){ give_page, m };
}
static inline struct postings_part
part_of(struct memory *m)
{
	return (struct postings_part){ m->meta, source_of(m), take_away };
}

static inline bool
same_segment(const struct memory *a, const struct memory *b)
{
	bool same = a->sane && b->sane && a->n_pages == b->n_pages && a->n_leaves == b->n_leaves &&
	    memcmp(&a->meta, &b->meta, sizeof(a->meta)) == 0;

	for (size_t i = 0; same && i < a->n_pages; i++)
		same = a->pages[i].len == b->pages[i].len &&
		    memcmp(a->pages[i].data, b->pages[i].data, a->pages[i].len) == 0;
	for (size_t i = 0; same && i < a->n_leaves; i++)
		same = a->leaves[i].len == b->leaves[i].len &&
		    a->leaves[i].page == b->leaves[i].page &&
		    memcmp(a->leaves[i].term, b->leaves[i].term, a->leaves[i].len) == 0;
	return same;
}

/* ---- the model ---- */

struct count { uint16_t tf, head; };

struct model {
	/* ascending by row */
	struct doc { int64_t row; unsigned words, flags, role; struct count *counts; } *docs;
	size_t n_docs, n_terms;
};

/* Terms of all lengths, many with the start of another, some of bytes over 127. */
static inline size_t
term_text(size_t i, char out[64])
{
	size_t len = (size_t)snprintf(out, 64, "%s%zu",
	    i % 3 == 0	     ? "a"
		: i % 3 == 1 ? "ab"
			     : "\xe4\xb8\xad",
	    i * i % 1009);

	if (i % 7 == 0)
		while (len < 20 + i % 45)
			out[len++] = 'x';
	return len;
}

static inline uint8_t
kind_of(void *arg, int64_t row)
{
	(void)arg;
	return (uint8_t)((row >> 20) * 5 % 3);
}

static inline int
by_row(const void *x, const void *y)
{
	const struct doc *a = x, *b = y;

	return a->row < b->row ? -1 : a->row > b->row;
}

/* Sessions of one to many turns, holes in some, one that ends where the next begins. */
static inline struct model
random_model(size_t n_docs, size_t n_terms, bool common)
{
	struct model m = { xcalloc(n_docs + 1, sizeof(struct doc)), n_docs, n_terms };
	int64_t row = (3ll << 44 | 1ll << 20) + 0xfffff - 2;

	for (size_t i = 0; i < n_docs; i++) {
		struct doc *d = &m.docs[i];
		unsigned n = next_random(10) == 0 ? next_random(400) : next_random(30);
		d->row = row;
		row += next_random(6) == 0 ? 2 + next_random(3) : 1;
		if (next_random(9) == 0)
			row = ((row >> 20) + 1 + next_random(3)) << 20;
		d->role = next_random(4);
		d->flags = next_random(4);
		d->words = next_random(50) == 0 ? POSTINGS_MAX_WORDS + next_random(3) : n;
		d->counts = xcalloc(n_terms, sizeof(struct count));
		for (unsigned k = 0; k < n; k++) {
			uint32_t t = next_random(2) ? next_random(1 + (uint32_t)n_terms / 20)
						    : next_random((uint32_t)n_terms);
			d->counts[t].tf++;
			d->counts[t].head += k < POSTINGS_HEAD_WORDS;
		}
		if (common)
			d->counts[0] = (struct count){ (uint16_t)(1 + next_random(20)),
				(uint16_t)next_random(2) };
	}
	qsort(m.docs, n_docs, sizeof(*m.docs), by_row);
	return m;
}

static inline void
model_free(struct model *m)
{
	for (size_t i = 0; i < m->n_docs; i++)
		free(m->docs[i].counts);
	free(m->docs);
}

/* Words of a document, one of each term in turn, so that no term's come together. */
static inline const struct tally *
terms_of(struct lexicon *l, const struct doc *d, size_t n_terms, size_t *n)
{
	char term[64];
	bool more = true;

	for (unsigned k = 0; more; k++) {
		more = false;
		for (size_t t = 0; t < n_terms; t++)
			if (d->counts[t].tf > k) {
				struct word w = { .term = term,
					.len = (uint16_t)term_text(t, term) };

				w.hash = hash64(term, w.len, 0);
				lexicon_word(l, &w, k < d->counts[t].head);
				more = true;
			}
	}
	return lexicon_doc(l, n);
}

static inline void
add_doc(struct postings_builder *b, struct lexicon *l, const struct doc *d, size_t n_terms)
{
	size_t n;
	const struct tally *terms = terms_of(l, d, n_terms, &n);

	postings_doc(b, d->row, terms, n, d->words, d->flags, d->role);
}

/*
 * A segment of the documents for which belongs[i] == part (belongs NULL: all), in the order of rows
 * or not.
 */
static inline struct memory *
build(const struct model *m, const uint8_t *belongs, uint8_t part, bool any_order)
{
	struct lexicon *l = lexicon_new();
	struct postings_builder *b = postings_builder_new(l);
	struct memory *to = memory_new();
	struct postings_sink sink = sink_of(to);
	uint32_t *order = xreallocarray(NULL, m->n_docs + 1, sizeof(*order));
	struct err err = ERR_INIT;

	for (size_t i = 0; i < m->n_docs; i++)
		order[i] = (uint32_t)i;
	for (size_t i = m->n_docs; any_order && i > 1; i--) {
		uint32_t k = next_random((uint32_t)i), was = order[k];
		order[k] = order[i - 1];
		order[i - 1] = was;
	}
	for (size_t i = 0; i < m->n_docs; i++)
		if (belongs == NULL || belongs[order[i]] == part)
			add_doc(b, l, &m->docs[order[i]], m->n_terms);
	if (postings_finish(b, kind_of, NULL, &sink, &to->meta, &err) < 0)
		to->sane = false;
	free(order);
	postings_builder_free(b);
	lexicon_free(l);
	return to;
}

static inline int
compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int c = memcmp(a, b, MIN(a_len, b_len));

	return c ? c : (a_len > b_len) - (a_len < b_len);
}

/* Appends the list of term by way of the leaves, as the store does. */
static inline int
find(struct memory *s, const char *term, size_t len, struct posting_list *l, struct err *err)
{
	struct postings_source from = source_of(s);
	size_t i = s->n_leaves;

	while (i > 0 && compare(s->leaves[i - 1].term, s->leaves[i - 1].len, term, len) > 0)
		i--;
	return i == 0 ? 0
		      : postings_find(&s->meta, &from, s->leaves[i - 1].page, term, len, l, err);
}

static inline bool
drop_third(void *arg, int64_t row)
{
	(void)arg;
	return row % 3 == 0;
}
