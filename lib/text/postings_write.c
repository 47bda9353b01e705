/*
 * postings_write.c: a segment from words, and the page writer that merging uses as well. The format is drawn in postings.h.
 *
 * The builder keeps one entry a distinct term in a hash table and one occurrence a (term, document) pair; at the end terms are
 * sorted and the occurrences dealt out to them by counting, so the cost is linear but for the sort of the distinct terms.
 */
#include "text/postings_page.h"

#include "base/alloc.h"
#include "base/hash.h"

#define LIST_INLINE_BYTES 1500             /* longer lists get pages of their own */
#define POSTING_BYTES_MAX 16

/* ---- pages ---- */

void
page_writer_init(struct page_writer *w, const struct postings_sink *to)
{
	memset(w, 0, sizeof(*w));
	w->to = to;
	buf_init(&w->leaf, 2 * POSTINGS_PAGE_BYTES);
	buf_init(&w->list, POSTINGS_PAGE_BYTES + POSTING_BYTES_MAX);
}

void
page_writer_release(struct page_writer *w)
{
	buf_release(&w->leaf);
	buf_release(&w->list);
}

static int
put_page(struct page_writer *w, const void *data, size_t len, struct err *err)
{
	return w->to->page(w->to->arg, w->n_pages++, data, len, err);
}

int
page_writer_docs(struct page_writer *w, const struct postings_run *runs, uint32_t n_runs, const uint16_t *info, uint32_t n_docs,
		 struct err *err)
{
	struct buf b;
	int64_t end = 0;
	int rc = -1;

	buf_init(&b, (size_t)n_runs * 24 + (size_t)n_docs * 2 + 16);
	for (uint32_t i = 0; i < n_runs; i++) {
		buf_varint(&b, (uint64_t)(runs[i].row - end));
		buf_varint(&b, runs[i].n);
		buf_addc(&b, (char)runs[i].kind);
		end = runs[i].row + runs[i].n;
	}
	for (uint32_t i = 0; i < n_docs; i++) {
		buf_addc(&b, (char)(info[i] & 0xff));
		buf_addc(&b, (char)(info[i] >> 8));
	}
	for (size_t at = 0; at < b.len; at += POSTINGS_PAGE_BYTES)
		if (put_page(w, b.data + at, MIN(b.len - at, (size_t)POSTINGS_PAGE_BYTES), err) < 0)
			goto out;
	rc = 0;
out:
	buf_release(&b);
	return rc;
}

static void
put_posting(struct buf *b, uint32_t delta, const struct posting *p)
{
	if (p->tf == 1 && p->head == 1) {
		buf_varint(b, (uint64_t)delta << 1 | 1);
		return;
	}
	buf_varint(b, (uint64_t)delta << 1);
	buf_addc(b, (char)(MIN(p->tf, 15) << 4 | MIN(p->head, 15)));
	if (p->tf >= 15)
		buf_varint(b, p->tf - 15u);
	if (p->head >= 15)
		buf_varint(b, p->head - 15u);
}

static int
end_leaf(struct page_writer *w, struct err *err)
{
	uint32_t no = w->n_pages;

	if (w->leaf.len == 0)
		return 0;
	if (put_page(w, w->leaf.data, w->leaf.len, err) < 0 || w->to->leaf(w->to->arg, w->first, w->first_len, no, err) < 0)
		return -1;
	buf_reset(&w->leaf);
	return 0;
}

static void
start_entry(struct page_writer *w, const char *term, size_t len, size_t df)
{
	size_t shared = 0;

	if (w->leaf.len == 0) {
		buf_addc(&w->leaf, POSTINGS_LEAF);
		memcpy(w->first, term, len);
		w->first_len = len;
	} else {
		while (shared < len && shared < w->last_len && term[shared] == w->last[shared])
			shared++;
	}
	buf_varint(&w->leaf, shared);
	buf_varint(&w->leaf, len - shared);
	buf_add(&w->leaf, term + shared, len - shared);
	buf_varint(&w->leaf, df);
	memcpy(w->last, term, len);
	w->last_len = len;
}

/* The list into pages of its own, each starting again from document 0. */
static int
put_long(struct page_writer *w, const struct posting *p, size_t n, struct err *err)
{
	uint32_t last = 0;

	buf_reset(&w->list);
	for (size_t i = 0; i < n; i++) {
		if (w->list.len == 0)
			buf_addc(&w->list, POSTINGS_LONG);
		put_posting(&w->list, p[i].doc - last, &p[i]);
		last = p[i].doc;
		if (w->list.len > POSTINGS_PAGE_BYTES - POSTING_BYTES_MAX) {
			if (put_page(w, w->list.data, w->list.len, err) < 0)
				return -1;
			buf_reset(&w->list);
			last = 0;
		}
	}
	return w->list.len ? put_page(w, w->list.data, w->list.len, err) : 0;
}

int
page_writer_term(struct page_writer *w, const char *term, size_t len, const struct posting *p, size_t n, struct err *err)
{
	uint32_t last = 0, first_long = w->n_pages;
	size_t i;

	buf_reset(&w->list);
	for (i = 0; i < n && w->list.len <= LIST_INLINE_BYTES; i++) {
		put_posting(&w->list, p[i].doc - last, &p[i]);
		last = p[i].doc;
	}
	if (w->list.len > LIST_INLINE_BYTES) {
		if (put_long(w, p, n, err) < 0)
			return -1;
		start_entry(w, term, len, n);
		buf_varint(&w->leaf, w->n_pages - first_long);
		buf_varint(&w->leaf, first_long);
	} else {
		if (w->leaf.len + len + w->list.len + 24 > POSTINGS_PAGE_BYTES && end_leaf(w, err) < 0)
			return -1;
		start_entry(w, term, len, n);
		buf_varint(&w->leaf, 0);
		buf_varint(&w->leaf, w->list.len);
		buf_add(&w->leaf, w->list.data, w->list.len);
	}
	return w->leaf.len > POSTINGS_PAGE_BYTES - 128 ? end_leaf(w, err) : 0;
}

int
page_writer_end(struct page_writer *w, struct err *err)
{
	return end_leaf(w, err);
}

/* ---- builder ---- */

struct term {
	uint64_t hash;
	uint64_t prefix;                   /* first 8 bytes, big endian: sorts as the bytes do */
	uint32_t text;                     /* offset in texts */
	uint32_t n;                        /* occurrences */
	uint32_t last;                     /* the newest occurrence */
	uint16_t len;
};

struct occurrence {
	uint32_t term, doc;                /* doc: in the order of adding */
	uint16_t tf, head;
};

struct doc {
	int64_t row;
	uint32_t at;                       /* in the order of adding */
	uint16_t info;
};

struct postings_builder {
	struct term *terms;
	size_t n_terms, cap_terms;
	uint32_t *slots;                   /* term + 1, 0 empty; a power of two */
	size_t n_slots;
	struct buf texts;
	struct occurrence *occ;
	size_t n_occ, cap_occ;
	struct doc *docs;
	size_t n_docs, cap_docs;
	uint64_t n_words;
};

struct postings_builder *
postings_builder_new(void)
{
	struct postings_builder *b = xcalloc(1, sizeof(*b));

	buf_init(&b->texts, UINT32_MAX);
	b->n_slots = 1 << 12;
	b->slots = xcalloc(b->n_slots, sizeof(*b->slots));
	return b;
}

void
postings_builder_free(struct postings_builder *b)
{
	if (b == NULL)
		return;
	free(b->terms);
	free(b->slots);
	free(b->occ);
	free(b->docs);
	buf_release(&b->texts);
	free(b);
}

uint32_t
postings_builder_docs(const struct postings_builder *b)
{
	return (uint32_t)b->n_docs;
}

void
postings_doc(struct postings_builder *b, int64_t row)
{
	xgrow(&b->docs, &b->cap_docs, b->n_docs + 1, sizeof(*b->docs));
	b->docs[b->n_docs] = (struct doc){ row, (uint32_t)b->n_docs, 0 };
	b->n_docs++;
}

void
postings_doc_end(struct postings_builder *b, unsigned n_words, unsigned flags, unsigned role)
{
	unsigned n = MIN(n_words, (unsigned)POSTINGS_MAX_WORDS);

	b->docs[b->n_docs - 1].info = (uint16_t)(n | (flags & 3) << 12 | (role & 3) << 14);
	b->n_words += n;
}

static uint64_t
prefix_of(const char *term, size_t len)
{
	uint64_t v = 0;

	for (size_t i = 0; i < 8; i++)
		v = v << 8 | (i < len ? (uint8_t)term[i] : 0);
	return v;
}

static void
rehash(struct postings_builder *b)
{
	free(b->slots);
	b->n_slots *= 2;
	b->slots = xcalloc(b->n_slots, sizeof(*b->slots));
	for (size_t i = 0; i < b->n_terms; i++) {
		size_t at = b->terms[i].hash & (b->n_slots - 1);
		while (b->slots[at] != 0)
			at = (at + 1) & (b->n_slots - 1);
		b->slots[at] = (uint32_t)i + 1;
	}
}

static uint32_t
term_of(struct postings_builder *b, const char *term, size_t len)
{
	uint64_t h = hash64(term, len, 0);
	size_t at = h & (b->n_slots - 1);
	struct term *t;

	for (; b->slots[at] != 0; at = (at + 1) & (b->n_slots - 1)) {
		t = &b->terms[b->slots[at] - 1];
		if (t->hash == h && t->len == len && memcmp(b->texts.data + t->text, term, len) == 0)
			return b->slots[at] - 1;
	}
	xgrow(&b->terms, &b->cap_terms, b->n_terms + 1, sizeof(*b->terms));
	t = &b->terms[b->n_terms];
	*t = (struct term){ h, prefix_of(term, len), (uint32_t)b->texts.len, 0, UINT32_MAX, (uint16_t)len };
	buf_add(&b->texts, term, len);
	b->slots[at] = (uint32_t)++b->n_terms;
	if (b->n_terms * 2 > b->n_slots)
		rehash(b);
	return (uint32_t)b->n_terms - 1;
}

void
postings_word(struct postings_builder *b, const char *term, size_t len, bool in_head)
{
	uint32_t doc = (uint32_t)b->n_docs - 1, id = term_of(b, term, len);
	struct term *t = &b->terms[id];
	struct occurrence *o;

	if (t->last == UINT32_MAX || b->occ[t->last].doc != doc) {
		xgrow(&b->occ, &b->cap_occ, b->n_occ + 1, sizeof(*b->occ));
		t->last = (uint32_t)b->n_occ++;
		b->occ[t->last] = (struct occurrence){ id, doc, 0, 0 };
		t->n++;
	}
	o = &b->occ[t->last];
	if (o->tf < UINT16_MAX) {
		o->tf++;
		o->head += in_head;
	}
}

static int
by_row(const void *x, const void *y)
{
	const struct doc *a = x, *b = y;

	return a->row < b->row ? -1 : a->row > b->row;
}

static int
by_doc(const void *x, const void *y)
{
	const struct posting *a = x, *b = y;

	return a->doc < b->doc ? -1 : a->doc > b->doc;
}

struct ranked { uint64_t prefix; uint32_t term; uint16_t len; const char *text; };

static int
by_text(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int c;

	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	c = memcmp(a->text, b->text, MIN(a->len, b->len));
	return c ? c : (int)a->len - (int)b->len;
}

/* Sorts the documents by row, gives the runs and info, and place: the new number of each document as it was added. */
static uint32_t
order_docs(struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg, struct postings_run *runs, uint16_t *info,
	   uint32_t *place, bool *moved)
{
	uint32_t n_runs = 0;

	if (b->n_docs > 0)
		qsort(b->docs, b->n_docs, sizeof(*b->docs), by_row);
	*moved = false;
	for (uint32_t i = 0; i < b->n_docs; i++) {
		const struct doc *d = &b->docs[i];
		place[d->at] = i;
		*moved |= d->at != i;
		info[i] = d->info;
		if (n_runs > 0 && runs[n_runs - 1].row + runs[n_runs - 1].n == d->row && (d->row & 0xfffff) != 0)
			runs[n_runs - 1].n++;
		else
			runs[n_runs++] = (struct postings_run){ d->row, 1, kind_of(kind_arg, d->row) };
	}
	return n_runs;
}

/* Deals the occurrences out: postings of the term ranked r are at start[r] .. start[r + 1]. */
static struct posting *
deal(const struct postings_builder *b, const struct ranked *order, const uint32_t *place, uint32_t *start)
{
	struct posting *out = xreallocarray(NULL, b->n_occ + 1, sizeof(*out));
	uint32_t *next = xreallocarray(NULL, b->n_terms + 1, sizeof(*next)), at = 0;

	for (size_t r = 0; r < b->n_terms; r++) {
		start[r] = next[order[r].term] = at;
		at += b->terms[order[r].term].n;
	}
	start[b->n_terms] = at;
	for (size_t i = 0; i < b->n_occ; i++) {
		const struct occurrence *o = &b->occ[i];
		out[next[o->term]++] = (struct posting){ place[o->doc], o->tf, o->head };
	}
	free(next);
	return out;
}

int
postings_finish(struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg, const struct postings_sink *to,
		struct postings_meta *meta, struct err *err)
{
	struct postings_run *runs = xreallocarray(NULL, b->n_docs + 1, sizeof(*runs));
	uint16_t *info = xreallocarray(NULL, b->n_docs + 1, sizeof(*info));
	uint32_t *place = xreallocarray(NULL, b->n_docs + 1, sizeof(*place));
	uint32_t *start = xreallocarray(NULL, b->n_terms + 1, sizeof(*start));
	struct ranked *order = xreallocarray(NULL, b->n_terms + 1, sizeof(*order));
	struct posting *dealt = NULL;
	struct page_writer w;
	bool moved;
	int rc = -1;

	page_writer_init(&w, to);
	*meta = (struct postings_meta){ .n_docs = (uint32_t)b->n_docs, .n_words = b->n_words };
	meta->n_runs = order_docs(b, kind_of, kind_arg, runs, info, place, &moved);
	for (size_t i = 0; i < b->n_terms; i++)
		order[i] = (struct ranked){ b->terms[i].prefix, (uint32_t)i, b->terms[i].len, b->texts.data + b->terms[i].text };
	if (b->n_terms > 0)
		qsort(order, b->n_terms, sizeof(*order), by_text);
	dealt = deal(b, order, place, start);

	if (page_writer_docs(&w, runs, meta->n_runs, info, meta->n_docs, err) < 0)
		goto out;
	meta->n_doc_pages = w.n_pages;
	for (size_t r = 0; r < b->n_terms; r++) {
		struct posting *p = dealt + start[r];
		size_t n = start[r + 1] - start[r];
		if (moved)
			qsort(p, n, sizeof(*p), by_doc);
		if (page_writer_term(&w, order[r].text, order[r].len, p, n, err) < 0)
			goto out;
	}
	if (page_writer_end(&w, err) < 0)
		goto out;
	meta->n_pages = w.n_pages;
	rc = 0;
out:
	page_writer_release(&w);
	free(runs);
	free(info);
	free(place);
	free(start);
	free(order);
	free(dealt);
	b->n_terms = b->n_occ = b->n_docs = 0;
	b->n_words = 0;
	buf_reset(&b->texts);
	memset(b->slots, 0, b->n_slots * sizeof(*b->slots));
	return rc;
}
