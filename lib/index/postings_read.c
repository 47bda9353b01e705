/*
 * postings_read.c: reads a segment: its documents, the list of one term, all terms in order. Every
 * length is checked against the page: a damaged page is an error, never a crash. postings.h
 * describes the format.
 */
#include "index/postings_page.h"

#include "base/alloc.h"
#include "base/buf.h"

int
postings_damaged(struct err *err, const char *what)
{
	return err_set(err, ERR_IO,
	    "full-text index is damaged: %s (mem-check --repair rebuilds it)", what);
}

/* ---- documents ---- */

static const uint8_t *
read_run(const uint8_t *p, const uint8_t *end, int64_t *row, uint64_t left,
	struct postings_run *run)
{
	uint64_t gap, n;

	if ((p = varint_get(p, end, &gap)) == NULL || (p = varint_get(p, end, &n)) == NULL ||
	    p == end)
		return NULL;
	if (n == 0 || n > left || n > (uint64_t)(INT64_MAX - *row) ||
	    gap > (uint64_t)(INT64_MAX - *row) - n)
		return NULL;
	*run = (struct postings_run){ *row + (int64_t)gap, (uint32_t)n, *p };
	*row = run->row + (int64_t)n;
	return p + 1;
}

int
postings_runs(const struct postings_meta *m, const struct postings_source *from,
	struct postings_run *runs, uint64_t *info_at, struct err *err)
{
	const uint8_t *p, *next;
	uint64_t left = m->n_docs;
	uint32_t page = 0, i = 0;
	int64_t row = 0;
	size_t len, at = 0;
	LOCAL(buf) b = buf_of((size_t)m->n_doc_pages * POSTINGS_PAGE_BYTES + 1);

	while (i < m->n_runs) {
		p = (const uint8_t *)b.data + at;
		if ((next = read_run(p, (const uint8_t *)b.data + b.len, &row, left, &runs[i])) !=
		    NULL) {
			at += (size_t)(next - p);
			left -= runs[i++].n;
			continue;
		}
		/* a value may go on in the next page */
		if (page == m->n_doc_pages) {
			postings_damaged(err, "runs of documents");
			return -1;
		}
		if (from->page(from->arg, page++, &p, &len, err) < 0)
			return -1;
		buf_add(&b, p, len);
	}
	if (left != 0) {
		postings_damaged(err, "number of documents");
		return -1;
	}
	*info_at = at;
	return 0;
}

static void
unpack_info(const uint8_t *p, size_t n, uint16_t *info)
{
	for (size_t i = 0; i < n; i++)
		info[i] = (uint16_t)(p[2 * i] | p[2 * i + 1] << 8);
}

int
postings_info(const struct postings_meta *m, const struct postings_source *from,
	const struct postings_run *runs, uint64_t info_at, uint16_t *const *to, struct err *err)
{
	uint64_t page = info_at / POSTINGS_PAGE_BYTES;
	const uint8_t *p = NULL, *end = NULL;
	uint32_t k = 0, i = 0;
	uint8_t low = 0;
	/* half: low is the last byte of a page, and its other half begins the next page */
	bool half = false;
	size_t len;

	for (; page < m->n_doc_pages; page++) {
		if (from->page(from->arg, (uint32_t)page, &p, &len, err) < 0)
			return -1;
		end = p + len;
		if (page == info_at / POSTINGS_PAGE_BYTES)
			p += MIN(len, (size_t)(info_at % POSTINGS_PAGE_BYTES));
		while (p < end) {
			if (k == m->n_runs)
				return postings_damaged(err, "number of documents");
			if (half || end - p == 1) {
				if (half)
					to[k][i++] = (uint16_t)(low | *p << 8);
				low = *p++;
				half = !half;
			} else {
				uint32_t n = MIN((uint32_t)(end - p) / 2, runs[k].n - i);
				unpack_info(p, n, to[k] + i);
				p += 2 * (size_t)n;
				i += n;
			}
			if (i == runs[k].n) {
				k++;
				i = 0;
			}
		}
	}
	return k == m->n_runs && !half ? 0 : postings_damaged(err, "number of documents");
}

int
postings_docs(const struct postings_meta *m, const struct postings_source *from,
	struct postings_run *runs, uint16_t *info, struct err *err)
{
	FREED uint16_t **to = xreallocarray(NULL, (size_t)m->n_runs + 1, sizeof(*to));
	uint64_t info_at;
	int rc = postings_runs(m, from, runs, &info_at, err);

	for (uint32_t k = 0; rc == 0 && k < m->n_runs; info += runs[k++].n)
		to[k] = info;
	if (rc == 0)
		rc = postings_info(m, from, runs, info_at, to, err);
	return rc;
}

/* ---- lists ---- */

void
posting_list_release(struct posting_list *l)
{
	free(l->items);
	memset(l, 0, sizeof(*l));
}

const uint8_t *
posting_counts(const uint8_t *p, const uint8_t *end, struct posting *o)
{
	uint64_t more;

	if (p == end)
		return NULL;
	o->tf = *p >> 4;
	o->head = *p & 15;
	p++;
	if (o->tf == 15) {
		if ((p = varint_get(p, end, &more)) == NULL || more > UINT16_MAX - 15)
			return NULL;
		o->tf = (uint16_t)(15 + more);
	}
	if (o->head == 15) {
		if ((p = varint_get(p, end, &more)) == NULL || more > UINT16_MAX - 15)
			return NULL;
		o->head = (uint16_t)(15 + more);
	}
	return p;
}

/*
 * Unpacks a list of at most max further postings; document numbers must ascend and be below n_docs.
 * This is the hot loop of every search.
 */
static int
unpack(const uint8_t *p, const uint8_t *end, uint32_t n_docs, size_t max, struct posting_list *l,
	struct err *err)
{
	uint64_t v, doc = 0;
	bool first = true;

	xgrow(&l->items, &l->cap, l->n + MIN(max, (size_t)(end - p)), sizeof(*l->items));
	while (p < end) {
		struct posting o = { 0, 1, 1 };
		if (*p < 0x80)
			v = *p++;
		else if ((p = varint_get(p, end, &v)) == NULL)
			return postings_damaged(err, "number in a list");
		if ((v >> 1) == 0 && !first)
			return postings_damaged(err, "order of a list");
		doc += v >> 1;
		if (doc >= n_docs || max-- == 0)
			return postings_damaged(err, "document in a list");
		if ((v & 1) == 0 && (p = posting_counts(p, end, &o)) == NULL)
			return postings_damaged(err, "counts in a list");
		o.doc = (uint32_t)doc;
		l->items[l->n++] = o;
		first = false;
	}
	return 0;
}

struct entry {
	const uint8_t *next;               /* the entry that follows */
	const uint8_t *list, *list_end;    /* the list, when it is in the leaf */
	uint64_t shared, rest, df, n_long, first_long;
	const uint8_t *text;               /* [rest] bytes of the term that are not shared */
};

static int
read_entry(const uint8_t *p, const uint8_t *end, struct entry *e)
{
	uint64_t bytes;

	if (end - p >= 2 && ((p[0] | p[1]) & 0x80) == 0) {             /* nearly all entries */
		e->shared = *p++;
		e->rest = *p++;
	} else if ((p = varint_get(p, end, &e->shared)) == NULL ||
	    (p = varint_get(p, end, &e->rest)) == NULL) {
		return -1;
	}
	/* no term is empty */
	if (e->shared + e->rest - 1 >= WORDS_TERM_BYTES || e->shared > WORDS_TERM_BYTES ||
	    e->rest > (size_t)(end - p))
		return -1;
	e->text = p;
	p += e->rest;
	if ((p = varint_get(p, end, &e->df)) == NULL ||
	    (p = varint_get(p, end, &e->n_long)) == NULL)
		return -1;
	if (e->n_long > 0) {
		e->list = e->list_end = NULL;
		e->next = varint_get(p, end, &e->first_long);
		return e->next == NULL ? -1 : 0;
	}
	if ((p = varint_get(p, end, &bytes)) == NULL || bytes > (size_t)(end - p))
		return -1;
	e->list = p;
	e->next = e->list_end = p + bytes;
	return 0;
}

/* Whether the segment has the pages of a long list. */
static bool
has_long(const struct postings_meta *m, const struct entry *e)
{
	return e->first_long <= m->n_pages && e->n_long <= m->n_pages - e->first_long;
}

/* Reads page i of a long list, without its first byte. */
static int
read_long(const struct postings_meta *m, const struct postings_source *from, const struct entry *e,
	uint64_t i, const uint8_t **p, size_t *len, struct err *err)
{
	if (!has_long(m, e))
		return postings_damaged(err, "page of a list");
	if (from->page(from->arg, (uint32_t)(e->first_long + i), p, len, err) < 0)
		return -1;
	if (*len == 0 || **p != POSTINGS_LONG)
		return postings_damaged(err, "page of a list");
	(*p)++;
	(*len)--;
	return 0;
}

static int
read_list(const struct postings_meta *m, const struct postings_source *from, const struct entry *e,
	struct posting_list *list, struct err *err)
{
	size_t want = list->n + e->df, len;
	const uint8_t *p;

	if (e->df > m->n_docs)
		return postings_damaged(err, "length of a list");
	if (e->n_long == 0 && unpack(e->list, e->list_end, m->n_docs, e->df, list, err) < 0)
		return -1;
	for (uint64_t i = 0; i < e->n_long; i++)
		if (read_long(m, from, e, i, &p, &len, err) < 0 ||
		    unpack(p, p + len, m->n_docs, want - list->n, list, err) < 0)
			return -1;
	return list->n == want ? 0 : postings_damaged(err, "length of a list");
}

/* The entries of a leaf, one after the other. */
struct leaf {
	const uint8_t *p, *end;            /* what follows; borrowed, as the page is */
	struct entry entry;
	char term[WORDS_TERM_BYTES];
	size_t term_len;
};

static int
open_leaf(const struct postings_source *from, uint32_t no, struct leaf *l, struct err *err)
{
	size_t len;

	if (from->page(from->arg, no, &l->p, &len, err) < 0)
		return -1;
	if (len == 0 || *l->p != POSTINGS_LEAF)
		return postings_damaged(err, "leaf");
	l->end = l->p++ + len;
	l->term_len = 0;
	return 0;
}

/* Reads the next entry of n_docs documents at most: 1; 0: there is none; -1. */
static int
next_entry(struct leaf *l, uint32_t n_docs, struct err *err)
{
	struct entry *e = &l->entry;

	if (l->p >= l->end)
		return 0;
	if (read_entry(l->p, l->end, e) < 0 || e->shared > l->term_len || e->df > n_docs)
		return postings_damaged(err, "entry of a term");
	memcpy(l->term + e->shared, e->text, e->rest);
	l->term_len = e->shared + e->rest;
	l->p = e->next;
	return 1;
}

/* The entry of a term in its leaf: 1, 0 there is none, -1. */
static int
find_entry(const struct postings_source *from, uint32_t leaf, const char *term, size_t len,
	struct leaf *l, struct err *err)
{
	int got = open_leaf(from, leaf, l, err);

	while (got == 0 && (got = next_entry(l, UINT32_MAX, err)) > 0) {
		int c = memcmp(l->term, term, MIN(l->term_len, len));

		if (c == 0 && l->term_len == len)
			return 1;
		if (c > 0 || (c == 0 && l->term_len > len))
			return 0;
		got = 0;
	}
	return got;
}

int
postings_find(const struct postings_meta *m, const struct postings_source *from, uint32_t leaf,
	const char *term, size_t len, struct posting_list *list, struct err *err)
{
	struct leaf l;
	int got = find_entry(from, leaf, term, len, &l, err);

	return got <= 0 ? got : read_list(m, from, &l.entry, list, err);
}

int
postings_pages(const struct postings_meta *m, const struct postings_source *from, uint32_t leaf,
	const char *term, size_t len, uint32_t *first, uint32_t *n, struct err *err)
{
	struct leaf l;
	int got = find_entry(from, leaf, term, len, &l, err);

	*first = *n = 0;
	if (got <= 0 || l.entry.n_long == 0)
		return got < 0 ? -1 : 0;
	if (!has_long(m, &l.entry))
		return postings_damaged(err, "page of a list");
	*first = (uint32_t)l.entry.first_long;
	*n = (uint32_t)l.entry.n_long;
	return 0;
}

int
postings_leaf_terms(const struct postings_meta *m, const struct postings_source *from,
	uint32_t leaf, void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err)
{
	struct leaf l;
	int got = open_leaf(from, leaf, &l, err);

	if (got < 0)
		return -1;
	while ((got = next_entry(&l, m->n_docs, err)) > 0)
		fn(arg, l.term, l.term_len, (uint32_t)l.entry.df);
	return got;
}

/* ---- all terms ---- */

struct postings_cursor {
	struct postings_meta meta;
	struct postings_source from;
	/* our own copies, because the source's bytes are only valid until the next page */
	struct buf leaf, page;
	struct leaf at;                    /* in leaf */
	uint32_t leaf_page, next_page;
};

struct postings_cursor *
postings_cursor_new(const struct postings_meta *m, const struct postings_source *from)
{
	struct postings_cursor *c = xcalloc(1, sizeof(*c));

	c->meta = *m;
	c->from = *from;
	c->next_page = m->n_doc_pages;
	buf_init(&c->leaf, 2 * POSTINGS_PAGE_BYTES);
	buf_init(&c->page, 2 * POSTINGS_PAGE_BYTES);
	return c;
}

void
postings_cursor_free(struct postings_cursor *c)
{
	if (c == NULL)
		return;
	buf_release(&c->leaf);
	buf_release(&c->page);
	free(c);
}

/* Reads the next leaf into c->leaf. Pages of long lists are skipped; the entries refer to them. */
static int
next_leaf(struct postings_cursor *c, struct err *err)
{
	const uint8_t *p;
	size_t len;

	while (c->next_page < c->meta.n_pages) {
		if (c->from.page(c->from.arg, c->next_page++, &p, &len, err) < 0)
			return -1;
		if (len == 0 || (*p != POSTINGS_LEAF && *p != POSTINGS_LONG))
			return postings_damaged(err, "kind of a page");
		if (*p == POSTINGS_LONG)
			continue;
		buf_reset(&c->leaf);
		buf_add(&c->leaf, p, len);
		c->leaf_page = c->next_page - 1;
		c->at.p = (const uint8_t *)c->leaf.data + 1;
		c->at.end = c->at.p + c->leaf.len - 1;
		c->at.term_len = 0;
		return 1;
	}
	return 0;
}

int
postings_next(struct postings_cursor *c, const char **term, size_t *len, uint32_t *df,
	struct err *err)
{
	int got;

	while ((got = next_entry(&c->at, c->meta.n_docs, err)) == 0)
		if ((got = next_leaf(c, err)) <= 0)
			return got;
	if (got < 0)
		return -1;
	*term = c->at.term;
	*len = c->at.term_len;
	*df = (uint32_t)c->at.entry.df;
	return 1;
}

uint32_t
postings_page(const struct postings_cursor *c)
{
	return c->leaf_page;
}

int
postings_list(struct postings_cursor *c, struct posting_list *list, struct err *err)
{
	return read_list(&c->meta, &c->from, &c->at.entry, list, err);
}

int
postings_copy(struct postings_cursor *c, uint32_t shift, struct page_writer *w, struct err *err)
{
	const struct entry *e = &c->at.entry;
	const uint8_t *p;
	uint64_t n = 0;
	size_t len;

	if (e->n_long == 0 &&
	    page_writer_packed(w, e->list, e->list_end, shift, c->meta.n_docs, &n, err) < 0)
		return -1;
	for (uint64_t i = 0; i < e->n_long; i++) {
		if (read_long(&c->meta, &c->from, e, i, &p, &len, err) < 0)
			return -1;
		buf_reset(&c->page);
		buf_add(&c->page, p, len);
		p = (const uint8_t *)c->page.data;
		if (page_writer_packed(w, p, p + len, shift, c->meta.n_docs, &n, err) < 0)
			return -1;
	}
	return n == e->df ? 0 : postings_damaged(err, "length of a list");
}
