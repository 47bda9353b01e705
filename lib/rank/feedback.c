/*
 * feedback.c: a text is kept as the hashes of its words and the idf that it has of each part of the
 * question. For bridge, the words of a first hit become a table, in which all words of all texts
 * are looked up twice: to count df, then to sum idf.
 */
#include "rank/feedback.h"

#include "base/alloc.h"
#include "math/real.h"

/*
 * share of the weightiest sentence's idf; a sentence with less ("Really?", "Do you remember?") asks
 * for nothing of its own
 */
#define PART_LEAST 0.2f
/*
 * how much of `part` is what the session has; with 0 or 1, joined questions of other sets find less
 */
#define PART_SESSION 0.5f
#define BRIDGE_B 0.5f              /* length normalisation, as b of BM25 */

struct feedback_slot {
	uint64_t word;
	uint32_t df;                       /* NOT_COUNTED: a word of the question */
	/* the last text with the word, counted from 1; 0: the slot is free */
	uint32_t last;
	float idf;
};

#define NOT_COUNTED UINT32_MAX
#define NOWHERE     UINT32_MAX     /* `last` of a word that no text has had yet */

/* ---- words ---- */

static void
add_word(struct feedback *c, uint64_t hash)
{
	*xpush(c->words, c->n_words, c->cap_words) = hash;
}

static int
add_asked(void *arg, const struct word *w)
{
	add_word(arg, w->hash);
	return 0;
}

static void
weigh_parts(struct feedback *c)
{
	const struct question *q = c->question;
	float most = 0;

	memset(c->part_idf, 0, sizeof(c->part_idf));
	for (size_t i = 0; i < q->n_terms; i++)
		for (size_t k = 0; k < q->n_parts; k++)
			c->part_idf[k] += q->terms[i].parts >> k & 1 ? c->idf[i] : 0;
	for (size_t k = 0; k < q->n_parts; k++)
		most = MAX(most, c->part_idf[k]);
	for (size_t k = 0; k < q->n_parts; k++)
		if (c->part_idf[k] < PART_LEAST * most)
			c->part_idf[k] = 0;
}

static void
begin_text(struct feedback *c)
{
	c->texts[c->n] = (struct feedback_text){ .first = c->n_words };
}

void
feedback_open(struct feedback *c, const struct question *q, const float *idf, const char *text,
	size_t len, bool bridges)
{
	c->n = c->n_words = 0;
	c->bridges = bridges;
	c->question = q;
	c->idf = idf;
	memset(c->seen, 0, sizeof(c->seen));
	weigh_parts(c);
	if (bridges)
		words_each(text, len, add_asked, c);
	c->n_asked = c->n_words;
	begin_text(c);
}

void
feedback_close(struct feedback *c)
{
	free(c->words);
	free(c->slots);
	memset(c, 0, sizeof(*c));
}

void
feedback_word(struct feedback *c, const struct word *w, uint16_t term)
{
	struct feedback_text *t = &c->texts[c->n];

	if (c->bridges && !w->stop)
		add_word(c, w->hash);
	if (term == 0 || c->seen[term - 1] == c->n + 1)
		return;
	c->seen[term - 1] = (uint8_t)(c->n + 1);
	for (size_t k = 0; k < c->question->n_parts; k++)
		t->has[k] += c->question->terms[term - 1].parts >> k & 1 ? c->idf[term - 1] : 0;
}

void
feedback_end(struct feedback *c, uint32_t session)
{
	struct feedback_text *t = &c->texts[c->n];

	t->session = session;
	t->n = c->n_words - t->first;
	c->n++;
	begin_text(c);
}

/* ---- parts ---- */

/* The most that any text of the session has of part k. */
static float
most_of_session(const struct feedback *c, size_t k, uint32_t session)
{
	float most = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->texts[i].session == session)
			most = MAX(most, c->texts[i].has[k]);
	return most;
}

/* The most that any text has of part k; 0: the part asks for nothing. */
static float
most_of_all(const struct feedback *c, size_t k)
{
	float most = 0;

	for (size_t i = 0; i < c->n && c->part_idf[k] > 0; i++)
		most = MAX(most, c->texts[i].has[k]);
	return most;
}

void
feedback_part(const struct feedback *c, float *part)
{
	for (size_t i = 0; i < c->n; i++)
		part[i] = 0;
	for (size_t k = 0; k < c->question->n_parts; k++) {
		float most = most_of_all(c, k);
		for (size_t i = 0; i < c->n && most > 0; i++) {
			float of_session = most_of_session(c, k, c->texts[i].session);
			part[i] = MAX(part[i],
			    ((1 - PART_SESSION) * c->texts[i].has[k] + PART_SESSION * of_session) /
				most);
		}
	}
}

void
feedback_covers(const struct feedback *c, float *covers)
{
	for (size_t i = 0; i < c->n; i++) {
		covers[i] = 0;
		for (size_t k = 0; k < c->question->n_parts; k++)
			if (c->part_idf[k] > 0)
				covers[i] =
				    MAX(covers[i], MIN(c->texts[i].has[k] / c->part_idf[k], 1));
	}
}

/* ---- bridges ---- */

/* Returns the word's slot, or the free slot where it belongs. */
static struct feedback_slot *
slot_of(const struct feedback *c, uint64_t word)
{
	size_t at = word & (c->cap_slots - 1);

	while (c->slots[at].last != 0 && c->slots[at].word != word)
		at = (at + 1) & (c->cap_slots - 1);
	return &c->slots[at];
}

/* Fills the table with the words of the question, which do not count, and of the text. */
static void
fill_slots(struct feedback *c, const struct feedback_text *t)
{
	size_t want = 2 * (c->n_asked + t->n) + 1, cap = 64;

	while (cap < want)
		cap *= 2;
	if (cap > c->cap_slots) {
		free(c->slots);
		c->slots = xcalloc(cap, sizeof(*c->slots));
		c->cap_slots = cap;
	} else {
		memset(c->slots, 0, c->cap_slots * sizeof(*c->slots));
	}
	for (size_t i = 0; i < c->n_asked; i++)
		*slot_of(c, c->words[i]) =
		    (struct feedback_slot){ c->words[i], NOT_COUNTED, NOWHERE, 0 };
	for (size_t i = 0; i < t->n; i++) {
		struct feedback_slot *s = slot_of(c, c->words[t->first + i]);
		if (s->last == 0)
			*s = (struct feedback_slot){ c->words[t->first + i], 0, NOWHERE, 0 };
	}
}

/*
 * Returns the slot of a word the first time that text number `at` has it in this pass, else NULL.
 */
static struct feedback_slot *
slot_if_new(const struct feedback *c, size_t at, size_t word)
{
	struct feedback_slot *s = slot_of(c, c->words[c->texts[at].first + word]);

	if (s->last == 0 || s->df == NOT_COUNTED || s->last == at + 1)
		return NULL;
	s->last = (uint32_t)at + 1;
	return s;
}

/*
 * Counts in how many texts each word occurs and sets its idf, 0 if only the first hit has it.
 * Returns the sum of all idf.
 */
static float
weigh_slots(struct feedback *c)
{
	float n = (float)c->n, all = 0;

	for (size_t k = 0; k < c->n; k++)
		for (size_t i = 0; i < c->texts[k].n; i++) {
			struct feedback_slot *s = slot_if_new(c, k, i);
			if (s != NULL)
				s->df++;
		}
	for (size_t i = 0; i < c->cap_slots; i++) {
		struct feedback_slot *s = &c->slots[i];
		if (s->last == 0 || s->df == NOT_COUNTED)
			continue;
		s->idf = s->df > 1
		    ? real_logf(1 + (n - (float)s->df + 0.5f) / ((float)s->df + 0.5f)) : 0;
		s->last = NOWHERE;
		all += s->idf;
	}
	return all;
}

/* Sets bridge from the first hit `at` to all other texts. */
static void
bridge_from(struct feedback *c, size_t at, float *bridge)
{
	fill_slots(c, &c->texts[at]);
	float all = weigh_slots(c);
	float mean = (float)(c->n_words - c->n_asked) / (float)c->n;
	for (size_t k = 0; k < c->n && all > 0; k++) {
		float sum = 0;
		for (size_t i = 0; i < c->texts[k].n; i++) {
			const struct feedback_slot *s = slot_if_new(c, k, i);
			sum += s != NULL ? s->idf : 0;
		}
		bridge[k] = MAX(bridge[k],
		    MIN(sum / all / (1 - BRIDGE_B + BRIDGE_B * (float)c->texts[k].n / mean), 1));
	}
	bridge[at] = 1;
}

/* Returns the text that has most of part k; among equals the one with the best score. */
static size_t
first_of_part(const struct feedback *c, size_t k, const float *scores)
{
	size_t best = 0;

	for (size_t i = 1; i < c->n; i++) {
		float has = c->texts[i].has[k], most = c->texts[best].has[k];
		if (has > most || (!(has < most) && scores[i] > scores[best]))
			best = i;
	}
	return best;
}

static size_t
first_of_all(const struct feedback *c, const float *scores)
{
	size_t best = 0;

	for (size_t i = 1; i < c->n; i++)
		if (scores[i] > scores[best])
			best = i;
	return best;
}

void
feedback_bridge(struct feedback *c, const float *scores, float *bridge)
{
	bool any = false;

	for (size_t i = 0; i < c->n; i++)
		bridge[i] = 0;
	if (!c->bridges || c->n == 0)
		return;
	for (size_t k = 0; k < c->question->n_parts; k++)
		if (most_of_all(c, k) > 0) {
			bridge_from(c, first_of_part(c, k, scores), bridge);
			any = true;
		}
	if (!any)
		bridge_from(c, first_of_all(c, scores), bridge);
}
