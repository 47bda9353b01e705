/*
 * salience.c: goes through the clauses that clauses_each finds, puts those together that are none
 * without each other ("If it rains,|we stay", "She said|she quit"), and cuts each at its commas.
 */
#include "summary/salience.h"

#include "base/ascii.h"
#include "base/embedded.h"
#include "math/head.h"
#include "statement/cues.h"
#include "statement/details.h"
#include "statement/statement_features.h"
#include "text/words.h"

enum { DETAILS = 256, FEATURES = STATEMENT_FEATURES_MAX + 24, CUES_MOST = 32 };

#define TOPIC_WORDS 3
#define HALF_WORDS  4              /* content words from which a condition alone is a sentence */

enum shape {
	ANSWERS, NAMES, NUMBERS, DATES, PLACE, EDGE, LATER, GOES_ON, LENGTH, N_SHAPES
};

/* Of its session: place 0 for the first turn, 1 for the last; edge in the first or the last two. */
static const char *const shapes[N_SHAPES] = { "answers", "names", "numbers", "dates", "place",
	"edge", "later", "goes_on", "length" };

struct weigher {
	struct head head;
	const char *names[FEATURES];
	size_t n_names, n_statement;
	const struct cues *cues;
	int third, it, verb, pronoun, says, asks, inverted, hypothetical;
};

struct reader {
	const struct weigher *w;
	const struct salience_turn *turn;
	struct statement_turn as_statement;
	struct detail details[DETAILS];
	size_t n_details;
	struct clause before;
	/* what the next clause may go on with, if it has a length; how many are in it */
	struct clause held;
	unsigned n_held;
	/* whether there is a piece before; it names a topic; it says next to nothing */
	bool any, topic, idle;
	salience_fn *fn;
	void *arg;
	int rc;
};

static const struct weigher *
weigher(void)
{
	static struct weigher w;
	const struct embedded *e = embedded_find("schema/heads/summary.txt");
	const char *const *names;

	if (w.cues != NULL)
		return &w;
	w.cues = cues_of("schema/cues/statement.txt");
	names = statement_feature_names(&w.n_statement);
	for (size_t i = 0; i < w.n_statement; i++)
		w.names[w.n_names++] = names[i];
	for (size_t i = 0; i < N_SHAPES; i++)
		w.names[w.n_names++] = shapes[i];
	w.third = cues_class(w.cues, "third");
	w.it = cues_class(w.cues, "it");
	w.verb = cues_class(w.cues, "finite");
	w.pronoun = cues_class(w.cues, "pronoun");
	w.says = cues_class(w.cues, "says");
	w.asks = cues_class(w.cues, "ask");
	w.inverted = cues_class(w.cues, "inverted");
	w.hypothetical = cues_class(w.cues, "hypothetical");
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

/* ---- pieces ---- */

static int
count_content(void *arg, const struct word *w)
{
	*(size_t *)arg += !w->stop && w->kind != WORD_CHAR && w->kind != WORD_PART;
	return 0;
}

static size_t
content_words(const char *text, size_t len)
{
	size_t n = 0;

	words_each(text, len, count_content, &n);
	return n;
}

static bool
begins_with(const char *p, size_t len, const char *const *words)
{
	for (; *words != NULL; words++)
		if (len >= strlen(*words) && memcmp(p, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* Whether the words at p end a list: "bread, milk and eggs". */
static bool
ends_list(const char *p, size_t len)
{
	static const char *const words[] = { "and ", "or ", "und ", "oder ", "y ", "o ", "和", "或",
		NULL };

	return begins_with(p, len, words);
}

/* Whether the words at p limit what was said before them. */
static bool
is_limit(const char *p, size_t len)
{
	static const char *const words[] = { "not ", "but not ", "except ", "unless ", "only ",
		"if ", "when ", "without ", "until ", "which ", "who ", "whose ", "never ",
		"nicht ", "nur ", "wenn ", "bis ", "ohne ", "au\xc3\x9f" "er ", "sonst ", "pero ",
		"除了", "不", "但", "如果", "除非", "直到", NULL };

	return begins_with(p, len, words);
}

/* Whether a condition begins at p. */
static bool
is_condition(const char *p, size_t len)
{
	static const char *const words[] = { "if ", "If ", "even if ", "unless ", "Unless ",
		"suppose ", "Suppose ", "imagine ", "Imagine ", "what if ", "What if ", "assuming ",
		"Assuming ", "provided ", "in case ", "In case ", "wenn ", "Wenn ", "falls ",
		"Falls ", "sofern ",
		"Sofern ", "angenommen", "Angenommen", "si ", "Si ", "如果", "要是", "假如", "万一",
		"除非", NULL };

	return begins_with(p, len, words);
}

/* Whether a text holds a condition, or says but what might be: "maybe", würde, 也许. */
static bool
is_possible(const struct weigher *w, const char *p, size_t len)
{
	struct cue cues[CUES_MOST];
	size_t n = cues_find(w->cues, p, len, cues, CUES_MOST, NULL);

	while (n-- > 0)
		if ((int)cues[n].class == w->hypothetical)
			return true;
	for (size_t i = 0; i < len; i++)
		if ((i == 0 || p[i - 1] == ' ' || (unsigned char)p[i] >= 0xe3) &&
		    is_condition(p + i, len - i))
			return true;
	return false;
}

/* The bytes of a comma at p with the blanks behind it, at which a clause is cut; 0: none is. */
static size_t
comma_at(const char *p, size_t len)
{
	size_t n = 0;

	if (len > 2 && p[0] == ',' && (p[1] == ' ' || (unsigned char)p[1] >= 0xe0))
		n = 1;
	else if (len > 3 && memcmp(p, "，", 3) == 0)
		n = 3;
	while (n > 0 && n < len && p[n] == ' ')
		n++;
	return n;
}

/* Where the piece that begins at `from` ends in its clause; *next: where the next one begins. */
static size_t
piece_end(const char *text, size_t from, size_t end, size_t *next)
{
	bool quoted = false, inner = false;

	for (size_t i = from; i < end; i++) {
		size_t n = comma_at(text + i, end - i), to = i + n;
		if (text[i] == '"' || text[i] == '`')
			quoted = !quoted;
		inner = (inner || text[i] == '(') && text[i] != ')';
		if (n == 0 || quoted || inner || to >= end || ends_list(text + to, end - to) ||
		    is_limit(text + to, end - to))
			continue;
		while (to < end && comma_at(text + to, end - to) == 0)
			to++;
		to += comma_at(text + to, end - to);
		if (ends_list(text + to, end - to))
			continue;
		if (content_words(text + i + n, to - i - n) < 2)
			continue;
		*next = i + n;
		return i;
	}
	*next = end;
	return end;
}

/* ---- features ---- */

static void
add_shapes(const struct reader *r, const struct clause *c, bool goes_on, float *x)
{
	static const enum shape of_kind[] = { NAMES, NUMBERS, DATES };
	const struct salience_turn *t = r->turn;
	float *shape = x + r->w->n_statement;

	for (size_t i = 0; i < r->n_details; i++)
		if (r->details[i].start >= c->start && r->details[i].start < c->start + c->len)
			shape[of_kind[r->details[i].kind]]++;
	for (size_t i = 0; i < NELEM(of_kind); i++)
		shape[of_kind[i]] = MIN(shape[of_kind[i]], 2);
	shape[ANSWERS] = t->asked && t->by_user;
	shape[PLACE] = t->n > 1 ? (float)t->at / (float)(t->n - 1) : 0;
	shape[EDGE] = t->at == 0 || t->at + 2 >= t->n;
	shape[LATER] = c->sentence > 0;
	shape[GOES_ON] = goes_on;
	shape[LENGTH] = (float)MIN(c->len, 160) / 160;
}

/* Whether a piece is but words that tell what the next one speaks of: "The hip." */
static bool
is_topic(const struct weigher *w, const char *text, const struct clause *c)
{
	static const char *const articles[] = { "the ", "my ", "our ", "his ", "her ", "no ",
		"der ", "die ", "das ", "mein", "unser", "kein" };
	struct cue cues[CUES_MOST];
	const char *p = text + c->start;
	size_t n = cues_find(w->cues, p, c->len, cues, CUES_MOST, NULL);
	size_t words = content_words(p, c->len), k = 0;

	while (k < NELEM(articles) && (ascii_lower(*p) != articles[k][0] ||
		strncmp(p + 1, articles[k] + 1, strlen(articles[k]) - 1) != 0))
		k++;
	if (k == NELEM(articles) || words == 0 || words > TOPIC_WORDS ||
	    (c->flags & CLAUSE_QUESTION) != 0)
		return false;
	while (n-- > 0)
		if ((int)cues[n].class == w->verb || (int)cues[n].class == w->pronoun)
			return false;
	return true;
}

static bool
begins_with_pronoun(const struct weigher *w, const char *text, const struct clause *c)
{
	struct cue cues[CUES_MOST];
	size_t n = cues_find(w->cues, text + c->start, c->len, cues, CUES_MOST, NULL);

	for (size_t i = 0; i < n && cues[i].at == 0; i++)
		if ((int)cues[i].class == w->third || (int)cues[i].class == w->it)
			return true;
	return false;
}

/* Whether the piece, of a sentence with a question mark, is what is asked. */
static bool
is_asked(const struct reader *r, const struct clause *c)
{
	const char *text = r->turn->text;
	struct cue cues[CUES_MOST];
	size_t end = c->sentence + c->sentence_len, n;

	if ((c->flags & CLAUSE_QUESTION) == 0)
		return false;
	for (size_t i = c->start + c->len; i < end; i++)
		if (text[i] == '?' || strncmp(text + i, "？", 3) == 0)
			return true;
		else if (strchr(" !.\")'*_", text[i]) == NULL)
			break;
	n = cues_find(r->w->cues, text + c->start, c->len, cues, CUES_MOST, NULL);
	for (size_t i = 0; i < n && cues[i].at == 0; i++)
		if ((int)cues[i].class == r->w->asks || (int)cues[i].class == r->w->inverted)
			return true;
	return false;
}

static void
on_piece(struct reader *r, const struct clause *of, const struct clause *c)
{
	const struct weigher *w = r->w;
	float x[FEATURES] = { 0 };
	bool goes_on = c->start > of->start;
	struct salience s = { .start = c->start, .len = c->len, .clause = of->start,
		.clause_len = of->len, .sentence = of->sentence,
		.sentence_len = of->sentence_len,
		.words = content_words(r->turn->text + c->start, c->len),
		.x = x };

	statement_features(&r->as_statement, c, r->any ? &r->before : NULL, x);
	add_shapes(r, c, goes_on, x);
	s.asks = is_asked(r, c);
	s.open = s.asks || (c->flags & CLAUSE_QUOTED) != 0 ||
	    is_possible(w, r->turn->text + of->start, of->len);
	s.p = head_probability(&w->head, x, NULL);
	if ((c->flags & CLAUSE_QUOTED) != 0 ||
	    (of->len == c->len && is_condition(r->turn->text + c->start, c->len) &&
		r->n_held == 1 && s.words < HALF_WORDS))
		s.p = 0;
	s.sure = s.p > w->head.threshold;
	s.leans = goes_on || (r->any && (r->topic ||
	    (!r->idle && begins_with_pronoun(w, r->turn->text, c)) ||
	    ((c->flags & CLAUSE_HALF) != 0 && is_limit(r->turn->text + c->start, c->len))));
	r->topic = is_topic(w, r->turn->text, c);
	r->idle = !r->topic && s.words < 2;
	r->before = *c;
	r->any = true;
	r->rc = r->fn(r->arg, &s);
}

/* Whether a clause says little without the one behind it: a condition, "she said", 他说. */
static bool
is_unfinished(const struct reader *r, const struct clause *c)
{
	struct cue cues[CUES_MOST];
	unsigned words;
	size_t n = cues_find(r->w->cues, r->turn->text + c->start, c->len, cues, CUES_MOST, &words);

	if (r->n_held == 1 && is_condition(r->turn->text + c->start, c->len))
		return true;
	while (n-- > 0)
		if ((int)cues[n].class == r->w->says &&
		    c->len - cues[n].start - cues[n].len <= (words == cues[n].at + 1 ? 3 : 0))
			return true;
	return false;
}

/* Hands out the pieces of the clause that is held. */
static void
let_go(struct reader *r)
{
	const struct clause *c = &r->held;
	size_t end = c->start + c->len;
	bool whole = is_condition(r->turn->text + c->start, c->len);

	for (size_t at = c->start, next = end; at < end && r->rc == 0; at = next) {
		struct clause piece = *c;
		piece.start = at;
		piece.len = (whole ? end : piece_end(r->turn->text, at, end, &next)) - at;
		if (at > c->start)
			piece.flags |= CLAUSE_HALF;
		on_piece(r, c, &piece);
	}
	r->held.len = 0;
}

static int
on_clause(void *arg, const struct clause *c)
{
	struct reader *r = arg;

	if (r->held.len > 0 && c->sentence == r->held.sentence && is_unfinished(r, &r->held)) {
		r->held.len = c->start + c->len - r->held.start;
		r->n_held++;
		return r->rc;
	}
	let_go(r);
	r->held = *c;
	r->n_held = 1;
	return r->rc;
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

	r.as_statement = (struct statement_turn){ .text = t->text, .len = t->len,
		.project = t->project, .asked = t->asked, .told = !t->by_user };
	details_each(t->text, t->len, add_detail, &r);
	clauses_each(t->text, t->len, on_clause, &r);
	let_go(&r);
}
