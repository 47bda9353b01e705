/*
 * conversation_terms.c: cuts turns into words, whose stems are numbered over all turns.
 *
 * Words are those of the search (text/words.h); of an identifier the whole, of a hyphened word each
 * part. Chinese has no spaces: a run of characters is cut at particles, pronouns, question words
 * and frequent verbs, and what lies between is taken as a word. That is often two words together,
 * which is good enough, as the run is carried over unchanged.
 */
#include "followup/conversation_terms.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "text/language.h"

#define SLOTS (2 * CONVERSATION_TERMS)

void
conversation_start(struct conversation *t, struct arena *a)
{
	memset(t, 0, sizeof(*t));
	t->arena = a;
	t->terms = arena_alloc(a, CONVERSATION_TERMS * sizeof(*t->terms));
	t->slots = arena_zalloc(a, SLOTS * sizeof(*t->slots));
}

/*
 * Returns the number of a term, adding it if it is new; CONVERSATION_TERMS when there are too many.
 */
static uint32_t
number_of(struct conversation *t, const char *text, size_t len)
{
	uint64_t hash = hash64(text, len, 0);
	size_t i = (size_t)hash % SLOTS;

	for (; t->slots[i] != 0; i = (i + 1) % SLOTS) {
		const struct conversation_term *at = &t->terms[t->slots[i] - 1];
		if (at->hash == hash && at->len == len && memcmp(at->text, text, len) == 0)
			return t->slots[i] - 1;
	}
	if (t->n_terms == CONVERSATION_TERMS)
		return CONVERSATION_TERMS;
	t->terms[t->n_terms] =
	    (struct conversation_term){ arena_strndup(t->arena, text, len), (uint32_t)len, hash };
	t->slots[i] = (uint32_t)++t->n_terms;
	return t->slots[i] - 1;
}

/* The languages whose words count in a turn, by LEX_IN. */
static unsigned
langs_of(const struct conversation_turn *turn)
{
	unsigned langs = lex_counting(turn->lang) | LEX_IN(lex_language("xx"));

	/* a talk may have both, and each turn is the one or the other by its words */
	if (turn->lang == LEX_EN || turn->lang == lex_language("de"))
		langs |= LEX_IN(LEX_EN) | LEX_IN(lex_language("de"));
	return langs;
}

/* ---- reading ---- */

struct reader {
	struct conversation *t;
	struct conversation_turn *turn;
	size_t cap;
	unsigned langs;            /* whose words count */
	uint32_t last;             /* position of the last whole identifier or word */
	bool any;
	uint32_t han_start, han_end;
};

static void
add_word(struct reader *r, const char *term, size_t len, uint32_t start, uint32_t end,
	unsigned flags, classes found)
{
	struct conversation_turn *turn = r->turn;
	uint32_t number = number_of(r->t, term, len);
	struct conversation_word *w = &turn->words[turn->n];

	if (turn->n == r->cap || number == CONVERSATION_TERMS)
		return;
	turn->n++;
	*w = (struct conversation_word){ number, start, end, 0, (uint16_t)flags, found };
}

/* What Chinese is not cut at, as it is part of a name or a thing. */
#define INSIDE \
	(CLASS(SURNAME) | CLASS(NAME_END) | CLASS(PLACE_END) | CLASS(MAN) | CLASS(WOMAN) | \
	    CLASSES_NAMES)

/* The classes of a word of a script without spaces. */
static classes
han_classes(const char *p, size_t len)
{
	return lex_classes(p, len, LEX_IT, LEX_A_MONTH, LEX_ANY);
}

/* Returns the length of the longest word at p where the text is cut; 0: none. */
static size_t
cut_at(const char *p, size_t len, classes *found)
{
	for (size_t n = MIN(len, 15) / 3 * 3; n > 0; n -= 3)
		if ((*found = han_classes(p, n)) & ~INSIDE)
			return n;
	*found = 0;
	return 0;
}

/* Returns the length of the character at p when it has the class, else 0. */
static size_t
one_of(enum lex class, const char *p, size_t len)
{
	return len >= 3 && (unsigned char)*p >= 0xe3 && lex_word(p, 3, class, LEX_ANY, NULL)
	    ? 3 : 0;
}

/*
 * Returns the length of a demonstrative or numerals, or both, with a classifier; 0: there is none.
 */
static size_t
count_at(const char *p, size_t len)
{
	size_t n = one_of(LEX_POINTER, p, len), step;

	while ((step = one_of(LEX_COUNT_NUMERAL, p + n, len - n)) > 0)
		n += step;
	step = n > 0 ? one_of(LEX_CLASSIFIER, p + n, len - n) : 0;
	return step > 0 ? n + step : 0;
}

/* Adds what lies between two cuts; its classes are those of its beginning and its end. */
static void
add_piece(struct reader *r, uint32_t from, uint32_t to)
{
	const char *p = r->turn->text + from;
	classes found = han_classes(p, 3) & CLASS(SURNAME);

	for (size_t n = 3; n <= 6 && n <= to - from; n += 3)
		found |= han_classes(p + (to - from) - n, n) & INSIDE & ~CLASS(SURNAME);
	if (to - from > 12 && !(found & CLASS(NAME_END)))
		found &= ~CLASS(SURNAME);
	if (!(found & CLASS(SURNAME)) || to - from > 9)
		found &= ~CLASSES_NAMES;
	add_word(r, p, to - from, from, to, CONVERSATION_HAN, found);
}

/* Cuts the run of Chinese that has just ended into words. */
static void
end_han(struct reader *r)
{
	const char *text = r->turn->text;
	uint32_t from = r->han_start, at = from;

	while (at < r->han_end) {
		classes found;
		size_t n = cut_at(text + at, r->han_end - at, &found), step;
		size_t counted = count_at(text + at, r->han_end - at);
		uint32_t cp;

		if (counted > n) {
			n = counted;
			found |= han_classes(text + at, 3);
		}
		if (n > 0 && counted <= n && (found & CLASS(KEEP))) {
			at += (uint32_t)n;
			continue;
		}
		if (n == 0) {
			step = utf8_decode(text + at, text + r->han_end, &cp);
			at += step > 0 ? (uint32_t)step : 1;
			continue;
		}
		if (at > from)
			add_piece(r, from, at);
		add_word(r, text + at, n, at, at + (uint32_t)n,
		    CONVERSATION_HAN | CONVERSATION_STOP, found);
		at += (uint32_t)n;
		from = at;
	}
	if (at > from)
		add_piece(r, from, at);
	r->han_start = r->han_end = 0;
}

/* Returns the end of the word without its possessive 's. */
static uint32_t
bare_end(const char *text, uint32_t start, uint32_t end)
{
	if (end - start > 2 && (text[end - 1] == 's' || text[end - 1] == 'S')) {
		if (text[end - 2] == '\'')
			return end - 2;
		if (end - start > 4 && memcmp(text + end - 4, "\xe2\x80\x99", 3) == 0)
			return end - 4;
	}
	return end;
}

static int
read_word(void *arg, const struct word *w)
{
	struct reader *r = arg;
	const char *text = r->turn->text;
	uint32_t end = bare_end(text, w->start, w->end);
	unsigned flags = 0;
	classes found;
	char fold[WORDS_TERM_BYTES];
	size_t fold_len;
	bool upper = text[w->start] >= 'A' && text[w->start] <= 'Z';

	if (w->kind == WORD_CHAR) {
		if (w->start != r->han_end)
			end_han(r);
		if (r->han_end == 0)
			r->han_start = w->start;
		r->han_end = w->end;
		return 0;
	}
	if (w->kind == WORD_PAIR || w->kind == WORD_SYMBOL ||
	    (w->kind == WORD_PART && r->any && w->position == r->last))
		return 0;
	end_han(r);
	r->any = true;
	r->last = w->position;
	found = r->turn->foreign ? 0 : lex_stem_classes(w->term, w->len, LEX_IT, LEX_A_MONTH);
	fold_len = language_fold(r->turn->lang, text + w->start, end - w->start, fold);
	found |= lex_classes(fold, fold_len, LEX_IT, LEX_A_MONTH, r->langs);
	if (r->turn->foreign && lex_word(fold, fold_len, LEX_FUNCTION, LEX_IN(r->turn->lang), NULL))
		found |= CLASS(FOREIGN);
	if (!upper)                        /* "may", "mark" */
		found &= ~(CLASS(A_MONTH) | CLASSES_NAMES);
	if (found & CLASS(A_MONTH))
		found |= CLASS(A_DAY);
	if (w->stop)
		flags |= CONVERSATION_STOP;
	if (w->kind == WORD_NUMBER)
		flags |= CONVERSATION_NUMBER;
	if (w->kind == WORD_WHOLE)
		flags |= CONVERSATION_CODE;
	if (upper)
		flags |= CONVERSATION_LATIN_CAPITAL;
	add_word(r, w->term, w->len, w->start, end, flags, found);
	return 0;
}

/* Whether w is a number that begins an item of a list: "2. the other", "3) the last". */
static bool
is_enumerator(const struct conversation_turn *turn, const struct conversation_word *w)
{
	return (w->flags & CONVERSATION_NUMBER) && w->end - w->start <= 2 && w->end < turn->len &&
	    strchr(".)", turn->text[w->end]) != NULL &&
	    (w->start == 0 || strchr(" \n\t(", turn->text[w->start - 1]) != NULL) &&
	    (w->end + 1 == turn->len || strchr(" \t", turn->text[w->end + 1]) != NULL);
}

/*
 * Of a turn in English or German, whether it is German: more of its words are function words of
 * German than of English. A turn with neither is as the one before it.
 */
static bool
is_german(const struct conversation_turn *turn, bool before)
{
	int n = 0, seen = 0;

	for (size_t i = 0; i < turn->n; i++) {
		int german = (turn->words[i].classes & CLASS(FOREIGN)) != 0,
		    english = (turn->words[i].flags & CONVERSATION_STOP) != 0;

		n += german - english;
		seen += german + english;
	}
	return seen == 0 ? before : n > 0;
}

/* Makes function words of those of the turn's language. In German a thing has a capital. */
static void
set_language(struct conversation_turn *turn)
{
	for (size_t i = 0; i < turn->n; i++) {
		struct conversation_word *w = &turn->words[i];

		if (w->flags & CONVERSATION_HAN)
			continue;
		if (turn->foreign)
			w->flags &= (uint16_t)~CONVERSATION_STOP;
		if ((turn->foreign && (w->classes & CLASS(FOREIGN))) || (w->classes & CLASS(ASIDE)))
			w->flags |= CONVERSATION_STOP;
		if (!turn->foreign && (w->classes & CLASS(FOREIGN)) &&
		    !(w->flags & CONVERSATION_STOP))
			w->classes &= CLASS(LIGHT) | CLASS(VERB) | CLASS(RELATION) |
			    CLASS(A_DAY) | CLASS(KIN) | CLASSES_NAMES;
		if (!turn->german || (w->flags & (CONVERSATION_LATIN_CAPITAL | CONVERSATION_CODE |
		    CONVERSATION_NUMBER)))
			continue;
		w->classes |= CLASS(LIGHT);
		/* an adjective stands behind an article, all else is as good as a function word */
		if (i == 0 || !(w[-1].classes & CLASS(DETERMINER)))
			w->flags |= CONVERSATION_STOP;
	}
}

/*
 * Sets what depends on neighbours: first words of sentences, capitals inside them, verbs behind
 * their subjects, and runs of words that stand side by side.
 */
static void
set_flags(struct conversation_turn *turn)
{
	bool first = true;
	uint32_t end = 0;

	for (size_t i = 0; i < turn->n; i++) {
		struct conversation_word *w = &turn->words[i], *before = i > 0 ? w - 1 : NULL;

		if (is_enumerator(turn, w))
			w->flags |= CONVERSATION_STOP | CONVERSATION_ITEM;
		bool side = before != NULL && !((before->flags | w->flags) & CONVERSATION_STOP);

		for (uint32_t k = end; k < w->start; k++) {
			char c = turn->text[k];
			/* a bullet at the beginning of a line */
			if (strchr("-*", c) != NULL && (k == 0 || turn->text[k - 1] == '\n') &&
			    k + 2 == w->start)
				w->flags |= CONVERSATION_ITEM;
			if (c == '.' || c == '?' || c == '!' || c == '\n')
				first = true;
			if (c != ' ' && c != '-' && !(c == '.' && k + 1 == w->start))
				side = false;
		}
		/* "Mrs. Haller" is one sentence */
		if (first && before != NULL && (before->classes & CLASS(TITLE)) &&
		    w->start - before->end <= 2 && before->end - before->start <= 5)
			first = false, side = true;
		if (first)
			w->flags |= CONVERSATION_FIRST;
		else if (w->flags & CONVERSATION_LATIN_CAPITAL)
			w->flags |= CONVERSATION_CAPITAL;
		if (before != NULL && !first && (before->classes & CLASS(SUBJECT)) &&
		    !turn->foreign)
			w->classes |= CLASS(VERB);
		if (!side && !(w->flags & CONVERSATION_STOP))
			turn->n_runs++;
		w->run = (uint16_t)turn->n_runs;
		turn->n_content += !(w->flags & CONVERSATION_STOP);
		first = false;
		end = MAX(end, w->end);
	}
}

/*
 * The language of a turn behind one in another. "Dell" is also a word of Italian: two words that
 * English does not have are needed.
 */
static unsigned
language_of(const char *text, size_t len, unsigned before)
{
	unsigned lang = lex_language_or(text, len, before), n = 0;
	struct lex_token t;

	for (size_t at = 0; lang != before && n < 2 && lex_next(text, len, at, &t); at = t.end)
		n += lex_is(&t, LEX_FUNCTION, LEX_IN(lang), NULL) &&
		    !lex_is(&t, LEX_STOP, LEX_IN(LEX_EN), NULL);
	return lang == LEX_EN || n == 2 ? lang : before;
}

static size_t
clip_chars(const char *text, size_t len, size_t n_chars)
{
	size_t at = 0;
	uint32_t cp;

	for (; at < len && n_chars > 0; n_chars--)
		at += MAX(utf8_decode(text + at, text + len, &cp), 1);
	return MIN(at, len);
}

struct conversation_turn *
conversation_add(struct conversation *t, enum conversation_role role, const char *text, size_t len)
{
	struct reader r = { .t = t };

	if (t->n == NELEM(t->turns))
		return NULL;
	struct conversation_turn *turn = &t->turns[t->n++];
	*turn = (struct conversation_turn){ .role = role,
		.text = text,
		.len = clip_chars(text, len, CONVERSATION_TURN_CHARS) };
	struct conversation_turn *before = t->n > 1 ? turn - 1 : NULL;
	turn->lang = language_of(text, turn->len, before != NULL ? before->lang : LEX_EN);
	turn->foreign = turn->lang != LEX_EN && turn->lang != lex_language("de");
	r.turn = turn;
	r.langs = langs_of(turn);
	r.cap = turn->len / 2 + 2;
	turn->words = arena_alloc(t->arena, r.cap * sizeof(*turn->words));
	words_each(text, turn->len, read_word, &r);
	end_han(&r);
	if (!turn->foreign) {
		turn->german = is_german(turn, before != NULL && before->german);
		turn->foreign = turn->german;
		turn->lang = turn->german ? lex_language("de") : LEX_EN;
	}
	set_language(turn);
	set_flags(turn);
	while (len > 0 && strchr(" \t\r\n\"')", text[len - 1]) != NULL)
		len--;
	turn->asks = (len > 0 && text[len - 1] == '?') ||
	    (len >= 3 && memcmp(text + len - 3, "\xef\xbc\x9f", 3) == 0);
	return turn;
}

bool
word_is_content(const struct conversation_word *w)
{
	return !(w->flags & CONVERSATION_STOP);
}

bool
turn_has_term(const struct conversation_turn *turn, size_t from, size_t to, uint32_t term)
{
	for (size_t k = from; k < to; k++)
		if (turn->words[k].term == term && word_is_content(&turn->words[k]))
			return true;
	return false;
}

bool
conversation_is(const struct conversation_turn *turn, const struct conversation_word *w,
	enum lex class)
{
	struct lex_token t;

	return lex_next(turn->text, w->end, w->start, &t) && t.start == w->start &&
	    lex_phrase(turn->text, w->end, &t, class, langs_of(turn), NULL) == w->end;
}

size_t
conversation_begins(const struct conversation_turn *turn, size_t i, enum lex class)
{
	struct lex_token t;

	return i < turn->n && lex_next(turn->text, turn->len, turn->words[i].start, &t)
	    ? lex_phrase(turn->text, turn->len, &t, class, langs_of(turn), NULL)
	    : 0;
}
