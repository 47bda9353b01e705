/*
 * later.c: a turn is of the matter of a text when it has words of it that few turns have, and these
 * are enough of what tells something in either.
 */
#include "search/later.h"

#include "lexicon/unicode.h"
#include "search/search.h"
#include "statement/sentence.h"
#include "text/language.h"

#define WORDS   24             /* of the text that are looked up */

/* What a turn must share with the text: rarities of words (search/mention.h), shares of either. */
#define RARE    0.55f          /* of a word that counts */
#define SURE    0.65f          /* of the rarest */
#define ALONE   0.7f           /* of it, where it is the only one */
#define OF_ITEM 0.2f           /* share of what tells something in the text, */
#define NAMED   0.15f          /* or with a name or a figure this share */
#define OF_TURN 0.05f          /* and of the words of the turn; */
#define SAME    0.8f           /* or the rarity of the rarest of two, */
#define LITTLE  0.1f           /* and this share of the text */
#define MUCH    0.25f          /* and that of the turn: it is of nothing else */

struct thing {
	const char *text;
	struct index_words words;
	float rarity[WORDS];
	bool named[WORDS];         /* a name or a figure */
	bool weak[WORDS];          /* no tie alone: a small number, a year, "lol" */
	float all;                 /* of all words that others have, too */
};

/* Kana that are no loan words are endings and particles. */
static bool
is_hiragana(const char *p)
{
	unsigned cp = ((unsigned)p[0] & 0xf) << 12 | ((unsigned)p[1] & 0x3f) << 6 |
	    ((unsigned)p[2] & 0x3f);

	return cp >= 0x3040 && cp < 0x30a0;
}

/* Whether a word may name something. The index has function words of all languages as others. */
static bool
names(const char *text, const struct word *w)
{
	char folded[WORDS_TERM_BYTES];
	size_t n;

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR ||
	    (w->kind == WORD_PAIR && w->len == 6 &&
		(is_hiragana(w->term) || is_hiragana(w->term + 3))))
		return false;
	n = language_fold(LEX_EN, text + w->start, w->end - w->start, folded);
	return !lex_word(folded, n, LEX_FUNCTION, LEX_ANY, NULL) &&
	    !lex_word(folded, n, LEX_VAGUE, LEX_ANY, NULL);
}

/* A figure, an identifier, or a word with a capital letter that does not begin the text. */
static bool
is_named(const char *text, const struct word *w)
{
	enum unicode_class class;
	uint32_t cp;

	unicode_next(text + w->start, text + w->end, &cp, &class);
	return w->kind == WORD_NUMBER || w->kind == WORD_WHOLE ||
	    (class == UNICODE_UPPER && w->start > 0);
}

/* Whether two texts may have the word by chance: "89", "2027", "years", "lol". */
static bool
is_weak(const char *text, const struct word *w)
{
	char folded[WORDS_TERM_BYTES];
	size_t n = language_fold(LEX_EN, text + w->start, w->end - w->start, folded);

	if (w->kind == WORD_NUMBER)
		return w->len < 4 || (w->len == 4 &&
		    (memcmp(w->term, "19", 2) == 0 || memcmp(w->term, "20", 2) == 0));
	return lex_word(folded, n, LEX_TALK_WORD, LEX_ANY, NULL) ||
	    lex_word(folded, n, LEX_SPAN, LEX_ANY, NULL);
}

static int
on_word(void *arg, const struct word *w)
{
	struct thing *of = arg;
	size_t n = of->words.n;

	if (!names(of->text, w))
		return 0;
	of->named[n] = is_named(of->text, w);
	of->weak[n] = is_weak(of->text, w);
	return !index_words_add(&of->words, w->term, w->len);
}

/* What a later turn has of the text. */
struct shared {
	const struct thing *of;
	const char *text;
	bool seen[WORDS];
	size_t n_words, n;         /* of the turn; those that are rare and of the text, too */
	float sum, rarest;         /* of their rarities, squared; of them */
	bool named, weak;          /* one is a name or a figure; the last of them is weak */
	struct word_place *places; /* [n_places], of these */
	size_t n_places;
};

static int
on_later(void *arg, const struct word *w)
{
	struct shared *s = arg;
	float rarity;
	size_t i;

	if (!names(s->text, w))
		return 0;
	s->n_words++;
	i = index_words_place(&s->of->words, w->term, w->len);
	rarity = i < s->of->words.n ? s->of->rarity[i] : 0;
	if (rarity < RARE)
		return 0;
	if (s->n_places < LATER_PLACES)
		s->places[s->n_places++] = (struct word_place){ w->start, (uint16_t)i, rarity };
	if (s->seen[i])
		return 0;
	s->seen[i] = true;
	s->n++;
	s->sum += rarity * rarity;
	s->rarest = MAX(s->rarest, rarity);
	s->named |= s->of->named[i];
	s->weak = s->of->weak[i];
	return 0;
}

/* Whether the turn is of the matter of the text. */
static bool
is_of_it(const struct shared *s)
{
	float of_text = s->sum / s->of->all, of_turn = (float)s->n / (float)s->n_words;

	if (s->n == 0 || (s->n == 1 && (s->weak || !s->named)) ||
	    s->rarest < (s->n > 1 ? SURE : ALONE))
		return false;
	return (of_text >= (s->named ? NAMED : OF_ITEM) && of_turn >= OF_TURN) ||
	    (s->n > 1 && s->rarest >= SAME && of_text >= LITTLE && of_turn >= MUCH);
}

int
later_find(const struct later_want *w, struct later *out, size_t *n, struct err *err)
{
	struct thing of = { .text = arena_strndup(w->arena, w->text, w->len), .words = {
		arena_alloc(w->arena, WORDS * sizeof(*of.words.of)), 0, WORDS, w->arena } };
	struct mention_want want = { .store = w->store, .index = w->index, .who = w->who,
		.anywhere = true, .after = w->after, .most = LATER_MOST, .rarity = of.rarity };
	const struct message *found[LATER_MOST];
	size_t n_found;

	*n = 0;
	words_each(of.text, w->len, on_word, &of);
	want.words = of.words.of;
	want.n = of.words.n;
	if (want.n == 0)
		return 0;
	if (mentions_find(&want, w->arena, found, &n_found, NULL, err) != 0)
		return -1;
	/* a word that no other turn has tells nothing of others */
	for (size_t i = 0; i < want.n; i++)
		of.all += of.rarity[i] < 1 ? of.rarity[i] * of.rarity[i] : 0;
	for (size_t i = 0; i < n_found; i++) {
		const struct message *m = found[i];
		struct shared s = { .of = &of, .text = m->content, .places = out[*n].places };

		if (!search_is_earlier(w->after, m) || sentence_asks(m->content, m->content_len))
			continue;
		words_each(m->content, m->content_len, on_later, &s);
		out[*n].m = m;
		out[*n].sum = s.sum;
		out[*n].n_places = s.n_places;
		*n += is_of_it(&s);
	}
	return 0;
}
