/*
 * postings_damage_test.c: pages with bytes changed at random give an error or some list, and never
 * one that leads out of bounds.
 */
#include "tap.h"

#include "segments.h"

#include "text/words.h"

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
		if (l->items[i].doc >= s->meta.n_docs ||
		    (i > 0 && l->items[i].doc <= l->items[i - 1].doc))
			return false;
	return true;
}

static void
check_term(void *arg, const char *term, size_t len, uint32_t df)
{
	bool *sane = arg;

	*sane &= len > 0 && len <= WORDS_TERM_BYTES && term != NULL && df <= 1000000;
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
	struct postings_part part = { s->meta, from, NULL };
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
	rc = postings_merge(&part, 1, &(struct postings_edit){ .drop = drop_third }, &sink,
	    &to->meta, &err);
	++*(rc < 0 ? n_errors : n_answers);
	sane &= err.code == 0 || err.code == ERR_IO;
	postings_cursor_free(c);
	for (uint32_t i = 0; i < s->meta.n_pages && sane; i++) {
		err_clear(&err);
		if (postings_leaf_terms(&s->meta, &from, i, check_term, &sane, &err) < 0)
			sane &= err.code == ERR_IO;
	}
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
	is_int(n_insane, 0,
	    "1,000 damaged segments: no list is out of bounds, every error is ERR_IO");
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
	s->meta = (struct postings_meta){ .n_docs = n_docs,
		.n_runs = n_runs,
		.n_doc_pages = 1,
		.n_pages = 1 };
	rc = postings_docs(&s->meta, &from, runs, info, &err);
	memory_free(s);
	return rc == -1 && err.code == ERR_IO;
}

static void
test_runs(void)
{
	/* 2^63 - 3, 1; the ten after it */
	static const char last[] = "\xfd\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x00" "\x00\x0a\x00";
	char many[sizeof(last) + 22] = { 0 };

	ok(!docs_refused("\x05\x02\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of two");
	ok(docs_refused("\x05\x02\x01" "\x00\x00\x00", 6, 1, 2), "info cut short");
	ok(docs_refused("\x05\x02\x01" "\x00\x00\x00\x00\x00", 8, 1, 2), "info too long");
	ok(docs_refused("\x05\x03\x01"
			"\x00\x00\x00\x00",
	       7, 1, 2),
	    "a run of more than there are");
	ok(docs_refused("\x05\x00\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of none");
	ok(docs_refused("\x05\x01\x01" "\x00\x00\x00\x00", 7, 1, 2), "a run of less");
	memcpy(many, last, sizeof(last) - 1);
	ok(docs_refused(many, sizeof(last) - 1 + 22, 2, 11), "rows past the last number");
}

int
main(void)
{
	test_damage();
	test_runs();
	return tap_done();
}
