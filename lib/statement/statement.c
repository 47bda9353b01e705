/*
 * statement.c: all clauses of a text are gathered before they are judged, so that their vectors are
 * made together.
 */
#include "statement/statement.h"

#include "base/alloc.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include "statement/cues.h"

enum { CLAUSES_MOST = 256, SHORTEST = 4, SHORT_CHARACTERS = 60, CUES_MOST = 64 };

#define HOPELESS   .2
#define REMINDER   0.8f              /* the least p of what one asks to be reminded of */

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

/* The number of a feature that there is. */
static size_t
feature(const char *name)
{
	size_t n, i = 0;
	const char *const *names = statement_feature_names(&n);

	while (strcmp(names[i], name) != 0)
		i++;
	return i;
}

/*
 * Who asks to be reminded of something names a thing to do, also where the head has seen too few of
 * its words; "remind me how it works" only asks.
 */
static void
raise_reminders(struct gathering *g, const float *x, size_t n_features)
{
	size_t remind = feature("^remind"), ask = feature("ask");

	for (size_t i = 0; i < g->n; i++, x += n_features)
		if (x[remind] > 0 && x[ask] <= 0)
			g->p[i] = MAX(g->p[i], REMINDER);
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
	if (!t->told)
		raise_reminders(g, x, n_features);
	free(x);
}

void
statements_of(const struct statement_turn *t, const struct reading_by *by,
	const struct statement_encoder *encoder, statement_fn *fn, void *arg)
{
	struct gathering *g = xmalloc(sizeof(*g));
	const struct head *head = encoder != NULL ? encoder->head : statement_head(HEAD_WORDS);

	g->n = 0;
	clauses_each(t->text, t->len, gather, g);
	judge(t, encoder, g);
	for (size_t i = 0; i < g->n; i++) {
		const struct clause *c = &g->clauses[i];
		struct statement s = { .start = c->start, .len = c->len, .p = g->p[i] };
		reading_of(t->text + c->start, c->len, by, &s.read);
		if (s.p > head->threshold && fn(arg, &s) != 0)
			break;
	}
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
	bool is = utf8_count(text, len) <= SHORT_CHARACTERS && has_liking(text, len);

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
		is = out->read.kind == READ_PREFERENCE && out->p > head->threshold;
	}
	free(g);
	return is;
}

bool
statement_is_preference(const char *text, size_t len)
{
	return len <= STATEMENT_BYTES && has_liking(text, len);
}
