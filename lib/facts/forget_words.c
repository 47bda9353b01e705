/*
 * forget_words.c: the tables of words of what goes. A million words that are all different take
 * some 30 MB: each stands once with its text, whatever forms it has, and a slot is four bytes.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "facts/forget_parts.h"
#include "text/words.h"

#define WORD_LEAST 4       /* bytes of a word that is looked for */
#define WORD_MOST 256

static struct forget_word *
word_at(const struct forget_words *w, uint32_t slot)
{
	return (struct forget_word *)(void *)(w->bytes + (size_t)(slot - 1) * FORGET_ALIGN);
}

static size_t
size_of(size_t len)
{
	size_t n = sizeof(struct forget_word) + len + 1;

	return (n + FORGET_ALIGN - 1) / FORGET_ALIGN * FORGET_ALIGN;
}

static uint32_t *
slot_of(const struct forget_words *w, const char *text, size_t len)
{
	size_t at = (size_t)hash64(text, len, 0) & (w->cap - 1);

	for (;; at = (at + 1) & (w->cap - 1)) {
		const struct forget_word *e;

		if (w->slots[at] == 0)
			return &w->slots[at];
		e = word_at(w, w->slots[at]);
		if (e->last + 1u == len && memcmp(e->text, text, len) == 0)
			return &w->slots[at];
	}
}

struct forget_word *
forget_words_next(const struct forget_words *w, const struct forget_word *e)
{
	size_t at = e == NULL ? 0 : (size_t)((const char *)e - w->bytes) + size_of(e->last + 1u);

	return at < w->len ? (struct forget_word *)(void *)(w->bytes + at) : NULL;
}

static void
grow(struct forget_words *w)
{
	struct forget_word *e = NULL;

	free(w->slots);
	w->cap = MAX(w->cap * 2, 1024);
	w->slots = xcalloc(w->cap, sizeof(*w->slots));
	while ((e = forget_words_next(w, e)) != NULL)
		*slot_of(w, e->text, e->last + 1u) =
		    (uint32_t)((size_t)((char *)e - w->bytes) / FORGET_ALIGN) + 1;
}

static void
put(struct forget_words *w, const char *text, size_t len, enum forget_form form)
{
	size_t size = size_of(len);
	struct forget_word *e;
	uint32_t *slot;

	if (w->n >= w->cap / 4 * 3)
		grow(w);
	slot = slot_of(w, text, len);
	if (*slot == 0) {
		xgrow(&w->bytes, &w->cap_bytes, w->len + size, 1);
		*slot = (uint32_t)(w->len / FORGET_ALIGN) + 1;
		e = word_at(w, *slot);
		memset(e, 0, size);
		e->last = (uint8_t)(len - 1);
		memcpy(e->text, text, len);
		w->len += size;
		w->n++;
	}
	word_at(w, *slot)->is |= FORGET_BIT(form);
}

struct forget_word *
forget_words_find(const struct forget_words *w, const char *text, size_t len, enum forget_form form)
{
	struct forget_word *e;
	uint32_t *slot;

	if (w->cap == 0 || len == 0 || *(slot = slot_of(w, text, len)) == 0)
		return NULL;
	e = word_at(w, *slot);
	return (e->is & FORGET_BIT(form)) != 0 ? e : NULL;
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
	char low[WORD_MOST];
	size_t len = MIN(v->end - v->start, sizeof(low));
	struct forget_word *e;

	for (size_t i = 0; i < len; i++)
		low[i] = ascii_lower(s->text[v->start + i]);
	if (s->fn == NULL) {
		if (len >= WORD_LEAST)
			put(s->words, low, len, FORGET_WORD);
		if (v->len >= WORD_LEAST)
			put(s->words, v->term, v->len, FORGET_TERM);
		return 0;
	}
	if ((e = forget_words_find(s->words, low, len, FORGET_WORD)) != NULL)
		s->fn(s->arg, e, FORGET_WORD);
	if ((e = forget_words_find(s->words, v->term, v->len, FORGET_TERM)) != NULL)
		s->fn(s->arg, e, FORGET_TERM);
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

	if (w->n > 0)
		words_each(text, len, on_word, &s);
}

void
forget_word_tell(struct forget_word *w, enum forget_form form, const char *where,
	forget_left_fn *fn, void *arg)
{
	if ((w->told & FORGET_BIT(form)) != 0)
		return;
	w->told |= FORGET_BIT(form);
	fn(arg, w->text, where);
}

void
forget_words_release(struct forget_words *w)
{
	free(w->bytes);
	free(w->slots);
	*w = (struct forget_words){ 0 };
}
