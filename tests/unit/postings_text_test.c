/*
 * postings_text_test.c: the segment of a large text, made range by range, against the one that is
 * made of all its words at once.
 */
#include "index/prepare.h"

#include "base/buf.h"
#include "segments.h"
#include "tap.h"

#define ROW (3ll << 44 | 7ll << 20 | 5)

static uint8_t
kind_two(void *arg, int64_t row)
{
	(void)arg;
	(void)row;
	return 2;
}

/* The text is shorter than what is called large, so that prepare counts its words, too. */
static struct memory *
build_at_once(const struct buf *text, struct card *card)
{
	struct preparer *p = preparer_new();
	struct memory *to = memory_new();
	struct postings_sink sink = sink_of(to);
	struct arena a = ARENA_INIT;
	const struct prepared *d = prepare(p, text->data, text->len, NULL, &a);
	struct postings_builder *b = postings_builder_new(d->lexicon);
	struct err err = ERR_INIT;

	*card = d->card;
	postings_doc(b, ROW, d->terms, d->n_terms, d->card.n_words, 1, 3);
	ok(!d->large && postings_finish(b, kind_two, NULL, &sink, &to->meta, &err) == 0,
	    "%zu bytes at once", text->len);
	postings_builder_free(b);
	preparer_free(p);
	arena_release(&a);
	return to;
}

static void
check(const struct buf *text, size_t at_once, const char *what)
{
	struct card card;
	struct memory *want = build_at_once(text, &card), *got = memory_new();
	struct postings_sink sink = sink_of(got);
	struct postings_text *t = postings_text_read(text->data, text->len, at_once);
	struct err err = ERR_INIT;

	ok(memcmp(postings_text_card(t), &card, sizeof(card)) == 0, "%s: the card is the same",
	    what);
	ok(postings_text_finish(t, ROW, 1, 3, 2, &sink, &got->meta, &err) == 0 &&
		same_segment(got, want),
	    "%s: the segment is the same", what);
	postings_text_free(t);
	memory_free(got);
	memory_free(want);
}

static void
random_text(struct buf *to, size_t n_words, uint32_t n_distinct)
{
	char term[64];

	buf_reset(to);
	for (size_t i = 0; i < n_words; i++) {
		buf_add(to, term, term_text(next_random(n_distinct), term));
		buf_addc(to, i % 20 == 19 ? '\n' : ' ');
	}
}

static void
test_full(const struct buf *text)
{
	struct memory *to = memory_new();
	struct postings_sink sink = sink_of(to);
	struct postings_text *t = postings_text_read(text->data, text->len, 3000);
	struct postings_meta meta;
	struct err err = ERR_INIT;

	to->fail_at = 2;
	is_int(postings_text_finish(t, ROW, 0, 0, 0, &sink, &meta, &err), -1,
	    "a page that cannot be written");
	is_str(err.msg, "full", "is said");
	postings_text_free(t);
	memory_free(to);
}

int
main(void)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	check(&text, 3000, "no word");
	random_text(&text, 20000, 900);
	check(&text, 0, "one range");
	check(&text, 30000, "two ranges");
	check(&text, 3000, "many ranges");
	check(&text, 1, "ranges of a term or two");
	test_full(&text);
	buf_reset(&text);
	for (int i = 0; i < 132000; i++)
		buf_adds(&text, i % 2 ? "x" : "y ");
	check(&text, 20, "a word more than 65,535 times");
	buf_release(&text);
	return tap_done();
}
