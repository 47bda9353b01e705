/*
 * conversation_terms.c: cuts turns into words, whose stems are numbered over all turns.
 *
 * Words are those of the search (text/words.h); of an identifier the whole, of a hyphened word each
 * part. Chinese has no spaces: a run of characters is cut at particles, pronouns, question words
 * and frequent verbs, and what lies between is taken as a word. That is often two words together,
 * which is good enough, as the run is carried over unchanged.
 */
#include "followup/conversation_terms.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"

#define SLOTS (2 * CONVERSATION_TERMS)

/* A demonstrative or numerals with a classifier refer to a thing already named: 一台, 这部, 那两本. */
static const char numerals[] = "一二三四五六七八九十百千两几半兩幾";
static const char pointers[] = "这那哪每某這";
static const char classifiers[] =
	"个位只条张本台部件辆座家种款篇首场次份块支枝棵片颗顶双杯瓶盒碗栋间套群堆层页集期届名匹頭头幅所"
	"艘架枚粒滴袋箱包句段项类個張臺輛雙隻條種場塊顆層間項類";

void
conversation_start(struct conversation *t, struct arena *a)
{
	memset(t, 0, sizeof(*t));
	t->arena = a;
	t->terms = arena_alloc(a, CONVERSATION_TERMS * sizeof(*t->terms));
	t->slots = arena_zalloc(a, SLOTS * sizeof(*t->slots));
	t->classes = classes_read(a);
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

/* ---- reading ---- */

struct reader {
	struct conversation *t;
	struct conversation_turn *turn;
	size_t cap;
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

/* Returns the length of the longest word at p where the text is cut; 0: none. */
static size_t
cut_at(const struct class_table *t, const char *p, size_t len, classes *found)
{
	for (size_t n = MIN(len, 15) / 3 * 3; n > 0; n -= 3)
		if ((*found = classes_of(t, p, n)) & ~INSIDE)
			return n;
	*found = 0;
	return 0;
}

/* Returns the length of the character at p when it is in set, else 0. */
static size_t
one_of(const char *set, const char *p, size_t len)
{
	char c[4] = { 0 };

	if (len < 3 || (unsigned char)*p < 0xe3)
		return 0;
	memcpy(c, p, 3);
	return strstr(set, c) != NULL ? 3 : 0;
}

/*
 * Returns the length of a demonstrative or numerals, or both, with a classifier; 0: there is none.
 */
static size_t
count_at(const char *p, size_t len)
{
	size_t n = one_of(pointers, p, len), step;

	while ((step = one_of(numerals, p + n, len - n)) > 0)
		n += step;
	step = n > 0 ? one_of(classifiers, p + n, len - n) : 0;
	return step > 0 ? n + step : 0;
}

/* Adds what lies between two cuts; its classes are those of its beginning and its end. */
static void
add_piece(struct reader *r, uint32_t from, uint32_t to)
{
	const char *p = r->turn->text + from;
	classes found = classes_of(r->t->classes, p, 3) & CLASS(SURNAME);

	for (size_t n = 3; n <= 6 && n <= to - from; n += 3)
		found |= classes_of(r->t->classes, p + (to - from) - n, n) & INSIDE &
		    ~CLASS(SURNAME);
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
		size_t n = cut_at(r->t->classes, text + at, r->han_end - at, &found), step;
		size_t counted = count_at(text + at, r->han_end - at);
		uint32_t cp;

		if (counted > n) {
			n = counted;
			found |= classes_of(r->t->classes, text + at, 3);
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
	char fold[3 * 32];
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
	found = classes_of_stem(r->t->classes, w->term, w->len);
	fold_len = words_fold(text + w->start, MIN(end - w->start, sizeof(fold) / 3 - 1), fold);
	found |= classes_of(r->t->classes, fold, fold_len);
	if (!upper)                        /* "may", "mark" */
		found &= ~(CLASS(MONTH) | CLASSES_NAMES);
	if (found & CLASS(MONTH))
		found |= CLASS(DAY);
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
 * Whether the turn is German: more of its words are function words of German than of English. A
 * turn with neither is as the one before it.
 */
static bool
is_german(const struct conversation_turn *turn, bool before)
{
	int n = 0, seen = 0;

	for (size_t i = 0; i < turn->n; i++) {
		int german = (turn->words[i].classes & CLASS(GERMAN)) != 0,
		    english = (turn->words[i].flags & CONVERSATION_STOP) != 0;

		n += german - english;
		seen += german + english;
	}
	return seen == 0 ? before : n > 0;
}

/* Makes function words of those of the turn's language. In German a thing has a capital. */
static void
set_language(struct conversation_turn *turn, bool german)
{
	turn->german = german;
	for (size_t i = 0; i < turn->n; i++) {
		struct conversation_word *w = &turn->words[i];

		if (w->flags & CONVERSATION_HAN)
			continue;
		if (german)
			w->flags &= (uint16_t)~CONVERSATION_STOP;
		if ((german && (w->classes & CLASS(GERMAN))) || (w->classes & CLASS(FUNCTION)))
			w->flags |= CONVERSATION_STOP;
		if (!german && (w->classes & CLASS(GERMAN)) && !(w->flags & CONVERSATION_STOP))
			w->classes &= CLASS(LIGHT) | CLASS(VERB) | CLASS(RELATION) |
			    CLASS(DAY) | CLASS(KIN) | CLASSES_NAMES;
		if (!german || (w->flags & (CONVERSATION_LATIN_CAPITAL | CONVERSATION_CODE |
		    CONVERSATION_NUMBER)))
			continue;
		w->classes |= CLASS(LIGHT);
		/* an adjective stands behind an article, all else is as good as a function word */
		if (i == 0 || !(w[-1].classes & CLASS(ARTICLE)))
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
		if (before != NULL && !first && (before->classes & CLASS(SUBJECT)) && !turn->german)
			w->classes |= CLASS(VERB);
		if (!side && !(w->flags & CONVERSATION_STOP))
			turn->n_runs++;
		w->run = (uint16_t)turn->n_runs;
		turn->n_content += !(w->flags & CONVERSATION_STOP);
		first = false;
		end = MAX(end, w->end);
	}
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
	struct conversation_turn *turn;

	if (t->n == NELEM(t->turns))
		return NULL;
	turn = &t->turns[t->n++];
	*turn = (struct conversation_turn){ .role = role,
		.text = text,
		.len = clip_chars(text, len, CONVERSATION_TURN_CHARS) };
	r.turn = turn;
	r.cap = turn->len / 2 + 2;
	turn->words = arena_alloc(t->arena, r.cap * sizeof(*turn->words));
	words_each(text, turn->len, read_word, &r);
	end_han(&r);
	set_language(turn, is_german(turn, t->n > 1 && t->turns[t->n - 2].german));
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
	const char *const *words)
{
	for (; *words != NULL; words++) {
		size_t n = strlen(*words), i = 0;

		while (i < n && w->start + i < w->end &&
		    ascii_lower(turn->text[w->start + i]) == (*words)[i])
			i++;
		if (i == n && w->end - w->start == n)
			return true;
	}
	return false;
}
