/*
 * prompt.c: the words of a clause are compared with short lists of function words, of verbs with
 * which one asks, and of words about how an answer should look; the rest is punctuation.
 */
#include "rank/prompt.h"

#include "base/ascii.h"
#include "math/real.h"
#include "text/chunk.h"
#include "text/words.h"
#include "time/timewords.h"

#define TOKEN_BYTES  16
#define CLAUSE_WORDS 64             /* words of a clause that are looked at */
#define SHORT_CLAUSE 3              /* words; so few are no statement: "Thanks," */
#define CODE_SIGN    20             /* bytes; pasted lines have a sign of code in so many */
/* chosen on the same prompts: between .5 and 1 their nDCG@10 differs by .01 */
#define SHARPNESS    0.7f

/* ---- words ---- */

/* In lower case, without apostrophes, sorted by strcmp. */
static const char *const question_words[] = {
	"how", "howd", "hows", "what", "whatd", "whats", "when", "whens", "where", "wheres",
	"which", "who", "whom", "whos", "whose", "why", "wich"
};
static const char *const auxiliaries[] = {
	"am", "are", "did", "didnt", "do", "does", "doesnt", "had", "has", "hasnt", "have",
	"havent", "is", "isnt", "should", "was", "wasnt", "were", "will", "would"
};
static const char *const subjects[] = {
	"a", "any", "anyone", "anything", "everyone", "he", "her", "his", "i", "it", "its", "my",
	"our", "she", "someone", "that", "the", "their", "there", "these", "they", "this", "we",
	"you", "your"
};
/* words that may stand before what a clause begins with */
static const char *const openers[] = {
	"actually", "again", "alright", "also", "and", "anyway", "basically", "btw", "but",
	"finally", "first", "hello", "hey", "hi", "hm", "hmm", "just", "maybe", "next", "now",
	"oh", "ok", "okay", "or", "please", "pls", "plus", "quick", "rather", "second",
	"secondly", "so", "then", "thing", "uh", "um", "well", "yes", "yo"
};
/* words about how the answer should look */
static const char *const manner[] = {
	"advice", "answer", "answers", "brief", "briefly", "bullet", "bullets", "characters",
	"comma", "concise", "date", "detail", "details", "draft", "enough", "essay", "exact",
	"exactly", "explanation", "fine", "format", "guess", "guessing", "half", "heading",
	"headings", "json", "length", "line", "lines", "list", "long", "maximum", "message",
	"need", "needed", "once", "only", "order", "outline", "page", "paragraph", "paragraphs",
	"phrase", "plain", "please", "pls", "points", "prose", "quick", "quickly", "reply",
	"response", "rough", "roughly", "sentence", "sentences", "separate", "separately",
	"short", "simple", "slide", "slides", "sources", "style", "summary", "table", "tense",
	"text", "tone", "version", "word", "wording", "words", "write"
};
static const char *const polite[] = {
	"apologies", "appreciated", "bye", "cheers", "evening", "favor", "favour", "glad",
	"good", "great", "hello", "hey", "hi", "hope", "morning", "nice", "please", "pls",
	"sorry", "thank", "thanks", "thx", "ty", "welcome"
};
static const char *const first_person[] = {
	"i", "id", "ill", "im", "ive", "me", "my", "our", "us", "we", "wed", "well", "weve"
};

static const char *const titles[] = { "dr", "jr", "mr", "mrs", "ms", "mt", "prof", "sr", "st" };

#define IN(list, token) words_is_listed(list, NELEM(list), (token)->text, (token)->len)

struct token { char text[TOKEN_BYTES]; size_t len; bool capital; };

static bool
is_letter(const char *text, size_t at)
{
	return ascii_is_alnum(text[at]) || (unsigned char)text[at] >= 0x80;
}

/* Whether an apostrophe, ' or ’, stands at `at`; returns its bytes. */
static size_t
apostrophe_at(const char *text, size_t at, size_t end)
{
	if (text[at] == '\'')
		return 1;
	return end - at >= 3 && memcmp(text + at, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

static size_t
read_tokens(const char *text, size_t at, size_t end, struct token *out, size_t max)
{
	size_t n = 0, skip;

	for (; at < end && n < max; at++) {
		struct token *t = &out[n];
		if (!is_letter(text, at) || apostrophe_at(text, at, end) > 0)
			continue;
		*t = (struct token){ .capital = text[at] >= 'A' && text[at] <= 'Z' };
		for (; at < end; at++) {
			if ((skip = apostrophe_at(text, at, end)) > 0)
				at += skip - 1;
			else if (!is_letter(text, at))
				break;
			else if (t->len < TOKEN_BYTES)
				t->text[t->len++] = ascii_lower(text[at]);
		}
		n++;
	}
	return n;
}

/* The first word that is no opener. */
static size_t
head_of(const struct token *t, size_t n)
{
	size_t i = 0;

	while (i < n && IN(openers, &t[i]))
		i++;
	return i;
}

static bool
begins_to_ask(const struct token *t, size_t n)
{
	size_t i = head_of(t, n);

	return i < n &&
	    (IN(question_words, &t[i]) ||
		(i + 1 < n && IN(auxiliaries, &t[i]) &&
		    (IN(subjects, &t[i + 1]) || t[i + 1].capital)));
}

/* Whether the clause is a statement about the speaker or a greeting, and no part of a question. */
static bool
stands_alone(const struct token *t, size_t n)
{
	size_t i = head_of(t, n);

	return i == n || (n <= SHORT_CLAUSE ? IN(polite, &t[0]) : IN(first_person, &t[i]));
}

/* ---- sentences and clauses ---- */

/* Whether text [at, end) ends in a title with a full stop, which a name follows: "Dr." */
static bool
ends_in_title(const char *text, size_t at, size_t end)
{
	struct token t;
	size_t start = end - 1;

	if (text[start] != '.')
		return false;
	while (start > at && is_letter(text, start - 1))
		start--;
	return read_tokens(text, start, end, &t, 1) == 1 && IN(titles, &t);
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

static const float constant = -2.57f, weights[N_SHAPES] = {
	[MARK] = 1.46f, [BEFORE_MARK] = 0.98f, [QUESTION_WORD] = 0.68f, [MANNER] = -1.14f,
	[POLITE] = -0.76f, [NAME] = 0.54f, [NUMBER] = 0.72f, [RECALLS] = 0.61f, [PASTED] = -0.14f,
	[LEADS] = 0.18f, [FOLLOWS] = 0.24f, [SENTENCE_FOLLOWS] = -0.45f, [ALONE] = -0.39f,
	/*
	 * tried, not learnt: nDCG@10 of long prompts by words is .513, .523, .524, .523 with 0,
	 * .75, 1, 1.25. It counts for words alone: with more of it embedded, too, the same is .01
	 * lower by vectors, and p would expect such words near an answer.
	 */
	[TELLS_WHAT] = 0.75f,
};

struct shaped {
	float x[N_SHAPES];
	size_t sentence;                   /* number of the sentence's first clause */
	bool asks, begins_to_ask, latin;   /* latin: its first word is in letters A to Z */
};

static void
shape_of(struct shaped *s, const char *text, const struct prompt_clause *c, bool in_asking)
{
	struct token t[CLAUSE_WORDS];
	size_t n = read_tokens(text, c->start, c->end, t, CLAUSE_WORDS), i = head_of(t, n),
	       n_manner = 0;
	bool mark = has_mark(text, c->start, c->end);

	s->x[MARK] = mark;
	s->x[BEFORE_MARK] = in_asking && !mark;
	s->x[QUESTION_WORD] = i < n && IN(question_words, &t[i]);
	s->x[ALONE] = stands_alone(t, n);
	s->begins_to_ask = begins_to_ask(t, n);
	s->asks = mark || s->begins_to_ask;
	s->latin = n > 0 && ascii_is_letter(t[0].text[0]);
	for (size_t k = 0; k < n; k++) {
		n_manner += IN(manner, &t[k]);
		s->x[POLITE] += IN(polite, &t[k]);
		s->x[NAME] += k > 0 && t[k].capital && !IN(first_person, &t[k]);
		s->x[NUMBER] += ascii_is_digit(t[k].text[0]);
	}
	s->x[POLITE] = MIN(s->x[POLITE], 1);
	s->x[NAME] = MIN(s->x[NAME], 1);
	s->x[NUMBER] = MIN(s->x[NUMBER], 1);
	s->x[MANNER] = n > 0 ? (float)n_manner / (float)n : 0;
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
	size_t len)
{
	size_t first = a->n, to;
	bool asks = has_mark(text, at, end);

	for (; at < end && a->n < PROMPT_CLAUSES; at = to) {
		struct token one;
		to = a->n + 1 == PROMPT_CLAUSES ? len : clause_end(text, at, end);
		if (read_tokens(text, at, to, &one, 1) == 0 && a->n > 0) {
			a->clauses[a->n - 1].end = (uint32_t)to;
			continue;
		}
		a->clauses[a->n] =
		    (struct prompt_clause){ .start = (uint32_t)at, .end = (uint32_t)to };
		s[a->n] = (struct shaped){ .sentence = first };
		shape_of(&s[a->n], text, &a->clauses[a->n], asks);
		a->n++;
	}
}

void
prompt_read(struct prompt *a, const char *text, size_t len)
{
	struct shaped s[PROMPT_CLAUSES];
	bool whole = true;

	a->n = 0;
	for (size_t at = 0, end; at < len && a->n < PROMPT_CLAUSES; at = end) {
		end = sentence_end(text, at, len);
		add_sentence(a, s, text, at, end, len);
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
	struct token t[CLAUSE_WORDS];
	bool asks = has_mark(text, 0, len);

	for (size_t at = 0, end; at < len && !asks; at = end) {
		end = clause_end(text, at, len);
		asks = begins_to_ask(t, read_tokens(text, at, end, t, CLAUSE_WORDS));
	}
	return asks;
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
