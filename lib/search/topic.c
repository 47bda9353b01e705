/*
 * topic.c: compares each category's name and keywords with the words of a question. There are at
 * most 50 categories, so all are read.
 */
#include "search/topic.h"

#include "base/alloc.h"
#include "base/order.h"
#include "text/words.h"

#define TERMS_MOST 64

struct term { char text[WORDS_TERM_BYTES]; size_t len; bool found; };

struct finding {
	struct term terms[TERMS_MOST];
	size_t n_terms;
	struct arena *arena;
	struct topic *topics;
	size_t n, cap;
};

static struct term *
term_of(struct finding *f, const struct word *w)
{
	for (size_t i = 0; i < f->n_terms; i++)
		if (f->terms[i].len == w->len && memcmp(f->terms[i].text, w->term, w->len) == 0)
			return &f->terms[i];
	return NULL;
}

static int
add_term(void *arg, const struct word *w)
{
	struct finding *f = arg;
	struct term *t = &f->terms[f->n_terms];

	if (w->stop || term_of(f, w) != NULL)
		return 0;
	t->len = w->len;
	memcpy(t->text, w->term, w->len);
	return ++f->n_terms == TERMS_MOST;
}

static int
mark_term(void *arg, const struct word *w)
{
	struct term *t = term_of(arg, w);

	if (t != NULL)
		t->found = true;
	return 0;
}

static int
match_category(void *arg, const struct category *c)
{
	struct finding *f = arg;
	struct topic *t;
	size_t n = 0;

	for (size_t i = 0; i < f->n_terms; i++)
		f->terms[i].found = false;
	words_each(c->name, strlen(c->name), mark_term, f);
	words_each(c->keywords, strlen(c->keywords), mark_term, f);
	for (size_t i = 0; i < f->n_terms; i++)
		n += f->terms[i].found;
	if (n == 0)
		return 0;
	t = xpush(f->topics, f->n, f->cap);
	*t = (struct topic){ *c, (double)n / (double)f->n_terms };
	t->category.name = arena_strdup(f->arena, c->name);
	t->category.keywords = arena_strdup(f->arena, c->keywords);
	return 0;
}

ORDER_OF(best_first, struct topic,
	a->share != b->share ? -ORDER_UP(share)
	: a->category.n_members != b->category.n_members ? -ORDER_UP(category.n_members)
	: ORDER_UP(category.row))

int
topics_find(struct store *s, const struct scope *who, const char *text, size_t len, struct arena *a,
	struct topic **out, size_t *n, struct err *err)
{
	struct finding f = { .n_terms = 0, .arena = a };
	int rc;

	*n = 0;
	*out = arena_alloc(a, sizeof(**out));
	words_each(text, len, add_term, &f);
	if (f.n_terms == 0)
		return 0;
	rc = categories_each(s, who, match_category, &f, err);
	if (rc == 0 && f.n > 0) {
		qsort(f.topics, f.n, sizeof(*f.topics), best_first);
		*out = arena_alloc(a, f.n * sizeof(**out));
		memcpy(*out, f.topics, f.n * sizeof(**out));
		*n = f.n;
	}
	free(f.topics);
	return rc < 0 ? -1 : 0;
}
