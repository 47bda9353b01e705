/*
 * postings: a segment is made of the words of the input, changed as the input says, and read in all
 * ways. An answer may be wrong, but holds no document that there is not.
 *
 * input = n, n changes of 4 bytes (page, offset high, offset low, byte), text; a line of it is a
 * document
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "index/postings.h"
#include "text/words.h"

#define PAGES_MOST 64

struct pages { uint8_t *data[PAGES_MOST]; size_t len[PAGES_MOST]; uint32_t n; };

static int
put_page(void *arg, uint32_t page, const void *data, size_t len, struct err *err)
{
	struct pages *p = arg;

	if (page >= PAGES_MOST)
		return err_set(err, ERR_DATA, "enough");
	PROMISE(page == p->n && len > 0);
	p->data[page] = xmemdup(data, len);
	p->len[page] = len;
	p->n++;
	return 0;
}

static int
put_leaf(void *arg, const char *term, size_t len, uint32_t page, struct err *err)
{
	(void)arg;
	(void)term;
	(void)err;
	PROMISE(len <= WORDS_TERM_BYTES && page < PAGES_MOST);
	return 0;
}

static int
get_page(void *arg, uint32_t page, const uint8_t **data, size_t *len, struct err *err)
{
	struct pages *p = arg;

	if (page >= p->n)
		return err_set(err, ERR_IO, "no page %u", page);
	*data = p->data[page];
	*len = p->len[page];
	return 0;
}

static uint8_t
kind_of(void *arg, int64_t row)
{
	(void)arg;
	return (uint8_t)(row % 3);
}

static int
on_word(void *arg, const struct word *w)
{
	lexicon_word(arg, w, w->position < POSTINGS_HEAD_WORDS);
	return 0;
}

static int
make(const char *text, size_t len, struct pages *p, struct postings_meta *m)
{
	struct postings_sink to = { put_page, put_leaf, p };
	struct lexicon *l = lexicon_new();
	struct postings_builder *b = postings_builder_new(l);
	const struct tally *terms;
	size_t n_terms;
	struct err err = ERR_INIT;
	int64_t row = 0;
	int rc;

	for (const char *end = text + len, *line = text; line < end; row++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((stop == NULL ? end : stop) - line);
		/* an empty line: another session */
		if (n == 0)
			row = (row / 1000 + 1) * 1000;
		words_each(line, n, on_word, l);
		terms = lexicon_doc(l, &n_terms);
		postings_doc(b, row, terms, n_terms, (unsigned)n, (unsigned)row >> 2 & 3,
		    (unsigned)row & 3);
		line += n + 1;
	}
	rc = postings_finish(b, kind_of, NULL, &to, m, &err);
	postings_builder_free(b);
	lexicon_free(l);
	return rc;
}

static void
sane(const struct posting_list *l, const struct postings_meta *m)
{
	for (size_t i = 0; i < l->n; i++)
		PROMISE(l->items[i].doc < m->n_docs);
}

static void
read_all(const struct postings_meta *m, const struct postings_source *from)
{
	struct postings_run *runs = xcalloc((size_t)m->n_runs + 1, sizeof(*runs));
	uint16_t *info = xcalloc((size_t)m->n_docs + 1, sizeof(*info));
	struct posting_list list = { NULL, 0, 0 };
	struct postings_cursor *c = postings_cursor_new(m, from);
	struct pages merged = { { NULL }, { 0 }, 0 };
	struct postings_sink to = { put_page, put_leaf, &merged };
	struct postings_part part = { *m, *from, NULL };
	struct postings_meta meta;
	struct err err = ERR_INIT;
	const char *term;
	size_t len;
	uint32_t df;

	postings_docs(m, from, runs, info, &err);
	while (postings_next(c, &term, &len, &df, &err) > 0) {
		PROMISE(len > 0 && len <= WORDS_TERM_BYTES);
		list.n = 0;
		if (postings_list(c, &list, &err) != 0)
			break;
		sane(&list, m);
	}
	for (uint32_t page = 0; page < m->n_pages; page++) {
		list.n = 0;
		if (postings_find(m, from, page, "the", 3, &list, &err) == 0)
			sane(&list, m);
	}
	postings_merge(&part, 1, NULL, &to, &meta, &err);
	for (uint32_t i = 0; i < merged.n; i++)
		free(merged.data[i]);
	postings_cursor_free(c);
	posting_list_release(&list);
	free(runs);
	free(info);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pages p = { { NULL }, { 0 }, 0 };
	struct postings_source from = { get_page, &p };
	struct postings_meta m;
	size_t n = size > 0 ? data[0] % 32 : 0;
	char *text;

	if (size < 1 + 4 * n)
		return 0;
	text = text_of(data + 1 + 4 * n, size - 1 - 4 * n, 0);
	if (make(text, size - 1 - 4 * n, &p, &m) == 0 && p.n > 0) {
		for (size_t i = 0; i < n; i++) {
			const uint8_t *d = data + 1 + 4 * i;
			uint32_t page = d[0] % p.n;
			p.data[page][((size_t)d[1] << 8 | d[2]) % p.len[page]] = d[3];
		}
		read_all(&m, &from);
	}
	for (uint32_t i = 0; i < p.n; i++)
		free(p.data[i]);
	free(text);
	return 0;
}
