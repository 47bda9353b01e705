/*
 * details.c: goes through the words that the tokenizer gives and looks at each in the text. Words
 * inside a date belong to the date.
 */
#include "statement/details.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/order.h"
#include "lexicon/unicode.h"
#include "text/words.h"
#include "time/timewords.h"

#define SPANS_MOST 64

struct finder {
	const char *text;
	size_t len;
	struct time_span spans[SPANS_MOST];
	size_t n_spans, at_span;
	/* a detail that may still be extended by the next word; len 0: none */
	struct detail held;
	detail_fn *fn;
	void *arg;
	int rc;
};

static int
put_held(struct finder *f)
{
	if (f->held.len > 0)
		f->rc = f->fn(f->arg, &f->held);
	f->held.len = 0;
	return f->rc;
}

/*
 * Whether the word at start begins its sentence: between it and the word before there is a full
 * stop or the like, or nothing is before it.
 */
static bool
is_first(const char *text, size_t start)
{
	while (start > 0 && ascii_is_space(text[start - 1])) {
		if (text[start - 1] == '\n')
			return true;
		start--;
	}
	return start == 0 || strchr(".!?:\"*#>|([-", text[start - 1]) != NULL ||
	    (unsigned char)text[start - 1] >= 0x80;
}

static bool
is_capital(const char *p, const char *end)
{
	enum unicode_class cls;
	uint32_t cp;

	unicode_next(p, end, &cp, &cls);
	return cls == UNICODE_UPPER;
}

static bool
has_digit(const char *p, size_t n)
{
	while (n > 0 && !ascii_is_digit(*p))
		p++, n--;
	return n > 0;
}

/* Hands out the dates that begin at or before byte `at`; returns whether `at` is in one of them. */
static bool
pass_dates(struct finder *f, size_t at)
{
	for (; f->at_span < f->n_spans && f->spans[f->at_span].start <= at && f->rc == 0;
	     f->at_span++) {
		const struct time_span *s = &f->spans[f->at_span];
		if (put_held(f) == 0) {
			f->held = (struct detail){ DETAIL_DATE, s->start, s->end - s->start };
			put_held(f);
		}
	}
	for (size_t i = 0; i < f->at_span; i++)
		if (at >= f->spans[i].start && at < f->spans[i].end)
			return true;
	return false;
}

static int
find_in_word(void *arg, const struct word *w)
{
	struct finder *f = arg;
	const char *p = f->text + w->start;
	size_t n = w->end - w->start, start = w->start;

	if (w->kind == WORD_PAIR || w->kind == WORD_PART || pass_dates(f, w->start) || f->rc != 0)
		return f->rc;
	if (has_digit(p, n)) {
		if (put_held(f) != 0)
			return f->rc;
		if (start > 0 && (f->text[start - 1] == '$' || f->text[start - 1] == '#'))
			start--;
		f->held = (struct detail){ DETAIL_NUMBER, start, w->end - start };
		return put_held(f);
	}
	if (w->kind != WORD_WHOLE &&
	    (w->stop || !is_capital(p, f->text + f->len) || is_first(f->text, w->start)))
		return put_held(f);
	if (f->held.len > 0 && w->start == f->held.start + f->held.len + 1 &&
	    f->text[w->start - 1] == ' ') {
		f->held.len = w->end - f->held.start;
		return 0;
	}
	if (put_held(f) == 0)
		f->held = (struct detail){ DETAIL_NAME, w->start, n };
	return f->rc;
}

ORDER_BY(by_start, struct time_span, start)

void
details_each(const char *text, size_t len, detail_fn *fn, void *arg)
{
	struct finder f = { .text = text, .len = len, .fn = fn, .arg = arg };

	f.n_spans = timewords_find(text, len, 0, f.spans, SPANS_MOST);
	qsort(f.spans, f.n_spans, sizeof(*f.spans), by_start);
	if (words_each(text, len, find_in_word, &f) == 0) {
		pass_dates(&f, len);
		if (f.rc == 0)
			put_held(&f);
	}
}

/* ---- sets ---- */

/* Returns the place of a hash, or the empty place where it belongs. A stored 0 means empty. */
static size_t
place_of(const struct term_set *t, uint64_t hash)
{
	size_t i = hash & (t->cap - 1);

	while (t->hashes[i] != 0 && t->hashes[i] != hash)
		i = (i + 1) & (t->cap - 1);
	return i;
}

bool
term_set_first(struct term_set *t, uint64_t hash)
{
	size_t i;

	hash += hash == 0;
	if (t->n * 2 >= t->cap) {
		struct term_set old = *t;
		t->cap = MAX(old.cap * 2, 64);
		t->hashes = xcalloc(t->cap, sizeof(*t->hashes));
		for (size_t k = 0; k < old.cap; k++)
			if (old.hashes[k] != 0)
				t->hashes[place_of(t, old.hashes[k])] = old.hashes[k];
		free(old.hashes);
	}
	i = place_of(t, hash);
	if (t->hashes[i] != 0)
		return false;
	t->hashes[i] = hash;
	t->n++;
	return true;
}

static int
add_term(void *arg, const struct word *w)
{
	if (w->kind != WORD_PAIR)
		term_set_first(arg, hash64(w->term, w->len, 0));
	return 0;
}

void
term_set_add(struct term_set *t, const char *text, size_t len)
{
	words_each(text, len, add_term, t);
}

struct asked { const struct term_set *t; bool content, all_content, all; };

static int
ask_term(void *arg, const struct word *w)
{
	struct asked *a = arg;
	uint64_t hash = hash64(w->term, w->len, 0);
	bool has;

	if (w->kind == WORD_PAIR || w->kind == WORD_PART)
		return 0;
	has = a->t->n > 0 && a->t->hashes[place_of(a->t, hash + (hash == 0))] != 0;
	a->all = a->all && has;
	if (!w->stop) {
		a->content = true;
		a->all_content = a->all_content && has;
	}
	return 0;
}

bool
term_set_has(const struct term_set *t, const char *text, size_t len)
{
	struct asked a = { t, false, true, true };

	words_each(text, len, ask_term, &a);
	return a.content ? a.all_content : a.all;
}

void
term_set_release(struct term_set *t)
{
	free(t->hashes);
	*t = (struct term_set){ NULL, 0, 0 };
}
