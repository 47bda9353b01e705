/*
 * postings_text.c: the segment of one large text, made from one range of its terms after another.
 *
 * A text of 14 MB may have millions of distinct terms. A segment's terms are written in byte order,
 * so such a text is read once for each of several ranges of terms, and only a range is held at a
 * time. The ranges come from a sample of the distinct terms: the first reading keeps the terms
 * whose hash begins with so many zero bits, one more each time they are too many (K. Beyer et al.,
 * "On synopses for distinct-value estimation under multiset operations", 2007). Most texts have few
 * terms; then the sample is all of them, and the first reading is the only one.
 *
 * As there is one document only, a term is counted in some forty bytes. In a lexicon and a builder
 * it takes a hundred and ninety, and there would be that many more ranges.
 */
#include "index/postings_text.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "index/postings_page.h"

/* The terms that are counted at a time take no more than this, or than half of a larger text. */
#define BYTES_AT_ONCE (24u << 20)
#define SLOTS_FIRST   (1u << 12)

/* In the buffer of terms it takes as many bytes as its text needs. */
struct term { uint16_t tf, head; uint8_t len; char text[WORDS_TERM_BYTES]; };

struct slot { uint32_t tag, at; };         /* at: offset among the terms + 1; 0: empty */

/* An open-addressing hash table. */
struct counts {
	struct buf terms;
	struct slot *slots;
	size_t n, n_slots;                 /* n_slots is a power of two */
};

struct postings_text {
	const char *text;
	size_t len, at_once;
	struct counts counts;
	struct card_maker maker;
	/* counted are the terms whose hash begins with so many zero bits */
	unsigned zero_bits;
	uint64_t n_head;                   /* the first so many words are the head */
	/* of the reading at hand: the number of words so far, and the range of terms */
	uint64_t n_seen;
	const struct term *from, *to;      /* NULL: no bound */
};

/* ---- counting ---- */

static void
counts_init(struct counts *c)
{
	c->n = 0;
	c->n_slots = SLOTS_FIRST;
	c->slots = xcalloc(c->n_slots, sizeof(*c->slots));
	buf_init(&c->terms, UINT32_MAX - 1);
}

static void
counts_release(struct counts *c)
{
	free(c->slots);
	buf_release(&c->terms);
}

static void
counts_clear(struct counts *c)
{
	memset(c->slots, 0, c->n_slots * sizeof(*c->slots));
	c->n = 0;
	buf_reset(&c->terms);
}

/* Its bytes among the terms: an even number, so that the next one is aligned. */
static size_t
term_bytes(size_t len)
{
	return (offsetof(struct term, text) + len + 1) & ~(size_t)1;
}

/* What it takes in all: its slots and its place in the order as well. */
static size_t
term_cost(const struct term *t)
{
	return term_bytes(t->len) + 2 * sizeof(struct slot) + sizeof(struct term *);
}

static struct term *
term_at(const struct counts *c, size_t at)
{
	return (struct term *)(void *)(c->terms.data + at);
}

/* The slot of a term, or the empty one that it would get. */
static struct slot *
slot_of(const struct counts *c, const char *text, size_t len, uint64_t hash)
{
	size_t i = hash & (c->n_slots - 1);

	for (; c->slots[i].at != 0; i = (i + 1) & (c->n_slots - 1)) {
		const struct term *t = term_at(c, c->slots[i].at - 1);

		if (c->slots[i].tag == (uint32_t)(hash >> 32) && t->len == len &&
		    memcmp(t->text, text, len) == 0)
			break;
	}
	return &c->slots[i];
}

static void
double_slots(struct counts *c)
{
	const struct term *t;

	free(c->slots);
	c->n_slots *= 2;
	c->slots = xcalloc(c->n_slots, sizeof(*c->slots));
	for (size_t at = 0; at < c->terms.len; at += term_bytes(t->len)) {
		uint64_t hash;

		t = term_at(c, at);
		hash = hash64(t->text, t->len, 0);
		*slot_of(c, t->text, t->len, hash) =
		    (struct slot){ (uint32_t)(hash >> 32), (uint32_t)at + 1 };
	}
}

static void
add_term(struct counts *c, const struct term *t, uint64_t hash)
{
	*slot_of(c, t->text, t->len, hash) =
	    (struct slot){ (uint32_t)(hash >> 32), (uint32_t)c->terms.len + 1 };
	buf_add(&c->terms, t, term_bytes(t->len));
	if (++c->n * 4 > c->n_slots * 3)
		double_slots(c);
}

static void
count_word(struct counts *c, const struct word *w, bool in_head)
{
	const struct slot *slot = slot_of(c, w->term, w->len, w->hash);
	struct term *t, new = { .tf = 1, .head = in_head, .len = (uint8_t)w->len };

	if (slot->at == 0) {
		memcpy(new.text, w->term, w->len);
		add_term(c, &new, w->hash);
		return;
	}
	t = term_at(c, slot->at - 1);
	if (t->tf < UINT16_MAX) {
		t->tf++;
		t->head = (uint16_t)(t->head + in_head);
	}
}

static int
by_bytes(const void *x, const void *y)
{
	const struct term *a = *(const struct term *const *)x, *b = *(const struct term *const *)y;
	int c = memcmp(a->text, b->text, MIN(a->len, b->len));

	return c ? c : (int)a->len - (int)b->len;
}

/* The terms [n] in byte order, borrowed until the next word; the caller frees the array. */
static const struct term **
in_order(const struct counts *c)
{
	const struct term **order = xreallocarray(NULL, c->n + 1, sizeof(*order));

	for (size_t i = 0, at = 0; i < c->n; i++) {
		order[i] = term_at(c, at);
		at += term_bytes(order[i]->len);
	}
	qsort(order, c->n, sizeof(*order), by_bytes);
	return order;
}

/* ---- the first reading ---- */

static bool
in_sample(const struct postings_text *t, uint64_t hash)
{
	return t->zero_bits == 0 || hash >> (64 - t->zero_bits) == 0;
}

/* Keeps about half of the terms. */
static void
halve_sample(struct postings_text *t)
{
	struct counts all = t->counts;
	const struct term *term;

	t->zero_bits++;
	counts_init(&t->counts);
	for (size_t at = 0; at < all.terms.len; at += term_bytes(term->len)) {
		uint64_t hash;

		term = term_at(&all, at);
		hash = hash64(term->text, term->len, 0);
		if (in_sample(t, hash))
			add_term(&t->counts, term, hash);
	}
	counts_release(&all);
}

static size_t
bytes_of(const struct counts *c)
{
	return c->terms.len + c->n * (2 * sizeof(struct slot) + sizeof(struct term *));
}

static int
on_first_reading(void *arg, const struct word *w)
{
	struct postings_text *t = arg;
	bool in_head;

	card_word(&t->maker, w);
	in_head = t->maker.card.n_words <= POSTINGS_HEAD_WORDS;
	t->n_head += in_head;
	if (!in_sample(t, w->hash))
		return 0;
	count_word(&t->counts, w, in_head);
	if (bytes_of(&t->counts) > t->at_once && t->zero_bits < 32)
		halve_sample(t);
	return 0;
}

struct postings_text *
postings_text_read(const char *text, size_t len, size_t at_once)
{
	struct postings_text *t = xcalloc(1, sizeof(*t));

	t->text = text;
	t->len = len;
	t->at_once = at_once > 0 ? at_once : MAX(len / 2, BYTES_AT_ONCE);
	counts_init(&t->counts);
	card_start(&t->maker, text, len);
	words_each(text, len, on_first_reading, t);
	card_end(&t->maker);
	return t;
}

void
postings_text_free(struct postings_text *t)
{
	if (t == NULL)
		return;
	counts_release(&t->counts);
	free(t);
}

const struct card *
postings_text_card(const struct postings_text *t)
{
	return &t->maker.card;
}

/* ---- ranges ---- */

/* The bounds [*n] between ranges of terms that are counted at once; the caller frees them. */
static struct term *
find_bounds(const struct postings_text *t, size_t *n)
{
	const struct term **order = in_order(&t->counts);
	struct term *bounds = NULL;
	size_t cap = 0, bytes = 0;

	*n = 0;
	for (size_t i = 0; i < t->counts.n; i++) {
		if (bytes >= t->at_once) {
			memcpy(xpush(bounds, *n, cap), order[i], term_bytes(order[i]->len));
			bytes = 0;
		}
		/* it stands for so many */
		bytes += term_cost(order[i]) << t->zero_bits;
	}
	free(order);
	return bounds;
}

static bool
is_below(const struct word *w, const struct term *bound)
{
	int c = memcmp(w->term, bound->text, MIN(w->len, bound->len));

	return c < 0 || (c == 0 && w->len < bound->len);
}

static int
on_next_reading(void *arg, const struct word *w)
{
	struct postings_text *t = arg;
	bool in_head = t->n_seen++ < t->n_head;

	if ((t->from == NULL || !is_below(w, t->from)) && (t->to == NULL || is_below(w, t->to)))
		count_word(&t->counts, w, in_head);
	return 0;
}

/* ---- the segment ---- */

/* Writes the lists of the terms that are counted. */
static int
write_range(const struct postings_text *t, struct page_writer *w, struct err *err)
{
	const struct term **order = in_order(&t->counts);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->counts.n; i++) {
		const struct posting p = { 0, order[i]->tf, order[i]->head };

		if (page_writer_postings(w, &p, 1, err) < 0 ||
		    page_writer_term(w, order[i]->text, order[i]->len, 1, err) < 0)
			rc = -1;
	}
	free(order);
	return rc;
}

static int
write_ranges(struct postings_text *t, struct page_writer *w, struct err *err)
{
	size_t n;
	struct term *bounds = find_bounds(t, &n);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i <= n; i++) {
		t->from = i > 0 ? &bounds[i - 1] : NULL;
		t->to = i < n ? &bounds[i] : NULL;
		t->n_seen = 0;
		counts_clear(&t->counts);
		words_each(t->text, t->len, on_next_reading, t);
		rc = write_range(t, w, err);
	}
	free(bounds);
	return rc;
}

int
postings_text_finish(struct postings_text *t, int64_t row, unsigned flags, unsigned role,
	uint8_t kind, const struct postings_sink *to, struct postings_meta *meta, struct err *err)
{
	const struct postings_run run = { row, 1, kind };
	uint16_t info = postings_info_of(t->maker.card.n_words, flags, role);
	struct page_writer w;

	*meta = (struct postings_meta){ .n_docs = 1, .n_runs = 1, .n_words = postings_words(info) };
	page_writer_init(&w, to);
	if (page_writer_docs(&w, &run, 1, &info, 1, err) < 0)
		return -1;
	meta->n_doc_pages = w.n_pages;
	if ((t->zero_bits == 0 ? write_range(t, &w, err) : write_ranges(t, &w, err)) < 0 ||
	    page_writer_end(&w, err) < 0)
		return -1;
	meta->n_pages = w.n_pages;
	return 0;
}
