/*
 * changed.c: no word for a change is looked for, as people have too many of them: "never again",
 * "Jonas says 50 is too much, so 48". A later turn of the same matter names it by rare words; both
 * are told, and who reads them sees which is newer.
 */
#include "context/changed.h"

#include "context/context_text.h"
#include "context/excerpt.h"
#include "lexicon/unicode.h"
#include "search/mention.h"
#include "search/search.h"
#include "statement/sentence.h"
#include "text/language.h"

#define ITEMS   3              /* of a block that are looked at */
#define MOST    2              /* turns behind an item */
#define WORDS   24             /* of an item that are looked up */
#define FURTHER 24             /* turns that have some of them */
#define BEFORE  6              /* turns among which the question of an answer is sought */
#define PLACES  64             /* of shared words in a turn */

/* What a turn must share with the item: rarities of words (search/mention.h), shares of either. */
#define RARE    0.55f          /* of a word that counts */
#define SURE    0.65f          /* of the rarest */
#define ALONE   0.7f           /* of it, where it is the only one */
#define OF_ITEM 0.2f           /* share of what tells something in the item, */
#define NAMED   0.15f          /* or with a name or a figure this share */
#define OF_TURN 0.05f          /* and of the words of the turn; */
#define SAME    0.8f           /* or the rarity of the rarest of two, */
#define LITTLE  0.1f           /* and this share of the item */
#define MUCH    0.25f          /* and that of the turn: it is of nothing else */
#define NEAR    0.4f           /* of two turns, the share of the first one's */

struct item {
	const struct message *m, *before;
	const char *text;          /* NULL: it says nothing that may be changed */
	struct index_words words;
	float rarity[WORDS];
	bool named[WORDS];         /* a name or a figure */
	float all;                 /* of all words */
};

/* ---- words ---- */

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
	return !lex_word(folded, n, LEX_FUNCTION, LEX_ANY, NULL);
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

static int
on_word(void *arg, const struct word *w)
{
	struct item *of = arg;
	size_t n = of->words.n;

	if (!names(of->text, w))
		return 0;
	of->named[n] = is_named(of->text, w);
	return !index_words_add(&of->words, w->term, w->len);
}

/* What a later turn has of the item. */
struct shared {
	const struct item *of;
	const char *text;
	bool seen[WORDS];
	size_t n_words, n;         /* of the turn; those that are rare and of the item, too */
	float sum, rarest;         /* of their rarities, squared; of them */
	bool named;                /* one is a name or a figure */
	struct context_place places[PLACES];
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
	if (s->n_places < PLACES)
		s->places[s->n_places++] = (struct context_place){ w->start, (uint16_t)i, rarity };
	if (s->seen[i])
		return 0;
	s->seen[i] = true;
	s->n++;
	s->sum += rarity * rarity;
	s->rarest = MAX(s->rarest, rarity);
	s->named |= s->of->named[i];
	return 0;
}

/* Whether the turn is of the matter of the item. */
static bool
is_of_it(const struct shared *s)
{
	float of_item = s->sum / s->of->all, of_turn = (float)s->n / (float)s->n_words;

	if (s->n == 0 || s->rarest < (s->n > 1 ? SURE : ALONE))
		return false;
	return (of_item >= (s->named ? NAMED : OF_ITEM) && of_turn >= OF_TURN) ||
	    (s->n > 1 && s->rarest >= SAME && of_item >= LITTLE && of_turn >= MUCH);
}

/* ---- turns ---- */

/* Whether the turn may be told as a later word; asking says nothing. */
static bool
may_tell(const struct changes_want *w, const struct item *of, const struct message *m)
{
	return search_is_earlier(of->m, m) && !sentence_asks(m->content, m->content_len) &&
	    (w->leaves_out == NULL || !w->leaves_out(w->arg, m));
}

/* Adds a short turn whole, of a long one what is around the words. */
static void
tell(struct context *block, const struct message *m, const struct shared *s)
{
	struct excerpt e = excerpt_opening(m);

	if (context_has(block, m))
		return;
	if (!e.code)
		context_excerpt(m->content, m->content_len, s->places, s->n_places,
		    CONTEXT_TURN_CHARS, &e.start, &e.len);
	context_add(block, &(struct context_piece){ m, e.start, e.len,
		e.code, false }, UINT64_MAX);
}

/* Adds the turn behind an item that has most of it, and the next one that has nearly as much. */
static int
add_later(const struct changes_want *w, struct index **index, struct context *block,
	struct item *of, struct err *err)
{
	struct mention_want want = { .store = w->store, .index = index, .who = w->who,
		.anywhere = true, .after = of->m, .most = FURTHER, .rarity = of->rarity };
	const struct message *found[FURTHER];
	size_t n, told = 0;
	float least = 0;

	words_each(of->text, strlen(of->text), on_word, of);
	want.words = of->words.of;
	want.n = of->words.n;
	if (want.n == 0)
		return 0;
	if (mentions_find(&want, w->arena, found, &n, NULL, err) != 0)
		return -1;
	for (size_t i = 0; i < want.n; i++)
		of->all += of->rarity[i] * of->rarity[i];
	for (size_t i = 0; i < n && told < MOST; i++) {
		struct shared s = { .of = of, .text = found[i]->content };

		if (!may_tell(w, of, found[i]))
			continue;
		words_each(found[i]->content, found[i]->content_len, on_later, &s);
		if (!is_of_it(&s) || s.sum < least)
			continue;
		tell(block, found[i], &s);
		told++;
		least = NEAR * s.sum;
	}
	return 0;
}

/* ---- items ---- */

/* The callback of messages_around: what a user said last before the item. */
static int
on_before(void *arg, const struct message *m)
{
	struct item *of = arg;

	if (m->role == ROLE_USER && m->row < of->m->row)
		of->before = context_keep(m, of->words.a);
	return 0;
}

static bool
is_hit(const struct changes_hits *hits, const struct message *m)
{
	size_t i = 0;

	while (hits != NULL && i < hits->n && hits->of[i] != m)
		i++;
	return hits == NULL || i < hits->n;
}

/*
 * The text of the item that may be changed: where an assistant answers to what a user said, that;
 * where it answers a question, what it says.
 */
static int
read_item(const struct changes_want *w, const struct context *block, size_t i, struct item *of,
	struct err *err)
{
	size_t len;
	const char *text = context_item_text(block, i, &len);

	*of = (struct item){ .m = context_item(block, i), .words = { arena_alloc(w->arena,
		WORDS * sizeof(*of->words.of)), 0, WORDS, w->arena } };
	if (of->m->role == ROLE_TOOL || of->m->role == ROLE_DOCUMENT || sentence_asks(text, len) ||
	    !is_hit(w->hits, of->m))
		return 0;
	if (of->m->role == ROLE_ASSISTANT && of->m->row > 0 &&
	    messages_around(w->store, &w->who, of->m->row, BEFORE, 0, on_before, of, err) < 0)
		return -1;
	const struct message *u = of->before;
	if (u == NULL || sentence_asks(u->content, u->content_len))
		of->text = arena_strndup(w->arena, text, len);
	else if (!context_has(block, u))
		of->text = u->content;
	return 0;
}

int
changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err)
{
	size_t n = w->store != NULL ? block->n : from, looked = 0;
	struct index *index = NULL;
	struct item of;
	int rc = 0;

	for (size_t i = from; i < n && looked < ITEMS && rc == 0; i++) {
		rc = read_item(w, block, i, &of, err);
		if (rc == 0 && of.text != NULL)
			rc = add_later(w, &index, block, &of, err);
		looked += of.text != NULL;
	}
	index_free(index);
	return rc;
}

void
changes_hit(struct changes_hits *hits, const struct message *m)
{
	if (hits->n < NELEM(hits->of) && m->role != ROLE_TOOL)
		hits->of[hits->n++] = m;
}
