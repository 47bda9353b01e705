/*
 * statement.c: all clauses of a text are gathered before they are judged, so that their vectors are
 * made together.
 */
#include "statement/statement.h"

#include "base/alloc.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include "statement/cues.h"
#include "statement/lasting.h"
#include "statement/speech.h"

enum { CLAUSES_MOST = 256, SHORTEST = 4, SHORT_CHARACTERS = 60, CUES_MOST = 64 };

#define HOPELESS .2

struct gathering {
	struct clause clauses[CLAUSES_MOST], some[CLAUSES_MOST];
	double p[CLAUSES_MOST];
	size_t n, at[CLAUSES_MOST];            /* at: which of the clauses some are */
};

const struct head *
statement_head(const char *model)
{
	static struct { char *model; struct head head; bool has; } known[4];
	const struct embedded *e;
	const char *const *names;
	size_t i, n;

	for (i = 0; i < NELEM(known) - 1 && known[i].model != NULL; i++)
		if (strcmp(known[i].model, model) == 0)
			return known[i].has ? &known[i].head : NULL;
	e = embedded_find("schema/heads/fact.txt");
	names = statement_feature_names(&n);
	free(known[i].model);
	known[i].model = xstrdup(model);
	known[i].has = head_read(&known[i].head, e->text, e->len, model, names, n, NULL);
	return known[i].has ? &known[i].head : NULL;
}

static int
gather(void *arg, const struct clause *c)
{
	struct gathering *g = arg;

	if (c->len >= SHORTEST && c->len <= STATEMENT_BYTES)
		g->clauses[g->n++] = *c;
	return g->n == CLAUSES_MOST;
}

/*
 * Sets the probability of each clause. Where the words see next to nothing, no vector is made: that
 * took a third off the time, and of 796 facts that were found in chats it lost four, all wrong.
 */
static void
judge(const struct statement_turn *t, const struct statement_encoder *encoder, struct gathering *g)
{
	const struct head *words = statement_head(HEAD_WORDS);
	size_t n_features, n = 0;
	const float *v;
	float *x;

	statement_feature_names(&n_features);
	x = xcalloc(g->n * n_features + 1, sizeof(*x));
	for (size_t i = 0; i < g->n; i++) {
		statement_features(t, &g->clauses[i], i > 0 ? &g->clauses[i - 1] : NULL,
		    x + i * n_features);
		g->p[i] = head_probability(words, x + i * n_features, NULL);
	}
	for (size_t i = 0; encoder != NULL && i < g->n; i++)
		if (g->p[i] > HOPELESS) {
			g->some[n] = g->clauses[i];
			g->at[n++] = i;
		}
	v = n > 0 ? encoder->vectors(encoder->arg, t->text, g->some, n) : NULL;
	for (size_t k = 0; k < n; k++)
		g->p[g->at[k]] = head_probability(encoder->head, x + g->at[k] * n_features,
		    v + k * encoder->head->n_dims);
	free(x);
}

/* The name or relation in what says who says something: "My boss says", "Tom"; "": none is. */
static void
read_source(const char *text, struct vouch_span span, const struct reading_by *by,
	char out[READING_NAME])
{
	struct reading r;
	char person[READING_NAME];
	struct reading_by alone = *by;

	snprintf(person, sizeof(person), "%s", by->person != NULL ? by->person : "");
	alone.project = "";
	alone.person = person;
	alone.teller = NULL;
	reading_of(text + span.start, span.len, &alone, &r);
	snprintf(out, READING_NAME, "%.*s", READING_NAME - 1,
	    strncmp(r.about, "other:", 6) == 0 && !r.unknown ? r.about + 6 : "");
}

/* Whether what somebody else says stands in quotation marks. */
static bool
is_quoted(const char *said, size_t len)
{
	static const char *const marks[] = { "\"", "“", "„", "「", "'" };
	size_t at = strspn(said, " :,");

	for (size_t i = 0; i < NELEM(marks); i++)
		if (at + strlen(marks[i]) <= len &&
		    memcmp(said + at, marks[i], strlen(marks[i])) == 0)
			return true;
	return false;
}

/*
 * Reads a clause in which somebody else says something: it is about whom they speak of. Returns
 * whether it is worth taking: of what others say of the user nothing is but what doctors say.
 */
static bool
read_reported(const struct statement_turn *t, const struct clause *c, const struct vouched *w,
	const struct reading_by *by, struct reading *out)
{
	const char *said = t->text + w->said;
	size_t len = c->start + c->len - MIN(w->said, c->start + c->len);
	char who[READING_NAME];
	struct reading_by of = *by;
	bool first = vouch_is_first(said, len);

	if (w->verbatim) {
		snprintf(who, sizeof(who), "%.*s",
		    (int)utf8_clip(t->text + w->source.start, w->source.len, sizeof(who) - 1),
		    t->text + w->source.start);
		of.teller = who;
		of.project = "";
		reading_of(t->text + c->start, c->len, &of, out);
		return true;
	}
	if (len == 0) {                        /* "Er sagt," */
		reading_of(t->text + c->start, c->len, by, out);
		return false;
	}
	if (vouch_is_expert(t->text + w->source.start, w->source.len)) {
		if (first)                     /* "my doctor says I have diabetes" */
			reading_of(said, len, by, out);
		else
			reading_of(t->text + c->start, c->len, by, out);
		return true;
	}
	read_source(t->text, w->source, by, who);
	of.person = who;
	reading_of(said, len, &of, out);
	if (out->unknown)
		return false;
	if (*out->key == '\0') {
		reading_of(t->text + c->start, c->len, by, out);
		return !is_quoted(said, len) && (*out->key == '\0' || !first);
	}
	return strchr(out->about, ':') != NULL && !first;
}

/* Whether the clause itself asks; "I live in Rome, is that far?" does not in its first half. */
static bool
is_question(const struct statement_turn *t, const struct clause *c)
{
	const struct cues *table = cues_of("schema/cues/statement.txt");
	int ask = cues_class(table, "ask"), inverted = cues_class(table, "inverted");
	struct cue cues[CUES_MOST];
	size_t n;

	if ((c->flags & CLAUSE_QUESTION) == 0)
		return false;
	n = cues_find(table, t->text + c->start, c->len, cues, CUES_MOST, NULL);
	for (size_t i = 0; i < n; i++)
		if (cues[i].at == 0 &&
		    ((int)cues[i].class == ask || (int)cues[i].class == inverted))
			return true;
	return false;
}

bool
statement_read(const struct statement_turn *t, const struct clause *c, struct voucher *v,
	const struct reading_by *by, struct reading *out)
{
	static const struct reading_by nobody = { .speaker = "", .project = "",
		.time_us = TIME_NONE };
	struct vouched w;

	by = by != NULL ? by : &nobody;
	vouch_next(v, c, &w);
	if (is_question(t, c) || !speech_stands(t->text + c->start, c->len)) {
		reading_of(t->text + c->start, c->len, by, out);
		return false;
	}
	if (w.by == VOUCH_REPORTED)
		return read_reported(t, c, &w, by, out);
	reading_of(t->text + c->start, c->len, by, out);
	if (w.by == VOUCH_SUPPOSED)            /* "if tests fail, never push" is a rule */
		return out->kind == READ_RULE && !vouch_is_first(t->text + c->start, c->len);
	if (w.by == VOUCH_CONDITION)
		return *out->key == '\0' || out->kind == READ_RULE;
	return w.by == VOUCH_OWN;
}

/*
 * Whether a statement is kept. The head alone is trusted where a person tells an assistant of their
 * life; where people talk, or work on a project, their words must say that it lasts.
 */
static bool
is_taken(const struct statement_turn *t, struct statement *s, double threshold)
{
	const char *text = t->text + s->start;
	enum reading_kind kind = s->read.kind;
	enum lasting lasting = lasting_of(text, s->len, &kind);

	if (!t->talk && vouch_is_standing(text, s->len)) {
		s->read.kind = READ_RULE;
		return true;
	}
	if (lasting == LASTING_SAID || (lasting == LASTING_ORDER && t->project && !t->talk)) {
		s->read.kind = kind;
		return s->p > HOPELESS;
	}
	if (lasting == LASTING_NOT || s->p <= threshold)
		return false;
	if (lasting == LASTING_LIFE)
		return !s->read.unknown && strncmp(s->read.about, "project:", 8) != 0;
	return !t->project && !t->talk && vouch_is_first(text, s->len) &&
	    (s->read.kind != READ_TODO || s->read.to_us != TIME_NONE);
}

void
statements_of(const struct statement_turn *t, const struct reading_by *by,
	const struct statement_encoder *encoder, statement_fn *fn, void *arg)
{
	struct gathering *g = xmalloc(sizeof(*g));
	const struct head *head = encoder != NULL ? encoder->head : statement_head(HEAD_WORDS);
	struct voucher v;

	g->n = 0;
	clauses_each(t->text, t->len, gather, g);
	judge(t, encoder, g);
	vouch_begin(&v, t->text, t->len, by != NULL ? by->speaker : "",
	    t->played != NULL && *t->played);
	for (size_t i = 0; i < g->n; i++) {
		const struct clause *c = &g->clauses[i];
		struct statement s = { .start = c->start, .len = c->len, .p = g->p[i] };
		bool keep = statement_read(t, c, &v, by, &s.read);

		if (keep && is_taken(t, &s, head->threshold) && fn(arg, &s) != 0)
			break;
	}
	if (t->played != NULL)
		*t->played = v.played;
	free(g);
}

void
statements_each(const char *text, size_t len, statement_fn *fn, void *arg)
{
	statements_of(&(struct statement_turn){ .text = text, .len = len }, NULL, NULL, fn, arg);
}

/* ---- preferences ---- */

/* Whether a word of liking is there behind a subject, or opens the text, or ends with an s. */
static bool
has_liking(const char *text, size_t len)
{
	const struct cues *table = cues_of("schema/cues/statement.txt");
	int likes[] = { cues_class(table, "like"), cues_class(table, "dislike") };
	int subject = cues_class(table, "pronoun"), first = cues_class(table, "first");
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table, text, len, cues, CUES_MOST, NULL);
	bool own = false;

	for (size_t i = 0; i < n; i++) {
		own |= (int)cues[i].class == subject || (int)cues[i].class == first;
		if (((int)cues[i].class == likes[0] || (int)cues[i].class == likes[1]) &&
		    (own || cues[i].at < 2 || text[cues[i].start + cues[i].len - 1] == 's'))
			return true;
	}
	return false;
}

bool
statement_is_short(const char *text, size_t len, const struct reading_by *by,
	struct statement *out)
{
	struct gathering *g;
	float x[STATEMENT_FEATURES_MAX];
	enum reading_kind kind;
	bool is = utf8_count(text, len) <= SHORT_CHARACTERS && has_liking(text, len) &&
	    speech_stands(text, len) && lasting_of(text, len, &kind) != LASTING_NOT;

	if (!is)
		return false;
	g = xmalloc(sizeof(*g));
	g->n = 0;
	clauses_each(text, len, gather, g);
	is = g->n == 1 && (g->clauses[0].flags & (CLAUSE_QUESTION | CLAUSE_QUOTED)) == 0;
	if (is) {
		const struct head *head = statement_head(HEAD_WORDS);
		const struct statement_turn turn = { .text = text, .len = len };
		*out = (struct statement){ .start = g->clauses[0].start, .len = g->clauses[0].len };
		statement_features(&turn, &g->clauses[0], NULL, x);
		out->p = head_probability(head, x, NULL);
		reading_of(text + out->start, out->len, by, &out->read);
		is = out->read.kind == READ_PREFERENCE &&
		    out->p > head->threshold &&
		    vouch_is_own(text, len);
	}
	free(g);
	return is;
}

bool
statement_is_preference(const char *text, size_t len)
{
	return len <= STATEMENT_BYTES && has_liking(text, len);
}
