/*
 * changed.c: a change is two numbers with words between that say so, in five languages.
 */
#include "hook/changed.h"

#include "text/words.h"

#define WORDS_MOST 200         /* of a turn that are read */
#define BETWEEN    3           /* words between a number and what belongs to it */
#define SHARED     2           /* words of the same matter */
#define NEAR       4           /* words on each side of a number that tell what it is of */

static const char *const from_words[] = { "from", "von", "de", "du", "\xe4\xbb\x8e" },
	*const to_words[] = { "to", "auf", "a", "\xe5\x88\xb0", "\xe6\x88\x90", "\xe4\xb8\xba",
	    "\xe8\x87\xb3" },
	*const instead_words[] = { "instead", "statt", "anstatt", "rather", "lugar", "lieu" };

struct term { char text[24]; uint64_t hash; uint32_t start, end; bool number, content; };
struct terms { struct term t[WORDS_MOST]; size_t n; };

static int
on_word(void *arg, const struct word *w)
{
	struct terms *v = arg;
	struct term *t = &v->t[v->n];
	size_t len = MIN((size_t)w->len, sizeof(t->text) - 1);

	if (w->kind == WORD_PART)
		return 0;
	memcpy(t->text, w->term, len);
	t->text[len] = '\0';
	t->hash = w->hash;
	t->start = w->start;
	t->end = w->end;
	t->number = w->kind == WORD_NUMBER;
	t->content = !w->stop && (w->kind == WORD_PLAIN || w->kind == WORD_PAIR ||
	    w->kind == WORD_WHOLE);
	return ++v->n == WORDS_MOST;
}

static void
read_terms(struct terms *v, const struct message *m)
{
	v->n = 0;
	words_each(m->content, m->content_len, on_word, v);
}

/* Whether one of the words stands before the term at `at`, or behind it, within BETWEEN. */
static bool
has_near(const struct terms *v, size_t at, bool before, const char *const *words, size_t n)
{
	for (size_t k = 1; k <= BETWEEN; k++) {
		size_t i = before ? at - k : at + k;

		if ((before && k > at) || i >= v->n || v->t[i].number)
			return false;
		for (size_t j = 0; j < n; j++)
			if (strcmp(v->t[i].text, words[j]) == 0)
				return true;
	}
	return false;
}

/* The old value of a change; NULL: none is told. */
static const struct term *
old_value(const struct terms *v)
{
	for (size_t i = 0; i < v->n; i++) {
		size_t next = i + 1;

		if (!v->t[i].number)
			continue;
		while (next < v->n && !v->t[next].number)
			next++;
		if (next == v->n || v->t[i].hash == v->t[next].hash)
			continue;
		if (has_near(v, i, true, from_words, NELEM(from_words)) &&
		    has_near(v, next, true, to_words, NELEM(to_words)))
			return &v->t[i];
		if (has_near(v, i, false, instead_words, NELEM(instead_words)) &&
		    has_near(v, next, true, instead_words, NELEM(instead_words)))
			return &v->t[next];
	}
	return NULL;
}

bool
changes_may(const struct message *m, const char **text, size_t *len)
{
	struct terms v;
	size_t i = 0, from, to;

	read_terms(&v, m);
	while (i < v.n && !v.t[i].number)
		i++;
	if (i == v.n || old_value(&v) != NULL)
		return false;
	from = to = i;
	for (unsigned n = 0; from > 0 && n < NEAR; from--)
		n += v.t[from - 1].content;
	for (unsigned n = 0; to + 1 < v.n && n < NEAR; to++)
		n += v.t[to + 1].content;
	*text = m->content + v.t[from].start;
	*len = v.t[to].end - v.t[from].start;
	return true;
}

void
changes_note(struct changes *c, const struct message *m, struct arena *a)
{
	struct terms v;

	if (c->n == CHANGES_MOST || (m->role != ROLE_USER && m->role != ROLE_ASSISTANT))
		return;
	read_terms(&v, m);
	if (old_value(&v) != NULL)
		c->turn[c->n++] = context_keep(m, a);
}

static bool
is_earlier(const struct message *a, const struct message *b)
{
	return a->time_us != TIME_NONE && b->time_us != TIME_NONE
	    ? a->time_us < b->time_us
	    : strcmp(a->session, b->session) == 0 && a->row < b->row;
}

/* Whether the later turn changes a number of the earlier one. */
static bool
changes_it(const struct terms *later, const struct message *m)
{
	const struct term *old = old_value(later);
	struct terms earlier;
	size_t shared = 0;
	bool has_old = false;

	read_terms(&earlier, m);
	for (size_t i = 0; i < earlier.n; i++) {
		const struct term *t = &earlier.t[i];
		bool same = false;

		has_old |= t->number && t->hash == old->hash;
		for (size_t k = 0; k < later->n && t->content && !same; k++)
			same = later->t[k].content && later->t[k].hash == t->hash;
		shared += same;
	}
	return has_old && shared >= SHARED;
}

void
changes_add(const struct changes *c, struct context *block)
{
	size_t n = block->n;

	for (size_t i = 0; i < c->n; i++) {
		const struct message *m = c->turn[i];
		struct terms later;
		bool wanted = false;

		if (context_has(block, m))
			continue;
		read_terms(&later, m);
		for (size_t k = 0; k < n && !wanted; k++)
			wanted = is_earlier(context_item(block, k), m) &&
			    changes_it(&later, context_item(block, k));
		if (wanted)
			context_add(block,
			    &(struct context_piece){ m, 0, m->content_len, false, false },
			    UINT64_MAX);
	}
}
