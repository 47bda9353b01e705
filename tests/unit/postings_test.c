/*
 * postings_test.c: segments against a model: a table of how often each term stands in each document. Built, merged, and read back through
 * pages in memory that live only until the next one is asked for; then pages with bytes changed at random.
 */
#include "tap.h"

#include "base/alloc.h"
#include "text/postings.h"

static uint64_t seed = 1;

static uint32_t
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
	bool sane;
	uint8_t *lent;                         /* what the source gave last */
	struct postings_meta meta;
};

static int
take_page(void *arg, uint32_t page, const void *data, size_t len, struct err *err)
{
	struct memory *m = arg;

	if (page == m->fail_at)
		return err_set(err, ERR_IO, "full");
	m->sane &= page == m->n_pages && len > 0 && len <= POSTINGS_PAGE_BYTES && m->n_pages < NELEM(m->pages);
	m->pages[m->n_pages++] = (struct page){ xmemdup(data, len), len };
	return 0;
}

static int
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

/* A copy of exactly its size, and the one before is gone: whoever reads too far or too late is caught by the sanitizer. */
static int
give_page(void *arg, uint32_t page, const uint8_t **data, size_t *len, struct err *err)
{
	struct memory *m = arg;

	free(m->lent);
	m->lent = NULL;
	if (page >= m->n_pages)
		return err_set(err, ERR_IO, "no such page");
	*data = m->lent = xmemdup(m->pages[page].data, m->pages[page].len);
	*len = m->pages[page].len;
	return 0;
}

static struct memory *
memory_new(void)
{
	struct memory *m = xcalloc(1, sizeof(*m));

	m->fail_at = SIZE_MAX;
	m->sane = true;
	return m;
}

static void
memory_free(struct memory *m)
{
	for (size_t i = 0; i < m->n_pages; i++)
		free(m->pages[i].data);
	free(m->lent);
	free(m);
}

static struct postings_sink sink_of(struct memory *m) { return (struct postings_sink){ take_page, take_leaf, m }; }
static struct postings_source source_of(struct memory *m) { return (struct postings_source){ give_page, m }; }

/* ---- the model ---- */

struct count { uint16_t tf, head; };

struct model {
	struct doc { int64_t row; unsigned words, flags, role; struct count *counts; } *docs;      /* ascending by row */
	size_t n_docs, n_terms;
};

/* Terms of all lengths, many with the start of another, some of bytes over 127. */
static size_t
term_text(size_t i, char out[64])
{
	size_t len = (size_t)snprintf(out, 64, "%s%zu", i % 3 == 0 ? "a" : i % 3 == 1 ? "ab" : "\xe4\xb8\xad", i * i % 1009);

	if (i % 7 == 0)
		while (len < 20 + i % 45)
			out[len++] = 'x';
	return len;
}

static uint8_t
kind_of(void *arg, int64_t row)
{
	(void)arg;
	return (uint8_t)((row >> 20) * 5 % 3);
}

static int
by_row(const void *x, const void *y)
{
	const struct doc *a = x, *b = y;

	return a->row < b->row ? -1 : a->row > b->row;
}

/* Sessions of one to many turns, holes in some, one that ends where the next begins. */
static struct model
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
			uint32_t t = next_random(2) ? next_random(1 + (uint32_t)n_terms / 20) : next_random((uint32_t)n_terms);
			d->counts[t].tf++;
			d->counts[t].head += k < POSTINGS_HEAD_WORDS;
		}
		if (common)
			d->counts[0] = (struct count){ (uint16_t)(1 + next_random(20)), (uint16_t)next_random(2) };
	}
	qsort(m.docs, n_docs, sizeof(*m.docs), by_row);
	return m;
}

static void
model_free(struct model *m)
{
	for (size_t i = 0; i < m->n_docs; i++)
		free(m->docs[i].counts);
	free(m->docs);
}

/* Words of a document, one of each term in turn, so that no term's come together. */
static void
add_doc(struct postings_builder *b, const struct doc *d, size_t n_terms)
{
	char term[64];
	bool more = true;

	postings_doc(b, d->row);
	for (unsigned k = 0; more; k++) {
		more = false;
		for (size_t t = 0; t < n_terms; t++)
			if (d->counts[t].tf > k) {
				postings_word(b, term, term_text(t, term), k < d->counts[t].head);
				more = true;
			}
	}
	postings_doc_end(b, d->words, d->flags, d->role);
}

/* A segment of the documents for which belongs[i] == part (belongs NULL: all), in the order of rows or not. */
static struct memory *
build(const struct model *m, const uint8_t *belongs, uint8_t part, bool any_order)
{
	struct postings_builder *b = postings_builder_new();
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
			add_doc(b, &m->docs[order[i]], m->n_terms);
	if (postings_finish(b, kind_of, NULL, &sink, &to->meta, &err) < 0)
		to->sane = false;
	free(order);
	postings_builder_free(b);
	return to;
}

/* ---- comparing ---- */

static bool
docs_equal(struct memory *s, const struct model *m)
{
	struct postings_source from = source_of(s);
	struct postings_run *runs = xcalloc(s->meta.n_runs + 1u, sizeof(*runs));
	uint16_t *info = xcalloc(s->meta.n_docs + 1u, sizeof(*info));
	struct err err = ERR_INIT;
	uint64_t n_words = 0;
	size_t doc = 0;
	bool same = s->sane && s->meta.n_docs == m->n_docs && postings_docs(&s->meta, &from, runs, info, &err) == 0;

	for (uint32_t r = 0; same && r < s->meta.n_runs; r++) {
		same = runs[r].kind == kind_of(NULL, runs[r].row) && runs[r].n > 0;
		if (r > 0 && runs[r - 1].row + runs[r - 1].n == runs[r].row)
			same &= (runs[r].row & 0xfffff) == 0;
		for (uint32_t k = 0; same && k < runs[r].n; k++, doc++) {
			unsigned words = MIN(m->docs[doc].words, (unsigned)POSTINGS_MAX_WORDS);
			same = m->docs[doc].row == runs[r].row + k && (k == 0 || (m->docs[doc].row & 0xfffff) != 0);
			same &= postings_words(info[doc]) == words && postings_role(info[doc]) == m->docs[doc].role
				&& postings_flags(info[doc]) == m->docs[doc].flags;
			n_words += words;
		}
	}
	same &= doc == m->n_docs && n_words == s->meta.n_words;
	free(runs);
	free(info);
	return same;
}

static bool
list_equals(const struct posting_list *l, const struct model *m, size_t t)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_docs; i++) {
		const struct count *c = &m->docs[i].counts[t];
		if (c->tf == 0)
			continue;
		if (n == l->n || l->items[n].doc != i || l->items[n].tf != c->tf || l->items[n].head != c->head)
			return false;
		n++;
	}
	return n == l->n;
}

static int
compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int c = memcmp(a, b, MIN(a_len, b_len));

	return c ? c : (a_len > b_len) - (a_len < b_len);
}

/* Appends the list of term by way of the leaves, as the store does. */
static int
find(struct memory *s, const char *term, size_t len, struct posting_list *l, struct err *err)
{
	struct postings_source from = source_of(s);
	size_t i = s->n_leaves;

	while (i > 0 && compare(s->leaves[i - 1].term, s->leaves[i - 1].len, term, len) > 0)
		i--;
	return i == 0 ? 0 : postings_find(&s->meta, &from, s->leaves[i - 1].page, term, len, l, err);
}

static bool
finds_all(struct memory *s, const struct model *m)
{
	struct posting_list l = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	char term[64];
	bool same = true;

	for (size_t t = 0; same && t < m->n_terms; t++) {
		size_t len = term_text(t, term);
		l.n = 0;
		same = find(s, term, len, &l, &err) == 0 && list_equals(&l, m, t);
		l.n = 0;
		term[len - 1] = '!';           /* no term of ours */
		same &= find(s, term, len, &l, &err) == 0 && l.n == 0;
	}
	posting_list_release(&l);
	return same;
}

/* All terms that stand somewhere, once each, in order. */
static bool
walks_all(struct memory *s, const struct model *m)
{
	struct postings_source from = source_of(s);
	struct postings_cursor *c = postings_cursor_new(&s->meta, &from);
	struct posting_list l = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	char last[64], text[64];
	size_t len, last_len = 0, want = 0, n = 0, t;
	const char *term;
	uint32_t df;
	bool same = true;
	int got;

	while ((got = postings_next(c, &term, &len, &df, &err)) > 0 && same) {
		same = n == 0 || compare(last, last_len, term, len) < 0;
		memcpy(last, term, len);
		last_len = len;
		for (t = 0; t < m->n_terms; t++)
			if (term_text(t, text) == len && memcmp(text, term, len) == 0)
				break;
		l.n = 0;
		if (n++ % 3 != 0)              /* a term whose list is not asked for does no harm */
			same &= t < m->n_terms && postings_list(c, &l, &err) == 0 && l.n == df && list_equals(&l, m, t);
	}
	for (t = 0; t < m->n_terms; t++) {
		bool there = false;
		for (size_t i = 0; i < m->n_docs && !there; i++)
			there = m->docs[i].counts[t].tf > 0;
		want += there;
	}
	posting_list_release(&l);
	postings_cursor_free(c);
	return same && got == 0 && n == want;
}

static void
check(struct memory *s, const struct model *m, const char *what)
{
	ok(docs_equal(s, m), "%s: documents", what);
	ok(finds_all(s, m), "%s: the list of each term, none of others", what);
	ok(walks_all(s, m), "%s: all terms in order", what);
}

static bool
same_pages(const struct memory *a, const struct memory *b)
{
	bool same = a->n_pages == b->n_pages && a->n_leaves == b->n_leaves;

	for (size_t i = 0; same && i < a->n_pages; i++)
		same = a->pages[i].len == b->pages[i].len && memcmp(a->pages[i].data, b->pages[i].data, a->pages[i].len) == 0;
	for (size_t i = 0; same && i < a->n_leaves; i++)
		same = a->leaves[i].page == b->leaves[i].page;
	return same && memcmp(&a->meta, &b->meta, sizeof(a->meta)) == 0;
}

/* ---- tests ---- */

static void
test_build(void)
{
	static const size_t sizes[] = { 0, 1, 2, 50, 1500 };

	for (size_t i = 0; i < NELEM(sizes); i++) {
		struct model m = random_model(sizes[i], 300, false);
		struct memory *up = build(&m, NULL, 0, false), *any = build(&m, NULL, 0, true);
		char what[40];
		snprintf(what, sizeof(what), "%zu documents", sizes[i]);
		check(up, &m, what);
		ok(same_pages(up, any), "%s: the same in any order of rows", what);
		memory_free(up);
		memory_free(any);
		model_free(&m);
	}
}

static void
test_long(void)
{
	struct model m = random_model(100000, 3, true);
	struct memory *s = build(&m, NULL, 0, false);
	size_t n_long = 0;

	for (size_t i = s->meta.n_doc_pages; i < s->n_pages; i++)
		n_long += s->pages[i].data[0] == POSTINGS_LONG;
	ok(n_long > 50, "a list over pages: %zu", n_long);
	check(s, &m, "100,000 documents");
	memory_free(s);
	model_free(&m);
}

/* Counts around the nibble's 15, and the most that fits. */
static void
test_counts(void)
{
	static const struct count counts[] = { { 1, 0 }, { 1, 1 }, { 2, 1 }, { 14, 14 }, { 15, 0 }, { 15, 14 }, { 15, 15 }, { 16, 15 }, { 16, 16 },
		{ 15, 1 }, { 142, 14 }, { 143, 60 }, { 300, 15 }, { 65535, 60 }, { 65535, 65535 } };
	struct model m = { xcalloc(NELEM(counts), sizeof(struct doc)), NELEM(counts), 1 };
	struct postings_builder *b = postings_builder_new();
	struct memory *s = memory_new();
	struct postings_sink sink = sink_of(s);
	struct posting_list l = { NULL, 0, 0 };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < NELEM(counts); i++) {
		m.docs[i] = (struct doc){ 1000 + (int64_t)i, 7, 2, 1, xmemdup(&counts[i], sizeof(counts[i])) };
		add_doc(b, &m.docs[i], 1);
	}
	is_int(postings_builder_docs(b), NELEM(counts), "documents in the builder");
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), 0, "finish");
	is_int(postings_builder_docs(b), 0, "and the builder is empty");
	check(s, &m, "counts");
	memory_free(s);

	s = memory_new();
	sink = sink_of(s);
	postings_doc(b, 5);
	for (int i = 0; i < 70000; i++)
		postings_word(b, "w", 1, true);
	postings_doc_end(b, 1u << 20, 0, 3);
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), 0, "a builder may be used again");
	ok(find(s, "w", 1, &l, &err) == 0 && l.n == 1 && l.items[0].tf == 65535 && l.items[0].head == 65535, "70,000 times is 65,535");
	posting_list_release(&l);
	memory_free(s);

	s = memory_new();
	sink = sink_of(s);
	s->fail_at = 0;
	add_doc(b, &m.docs[0], 1);
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), -1, "a page that cannot be written");
	is_str(err.msg, "full", "says so");
	is_int(postings_builder_docs(b), 0, "and leaves an empty builder");
	memory_free(s);
	postings_builder_free(b);
	model_free(&m);
}

static bool
drop_third(void *arg, int64_t row)
{
	(void)arg;
	return row % 3 == 0;
}

static bool
drop_each(void *arg, int64_t row)
{
	(void)row;
	++*(size_t *)arg;
	return true;
}

static struct model
without_third(const struct model *m)
{
	struct model out = { xcalloc(m->n_docs + 1, sizeof(struct doc)), 0, m->n_terms };

	for (size_t i = 0; i < m->n_docs; i++)
		if (!drop_third(NULL, m->docs[i].row)) {
			out.docs[out.n_docs] = m->docs[i];
			out.docs[out.n_docs++].counts = xmemdup(m->docs[i].counts, m->n_terms * sizeof(struct count));
		}
	return out;
}

/* Merges n parts of m: neighbours, or dealt out at random. */
static void
merge_parts(const struct model *m, size_t n, bool dealt, bool drop)
{
	struct model left = without_third(m);
	const struct model *want = drop ? &left : m;
	struct memory *parts[8], *to = memory_new(), *once = build(want, NULL, 0, false);
	struct postings_part in[8];
	struct postings_sink sink = sink_of(to);
	uint8_t *belongs = xcalloc(m->n_docs + 1, 1);
	struct err err = ERR_INIT;
	char what[80];

	for (size_t i = 0; i < m->n_docs; i++)
		belongs[i] = (uint8_t)(dealt ? next_random((uint32_t)n) : i * n / m->n_docs);
	for (size_t i = 0; i < n; i++) {
		parts[i] = build(m, belongs, (uint8_t)i, false);
		in[i] = (struct postings_part){ parts[i]->meta, source_of(parts[i]) };
	}
	snprintf(what, sizeof(what), "%zu parts%s%s", n, dealt ? ", dealt out" : "", drop ? ", a third dropped" : "");
	is_int(postings_merge(in, n, drop ? drop_third : NULL, NULL, &sink, &to->meta, &err), 0, "merge of %s", what);
	check(to, want, what);
	ok(same_pages(to, once), "%s: as built at once", what);
	for (size_t i = 0; i < n; i++)
		memory_free(parts[i]);
	memory_free(to);
	memory_free(once);
	free(belongs);
	model_free(&left);
}

static void
test_merge(void)
{
	struct model m = random_model(900, 200, true);
	struct memory *a = build(&m, NULL, 0, false), *to = memory_new();
	struct postings_part twice[2] = { { a->meta, source_of(a) }, { a->meta, source_of(a) } };
	struct postings_sink sink = sink_of(to);
	struct err err = ERR_INIT;
	size_t n_asked = 0;

	for (size_t n = 1; n <= 8; n++)
		for (int how = 0; how < 4; how++)
			merge_parts(&m, n, how & 1, how & 2);
	is_int(postings_merge(twice, 2, NULL, NULL, &sink, &to->meta, &err), -1, "a row in two parts");
	is_int(err.code, ERR_IO, "is damage");
	memory_free(to);

	to = memory_new();
	sink = sink_of(to);
	is_int(postings_merge(twice, 1, drop_each, &n_asked, &sink, &to->meta, &err), 0, "all dropped");
	is_int(n_asked, m.n_docs, "each asked for once");
	ok(to->meta.n_docs == 0 && to->meta.n_runs == 0 && to->meta.n_words == 0 && to->n_leaves == 0, "nothing is left");
	memory_free(to);
	memory_free(a);
	model_free(&m);
}

/* ---- damage ---- */

static void
mutate(struct memory *s)
{
	for (uint32_t n = 1 + next_random(4); n > 0; n--) {
		struct page *p = &s->pages[next_random((uint32_t)s->n_pages)];
		size_t at = next_random((uint32_t)p->len);
		switch (next_random(5)) {
		case 0: p->len = at; p->data = xrealloc(p->data, MAX(at, (size_t)1)); break;
		case 1: p->data[at] = 0xff; break;
		case 2: p->data[at] ^= (uint8_t)(1u << next_random(8)); break;
		default: p->data[at] = (uint8_t)next_random(256); break;
		}
		if (p->len == 0)
			return;
	}
}

/* A list that was given must hold what ranking relies on: documents that there are, ascending. */
static bool
list_sane(const struct memory *s, const struct posting_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].doc >= s->meta.n_docs)
			return false;
	return true;
}

/* Reads all there is; counts errors and answers. */
static bool
read_damaged(struct memory *s, const struct model *m, size_t *n_errors, size_t *n_answers)
{
	struct postings_source from = source_of(s);
	struct postings_run *runs = xcalloc(s->meta.n_runs + 1u, sizeof(*runs));
	uint16_t *info = xcalloc(s->meta.n_docs + 1u, sizeof(*info));
	struct postings_cursor *c = postings_cursor_new(&s->meta, &from);
	struct posting_list l = { NULL, 0, 0 };
	struct memory *to = memory_new();
	struct postings_part part = { s->meta, from };
	struct postings_sink sink = sink_of(to);
	struct err err = ERR_INIT;
	char text[64];
	const char *term;
	size_t len;
	uint32_t df;
	bool sane = true;
	int rc, got;

	rc = postings_docs(&s->meta, &from, runs, info, &err);
	++*(rc < 0 ? n_errors : n_answers);
	for (size_t t = 0; t < m->n_terms; t++) {
		l.n = 0;
		rc = find(s, text, term_text(t, text), &l, &err);
		++*(rc < 0 ? n_errors : n_answers);
		sane &= rc < 0 || list_sane(s, &l);
	}
	while ((got = postings_next(c, &term, &len, &df, &err)) > 0) {
		l.n = 0;
		rc = postings_list(c, &l, &err);
		sane &= len <= 64 && (rc < 0 || (l.n == df && list_sane(s, &l)));
	}
	rc = postings_merge(&part, 1, drop_third, NULL, &sink, &to->meta, &err);
	++*(rc < 0 ? n_errors : n_answers);
	sane &= err.code == 0 || err.code == ERR_IO;
	postings_cursor_free(c);
	posting_list_release(&l);
	memory_free(to);
	free(runs);
	free(info);
	return sane;
}

static void
test_damage(void)
{
	struct model m = random_model(400, 40, true);
	size_t n_errors = 0, n_answers = 0, n_insane = 0;

	for (int i = 0; i < 1000; i++) {
		struct memory *s;
		seed = (uint64_t)i + 1000;
		if (i % 4 == 0) {              /* other segments now and then */
			model_free(&m);
			m = random_model(5 + next_random(700), 30, i % 8 == 0);
		}
		s = build(&m, NULL, 0, false);
		mutate(s);
		n_insane += !read_damaged(s, &m, &n_errors, &n_answers);
		memory_free(s);
	}
	is_int(n_insane, 0, "1,000 damaged segments: no list is out of bounds, every error is ERR_IO");
	ok(n_errors > 1000 && n_answers > 1000, "%zu errors, %zu answers", n_errors, n_answers);
	model_free(&m);
}

static bool
docs_refused(const char *bytes, size_t len, uint32_t n_runs, uint32_t n_docs)
{
	struct memory *s = memory_new();
	struct postings_source from = source_of(s);
	struct postings_run runs[8];
	uint16_t info[64];
	struct err err = ERR_INIT;
	int rc;

	take_page(s, 0, bytes, len, &err);
	s->meta = (struct postings_meta){ .n_docs = n_docs, .n_runs = n_runs, .n_doc_pages = 1, .n_pages = 1 };
	rc = postings_docs(&s->meta, &from, runs, info, &err);
	memory_free(s);
	return rc == -1 && err.code == ERR_IO;
}

static void
test_runs(void)
{
	static const char last[] = "\xfd\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x00" "\x00\x0a\x00";      /* 2^63 - 3, 1; the ten after it */
	char many[sizeof(last) + 22] = { 0 };

	ok(!docs_refused("\x05\x02\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of two");
	ok(docs_refused("\x05\x02\x01" "\x00\x00\x00", 6, 1, 2), "info cut short");
	ok(docs_refused("\x05\x02\x01" "\x00\x00\x00\x00\x00", 8, 1, 2), "info too long");
	ok(docs_refused("\x05\x03\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of more than there are");
	ok(docs_refused("\x05\x00\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of none");
	ok(docs_refused("\x05\x01\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of less");
	memcpy(many, last, sizeof(last) - 1);
	ok(docs_refused(many, sizeof(last) - 1 + 22, 2, 11), "rows past the last number");
}

int
main(void)
{
	test_build();
	test_long();
	test_counts();
	test_merge();
	test_damage();
	test_runs();
	return tap_done();
}
