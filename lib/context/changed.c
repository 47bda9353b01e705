/*
 * changed.c: nothing is ended here. Both turns are told, and who reads them sees which is the newer
 * one. A word for a change is in every tenth sentence of people who work, so the two must be about
 * one matter, sentence by sentence, and the later one must put something else in its place or say
 * in so many words that it holds no longer.
 */
#include "context/changed.h"

#include "base/utf8.h"
#include "context/excerpt.h"
#include "lexicon/unicode.h"
#include "statement/cues.h"
#include "statement/sentence.h"
#include "store/index.h"
#include "text/words.h"

#define TABLE       "schema/cues/ends.txt"
#define WORDS_MOST  60         /* of a sentence; a longer one is left out */
#define CONTENT     16         /* most of them that tell something: a decision is short */
#define CUES_MOST   64
#define READ_BYTES  2048       /* of a hit, and of an item */
#define SENTENCE    400        /* bytes of a sentence; a longer one is left out */
#define MOST        2          /* changes of an item */
#define ITEMS       3          /* of a block that are looked at */
#define SHARED      2          /* words of the same matter, */
#define SHARE       0.25       /* and their share of either sentence */
#define BETWEEN     4          /* words between "from" and "to" */
#define ASKED       160        /* bytes of an item whose words are looked up */
#define TELLING     4          /* words of it */
#define FURTHER     16         /* turns that have them */

struct term { uint64_t hash; uint32_t position, start; bool content, value; };
struct terms { struct term t[WORDS_MOST]; size_t n; const char *text; bool whole; };

/* ---- the words of a sentence ---- */

/* A figure, or a name: a word with a capital letter that does not begin the sentence. */
static bool
is_value(const struct terms *v, const struct word *w)
{
	enum unicode_class class;
	uint32_t cp;

	unicode_next(v->text + w->start, v->text + w->end, &cp, &class);
	return !w->stop && (class == UNICODE_DIGIT || class == UNICODE_CJK ||
	    (class == UNICODE_UPPER && v->n > 0));
}

static int
on_word(void *arg, const struct word *w)
{
	struct terms *v = arg;

	if (w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	v->whole = v->n < WORDS_MOST;
	if (v->whole)
		v->t[v->n++] = (struct term){ w->hash, w->position, w->start, !w->stop,
			is_value(v, w) };
	return !v->whole;
}

/* False: there are too many to compare. */
static bool
read_terms(struct terms *v, const char *text, size_t len)
{
	v->n = 0;
	v->text = text;
	v->whole = true;
	words_each(text, len, on_word, v);
	return v->whole;
}

static bool
has(const struct terms *v, uint64_t hash)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->t[i].hash == hash)
			return true;
	return false;
}

/* How many words a text has, each once, and how many of them the other has, too. */
static size_t
count_words(const struct terms *v, const struct terms *other, size_t *shared)
{
	size_t n = 0;
	uint32_t next = 0, next_shared = 0;

	*shared = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct term *t = &v->t[i];
		size_t seen = 0;

		while (v->t[seen].hash != t->hash)
			seen++;
		if (!t->content || seen < i)
			continue;
		/* pairs of characters overlap: the next one begins behind both */
		if (t->position >= next) {
			n++;
			next = t->position + 1;
		}
		if (t->position >= next_shared && has(other, t->hash)) {
			(*shared)++;
			next_shared = t->position + 1;
		}
	}
	return n;
}

/* Whether both sentences are about one matter. */
static bool
is_of_it(const struct terms *earlier, const struct terms *later)
{
	size_t shared, n = count_words(later, earlier, &shared);

	if (shared < SHARED || n > CONTENT || (double)shared < SHARE * (double)n)
		return false;
	n = count_words(earlier, later, &shared);
	return n <= CONTENT && (double)shared >= SHARE * (double)n;
}

/* ---- words for a change ---- */

enum { OTHERWISE = 1, INSTEAD = 2, INSTEAD_OF = 4, MOVED = 8, TO = 16, FROM = 32 };

static const struct { const char *class; unsigned says; } classes[] = {
	{ "otherwise", OTHERWISE }, { "cancel", OTHERWISE }, { "whole", OTHERWISE },
	{ "other", INSTEAD }, { "instead", INSTEAD_OF }, { "moved", MOVED }, { "moves", MOVED },
	{ "shift", MOVED }, { "to", TO }, { "from", FROM },
};

/* A sentence of a later turn, and the words in it that speak of a change. */
struct later {
	const struct message *turn;
	size_t start, len;             /* bytes of the turn */
	struct cue cues[CUES_MOST];
	size_t n;
};

static unsigned
says_of(const struct cue *cue)
{
	for (size_t i = 0; i < NELEM(classes); i++)
		if ((int)cue->class == cues_class(cues_of(TABLE), classes[i].class))
			return classes[i].says;
	return 0;
}

/* Whether the sentence speaks of a change at all. */
static bool
speaks_of_change(struct later *l)
{
	const char *text = l->turn->content + l->start;
	unsigned all = 0;
	size_t n = cues_find(cues_of(TABLE), text, l->len, l->cues, CUES_MOST, NULL), kept = 0;

	n = MIN(n, (size_t)CUES_MOST);
	for (size_t i = 0; i < n; i++) {
		unsigned says = says_of(&l->cues[i]);

		all |= says;
		if (says == 0)
			continue;
		l->cues[kept] = l->cues[i];
		l->cues[kept++].class = says;
	}
	l->n = kept;
	return (all & ~(unsigned)(TO | FROM)) != 0 || (all & (TO | FROM)) == (TO | FROM);
}

/* The first content word behind a cue; NULL: there is none. */
static const struct term *
behind(const struct cue *cue, const struct terms *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->t[i].start >= cue->start + cue->len && v->t[i].content)
			return &v->t[i];
	return NULL;
}

/* The two sentences, and what they say of each other. */
struct pair { const struct later *l; const struct terms *earlier, *later; };

static bool
is_old(const struct pair *p, const struct term *t)
{
	return t != NULL && has(p->earlier, t->hash);
}

/* A value that the earlier sentence has not; NULL is none. */
static bool
is_new_value(const struct pair *p, const struct term *t)
{
	return t != NULL && t->value && !has(p->earlier, t->hash);
}

static bool
has_new_value(const struct pair *p)
{
	for (size_t i = 0; i < p->later->n; i++)
		if (is_new_value(p, &p->later->t[i]))
			return true;
	return false;
}

/* "From X to Y", where the earlier sentence has X and not Y. */
static bool
goes_from(const struct pair *p, const struct cue *from)
{
	for (size_t i = 0; i < p->l->n && is_old(p, behind(from, p->later)); i++) {
		const struct cue *to = &p->l->cues[i];
		const struct term *new = behind(to, p->later);

		if (to->class == TO && to->at > from->at && to->at - from->at <= BETWEEN &&
		    new != NULL && !has(p->earlier, new->hash))
			return true;
	}
	return false;
}

/* Whether it goes to a value that the earlier sentence has not: "to Friday", "auf den 19. Juli". */
static bool
goes_to(const struct pair *p)
{
	const struct term *end = p->later->t + p->later->n;

	for (size_t i = 0; i < p->l->n; i++) {
		const struct term *t = behind(&p->l->cues[i], p->later);

		if (p->l->cues[i].class == TO && t != NULL &&
		    (is_new_value(p, t) || (t + 1 < end && is_new_value(p, t + 1))))
			return true;
	}
	return false;
}

/* Whether the cue has a longer one at its place: "instead of" is no "instead". */
static bool
is_longer(const struct pair *p, const struct cue *cue)
{
	for (size_t i = 0; i < p->l->n; i++)
		if (p->l->cues[i].start == cue->start && p->l->cues[i].len > cue->len)
			return true;
	return false;
}

/*
 * Whether the later sentence, which is about the same, says that it is otherwise than before: in so
 * many words, or with what is in its place.
 */
static bool
changes(const struct pair *p)
{
	for (size_t i = 0; i < p->l->n; i++) {
		const struct cue *cue = &p->l->cues[i];
		/* the other languages of the table have no words of "to" */
		bool latin = (unsigned char)p->later->text[cue->start] < 0xd0;

		if (cue->class == OTHERWISE ||
		    (cue->class == INSTEAD && !is_longer(p, cue) && has_new_value(p)) ||
		    (cue->class == INSTEAD_OF && is_old(p, behind(cue, p->later))) ||
		    (cue->class == MOVED && (latin ? goes_to(p) : has_new_value(p))) ||
		    (cue->class == FROM && goes_from(p, cue)))
			return true;
	}
	return false;
}

/* ---- sentences ---- */

/* Returns 0 to continue; any other value stops. */
typedef int sentence_fn(void *arg, const char *text, size_t start, size_t len);

/* Each sentence of a text that asks nothing and is short enough to compare. */
static int
sentences_each(const char *text, size_t len, sentence_fn *fn, void *arg)
{
	size_t end = utf8_clip(text, len, READ_BYTES);
	int rc = 0;

	for (size_t line = 0, stop; rc == 0 && line < end; line = stop + 1) {
		const char *nl = memchr(text + line, '\n', end - line);

		stop = nl != NULL ? (size_t)(nl - text) : end;
		for (size_t at = line, next; rc == 0 && at < stop; at = next) {
			next = MAX(sentence_end(text, at, stop), at + 1);
			if (next - at <= SENTENCE && !sentence_asks(text + at, next - at))
				rc = fn(arg, text, at, next - at);
		}
	}
	return rc;
}

/* What of an item is looked at, and what changes it. */
struct look {
	const struct later *later;
	const struct terms *words;         /* of later */
	bool changed;
};

static int
on_earlier(void *arg, const char *text, size_t start, size_t len)
{
	static _Thread_local struct terms earlier;
	struct look *v = arg;

	v->changed = read_terms(&earlier, text + start, len) && is_of_it(&earlier, v->words) &&
	    changes(&(struct pair){ v->later, &earlier, v->words });
	return v->changed;
}

struct item { const struct message *m; const char *text; size_t len; unsigned n; };

struct looked {
	const struct changes_want *want;
	struct context *block;
	struct item items[ITEMS];
	size_t n;
	const struct message *turn;
};

static bool
is_earlier(const struct message *a, const struct message *b)
{
	return a->time_us != TIME_NONE && b->time_us != TIME_NONE && a->time_us != b->time_us
	    ? a->time_us < b->time_us
	    : a->row > 0 && strcmp(a->session, b->session) == 0 && a->row < b->row;
}

static void
add_change(const struct changes_want *w, struct context *block, const struct later *l)
{
	const struct message *m = l->turn;
	struct excerpt s = excerpt_opening(m);

	if (context_has(block, m) || (w->leaves_out != NULL && w->leaves_out(w->arg, m)))
		return;
	if (s.len < m->content_len)
		s = (struct excerpt){ .start = l->start, .len = l->len };
	context_add(block, &(struct context_piece){ m, s.start, s.len, s.code, false }, UINT64_MAX);
}

static int
on_later(void *arg, const char *text, size_t start, size_t len)
{
	static _Thread_local struct terms words;
	static _Thread_local struct later l;
	struct looked *v = arg;
	struct look look = { &l, &words, false };

	l.turn = v->turn;
	l.start = start;
	l.len = len;
	if (!speaks_of_change(&l) || !read_terms(&words, text + start, len))
		return 0;
	for (size_t i = 0; i < v->n && !look.changed; i++) {
		struct item *of = &v->items[i];

		if (of->n >= MOST || !is_earlier(of->m, v->turn))
			continue;
		sentences_each(of->text, of->len, on_earlier, &look);
		of->n += look.changed;
	}
	if (look.changed)
		add_change(v->want, v->block, &l);
	return look.changed;
}

/* Whether the turn is behind some item that it may change. */
static bool
may_change(const struct looked *v, const struct message *m)
{
	bool later = false;

	/* an assistant speaks of what it changes in files all the time, and seldom decides */
	if (m->role != ROLE_USER || context_has(v->block, m))
		return false;
	for (size_t i = 0; i < v->n; i++)
		later |= is_earlier(v->items[i].m, m);
	return later;
}

static void
look_at(struct looked *v, const struct message *m)
{
	v->turn = m;
	if (may_change(v, m))
		sentences_each(m->content, m->content_len, on_later, v);
}

/* ---- what the question does not find ---- */

/* The words by which a change of a text is looked for: its figures, and the longest others. */
struct telling { struct index_word of[TELLING]; bool figure[TELLING]; size_t n; struct arena *a; };

static int
on_telling(void *arg, const struct word *w)
{
	struct telling *v = arg;
	bool figure = w->kind == WORD_NUMBER && w->len > 1;
	size_t at = v->n, n = MIN(v->n + 1, (size_t)TELLING);

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR ||
	    (w->kind == WORD_NUMBER && !figure))
		return 0;
	for (size_t i = 0; i < v->n; i++)
		if (v->of[i].len == w->len && memcmp(v->of[i].text, w->term, w->len) == 0)
			return 0;
	while (at > 0 && !v->figure[at - 1] && (figure || v->of[at - 1].len < w->len))
		at--;
	if (at == TELLING)
		return 0;
	memmove(v->of + at + 1, v->of + at, (n - at - 1) * sizeof(*v->of));
	memmove(v->figure + at + 1, v->figure + at, (n - at - 1) * sizeof(*v->figure));
	v->of[at] = (struct index_word){ arena_strndup(v->a, w->term, w->len), w->len };
	v->figure[at] = figure;
	v->n = n;
	return 0;
}

/*
 * Looks for what changes the first item that has a figure, or where there are no hits, the first:
 * "raise the default from 100 to 120" may have no word of the question that found the 100.
 */
static int
look_further(struct looked *v, struct err *err)
{
	const struct changes_want *w = v->want;
	const struct scope all = { w->who.user, w->who.agent, w->who.project, NULL };
	struct search_result r;

	for (size_t i = 0; i < v->n; i++) {
		struct item *of = &v->items[i];
		struct telling words = { .n = 0, .a = w->arena };

		words_each(of->text, utf8_clip(of->text, of->len, ASKED), on_telling, &words);
		if (of->n > 0 || words.n < SHARED || (w->hits != NULL && !words.figure[0]))
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
