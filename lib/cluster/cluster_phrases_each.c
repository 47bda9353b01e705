/* cluster_phrases_each.c: the phrases of a text, and which of them stand where nouns do. */
#include "base/hash.h"
#include "cluster/cluster_phrases_parts.h"
#include "lexicon/lex.h"

struct run { const uint32_t *said; size_t n; bool before_verb; unsigned lang; };

static bool
is_romance(unsigned lang)
{
	return lang == lex_language("es") || lang == lex_language("fr") ||
	    lang == lex_language("it") || lang == lex_language("pt");
}

/* English participles and adverbs: merging, listed, separately. */
static bool
is_verbal(const struct phrase_word *w)
{
	static const char *const ends[] = { "ing", "ed", "ly" };

	for (size_t i = 0; i < NELEM(ends); i++) {
		size_t n = strlen(ends[i]);
		if (w->len > n + 2 && memcmp(w->text + w->len - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

/* German writes nouns with a capital, and what stands before them within a phrase without. */
static bool
is_german(const struct cluster_phrases *p, const struct run *r, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		if (p->words[r->said[i] - SAID_WORD].capital &&
		    !p->words[r->said[i + 1] - SAID_WORD].capital)
			return false;
	return p->words[r->said[last] - SAID_WORD].capital;
}

/*
 * Whether words from first to last of a run stand where a noun phrase does: at its end, or in
 * languages that put adjectives behind at its beginning; not where a verb may.
 */
static bool
is_noun(const struct cluster_phrases *p, const struct run *r, size_t first, size_t last)
{
	const struct phrase_word *a = &p->words[r->said[first] - SAID_WORD],
				 *b = &p->words[r->said[last] - SAID_WORD];

	if (a->unspaced || b->unspaced)
		return true;
	if (first == 0 && r->before_verb && !a->acronym)
		return false;
	if (is_romance(r->lang))
		return first == 0 || p->words[r->said[first - 1] - SAID_WORD].link;
	if (last + 1 < r->n)
		return false;
	return r->lang == lex_language("de") ? is_german(p, r, first, last)
	    : r->lang == LEX_EN ? (first < last || b->len > 2) && !is_verbal(b)
				: true;
}

static void
each_of_run(const struct cluster_phrases *p, const struct run *r, phrase_fn *fn, void *arg)
{
	for (size_t i = 0; i < r->n; i++) {
		uint64_t key = 0;
		double units = 0;
		if (p->words[r->said[i] - SAID_WORD].link)
			continue;
		for (size_t j = i; j < MIN(r->n, i + PHRASE_TOKENS); j++) {
			const struct phrase_word *w = &p->words[r->said[j] - SAID_WORD];
			if (w->name)
				break;
			key = hash64_mix(key ^ w->stem) + 1;
			units += w->link ? 0 : w->unspaced ? .5 : 1;
			if (units > PHRASE_WORDS)
				break;
			if (!w->link && units >= 1)
				fn(arg, key, r->said + i, j + 1 - i, units, is_noun(p, r, i, j));
		}
	}
}

void
cluster_phrases_each(const struct cluster_phrases *p, size_t text, phrase_fn *fn, void *arg)
{
	struct run r = { .before_verb = true, .lang = p->langs[text] };

	for (uint32_t at = p->starts[text]; at < p->starts[text + 1]; at++) {
		if (p->said[at] >= SAID_WORD) {
			r.said = r.n == 0 ? p->said + at : r.said;
			r.n++;
			continue;
		}
		each_of_run(p, &r, fn, arg);
		r.n = 0;
		r.before_verb = p->said[at] == SAID_BEFORE_VERB;
	}
}
