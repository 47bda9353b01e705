/*
 * against_words.c: reads what is said and what is changed as words that can be compared: an
 * identifier as it is written and in its parts, in any case.
 */
#include "base/ascii.h"
#include "statement/typed.h"
#include "text/words.h"
#include "work/against_parts.h"

/* The first word that ends behind the byte, from word `from` on. */
static size_t
word_at(const struct against_words *v, size_t from, size_t byte)
{
	while (from < v->n && v->w[from].end <= byte)
		from++;
	return from;
}

/* Marks each word with the classes of the cues that it is in. */
static void
mark(const char *text, size_t len, struct against_words *v)
{
	const struct cues *says = cues_of("schema/cues/against.txt"), *things = AGAINST_THINGS;
	struct cue found[CUES_MOST];
	size_t n_classes, at = 0,
	    n = MIN(cues_find(says, text, len, found, CUES_MOST, NULL), (size_t)CUES_MOST);
	const struct cue_class *classes = cues_classes(things, &n_classes);

	for (size_t i = 0; i < n; i++) {
		unsigned bit = 1u << found[i].class;

		at = word_at(v, at, found[i].start);
		for (size_t k = at; k < v->n && v->w[k].start < cue_end(&found[i]); k++)
			v->w[k].says |= v->w[k].end > found[i].start ? bit : 0;
		if (at < v->n)
			v->w[at].begins |= bit;
	}
	n = MIN(cues_find(things, text, len, found, CUES_MOST, NULL), (size_t)CUES_MOST);
	for (size_t i = at = 0; i < n; i++) {
		at = word_at(v, at, found[i].start);
		if (at < v->n && strcmp(classes[found[i].class].rest, "one") == 0)
			v->w[at].kind = found[i].class + 1;
	}
}

/* ---- words ---- */

struct reading {
	struct against_words *v;
	const char *text;
	size_t len;
	bool parts;
	uint32_t whole_end;        /* of the last identifier */
};

/* Whether it is written as code where it does not look so: `id`, run(), a.b */
static bool
is_sign(const struct reading *r, const struct word *w)
{
	const char *p = r->text + w->start, *end = r->text + w->end;

	return w->kind == WORD_WHOLE || (w->start > 0 && p[-1] == '`') ||
	    (w->end + 1 < r->len && end[0] == '(' && end[1] == ')');
}

static int
on_word(void *arg, const struct word *w)
{
	struct reading *r = arg;
	struct against_words *v = r->v;
	struct against_word *last = v->n > 0 ? &v->w[v->n - 1] : NULL, *to;
	bool part = w->start < r->whole_end, letters = true;

	if (w->kind == WORD_PAIR || w->kind == WORD_SYMBOL || (part && !r->parts))
		return 0;
	if (w->kind == WORD_CHAR && last != NULL && last->han && last->end == w->start &&
	    last->n + w->len <= AGAINST_WORD) {
		to = last;
	} else {
		if (v->n == WORDS_MOST)
			return 1;
		to = &v->w[v->n++];
		*to = (struct against_word){ .start = w->start, .han = w->kind == WORD_CHAR,
			.number = ascii_is_digit(*w->term), .sign = is_sign(r, w), .part = part };
	}
	to->end = w->end;
	for (size_t i = 0; i < w->len && to->n < AGAINST_WORD; i++) {
		letters &= ascii_is_letter(w->term[i]);
		to->term[to->n++] = w->term[i];
	}
	to->star = w->end + 1 < r->len && memcmp(r->text + w->end, " *", 2) == 0 &&
	    (w->end + 2 == r->len || strchr(" ,.;", r->text[w->end + 2]) != NULL);
	if (w->kind == WORD_WHOLE) {
		r->whole_end = w->end;
		to->n = letters ? (uint8_t)words_stem(to->term, to->n) : to->n;
	}
	return 0;
}

void
against_words_read(const char *text, size_t len, bool parts, struct arena *a,
	struct against_words *v)
{
	struct against_word room[WORDS_MOST];
	struct reading r = { v, text, len, parts, 0 };

	*v = (struct against_words){ .w = room };
	words_each(text, len, on_word, &r);
	v->w = memcpy(arena_alloc(a, (v->n + 1) * sizeof(room[0])), room, v->n * sizeof(room[0]));
	mark(text, len, v);
}

bool
against_same(const struct against_word *a, const struct against_word *b, bool loosely)
{
	size_t n = MIN(a->n, b->n), more = MAX(a->n, b->n) - n;

	/* console.log is one thing, and log many */
	if ((a->says & b->says & AGAINST_CONCEPTS) && !b->sign)
		return true;
	if (a->han && b->han)          /* nothing parts its words */
		return strstr(a->term, b->term) != NULL || strstr(b->term, a->term) != NULL;
	if (memcmp(a->term, b->term, n) != 0 || a->number != b->number || (b->star && !a->star))
		return false;
	/* float64 is float, retryable is what one retries */
	return more == 0 || (n >= 4 && !a->number && (loosely ? more <= 5
	    : ascii_is_digit((a->n > n ? a : b)->term[n])));
}

bool
against_rivals(const struct against_word *a, const struct against_word *b)
{
	return a->kind != 0 && a->kind == b->kind && !typed_is_form(a->term, a->n, b->term, b->n);
}
