/*
 * postings_merge.c: merges several segments into one, term by term, as terms are sorted in all of
 * them.
 *
 * The documents of all parts are renumbered in the order of their rows; place[part][old number] is
 * the new number, or GONE for documents that are dropped. Each part is in that order already, so a
 * term's merged list consists of the parts' lists with new numbers and, where parts interleave,
 * sorted. Where each part lies entirely behind the one before it, as when a conversation goes on,
 * its packed lists are appended by copying.
 */
#include "index/postings_page.h"

#include "base/alloc.h"

#define GONE UINT32_MAX

struct part {
	struct postings_part *of;
	struct postings_run *runs;         /* [n_runs] */
	uint16_t *info;                    /* [n_docs] */
	uint32_t *place;                   /* [n_docs] */
	struct postings_cursor *cursor;
	const char *term;                  /* the cursor's current term; NULL at its end */
	size_t term_len;
	uint32_t df;
	uint32_t shift;                    /* place[doc] - doc, when parts do not interleave */
	uint32_t run, at;                  /* the next document, while they are put in order */
	uint32_t doc;
};

struct merge {
	struct part *parts;
	size_t n_parts;
	struct postings_run *runs;         /* of the merged segment */
	uint16_t *info;
	uint32_t n_runs, n_docs;
	size_t cap_runs;
	uint64_t n_words;
	bool follow;                       /* parts do not interleave and nothing is dropped */
	struct part **at;                  /* [n_parts] the parts whose current term is the least */
	size_t n_at;
	/* [n_parts] where each of these parts' lists ends in the common list */
	size_t *ends;
	struct posting_list list, spare;
};

static int
part_open(struct part *p, struct postings_part *of, struct err *err)
{
	p->of = of;
	p->runs = xreallocarray(NULL, (size_t)of->meta.n_runs + 1, sizeof(*p->runs));
	p->info = xreallocarray(NULL, (size_t)of->meta.n_docs + 1, sizeof(*p->info));
	p->place = xreallocarray(NULL, (size_t)of->meta.n_docs + 1, sizeof(*p->place));
	p->cursor = postings_cursor_new(&of->meta, &of->from);
	return postings_docs(&of->meta, &of->from, p->runs, p->info, err);
}

static void
part_close(struct part *p)
{
	free(p->runs);
	free(p->info);
	free(p->place);
	postings_cursor_free(p->cursor);
}

static int64_t
part_row(const struct part *p)
{
	return p->run < p->of->meta.n_runs ? p->runs[p->run].row + p->at : INT64_MAX;
}

static void
add_doc(struct merge *m, int64_t row, uint8_t kind, uint16_t info)
{
	struct postings_run *last = m->n_runs ? &m->runs[m->n_runs - 1] : NULL;

	if (last != NULL && last->row + last->n == row && (row & 0xfffff) != 0) {
		last->n++;
		last->kind = kind;         /* the newer part knows more of the session */
	} else {
		*xpush(m->runs, m->n_runs, m->cap_runs) = (struct postings_run){ row, 1, kind };
	}
	m->info[m->n_docs++] = info;
	m->n_words += postings_words(info);
}

/* The kind of the session of a part's next document. */
static uint8_t
kind_of(const struct part *p, int64_t row, const struct postings_edit *edit)
{
	uint8_t kind = p->runs[p->run].kind;

	return edit != NULL && edit->kind != NULL ? edit->kind(edit->arg, row, kind) : kind;
}

/* Numbers the documents of all parts in the order of rows. */
static int
order_docs(struct merge *m, const struct postings_edit *edit, struct err *err)
{
	int64_t last = INT64_MIN;

	for (;;) {
		struct part *least = &m->parts[0];
		for (size_t i = 1; i < m->n_parts; i++)
			if (part_row(&m->parts[i]) < part_row(least))
				least = &m->parts[i];
		int64_t row = part_row(least);
		if (row == INT64_MAX)
			return 0;
		if (row <= last)
			return postings_damaged(err, "a message is indexed twice");
		last = row;
		if (edit != NULL && edit->drop != NULL && edit->drop(edit->arg, row)) {
			least->place[least->doc] = GONE;
		} else {
			least->place[least->doc] = m->n_docs;
			add_doc(m, row, kind_of(least, row, edit), least->info[least->doc]);
		}
		least->doc++;
		if (++least->at == least->runs[least->run].n) {
			least->run++;
			least->at = 0;
		}
	}
}

static void
find_shifts(struct merge *m)
{
	uint32_t shift = 0;

	m->follow = true;
	for (struct part *p = m->parts; p < m->parts + m->n_parts; p++) {
		p->shift = shift;
		for (uint32_t doc = 0; doc < p->of->meta.n_docs && m->follow; doc++)
			m->follow = p->place[doc] == shift + doc;
		shift += p->of->meta.n_docs;
	}
}

/*
 * Moves to the next term. When that is in another leaf, the pages up to the old one are done with,
 * since a leaf's lists are in it or before it.
 */
static int
part_next(struct part *p, struct err *err)
{
	uint32_t leaf = postings_page(p->cursor);
	int got = postings_next(p->cursor, &p->term, &p->term_len, &p->df, err);

	if (got == 0)
		p->term = NULL;
	if (got > 0 && postings_page(p->cursor) != leaf && p->of->done != NULL)
		return p->of->done(p->of->from.arg, leaf + 1, err);
	return got < 0 ? -1 : 0;
}

static int
compare(const struct part *a, const struct part *b)
{
	int c = memcmp(a->term, b->term, MIN(a->term_len, b->term_len));

	return c ? c : (a->term_len > b->term_len) - (a->term_len < b->term_len);
}

/* Finds the parts whose current term is the least, in their order; none at the end. */
static void
find_least(struct merge *m)
{
	m->n_at = 0;
	for (struct part *p = m->parts; p < m->parts + m->n_parts; p++) {
		int c = p->term == NULL ? 1 : m->n_at == 0 ? 0 : compare(p, m->at[0]);
		if (c < 0)
			m->n_at = 0;
		if (c <= 0)
			m->at[m->n_at++] = p;
	}
}

/*
 * Appends one part's list of the current term with new numbers, which have the same order as the
 * old ones.
 */
static int
append_list(struct part *p, struct posting_list *list, struct err *err)
{
	size_t from = list->n, to = from;

	if (postings_list(p->cursor, list, err) < 0)
		return -1;
	for (size_t i = from; i < list->n; i++) {
		struct posting o = list->items[i];
		o.doc = p->place[o.doc];
		if (o.doc != GONE)
			list->items[to++] = o;
	}
	list->n = to;
	return 0;
}

/* Merges [a, b) and [b, end), each sorted, into out. */
static void
merge_two(const struct posting *a, const struct posting *b, const struct posting *end,
	struct posting *out)
{
	const struct posting *a_end = b;

	while (a < a_end && b < end) {
		bool first = a->doc <= b->doc;

		*out++ = first ? *a : *b;
		a += first;
		b += !first;
	}
	memcpy(out, a, (size_t)(a_end - a) * sizeof(*a));
	memcpy(out + (a_end - a), b, (size_t)(end - b) * sizeof(*b));
}

/* Merges neighbouring lists in pairs, and again, until one list is left. */
static void
merge_all(struct merge *m)
{
	size_t *ends = m->ends, n = m->n_at;

	xgrow(&m->spare.items, &m->spare.cap, m->list.n + 1, sizeof(*m->spare.items));
	while (n > 1) {
		struct posting_list was = m->list;
		size_t to = 0, from = 0;

		for (size_t i = 0; i < n; i += 2) {
			size_t middle = ends[i], end = ends[i + 1 < n ? i + 1 : i];

			merge_two(was.items + from, was.items + middle, was.items + end,
			    m->spare.items + from);
			ends[to++] = from = end;
		}
		m->list.items = m->spare.items;
		m->list.cap = m->spare.cap;
		m->spare.items = was.items;
		m->spare.cap = was.cap;
		n = to;
	}
}

/*
 * Writes the merged list of the least term and moves the parts that have it to their next terms.
 * *df: documents with the term.
 */
static int
merge_lists(struct merge *m, struct page_writer *w, size_t *df, struct err *err)
{
	*df = m->list.n = 0;
	for (size_t i = 0; i < m->n_at; i++) {
		struct part *p = m->at[i];
		*df += p->df;
		if (m->follow ? postings_copy(p->cursor, p->shift, w, err) < 0
			      : append_list(p, &m->list, err) < 0)
			return -1;
		m->ends[i] = m->list.n;
		if (part_next(p, err) < 0)
			return -1;
	}
	if (m->follow)
		return 0;
	merge_all(m);
	*df = m->list.n;
	return page_writer_postings(w, m->list.items, m->list.n, err);
}

static int
merge_terms(struct merge *m, struct page_writer *w, struct err *err)
{
	char term[WORDS_TERM_BYTES];
	size_t df, len;

	for (find_least(m); m->n_at > 0; find_least(m)) {
		len = m->at[0]->term_len;
		memcpy(term, m->at[0]->term, len);
		if (merge_lists(m, w, &df, err) < 0 ||
		    (df > 0 && page_writer_term(w, term, len, df, err) < 0))
			return -1;
	}
	return 0;
}

int
postings_merge(struct postings_part *parts, size_t n_parts, const struct postings_edit *edit,
	const struct postings_sink *to, struct postings_meta *meta, struct err *err)
{
	struct merge m = { .parts = xcalloc(n_parts + 1, sizeof(*m.parts)),
		.at = xcalloc(n_parts + 1, sizeof(*m.at)),
		.n_parts = n_parts,
		.ends = xcalloc(n_parts + 1, sizeof(*m.ends)) };
	struct page_writer w;
	size_t n_docs = 0;
	int rc = -1;

	page_writer_init(&w, to);
	for (size_t i = 0; i < n_parts; i++) {
		n_docs += parts[i].meta.n_docs;
		if (part_open(&m.parts[i], &parts[i], err) < 0 || part_next(&m.parts[i], err) < 0)
			goto out;
	}
	m.info = xreallocarray(NULL, n_docs + 1, sizeof(*m.info));
	if (order_docs(&m, edit, err) < 0 ||
	    page_writer_docs(&w, m.runs, m.n_runs, m.info, m.n_docs, err) < 0)
		goto out;
	*meta = (struct postings_meta){ .n_docs = m.n_docs,
		.n_runs = m.n_runs,
		.n_doc_pages = w.n_pages,
		.n_words = m.n_words };
	find_shifts(&m);
	if (merge_terms(&m, &w, err) < 0 || page_writer_end(&w, err) < 0)
		goto out;
	meta->n_pages = w.n_pages;
	rc = 0;
out:
	for (size_t i = 0; i < n_parts; i++)
		part_close(&m.parts[i]);
	free(m.parts);
	free(m.at);
	free(m.ends);
	posting_list_release(&m.list);
	posting_list_release(&m.spare);
	free(m.runs);
	free(m.info);
	return rc;
}
