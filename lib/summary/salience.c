/*
 * salience.c: goes through the sentences that clauses_each finds. The features of a sentence are
 * those of its shape, then one for each class of cues: whether the sentence has a word of it.
 */
#include "summary/salience.h"

#include "base/embedded.h"
#include "math/head.h"
#include "text/clause.h"
#include "text/cues.h"
#include "text/details.h"

#define CUES       "schema/cues/statement.txt"
#define CUES_MOST  256
#define DETAILS    256

enum shape {
	BY_USER,
	ASKS,
	ANSWERS,                           /* the turn before it asks */
	QUOTES,
	NAMES,
	NUMBERS,
	DATES,
	PLACE,                             /* 0: the first turn, 1: the last */
	EDGE,                              /* in the first turn or the last two */
	LATER,                             /* behind other sentences of its turn */
	TOLD_CAUSE, /* an assistant says what caused or mended something */
	N_SHAPES
};

static const char *const shapes[N_SHAPES] = { "by_user", "asks", "answers", "quotes", "names",
	"numbers", "dates", "place", "edge", "later", "told_cause" };

struct weigher {
	const struct cues *cues;
	struct head head;
	const char *names[N_SHAPES + CUE_CLASSES];
	size_t n_names;
	int lead, joint, third, it, cause, fixed;
};

struct reader {
	const struct weigher *w;
	const struct salience_turn *turn;
	struct detail details[DETAILS];
	size_t n_details, last;            /* last: where the last sentence began, plus one */
	salience_fn *fn;
	void *arg;
};

static const struct weigher *
weigher(void)
{
	static struct weigher w;
	const struct embedded *e = embedded_find("schema/heads/summary.txt");
	const struct cue_class *classes;
	size_t n;

	if (w.cues != NULL)
		return &w;
	w.cues = cues_of(CUES);
	classes = cues_classes(w.cues, &n);
	for (size_t i = 0; i < N_SHAPES; i++)
		w.names[w.n_names++] = shapes[i];
	for (size_t i = 0; i < n; i++)
		w.names[w.n_names++] = classes[i].name;
	w.lead = cues_class(w.cues, "lead");
	w.joint = cues_class(w.cues, "joint");
	w.third = cues_class(w.cues, "third");
	w.it = cues_class(w.cues, "it");
	w.cause = cues_class(w.cues, "cause");
	w.fixed = cues_class(w.cues, "fixed");
	head_read(&w.head, e->text, e->len, HEAD_WORDS, w.names, w.n_names, NULL);
	return &w;
}

size_t
salience_features(const char *const **names)
{
	const struct weigher *w = weigher();

	*names = w->names;
	return w->n_names;
}

/* ---- the bounds of a sentence ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The bytes of a comma, stop or dash at p, with the blanks behind it; 0: there is none. */
static size_t
pause_at(const char *p, size_t len)
{
	static const char *const marks[] = { "，", "。", "！", "：", "…", "、", "—", "–" };
	size_t n = len > 0 && strchr(",.!:;-", *p) != NULL;

	for (size_t i = 0; i < NELEM(marks) && n == 0; i++)
		if (len >= 3 && memcmp(p, marks[i], 3) == 0)
			n = 3;
	while (n > 0 && n < len && (is_blank(p[n]) || strchr(",.!:;-", p[n]) != NULL))
		n++;
	return n;
}

/*
 * The length of the lead-ins of a sentence: words such as "ok" or "anyway" before a comma or stop,
 * and conjunctions, which join it to what may not be there.
 */
static size_t
lead_len(const struct weigher *w, const char *text, size_t len, const struct cue *cues, size_t n)
{
	size_t at = 0;

	for (;;) {
		size_t lead = 0, joint = 0, pause;
		for (size_t i = 0; i < n && cues[i].start <= at; i++) {
			if (cues[i].start == at && (int)cues[i].class == w->lead)
				lead = MAX(lead, cues[i].len);
			if (cues[i].start == at && (int)cues[i].class == w->joint)
				joint = MAX(joint, cues[i].len);
		}
		pause = pause_at(text + at + lead, len - at - lead);
		if (lead == 0 || (pause == 0 && joint < lead))
			return at;
		lead += pause;
		while (at + lead < len && is_blank(text[at + lead]))
			lead++;
		if (at + lead >= len)
			return at;
		at += lead;
	}
}

/* ---- features ---- */

static bool
has_quote(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] == '"' || (len - i >= 3 && memcmp(p + i, "“", 3) == 0))
			return true;
	return false;
}

static void
add_shapes(const struct reader *r, const struct clause *c, size_t start, size_t len, float *x)
{
	static const enum shape of_kind[] = { NAMES, NUMBERS, DATES };
	const struct salience_turn *t = r->turn;

	for (size_t i = 0; i < r->n_details; i++)
		if (r->details[i].start >= start && r->details[i].start < start + len)
			x[of_kind[r->details[i].kind]]++;
	for (size_t i = 0; i < NELEM(of_kind); i++)
		x[of_kind[i]] = MIN(x[of_kind[i]], 2);
	x[BY_USER] = t->by_user;
	x[ASKS] = (c->flags & CLAUSE_QUESTION) != 0;
	x[ANSWERS] = t->asked;
	x[QUOTES] = has_quote(t->text + start, len);
	x[PLACE] = t->n > 1 ? (float)t->at / (float)(t->n - 1) : 0;
	x[EDGE] = t->at == 0 || t->at + 2 >= t->n;
	x[LATER] = r->last > 0;
}

static int
on_clause(void *arg, const struct clause *c)
{
	struct reader *r = arg;
	const struct weigher *w = r->w;
	const char *text = r->turn->text;
	float x[N_SHAPES + CUE_CLASSES] = { 0 };
	struct cue cues[CUES_MOST];
	size_t start = c->sentence, end = start + c->sentence_len, n, skip;
	struct salience s;
	int rc;

	if (r->last == c->sentence + 1)
		return 0;
	while (start < end &&
	    (is_blank(text[start]) || strchr("*_#,.!:;-+|>", text[start]) != NULL))
		start++;
	while (end > start && (is_blank(text[end - 1]) || strchr("*_#,-|", text[end - 1]) != NULL))
		end--;
	n = cues_find(w->cues, text + start, end - start, cues, NELEM(cues), NULL);
	skip = lead_len(w, text + start, end - start, cues, n);
	s = (struct salience){ .start = start + skip, .len = end - start - skip, .x = x };
	for (size_t i = 0; i < n; i++) {
		if (cues[i].start < skip)
			continue;
		x[N_SHAPES + cues[i].class] = 1;
		s.leans |= cues[i].start == skip &&
		    ((int)cues[i].class == w->third || (int)cues[i].class == w->it);
	}
	add_shapes(r, c, s.start, s.len, x);
	x[TOLD_CAUSE] = !r->turn->by_user &&
	    (x[N_SHAPES + w->cause] > 0 || x[N_SHAPES + w->fixed] > 0);
	s.p = head_probability(&w->head, x, NULL);
	s.sure = s.p > w->head.threshold;
	rc = r->fn(r->arg, &s);
	r->last = c->sentence + 1;
	return rc;
}

static int
add_detail(void *arg, const struct detail *d)
{
	struct reader *r = arg;

	r->details[r->n_details++] = *d;
	return r->n_details == DETAILS;
}

void
salience_each(const struct salience_turn *t, salience_fn *fn, void *arg)
{
	struct reader r = { .w = weigher(), .turn = t, .fn = fn, .arg = arg };

	details_each(t->text, t->len, add_detail, &r);
	clauses_each(t->text, t->len, on_clause, &r);
}
