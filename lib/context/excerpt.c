/*
 * excerpt.c: chooses the chunks of a message with most of the question's words, and a shorter
 * excerpt of the best one for when there is little room.
 */
#include "context/excerpt.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "context/context.h"
#include "context/context_text.h"

#define PLACES_MAX 4096            /* places of question words that are used of one message */
#define LINE_BYTES 200

struct choice {
	const struct question *q;
	const struct message *m;
	size_t wanted;
	struct excerpts *out;
	struct word_place *places;      /* [n_places] where words of the question occur */
	size_t n_places, cap_places;
};

static bool
is_long(const struct message *m)
{
	return m->content_len > CONTEXT_TURN_CHARS &&
	    utf8_count(m->content, m->content_len) > CONTEXT_TURN_CHARS;
}

static int
on_word(void *arg, const struct word *w)
{
	struct choice *c = arg;
	size_t i = question_term_of(c->q, w->term, w->len);

	if (i < c->q->n_terms) {
		*xpush(c->places, c->n_places, c->cap_places) =
		    (struct word_place){ w->start, (uint16_t)i, c->q->terms[i].weight };
	}
	return c->n_places == PLACES_MAX;
}

/*
 * Sets p's score, the weight of the different question terms in it, and whether one of them is an
 * identifier.
 */
static void
score_part(const struct choice *c, struct excerpt *p)
{
	bool seen[QUESTION_TERMS] = { false };

	for (size_t i = 0; i < c->n_places; i++) {
		const struct word_place *at = &c->places[i];

		if (at->at < p->start || at->at >= p->start + p->len || seen[at->term])
			continue;
		seen[at->term] = true;
		p->score += at->weight;
		p->named |= c->q->terms[at->term].kind == WORD_WHOLE;
	}
}

static bool
better(const struct choice *c, const struct excerpt *a, const struct excerpt *b)
{
	if (c->wanted != SIZE_MAX && (a->start == c->wanted) != (b->start == c->wanted))
		return a->start == c->wanted;
	if (c->q != NULL && c->q->has_code && (a->code && a->named) != (b->code && b->named))
		return a->code && a->named;
	return a->score > b->score;
}

/* Keeps the best chunks, in order; of equal ones the earlier comes first. */
static int
on_chunk(void *arg, const struct chunk *chunk)
{
	struct choice *c = arg;
	struct excerpts *out = c->out;
	struct excerpt p = { .start = chunk->start,
		.len = chunk->len,
		.code = chunk->kind == CHUNK_CODE };
	size_t at;

	score_part(c, &p);
	for (at = out->n; at > 0 && better(c, &p, &out->best[at - 1]); at--)
		if (at < EXCERPTS_MAX)
			out->best[at] = out->best[at - 1];
	if (at < EXCERPTS_MAX) {
		out->best[at] = p;
		out->n = MIN(out->n + 1, (size_t)EXCERPTS_MAX);
	}
	return 0;
}

/* Code is cut at lines: an excerpt begins where its first line does, if that is short. */
static void
begin_line(const char *text, size_t least, struct excerpt *e)
{
	size_t at = e->start;

	while (at > least && e->start - at < LINE_BYTES && text[at - 1] != '\n')
		at--;
	if (at == least || text[at - 1] == '\n') {
		e->len += e->start - at;
		e->start = at;
	}
}

/*
 * Chooses the excerpt, from the best chunk that is prose, or from the block of code with the name
 * that was asked for.
 */
static void
choose_excerpt(struct choice *c)
{
	const struct excerpt *best = c->out->code_first ? &c->out->best[0] : NULL;
	struct excerpt *e = &c->out->excerpt;
	size_t first = 0, n = 0;

	for (size_t i = 0; i < c->out->n && best == NULL; i++)
		if (!c->out->best[i].code)
			best = &c->out->best[i];
	if (best == NULL)
		return;
	while (first < c->n_places && c->places[first].at < best->start)
		first++;
	/* of code the name that was asked for, as other words of the question stand in any line */
	for (size_t i = first; i < c->n_places && c->places[i].at < best->start + best->len; i++)
		if (!best->code || c->q->terms[c->places[i].term].kind == WORD_WHOLE) {
			c->places[first + n] = c->places[i];
			c->places[first + n++].at -= (uint32_t)best->start;
		}
	context_excerpt(c->m->content + best->start, best->len, c->places + first, n,
	    CONTEXT_TURN_CHARS, &e->start, &e->len);
	e->start += best->start;
	if (best->code)
		begin_line(c->m->content, best->start, e);
}

static int
each_chunk(struct store *s, const struct scope *who, struct choice *c, struct err *err)
{
	if (c->m->row > 0)
		return chunks_of(s, who, c->m, on_chunk, c, err);
	return chunk_each(c->m->content, c->m->content_len, on_chunk, c);
}

int
excerpts_choose(struct store *s, const struct scope *who, const struct message *m,
	const struct question *q, size_t wanted, struct excerpts *out, struct err *err)
{
	struct choice c = { .q = q, .m = m, .wanted = wanted, .out = out };
	bool code = q != NULL && q->has_code, whole = !is_long(m);
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (code || !whole) {
		if (q != NULL)
			words_each(m->content, m->content_len, on_word, &c);
		rc = each_chunk(s, who, &c, err);
		out->code_first = code && out->n > 0 && out->best[0].code && out->best[0].named;
	}
	if (whole) {
		out->best[0] = (struct excerpt){ .len = m->content_len };
		out->n = 1;
	} else {
		choose_excerpt(&c);
	}
	free(c.places);
	return rc;
}

/* Ends the opening before a block of code that it would cut in the middle. */
static int
opening_chunk(void *arg, const struct chunk *chunk)
{
	struct excerpt *p = arg;
	size_t end = p->start + p->len;

	if (chunk->kind == CHUNK_CODE && chunk->start < end && chunk->start + chunk->len > end) {
		if (chunk->start > p->start)
			p->len = chunk->start - p->start;
		else
			*p = (struct excerpt){ .start = chunk->start,
				.len = chunk->len,
				.code = true };
	}
	return chunk->start >= end;
}

struct excerpt
excerpt_opening(const struct message *m)
{
	struct excerpt p = { .len = m->content_len };

	if (is_long(m)) {
		context_excerpt(m->content, m->content_len, NULL, 0, CONTEXT_TURN_CHARS, &p.start,
		    &p.len);
		chunk_each(m->content, m->content_len, opening_chunk, &p);
	}
	return p;
}
