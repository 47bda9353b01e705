/*
 * cluster_keywords.c: the words that name a cluster. First the topic of the lexicon that it
 * is about, when several words of it say so, in the language of most texts: a general word, which
 * people look for. Then the words that set it apart, which tell it from others of that topic. Words
 * that are no names are left out as far as their form shows it.
 */
#include <strings.h>

#include "base/alloc.h"
#include "cluster/cluster_terms_parts.h"
#include "cluster/cluster_words.h"
#include "math/kmeans.h"
#include "math/real.h"

/* weight of an identifier, or of what is written in capitals */
#define TECHNICAL 2.

/* ---- words that set apart ---- */

struct counting {
	const struct cluster_terms *t;
	/* [n_words] texts of the cluster at hand that have the word */
	uint32_t *in;
	uint32_t *seen;                        /* words with in > 0 */
	size_t n_seen, n_texts;
	uint32_t least;                        /* texts of the cluster that must have a word */
	struct arena *joined;                  /* words put together of pairs */
};

static enum cluster_word
class_of(const char *shown, size_t len, unsigned lang)
{
	char folded[3 * WORDS_TERM_BYTES + 1];

	return cluster_word_of(folded, words_fold(shown, MIN(len, WORDS_TERM_BYTES), folded),
	    lang);
}

/* Whether a pair of Chinese has a character of grammar, or a number: it is no word. */
static bool
has_function_character(const char *pair)
{
	struct lex_token t;

	for (size_t at = 0, len = strlen(pair); lex_next(pair, len, at, &t); at = t.end)
		if (lex_is(&t, LEX_GRAMMAR_SIGN, LEX_ANY, NULL))
			return true;
	return false;
}

/* English verbs in the past tense. */
static bool
is_past(const char *shown, size_t len)
{
	return len > 4 && memcmp(shown + len - 2, "ed", 2) == 0 &&
	    strchr("eui", shown[len - 3]) == NULL;
}

static bool
can_name(const struct cluster_term *w, unsigned lang)
{
	return !w->common && w->shown != NULL && w->kind != WORD_NUMBER && w->kind != WORD_CHAR &&
	    w->kind != WORD_SYMBOL && (w->shown_len > 1 || w->kind == WORD_PAIR) &&
	    class_of(w->shown, w->shown_len, lang) == CLUSTER_WORD_PLAIN &&
	    (w->kind == WORD_PAIR ? !has_function_character(w->shown)
				  : !is_past(w->shown, w->shown_len));
}

/*
 * What the word says of the cluster: its share of the divergence between the cluster's texts and
 * all others.
 */
static double
divergence(const struct counting *c, uint32_t word)
{
	double p = (double)c->in[word] / (double)c->n_texts;
	double q = (c->t->words[word].df - c->in[word] + .5) /
	    ((double)(c->t->n - c->n_texts) + 1);

	return p > q ? p * real_log(p / q) : 0;
}

static double
weight(const struct counting *c, uint32_t word)
{
	const struct cluster_term *w = &c->t->words[word];

	if (!can_name(w, cluster_terms_main_language(c->t)) ||
	    (c->in[word] < c->least && c->n_texts > 3))
		return 0;
	return divergence(c, word) * (w->technical ? TECHNICAL : 1);
}

/*
 * The topic that the cluster is about, of those that a fifth of its texts have a sign of, by more
 * than one word; LEX_TOPICS_N: none.
 */
static size_t
find_topic(const struct counting *c)
{
	unsigned n_signs[LEX_TOPICS_N] = { 0 };
	size_t best = LEX_TOPICS_N;
	double most = 0;

	for (size_t i = 0; i < c->n_seen; i++)
		for (size_t j = 0; j < c->t->words[c->seen[i]].n_topics; j++)
			n_signs[c->t->words[c->seen[i]].topics[j]]++;
	for (uint32_t i = 0; i < LEX_TOPICS_N; i++)
		if (n_signs[i] > 1 && c->in[i] > 1 && 5 * (size_t)c->in[i] >= c->n_texts &&
		    divergence(c, i) > most) {
			most = divergence(c, i);
			best = i;
		}
	return best;
}

/* Puts the name of the topic before the words, of which the last may go. */
static void
put_topic(const struct counting *c, struct cluster_terms_keywords *k)
{
	size_t topic = find_topic(c);

	if (topic == LEX_TOPICS_N)
		return;
	k->n = MIN(k->n, CLUSTER_TERMS_KEYWORDS - 1);
	memmove(k->words + 1, k->words, k->n++ * sizeof(*k->words));
	k->words[0] = cluster_topics_name((int)topic, cluster_terms_main_language(c->t));
}

/* Bytes by which the end of a is the beginning of b: a character that both pairs have, or 0. */
static size_t
shared_character(const char *a, const char *b)
{
	size_t n = strlen(a), i = n;

	while (i > 0 && ((unsigned char)a[--i] & 0xc0) == 0x80)
		;
	return strncmp(a + i, b, n - i) == 0 ? n - i : 0;
}

/*
 * Words of Chinese longer than two characters are known by their pairs. Pairs of which the second
 * begins as the first ends, and that as many texts have, are taken for one word.
 */
static void
join_pairs(const struct counting *c, const uint32_t *words, struct cluster_terms_keywords *out)
{
	bool gone[CLUSTER_TERMS_KEYWORDS] = { false };
	size_t n = 0, same;

	for (size_t i = 0; i < out->n; i++)
		out->words[i] = c->t->words[words[i]].shown;
	for (size_t i = 0; i < out->n; i++)
		for (size_t j = 0; j < out->n && !gone[i]; j++) {
			const struct cluster_term *a = &c->t->words[words[i]],
						  *b = &c->t->words[words[j]];
			if (i == j || gone[j] || a->kind != WORD_PAIR || b->kind != WORD_PAIR ||
			    c->in[words[i]] != c->in[words[j]] || a->df != b->df ||
			    (same = shared_character(out->words[i], out->words[j])) == 0)
				continue;
			out->words[i] = arena_printf(c->joined, "%s%s", out->words[i],
			    out->words[j] + same);
			gone[j] = true;
			j = (size_t)-1;        /* what it ends with now may begin another */
		}
	for (size_t i = 0; i < out->n; i++)
		if (!gone[i])
			out->words[n++] = out->words[i];
	out->n = n;
}

static void
keep_best(const struct counting *c, struct cluster_terms_keywords *out)
{
	double weights[CLUSTER_TERMS_KEYWORDS];
	uint32_t words[CLUSTER_TERMS_KEYWORDS];

	out->n = 0;
	for (size_t i = 0; i < c->n_seen; i++) {
		double x = weight(c, c->seen[i]);
		size_t at = out->n;
		if (x <= 0 || (at == CLUSTER_TERMS_KEYWORDS && x <= weights[at - 1]))
			continue;
		at = MIN(at, CLUSTER_TERMS_KEYWORDS - 1);
		out->n = at + 1;
		for (; at > 0 && weights[at - 1] < x; at--) {
			weights[at] = weights[at - 1];
			words[at] = words[at - 1];
		}
		weights[at] = x;
		words[at] = c->seen[i];
	}
	join_pairs(c, words, out);
}

static bool
stands_in(const char *text, const char *part)
{
	size_t len = strlen(part);

	for (; *text != '\0'; text++)
		if (strncasecmp(text, part, len) == 0)
			return true;
	return false;
}

/*
 * The same word in other letters, "jQuery" and "jquery", says nothing new, nor does a word that
 * stands in the name of the topic.
 */
static void
drop_same(struct cluster_terms_keywords *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++) {
		bool same = false;
		for (size_t j = 0; j < n && !same; j++)
			same = stands_in(k->words[j], k->words[i]);
		if (!same)
			k->words[n++] = k->words[i];
	}
	k->n = n;
}

static void
count_text(struct counting *c, size_t text)
{
	for (uint32_t at = c->t->starts[text]; at < c->t->starts[text + 1]; at++) {
		uint32_t word = c->t->uses[at] & (CLUSTER_TERMS_WORDS - 1);
		if (c->in[word]++ == 0)
			c->seen[c->n_seen++] = word;
	}
	c->n_texts++;
}

void
cluster_terms_distinctive(struct cluster_terms *t, const uint32_t *of, size_t k,
	struct cluster_terms_keywords *out)
{
	struct counting c = { .t = t,
		.joined = &t->joined,
		.in = xcalloc(t->n_words + 1, sizeof(*c.in)),
		.seen = xcalloc(t->n_words + 1, sizeof(*c.seen)) };
	size_t *ends = xcalloc(k + 1, sizeof(*ends)), at = 0;
	uint32_t *order = xreallocarray(NULL, t->n + 1, sizeof(*order));

	for (size_t i = 0; i < t->n; i++)
		if (of[i] != KMEANS_NONE)
			ends[of[i] + 1]++;
	for (size_t j = 0; j < k; j++)
		ends[j + 1] += ends[j];
	for (size_t i = 0; i < t->n; i++)
		if (of[i] != KMEANS_NONE)
			order[ends[of[i]]++] = (uint32_t)i;
	for (size_t j = 0; j < k; j++) {
		while (at < ends[j])
			count_text(&c, order[at++]);
		/* a cluster whose words are all different is still named */
		c.least = 2;
		keep_best(&c, &out[j]);
		if (out[j].n == 0) {
			c.least = 1;
			keep_best(&c, &out[j]);
		}
		put_topic(&c, &out[j]);
		drop_same(&out[j]);
		while (c.n_seen > 0)
			c.in[c.seen[--c.n_seen]] = 0;
		c.n_texts = 0;
	}
	free(c.in);
	free(c.seen);
	free(ends);
	free(order);
}

char *
cluster_terms_name(const struct cluster_terms_keywords *k, char out[CLUSTER_TERMS_NAME_BYTES])
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < MIN(k->n, CLUSTER_TERMS_NAME_WORDS); i++)
		len += (size_t)snprintf(out + len, CLUSTER_TERMS_NAME_BYTES - len, "%s%s",
		    i > 0 ? ", " : "", k->words[i]);
	return out;
}
