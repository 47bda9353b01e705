/*
 * postings_page.c: writes the pages of a segment. postings.h describes the format.
 *
 * A list is packed as if it were the first page of a long one; if it is short when it ends, it is
 * moved into the leaf.
 */
#include "index/postings_page.h"

#include "base/buf.h"

#define LIST_INLINE_BYTES 1500             /* longer lists get pages of their own */

/* Starts a page of a list: its kind, and deltas from document 0. */
static void
start_list_page(struct page_writer *w)
{
	w->list[0] = POSTINGS_LONG;
	w->n_list = 1;
	w->last_doc = 0;
}

static void
start_list(struct page_writer *w)
{
	start_list_page(w);
	w->next_doc = 0;
	w->n_long = 0;
}

void
page_writer_init(struct page_writer *w, const struct postings_sink *to)
{
	w->to = to;
	w->n_pages = 0;
	w->n_leaf = 0;
	w->first_len = w->last_len = 0;
	start_list(w);
}

static int
put_page(struct page_writer *w, const void *data, size_t len, struct err *err)
{
	return w->to->page(w->to->arg, w->n_pages++, data, len, err);
}

int
page_writer_docs(struct page_writer *w, const struct postings_run *runs, uint32_t n_runs,
	const uint16_t *info, uint32_t n_docs, struct err *err)
{
	int64_t end = 0;
	LOCAL(buf) b = buf_of((size_t)n_runs * 24 + (size_t)n_docs * 2 + 16);

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
			return -1;
	return 0;
}

/* ---- lists ---- */

static inline char *
put_varint(char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (char)(v | 0x80);
	*p++ = (char)v;
	return p;
}

/*
 * Writes at most POSTING_BYTES_MAX bytes. Whether a posting takes one byte or two cannot be
 * predicted, so there is no branch on it.
 */
static inline char *
put_posting(char *at, uint32_t delta, const struct posting *p)
{
	if (delta < 0x40 && p->tf < 15 && p->head < 15) {
		unsigned one = (p->tf == 1) & (p->head == 1);

		at[0] = (char)(delta << 1 | one);
		at[1] = (char)(p->tf << 4 | p->head);
		return at + 2 - one;
	}
	if (p->tf == 1 && p->head == 1)
		return put_varint(at, (uint64_t)delta << 1 | 1);
	at = put_varint(at, (uint64_t)delta << 1);
	*at++ = (char)(MIN(p->tf, 15) << 4 | MIN(p->head, 15));
	if (p->tf >= 15)
		at = put_varint(at, p->tf - 15u);
	if (p->head >= 15)
		at = put_varint(at, p->head - 15u);
	return at;
}

static char *
list_full(const struct page_writer *w)
{
	return (char *)w->list + (POSTINGS_PAGE_BYTES - POSTING_BYTES_MAX);
}

/* Sends the page of the list that ends at `at` to the sink. */
static int
put_list_page(struct page_writer *w, const char *at, struct err *err)
{
	start_list_page(w);
	w->n_long++;
	return put_page(w, w->list, (size_t)(at - w->list), err);
}

int
page_writer_postings(struct page_writer *w, const struct posting *p, size_t n, struct err *err)
{
	char *at = w->list + w->n_list, *full = list_full(w);

	for (size_t i = 0; i < n; i++) {
		at = put_posting(at, p[i].doc - w->last_doc, &p[i]);
		w->last_doc = p[i].doc;
		if (at > full) {
			if (put_list_page(w, at, err) < 0)
				return -1;
			at = w->list + w->n_list;
		}
	}
	w->n_list = (size_t)(at - w->list);
	return 0;
}

struct copied { const uint8_t *p; char *at; uint64_t docs, n; };

/*
 * Copies postings whose delta and counts take one byte each, until `at` is past full. docs: the sum
 * of their deltas.
 */
static inline struct copied
copy_plain(const uint8_t *p, const uint8_t *end, char *at, const char *full)
{
	struct copied c = { p, at, 0, 0 };

	while (end - c.p >= 2 && c.at <= full) {
		unsigned v = c.p[0], counts = c.p[1], two = ~v & 1;

		if ((v - 2 > 0x7d) | (two & ((counts >= 0xf0) | ((counts & 15) == 15))))
			break;
		c.at[0] = (char)v;
		c.at[1] = (char)counts;
		c.at += 1 + two;
		c.p += 1 + two;
		c.docs += v >> 1;
		c.n++;
	}
	return c;
}

/*
 * A posting is a delta from the one before it, so it can be copied unchanged wherever the list
 * goes; most are a byte or two. Only the first of each piece and of each page is written anew.
 */
int
page_writer_packed(struct page_writer *w, const uint8_t *p, const uint8_t *end, uint32_t shift,
	uint32_t n_docs, uint64_t *n, struct err *err)
{
	char *at = w->list + w->n_list, *full = list_full(w);
	uint64_t doc = shift, past = (uint64_t)shift + n_docs, v;
	struct copied plain;
	bool anew = true;

	while (p < end) {
		if (!anew && (plain = copy_plain(p, end, at, full)).n > 0) {
			doc += plain.docs;
			at = plain.at;
			p = plain.p;
			*n += plain.n;
		} else {
			struct posting o = { 0, 1, 1 };
			if ((p = varint_get(p, end, &v)) == NULL || v >> 1 >= n_docs ||
			    ((v & 1) == 0 && (p = posting_counts(p, end, &o)) == NULL))
				return postings_damaged(err, "number in a list");
			doc += v >> 1;
			if (doc < w->next_doc || doc >= past)
				return postings_damaged(err, "order of a list");
			at = put_posting(at, (uint32_t)doc - w->last_doc, &o);
			anew = false;
			(*n)++;
		}
		w->last_doc = (uint32_t)doc;
		w->next_doc = doc + 1;
		if (at > full) {
			if (put_list_page(w, at, err) < 0)
				return -1;
			at = w->list + w->n_list;
			anew = true;
		}
	}
	w->n_list = (size_t)(at - w->list);
	return doc < past ? 0 : postings_damaged(err, "document in a list");
}

/* ---- leaves ---- */

static int
end_leaf(struct page_writer *w, struct err *err)
{
	uint32_t no = w->n_pages;

	if (w->n_leaf == 0)
		return 0;
	if (put_page(w, w->leaf, w->n_leaf, err) < 0 ||
	    w->to->leaf(w->to->arg, w->first, w->first_len, no, err) < 0)
		return -1;
	w->n_leaf = 0;
	return 0;
}

/*
 * Begins the term's entry in the leaf and returns where it goes on. A leaf that is not full has
 * room for any entry.
 */
static char *
start_entry(struct page_writer *w, const char *term, size_t len, size_t df)
{
	size_t shared = 0;
	char *p = w->leaf + w->n_leaf;

	if (w->n_leaf == 0) {
		*p++ = POSTINGS_LEAF;
		memcpy(w->first, term, len);
		w->first_len = len;
	} else {
		while (shared < len && shared < w->last_len && term[shared] == w->last[shared])
			shared++;
	}
	p = put_varint(p, shared);
	p = put_varint(p, len - shared);
	memcpy(p, term + shared, len - shared);
	p = put_varint(p + (len - shared), df);
	memcpy(w->last, term, len);
	w->last_len = len;
	return p;
}

int
page_writer_term(struct page_writer *w, const char *term, size_t len, size_t df, struct err *err)
{
	size_t n_list = w->n_list - 1;
	char *at;

	if (w->n_long > 0 || n_list > LIST_INLINE_BYTES) {
		if (n_list > 0 && put_list_page(w, w->list + w->n_list, err) < 0)
			return -1;
		at = start_entry(w, term, len, df);
		at = put_varint(at, w->n_long);
		at = put_varint(at, w->n_pages - w->n_long);
	} else {
		if (w->n_leaf + len + n_list + 24 > POSTINGS_PAGE_BYTES && end_leaf(w, err) < 0)
			return -1;
		at = start_entry(w, term, len, df);
		at = put_varint(at, 0);
		at = put_varint(at, n_list);
		memcpy(at, w->list + 1, n_list);
		at += n_list;
	}
	start_list(w);
	w->n_leaf = (size_t)(at - w->leaf);
	return w->n_leaf > POSTINGS_PAGE_BYTES - 128 ? end_leaf(w, err) : 0;
}

int
page_writer_end(struct page_writer *w, struct err *err)
{
	return end_leaf(w, err);
}
