/*
 * passage.c: a turn is reduced to its words that the question has, in one form or another, each
 * with its position; passage is computed from that list, code from the bytes.
 */
#include "rank/passage.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "rank/things.h"

/*
 * Returns the slot of a term or form, or the free slot where it belongs. There are more slots than
 * a question can have terms and forms.
 */
static uint16_t *
slot_of(struct passage *r, uint64_t hash, const char *term, size_t len)
{
	size_t at = (size_t)hash % NELEM(r->slots);

	for (; r->slots[at] != 0; at = (at + 1) % NELEM(r->slots)) {
		const struct question *q = r->question;
		size_t i = r->slots[at] - 1u;
		const char *text =
		    i < q->n_terms ? q->terms[i].text : q->forms[i - q->n_terms].text;
		if ((i < q->n_terms ? q->terms[i].len : q->forms[i - q->n_terms].len) == len &&
		    memcmp(text, term, len) == 0)
			break;
	}
	return &r->slots[at];
}

/*
 * Returns the number of the term that a word is, or is a form of, + 1; 0: it is none, or its idf is
 * 0. A function word is no form of a word that has its stem: "in" of "Ines", "us" of "use".
 */
static uint16_t
term_of(struct passage *r, const struct word *w)
{
	uint16_t term = *slot_of(r, w->hash, w->term, w->len);

	if (term > r->question->n_terms)
		term = (uint16_t)(r->question->forms[term - r->question->n_terms - 1].term + 1);
	return term > 0 && r->idf[term - 1] > 0 &&
		(!w->stop || r->question->terms[term - 1].stop)
	    ? term
	    : 0;
}

void
passage_open(struct passage *r, const struct question *q, const float *idf)
{
	memset(r, 0, sizeof(*r));
	r->question = q;
	r->idf = idf;
	for (size_t i = 0; i < q->n_terms; i++) {
		*slot_of(r, hash64(q->terms[i].text, q->terms[i].len, 0), q->terms[i].text,
		    q->terms[i].len) = (uint16_t)(i + 1);
		r->all_idf += idf[i];
	}
	for (size_t i = 0; i < q->n_forms; i++)
		*slot_of(r, hash64(q->forms[i].text, q->forms[i].len, 0), q->forms[i].text,
		    q->forms[i].len) = (uint16_t)(q->n_terms + i + 1);
}

static int
collect_hit(void *arg, const struct word *w)
{
	struct passage *r = arg;
	uint16_t term = term_of(r, w);

	if (r->feedback != NULL)
		feedback_word(r->feedback, w, term);
	if (term > 0)
		r->hits[r->n_hits++] = (struct passage_hit){ w->position, (uint16_t)(term - 1) };
	return r->n_hits == PASSAGE_HITS;
}

/* Slides a window over the occurrences; each term counts once in it. */
static float
best_passage(const struct passage *r)
{
	uint16_t n[QUESTION_TERMS] = { 0 };
	float sum = 0, best = 0;

	for (size_t i = 0, from = 0; i < r->n_hits; i++) {
		const struct passage_hit *h = &r->hits[i];
		if (n[h->term]++ == 0)
			sum += r->idf[h->term];
		for (; h->position - r->hits[from].position >= PASSAGE_WORDS; from++)
			if (--n[r->hits[from].term] == 0)
				sum -= r->idf[r->hits[from].term];
		best = MAX(best, sum);
	}
	return r->all_idf > 0 ? MIN(best / r->all_idf, 1) : 0;
}

/* Whether the byte at i is a sign of code. */
static bool
is_sign(const char *text, size_t i)
{
	switch (text[i]) {
	case '{': case '}': case '=': case ';': case '_': case '$': case '\\': case '&':
		return true;
	case '(': case '[':
		return i > 0 && (ascii_is_alnum(text[i - 1]) || text[i - 1] == '_');
	default:
		return false;
	}
}

/* A single sign is not enough, as any short note may have one. */
static bool
is_code(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += is_sign(text, i);
	return n > 1 && n * PASSAGE_SIGN >= len;
}

/* How many of the kinds of things asked for the text says. */
static uint8_t
asked_and_said(const struct question *q, const char *text, size_t len)
{
	unsigned both = q->things == 0
	    ? 0
	    : q->things & things_said(text, len, lex_counting(q->language));
	uint8_t n = 0;

	for (; both != 0; both &= both - 1)
		n++;
	return n;
}

struct passage_signals
passage_look(struct passage *r, const char *text, size_t len)
{
	r->n_hits = 0;
	words_each(text, len, collect_hit, r);
	return (struct passage_signals){ .passage = best_passage(r),
		.code = is_code(text, len),
		.things = asked_and_said(r->question, text, len) };
}
