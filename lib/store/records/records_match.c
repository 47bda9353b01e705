/*
 * records_match.c: full text over facts, summaries and reflections without an index: they are few
 * beside the messages, so their words are read when they are asked for. One pass counts the query's
 * terms in each record; what has none of them leaves nothing behind but its length.
 */
#include "store/sql/column.h"
#include "store/records/rows.h"

#include "base/alloc.h"
#include "base/order.h"
#include "rank/bm25.h"
#include "text/words.h"

#define TERMS_MOST 64
#define PAGE_ROWS  256
#define K1 1.2
#define B  .75

struct term {
	char text[WORDS_TERM_BYTES];
	uint64_t hash;
	uint16_t len;
	bool stop;
	uint32_t n_docs;
};

struct count { uint32_t doc; uint16_t term, times; };
struct doc { int64_t row; uint32_t n_words; };

struct match {
	struct term terms[TERMS_MOST];
	size_t n_terms;
	uint16_t times[TERMS_MOST];            /* of the record at hand */
	uint32_t n_words;
	struct count *counts;
	size_t n_counts, cap_counts;
	struct doc *docs;                      /* those with a term */
	size_t n_docs, cap_docs;
	uint64_t n_all, words_all;
};

static int
on_term(void *arg, const struct word *w)
{
	struct match *m = arg;

	for (size_t i = 0; i < m->n_terms; i++)
		if (m->terms[i].len == w->len && memcmp(m->terms[i].text, w->term, w->len) == 0)
			return 0;
	if (m->n_terms == TERMS_MOST)
		return 1;
	m->terms[m->n_terms].len = w->len;
	m->terms[m->n_terms].hash = w->hash;
	m->terms[m->n_terms].stop = w->stop;
	memcpy(m->terms[m->n_terms++].text, w->term, w->len);
	return 0;
}

static void
drop_stop_words(struct match *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_terms; i++)
		if (!m->terms[i].stop)
			m->terms[n++] = m->terms[i];
	if (n > 0)
		m->n_terms = n;
}

static int
on_word(void *arg, const struct word *w)
{
	struct match *m = arg;

	m->n_words = w->position + 1;
	for (size_t i = 0; i < m->n_terms; i++)
		if (m->terms[i].len == w->len && memcmp(m->terms[i].text, w->term, w->len) == 0) {
			m->times[i] = (uint16_t)MIN(m->times[i] + 1, UINT16_MAX);
			break;
		}
	return 0;
}

/* Takes in a record whose words were counted. */
static void
add_counts(struct match *m, int64_t row)
{
	bool some = false;

	m->n_all++;
	m->words_all += m->n_words;
	for (size_t i = 0; i < m->n_terms; i++) {
		if (m->times[i] == 0)
			continue;
		*xpush(m->counts, m->n_counts, m->cap_counts) =
		    (struct count){ (uint32_t)m->n_docs, (uint16_t)i, m->times[i] };
		m->terms[i].n_docs++;
		some = true;
	}
	if (!some)
		return;
	*xpush(m->docs, m->n_docs, m->cap_docs) = (struct doc){ row, m->n_words };
}

static void
add_record(struct match *m, int64_t row, const char *text, size_t len)
{
	memset(m->times, 0, sizeof(m->times));
	m->n_words = 0;
	words_each(text, len, on_word, m);
	add_counts(m, row);
}

static int
read_all(struct store *s, const struct scope *who, const struct scope_numbers *n,
	const struct record_filter *f, struct match *m, struct err *err)
{
	bool known = f->known_us != TIME_NONE;
	int64_t lo = user_lo(n->user), hi = user_hi(n->user);
	int got, here = PAGE_ROWS;

	while (here == PAGE_ROWS) {
		const struct rows_args args = rows_args(who, n, f, lo, hi, PAGE_ROWS);
		struct db_stmt *q =
		    stmt_start(s, known ? STMT_RECORDS_TEXTS_KNOWN : STMT_RECORDS_TEXTS, args.v,
			NELEM(args.v), err);

		for (here = 0; (got = db_row(q, err)) > 0; here++) {
			if (db_goes_on(s, lo - 1, db_column_int(q, 0), err) < 0)
				return -1;
			lo = db_column_int(q, 0) + 1;
			add_record(m, lo - 1, column_peek(q, 1), (size_t)db_column_bytes(q, 1));
		}
		if (got < 0)
			return -1;
	}
	return 0;
}

/* of equals the newer */
ORDER_OF(best_first, struct record_match,
	a->score != b->score ? -ORDER_UP(score) : -ORDER_UP(row))

static size_t
score(const struct match *m, size_t k, struct record_match *out)
{
	double mean = m->n_all == 0 ? 1 : MAX((double)m->words_all / (double)m->n_all, 1);
	FREED struct record_match *all = xcalloc(m->n_docs + 1, sizeof(*all));
	size_t n = MIN(k, m->n_docs);
	double full = 0;

	for (size_t i = 0; i < m->n_terms; i++)
		full += bm25_idf((uint32_t)m->n_all, m->terms[i].n_docs) / (1 + K1);
	for (size_t i = 0; i < m->n_docs; i++)
		all[i].row = m->docs[i].row;
	for (size_t i = 0; i < m->n_counts; i++) {
		const struct count *c = &m->counts[i];
		double norm = K1 * (1 - B + B * m->docs[c->doc].n_words / mean);
		all[c->doc].score += bm25_idf((uint32_t)m->n_all, m->terms[c->term].n_docs) *
		    c->times / (c->times + norm);
	}
	for (size_t i = 0; i < m->n_docs; i++)
		all[i].share = MIN(all[i].score / full, 1);
	qsort(all, m->n_docs, sizeof(*all), best_first);
	memcpy(out, all, n * sizeof(*out));
	return n;
}

int
records_match(struct store *s, const struct scope *who, const struct record_filter *f,
	const char *query, size_t len, size_t k, struct record_match *out, size_t *n,
	struct err *err)
{
	struct match m = { .n_terms = 0 };
	struct scope_numbers numbers;
	int rc = -1;

	*n = 0;
	words_each(query, len, on_term, &m);
	drop_stop_words(&m);
	if (scope_numbers(s, who, &numbers, err) < 0)
		return -1;
	if (numbers.user == 0 || m.n_terms == 0)
		return 0;
	if (read_all(s, who, &numbers, f, &m, err) < 0)
		goto out;
	*n = score(&m, k, out);
	rc = 0;
out:
	free(m.counts);
	free(m.docs);
	return rc;
}

/* ---- many texts, read once ---- */

/* A text: its words are those of hashes from `from` on, as often as they stand in it. */
struct words_doc { int64_t row; size_t from; uint32_t n, n_words; };

struct word_pool {
	struct words_doc *docs;
	size_t n_docs, cap_docs;
	uint64_t *hashes;
	size_t n, cap;
	uint32_t n_words;                      /* of the text at hand */
};

struct word_pool *
word_pool_new(void)
{
	return xcalloc(1, sizeof(struct word_pool));
}

void
word_pool_free(struct word_pool *w)
{
	if (w == NULL)
		return;
	free(w->docs);
	free(w->hashes);
	free(w);
}

static int
on_any_word(void *arg, const struct word *word)
{
	struct word_pool *w = arg;

	w->n_words = word->position + 1;
	*xpush(w->hashes, w->n, w->cap) = word->hash;
	return 0;
}

void
word_pool_add(struct word_pool *w, int64_t row, const char *text, size_t len)
{
	struct words_doc doc = { .row = row, .from = w->n };

	w->n_words = 0;
	words_each(text, len, on_any_word, w);
	doc.n = (uint32_t)(w->n - doc.from);
	doc.n_words = w->n_words;
	*xpush(w->docs, w->n_docs, w->cap_docs) = doc;
}

/* Counts the query's terms in a text. sieve: a bit for each of the terms' hashes. */
static void
count_terms(struct match *m, const struct word_pool *w, const struct words_doc *doc,
	uint64_t sieve)
{
	memset(m->times, 0, m->n_terms * sizeof(m->times[0]));
	m->n_words = doc->n_words;
	for (size_t k = doc->from; k < doc->from + doc->n; k++) {
		size_t i = 0;

		if ((sieve >> (w->hashes[k] & 63) & 1) == 0)
			continue;
		while (i < m->n_terms && m->terms[i].hash != w->hashes[k])
			i++;
		if (i < m->n_terms)
			m->times[i] = (uint16_t)MIN(m->times[i] + 1, UINT16_MAX);
	}
	add_counts(m, doc->row);
}

void
word_pool_match(const struct word_pool *w, const char *query, size_t len, size_t k,
	struct record_match *out, size_t *n)
{
	struct match m = { .n_terms = 0 };
	uint64_t sieve = 0;

	words_each(query, len, on_term, &m);
	drop_stop_words(&m);
	for (size_t i = 0; i < m.n_terms; i++)
		sieve |= 1ull << (m.terms[i].hash & 63);
	for (size_t i = 0; i < w->n_docs && m.n_terms > 0; i++)
		count_terms(&m, w, &w->docs[i], sieve);
	*n = m.n_terms > 0 ? score(&m, k, out) : 0;
	free(m.counts);
	free(m.docs);
}
