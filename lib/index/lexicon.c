/*
 * lexicon.c: an open-addressing hash table of terms, which are stored in the order of their
 * appearance.
 *
 * A slot holds half of the term's hash beside its number, so that a search reads a term only to
 * confirm it. A term knows the last document that has it and its tally there, so counting a word
 * again needs no search. Neither does finding a term whose word carries a note of this lexicon.
 */
#include "index/lexicon.h"

#include "base/alloc.h"
#include "base/buf.h"

#define SLOTS_FIRST (1u << 12)

struct slot { uint32_t tag, term; };               /* term: its number + 1; 0: empty */

/* Kept apart from the terms, because every word reads this and most words read nothing else. */
struct newest {
	/* the last document that has the term, and the index of its tally there */
	uint32_t doc, at;
};

struct lexicon {
	struct lexicon_term *terms;
	struct newest *newest;
	size_t n_terms, cap_terms, cap_newest;
	struct slot *slots;
	size_t n_slots;                            /* a power of two */
	struct buf texts;
	struct tally *tallies;                     /* of the current document */
	size_t n_tallies, cap_tallies;
	uint32_t doc;
	/* different after each clearing and in each lexicon */
	uint64_t epoch;
};

static uint64_t
next_epoch(void)
{
	static _Atomic uint64_t last;

	return ++last;
}

struct lexicon *
lexicon_new(void)
{
	struct lexicon *l = xcalloc(1, sizeof(*l));

	buf_init(&l->texts, UINT32_MAX);
	l->n_slots = SLOTS_FIRST;
	l->slots = xcalloc(l->n_slots, sizeof(*l->slots));
	l->doc = 1;
	l->epoch = next_epoch();
	return l;
}

void
lexicon_free(struct lexicon *l)
{
	if (l == NULL)
		return;
	free(l->terms);
	free(l->newest);
	free(l->slots);
	free(l->tallies);
	buf_release(&l->texts);
	free(l);
}

void
lexicon_clear(struct lexicon *l)
{
	if (l->n_terms > 0)
		memset(l->slots, 0, l->n_slots * sizeof(*l->slots));
	l->n_terms = l->n_tallies = 0;
	l->doc = 1;
	l->epoch = next_epoch();
	buf_reset(&l->texts);
}

uint64_t
lexicon_prefix(const struct lexicon_term *t)
{
	uint64_t v = 0;

	for (size_t i = 0; i < 8; i++)
		v = v << 8 | (uint8_t)t->head[i];
	return v;
}

static void
rehash(struct lexicon *l)
{
	free(l->slots);
	l->n_slots *= 2;
	l->slots = xcalloc(l->n_slots, sizeof(*l->slots));
	for (size_t i = 0; i < l->n_terms; i++) {
		size_t at = l->terms[i].hash & (l->n_slots - 1);

		while (l->slots[at].term != 0)
			at = (at + 1) & (l->n_slots - 1);
		l->slots[at] = (struct slot){ (uint32_t)(l->terms[i].hash >> 32), (uint32_t)i + 1 };
	}
}

static uint32_t
add_new_term(struct lexicon *l, const char *term, size_t len, uint64_t hash, struct slot *slot)
{
	xgrow(&l->terms, &l->cap_terms, l->n_terms + 1, sizeof(*l->terms));
	struct lexicon_term *t = &l->terms[l->n_terms];
	*t = (struct lexicon_term){ .hash = hash,
		.text = (uint32_t)l->texts.len,
		.len = (uint16_t)len };
	memcpy(t->head, term, MIN(len, sizeof(t->head)));
	xgrow(&l->newest, &l->cap_newest, l->n_terms + 1, sizeof(*l->newest));
	l->newest[l->n_terms] = (struct newest){ 0, 0 };
	buf_add(&l->texts, term, len);
	*slot = (struct slot){ (uint32_t)(hash >> 32), (uint32_t)++l->n_terms };
	if (l->n_terms * 2 > l->n_slots)
		rehash(l);
	return (uint32_t)l->n_terms - 1;
}

static uint32_t
term_of(struct lexicon *l, const char *term, size_t len, uint64_t hash)
{
	size_t at = hash & (l->n_slots - 1);

	for (; l->slots[at].term != 0; at = (at + 1) & (l->n_slots - 1)) {
		if (l->slots[at].tag != (uint32_t)(hash >> 32))
			continue;
		const struct lexicon_term *t = &l->terms[l->slots[at].term - 1];
		if (t->len == len &&
		    memcmp(len <= sizeof(t->head) ? t->head : l->texts.data + t->text, term, len) ==
			0)
			return l->slots[at].term - 1;
	}
	return add_new_term(l, term, len, hash, &l->slots[at]);
}

/*
 * Returns the term that the word's note names, if the note was made by this lexicon since it was
 * last cleared.
 */
static uint32_t
noted_term(struct lexicon *l, const struct word *w)
{
	if (w->note != NULL && w->note->epoch == l->epoch)
		return w->note->value;
	uint32_t no = term_of(l, w->term, w->len, w->hash);
	if (w->note != NULL)
		*w->note = (struct word_note){ l->epoch, no };
	return no;
}

void
lexicon_word(struct lexicon *l, const struct word *w, bool in_head)
{
	uint32_t no = noted_term(l, w);
	struct newest *newest = &l->newest[no];

	if (newest->doc != l->doc) {
		*newest = (struct newest){ l->doc, (uint32_t)l->n_tallies };
		*xpush(l->tallies, l->n_tallies, l->cap_tallies) = (struct tally){ no, 0, 0 };
	}
	struct tally *o = &l->tallies[newest->at];
	if (o->tf < UINT16_MAX) {
		o->tf++;
		o->head = (uint16_t)(o->head + in_head);
	}
}

const struct tally *
lexicon_doc(struct lexicon *l, size_t *n)
{
	*n = l->n_tallies;
	l->n_tallies = 0;
	l->doc++;
	return l->tallies;
}

uint32_t
lexicon_n_terms(const struct lexicon *l)
{
	return (uint32_t)l->n_terms;
}

const struct lexicon_term *
lexicon_term(const struct lexicon *l, uint32_t no)
{
	return &l->terms[no];
}

const char *
lexicon_text(const struct lexicon *l, const struct lexicon_term *t)
{
	return l->texts.data + t->text;
}
