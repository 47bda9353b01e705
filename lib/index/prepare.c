/*
 * prepare.c: each look at the text in its turn; the words go by once, for the card and the lexicon
 * alike.
 */
#include "index/prepare.h"

#include "base/alloc.h"
#include "text/tokens.h"

struct preparer {
	struct lexicon *lexicon;
	struct postings_builder *index;        /* NULL until there is one */
	struct card_maker maker;
};

struct preparer *
preparer_new(void)
{
	struct preparer *p = xcalloc(1, sizeof(*p));

	p->lexicon = lexicon_new();
	return p;
}

void
preparer_free(struct preparer *p)
{
	if (p == NULL)
		return;
	postings_builder_free(p->index);
	lexicon_free(p->lexicon);
	free(p);
}

void
preparer_clear(struct preparer *p)
{
	if (p->index != NULL)
		postings_builder_clear(p->index);
	lexicon_clear(p->lexicon);
}

size_t
preparer_n_terms(const struct preparer *p)
{
	return lexicon_n_terms(p->lexicon);
}

void
preparer_index(struct preparer *p, struct prepared *d)
{
	if (p->index == NULL)
		p->index = postings_builder_new(p->lexicon);
	d->index = p->index;
	d->no = postings_builder_docs(p->index);
	postings_doc_kept(p->index, d->no, d->terms, d->n_terms, 0, 0, 0);
}

void
preparer_pack(struct preparer *p)
{
	if (p->index != NULL)
		postings_pack(p->index);
}

/* ---- chunks ---- */

#define CHUNKS_FIRST 8

struct chunks { struct chunk *items; size_t n, cap; struct arena *arena; };

static int
on_chunk(void *arg, const struct chunk *c)
{
	struct chunks *all = arg;
	struct chunk *more;

	if (all->n == all->cap) {
		all->cap = all->cap == 0 ? CHUNKS_FIRST : 2 * all->cap;
		more = arena_alloc(all->arena, all->cap * sizeof(*more));
		if (all->n > 0)
			memcpy(more, all->items, all->n * sizeof(*more));
		all->items = more;
	}
	all->items[all->n++] = *c;
	return 0;
}

static const struct chunk *
prepare_chunks(const char *text, size_t len, struct arena *a, size_t *n)
{
	struct chunks all = { .arena = a };

	chunk_each(text, len, on_chunk, &all);
	*n = all.n;
	return all.items;
}

/* ---- words ---- */

static int
on_word(void *arg, const struct word *w)
{
	struct preparer *p = arg;

	card_word(&p->maker, w);
	lexicon_word(p->lexicon, w, p->maker.card.n_words <= POSTINGS_HEAD_WORDS);
	return 0;
}

static void
prepare_words(struct preparer *p, const char *text, size_t len, struct arena *a,
	struct prepared *to)
{
	struct tally *kept;

	card_start(&p->maker, text, len);
	words_each(text, len, on_word, p);
	card_end(&p->maker);
	to->card = p->maker.card;
	to->lexicon = p->lexicon;
	const struct tally *terms = lexicon_doc(p->lexicon, &to->n_terms);
	to->terms = kept = arena_alloc(a, to->n_terms * sizeof(*kept) + 1);
	if (to->n_terms > 0)
		memcpy(kept, terms, to->n_terms * sizeof(*kept));
}

struct prepared *
prepare(struct preparer *p, const char *text, size_t len, const uint8_t known[SHA256_BYTES],
	struct arena *a)
{
	struct prepared *to = arena_zalloc(a, sizeof(*to));

	if (known != NULL)
		memcpy(to->sha256, known, SHA256_BYTES);
	else
		sha256(text, len, to->sha256);
	to->n_tokens = tokens_estimate(text, len);
	to->chunks = prepare_chunks(text, len, a, &to->n_chunks);
	prepare_words(p, text, len, a, to);
	return to;
}
