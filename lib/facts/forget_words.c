/*
 * forget_words.c: the table of words of what goes.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "facts/forget_parts.h"
#include "text/words.h"

#define WORD_LEAST 4       /* bytes of a word that is looked for */

static struct forget_word *
slot_of(const struct forget_words *w, const char *text, size_t len, bool is_term, uint64_t hash)
{
	size_t at = (size_t)hash & (w->cap - 1);

	for (;; at = (at + 1) & (w->cap - 1)) {
		struct forget_word *e = &w->items[at];

		if (e->text == NULL || (e->hash == hash && e->len == len &&
		    e->is_term == is_term && memcmp(e->text, text, len) == 0))
			return e;
	}
}

static void
grow(struct forget_words *w)
{
	struct forget_word *old = w->items;
	size_t cap = w->cap;

	w->cap = MAX(cap * 2, 1024);
	w->items = xcalloc(w->cap, sizeof(*w->items));
	for (size_t i = 0; i < cap; i++)
		if (old[i].text != NULL)
			*slot_of(w, old[i].text, old[i].len, old[i].is_term, old[i].hash) = old[i];
	free(old);
}

static void
put(struct forget_words *w, const char *text, size_t len, bool is_term)
{
	uint64_t hash = hash64(text, len, is_term);
	struct forget_word *e;

	if (w->n * 2 >= w->cap)
		grow(w);
	e = slot_of(w, text, len, is_term, hash);
	if (e->text != NULL)
		return;
	*e = (struct forget_word){ .text = arena_strndup(&w->arena, text, len), .hash = hash,
		.len = (uint32_t)len, .is_term = is_term };
	w->n++;
}

struct forget_word *
forget_words_find(const struct forget_words *w, const char *text, size_t len, bool is_term)
{
	struct forget_word *e;

	if (w->cap == 0)
		return NULL;
	e = slot_of(w, text, len, is_term, hash64(text, len, is_term));
	return e->text != NULL ? e : NULL;
}

struct scanned {
	struct forget_words *words;
	const char *text;
	forget_word_fn *fn;                /* NULL: words are added */
	void *arg;
};

static int
on_word(void *arg, const struct word *v)
{
	struct scanned *s = arg;
	char low[256];
	size_t len = MIN(v->end - v->start, sizeof(low));
	struct forget_word *e;

	for (size_t i = 0; i < len; i++)
		low[i] = ascii_lower(s->text[v->start + i]);
	if (s->fn == NULL) {
		if (len >= WORD_LEAST)
			put(s->words, low, len, false);
		if (v->len >= WORD_LEAST)
			put(s->words, v->term, v->len, true);
		return 0;
	}
	if ((e = forget_words_find(s->words, low, len, false)) != NULL)
		s->fn(s->arg, e);
	if ((e = forget_words_find(s->words, v->term, v->len, true)) != NULL)
		s->fn(s->arg, e);
	return 0;
}

void
forget_words_add(struct forget_words *w, const char *text, size_t len)
{
	struct scanned s = { w, text, NULL, NULL };

	words_each(text, len, on_word, &s);
}

void
forget_words_look(struct forget_words *w, const char *text, size_t len, forget_word_fn *fn,
	void *arg)
{
	struct scanned s = { w, text, fn, arg };

	words_each(text, len, on_word, &s);
}

void
forget_word_tell(struct forget_word *w, const char *where, forget_left_fn *fn, void *arg)
{
	if (w->told)
		return;
	w->told = true;
	fn(arg, w->text, where);
}

void
forget_words_free(struct forget_words *w)
{
	arena_release(&w->arena);
	free(w->items);
	*w = (struct forget_words){ .arena = ARENA_INIT };
}
