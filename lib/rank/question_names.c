/* question_names.c: whom and what a question names: speakers and projects, which are fields. */
#include "rank/question.h"

#include <strings.h>

#include "base/ascii.h"

#define PROJECT_WEIGHT 0.6f        /* of words that name a project */
/*
 * Of a prompt: the least weight of a sentence whose meaning is searched. What leads to a question
 * tells what it means, so vectors are made of more than what asks: with .35, nDCG@10 of long
 * prompts is .04 lower (MiniLM), that of wrapped questions is the same.
 */
#define ASKED_MEANING  0.2f

/* ---- speakers ---- */

static int
mark_name(void *arg, const struct word *w)
{
	struct question *q = arg;
	size_t i = question_term_at(q, w->term, w->len);

	if (i == q->n_terms)
		return 0;
	q->terms[i].name = true;
	for (size_t k = q->n_forms; k-- > 0;)         /* the name Max does not mean maximum */
		if (q->forms[k].term == i)
			question_drop_form(q, k);
	return 0;
}

void
question_add_speaker(struct question *q, uint16_t number, const char *name)
{
	words_each(name, strlen(name), mark_name, q);
	if (q->n_speakers < QUESTION_SPEAKERS)
		q->speakers[q->n_speakers++] = number;
}

/* ---- projects ---- */

struct name_found { const struct question *q; size_t n, n_found; bool whole; };

/* Weighs down what a name and the question share: the field says it, and says it of all turns. */
static int
weigh_down(void *arg, const struct word *w)
{
	struct question *q = arg;
	size_t i = question_term_at(q, w->term, w->len);

	if (i < q->n_terms)
		q->terms[i].weight = MIN(q->terms[i].weight, PROJECT_WEIGHT);
	return 0;
}

static int
find_word(void *arg, const struct word *w)
{
	struct name_found *f = arg;
	bool found = question_term_at(f->q, w->term, w->len) < f->q->n_terms;

	if (w->kind == WORD_WHOLE) {
		f->whole |= found;
	} else if (!w->stop) {
		f->n++;
		f->n_found += found;
	}
	return 0;
}

/* The last part of a path, or the name itself. */
static const char *
last_part(const char *name, size_t *len)
{
	size_t n = strlen(name), at;

	while (n > 1 && name[n - 1] == '/')
		n--;
	for (at = n; at > 0 && name[at - 1] != '/'; at--)
		;
	*len = n - at;
	return name + at;
}

bool
question_names_project(const struct question *q, const char *name)
{
	struct name_found f = { .q = q };
	size_t len;
	const char *part = last_part(name, &len);

	words_each(part, len, find_word, &f);
	return f.whole || (f.n > 0 && f.n == f.n_found);
}

void
question_add_project(struct question *q, uint16_t number, const char *name)
{
	size_t len;
	const char *part = last_part(name, &len);

	if (q->n_projects == QUESTION_PROJECTS)
		return;
	q->projects[q->n_projects++] = number;
	words_each(part, len, weigh_down, q);
}

static bool
is_word(const char *text, size_t len, size_t at)
{
	return at < len && (ascii_is_alnum(text[at]) || (unsigned char)text[at] >= 0x80);
}

/*
 * Returns the length in bytes of a speaker's name at offset `at`, 0 when there is none. Terms know
 * only their first place.
 */
static size_t
name_at(const struct question *q, const char *text, size_t len, size_t at)
{
	for (size_t i = 0; i < q->n_terms; i++) {
		const struct question_term *t = &q->terms[i];
		size_t n = t->end - t->start;
		if (!t->name || n == 0 || n > len - at)
			continue;
		if (t->start == at ||
		    (strncasecmp(text + at, text + t->start, n) == 0 &&
			(at == 0 || !is_word(text, len, at - 1)) && !is_word(text, len, at + n)))
			return n;
	}
	return 0;
}

void
question_without_names(const struct question *q, const char *text, size_t len, struct buf *out)
{
	size_t at = 0, start = out->len, n;
	bool any = false;

	while (at < len) {
		const struct prompt_clause *c = prompt_clause_at(&q->prompt, at);
		if (c != NULL && c->sentence < ASKED_MEANING) {
			at = c->end;
			continue;
		}
		if ((n = name_at(q, text, len, at)) == 0) {
			any |= is_word(text, len, at);
			buf_addc(out, text[at++]);
			continue;
		}
		at += n;
		if (len - at >= 2 && text[at] == '\'' &&
		    (text[at + 1] == 's' || text[at + 1] == 'S'))
			at += 2;
	}
	if (!any) {
		out->len = start;
		buf_add(out, text, len);
	}
}
