/*
 * question_names.c: whom and what a question names: speakers and projects, which are fields; and
 * whether it asks for the last that a speaker said.
 */
#include "rank/question.h"

#include <strings.h>

#include "base/ascii.h"
#include "lexicon/lex.h"

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

/* ---- the last that somebody said ---- */

#define FROM      3                /* words from "message" to whom it is from */
#define READ_MOST 64               /* words of a question */

/* Where a word or phrase of a class stands; by: whoever is asked for stands right before it. */
struct said_last { size_t start, end; int no, value; bool by; };

/* Whether nothing of the same clause stands at `at`; or, so, a word of function or a name does. */
static bool
ends_there(const char *text, size_t len, size_t at, bool or_so)
{
	struct lex_token t;

	if (!lex_next(text, len, at, &t))
		return true;
	for (size_t i = at; i < t.start; i++)
		if (text[i] != ' ')
			return true;
	return or_so && (t.capital || lex_is(&t, LEX_STOP, LEX_ANY, NULL) ||
			    lex_is(&t, LEX_FUNCTION, LEX_ANY, NULL));
}

/* By 1 << role: the user says I, and calls the assistant you; 4: it is the name of a speaker. */
static unsigned
who_is(const struct question *q, const char *text, size_t len, const struct lex_token *t)
{
	unsigned langs = lex_counting(q->language);

	return name_at(q, text, len, t->start) > 0 ? 4
	    : lex_is(t, LEX_SELF, langs, NULL)	   ? 1
	    : lex_is(t, LEX_YOU, langs, NULL)	   ? 2
						   : 0;
}

/* Whether somebody stands behind a message: "from Oona", "that Oona wrote". */
static bool
is_from(const struct question *q, const char *text, size_t len, size_t at)
{
	struct lex_token t;

	for (int i = 0; i < FROM && lex_next(text, len, at, &t); i++, at = t.end)
		if (who_is(q, text, len, &t) != 0)
			return true;
	return false;
}

/* Whether "last" belongs to a word of saying. */
static bool
belong(const struct question *q, const char *text, size_t len, const struct said_last *last,
	const struct said_last *says)
{
	int apart = last->no - says->no;

	if (last->end == 0 || says->end == 0)
		return false;
	if (says->value > 0)
		return last->value == 0 && apart == -1 && ends_there(text, len, says->end, true) &&
		    (last->by || is_from(q, text, len, says->end));
	if (last->value > 0)
		return abs(apart) <= last->value;
	return apart == -1 ? ends_there(text, len, says->end, true)
			   : apart == 1 && ends_there(text, len, last->end, false);
}

void
question_find_last(struct question *q, const char *text, size_t len)
{
	struct said_last last = { .end = 0 }, says = { .end = 0 };
	unsigned langs = lex_counting(q->language), who = 0, all = 0;
	bool found = false;
	struct lex_match m[LEX_MATCHES];
	struct lex_token t;
	size_t at = 0, end;

	for (int no = 0, value; no < READ_MOST && lex_next(text, len, at, &t); no++) {
		size_t n = lex_matches(text, len, &t, m);
		bool by = who != 0;

		at = t.end;
		all |= who = who_is(q, text, len, &t);
		if (found)
			continue;
		if ((end = lex_match(m, n, LEX_NEWEST, langs, &value)) > 0)
			last = (struct said_last){ t.start, at = end, no, value, by };
		else if ((end = lex_match(m, n, LEX_SAYING, langs, &value)) > 0)
			says = (struct said_last){ t.start, at = end, no, value, by };
		found = end > 0 && belong(q, text, len, &last, &says);
	}
	if (!found || q->prompt.n > 0 || (q->n_speakers == 0 && all != 1 && all != 2))
		return;
	q->asks_last = true;
	q->asks_now = false;
	q->last_roles = q->n_speakers == 0 ? all : 0;
	words_each(text + last.start, last.end - last.start, mark_name, q);
	words_each(text + says.start, says.end - says.start, mark_name, q);
}
