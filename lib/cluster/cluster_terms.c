/*
 * cluster_terms.c: texts are read into a vocabulary. A word is a stem.
 * The first and the last letters of a longer word are terms, too: so the parts of German compounds
 * meet, and what is nearly the same word in two languages.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "cluster/cluster_terms.h"
#include "cluster/cluster_words.h"
#include "math/lsa.h"
#include "math/real.h"
#include "math/vec.h"
#include "lexicon/lex.h"
#include "lexicon/unicode.h"
#include "text/words.h"

#define TIMES_MAX   255u
#define AFFIX_CHARS 4
/*
 * Of more texts, words are frequent enough to be compared by themselves: parts of words then make
 * unlike texts alike.
 */
#define FEW         1000
/* the first letter of Greek: letters from here on are of other scripts than Latin */
#define SCRIPTS     0x370
/* numbers of languages, beside those of the lexicon */
#define SCRIPT_KANA  LEX_LANGS
#define SCRIPT_OTHER (LEX_LANGS + 1)
/* added to them where somebody with a name says it */
#define NAMED        256

/*
 * For each text which words of it, how often:
 *
 *	starts: n + 1 places in uses	uses: times << 24 | word, each word of a text once
 */
#define CLUSTER_TERMS_WORDS (1u << 24)

/* kind of the first or last letters of a word, beside those of words.h */
#define CLUSTER_TERM_AFFIX 255

struct cluster_term {
	const char *stem;
	/* last: the last text + 1 that has it, at: where in uses */
	uint32_t df, last, at;
	uint16_t len;
	uint8_t kind;
	/* common: it names no topic, and says little of it */
	bool stop, common;
};

/* What tells the language of a text. */
struct cluster_language_signs { uint32_t n_words, english, german, unspaced; uint16_t script; };

struct cluster_terms {
	struct arena texts;
	struct cluster_term *words;
	struct keyed places;                   /* in words, from 1, by the hash of the stem */
	uint32_t *starts, *uses;
	size_t n_words, cap_words, n, cap_starts, n_uses, cap_uses;
	const char *text;                      /* being read */
	struct cluster_language_signs signs;   /* of it */
	unsigned lang;                         /* the lexicon's number of its language */
	uint16_t *manners;                     /* [n] */
	size_t cap_manners;
};

/* ---- the vocabulary ---- */

/* The word that has the stem of w, which is w at first; NULL when the vocabulary is full. */
static struct cluster_term *
find_word(struct cluster_terms *t, const struct cluster_term *w)
{
	uint64_t key = hash64(w->stem, w->len, 0), place = keyed_value(&t->places, key);

	if (place != 0)
		return &t->words[place - 1];
	if (t->n_words == CLUSTER_TERMS_WORDS - 1)
		return NULL;
	xgrow(&t->words, &t->cap_words, t->n_words + 1, sizeof(*t->words));
	t->words[t->n_words] = *w;
	t->words[t->n_words].stem = arena_strndup(&t->texts, w->stem, w->len);
	keyed_at(&t->places, key)->value = ++t->n_words;
	return &t->words[t->n_words - 1];
}

struct cluster_terms *
cluster_terms_new(void)
{
	struct cluster_terms *t = xcalloc(1, sizeof(*t));

	xgrow(&t->starts, &t->cap_starts, 1, sizeof(*t->starts));
	t->starts[0] = 0;
	return t;
}

void
cluster_terms_free(struct cluster_terms *t)
{
	if (t == NULL)
		return;
	arena_release(&t->texts);
	free(t->words);
	keyed_release(&t->places);
	free(t->starts);
	free(t->uses);
	free(t->manners);
	free(t);
}

/* ---- reading ---- */

static void
add_use(struct cluster_terms *t, struct cluster_term *word)
{
	if (word->last != t->n + 1) {
		word->last = (uint32_t)t->n + 1;
		word->at = (uint32_t)t->n_uses;
		word->df++;
		*xpush(t->uses, t->n_uses, t->cap_uses) = (uint32_t)(word - t->words);
	}
	uint32_t *use = &t->uses[word->at];
	if (*use >> 24 < TIMES_MAX)
		*use += 1u << 24;
}

static void
add_affix(struct cluster_terms *t, const char *text, size_t len, const char *mark)
{
	char affix[4 * AFFIX_CHARS + 2];
	struct cluster_term *word;
	int n = snprintf(affix, sizeof(affix), "%s%.*s", mark, (int)len, text);

	word = find_word(t, &(struct cluster_term){ .stem = affix, .len = (uint16_t)n,
		.kind = CLUSTER_TERM_AFFIX });
	if (word != NULL)
		add_use(t, word);
}

/* The first and the last letters of a word that has more of them. */
static void
add_affixes(struct cluster_terms *t, const char *folded, size_t len)
{
	size_t starts[AFFIX_CHARS] = { 0 }, n = 0, first = len;

	for (size_t i = 0; i < len; i++) {
		if (((unsigned char)folded[i] & 0xc0) == 0x80)
			continue;
		if (n == AFFIX_CHARS)
			first = i;
		starts[n++ % AFFIX_CHARS] = i;
	}
	if (n <= AFFIX_CHARS)
		return;
	add_affix(t, folded, first, "<");
	first = starts[n % AFFIX_CHARS];
	add_affix(t, folded + first, len - first, ">");
}

/* A number for the script of a letter; 0: Latin. */
static uint16_t
script_of(uint32_t cp)
{
	if (cp < SCRIPTS)
		return 0;
	if (cp >= 0x3040 && cp < 0x3100)
		return SCRIPT_KANA;
	if (cp >= 0x3400 && cp < 0xa000)
		return (uint16_t)lex_language("zh");
	return (uint16_t)(SCRIPT_OTHER + (cp >= 0xac00 && cp < 0xd800 ? 0xac : cp >> 8));
}

static void
note_language(struct cluster_terms *t, const struct word *w, enum cluster_word class)
{
	struct cluster_language_signs *s = &t->signs;
	const char *at = t->text + w->start, *end = t->text + w->end;
	enum unicode_class cls;
	uint32_t cp;

	unicode_next(at, end, &cp, &cls);
	uint16_t script = script_of(cp);
	if (script == SCRIPT_KANA || (script != 0 && s->script == 0))
		s->script = script;
	if (w->kind == WORD_CHAR)
		s->unspaced++;
	if (w->kind != WORD_PLAIN)
		return;
	s->n_words++;
	s->german += class == CLUSTER_WORD_STOP;
	s->english += w->stop && class != CLUSTER_WORD_STOP;
	for (; at + 1 < end; at++)             /* an umlaut or a sharp s */
		s->german += *at == '\xc3' &&
		    strchr("\xa4\xb6\xbc\x9f\x84\x96\x9c", at[1]) != NULL;
}

static int
take_word(void *arg, const struct word *w)
{
	struct cluster_terms *t = arg;
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t len = words_fold(t->text + w->start, MIN(w->end - w->start, WORDS_TERM_BYTES),
	    folded);
	enum cluster_word class = cluster_word_of(folded, len, t->lang);
	bool stop = w->stop || class == CLUSTER_WORD_STOP,
	     common = stop || class != CLUSTER_WORD_PLAIN || w->kind == WORD_NUMBER;
	struct cluster_term *word = find_word(t, &(struct cluster_term){ .stem = w->term,
		.len = w->len, .kind = w->kind, .stop = stop, .common = common });

	folded[len] = '\0';
	note_language(t, w, class);
	if (word == NULL)
		return 0;
	add_use(t, word);
	if (w->kind == WORD_PLAIN && !common)
		add_affixes(t, folded, len);
	return 0;
}

static uint16_t
language_of(const struct cluster_language_signs *s, unsigned lang)
{
	unsigned german = lex_language("de");

	if (s->script != 0 && (s->unspaced > 2 * s->n_words || s->english + s->german == 0))
		return s->script;
	if (lang != LEX_EN && lang != german)
		return (uint16_t)lang;
	return (uint16_t)(s->german > s->english ? german : LEX_EN);
}

void
cluster_terms_add(struct cluster_terms *t, const char *text, size_t len, const char *speaker)
{
	t->text = text;
	t->signs = (struct cluster_language_signs){ 0 };
	t->lang = lex_language_of(text, MIN(len, CLUSTER_TERMS_TEXT_BYTES));
	words_each(text, MIN(len, CLUSTER_TERMS_TEXT_BYTES), take_word, t);
	t->n++;
	xgrow(&t->starts, &t->cap_starts, t->n + 1, sizeof(*t->starts));
	t->starts[t->n] = (uint32_t)t->n_uses;
	xgrow(&t->manners, &t->cap_manners, t->n, sizeof(*t->manners));
	t->manners[t->n - 1] = language_of(&t->signs, t->lang) |
	    (speaker != NULL && *speaker != '\0' ? NAMED : 0);
}

unsigned
cluster_terms_manner(const struct cluster_terms *t, size_t text)
{
	return t->manners[text];
}

/* ---- vectors ---- */

static bool
is_column(const struct cluster_terms *t, const struct cluster_term *w)
{
	return !w->common && (t->n <= FEW || w->kind != CLUSTER_TERM_AFFIX);
}

/*
 * Words of two texts at least, of the most frequent ones: columns [n_words] a number or UINT32_MAX;
 * how many there are.
 */
static size_t
choose_columns(const struct cluster_terms *t, uint32_t *columns)
{
	FREED size_t *by_df = xcalloc(t->n + 2, sizeof(*by_df));
	size_t n = 0, least = t->n + 1, room = CLUSTER_TERMS_COLUMNS;

	for (size_t i = 0; i < t->n_words; i++)
		if (is_column(t, &t->words[i]))
			by_df[t->words[i].df]++;
	while (least > 2 && by_df[least - 1] <= room)
		room -= by_df[--least];
	for (size_t i = 0; i < t->n_words; i++) {
		bool is = is_column(t, &t->words[i]) && t->words[i].df >= least;
		columns[i] = is ? (uint32_t)n++ : UINT32_MAX;
	}
	return n;
}

static void
weigh_row(const struct cluster_terms *t, size_t text, const uint32_t *columns, uint32_t *out,
	float *values, uint32_t *n)
{
	double square = 0;
	uint32_t from = *n;

	for (uint32_t at = t->starts[text]; at < t->starts[text + 1]; at++) {
		uint32_t word = t->uses[at] & (CLUSTER_TERMS_WORDS - 1), times = t->uses[at] >> 24;
		if (columns[word] == UINT32_MAX)
			continue;
		out[*n] = columns[word];
		values[*n] = (float)(real_log(1 + times) *
		    real_log((double)t->n / t->words[word].df));
		square += (double)values[*n] * (double)values[*n];
		++*n;
	}
	for (uint32_t at = from; at < *n && square > 0; at++)
		values[at] = (float)((double)values[at] / sqrt(square));
}

float *
cluster_terms_vectors(const struct cluster_terms *t)
{
	float *v = xcalloc(t->n * CLUSTER_TERMS_DIMS + 1, sizeof(*v));
	FREED uint32_t *columns = xreallocarray(NULL, t->n_words + 1, sizeof(*columns));
	FREED uint32_t *starts = xreallocarray(NULL, t->n + 1, sizeof(*starts));
	FREED uint32_t *of = xreallocarray(NULL, t->n_uses + 1, sizeof(*of));
	uint32_t n = 0;
	FREED float *values = xreallocarray(NULL, t->n_uses + 1, sizeof(*values));
	struct sparse a = { starts, of, values, t->n, choose_columns(t, columns) };

	for (size_t i = 0; i < t->n; i++) {
		starts[i] = n;
		weigh_row(t, i, columns, of, values, &n);
	}
	starts[t->n] = n;
	lsa_reduce(&a, CLUSTER_TERMS_DIMS, v);
	for (size_t i = 0; i < t->n; i++)
		vec_unit(v + i * CLUSTER_TERMS_DIMS, CLUSTER_TERMS_DIMS);
	return v;
}
