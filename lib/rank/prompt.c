/*
 * prompt.c: of the words of a clause it is asked whether they are function words, verbs with which
 * one asks, or words about how an answer should look; the rest is punctuation.
 */
#include "rank/prompt.h"

#include "base/ascii.h"
#include "gen/prompt_weights.h"
#include "lexicon/lex.h"
#include "math/real.h"
#include "text/chunk.h"
#include "time/timewords.h"

#define CLAUSE_WORDS 64             /* words of a clause that are looked at */
#define SHORT_CLAUSE 3              /* words; so few are no statement: "Thanks," */
#define CODE_SIGN    20             /* bytes; pasted lines have a sign of code in so many */
/* chosen on the same prompts: between .5 and 1 their nDCG@10 differs by .01 */
#define SHARPNESS    0.7f

/* ---- words ---- */

/* The words of a clause. */
struct words {
	const char *text;
	size_t n;
	struct lex_token t[CLAUSE_WORDS];
	uint64_t is[CLAUSE_WORDS];         /* a bit for each class, of words and phrases */
};

#define FIRST_CLASS LEX_QUESTION_WORD
#define LAST_CLASS  LEX_TITLE_POINT

static void
read_words(struct words *w, const char *text, size_t at, size_t end, unsigned langs)
{
	w->text = text;
	for (w->n = 0; w->n < CLAUSE_WORDS && lex_next(text, end, at, &w->t[w->n]); w->n++) {
		at = w->t[w->n].end;
		w->is[w->n] = lex_phrase_classes(text, end, &w->t[w->n], FIRST_CLASS, LAST_CLASS,
		    langs);
	}
}

/* Whether a word or a phrase of the class begins at word i. */
static bool
is(const struct words *w, size_t i, enum lex class)
{
	return i < w->n && (w->is[i] >> (class - FIRST_CLASS) & 1);
}

/* The first word that is no opener. */
static size_t
head_of(const struct words *w)
{
	size_t i = 0;

	while (is(w, i, LEX_OPENER))
		i++;
	return i;
}

/* A question word stands first; where words are not spaced, anywhere. */
static bool
begins_to_ask(const struct words *w)
{
	size_t i = head_of(w);

	for (size_t k = 0; k < w->n; k++)
		if (w->t[k].unspaced && is(w, k, LEX_QUESTION_WORD))
			return true;
	return is(w, i, LEX_QUESTION_WORD) ||
	    (is(w, i, LEX_AUXILIARY) && i + 1 < w->n &&
		(is(w, i + 1, LEX_ASKED_OF) || w->t[i + 1].capital));
}

/* Whether the clause is a statement about the speaker or a greeting, and no part of a question. */
static bool
stands_alone(const struct words *w)
{
	size_t i = head_of(w);

	return i == w->n || (w->n <= SHORT_CLAUSE ? is(w, 0, LEX_COURTESY) : is(w, i, LEX_SPEAKER));
}

/* ---- sentences and clauses ---- */

/* Whether text [at, end) ends in a title with a full stop, which a name follows: "Dr." */
static bool
ends_in_title(const char *text, size_t at, size_t end)
{
	struct lex_token t;
	size_t start = end - 1;

	if (text[start] != '.')
		return false;
	while (start > at && ascii_is_alnum(text[start - 1]))
		start--;
	return lex_next(text, end, start, &t) && lex_is(&t, LEX_TITLE_POINT, LEX_ANY, NULL);
}

/* A sentence also ends at a full stop behind which the next begins in lower case. */
static size_t
sentence_end(const char *text, size_t at, size_t len)
{
	size_t end = chunk_sentence_end(text, at, len), letters = 0;

	while (end < len && ends_in_title(text, at, end))
		end = chunk_sentence_end(text, end, len);
	for (size_t i = at; i + 2 < end; i++) {
		if (text[i + 1] == ' ' &&
		    (text[i] == '!' || text[i] == '?' ||
			(text[i] == '.' && letters > 2 && !ends_in_title(text, at, i + 1))))
			return i + 1;
		letters = ascii_is_letter(text[i]) ? letters + 1 : 0;
	}
	return end;
}

static size_t
clause_end(const char *text, size_t at, size_t end)
{
	for (size_t i = at; i + 1 < end; i++)
		if (ascii_is_space(text[i + 1])
			? text[i] == ',' || text[i] == ':' || text[i] == ';' || text[i] == '?'
			: text[i] == ' ' && text[i + 1] == '-' && i + 2 < end &&
			    (text[i + 2] == ' ' || text[i + 2] == '-'))
			return i + 1;
	return end;
}

static bool
has_mark(const char *text, size_t at, size_t end)
{
	for (; at < end; at++)
		if (text[at] == '?' || (end - at >= 3 && memcmp(text + at, "\xef\xbc\x9f", 3) == 0))
			return true;
	return false;
}

static bool
is_pasted(const char *text, size_t at, size_t end)
{
	size_t n = 0;

	for (size_t i = at; i < end; i++)
		n += strchr("{}=;_$\\<>|#*/[]", text[i]) != NULL;
	return n * CODE_SIGN > end - at;
}

/* ---- weights ---- */

/* What a clause is like, each 0 or 1 but for MANNER, the share of its words that are about that. */
enum shape {
	MARK,              /* it ends its sentence, with a question mark */
	BEFORE_MARK,       /* a later clause of its sentence does */
	QUESTION_WORD,     /* it begins with who, what ... */
	MANNER,
	POLITE,
	NAME,              /* it has a capitalised word behind the first */
	NUMBER,
	RECALLS,           /* it is about what was said or done (timewords_recalls) */
	PASTED,            /* it has signs of code */
	LEADS,             /* the next clause of its sentence begins to ask, or asks */
	FOLLOWS,           /* the one before does */
	SENTENCE_FOLLOWS,  /* the one before does, and ends the sentence before */
	ALONE,             /* stands_alone */
	/* no question; the next sentence is one and names nothing: "I met Ana. Where was she?" */
	TELLS_WHAT,
	N_SHAPES
};

/* schema/heads/prompt.txt says where they are from. */
static const float constant = PROMPT_BIAS, weights[N_SHAPES] = { PROMPT_WEIGHTS };

struct shaped {
	float x[N_SHAPES];
	size_t sentence;                   /* number of the sentence's first clause */
	bool asks, begins_to_ask, latin;   /* latin: it is written in letters A to Z */
};

static void
shape_of(struct shaped *s, const struct words *w, const struct prompt_clause *c, bool in_asking)
{
	const char *text = w->text;
	size_t n_manner = 0;
	bool mark = has_mark(text, c->start, c->end);

	s->x[MARK] = mark;
	s->x[BEFORE_MARK] = in_asking && !mark;
	s->x[ALONE] = stands_alone(w);
	s->begins_to_ask = begins_to_ask(w);
	s->asks = mark || s->begins_to_ask;
	s->latin = w->n > 0 && ascii_is_letter(w->t[0].folded[0]);
	for (size_t k = 0; k < w->n; k++) {
		s->latin &= !w->t[k].unspaced;
		n_manner += is(w, k, LEX_MANNER);
		s->x[POLITE] += is(w, k, LEX_COURTESY);
		s->x[NAME] += k > 0 && w->t[k].capital && !is(w, k, LEX_SPEAKER);
		s->x[NUMBER] += w->t[k].n_digits > 0;
	}
	s->x[POLITE] = MIN(s->x[POLITE], 1);
	s->x[NAME] = MIN(s->x[NAME], 1);
	s->x[NUMBER] = MIN(s->x[NUMBER], 1);
	/* where words are not spaced, no question word need stand first */
	s->x[QUESTION_WORD] = is(w, head_of(w), LEX_QUESTION_WORD) && !w->t[0].unspaced;
	s->x[MANNER] = w->n > 0 ? (float)n_manner / (float)w->n : 0;
	s->x[RECALLS] = timewords_recalls(text + c->start, c->end - c->start);
	s->x[PASTED] = is_pasted(text, c->start, c->end);
}

/*
 * Whether the sentence whose first clause is `first` asks, and names nothing; only in a script that
 * has capitals, by which names are known.
 */
static bool
asks_nameless(const struct shaped *s, size_t first, size_t n)
{
	bool asks = false;

	for (size_t i = first; i < n && s[i].sentence == first; i++) {
		if (s[i].x[NAME] > 0 || !s[i].latin)
			return false;
		asks |= s[i].asks;
	}
	return asks;
}

static bool
tells_what(const struct shaped *s, size_t i, size_t n)
{
	size_t at = s[i].sentence;

	for (; at < n && s[at].sentence == s[i].sentence; at++)
		if (s[at].x[MARK] > 0)
			return false;
	return asks_nameless(s, at, n);
}

/* What clause i is like by those beside it. */
static void
shape_beside(struct shaped *s, size_t i, size_t n)
{
	s[i].x[TELLS_WHAT] = tells_what(s, i, n);
	s[i].x[LEADS] = i + 1 < n && s[i + 1].asks && s[i + 1].sentence == s[i].sentence;
	s[i].x[FOLLOWS] = i > 0 && s[i - 1].asks && s[i - 1].sentence == s[i].sentence;
	s[i].x[SENTENCE_FOLLOWS] = i > 0 && s[i - 1].asks && s[i - 1].sentence != s[i].sentence;
}

static float
logistic(float sum)
{
	return 1 / (1 + real_expf(-sum));
}

/* A probability against the greatest. */
static float
against(float p, float most)
{
	return real_expf(SHARPNESS * real_logf(p / most));
}

static void
weigh(struct prompt *a, struct shaped *s)
{
	float most = 0, most_words = 0;

	for (size_t i = 0; i < a->n; i++) {
		float sum = constant;
		shape_beside(s, i, a->n);
		for (size_t k = 0; k < TELLS_WHAT; k++)
			sum += weights[k] * s[i].x[k];
		a->clauses[i].weight = logistic(sum);
		a->clauses[i].words = logistic(sum + weights[TELLS_WHAT] * s[i].x[TELLS_WHAT]);
		most = MAX(most, a->clauses[i].weight);
		most_words = MAX(most_words, a->clauses[i].words);
	}
	for (size_t i = 0; i < a->n; i++) {
		struct prompt_clause *c = &a->clauses[i], *first = &a->clauses[s[i].sentence];
		c->weight = against(c->weight, most);
		c->words = against(c->words, most_words);
		first->sentence = MAX(first->sentence, c->weight);
	}
	for (size_t i = 0; i < a->n; i++)
		a->clauses[i].sentence = a->clauses[s[i].sentence].sentence;
}

/* ---- the whole ---- */

/* Adds the clauses of the sentence at .. end - 1. What has no word belongs to the clause before. */
static void
add_sentence(struct prompt *a, struct shaped *s, const char *text, size_t at, size_t end,
	size_t len, unsigned langs)
{
	struct words w;
	size_t first = a->n, to;
	bool asks = has_mark(text, at, end);

	for (; at < end && a->n < PROMPT_CLAUSES; at = to) {
		to = a->n + 1 == PROMPT_CLAUSES ? len : clause_end(text, at, end);
		read_words(&w, text, at, to, langs);
		if (w.n == 0 && a->n > 0) {
			a->clauses[a->n - 1].end = (uint32_t)to;
			continue;
		}
		a->clauses[a->n] =
		    (struct prompt_clause){ .start = (uint32_t)at, .end = (uint32_t)to };
		s[a->n] = (struct shaped){ .sentence = first };
		shape_of(&s[a->n], &w, &a->clauses[a->n], asks);
		a->n++;
	}
}

void
prompt_read(struct prompt *a, const char *text, size_t len)
{
	struct shaped s[PROMPT_CLAUSES];
	unsigned langs = lex_counting(lex_language_of(text, len));
	bool whole = true;

	a->n = 0;
	for (size_t at = 0, end; at < len && a->n < PROMPT_CLAUSES; at = end) {
		end = sentence_end(text, at, len);
		add_sentence(a, s, text, at, end, len, langs);
	}
	for (size_t i = 1; i < a->n; i++)
		whole &= s[i].sentence == s[0].sentence &&
		    !(s[i - 1].x[ALONE] > 0 && s[i].begins_to_ask && !(s[i].x[ALONE] > 0));
	if (whole)
		a->n = 0;
	else
		weigh(a, s);
}

bool
prompt_asks(const char *text, size_t len)
{
	unsigned langs = lex_counting(lex_language_of(text, len));
	bool asks = has_mark(text, 0, len);
	struct words w;

	for (size_t at = 0, end; at < len && !asks; at = end) {
		end = clause_end(text, at, len);
		read_words(&w, text, at, end, langs);
		asks = begins_to_ask(&w);
	}
	return asks;
}

/* Whether a clause speaks of one person, who writes it: "my", but not "our". */
static bool
is_of_asker(const char *text, size_t len, unsigned langs)
{
	struct lex_token t;

	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end)
		if (lex_is(&t, LEX_SELF, langs, NULL))
			return true;
	return false;
}

bool
prompt_is_of_asker(const char *text, size_t len)
{
	unsigned langs = lex_counting(lex_language_of(text, len));
	struct prompt asked;

	if (!prompt_asks(text, len))
		return false;
	prompt_read(&asked, text, len);
	for (size_t i = 0; i < asked.n; i++) {
		const struct prompt_clause *c = &asked.clauses[i];
		if (c->weight >= PROMPT_ASKS &&
		    is_of_asker(text + c->start, c->end - c->start, langs))
			return true;
	}
	return asked.n == 0 && is_of_asker(text, len, langs);
}

const struct prompt_clause *
prompt_clause_at(const struct prompt *a, size_t at)
{
	for (size_t i = 0; i < a->n; i++)
		if (at < a->clauses[i].end)
			return &a->clauses[i];
	return NULL;
}

float
prompt_weight(const struct prompt *a, size_t at)
{
	const struct prompt_clause *c = prompt_clause_at(a, at);

	return c != NULL ? c->weight : 1;
}

float
prompt_words(const struct prompt *a, size_t at)
{
	const struct prompt_clause *c = prompt_clause_at(a, at);

	return c != NULL ? c->words : 1;
}
