/*
 * postings_test.c: segments against a model: a table of how often each term stands in each
 * document. Built, merged, and read back through pages that live only until the next one is asked
 * for.
 */
#include "tap.h"

#include "base/arena.h"
#include "segments.h"

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
	bool same = s->sane && s->meta.n_docs == m->n_docs &&
	    postings_docs(&s->meta, &from, runs, info, &err) == 0;

	for (uint32_t r = 0; same && r < s->meta.n_runs; r++) {
		same = runs[r].kind == kind_of(NULL, runs[r].row) && runs[r].n > 0;
		if (r > 0 && runs[r - 1].row + runs[r - 1].n == runs[r].row)
			same &= (runs[r].row & 0xfffff) == 0;
		for (uint32_t k = 0; same && k < runs[r].n; k++, doc++) {
			unsigned words = MIN(m->docs[doc].words, (unsigned)POSTINGS_MAX_WORDS);
			same = m->docs[doc].row == runs[r].row + k &&
			    (k == 0 || (m->docs[doc].row & 0xfffff) != 0);
			same &= postings_words(info[doc]) == words &&
			    postings_role(info[doc]) == m->docs[doc].role &&
			    postings_flags(info[doc]) == m->docs[doc].flags;
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
		if (n == l->n || l->items[n].doc != i || l->items[n].tf != c->tf ||
		    l->items[n].head != c->head)
			return false;
		n++;
	}
	return n == l->n;
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
			same &= t < m->n_terms && postings_list(c, &l, &err) == 0 && l.n == df &&
			    list_equals(&l, m, t);
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
		same = a->pages[i].len == b->pages[i].len &&
		    memcmp(a->pages[i].data, b->pages[i].data, a->pages[i].len) == 0;
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
	static const struct count counts[] = { { 1, 0 }, { 1, 1 }, { 2, 1 }, { 14, 14 }, { 15, 0 },
		{ 15, 14 }, { 15, 15 }, { 16, 15 }, { 16, 16 }, { 15, 1 }, { 142, 14 }, { 143, 60 },
		{ 300, 15 }, { 65535, 60 }, { 65535, 65535 } };
	struct model m = { xcalloc(NELEM(counts), sizeof(struct doc)), NELEM(counts), 1 };
	struct lexicon *lexicon = lexicon_new();
	struct postings_builder *b = postings_builder_new(lexicon);
	const struct tally *terms;
	size_t n;
	struct memory *s = memory_new();
	struct postings_sink sink = sink_of(s);
	struct posting_list l = { NULL, 0, 0 };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < NELEM(counts); i++) {
		m.docs[i] = (struct doc){ 1000 + (int64_t)i, 7, 2, 1,
			xmemdup(&counts[i], sizeof(counts[i])) };
		add_doc(b, lexicon, &m.docs[i], 1);
	}
	is_int(postings_builder_docs(b), NELEM(counts), "documents in the builder");
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), 0, "finish");
	is_int(postings_builder_docs(b), 0, "and the builder is empty");
	check(s, &m, "counts");
	memory_free(s);

	s = memory_new();
	sink = sink_of(s);
	for (int i = 0; i < 70000; i++)
		lexicon_word(lexicon, &(struct word){ .term = "w", .len = 1 }, true);
	terms = lexicon_doc(lexicon, &n);
	postings_doc(b, 5, terms, n, 1u << 20, 0, 3);
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), 0,
	    "a builder may be used again");
	memory_free(s);
	s = memory_new();
	sink = sink_of(s);
	postings_doc(b, 5, terms, n, 1u << 20, 0, 3);
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), 0,
	    "and again, with the same word");
	ok(find(s, "w", 1, &l, &err) == 0 && l.n == 1 && l.items[0].tf == 65535 &&
		l.items[0].head == 65535,
	    "70,000 times is 65,535");
	posting_list_release(&l);
	memory_free(s);

	s = memory_new();
	sink = sink_of(s);
	s->fail_at = 0;
	add_doc(b, lexicon, &m.docs[0], 1);
	is_int(postings_finish(b, kind_of, NULL, &sink, &s->meta, &err), -1,
	    "a page that cannot be written");
	is_str(err.msg, "full", "says so");
	is_int(postings_builder_docs(b), 0, "and leaves an empty builder");
	memory_free(s);
	postings_builder_free(b);
	lexicon_free(lexicon);
	model_free(&m);
}

/*
 * Documents order[0 .. n-1] of m, all of which another builder has, packed or not, get rows that
 * ascend; in place of the one at direct comes another, by itself.
 */
static void
check_before(const struct model *m, const size_t *order, size_t n, size_t direct, bool pack,
	const char *what)
{
	struct lexicon *lexicon[] = { lexicon_new(), lexicon_new() };
	struct postings_builder *before = postings_builder_new(lexicon[0]),
				*b = postings_builder_new(lexicon[0]),
				*plain = postings_builder_new(lexicon[1]);
	struct memory *got = memory_new(), *want = memory_new();
	struct postings_sink to_got = sink_of(got), to_want = sink_of(want);
	struct arena kept = ARENA_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < m->n_docs; i++) {
		size_t n_terms;
		const struct tally *terms = terms_of(lexicon[0], &m->docs[i], m->n_terms, &n_terms);
		struct tally *to = arena_alloc(&kept, n_terms * sizeof(*to) + 1);

		memcpy(to, terms, n_terms * sizeof(*to));
		postings_doc_kept(before, (int64_t)i, to, n_terms, 0, 0, 0);
	}
	if (pack)
		postings_pack(before);
	for (size_t i = 0; i < n; i++) {
		struct doc d = m->docs[i == direct ? (order[i] + 1) % m->n_docs : order[i]];

		d.row = m->docs[i].row;
		add_doc(plain, lexicon[1], &d, m->n_terms);
		if (i == direct)
			add_doc(b, lexicon[0], &d, m->n_terms);
		else
			postings_doc_of(b, d.row, before, (uint32_t)order[i], d.words, d.flags,
			    d.role);
	}
	ok(postings_finish(plain, kind_of, NULL, &to_want, &want->meta, &err) == 0 &&
		postings_finish(b, kind_of, NULL, &to_got, &got->meta, &err) == 0 &&
		same_segment(got, want),
	    "of another builder%s: %s, of %zu", pack ? " and packed" : "", what, m->n_docs);
	memory_free(got);
	memory_free(want);
	postings_builder_free(b);
	postings_builder_free(plain);
	postings_builder_free(before);
	arena_release(&kept);
	lexicon_free(lexicon[0]);
	lexicon_free(lexicon[1]);
}

static void
test_before(void)
{
	/* whose documents take one page, one, two where one is thought, two */
	static const size_t sizes[] = { 1, 700, 1900, 3000 };

	for (size_t k = 0; k < NELEM(sizes); k++) {
		size_t n = sizes[k], *order = xcalloc(n + 1, sizeof(*order));
		struct model m = random_model(n, 200, true);

		for (size_t i = 0; i < n; i++)
			order[i] = i;
		for (int pack = 0; pack < 2; pack++) {
			check_before(&m, order, n, n, pack, "all");
			check_before(&m, order, n - 1, n, pack, "all but the last");
			check_before(&m, order + 1, n - 1, n, pack, "all but the first");
			check_before(&m, order, n, 0, pack, "the first not");
			check_before(&m, order, n, n / 2, pack, "one in the middle not");
		}
		if (n > 1) {
			order[n / 2] = n / 2 - 1;
			order[n / 2 - 1] = n / 2;
			check_before(&m, order, n, n, true, "two in another order");
		}
		free(order);
		model_free(&m);
	}
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
			out.docs[out.n_docs++].counts =
			    xmemdup(m->docs[i].counts, m->n_terms * sizeof(struct count));
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
	const struct postings_edit edit = { .drop = drop ? drop_third : NULL };
	size_t n_left = 0, n_pages = 0;
	bool sane = true;
	char what[80];

	for (size_t i = 0; i < m->n_docs; i++)
		belongs[i] = (uint8_t)(dealt ? next_random((uint32_t)n) : i * n / m->n_docs);
	for (size_t i = 0; i < n; i++) {
		parts[i] = build(m, belongs, (uint8_t)i, false);
		in[i] = part_of(parts[i]);
	}
	snprintf(what, sizeof(what), "%zu parts%s%s", n, dealt ? ", dealt out" : "",
	    drop ? ", a third dropped" : "");
	is_int(postings_merge(in, n, &edit, &sink, &to->meta, &err), 0,
	    "merge of %s", what);
	check(to, want, what);
	ok(same_pages(to, once), "%s: as built at once", what);
	for (size_t i = 0; i < n; i++) {
		sane &= parts[i]->sane;
		n_left += parts[i]->n_pages - parts[i]->n_gone;
		n_pages += parts[i]->n_pages;
		memory_free(parts[i]);
	}
	ok(sane && n_left < n_pages,
	    "%s: %zu of %zu pages went before the end, none was asked for again", what,
	    n_pages - n_left, n_pages);
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
	struct postings_part twice[2] = { { a->meta, source_of(a), NULL },
		{ a->meta, source_of(a), NULL } };
	struct postings_sink sink = sink_of(to);
	struct err err = ERR_INIT;
	size_t n_asked = 0;
	const struct postings_edit each = { .drop = drop_each, .arg = &n_asked };

	for (size_t n = 1; n <= 8; n++)
		for (int how = 0; how < 4; how++)
			merge_parts(&m, n, how & 1, how & 2);
	is_int(postings_merge(twice, 2, NULL, &sink, &to->meta, &err), -1,
	    "a row in two parts");
	is_int(err.code, ERR_IO, "is damage");
	memory_free(to);

	to = memory_new();
	sink = sink_of(to);
	is_int(postings_merge(twice, 1, &each, &sink, &to->meta, &err), 0,
	    "all dropped");
	is_int(n_asked, m.n_docs, "each asked for once");
	ok(to->meta.n_docs == 0 && to->meta.n_runs == 0 && to->meta.n_words == 0 &&
		to->n_leaves == 0,
	    "nothing is left");
	memory_free(to);
	memory_free(a);
	model_free(&m);
}

/*
 * Documents over several pages: runs that go on in the next, and a turn's two bytes in two pages,
 * as every other odd length of the runs has it.
 */
static void
test_pages_of_docs(void)
{
	enum { N = 5000 };

	for (int64_t gap = 0; gap < 4; gap++) {
		struct memory *s = memory_new();
		struct lexicon *lexicon = lexicon_new();
		struct postings_builder *b = postings_builder_new(lexicon);
		struct postings_sink to = sink_of(s);
		struct postings_source from = source_of(s);
		struct postings_run *runs = xcalloc(N, sizeof(*runs));
		uint16_t *info = xcalloc(N, sizeof(*info));
		struct err err = ERR_INIT;
		uint32_t n = 0, bad = 0;

		for (int64_t i = 0; i < N; i++) {
			postings_doc(b,
			    (1ll << (20 + gap)) + 7 + i + (gap > 0 ? i / gap * 1000 : 0), NULL, 0,
			    (unsigned)(i * i % 4001), i % 3, i % 4);
		}
		is_int(postings_finish(b, kind_of, NULL, &to, &s->meta, &err), 0, "a segment of %d",
		    N);
		ok(s->meta.n_doc_pages > 2, "%u runs on %u pages", s->meta.n_runs,
		    s->meta.n_doc_pages);
		is_int(postings_docs(&s->meta, &from, runs, info, &err), 0, "are read");
		for (uint32_t k = 0; k < s->meta.n_runs; k++)
			for (uint32_t j = 0; j < runs[k].n; j++, n++)
				bad += runs[k].row + j !=
					(1ll << (20 + gap)) + 7 + n +
					    (gap > 0 ? n / gap * 1000 : 0) ||
				    postings_words(info[n]) != n * n % 4001 ||
				    postings_flags(info[n]) != n % 3 ||
				    postings_role(info[n]) != n % 4;
		ok(n == N && bad == 0, "as they were");
		s->meta.n_doc_pages--;
		is_int(postings_docs(&s->meta, &from, runs, info, &err), -1,
		    "not without the last page");
		free(runs);
		free(info);
		postings_builder_free(b);
		lexicon_free(lexicon);
		memory_free(s);
	}
}

static uint8_t
same_kind(void *arg, int64_t row)
{
	(void)row;
	return *(uint8_t *)arg;
}

/* A segment of documents without words: rows [n], all of sessions of the kind. */
static struct memory *
segment_of(const int64_t *rows, size_t n, uint8_t kind)
{
	struct memory *s = memory_new();
	struct lexicon *lexicon = lexicon_new();
	struct postings_builder *b = postings_builder_new(lexicon);
	struct postings_sink to = sink_of(s);
	struct err err = ERR_INIT;

	for (size_t i = 0; i < n; i++)
		postings_doc(b, rows[i], NULL, 0, 1, 0, 0);
	is_int(postings_finish(b, same_kind, &kind, &to, &s->meta, &err), 0, "a segment of %zu", n);
	postings_builder_free(b);
	lexicon_free(lexicon);
	return s;
}

/*
 * Rows that go on in the next segment are one run there, of the kind that the newer one knows;
 * never over the border of two sessions.
 */
static void
test_runs(void)
{
	static const int64_t first[] = { 5, 6, 0xfffff },
			     second[] = { 7, 8, 0x100000, 0x100001, 0x1fffff, 0x200000 };
	static const struct postings_run want[] = { { 5, 4, 2 }, { 0xfffff, 1, 1 },
		{ 0x100000, 2, 2 }, { 0x1fffff, 1, 2 }, { 0x200000, 1, 2 } };
	struct memory *a = segment_of(first, NELEM(first), 1),
		      *b = segment_of(second, NELEM(second), 2), *both = memory_new();
	struct postings_part parts[] = { part_of(a), part_of(b) };
	struct postings_sink to = sink_of(both);
	struct postings_source from = source_of(both);
	struct postings_run runs[NELEM(want) + 1];
	uint16_t info[NELEM(first) + NELEM(second)];
	struct err err = ERR_INIT;

	is_int(b->meta.n_runs, 4, "a run ends with its session");
	is_int(postings_merge(parts, NELEM(parts), NULL, &to, &both->meta, &err), 0,
	    "merged");
	is_int(both->meta.n_runs, NELEM(want), "runs");
	is_int(postings_docs(&both->meta, &from, runs, info, &err), 0, "are read");
	for (size_t i = 0; i < NELEM(want); i++)
		ok(runs[i].row == want[i].row && runs[i].n == want[i].n &&
			runs[i].kind == want[i].kind,
		    "run %zu: %lld, %u, kind %d", i, (long long)runs[i].row, runs[i].n,
		    runs[i].kind);
	memory_free(a);
	memory_free(b);
	memory_free(both);
}

int
main(void)
{
	test_runs();
	test_pages_of_docs();
	test_build();
	test_long();
	test_counts();
	test_before();
	test_merge();
	return tap_done();
}
