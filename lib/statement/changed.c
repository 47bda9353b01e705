/*
 * changed.c: a word for a change is in every tenth sentence of people who work, so the two must be
 * about one matter, sentence by sentence, and the later one must put something else in its place or
 * say in so many words that it holds no longer.
 */
#include "statement/changed.h"

#include <strings.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "lexicon/unicode.h"
#include "statement/cues.h"
#include "statement/dropped.h"
#include "statement/sentence.h"
#include "text/words.h"

#define TABLE       "schema/cues/ends.txt"
#define WORDS_MOST  60         /* of a sentence; a longer one is left out */
#define CONTENT     16         /* most of them that tell something: a decision is short */
#define CUES_MOST   64
#define READ_BYTES  2048       /* of a text */
#define SENTENCE    400        /* bytes of a sentence; a longer one is left out */
#define SHARED      2          /* words of the same matter, */
#define SHARE       0.25       /* and their share of either sentence */
#define BETWEEN     4          /* words between "from" and "to" */

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

enum { OTHERWISE = 1, INSTEAD = 2, INSTEAD_OF = 4, MOVED = 8, TO = 16, FROM = 32, UNSURE = 64,
	NO_MORE = 128 };

static const struct { const char *class; unsigned says; } classes[] = {
	{ "otherwise", OTHERWISE }, { "cancel", OTHERWISE }, { "whole", NO_MORE },
	{ "other", INSTEAD }, { "instead", INSTEAD_OF }, { "moved", MOVED }, { "moves", MOVED },
	{ "shift", MOVED }, { "to", TO }, { "from", FROM },
	{ "unsure", UNSURE },
};

/* The words of a later sentence that speak of a change. */
struct later { struct cue cues[CUES_MOST]; size_t n; };

static const struct cues *table;
static unsigned says_of[CUE_CLASSES];      /* by class of the table */

static void
read_table(void)
{
	table = cues_of(TABLE);
	for (size_t i = 0; i < NELEM(classes); i++)
		says_of[cues_class(table, classes[i].class)] = classes[i].says;
}

static struct alloc_once table_once = ALLOC_ONCE(read_table);

/* Whether the sentence speaks of a change at all. */
static bool
speaks_of_change(struct later *l, const char *text, size_t len)
{
	unsigned all = 0;
	size_t n, kept = 0;

	alloc_once(&table_once);
	n = cues_find(table, text, len, l->cues, CUES_MOST, NULL);
	for (size_t i = 0; i < n; i++) {
		unsigned says = says_of[l->cues[i].class];

		all |= says;
		if (says == 0)
			continue;
		l->cues[kept] = l->cues[i];
		l->cues[kept++].class = says;
	}
	l->n = kept;
	return (all & UNSURE) == 0 &&
	    ((all & ~(unsigned)(TO | FROM)) != 0 || (all & (TO | FROM)) == (TO | FROM));
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

/* Whether a mark parts bytes of the text: "fand statt; Ann ...". */
static bool
is_parted(const char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (strchr(",;:.", text[i]) != NULL)
			return true;
	return false;
}

/* The two sentences, and what they say of each other. */
struct pair { const struct later *l; const struct terms *earlier, *later; bool named; };

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

/*
 * "From X to Y", where the earlier sentence has X and not Y; where nothing says that it moves, X is
 * a figure or a name: "from the surface to the first level" is a way.
 */
static bool
goes_from(const struct pair *p, const struct cue *from)
{
	const struct term *old = behind(from, p->later);
	bool moves = is_old(p, old) && old->value && !p->named;

	for (size_t i = 0; i < p->l->n; i++)
		moves |= p->l->cues[i].class == MOVED;
	for (size_t i = 0; i < p->l->n && moves && is_old(p, old); i++) {
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
 * Whether what holds no more is what the earlier sentence says: most words of the part in which
 * that is said are there. "Any more letters" are more of them.
 */
static bool
names_ended(const struct pair *p, const struct cue *cue)
{
	const struct terms *v = p->later;
	size_t end = cue->start + cue->len, n = 0, shared = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct term *t = &v->t[i];
		bool before = t->start < cue->start;

		if (!t->content || (!before && t->start < end) ||
		    (before ? is_parted(v->text, t->start, cue->start)
			    : is_parted(v->text, end, t->start)))
			continue;
		if (!before && strncasecmp(v->text + cue->start, "any", 3) == 0)
			return false;
		n++;
		shared += has(p->earlier, t->hash);
	}
	return shared > 0 && 4 * shared >= 3 * n;
}

/*
 * Whether the later sentence, which is about the same, says that it is otherwise than before: in so
 * many words, or with what is in its place; named: only where it names what was.
 */
static bool
changes(const struct pair *p)
{
	for (size_t i = 0; i < p->l->n; i++) {
		const struct cue *cue = &p->l->cues[i];
		/* the other languages of the table have no words of "to" */
		bool latin = (unsigned char)p->later->text[cue->start] < 0xd0;
		const struct term *old = behind(cue, p->later);

		if (p->named ? cue->class == NO_MORE && names_ended(p, cue)
			     : (cue->class & (OTHERWISE | NO_MORE)) != 0)
			return true;
		if ((cue->class == INSTEAD_OF && is_old(p, old) &&
			!is_parted(p->later->text, cue->start + cue->len, old->start)) ||
		    (cue->class == FROM && goes_from(p, cue)))
			return true;
		if (!p->named &&
		    ((cue->class == INSTEAD && !is_longer(p, cue) && has_new_value(p)) ||
			(cue->class == MOVED && (latin ? goes_to(p) : has_new_value(p)))))
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

struct look {
	const struct dropped *dropped;
	const struct later *later;         /* NULL: it speaks of no other change */
	const struct terms *words;         /* of later */
	bool named, sure, changed;
};

/* Whether the earlier sentence itself tells what was. */
static bool
tells_what_was(const struct terms *earlier, size_t len)
{
	static _Thread_local struct later own;

	speaks_of_change(&own, earlier->text, len);
	for (size_t i = 0; i < own.n; i++)
		if ((own.cues[i].class & (NO_MORE | INSTEAD_OF | MOVED)) != 0)
			return true;
	return false;
}

static int
on_earlier(void *arg, const char *text, size_t start, size_t len)
{
	static _Thread_local struct terms earlier;
	struct look *v = arg;

	v->changed = (!v->named || v->sure) &&
	    dropped_is(v->dropped, text + start, len, false) >
		(v->sure ? DROPPED_NAMED : DROPPED_NOT);
	if (v->changed || v->later == NULL)
		return v->changed;
	v->changed = read_terms(&earlier, text + start, len) && is_of_it(&earlier, v->words) &&
	    !(v->named && tells_what_was(&earlier, len)) &&
	    changes(&(struct pair){ v->later, &earlier, v->words, v->named });
	return v->changed;
}

struct which {
	const struct changed_text *earlier;
	bool named, sure;
	size_t n, found, start, len;
};

static int
on_later(void *arg, const char *text, size_t start, size_t len)
{
	static _Thread_local struct terms words;
	static _Thread_local struct later later;
	static _Thread_local struct dropped dropped;
	struct which *v = arg;
	bool other = speaks_of_change(&later, text + start, len) &&
	    read_terms(&words, text + start, len);
	struct look look = { &dropped, other ? &later : NULL, &words, v->named, v->sure, false };

	dropped.n = 0;
	if (((v->named && !v->sure) || !dropped_read(&dropped, text + start, len, false)) && !other)
		return 0;
	for (size_t i = 0; i < v->n && !look.changed; i++)
		if (sentences_each(v->earlier[i].text, v->earlier[i].len, on_earlier, &look) != 0)
			v->found = i;
	v->start = start;
	v->len = len;
	return look.changed;
}

size_t
changed_which(const struct changed_text *earlier, size_t n, const char *text, size_t len,
	size_t *start, size_t *size)
{
	struct which v = { earlier, false, false, n, n, 0, 0 };

	if (n > 0 && sentences_each(text, len, on_later, &v) == 0)
		return n;
	*start = v.start;
	*size = v.len;
	return v.found;
}

size_t
changed_surely(const struct changed_text *earlier, size_t n, const char *text, size_t len)
{
	struct which v = { earlier, true, true, n, n, 0, 0 };

	return n > 0 && sentences_each(text, len, on_later, &v) != 0 ? v.found : n;
}

bool
changed_named(const struct changed_text *earlier, const char *text, size_t len)
{
	struct which v = { earlier, true, false, 1, 1, 0, 0 };

	return sentences_each(text, len, on_later, &v) != 0;
}
