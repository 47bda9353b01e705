/*
 * cues.c: a sorted list of folded phrases. A text is cut into words, which are folded and joined by
 * one blank, so that a phrase is a prefix of what begins at some word; each prefix that ends where
 * a word does is looked up. For Chinese the prefixes are of 1 to HAN_MOST characters, and for cues
 * with any ending, of 2 to the word's bytes.
 */
#include "statement/cues.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "lexicon/unicode.h"
#include "statement/cues_parts.h"

enum { HAN_MOST = 10, WORD_BYTES = 48, PHRASE_BYTES = 160 };

/* ---- words ---- */

struct word {
	size_t start, len;                     /* bytes of the text */
	char folded[WORD_BYTES];
	size_t n;                              /* bytes of it */
	bool han;
};

/* An apostrophe inside a word, in any of its three forms: "I'm" is one word. */
static size_t
apostrophe(const char *p, const char *end)
{
	if (p < end && *p == '\'')
		return 1;
	if (end - p >= 3 && (memcmp(p, "’", 3) == 0 || memcmp(p, "ʼ", 2) == 0))
		return (unsigned char)*p == 0xe2 ? 3 : 2;
	return 0;
}

/* Reads the next word at or behind text[at]. Returns false at the end. */
static bool
next_word(const char *text, size_t len, size_t at, struct word *w)
{
	const char *p = text + at, *end = text + len;

	*w = (struct word){ 0 };
	while (p < end) {
		enum unicode_class cls;
		uint32_t cp;
		size_t used, n = 0, tick;
		if (ascii_is_alnum((unsigned char)*p)) {       /* as below, without the tables */
			if (w->n == 0)
				w->start = (size_t)(p - text);
			if (w->n + 1 < WORD_BYTES)
				w->folded[w->n++] = (char)ascii_lower((unsigned char)*p);
			p++;
			continue;
		}
		used = unicode_next(p, end, &cp, &cls);
		char out[32];
		if (cls == UNICODE_CJK || cls == UNICODE_SEP || cls == UNICODE_EMOJI) {
			tick = w->n > 0 ? apostrophe(p, end) : 0;
			if (tick > 0 && p + tick < end && ascii_is_letter(p[tick])) {
				p += tick;
				if (w->n + 1 < WORD_BYTES)
					w->folded[w->n++] = '\'';
				continue;
			}
			if (w->n > 0)
				break;
			if (cls != UNICODE_CJK) {
				p += used;
				continue;
			}
		}
		if (w->n == 0)
			w->start = (size_t)(p - text);
		used = unicode_fold(p, end, out, &n);
		if (w->n + n < WORD_BYTES && n <= sizeof(out)) {
			memcpy(w->folded + w->n, out, n);
			w->n += n;
		}
		p += used;
		if (cls == UNICODE_CJK) {
			w->han = true;
			break;
		}
	}
	w->len = (size_t)(p - text) - w->start;
	return w->n > 0;
}

/* ---- tables ---- */

const struct cues *
cues_of(const char *name)
{
	const struct cues *c = cues_tables;

	while (c->name != NULL && strcmp(c->name, name) != 0)
		c++;
	return c->name != NULL ? c : NULL;
}

uint64_t
cues_hash(const struct cues *c, uint64_t seed)
{
	seed = hash64(c->class, c->n, seed);
	for (size_t i = 0; i < c->n_classes; i++)
		seed = hash64(c->classes[i].rest, strlen(c->classes[i].rest), seed);
	for (size_t i = 0; i < c->n; i++)
		seed = hash64(c->texts + c->at[i], strlen(c->texts + c->at[i]), seed);
	return seed;
}

const struct cue_class *
cues_classes(const struct cues *c, size_t *n)
{
	*n = c->n_classes;
	return c->classes;
}

int
cues_class(const struct cues *c, const char *name)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (strcmp(c->classes[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *
cues_word(const struct cues *c, unsigned class, size_t i)
{
	for (size_t k = 0; k < c->n; k++)
		if (c->class[k] == class && i-- == 0)
			return c->texts + c->at[k];
	return NULL;
}

/* ---- finding ---- */

static bool
is_less(const struct cues *c, size_t i, const char *key, size_t len)
{
	return strncmp(c->texts + c->at[i], key, len) < 0;
}

/*
 * The first phrase from `from` on whose text is not smaller than key [len], which is not empty. It
 * is looked for in growing steps, as that of a longer key is near.
 */
static size_t
lower_bound(const struct cues *c, size_t from, const char *key, size_t len)
{
	size_t low = MAX(from, c->first[(unsigned char)*key]), high = low,
	       end = c->first[(unsigned char)*key + 1];

	for (size_t step = 1; high < end && is_less(c, high, key, len); step *= 2) {
		low = high + 1;
		high += step;
	}
	high = MIN(high, end);
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (is_less(c, mid, key, len))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct finding {
	const struct cues *c;
	struct cue *out;
	size_t n, max;
};

static bool
begins_with(const struct cues *c, size_t i, const char *key, size_t len)
{
	return i < c->n && strncmp(c->texts + c->at[i], key, len) == 0;
}

/*
 * Hands out the classes of key [len], which stands at phrase `from` or behind it; returns whether a
 * longer phrase may begin with it.
 */
static bool
look_up(struct finding *f, size_t from, const char *key, size_t len, struct cue cue)
{
	for (size_t i = lower_bound(f->c, from, key, len); begins_with(f->c, i, key, len); i++) {
		if (f->c->texts[f->c->at[i] + len] != '\0')
			return true;
		cue.class = f->c->class[i];
		if (f->n < f->max)
			f->out[f->n++] = cue;
	}
	return false;
}

/* Looks for cues with any ending that the word begins with. */
static void
look_up_stems(struct finding *f, const struct word *w, struct cue cue)
{
	char key[WORD_BYTES + 2];
	size_t at = 0;

	memcpy(key, w->folded, w->n);
	for (size_t n = 2; n <= w->n; n++) {
		at = lower_bound(f->c, at, w->folded, n);
		if (!begins_with(f->c, at, w->folded, n))
			return;
		key[n] = '*';
		look_up(f, at, key, n + 1, cue);
		key[n] = w->folded[n];
	}
}

size_t
cues_find(const struct cues *c, const char *text, size_t len, struct cue *out, size_t max,
	unsigned *n_words)
{
	struct finding f = { c, out, 0, max };
	struct word first, w;
	unsigned at = 0;

	for (size_t i = 0; next_word(text, len, i, &first); i = first.start + first.len, at++) {
		char key[PHRASE_BYTES];
		size_t n = first.n;
		bool more;
		memcpy(key, first.folded, n);
		more = look_up(&f, 0, key, n, (struct cue){ 0, at, first.start, first.len });
		if (!first.han)
			look_up_stems(&f, &first, (struct cue){ 0, at, first.start, first.len });
		w = first;
		for (unsigned k = 1; more && k < (first.han ? HAN_MOST : CUE_WORDS); k++) {
			bool han = w.han;
			if (!next_word(text, len, w.start + w.len, &w) || n + w.n + 2 > sizeof(key))
				break;
			if (!(han && w.han))
				key[n++] = ' ';
			memcpy(key + n, w.folded, w.n);
			n += w.n;
			more = look_up(&f, 0, key, n, (struct cue){ 0, at, first.start,
			    w.start + w.len - first.start });
		}
	}
	if (n_words != NULL)
		*n_words = at;
	return f.n;
}

/* ---- by the names of classes ---- */

void
cue_text_read(struct cue_text *t, const char *name, const char *text, size_t len)
{
	t->of = cues_of(name);
	t->n = cues_find(t->of, text, len, t->cues, CUES_KEPT, NULL);
}

bool
cue_text_is(const struct cue_text *t, const struct cue *cue, const char *class)
{
	return strcmp(t->of->classes[cue->class].name, class) == 0;
}

const struct cue *
cue_text_find(const struct cue_text *t, const char *class, size_t from)
{
	const struct cue *best = NULL;

	for (const struct cue *c = t->cues; c < t->cues + t->n; c++)
		if (c->start >= from && (best == NULL || c->start < best->start ||
			(c->start == best->start && c->len > best->len)) &&
		    cue_text_is(t, c, class))
			best = c;
	return best;
}

bool
cues_has(const char *name, const char *class, const char *text, size_t len)
{
	static _Thread_local struct cue_text t;

	cue_text_read(&t, name, text, len);
	return class == NULL ? t.n > 0 : cue_text_find(&t, class, 0) != NULL;
}
