/*
 * inflections.c: a question that is not in English is searched in all forms of its words.
 *
 * The index has each word as it was written, but for English endings: katze and katzen are two
 * terms. So the terms of the memory's vocabulary that begin like the stem of a word are read, and
 * those with the same stem in the question's language become other forms of it. Nothing is done for
 * a question in English, and nothing depends on what language a stored line is in.
 *
 * French and Italian tie articles to a word, and the tokenizer leaves them on it (lappartement), so
 * a word that begins with a vowel is looked for behind them, too.
 *
 * German writes compounds as one word. One that the memory has in no form is searched by its first
 * part and its last one, where the memory has these: Zitierstil by Stil, Zinssatz by Zins.
 *
 * Of 71 questions in German, Spanish, Italian and Russian, whose words are in another form than in
 * the answer, each among 8,000 to 20,000 lines of its language (tests/bench/languages.sh), nDCG@10
 * by words alone: .44 without this, .78 with it.
 */
#include "search/search_run.h"

#include "text/language.h"

#define WORDS_MOST    32           /* words of a question whose forms are sought */
#define FORMS_MOST    16           /* forms of a word; the most frequent of more */
#define STEM_LEAST    3            /* bytes; shorter stems are shared by too many words */
#define ELIDED_MOST   4
#define PART_LEAST    4            /* bytes of a part of a compound */
#define COMPOUND_MOST 32           /* bytes of a compound */
#define PART_WEIGHT   0.6f         /* of either part; one that is known alone counts as the whole */
#define WHOLE_WEIGHT  0.2f         /* of a compound whose parts are searched */

struct form {
	const char *term;
	uint8_t len;
	uint32_t df;
};

struct inflected {
	size_t term;                       /* of the question */
	char stem[WORDS_TERM_BYTES];
	size_t n_stem, n_begin;            /* all forms begin with the first n_begin bytes of it */
	/* that of a verb as who is asked about says it of himself: koch for kocht; 0: none */
	char own[WORDS_TERM_BYTES];
	size_t n_own;
	char whole[WORDS_TERM_BYTES];      /* the word, folded */
	size_t n_whole;
	/* the stem as the index has it, where it is a word itself: haus is hau there */
	char term_of_stem[WORDS_TERM_BYTES];
	size_t n_term_of_stem;
	struct form forms[FORMS_MOST];
	size_t n_forms;
	/* of a compound that the memory has in no form: the first part and the last one */
	struct form parts[2];
	size_t n_parts;
};

struct seeking {
	struct inflected *words;           /* [n] */
	size_t n;
	struct inflected *looking;         /* whose terms are read */
	size_t n_elided;                   /* bytes before its stem */
	struct stemmer *stemmer;
	struct arena *arena;
};

static bool
is(const char *a, size_t n_a, const char *b, size_t n_b)
{
	return n_a == n_b && memcmp(a, b, n_a) == 0;
}

static void
keep(struct seeking *s, struct inflected *w, const char *term, size_t len, uint32_t df)
{
	struct form *least = w->forms;

	for (size_t i = 0; i < w->n_forms; i++) {
		if (is(w->forms[i].term, w->forms[i].len, term, len)) {
			w->forms[i].df += df;
			return;
		}
		if (w->forms[i].df < least->df)
			least = &w->forms[i];
	}
	if (w->n_forms < FORMS_MOST)
		least = &w->forms[w->n_forms++];
	else if (least->df >= df)
		return;
	*least = (struct form){ arena_strndup(s->arena, term, len), (uint8_t)len, df };
}

static void
on_term(void *arg, const char *term, size_t len, uint32_t df)
{
	struct seeking *s = arg;
	struct inflected *w = s->looking;
	size_t skip = s->n_elided, n;
	const char *stem;

	if (len < skip + w->n_begin || memcmp(term + skip, w->stem, w->n_begin) != 0)
		return;
	stem = stemmer_stem(s->stemmer, term + skip, len - skip, &n);
	if (is(w->stem, w->n_stem, stem, n) || is(w->own, w->n_own, stem, n) ||
	    is(w->term_of_stem, w->n_term_of_stem, term + skip, len - skip))
		keep(s, w, term, len, df);
}

struct part { struct seeking *s; const char *term; size_t len; uint32_t df; };

static void
on_part(void *arg, const char *term, size_t len, uint32_t df)
{
	struct part *p = arg;

	if (is(p->term, p->len, term, len))
		p->df += df;
}

static int
on_part_word(void *arg, const struct word *as_indexed)
{
	struct part *p = arg;

	p->term = arena_strndup(p->s->arena, as_indexed->term, as_indexed->len);
	p->len = as_indexed->len;
	return 1;
}

/* *found: the memory has bytes [from, to) of the word at hand as a word; then they are a part. */
static int
find_part(struct run *r, struct seeking *s, size_t from, size_t to, bool *found, struct err *err)
{
	struct inflected *w = s->looking;
	struct part p = { s, NULL, 0, 0 };
	struct index_word word;
	struct index_wants wants = { .prefixes = &word, .n_prefixes = 1 };

	words_each(w->whole + from, to - from, on_part_word, &p);
	if (p.len < STEM_LEAST)
		return 0;
	word = (struct index_word){ p.term, p.len };
	if (index_want(r->s->index, &wants, err) < 0 ||
	    index_terms(r->s->index, p.term, p.len, on_part, &p, err) < 0)
		return -1;
	*found = p.df > 0;
	if (*found)
		w->parts[w->n_parts++] = (struct form){ p.term, (uint8_t)p.len, p.df };
	return 0;
}

/* The longest first part of a word that the memory does not have, and the longest last one. */
static int
find_parts(struct run *r, struct seeking *s, struct err *err)
{
	size_t n = s->looking->n_whole;
	bool first = false, last = false;

	if (n > COMPOUND_MOST)
		return 0;
	for (size_t at = n; at-- > PART_LEAST && !first;)
		if (at + PART_LEAST <= n && find_part(r, s, 0, at, &first, err) < 0)
			return -1;
	for (size_t at = STEM_LEAST; at + PART_LEAST <= n && !last; at++)
		if (find_part(r, s, at, n, &last, err) < 0)
			return -1;
	return 0;
}

/* Appends the beginning of the word's terms, behind what may be tied to it. */
static size_t
begin(const struct inflected *w, const char *elided, char *out)
{
	size_t n = MIN(strlen(elided), WORDS_TERM_BYTES - w->n_begin);

	memcpy(out, elided, n);
	memcpy(out + n, w->stem, w->n_begin);
	return n + w->n_begin;
}

/* The beginnings of all terms that may be a form of the word, and how many bytes are tied to it. */
static size_t
beginnings(const struct inflected *w, unsigned l, char out[][WORDS_TERM_BYTES],
	struct index_word *words, size_t *n_elided)
{
	const char *elided = "";
	size_t n = 0;

	for (int i = 0; elided != NULL && i <= ELIDED_MOST; elided = language_elided(l, i++)) {
		if (i > 0 && strchr("aeiouyh", w->stem[0]) == NULL)
			break;
		words[n] = (struct index_word){ out[n], begin(w, elided, out[n]) };
		n_elided[n] = words[n].len - w->n_begin;
		n++;
	}
	return n;
}

static int
find_forms(struct run *r, struct seeking *s, unsigned l, struct err *err)
{
	char texts[ELIDED_MOST + 1][WORDS_TERM_BYTES];
	struct index_word words[ELIDED_MOST + 1];
	size_t n_elided[ELIDED_MOST + 1];
	struct index_wants wants = { .prefixes = words };

	for (size_t i = 0; i < s->n; i++) {
		s->looking = &s->words[i];
		wants.n_prefixes = beginnings(s->looking, l, texts, words, n_elided);
		if (index_want(r->s->index, &wants, err) < 0)
			return -1;
		for (size_t k = 0; k < wants.n_prefixes; k++) {
			s->n_elided = n_elided[k];
			if (index_terms(r->s->index, words[k].text, words[k].len, on_term, s,
				err) < 0)
				return -1;
		}
		if (lex_label(LEX_COMPOUNDS, l, 0) != NULL && s->looking->n_forms == 0 &&
		    find_parts(r, s, err) < 0)
			return -1;
	}
	return 0;
}

static int
on_stem(void *arg, const struct word *as_indexed)
{
	struct inflected *w = arg;

	w->n_term_of_stem = as_indexed->len;
	memcpy(w->term_of_stem, as_indexed->term, as_indexed->len);
	return 1;
}

/* The words whose forms are sought, with their stems. */
static void
take_words(struct run *r, struct seeking *s)
{
	const struct question *q = &r->s->question;
	const char *third = q->n_speakers > 0 ? lex_label(LEX_THIRD_PERSON, q->language, 0) : NULL;
	char word[WORDS_TERM_BYTES];
	const char *stem;
	size_t len;

	for (size_t i = 0; i < q->n_terms && s->n < WORDS_MOST; i++) {
		const struct question_term *t = &q->terms[i];
		struct inflected *w = &s->words[s->n];

		if (t->kind != WORD_PLAIN || t->stop || t->name || t->time || t->end > r->q->len ||
		    t->end == t->start || (len = language_fold(q->language,
		    r->q->text + t->start, t->end - t->start, word)) == 0)
			continue;
		*w = (struct inflected){ .term = i, .n_whole = len };
		memcpy(w->whole, word, len);
		stem = stemmer_stem(s->stemmer, word, len, &w->n_stem);
		if (w->n_stem < STEM_LEAST || w->n_stem > sizeof(w->stem))
			continue;
		memcpy(w->stem, stem, w->n_stem);
		words_each(w->stem, w->n_stem, on_stem, w);
		if (third != NULL && len > STEM_LEAST && word[len - 1] == *third) {
			stem = stemmer_stem(s->stemmer, word, len - 1, &w->n_own);
			memcpy(w->own, stem, w->n_own);
		}
		/* a stem may end in another letter than its word */
		w->n_begin = MAX((w->n_own > 0 ? MIN(w->n_own, w->n_stem) : w->n_stem) - 1,
		    (size_t)STEM_LEAST);
		s->n++;
	}
}

/* Puts the parts of a compound into the question, where they stand for most of it. */
static void
add_parts(struct question *q, const struct inflected *w)
{
	for (size_t i = 0; i < w->n_parts; i++)
		question_guess(q, w->term, w->parts[i].term, w->parts[i].len,
		    w->n_parts == 1 ? 1 : PART_WEIGHT);
	q->terms[w->term].weight *= WHOLE_WEIGHT;
}

/* Adds the forms to the question, and declares that their lists will be read. */
static int
add_forms(struct run *r, const struct seeking *s, struct err *err)
{
	struct question *q = &r->s->question;
	struct index_word words[QUESTION_FORMS];
	struct index_wants wants = { .words = words };

	for (size_t i = 0; i < s->n; i++) {
		if (s->words[i].n_parts > 0)
			add_parts(q, &s->words[i]);
		for (size_t k = 0; k < s->words[i].n_forms; k++) {
			const struct form *f = &s->words[i].forms[k];
			if (question_form(q, s->words[i].term, f->term, f->len))
				words[wants.n_words++] = (struct index_word){ f->term, f->len };
		}
	}
	return index_want(r->s->index, &wants, err);
}

int
search_inflections(struct run *r, struct err *err)
{
	unsigned l = r->s->question.language;
	struct seeking s = { .arena = &r->s->arena, .stemmer = stemmer_new(l) };
	int rc;

	if (s.stemmer == NULL)
		return 0;
	s.words = arena_alloc(s.arena, WORDS_MOST * sizeof(*s.words));
	take_words(r, &s);
	if ((rc = find_forms(r, &s, l, err)) == 0)
		rc = add_forms(r, &s, err);
	stemmer_free(s.stemmer);
	return rc;
}
