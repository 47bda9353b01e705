/* changed.c: nothing is ended here. Both turns are told, and who reads them sees which is newer. */
#include "context/changed.h"

#include "base/utf8.h"
#include "context/excerpt.h"
#include "lexicon/unicode.h"
#include "statement/changed.h"
#include "statement/sentence.h"
#include "statement/statement.h"
#include "store/index.h"
#include "text/words.h"

#define MOST     2             /* changes of an item */
#define ITEMS    3             /* of a block that are looked at */
#define ASKED    160           /* bytes of an item whose words are looked up */
#define TELLING  4             /* words of it */
#define FURTHER  48            /* turns that have one of them */

struct item { const struct message *m; const char *text; size_t len; unsigned n; };

struct looked {
	const struct changes_want *want;
	struct context *block;
	struct item items[ITEMS];
	size_t n;
};

static void
add_change(const struct changes_want *w, struct context *block, const struct message *m,
	size_t start, size_t len)
{
	struct excerpt s = excerpt_opening(m);

	if (w->leaves_out != NULL && w->leaves_out(w->arg, m))
		return;
	if (s.len < m->content_len)
		s = (struct excerpt){ .start = start, .len = len };
	context_add(block, &(struct context_piece){ m, s.start, s.len, s.code, false }, UINT64_MAX);
}

/* Adds the turn where it changes some item before it. */
static void
look_at(struct looked *v, const struct message *m)
{
	struct changed_text earlier[ITEMS];
	struct item *of[ITEMS];
	size_t n = 0, which, start, len;

	/* an assistant speaks of what it changes in files all the time, and seldom decides */
	if (m->role != ROLE_USER || context_has(v->block, m))
		return;
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].n < MOST && search_is_earlier(v->items[i].m, m)) {
			earlier[n] = (struct changed_text){ v->items[i].text, v->items[i].len };
			of[n++] = &v->items[i];
		}
	which = changed_which(earlier, n, m->content, m->content_len, &start, &len);
	if (which == n)
		return;
	of[which]->n++;
	add_change(v->want, v->block, m, start, len);
}

/* ---- what the question does not find ---- */

/* The words by which a change of a text is looked for: its figures, names, the longest others. */
enum telling_kind { WORDS, NAMES, FIGURES };
struct telling {
	const char *text;
	struct index_word of[TELLING];
	enum telling_kind kind[TELLING];
	size_t n;
	struct arena *a;
};

static enum telling_kind
kind_of(const char *text, const struct word *w)
{
	enum unicode_class class;
	uint32_t cp;

	unicode_next(text + w->start, text + w->end, &cp, &class);
	return w->kind == WORD_NUMBER ? FIGURES : class == UNICODE_UPPER ? NAMES : WORDS;
}

static int
on_telling(void *arg, const struct word *w)
{
	struct telling *v = arg;
	enum telling_kind kind = kind_of(v->text, w);
	size_t at = v->n, n = MIN(v->n + 1, (size_t)TELLING);

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR ||
	    (kind == FIGURES && w->len <= 1))
		return 0;
	for (size_t i = 0; i < v->n; i++)
		if (v->of[i].len == w->len && memcmp(v->of[i].text, w->term, w->len) == 0)
			return 0;
	while (at > 0 && (v->kind[at - 1] < kind ||
	    (v->kind[at - 1] == kind && v->of[at - 1].len < w->len)))
		at--;
	if (at == TELLING)
		return 0;
	memmove(v->of + at + 1, v->of + at, (n - at - 1) * sizeof(*v->of));
	memmove(v->kind + at + 1, v->kind + at, (n - at - 1) * sizeof(*v->kind));
	v->of[at] = (struct index_word){ arena_strndup(v->a, w->term, w->len), w->len };
	v->kind[at] = kind;
	v->n = n;
	return 0;
}

/*
 * Looks for what changes the first item that has a figure or says that it was decided, or where
 * there are no hits, the first: "raise the default from 100 to 120" may have no word of the
 * question that found the 100, nor "we drop Redis" one of that for the cache.
 */
static int
look_further(struct looked *v, struct err *err)
{
	const struct changes_want *w = v->want;
	const struct scope all = { w->who.user, w->who.agent, w->who.project, NULL };
	struct search_result r;

	for (size_t i = 0; i < v->n; i++) {
		struct item *of = &v->items[i];
		size_t label = statement_label(of->text, of->len, NULL);
		struct telling words = { .text = of->text + label, .n = 0, .a = w->arena };

		words_each(words.text, utf8_clip(words.text, of->len - label, ASKED), on_telling,
		    &words);
		if (of->n > 0 || words.n == 0 ||
		    (w->hits != NULL && label == 0 && words.kind[0] != FIGURES))
			continue;
		if (search_shared(w->search, &all, words.of, words.n, FURTHER, &r, err) < 0)
			return -1;
		for (size_t k = 0; k < r.n; k++)
			look_at(v, context_keep(r.hits[k].message, w->arena));
		break;
	}
	return 0;
}

int
changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err)
{
	struct looked v = { w, block, .n = 0 };

	for (size_t i = from; i < block->n && v.n < ITEMS; i++) {
		struct item *of = &v.items[v.n];

		of->m = context_item(block, i);
		of->text = context_item_text(block, i, &of->len);
		of->n = 0;
		if (of->m->role == ROLE_TOOL || sentence_asks(of->text, of->len))
			continue;
		of->text = arena_strndup(w->arena, of->text, of->len);
		v.n++;
	}
	for (size_t i = 0; w->hits != NULL && i < w->hits->n && v.n > 0; i++)
		look_at(&v, w->hits->of[i]);
	return w->search == NULL ? 0 : look_further(&v, err);
}

void
changes_hit(struct changes_hits *hits, const struct message *m)
{
	if (hits->n < NELEM(hits->of))
		hits->of[hits->n++] = m;
}
